"""Hypothesis strategies that the property tests share."""

import numpy as np
from hypothesis import strategies as st

# Quarters add up without rounding in float32, so a sum that should be exactly 0 is.
QUARTERS = st.integers(-16, 16).map(lambda i: i / 4)
SPECIALS = st.sampled_from([np.nan, np.inf, -np.inf])
ID_DTYPES = st.sampled_from(["uint8", "int8", "int16", "int32", "int64"])


@st.composite
def segments(draw, specials=True, max_rows=6, max_segments=4):
    """Draw (x, ids, n, sorted): float32 rows of one or two axes, ids in range and out of it."""
    rows = draw(st.integers(0, max_rows))
    features = draw(st.sampled_from([(), (1,), (2,), (0,)]))
    n = draw(st.integers(0, max_segments))
    is_sorted = draw(st.booleans())
    dtype = draw(ID_DTYPES)
    least = 0 if dtype == "uint8" else -2
    ids = np.array(draw(st.lists(st.integers(least, n + 2), min_size=rows, max_size=rows)), dtype=dtype)
    values = st.one_of(QUARTERS, SPECIALS) if specials and draw(st.booleans()) else QUARTERS
    size = int(rows * np.prod(features))
    x = np.array(draw(st.lists(values, min_size=size, max_size=size)), dtype=np.float32)
    return x.reshape((rows, *features)), np.sort(ids) if is_sorted else ids, n, is_sorted


@st.composite
def partitions(draw, max_length=3, max_partitions=4):
    """Draw (x, lengths, total): a total that is the lengths' sum, less, or more."""
    dtype = draw(ID_DTYPES)
    lengths = draw(st.lists(st.integers(0, max_length), max_size=max_partitions))
    total = max(0, sum(lengths) + draw(st.sampled_from([0, 0, -1, 2])))
    x = np.array(draw(st.lists(QUARTERS, min_size=2 * total, max_size=2 * total)), dtype=np.float32)
    return x.reshape(total, 2), np.array(lengths, dtype=dtype), total

"""Every segment and partition operation as functions of arrays, for the roads to ONNX and to the compilers.

A case is one function that returns many results by name, because an export costs seconds whatever its size.
Its inputs come by name from ``make(rows, segments)``; the first axes vary.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

import anytensor as at

# (rows, segments): the size of the example, then others, without rows and without segments too.
SIZES = ((7, 4), (0, 3), (23, 9), (5, 0))


@dataclass(frozen=True)
class Case:
    """A function, how to make its inputs at any size, and what of the results is not compared."""

    function: Any
    make: Any


REDUCTIONS = ("sum", "prod", "min", "max", "mean", "variance", "std", "logsumexp")
BY_ROW = ("normalize", "softmax")


def reductions(x, ids, segments):
    n = at.shape(segments)[0]
    found = {name: getattr(at, f"segment_{name}")(x, ids, n) for name in REDUCTIONS + BY_ROW}
    found["count"] = at.segment_count(ids, n)
    found["min_or_constant"] = at.segment_min_or_constant(x, ids, n, constant=7)
    found["max_or_constant"] = at.segment_max_or_constant(x, ids, n, constant=7)
    found["attention"] = at.segment_attention(x, x[..., :1] if x.ndim > 1 else x, ids, n)
    return found


def of_sorted(x, ids, segments):
    n = at.shape(segments)[0]
    found = {name: getattr(at, f"segment_{name}")(x, ids, n, sorted=True) for name in REDUCTIONS + BY_ROW}
    found["count"] = at.segment_count(ids, n, sorted=True)
    found["min_or_constant"] = at.segment_min_or_constant(x, ids, n, constant=7, sorted=True)
    found["max_or_constant"] = at.segment_max_or_constant(x, ids, n, constant=7, sorted=True)
    found["attention"] = at.segment_attention(x, x[:, :1], ids, n, sorted=True)
    return found


def of_integers(x, y, ids, segments):
    n = at.shape(segments)[0]
    names = ("sum", "prod", "min", "max", "mean", "variance", "softmax", "normalize")
    found = {f"{name}_x": getattr(at, f"segment_{name}")(x, ids, n) for name in names}
    found |= {f"{name}_y": getattr(at, f"segment_{name}")(y, ids, n) for name in names}
    found["max_or_constant"] = at.segment_max_or_constant(x, ids, n, constant=-7)
    return found


def of_bool(x, ids, segments):
    n = at.shape(segments)[0]
    return {name: getattr(at, f"segment_{name}")(x, ids, n) for name in ("sum", "prod", "min", "max", "mean")}


def of_halves(x, ids, segments):
    n = at.shape(segments)[0]
    names = ("sum", "prod", "min", "max", "mean", "variance", "softmax", "logsumexp", "normalize")
    return {name: getattr(at, f"segment_{name}")(x, ids, n) for name in names}


def partitions(x, lengths, short):
    total = at.shape(x)[0]
    names = ("sum", "min", "max", "mean", "softmax", "logsumexp")
    found = {name: getattr(at, f"partition_{name}")(x, lengths, total) for name in names}
    found |= {f"{name}_short": getattr(at, f"partition_{name}")(x, short, total) for name in names}
    return {**found, "ids": at.partition_ids(lengths, total), "ids_short": at.partition_ids(short, total)}


def ids_of(rows, segments, rng, dtype=np.int32):
    """Return ids of which some are too large and, if they can, negative; the last segment is empty."""
    low = -2 if np.dtype(dtype).kind == "i" else 0
    ids = rng.integers(low, segments + 2, rows)
    return np.where(ids == segments - 1, segments, ids).astype(dtype)


def floats_of(rows, segments, seed=0, dtype=np.float32, shape=(3,), ids_dtype=np.int32):
    rng = np.random.default_rng((seed, rows, segments))
    # Mostly below 0, so that a maximum that starts from 0 shows.
    x = (rng.normal(size=(rows, *shape)) - 2).astype(dtype)
    return {
        "x": x,
        "ids": ids_of(rows, segments, rng, ids_dtype),
        "segments": np.zeros((segments, 2), np.float32),
    }


def sorted_floats_of(rows, segments):
    found = floats_of(rows, segments, seed=1, ids_dtype=np.int64)
    return {**found, "ids": np.sort(found["ids"])}


def specials_of(rows, segments):
    """Return rows with NaN and infinities: a NaN first, last and in the middle, nothing but -inf, dropped."""
    found = floats_of(rows, segments, seed=2)
    x, ids = found["x"], found["ids"]
    if rows and segments:
        ids[:7] = [1, 0, 1, 0, 1, -1, segments]
        x[0, 0] = x[2, 1] = x[4, 2] = np.nan
        x[ids == 0] = -np.inf
        x[5], x[6] = np.nan, np.inf
        x[7:8] = np.inf
    return found


def integers_of(rows, segments):
    rng = np.random.default_rng((3, rows, segments))
    found = floats_of(rows, segments, seed=3, ids_dtype=np.uint8)
    return {
        "x": rng.integers(-9, -1, (rows, 2)).astype(np.int32),
        "y": rng.integers(1, 4, (rows,)).astype(np.uint8),
        "ids": found["ids"],
        "segments": found["segments"],
    }


def bools_of(rows, segments):
    found = floats_of(rows, segments, seed=4)
    return {**found, "x": found["x"] > -2}


def lengths_of(rows, segments):
    """Return lengths that make up all rows, and others that leave the tail in no partition."""
    rng = np.random.default_rng((5, rows, segments))
    cuts = np.sort(rng.integers(0, rows + 1, max(segments - 1, 0)))
    lengths = np.diff(cuts, prepend=0, append=rows) if segments else np.zeros(0)
    return {
        "x": (rng.normal(size=(rows, 2)) - 2).astype(np.float32),
        "lengths": lengths.astype(np.int32),
        "short": np.minimum(lengths, 1).astype(np.int64),
    }


CASES = {
    "float32": Case(reductions, floats_of),
    "float64, one column": Case(reductions, lambda r, n: floats_of(r, n, 6, np.float64, (), np.int64)),
    "three axes": Case(reductions, lambda r, n: floats_of(r, n, 7, np.float32, (2, 3), np.int16)),
    "sorted": Case(of_sorted, sorted_floats_of),
    "NaN and infinities": Case(reductions, specials_of),
    "integers": Case(of_integers, integers_of),
    "bool": Case(of_bool, bools_of),
    "float16": Case(of_halves, lambda r, n: floats_of(r, n, 8, np.float16)),
    "partitions": Case(partitions, lengths_of),
}

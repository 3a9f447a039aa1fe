"""What the transformations are tried on: functions with a slope, and where they have one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from fuzz_values import SEEDS, spread
from harness import FLOATING, call
from hypothesis import strategies as st

import anytensor as at
from references import PARTITION

# Rows, features and segments of a few sizes, so that JAX meets a shape again.
SHAPES = ((3,), (4, 2), (1,), (0,), (3, 1), (7,), (1, 2), (2, 0))
# Where an infinite entry has a value and a slope: elsewhere it meets 0, or another one of the other sign.
INFINITE = {
    "segment_min": (np.inf, -np.inf),
    "segment_max": (np.inf, -np.inf),
    "segment_min_or_constant": (np.inf, -np.inf),
    "segment_max_or_constant": (np.inf, -np.inf),
    "segment_sum": (np.inf,),
    "segment_mean": (-np.inf,),
    "segment_softmax": (-np.inf,),
    "segment_logsumexp": (-np.inf,),
}
INFINITE |= {name: INFINITE[name.replace("partition", "segment")] for name in PARTITION}
TIED = ("segment_min", "segment_max", "segment_min_or_constant", "segment_max_or_constant")
TIED += ("partition_min", "partition_max")


@dataclass(frozen=True)
class Smooth:
    """A function of floating rows and of whole numbers: ids, lengths, or places.

    Attributes:
        name: What is called, with its static arguments.
        function: The portable function of (x, whole).
        x: Rows; under a batch with one axis more.
        whole: Integers; under a batch with one axis more.
        over: Which of the two have the axis of the batch.
    """

    name: str
    function: Callable[..., Any]
    x: np.ndarray
    whole: np.ndarray
    over: tuple[str, ...] = ()

    def __repr__(self) -> str:
        told = f"{self.name} over {self.over} of {self.x.dtype.name}{list(self.x.shape)} {self.x.tolist()}"
        return f"<{told}, {self.whole.dtype.name}{list(self.whole.shape)} {self.whole.tolist()}>"

    def rows(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the arguments of each call of a loop over the batch."""
        number = len(self.x if "x" in self.over else self.whole)
        return [
            (self.x[i] if "x" in self.over else self.x, self.whole[i] if "whole" in self.over else self.whole)
            for i in range(number)
        ]


def _segments(name, n, in_order):
    return f"{name} {n} {in_order}", lambda x, ids: call(name, x, ids, n, in_order)


def _partitions(name):
    return name, lambda x, lengths: getattr(at, name)(x, lengths, at.shape(x)[0])


# Name -> function of (rows, places in them): an axis of at least one entry is asked for by the last ones.
ORDINARY = {
    **{
        name: lambda x, i, name=name: getattr(at, name)(x)
        for name in (
            *("exp", "sin", "cos", "tanh", "atan", "asinh", "expm1", "square", "negative", "sinh", "cosh"),
            *("cumulative_sum", "flip", "transpose", "fill_nan", "positive", "real", "abs", "relu"),
        )
        if name != "cumulative_sum"
    },
    "log": lambda x, i: at.log(at.square(x) + 1),
    "log1p": lambda x, i: at.log1p(at.square(x)),
    "log2": lambda x, i: at.log2(at.square(x) + 2),
    "rsqrt": lambda x, i: at.rsqrt(at.square(x) + 1),
    "sqrt": lambda x, i: at.sqrt(at.square(x) + 1),
    "reciprocal": lambda x, i: at.reciprocal(at.square(x) + 1),
    "sign": lambda x, i: at.multiply(x, at.sign(x)),
    "leaky_relu": lambda x, i: at.leaky_relu(x, 0.5),
    "clip": lambda x, i: at.clip(x, -1.03, 1.07),
    "where": lambda x, i: at.where(at.greater(x, 0.01), at.square(x), -x),
    "nan_to_num": lambda x, i: at.nan_to_num(x, nan=2.0),
    "maximum": lambda x, i: at.maximum(x, at.flip(x, axis=0) * 0.51),
    "minimum": lambda x, i: at.minimum(x, 0.05),
    "hypot": lambda x, i: at.hypot(x, at.square(x) + 1),
    "atan2": lambda x, i: at.atan2(x, at.square(x) + 1),
    "logaddexp": lambda x, i: at.logaddexp(x, at.sin(x)),
    "copysign": lambda x, i: at.copysign(x, at.cos(x)),
    "pow": lambda x, i: at.pow(at.square(x) + 1, 1.5),
    "divide": lambda x, i: at.divide(x, at.square(x) + 1),
    "remainder": lambda x, i: at.remainder(x, 3),
    "sum": lambda x, i: at.sum(x, axis=0),
    "sum all": lambda x, i: at.sum(x),
    "mean": lambda x, i: at.mean(x, axis=0, keepdims=True),
    "var": lambda x, i: at.var(x, axis=0),
    "std": lambda x, i: at.std(x),
    "prod": lambda x, i: at.prod(x, axis=0),
    "max": lambda x, i: at.max(x, axis=0),
    "min all": lambda x, i: at.min(x),
    "softmax": lambda x, i: at.softmax(x, 0),
    "cumulative_sum": lambda x, i: at.cumulative_sum(x, axis=0, include_initial=True),
    "cumulative_prod": lambda x, i: at.cumulative_prod(x, axis=0),
    "cumsum": lambda x, i: at.cumsum(x, 0),
    "diff": lambda x, i: at.diff(x, axis=0),
    "sort": lambda x, i: at.sort(x, axis=0),
    "take": lambda x, i: at.take(x, i, axis=0),
    "take_along_axis": lambda x, i: at.take_along_axis(x, at.argsort(x, axis=0), axis=0),
    "repeat": lambda x, i: at.repeat(x, 2, axis=0),
    "repeat counts": lambda x, i: at.repeat(
        x, at.astype(at.greater(i, 0), i.dtype), axis=0, total_repeat_length=4
    ),
    "tile": lambda x, i: at.tile(x, (2, 1)),
    "roll": lambda x, i: at.roll(x, 1, axis=0),
    "concat": lambda x, i: at.concat([x, at.square(x)], axis=0),
    "stack": lambda x, i: at.stack([x, at.negative(x)], axis=-1),
    "reshape": lambda x, i: at.reshape(x, (-1,)),
    "expand_dims": lambda x, i: at.expand_dims(x, axis=0),
    "broadcast_to": lambda x, i: at.broadcast_to(x, (2, *at.shape(x))),
    "moveaxis": lambda x, i: at.moveaxis(at.expand_dims(x, axis=0), 0, -1),
    "tril": lambda x, i: at.tril(at.expand_dims(x, axis=0)) if x.ndim == 1 else at.triu(x),
    "matmul": lambda x, i: at.matmul(at.reshape(x, (1, -1)), at.reshape(x, (-1, 1))),
    "tensordot": lambda x, i: at.tensordot(x, x, axes=1) if x.ndim == 1 else at.tensordot(x, x, axes=2),
    "vecdot": lambda x, i: at.vecdot(x, at.sin(x)),
    "einsum": lambda x, i: at.einsum(x, x, "a ..., b ... -> a b ..."),
    "rearrange": lambda x, i: at.rearrange(x, "a ... -> ... a"),
    "norm": lambda x, i: at.linalg.vector_norm(at.reshape(x, (-1,))),
    "fft": lambda x, i: at.real(at.fft.rfft(x, axis=0)),
    "unstack": lambda x, i: at.stack(at.unstack(x, axis=0)[::-1]),
    "stop_gradient": lambda x, i: at.multiply(x, at.stop_gradient(x)),
    "argmax": lambda x, i: at.take(x, at.argmax(x, axis=0), axis=0),
    "searchsorted": lambda x, i: x * at.astype(at.searchsorted(at.sort(at.reshape(x, (-1,))), x), x.dtype),
}
NEED_ENTRIES = ("max", "min all", "mean", "var", "std", "take", "softmax", "norm", "fft", "unstack")
NEED_ENTRIES += ("argmax", "repeat counts", "searchsorted", "take_along_axis")
# At a tie or a bound each framework takes a slope of its own; a product of the derivative that stops is none.
WITHOUT_SLOPE = ("stop_gradient",)


@st.composite
def smooth(draw, batched=False, special=False, ties=False, dtype=None):
    """Draw a function and its arguments.

    batched: with an axis of a batch before x, the integers, or both.
    special: NaN and infinities wherever; else infinities where the function has a slope.
    ties: entries that come again; else all differ, and lie away from kinks.
    dtype: of x; None draws one.
    """
    dtype = dtype or draw(spread(["float32", "float16", "float32", "float64"]))
    family = draw(spread(["segments", "ordinary", "partitions", "segments", "ordinary"]))
    shape = draw(spread(SHAPES))
    # What takes no integers is not mapped over them: TensorFlow maps nothing that is the same for all.
    ways = [("x", "whole"), ("x",)] + [("whole",)] * (family != "ordinary")
    over = draw(spread(ways)) if batched else ()
    number = draw(spread([2, 1, 3])) if batched else 0
    rng = np.random.default_rng(draw(SEEDS))
    before = {part: (number,) if part in over else () for part in ("x", "whole")}
    if family == "segments":
        n, in_order = draw(spread([3, 1, 2, 0, 5])), draw(st.booleans())
        # Attention takes a feature of each row for its logit.
        base = draw(spread([name for name in FLOATING if 0 not in shape[1:] or name != "segment_attention"]))
        name, function = _segments(base, n, in_order)
        low, high = draw(spread([(-1, n + 2), (0, max(n, 1)), (n, n + 1), (-2, 1)]))
        whole = rng.integers(low, high, (*before["whole"], shape[0]))
        whole = np.sort(whole, -1) if in_order else whole
    elif family == "partitions":
        base = draw(spread(sorted(PARTITION)))
        name, function = _partitions(base)
        whole = rng.integers(0, 4, (*before["whole"], draw(spread([2, 1, 3, 0]))))
    else:
        base = draw(spread(sorted(ORDINARY)))
        if 0 in shape and base in NEED_ENTRIES:
            shape = (3, 2)
        name, function = base, ORDINARY[base]
        whole = rng.integers(
            -shape[0], max(shape[0], 1), (*before["whole"], max(shape[0], 1) if 0 in shape else shape[0])
        )
    x = entries(rng, (*before["x"], *shape), ties)
    if special:
        x = np.where(rng.random(x.shape) < 0.2, rng.choice([np.nan, np.inf, -np.inf, 0.0], x.shape), x)
    elif base in INFINITE and draw(st.booleans()):
        x = np.where(rng.random(x.shape) < 0.25, rng.choice(INFINITE[base], x.shape), x)
    index = draw(spread(["int32", "int64", "int16", "int8"]))
    return Smooth(name, function, x.astype(dtype), whole.astype(index), over)


def entries(rng, shape, ties):
    """Return entries that come again, or that differ by a fifth at least from each other and from 0."""
    if ties:
        return rng.choice([0.5, -0.5, 1.0, 1.5], shape)
    size = int(np.prod(shape))
    step = 0.2 if size < 20 else 4.0 / size
    return rng.permutation(0.11 + step * (np.arange(size) - size // 2)).reshape(shape)

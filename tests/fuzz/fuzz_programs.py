"""Random programs of a few operations, and what each step may be given."""

import numpy as np
from fuzz_values import SEEDS, spread
from hypothesis import strategies as st

import anytensor as at

# Each keeps what it is given exact: on quarters and small integers all backends must agree to the last bit.
# Name -> (function of an array, whether the array needs an axis, whether it needs an entry).
EXACT = {
    "negative": (at.negative, 0, 0),
    "abs": (at.abs, 0, 0),
    "floor": (at.floor, 0, 0),
    "double": (lambda x: at.multiply(x, 2), 0, 0),
    "less one": (lambda x: at.subtract(x, 1), 0, 0),
    "relu": (at.relu, 0, 0),
    "clip": (lambda x: at.clip(x, -2, 3), 0, 0),
    "at most": (lambda x: at.minimum(x, 2), 0, 0),
    "positive or 0": (lambda x: at.where(at.greater(x, 0), x, 0), 0, 0),
    "nan to 0": (at.fill_nan, 0, 0),
    "sum": (lambda x: at.sum(x, axis=0), 1, 0),
    "sum all": (at.sum, 0, 0),
    "max": (lambda x: at.max(x, axis=-1, keepdims=True), 1, 1),
    "any": (lambda x: at.astype(at.any(x, axis=0), x.dtype), 1, 0),
    "argmax": (lambda x: at.take_along_axis(x, at.expand_dims(at.argmax(x, axis=0), axis=0), axis=0), 1, 1),
    "cumulative_sum": (lambda x: at.cumulative_sum(x, axis=0), 1, 0),
    "cumulative_prod": (lambda x: at.cumulative_prod(at.clip(x, -1, 1), axis=0), 1, 0),
    "diff": (lambda x: at.diff(x, axis=0), 1, 0),
    "sort": (lambda x: at.sort(x, axis=0), 1, 0),
    "argsort": (lambda x: at.take_along_axis(x, at.argsort(x, axis=0), axis=0), 1, 0),
    "flip": (lambda x: at.flip(x, axis=0), 1, 0),
    "roll": (lambda x: at.roll(x, 1, axis=-1), 1, 0),
    "flatten": (lambda x: at.reshape(x, (-1,)), 0, 0),
    "transpose": (at.transpose, 0, 0),
    "expand": (lambda x: at.expand_dims(x, axis=0), 0, 0),
    "twice": (lambda x: at.concat([x, x], axis=0), 1, 0),
    "stack": (lambda x: at.stack([x, at.negative(x)], axis=-1), 0, 0),
    "first": (lambda x: at.take(x, 0, axis=0), 1, 1),
    "last two": (lambda x: at.take(x, np.array([-1, 0], np.int16), axis=0), 1, 1),
    "repeat": (lambda x: at.repeat(x, 2, axis=0), 1, 0),
    "tile": (lambda x: at.tile(x, (2,)), 0, 0),
    "tril": (lambda x: at.tril(at.expand_dims(at.expand_dims(x, axis=0), axis=0)), 0, 0),
    "outer": (lambda x: at.einsum(x, x, "... a, ... b -> ... a b") if len(x.shape) else x, 1, 0),
    "weights": (lambda x: at.multiply(x, at.ones(at.shape(x), like=x)), 0, 0),
}


def _ids(x):
    """Return ids of the rows of x, some of no segment, made in the trace."""
    rows = at.arange(at.shape(x)[0], like=x, dtype="int32")
    return at.subtract(at.remainder(rows, 4), 1)


SEGMENTS = {
    "segment_sum": lambda x: at.segment_sum(x, _ids(x), 2),
    "segment_max": lambda x: at.segment_max(x, _ids(x), at.shape(x)[0]),
    "segment_min_or_constant": lambda x: at.segment_min_or_constant(x, _ids(x), 3, constant=1),
    "segment_prod": lambda x: at.segment_prod(at.clip(x, -1, 1), _ids(x), 2),
    "gathered segment": lambda x: at.take(at.segment_sum(x, _ids(x), 4), at.remainder(_ids(x), 4)),
    "partition_sum": lambda x: at.partition_sum(x, np.array([1, 0, 2], np.int32), at.shape(x)[0]),
    "partition_max": lambda x: at.partition_max(x, np.array([2, 1], np.uint8), at.shape(x)[0]),
}
EXACT |= {name: (function, 1, 0) for name, function in SEGMENTS.items()}

# What rounds, at the end of a program.
SMOOTH = {
    "tanh": at.tanh,
    "exp": lambda x: at.exp(at.clip(x, -4, 4)),
    "sqrt": lambda x: at.sqrt(at.abs(x)),
    "mean": lambda x: at.mean(x, axis=0) if len(x.shape) and x.shape[0] != 0 else x,
    "std": lambda x: at.std(x),
    "softmax": lambda x: at.softmax(x) if len(x.shape) else x,
    "segment_softmax": lambda x: at.segment_softmax(x, _ids(x), 2) if len(x.shape) else x,
    "segment_mean": lambda x: at.segment_mean(x, _ids(x), 3) if len(x.shape) else x,
    "divide": lambda x: at.divide(x, 3),
    "itself": lambda x: x,
}


# Steps whose slope has a jump, and where: there each framework takes a slope of its own.
KINKS = {"abs": (0,), "relu": (0,), "clip": (-2, 3), "at most": (2,), "positive or 0": (0,)}
KINKS |= {"segment_prod": (-1, 1), "cumulative_prod": (-1, 1), "exp": (-4, 4), "sqrt": (0,), "std": ()}

# Among equal entries of other origin (a running sum over a 0) the order changes with the least step.
ORDERED = frozenset(["argmax", "argsort", "max", "sort", "segment_max", "segment_min_or_constant"])


class Program:
    """A sequence of named steps, planned for an array: of no entries, without the steps that need one."""

    def __init__(self, steps, last, x):
        self.last, self.kinked = last, False
        self.steps = []
        with np.errstate(all="ignore"):
            for step in steps:
                function, needs_axis, needs_entry = EXACT[step]
                if needs_axis and x.ndim == 0:
                    x = x.reshape(1)
                    self.steps.append("to one axis")
                if x.size == 0 and needs_entry:
                    continue
                self._note(step, x)
                x = function(x)
                self.steps.append(step)
            self._note(last, x)

    def _note(self, step, x):
        near = np.round(x, 3)
        self.kinked |= step in KINKS and np.isin(near, KINKS[step]).any()
        self.kinked |= step == "floor" and (near == np.floor(near)).any()
        self.kinked |= step in ORDERED and np.unique(near).size < near.size

    def __repr__(self):
        return " > ".join([*self.steps, self.last])

    def __call__(self, x):
        for step in self.steps:
            x = at.reshape(x, (1,)) if step == "to one axis" else EXACT[step][0](x)
        return [x, SMOOTH[self.last](x)]


@st.composite
def programs(draw):
    """Draw (program, array): of quarters, whole numbers, or with a NaN and infinities."""
    steps = tuple(draw(spread(sorted(EXACT))) for _ in range(draw(spread([2, 3, 1, 4]))))
    last = draw(spread(sorted(SMOOTH)))
    shape = draw(spread([(3,), (4, 2), (), (1,), (0,), (2, 3, 2), (5, 1), (2, 0)]))
    kind = draw(spread(["quarters", "special", "int32", "float64"]))
    rng = np.random.default_rng(draw(SEEDS))
    x = rng.integers(-9, 10, shape) / 4
    if kind == "int32":
        # The mean, the root and the softmax of integers have a test of their own.
        return _planned(steps, last, np.asarray(x * 4).astype(np.int32))
    if kind == "special":
        x = np.where(rng.random(shape) < 0.3, rng.choice([np.nan, np.inf, -np.inf, -0.0], shape), x)
    return _planned(steps, last, np.asarray(x).astype(np.float64 if kind == "float64" else np.float32))


def _planned(steps, last, x):
    return Program(steps, last, x), x


def generic(program, x):
    """Return (program, array) planned for entries that differ from each other and from where slopes jump."""
    x = np.asarray((0.3713 + 0.6181 * np.arange(x.size)) % 2.9 - 1.2).reshape(x.shape).astype(x.dtype)
    if x.size > 2:
        x.flat[1] = 0  # what divides by its operand is wrong there
    return Program([step for step in program.steps if step in EXACT], program.last, x), x

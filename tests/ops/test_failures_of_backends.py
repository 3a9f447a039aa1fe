"""What a backend raises is explained where shapes or dtypes explain it, and else comes out as it is."""

import numpy as np
import pytest

import anytensor as at
from anytensor.backends import HOST
from anytensor.ops.arguments import broadcast_fits, reshape_fits

X = np.ones((2, 3))
CALLS = {
    "concat": lambda: at.concat([X, X]),
    "stack": lambda: at.stack([X, X]),
    "squeeze": lambda: at.squeeze(X[:, :1], axis=1),
    "broadcast_to": lambda: at.broadcast_to(X, (2, 2, 3)),
    "broadcast_arrays": lambda: at.broadcast_arrays(X, X),
    "reshape": lambda: at.reshape(X, (3, 2)),
    "clip": lambda: at.clip(X, 0.0, 1.0),
    "searchsorted": lambda: at.searchsorted(X[0], X[0]),
    "where": lambda: at.where(X > 0, X, X),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("error", [MemoryError, TypeError])
def test_an_error_that_nothing_explains_is_not_swallowed(monkeypatch, name, error):
    def fail(*args, **kwargs):
        raise error("something else")

    monkeypatch.setattr(HOST.ops, name, fail)
    with pytest.raises(error, match="something else"):
        CALLS[name]()


def test_equal_nan_swallows_none_either(monkeypatch):
    def fail(*args):
        raise MemoryError("something else")

    monkeypatch.setattr(HOST.ops, "equal", fail)
    with pytest.raises(MemoryError, match="something else"):
        at.equal_nan(X, X)


def test_a_concat_of_flattened_arrays_says_nothing_of_shapes(monkeypatch):
    def fail(*args, **kwargs):
        raise MemoryError("something else")

    monkeypatch.setattr(HOST.ops, "concat", fail)
    with pytest.raises(MemoryError, match="something else"):
        at.concat([X, X[0]], axis=None)


def test_lengths_that_only_a_trace_knows_explain_nothing():
    error = RuntimeError("something else")
    assert reshape_fits("reshape", (2, None), (3,), error) is None
    assert broadcast_fits("add", [(2, None), (3,), ()], error) is None
    with pytest.raises(ValueError, match=r"add: shapes \(2, None\) and \(3, 4\) do not broadcast") as raised:
        broadcast_fits("add", [(2, None), (3, 4)], error)
    assert raised.value.__cause__ is error

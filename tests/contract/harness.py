"""Run segment operations on one variant and hold them to the references.

Compiling is what costs here, so a compiled variant runs every operation of a clause in one traced function,
and all tests whose arrays have the same shapes and dtypes share it. Eager variants run each operation alone.
"""

import functools

import numpy as np
import pytest

import anytensor as at
from anytensor.testing import assert_trees_close, prepare, variants
from anytensor.testing.operands import is_floating
from anytensor.testing.running import cotangent
from references import CONSTANT, SEGMENT, first_feature

ALL = tuple(SEGMENT)
FLOATING = tuple(name for name in ALL if name != "segment_count")
ROW_WISE = ("segment_normalize", "segment_softmax")
FEW = ("segment_sum", "segment_max", "segment_std", "segment_softmax")  # every kind of kernel once
REDUCTIONS = tuple(name for name in ALL if name not in ROW_WISE)
DIFFERENTIABLE = tuple(v for v in variants() if v.differentiable)


def call(name, x, ids, n, sorted=False):
    """Call one public operation on x alone, whatever its signature."""
    if name == "segment_count":
        return at.segment_count(ids, n, sorted)
    if name == "segment_attention":
        return at.segment_attention(x, x[first_feature(len(x.shape))], ids, n, sorted)
    if name.endswith("_or_constant"):
        return getattr(at, name)(x, ids, n, sorted, constant=CONSTANT)
    return getattr(at, name)(x, ids, n, sorted)


def together(xs, ids, n, sorted):
    """Run each named operation on its own copy of the data, so that gradients are told apart."""
    return {name: call(name, x, ids, n, sorted) for name, x in xs.items()}


def for_each_operation(names, chosen=None, compiled=None):
    """Parametrize over (variant, names): one name for an eager variant, all of them for a compiled one.

    compiled: the names where a clause has shapes of its own to compile; eager JAX compiles them too.
    """
    params = []
    for variant in variants() if chosen is None else chosen:
        if variant.compiled:
            params.append(pytest.param(variant, compiled or names, id=f"{variant}-together"))
        else:
            alone = compiled if compiled and variant.backend == "jax" else names
            params += [pytest.param(variant, (name,), id=f"{variant}-{name}") for name in alone]
    return pytest.mark.parametrize(("variant", "names"), params)


def for_each_variant(chosen=None):
    """Parametrize over variants."""
    return pytest.mark.parametrize("variant", variants() if chosen is None else chosen, ids=str)


@functools.cache
def _prepared(function, variant, gradients, shapes):
    # A prepared function for each set of shapes: Dynamo gives up after eight of them in one.
    return prepare(function, variant, gradients=gradients)


def run(function, variant, *args, gradients=False):
    """Run a function of nests of arrays and static values on one variant; fail with its own error."""
    shapes = _describe(args)
    outcome = _prepared(function, variant, gradients, shapes)(*args)
    if outcome.error is not None:
        raise outcome.error
    assert outcome.written == ()
    assert outcome.foreign == ()
    return outcome


def rows_of_data(seed=0, rows=8, features=3):
    """Return float32 rows without ties, zeros or cancelling sums."""
    return np.random.default_rng(seed).uniform(0.3, 2.0, (rows, features)).astype(np.float32)


def _describe(value):
    if isinstance(value, dict):
        return tuple((key, _describe(value[key])) for key in value)
    if isinstance(value, (list, tuple)):
        return tuple(_describe(one) for one in value)
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.name)
    return value


def check(variant, names, x, ids, n, *, sorted=False, gradients=True, rows=None, compared=ALL):
    """Assert that operations have the references' values and gradients.

    rows: the rows whose gradients are compared; None compares all.
    compared: the operations among ``names`` that this data says something of; the others only run.
    """
    outcome = run(together, variant, dict.fromkeys(names, x), ids, n, sorted, gradients=gradients)
    expected = {name: SEGMENT[name][0](x, ids, n) for name in names if name in compared}
    got = {name: outcome.outputs[name] for name in expected}
    assert_trees_close(got, expected, **_tolerance(x))
    if gradients and variant.differentiable:
        chosen = slice(None) if rows is None else rows
        wanted = expected_gradients(names, outcome.outputs, x, ids, n)
        assert outcome.gradients.keys() == wanted.keys()
        paths = [f"xs['{name}']" for name in expected]
        got = {path: outcome.gradients[path][chosen] for path in paths}
        # Summed and divided in float32, some entries cancel.
        assert_trees_close(got, {path: wanted[path][chosen] for path in paths}, rtol=2e-4, atol=2e-5)
    return outcome


def expected_gradients(names, outputs, x, ids, n):
    """Return the references' gradient of the kit's weighed sum, by the kit's name of each operand."""
    floating = [name for name in sorted(names) if is_floating(outputs[name])]
    gradients = {f"xs['{name}']": np.zeros(x.shape) for name in names}
    with np.errstate(all="ignore"):
        for place, name in enumerate(floating):
            weights = cotangent(place, outputs[name].shape)
            gradients[f"xs['{name}']"] = SEGMENT[name][1](weights, x, ids, n)
    return gradients


def _tolerance(x):
    return {"rtol": 2e-5, "atol": 2e-6} if x.dtype.name == "float32" else {}

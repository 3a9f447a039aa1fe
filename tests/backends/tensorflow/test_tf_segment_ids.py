"""Ids on TensorFlow: traces that capture concrete tensors, processes with a GPU, promises that are broken."""

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.eager import core

import anytensor as at
import anytensor.backends.tensorflow as backend
import references
from anytensor.backends.tensorflow import (
    segment_extremes,
    segment_kernels,
    segment_runs,
    segment_totals,
)

X = np.array([[1.0, 5.0], [2.0, -1.0], [4.0, 0.5], [8.0, 3.0]], np.float32)
NAMES = ("segment_sum", "segment_prod", "segment_max", "segment_mean", "segment_std", "segment_softmax")
ids_cases = pytest.mark.parametrize("ids", [[0, 2, 1, 0], [0, -1, 2, 0], [7, 0, 3, 2]], ids=str)


@pytest.fixture(autouse=True, params=[False, True], ids=["first", "refused_before"])
def refused_before(request):
    """Run everything in a process that no kernel has refused an id yet, and in one where one has."""
    held = segment_kernels.refusals[:]
    segment_kernels.refusals[:] = ["one"] if request.param else []
    yield request.param
    segment_kernels.refusals[:] = held


MARK = "looked at before"


def mark_refusals():
    """Put a mark where another refusal would be written over it."""
    segment_kernels.refusals[:] = [MARK]


def expected(name, ids, x=X):
    return references.SEGMENT[name][0](x, np.array(ids), 3)


def call(name, ids, x=X, sorted=False):
    return getattr(backend, name)(tf.constant(x), tf.constant(ids), 3, sorted)


@ids_cases
@pytest.mark.parametrize("name", NAMES)
def test_concrete_tensors_that_a_trace_captures(name, ids):
    x, where = tf.constant(X), tf.constant(ids)
    got = tf.function(lambda: getattr(backend, name)(x, where, 3, False))()
    np.testing.assert_allclose(got, expected(name, ids), rtol=1e-5)


@ids_cases
@pytest.mark.parametrize("name", NAMES)
def test_a_process_with_an_accelerator_does_not_rely_on_refused_ids(monkeypatch, name, ids):
    monkeypatch.setattr(segment_kernels, "single_device", False)
    np.testing.assert_allclose(call(name, ids), expected(name, ids), rtol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_an_error_that_ids_do_not_explain_is_not_swallowed(monkeypatch, name):
    def refuse(*args, **kwargs):
        raise tf.errors.InvalidArgumentError(None, None, "something else")

    def refuse_at_once():
        raise core._FallbackException("something else")

    monkeypatch.setattr(segment_kernels, "_execute", lambda *args: refuse_at_once())
    for kernel in ("_sum", "_prod"):
        monkeypatch.setattr(segment_totals, kernel, refuse)
    monkeypatch.setattr(segment_extremes, "_max", refuse)
    with pytest.raises(tf.errors.InvalidArgumentError, match="something else"):
        call(name, [0, 2, 1, 0])


@ids_cases
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "int16", "uint64"])
@pytest.mark.parametrize("name", [*NAMES, "segment_min", "segment_variance", "segment_logsumexp"])
def test_ids_that_a_kernel_refuses_are_looked_at_first_from_the_second_call_on(name, dtype, ids):
    where = np.array(ids).astype(dtype)
    operands = tf.constant(X), tf.constant(where), 3, False
    for call in range(3):
        got = getattr(backend, name)(*operands)
        np.testing.assert_allclose(got, references.SEGMENT[name][0](X, where, 3), rtol=1e-5)
        if call == 0 and segment_kernels.refusals:
            mark_refusals()
    assert segment_kernels.refusals in ([], [MARK])


@pytest.mark.parametrize("name", ["segment_sum", "segment_max"])
@pytest.mark.parametrize("shape", [(3, 2), (5, 2), (), (4,)], ids=str)
def test_rows_that_do_not_fit_are_refused_by_a_kernel_once_at_most(name, shape):
    x, ids = tf.ones(shape), tf.constant([0, 1, 1, 0])
    getattr(at, name)(tf.ones((4, 2)), ids, 3)
    for call in range(3):
        if shape == (4,):
            assert getattr(at, name)(x, ids, 3).shape == (3,)
        else:
            with pytest.raises(ValueError, match=f"{name}: `(segment_ids|x)`"):
                getattr(at, name)(x, ids, 3)
        if call == 0:
            mark_refusals()
    assert segment_kernels.refusals == [MARK]


@pytest.mark.parametrize("name", ["segment_sum", "segment_min", "segment_max"])
@pytest.mark.parametrize(
    ("shape", "n", "sorted", "error", "text"),
    [
        ((4, 1), 3, False, ValueError, "`segment_ids`"),
        ((4,), 3, 1, TypeError, "`sorted` must be True or False"),
        ((4,), 3, None, TypeError, "`sorted` must be True or False"),
        ((4,), -1, False, ValueError, "`num_segments` must"),
        ((4,), True, False, TypeError, "`num_segments` must"),
    ],
    ids=["matrix of ids", "sorted 1", "sorted None", "negative size", "bool size"],
)
def test_a_glance_lets_no_bad_call_through(name, shape, n, sorted, error, text):
    x, good = tf.ones((4, 1)), tf.constant([0, 1, 1, 0])
    getattr(at, name)(x, good, 3)  # the process has been asked for its devices
    mark_refusals()
    with pytest.raises(error, match=f"{name}: ({text})"):
        getattr(at, name)(x, tf.reshape(good, shape), n, sorted)
    assert segment_kernels.refusals == [MARK]


@pytest.mark.parametrize("name", ["segment_sum", "segment_prod", "segment_mean", "segment_normalize"])
@pytest.mark.parametrize("x", [["a", "b"], [1, 2]], ids=["text", "quantized"])
def test_what_holds_no_numbers_is_named(name, x):
    x = tf.constant(x) if x[0] == "a" else tf.quantization.quantize(x, 0.0, 9.0, tf.qint8).output
    with pytest.raises(TypeError, match=f"{name}: `x` must hold numbers"):
        getattr(at, name)(x, tf.constant([0, 1]), 2)


@pytest.mark.parametrize("ids", [[0, 2, 1, 0], [0, 9, -1, 0]], ids=str)
def test_the_tangent_of_a_sum_is_a_tensor_whatever_the_ids(ids):
    x = tf.constant(X)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        total = at.segment_sum(x, tf.constant(ids), 3)
    tangent = accumulator.jvp(total)
    assert isinstance(tangent, tf.Tensor)
    np.testing.assert_array_equal(tangent, expected("segment_sum", ids, np.ones_like(X)))


@pytest.mark.parametrize("name", ["segment_sum", "segment_min", "segment_max"])
def test_a_matrix_of_ids_is_refused_though_a_kernel_takes_it(name):
    x, ids = tf.ones((4, 1)), tf.constant([[0], [1], [1], [0]])
    getattr(at, name)(x, ids[:, 0], 3)  # the process has been asked for its devices
    with pytest.raises(ValueError, match=f"{name}: `segment_ids`"):
        getattr(at, name)(x, ids, 3)


def test_a_size_is_made_a_tensor_once_and_a_large_one_is_not_kept():
    x, ids = tf.constant(X), tf.constant([0, 1, 1, 0])
    for n in (2, 255, 256, 300, 2):
        got = backend.segment_sum(x, ids, n, False)
        assert got.shape == (n, 2)
    assert {2, 255} <= set(segment_kernels._SIZES)
    assert not {256, 300} & set(segment_kernels._SIZES)


def test_a_size_that_a_trace_makes_first_is_no_tensor_of_the_trace():
    segment_kernels._SIZES.pop(7, None)
    x, ids = tf.constant(X), tf.constant([0, 1, 1, 0])
    traced = tf.function(lambda: backend.segment_sum(x, ids, 7, False))()
    eager = backend.segment_sum(x, ids, 7, False)
    np.testing.assert_array_equal(traced, eager)


@pytest.fixture
def always_runs(monkeypatch):
    """Take the kernels for sorted ids at any size; return the numbers of rows that they were given."""
    rows = []

    def counted(kernel, x, ids, n, identity):
        found = segment_runs.over_runs(kernel, x, ids, n, identity)
        rows.append(None if found is None else x.shape[0])
        return found

    for module in (segment_totals, segment_extremes):
        monkeypatch.setattr(module, "RUNS_PAY", 0)
        monkeypatch.setattr(module, "over_runs", counted)
    return rows


def in_order(name, x, ids):
    return getattr(backend, name)(x, tf.constant(ids), 3, True)


BOTH_ENDS = pytest.mark.parametrize(
    "ids",
    [
        *([0, 0, 1, 2], [0, 0, 0, 1], [0, 0, 2, 2], [-3, -1, 1, 2], [0, 2, 3, 3]),
        *([-1, 0, 2, 9], [-2, -1, -1, -1], [3, 3, 4, 5], [2, 2, 2, 2]),
    ],
    ids=str,
)


@BOTH_ENDS
@pytest.mark.parametrize("name", [*NAMES, "segment_min", "segment_logsumexp"])
def test_sorted_ids_with_dropped_ones_at_both_ends(always_runs, name, ids):
    np.testing.assert_allclose(in_order(name, tf.constant(X), ids), expected(name, ids), rtol=1e-5)


@BOTH_ENDS
def test_the_gradient_of_sorted_ids(always_runs, ids):
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        got = in_order("segment_sum", x, ids)
    inside = [0 <= one < 3 for one in ids]
    np.testing.assert_array_equal(tf.convert_to_tensor(tape.gradient(got, x))[:, 0], inside)


@pytest.mark.parametrize("name", ["segment_sum", "segment_max", "segment_softmax"])
def test_sorted_ids_take_the_kernels_for_them(always_runs, name):
    in_order(name, tf.constant(X), [0, 0, 2, 2])
    assert always_runs
    assert set(always_runs) == {4}


@pytest.mark.parametrize(("rows", "taken"), [(segment_runs.RUNS_PAY - 1, 0), (segment_runs.RUNS_PAY, 1)])
def test_small_arrays_do_not_take_them(always_runs, monkeypatch, rows, taken):
    monkeypatch.setattr(segment_totals, "RUNS_PAY", segment_runs.RUNS_PAY)
    got = backend.segment_sum(tf.ones((rows, 1)), tf.zeros((rows,), tf.int32), 2, True)
    assert got.numpy().tolist() == [[rows], [0]]
    assert len(always_runs) == taken


@pytest.mark.parametrize("name", ["segment_max", "segment_min"])
@pytest.mark.parametrize("ids", [[0, 0, 0, 2], [0, 0, 2, 5]], ids=str)
def test_special_values_in_runs(always_runs, name, ids):
    x = np.array([[np.nan, -np.inf], [1.0, -np.inf], [np.inf, -np.inf], [-0.0, np.inf]], np.float32)
    for data in (x, x[:, 1:]):
        np.testing.assert_array_equal(in_order(name, tf.constant(data), ids), expected(name, ids, data))


@pytest.mark.parametrize(
    "ids",
    [
        *([2, 1, 0, 0], [0, 2, 0, 2], [0, 1, -5, 2]),
        *([0, 2**31 - 1, 1, 2], [2**31 - 1, 0, 0, 0], [0, 0, 0, -(2**31)]),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", NAMES)
def test_a_broken_promise_of_order_does_no_harm(always_runs, name, ids):
    got = in_order(name, tf.constant(X), ids)
    assert got.shape == expected(name, ids).shape
    np.testing.assert_allclose(got, expected(name, ids), rtol=1e-5)
    mark_refusals()
    np.testing.assert_allclose(in_order(name, tf.constant(X), ids), expected(name, ids), rtol=1e-5)
    assert segment_kernels.refusals == [MARK]


def test_vectorized_map_needs_no_loop_and_keeps_batches_apart():
    x = tf.ones((2, 3))
    ids = tf.constant([[0, 1, 9], [-1, 1, 1]])

    def both(pair):
        return backend.segment_sum(*pair, 2, False), backend.segment_max(*pair, 2, False)

    total, greatest = tf.vectorized_map(both, (x, ids), fallback_to_while_loop=False)
    np.testing.assert_array_equal(total, [[1, 1], [0, 2]])
    np.testing.assert_array_equal(greatest, [[1, 1], [-np.inf, 1]])


@pytest.mark.parametrize("name", NAMES)
def test_no_segments_have_a_gradient(name):
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        got = getattr(backend, name)(x, tf.constant([0, 1, 2, 3]), 0, False)
    gradient = tape.gradient(got, x, unconnected_gradients="zero")
    np.testing.assert_array_equal(tf.convert_to_tensor(gradient), np.zeros_like(X))


@pytest.mark.parametrize("jit", [False, True])
def test_sizes_of_a_trace(jit):
    signature = [tf.TensorSpec([None, 2]), tf.TensorSpec([None], tf.int32), tf.TensorSpec([None])]

    @tf.function(input_signature=signature, jit_compile=jit)
    def softmax_and_max(x, ids, like):
        n = backend.shape(like)[0]
        return backend.segment_softmax(x, ids, n, False), backend.segment_max(x, ids, n, False)

    ids = [0, 5, 1, 0]
    weights, greatest = softmax_and_max(X, np.array(ids, np.int32), np.zeros(3, np.float32))
    np.testing.assert_allclose(weights, expected("segment_softmax", ids), rtol=1e-5)
    np.testing.assert_array_equal(greatest, expected("segment_max", ids))


def test_a_tensor_of_unknown_rank():
    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec(None, tf.int32)])
    def mean_and_softmax(x, ids):
        return backend.segment_mean(x, ids, 3, False), backend.segment_softmax(x, ids, 3, False)

    ids = [0, 5, 1, 0]
    mean, weights = mean_and_softmax(X, np.array(ids, np.int32))
    np.testing.assert_allclose(mean, expected("segment_mean", ids), rtol=1e-5)
    np.testing.assert_allclose(weights, expected("segment_softmax", ids), rtol=1e-5)

"""Devices, AutoGraph and traces, as far as a machine without an accelerator lets them be seen."""

import contextlib
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

import anytensor.backends.tensorflow as backend
from anytensor.backends.tensorflow import (
    array,
    autograph,
    creation,
    exporting,
    segment_derived,
    segment_extremes,
    segment_runs,
)
from anytensor.backends.tensorflow.along_axis import take_along_axis
from anytensor.backends.tensorflow.namespace import elementwise, searching, sorting

LIKE = SimpleNamespace(device="/device:cpu:0")  # any name but a plain CPU's is asked for by name


def test_a_number_goes_to_the_device_of_its_neighbour():
    got = array.from_scalar(1.5, tf.float32, LIKE)
    assert (float(got), got.dtype, got.device[-5:]) == (1.5, tf.float32, "CPU:0")
    assert int(array.from_scalar(2.7, tf.int32, None)) == 2


def test_memory_is_the_hosts_where_the_tensor_is_elsewhere():
    assert array._why_not(np.ones(3), "/GPU:0") == "the tensor is on /GPU:0"


def test_a_process_with_an_accelerator_names_the_device(monkeypatch):
    x = tf.ones(1)
    assert creation.device_of(x) is None
    monkeypatch.setattr(creation, "_ONLY_CPU", False)
    assert creation.device_of(x).endswith("CPU:0")
    assert creation.device_of(SimpleNamespace(device=None)) is None


def test_a_list_goes_to_a_named_device():
    got = creation.from_python([True, 2], dtype=tf.float32, device="/CPU:0")
    assert (got.numpy().tolist(), got.device[-5:]) == ([1, 2], "CPU:0")


def test_dtypes_of_other_libraries_have_a_kind():
    for dtype, kind in ((np.dtype("float64"), "f"), ("int8", "i"), (tf.bfloat16, "f"), (np.uint16, "u")):
        assert array.dtype_kind(dtype) == kind
    assert array.dtype_kind(tf.string) == "O"
    with pytest.raises(TypeError, match="TensorFlow has no numeric dtype"):
        array.as_dtype(tf.string)
    assert array.as_dtype("f4") == tf.float32  # a name of NumPy's
    for strange in ([1], 3):
        with pytest.raises(TypeError, match="TensorFlow has no numeric dtype"):
            array.as_dtype(strange)


def test_a_tensorflow_without_autographs_rules_is_left_alone(monkeypatch):
    from tensorflow.python.autograph.core import config

    before = config.CONVERSION_RULES
    monkeypatch.setitem(sys.modules, "tensorflow.python.autograph.core.config", None)
    monkeypatch.delattr(sys.modules["tensorflow.python.autograph.core"], "config")
    autograph.leave_library_as_it_is()
    assert config.CONVERSION_RULES is before


def test_a_rule_for_vectorized_map_that_tensorflow_has_itself_is_kept():
    from tensorflow.python.ops.parallel_for import pfor

    assert "Bitcast" in pfor._pfor_converter_registry
    got = tf.vectorized_map(
        lambda x: tf.bitcast(x, tf.int32), tf.constant([1.0, -0.0]), fallback_to_while_loop=False
    )
    assert got.numpy().tolist() == np.array([1.0, -0.0], np.float32).view(np.int32).tolist()


def test_an_index_beyond_int64_is_out_of_range():
    x = tf.constant([1.0, 2.0])
    with pytest.raises(IndexError, match="out of range for axis 0 of length 2"):
        take_along_axis(x, tf.constant([0, 2**64 - 1], tf.uint64), axis=0)
    assert take_along_axis(x, tf.constant([1], tf.uint64), axis=0).numpy().tolist() == [2]


@pytest.mark.parametrize("dtype", [tf.float32, tf.int32, tf.bool], ids=lambda dtype: dtype.name)
def test_nothing_to_gather_from_is_filled_in_a_trace(dtype):
    @tf.function(autograph=False)
    def traced(x, indices):
        return take_along_axis(x, indices, axis=1)

    got = traced(tf.zeros((2, 0), dtype), tf.zeros((2, 1), tf.int32))
    fill = np.nan if dtype == tf.float32 else 0
    np.testing.assert_array_equal(got, np.full((2, 1), fill, dtype.as_numpy_dtype))


def test_a_tensor_as_the_constant_of_empty_segments():
    assert float(segment_derived._in_dtype(tf.constant(2), tf.float32)) == 2
    got = backend.segment_max_or_constant(tf.ones(2), tf.constant([0, 0]), 2, False, tf.constant(7))
    assert got.numpy().tolist() == [1, 7]


def test_no_runs_without_rows():
    x, ids = tf.ones((0, 2)), tf.zeros((0,), tf.int32)
    assert segment_runs.over_runs(tf.raw_ops.SegmentSum, x, ids, 3, 0) is None


def test_axes_of_take_are_named():
    with pytest.raises(IndexError, match=r"take: `axis` must lie in \[-1, 1\), got 1"):
        backend.take(tf.ones(2), tf.constant([0]), 1)


@contextlib.contextmanager
def for_onnx():
    with exporting.exporting():
        assert exporting.is_exporting()
        yield
    assert not exporting.is_exporting()


@pytest.mark.parametrize("name", ["segment_max", "segment_min"])
def test_extremes_of_a_graph_for_onnx(name):
    x = np.array([[1.0, np.nan], [3.0, -1.0], [-np.inf, 2.0]], np.float32)
    ids = np.array([0, 0, 2])
    with for_onnx():
        graph = tf.function(lambda x, ids: getattr(backend, name)(x, ids, 4, False), autograph=False)
        traced = graph.get_concrete_function(tf.constant(x), tf.constant(ids))
    assert "Bitcast" not in {node.type for node in traced.graph.get_operations()}
    np.testing.assert_array_equal(
        traced(tf.constant(x), tf.constant(ids)),
        getattr(backend, name)(tf.constant(x), tf.constant(ids), 4, False),
    )


def test_signs_orders_and_truth_of_a_graph_for_onnx():
    x = np.array([2.0, -0.0, np.nan, 0.0, -1.0], np.float32)
    flags = np.array([True, False, True])

    def made(x, flags):
        return elementwise.signbit(x), sorting.sort(x), sorting.argsort(flags), searching.argmax(flags)

    with for_onnx():
        traced = tf.function(made, autograph=False).get_concrete_function(tf.constant(x), tf.constant(flags))
    assert "Bitcast" not in {node.type for node in traced.graph.get_operations()}
    sign, order, places, first = traced(tf.constant(x), tf.constant(flags))
    np.testing.assert_array_equal(sign, [False, True, False, False, True])
    np.testing.assert_array_equal(order, [-1, 0, 0, 2, np.nan])
    assert places.numpy().tolist() == [1, 0, 2]
    assert int(first) == 0


def test_exports_nest_and_an_exception_ends_one():
    def failing():
        with exporting.exporting():
            with exporting.exporting():
                pass
            assert exporting.is_exporting()
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        failing()
    assert not exporting.is_exporting()


def test_the_clean_way_of_extremes_beside_the_quick_one():
    x = tf.constant([[1.0], [np.nan], [2.0]])
    ids = tf.constant([0, 1, 1])
    for clean, quick in (
        (segment_extremes.clean_max, backend.segment_max),
        (segment_extremes.clean_min, backend.segment_min),
    ):
        np.testing.assert_array_equal(clean(x, ids, 3, False), quick(x, ids, 3, False))

"""The field's reports on exported scatters: inputs and right values."""

import numpy as np
import pytest
from onnx_running import ROADS, run, session

import anytensor as at


def reported(halves, factors, x, ids, segments):
    n = at.shape(segments)[0]
    zeros = at.zeros_like(at.astype(halves, "int32"))
    return {
        "ones": at.segment_sum(halves, zeros, 1),
        "product": at.segment_prod(factors, at.zeros_like(factors), 1),
        "sum": at.segment_sum(x, ids, n),
        "gathered": at.take(at.segment_mean(x, ids, n), ids),
    }


def inputs(rows, segments):
    ids = np.random.default_rng(rows).integers(0, max(segments, 1), rows).astype(np.int32)
    return {
        "halves": np.ones(4096 if rows > 3 else 3, np.float16),
        "factors": np.array([2, 3], np.int32),
        "x": np.arange(1.0, rows + 1).astype(np.float32) if rows else np.zeros(0, np.float32),
        "ids": np.array([0, 0, 2], np.int32) if rows == 3 else ids,
        "segments": np.zeros((segments, 2), np.float32),
    }


@pytest.mark.parametrize("road", ROADS)
def test_reported_values(road):
    """pytorch/pytorch/issues/89190, /26472; microsoft/onnxruntime/issues/32061, /pull/29879;
    microsoft/onnxruntime/pull/32025; onnx/tensorflow-onnx/issues/2106, /798, /1778; jax-ml/jax/pull/9289."""
    loaded = session(ROADS[road](reported, inputs(3, 4)))
    got = run(loaded, inputs(3, 4))
    assert got["sum"].tolist() == [3.0, 0.0, 3.0, 0.0]
    assert got["product"].tolist() == [6]
    assert got["product"].dtype == np.int64
    got = run(loaded, inputs(200, 50))
    assert got["ones"].tolist() == [4096.0]
    assert got["ones"].dtype == np.float16
    want = reported(*inputs(200, 50).values())
    for name in ("sum", "gathered"):
        np.testing.assert_allclose(got[name], want[name], rtol=1e-5)
    got = run(loaded, inputs(0, 7))
    assert got["sum"].tolist() == [0.0] * 7
    assert got["gathered"].shape == (0,)

"""Operations that ONNX lacks or the converters lower inexactly: near 0, at infinities and signed zeros."""

import numpy as np
import pytest
from onnx_running import ROADS, assert_same, expected, run, session

import anytensor as at

INF = np.inf
X = np.array([[3, -1, 2], [0, -0.0, 5], [INF, 1, -INF], [1, 1, 1], [0, 0, 0]], np.float32)
Y = np.array([[4, 2, -0.0], [0, 0, -5], [1, -INF, 2], [-1, 0, 3], [0, -2, -0.0]], np.float32)


def operations(x, y):
    values, first, inverse, counts = at.unique_all(x)
    return {
        "hypot": at.hypot(x, y),
        "copysign": at.copysign(x, y),
        "signbit": at.signbit(x),
        "expm1": at.expm1(at.multiply(x, 1e-3)),
        "expm1_wide": at.expm1(at.multiply(x, 50.0)),
        "log1p": at.log1p(at.multiply(at.abs(y), 1e-5)),
        "log1p_of_less": at.log1p(at.where(y > 1, -1.0, y * 1e-9)),
        "logaddexp": at.logaddexp(at.clip(x, -9, 9), at.clip(y, -9, 9)),
        "sort": at.sort(x, axis=0),
        "argsort": at.argsort(x, axis=1, descending=True),
        "max": at.max(x),
        "min": at.min(x, axis=1, keepdims=True),
        "argmax": at.argmax(x),
        "argmin": at.argmin(x, axis=1),
        "first_true": at.argmax(x > 0, axis=1),
        "order_of_bool": at.argsort(x > 0, axis=1),
        "sorted_bool": at.sort(x > 0, axis=1),
        "values": values,
        "first": first,
        "inverse": inverse,
        "counts": counts,
        "infinity_not_selected": at.where(x > 0, y, x),
    }


@pytest.mark.parametrize("road", ROADS)
def test_onnx_runtime_gives_what_numpy_gives(road):
    loaded = session(ROADS[road](operations, {"x": X, "y": Y}))
    for rows in (5, 3):
        inputs = {"x": X[:rows], "y": Y[:rows]}
        assert_same(run(loaded, inputs), expected(operations, inputs), rows, rtol=1e-5, atol=1e-12)

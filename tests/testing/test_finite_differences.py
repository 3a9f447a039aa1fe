"""Central differences against derivatives known in closed form."""

import numpy as np

from anytensor.testing.finite_differences import finite_difference_gradients
from anytensor.testing.operands import Operands
from anytensor.testing.running import cotangent


def differences(function, *args):
    return finite_difference_gradients(function, Operands(function, args, {}, (), "test"))


def test_known_derivatives():
    def function(x, k):
        return {"cube": x**3, "count": k}

    x = np.array([[0.5, -2.0]], dtype=np.float32)
    got = differences(function, x, np.array([1, 2]))
    assert got.keys() == {"x"}
    np.testing.assert_allclose(got["x"], 3 * x**2 * cotangent(0, (1, 2)), rtol=1e-8)


def test_infinite_outputs_do_not_move():
    got = differences(lambda x: np.array([np.inf, x[0] * 2]), np.array([1.0]))
    np.testing.assert_allclose(got["x"], 2 * cotangent(0, (2,))[1], rtol=1e-8)


def test_infinite_entries_are_not_moved():
    got = differences(lambda x: x * 2, np.array([np.inf, 1.0]))
    np.testing.assert_array_equal(np.isnan(got["x"]), [True, False])


def test_a_wrong_derivative_differs():
    got = differences(lambda x: np.sin(x), np.array([1.0]))
    assert not np.allclose(got["x"], np.sin(1.0) * cotangent(0, (1,)))

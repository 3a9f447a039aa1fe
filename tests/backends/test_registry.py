"""The table of backends: registered once, found by name, complete where a backend is imported by itself."""

import subprocess
import sys

import numpy as np
import pytest
import torch

import anytensor as at
from anytensor import backends


def test_a_backend_is_registered_once():
    before = backends.installed_backends()
    backends.register(backends.HOST)
    assert backends.installed_backends() == before


def test_backends_by_name():
    assert backends.backend_named("numpy") is backends.HOST
    with pytest.raises(LookupError, match="the framework mlx is not loaded"):
        backends.backend_named("mlx")


@pytest.mark.parametrize("name", ["torch", "jax", "tensorflow"])
def test_a_backend_imported_by_itself_is_complete_at_the_first_call(name):
    code = f"""
import anytensor.backends.{name}
import numpy as np
import anytensor as at
x = at.asarray(np.ones(2, np.float32), like=anytensor.backends.{name}.xp.ones((1,)))
assert type(x).__module__.split(".")[0] != "numpy", type(x)
print(at.segment_sum(x, np.array([1, 1]), 2))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "2" in done.stdout


def test_what_a_module_lists_and_what_it_loads_later():
    assert {"hetero", "jraph", "tree", "segment_sum"}.issubset(dir(at))


def test_both_options_of_a_call_leave_those_in_force_unread():
    x, y = at.align_arrays(torch.ones(2), np.ones(2, np.float32), copy=True, fallback="error")
    assert (type(x), type(y)) == (torch.Tensor, torch.Tensor)


def test_a_function_of_sizes_alone():
    @at.promote(n="shape")
    def double(n):
        return 2 * n

    assert double(np.array(3)) == 6
    with pytest.raises(ValueError, match="double: `n`"):
        double(-1)


def test_a_size_of_a_subclass_of_tensor():
    class Counted(torch.Tensor):
        pass

    size = torch.tensor(3).as_subclass(Counted)
    assert at.segment_sum(torch.ones(2), torch.tensor([0, 2]), size).tolist() == [1, 0, 1]


def test_a_constant_of_numpys_own():
    got = at.segment_max_or_constant(np.ones(2), np.array([0, 0]), 2, constant=np.float32(0.5))
    assert got.tolist() == [1, 0.5]
    with pytest.raises(TypeError, match="fill_nan: `value`"):
        at.fill_nan(np.array([1, 2]), "a")

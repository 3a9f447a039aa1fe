"""Official jraph's own tests, from its wheel, run against this library's module."""

import importlib.util
import os
import sys
import types
import unittest
from pathlib import Path

import numpy as np
import pytest

from anytensor import jraph

jax = pytest.importorskip("jax")
pytest.importorskip("absl")

SOURCE = Path(importlib.util.find_spec("jraph").origin).parent / "_src"

# Names that this library requires a number of segments for, and official jraph infers it.
SIZED = [name for name in jraph.__all__ if name.startswith("segment_")]


def _infers(function):
    def call(data, segment_ids, num_segments=None, *args, **kwargs):
        if num_segments is None:
            num_segments = int(np.asarray(segment_ids).max()) + 1
        return function(data, segment_ids, num_segments, *args, **kwargs)

    return call


def _partition_softmax(logits, partitions, sum_partitions=None):
    return jraph.partition_softmax(
        logits, partitions, len(logits) if sum_partitions is None else sum_partitions
    )


def shim():
    """Return stand-ins for the modules that the tests import, by the names that they import."""
    utils = types.SimpleNamespace(**{name: getattr(jraph, name) for name in jraph.__all__})
    for name in SIZED:
        setattr(utils, name, _infers(getattr(jraph, name)))
    utils.partition_softmax = _partition_softmax
    # JAX has dropped jax.lib.xla_bridge. The tests clear its cache of backends, which they do not need.
    xla_bridge = types.SimpleNamespace(get_backend=types.SimpleNamespace(cache_clear=lambda: None))
    src = types.SimpleNamespace(graph=jraph, models=jraph, utils=utils)
    return {"jraph._src": src, "jax.lib": types.SimpleNamespace(xla_bridge=xla_bridge)}


def load(name, monkeypatch):
    """Execute a test module of official jraph with the shim in place of what it imports."""
    module = types.ModuleType(f"official_{name}")
    with monkeypatch.context() as patch:
        for path, stand_in in shim().items():
            patch.setitem(sys.modules, path, stand_in)
        patch.setitem(sys.modules, module.__name__, module)
        path = SOURCE / f"{name}.py"
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
    return module


def collect(name):
    with pytest.MonkeyPatch.context() as patch:
        module = load(name, patch)
    return list(_flatten(unittest.TestLoader().loadTestsFromModule(module)))


def _flatten(suite):
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from _flatten(entry)
        else:
            yield entry


CASES = [case for name in ("utils_test", "models_test") for case in collect(name)]


def test_all_of_them_are_here():
    assert len(CASES) == 102


def test_they_see_this_library():
    seen = [case.test_batch.__func__.__globals__ for case in CASES if hasattr(case, "test_batch")]
    assert seen
    assert all(names["utils"].batch is jraph.batch and names["graph"] is jraph for names in seen)


@pytest.mark.parametrize("case", CASES, ids=[case.id().split(".", 1)[1].split(" ")[0] for case in CASES])
def test_official(case, monkeypatch):
    """google-deepmind/jraph/issues/34: the wheel that is published, and its own tests."""
    monkeypatch.setenv("XLA_FLAGS", os.environ.get("XLA_FLAGS", ""))  # a test writes to it
    result = unittest.TestResult()
    case.run(result)
    problems = [text for _, text in [*result.errors, *result.failures]]
    assert not problems, "\n".join(problems)
    assert result.testsRun == 1
    assert not result.skipped

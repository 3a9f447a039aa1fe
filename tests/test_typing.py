"""Annotations: free until a checker asks, checked by the import hook and by enable_typecheck."""

import subprocess
import sys
from pathlib import Path

import pytest

HOOK = 'from jaxtyping import install_import_hook; install_import_hook("anytensor", "beartype.beartype")\n'
CALLS = """
import importlib
import numpy as np
import anytensor as at
from anytensor import hetero, jraph, tree
from anytensor.testing import run_portable

def function(x, ids):
    n = at.shape(x)[0]
    graph = jraph.GraphsTuple(
        nodes=x, edges=None, senders=ids, receivers=ids, globals=None,
        n_node=at.full((1,), n, dtype=np.int32, like=ids), n_edge=at.full((1,), n, dtype=np.int32, like=ids),
    )
    hidden = jraph.GraphConvolution(lambda h: h * 2, add_self_edges=True)(graph).nodes
    hidden = at.leaky_relu(at.add(hidden, 1) / 2)
    hidden = tree.map(at.add, {"a": hidden}, {"a": at.segment_softmax(x, ids, n)})
    return hidden, at.linalg.vector_norm(x, axis=-1)

report = run_portable(function, np.ones((3, 2), np.float32), np.array([0, 0, 2]), modes="eager")
for outcome in report.outcomes:
    if outcome.error is not None:
        raise outcome.error
"""
WRONG = """
import numpy as np
import anytensor as at
ids = np.array([[0, 1], [0, 1]])
try:
    at.segment_sum.__wrapped__(np.ones(2), ids, 2)
except Exception as error:
    print(type(error).__module__, type(error).__name__)
"""


def run(code):
    """Run code in a fresh interpreter and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def test_import_does_not_load_jaxtyping():
    assert run('import anytensor, sys; print("jaxtyping" in sys.modules)') == "False"


@pytest.mark.parametrize("first", ["", "import anytensor\n"], ids=["before the import", "after it"])
def test_everything_runs_under_the_import_hook(first):
    run(first + HOOK + CALLS)


def test_everything_runs_after_enable_typecheck():
    run("import anytensor\nanytensor.enable_typecheck()\n" + CALLS)


def test_the_hook_checks():
    assert run(HOOK + WRONG) == "jaxtyping TypeCheckError"
    assert run(WRONG) == "builtins ValueError"


SWITCHED = """
import anytensor as at
at.enable_typecheck()
print(hasattr(at.segment_sum.__globals__["_function"], "__wrapped__"))
"""
UNCHECKED = """
import anytensor as at
import numpy as np
at.enable_typecheck()
try:
    at.softmax(np.ones(2), axis="last")
except Exception as error:
    print(type(error).__name__)
"""


def test_enable_typecheck_checks():
    assert run(SWITCHED) == "True"
    assert run(UNCHECKED) == "TypeCheckError"


def test_the_environment_wins():
    assert run('import os\nos.environ["JAXTYPING_DISABLE"] = "1"\n' + SWITCHED) == "False"


def test_hints_are_there_in_any_order():
    code = (
        "import typing, numpy, anytensor as at\nprint(typing.get_type_hints(at.segment_sum)['segment_ids'])"
    )
    assert run("import jaxtyping\n" + code) == "<class 'jaxtyping.Integer[Any, 'rows']'>"
    assert "Integer" in run(code)


def test_the_page_on_types_runs_as_it_stands():
    page = (Path(__file__).parents[1] / "docs" / "usage.md").read_text()
    (block,) = [text for text in page.split("```") if "install_import_hook" in text]
    assert run(block + WRONG) == "jaxtyping TypeCheckError"

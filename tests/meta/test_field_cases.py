"""Every fault of the field that the project answers for has its test, or a row on the page of differences."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import tomllib

ROOT = Path(__file__).parents[2]

# One thread for each row of the field's table, by room.
_TABLE = """
jax-ml/jax/issues/14179 jax-ml/jax/pull/5342 pytorch/pytorch/issues/168358
rusty1s/pytorch_scatter/issues/399 pytorch/pytorch/issues/152141 tensorflow/tensorflow/issues/118375
tensorflow/tensorflow/issues/58123 tensorflow/tensorflow/issues/120245 tensorflow/tensorflow/issues/52063
tensorflow/tensorflow/issues/127233 jax-ml/jax/issues/37511 jax-ml/jax/issues/6350
patrick-kidger/equinox/issues/903 jax-ml/jax/pull/4034 keras-team/keras/pull/22804
keras-team/keras/pull/19963 rusty1s/pytorch_scatter/issues/368 rusty1s/pytorch_scatter/issues/407
rusty1s/pytorch_scatter/issues/24 rusty1s/pytorch_scatter/issues/440 pytorch/pytorch/issues/94640
pyg-team/pytorch_geometric/issues/7004 rusty1s/pytorch_scatter/issues/118 pytorch/pytorch/pull/91500
pytorch/pytorch/pull/99733 pyg-team/pytorch_geometric/issues/9209 pyg-team/pytorch_geometric/issues/53
pyg-team/pytorch_geometric/issues/6737 deepmodeling/deepmd-kit/pull/5717 pytorch/pytorch/pull/188843
pytorch/pytorch/issues/61819 tillahoffmann/jax-mps/issues/240 pytorch/pytorch/issues/4320
google-deepmind/jraph/issues/45 google-deepmind/jraph/issues/48 alexOarga/haiku-geometric/issues/4
google-deepmind/jraph/issues/38 google/flax/issues/2037 google-deepmind/jraph/issues/34
google-deepmind/jraph/issues/26 ACEsuit/mace/issues/1590 pytorch/pytorch/issues/188150
mlx-graphs/mlx-graphs/issues/92 google-deepmind/graph_nets/issues/135 pyg-team/pytorch_geometric/issues/190
data-apis/array-api-compat/pull/441 data-apis/array-api-compat/issues/85
data-apis/array-api-compat/issues/274 pytorch/pytorch/issues/58736 pytorch/pytorch/issues/170819
scipy/scipy/issues/24186 frazane/scoringrules/issues/36 data-apis/array-api-compat/issues/106
jax-ml/jax/issues/26000 data-apis/array-api-compat/issues/368 keras-team/keras/issues/23223
keras-team/keras/pull/18787 jax-ml/ml_dtypes/issues/189 pytorch/pytorch/issues/179845
arogozhnikov/einops/issues/250 pytorch/pytorch/issues/93905 patrick-kidger/jaxtyping/issues/384
pytorch/pytorch/issues/122093 keras-team/keras/issues/19064 tensorly/tensorly/issues/40
pytorch/pytorch/issues/89190 microsoft/onnxruntime/issues/32061 microsoft/onnxruntime/pull/32025
onnx/tensorflow-onnx/issues/2106 jax-ml/jax/pull/9289 onnx/tensorflow-onnx/issues/2430
pytorch/pytorch/issues/107238 pyg-team/pytorch_geometric/issues/10421 pyg-team/pytorch_geometric/issues/9879
dmlc/dgl/issues/3850 NVIDIA/TensorRT/issues/3650 enpasos/jax2onnx/issues/14 dmlc/dgl/issues/3564
dmlc/dgl/issues/3321 dmlc/dgl/issues/4817 pyg-team/pytorch_geometric/issues/3391
pyg-team/pytorch_geometric/pull/7194 dmlc/dgl/issues/852 pyg-team/pytorch_geometric/issues/1373
jax-ml/jax/issues/7828 jax-ml/jax/issues/15358 pytorch/pytorch/issues/114392 keras-team/keras/pull/23201
metaopt/optree/issues/27 pyg-team/pytorch_geometric/issues/830 dmlc/dgl/issues/466
pyg-team/pytorch_geometric/issues/9171
"""
THREADS = _TABLE.split()


def docstrings(path: Path) -> str:
    """Return the docstrings of a file of tests: its own, and those of its tests."""
    parsed = ast.parse(path.read_text())
    nodes = [parsed, *[node for node in ast.walk(parsed) if isinstance(node, ast.FunctionDef)]]
    return "\n".join(ast.get_docstring(node) or "" for node in nodes)


def cited() -> str:
    tests = [docstrings(path) for path in sorted((ROOT / "tests").rglob("*.py"))]
    pages = [path.read_text() for path in sorted((ROOT / "docs" / "differences").glob("*.py"))]
    return "\n".join(tests + pages)


CITED = cited()


@pytest.mark.parametrize("thread", THREADS)
def test_a_row_is_not_lost(thread: str) -> None:
    assert re.search(rf"{re.escape(thread)}(?!\d)", CITED)


def test_no_thread_is_listed_twice() -> None:
    assert len(THREADS) == len(set(THREADS))


def test_warnings_are_errors() -> None:
    """google-deepmind/jraph/issues/38, google/flax/issues/2037: a name that JAX removes warns first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["pytest"]["ini_options"]["filterwarnings"][0] == "error"

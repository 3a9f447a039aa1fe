"""Every segment and partition operation, by both roads, in ONNX Runtime at sizes that were not traced."""

import pytest
from onnx_running import ROADS, assert_same, expected, run, session
from segment_cases import CASES, SIZES

from anytensor import export


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("name", CASES)
def test_onnx_runtime_gives_what_numpy_gives(name, road):
    case = CASES[name]
    model = ROADS[road](case.function, case.make(*SIZES[0]))
    assert [value.name for value in model.graph.input] == list(case.make(*SIZES[0]))
    export.assert_symbolic_lengths(model)
    export.assert_symbolic_lengths(model, [value.name for value in model.graph.output])
    loaded = session(model)
    tolerance = {"rtol": 4e-3, "atol": 2e-3} if name == "float16" else {}
    for size in SIZES:
        inputs = case.make(*size)
        assert_same(run(loaded, inputs), expected(case.function, inputs), size, **tolerance)

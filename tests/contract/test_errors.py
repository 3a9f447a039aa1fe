"""Clause 10, and dispatch: bad arguments raise the same error everywhere, which says what to do."""

import numpy as np
import pytest
from harness import ALL, CONSTANT

import anytensor as at
from anytensor.testing import prepare, variants

X = np.ones((3, 2), dtype=np.float32)
IDS = np.array([0, 1, 1], dtype=np.int32)
# Dynamo turns an exception of the traced function into one of its own, so its variants are not held to types.
HELD = tuple(v for v in variants() if not v.name.startswith("torch-compile"))
# Where lengths are None nobody can tell that they differ before the graph runs, nor show them.
KNOWN_LENGTHS = tuple(v for v in HELD if v.mode != "function-none")
WITH_X = tuple(name for name in ALL if name != "segment_count")
SIZE = "a Python int, a symbolic size"


def data(name):
    return "messages" if name == "segment_attention" else "x"


def apply(name, x, ids, *size, **keywords):
    if name == "segment_count":
        return at.segment_count(ids, *size, **keywords)
    if name == "segment_attention":
        return at.segment_attention(x, x, ids, *size, **keywords)
    if name.endswith("_or_constant"):
        return getattr(at, name)(x, ids, *size, constant=CONSTANT, **keywords)
    return getattr(at, name)(x, ids, *size, **keywords)


# What is wrong -> (positional arguments after the name, exception, words that the message must have).
SIZES = {
    "missing": ((X, IDS), TypeError, ["num_segments"]),
    "None": ((X, IDS, None), TypeError, ["num_segments", "required", SIZE]),
    "bool": ((X, IDS, True), TypeError, ["num_segments", "bool True", SIZE]),
    "float": ((X, IDS, 2.0), TypeError, ["num_segments", "float 2.0", SIZE]),
    "string": ((X, IDS, "2"), TypeError, ["num_segments", "str '2'", SIZE]),
    "negative": ((X, IDS, -1), ValueError, ["num_segments", "at least 0", "-1"]),
    "vector": ((X, IDS, np.array([2, 2])), ValueError, ["num_segments", "(2,)", SIZE]),
    "0-d float": ((X, IDS, np.array(2.0)), TypeError, ["num_segments", "float64", SIZE]),
}
INDICES = {
    "2-D": ((X, IDS[:, None], 2), ValueError, ["segment_ids", "1-D", "1)"]),
    "0-d": ((X, IDS[0], 2), ValueError, ["segment_ids", "1-D", "()"]),
    "floating": ((X, IDS.astype(np.float32), 2), TypeError, ["segment_ids", "integer", "float32"]),
    "bool": ((X, IDS.astype(bool), 2), TypeError, ["segment_ids", "integer", "bool"]),
}
ROWS = {
    "too few ids": ((X, IDS[:2], 2), ValueError, ["segment_ids", "(3, 2)", "(2,)"]),
    "too many ids": ((X[:2], IDS, 2), ValueError, ["segment_ids", "(2, 2)", "(3,)"]),
    "x 0-d": ((np.float32(1), IDS, 2), ValueError, ["dimension", "()", "(3,)"]),
}
UNKNOWN = {
    "list": (([1.0, 2.0, 3.0], IDS, 2), TypeError, ["list", "NumPy array", "make it an array"]),
    "string": (("abc", IDS, 2), TypeError, ["str 'abc'", "NumPy array"]),
    "None": ((None, IDS, 2), TypeError, ["NoneType", "missing"]),
    "list of ids": ((X, [0, 1, 1], 2), TypeError, ["segment_ids", "list", "NumPy array"]),
}


def grouped(cases, names, chosen=HELD):
    """Parametrize over variants, operations and cases; a compiled variant takes one operation."""
    return [
        pytest.param(variant, name, case, id=f"{variant}-{name}-{label}")
        for label, case in cases.items()
        for variant in chosen
        for name in (("segment_sum",) if variant.compiled else names)
    ]


def assert_raises(variant, name, case):
    arguments, expected, words = case
    # Plain sizes and unknown types are static; what is an array goes to the backend.
    static = (0,) if len(arguments) < 3 else (0, 3) if isinstance(arguments[2], np.ndarray) else (0,)
    outcome = prepare(apply, variant, static=static)(name, *arguments)
    assert type(outcome.error) is expected, outcome.error
    message = str(outcome.error)
    assert name in message
    assert [word for word in words if word not in message] == [], message


@pytest.mark.parametrize(("variant", "name", "case"), grouped(SIZES, ALL))
def test_size_that_is_none(variant, name, case):
    assert_raises(variant, name, case)


@pytest.mark.parametrize(("variant", "name", "case"), grouped(INDICES, ALL))
def test_ids_that_are_none(variant, name, case):
    assert_raises(variant, name, case)


@pytest.mark.parametrize(("variant", "name", "case"), grouped(ROWS, WITH_X, KNOWN_LENGTHS))
def test_rows_and_ids_that_do_not_match(variant, name, case):
    assert_raises(variant, name, case)


@pytest.mark.parametrize(("variant", "name", "case"), grouped(UNKNOWN, ("segment_sum", "segment_softmax")))
def test_operands_of_unknown_type(variant, name, case):
    assert_raises(variant, name, case)


@pytest.mark.parametrize("variant", HELD, ids=str)
def test_a_flag_that_is_no_bool(variant):
    outcome = prepare(lambda x, ids: at.segment_sum(x, ids, 2, sorted=1), variant)(X, IDS)
    assert type(outcome.error) is TypeError
    assert "`sorted`" in str(outcome.error)
    assert "int 1" in str(outcome.error)


@pytest.mark.parametrize("variant", HELD, ids=str)
@pytest.mark.parametrize("name", ["segment_min", "segment_max", "segment_softmax", "segment_variance"])
def test_complex_numbers_have_no_order(variant, name):
    outcome = prepare(apply, variant, static=(0,))(name, X.astype(np.complex64), IDS, 2)
    assert type(outcome.error) is TypeError
    assert "complex" in str(outcome.error)
    assert "`x`" in str(outcome.error)


@pytest.mark.parametrize("which", ["messages", "logits"])
@pytest.mark.parametrize("variant", HELD, ids=str)
def test_attention_blames_no_operand_for_the_others_complex_dtype(variant, which):
    def attention(m, logits, ids):
        return at.segment_attention(m, logits, ids, 2)

    m, logits = X, X[:, 0]
    operands = (m.astype(np.complex64), logits) if which == "messages" else (m, logits.astype(np.complex64))
    outcome = prepare(attention, variant)(*operands, IDS)
    assert type(outcome.error) is TypeError
    assert "`messages` and `logits` must be real" in str(outcome.error)


@pytest.mark.parametrize("variant", KNOWN_LENGTHS, ids=str)
def test_logits_that_do_not_weigh_the_messages(variant):
    outcome = prepare(lambda m, logits, ids: at.segment_attention(m, logits, ids, 2), variant)(
        X, np.ones((3, 3), np.float32), IDS
    )
    assert type(outcome.error) is ValueError
    assert all(word in str(outcome.error) for word in ("`logits`", "(3, 3)", "`messages`", "(3, 2)"))


FRAMEWORKS = tuple(v for v in variants(modes="eager") if v.backend != "numpy")


def host_and_framework(variant):
    """Return a framework's own array, through the kit, to mix by hand."""
    kept = []
    prepare(kept.append, variant)(X)
    return kept[0]


@pytest.mark.parametrize("variant", FRAMEWORKS, ids=str)
def test_host_ids_go_along_with_a_framework(variant):
    x = host_and_framework(variant)
    with at.promote_options(copy=True):  # TensorFlow shares memory only where it happens to be aligned
        got = at.segment_sum(x, IDS, 2)
    assert type(got) is type(x)
    np.testing.assert_array_equal(np.asarray(got), [[1, 1], [2, 2]])


@pytest.mark.parametrize("first", FRAMEWORKS, ids=str)
@pytest.mark.parametrize("second", FRAMEWORKS, ids=str)
def test_two_frameworks_do_not_mix(first, second):
    if first == second:
        return  # the diagonal is the test above
    x, messages = host_and_framework(first), host_and_framework(second)
    with pytest.raises(TypeError) as caught:
        at.segment_attention(x, messages, IDS, 2)
    text = str(caught.value)
    assert "segment_attention" in text
    assert all(type(one).__name__ in text for one in (x, messages))

"""Casts, limits, kinds and shared dtypes, alike for every backend's own dtype objects."""

import importlib

import numpy as np
import pytest
from samples import DTYPES, EAGER, numpy_dtype, sample

import anytensor as at
from anytensor.testing import assert_portable, prepare

FRAMEWORK_DTYPES = tuple(d for d in DTYPES if d not in ("int64", "uint64", "float64", "complex128"))


def array(backend, name="float32"):
    if backend == "numpy":
        return np.zeros(2, numpy_dtype(name))
    if backend == "jax":
        return importlib.import_module("jax.numpy").zeros(2, name)
    if backend == "torch":
        torch = importlib.import_module("torch")
        return torch.zeros(2, dtype=getattr(torch, name))
    tensorflow = importlib.import_module("tensorflow")
    return tensorflow.zeros(2, tensorflow.as_dtype(name))


def run(function, backend, *args):
    outcome = prepare(function, backend)(*args)
    if outcome.error is not None:
        raise outcome.error
    assert not outcome.foreign
    return outcome.outputs


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("target", DTYPES)
@pytest.mark.parametrize("source", ["bool", "uint8", "int32", "bfloat16", "float32"])
def test_astype(source, target, backend):
    x = sample(source)
    actual = run(lambda x: at.astype(x, target), backend, x)
    assert backend == "jax" or actual.dtype == numpy_dtype(target)  # without x64 JAX narrows
    np.testing.assert_array_equal(actual.astype(complex), x.astype(numpy_dtype(target)).astype(complex))


@pytest.mark.parametrize("backend", EAGER)
def test_astype_to_bool_is_whether_it_is_not_zero(backend):
    x = np.array([0.0, 0.25, np.nan, -0.0], dtype=np.float32)
    assert run(lambda x: at.astype(x, "bool"), backend, x).tolist() == [False, True, True, False]


@pytest.mark.parametrize("backend", EAGER)
def test_astype_refuses_to_drop_an_imaginary_part(backend):
    with pytest.raises(TypeError, match="complex"):
        run(lambda x: at.astype(x, "float32"), backend, np.array([1j], np.complex64))
    assert run(lambda x: at.astype(x, bool), backend, np.array([1j, 0], np.complex64)).tolist() == [
        True,
        False,
    ]


def test_astype_copies_unless_told_not_to():
    x = np.zeros(2)
    assert at.astype(x, x.dtype, copy=False) is x
    assert not np.shares_memory(at.astype(x, x.dtype), x)
    torch = pytest.importorskip("torch")
    t = torch.zeros(2)
    assert at.astype(t, "float32", copy=False) is t
    assert at.astype(t, torch.float32).data_ptr() != t.data_ptr()
    assert at.cast is at.astype


@pytest.mark.parametrize("name", FRAMEWORK_DTYPES)
@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("origin", EAGER)
def test_any_backends_dtype_means_the_same_on_any_other(origin, backend, name):
    theirs, ours = array(origin, name), array(backend, name)
    assert at.dtype(theirs.dtype, like=ours) == ours.dtype
    assert at.zeros_like(ours, dtype=theirs.dtype).dtype == ours.dtype
    assert at.isdtype(ours.dtype, theirs.dtype)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", FRAMEWORK_DTYPES)
def test_kinds(name, backend):
    kinds = {
        kind
        for kind in (
            "bool",
            "signed integer",
            "unsigned integer",
            "integral",
            "real floating",
            "complex floating",
            "numeric",
        )
        if at.isdtype(array(backend, name).dtype, kind)
    }
    expected = {
        "b": {"bool"},
        "i": {"signed integer", "integral", "numeric"},
        "u": {"unsigned integer", "integral", "numeric"},
        "f": {"real floating", "numeric"},
        "c": {"complex floating", "numeric"},
    }
    assert kinds == expected["f" if name == "bfloat16" else name[0]]


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
def test_finfo_is_numpys(name):
    ours, theirs = at.finfo(name), np.finfo(name)
    for field in ("bits", "eps", "max", "min", "smallest_normal"):
        assert getattr(ours, field) == getattr(theirs, field)
    assert type(ours.max) is float


def test_finfo_of_bfloat16_is_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    ours, theirs = at.finfo("bfloat16"), ml_dtypes.finfo("bfloat16")
    for field in ("bits", "eps", "max", "min", "smallest_normal"):
        assert getattr(ours, field) == float(getattr(theirs, field))


@pytest.mark.parametrize("name", ["int8", "int64", "uint16", "uint64"])
def test_iinfo_is_numpys(name):
    assert at.iinfo(name)[:3] == (np.iinfo(name).bits, np.iinfo(name).max, np.iinfo(name).min)


@pytest.mark.parametrize("backend", EAGER)
def test_limits_carry_the_backends_dtype(backend):
    x = array(backend, "complex64")
    assert at.finfo(x).dtype == array(backend, "float32").dtype
    assert at.iinfo(array(backend, "uint8").dtype).dtype == array(backend, "uint8").dtype


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("int8", "int32", True),
        ("int32", "int8", False),
        ("uint8", "int16", True),
        ("int8", "uint8", False),
        ("bool", "int8", True),
        ("float32", "int32", False),
        ("bfloat16", "float32", True),
        ("float32", "bfloat16", False),
        ("float32", "complex64", True),
    ],
)
def test_can_cast(source, target, expected, backend):
    assert at.can_cast(array(backend, source), array(backend, target).dtype) is expected


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        (("int8", "int32"), "int32"),
        (("uint8", "int8"), "int16"),
        (("bool", "float32"), "float32"),
        (("float32", 1), "float32"),
        (("float32", 2.5), "float32"),
        (("int16", True), "int16"),
        (("int16", 3), "int16"),
        (("bfloat16", 1.5), "bfloat16"),
        (("float32", 1j), "complex64"),
        (("int32", "float32"), "float32"),
    ],
)
def test_result_type(operands, expected, backend):
    if backend == "numpy" and operands == ("int32", "float32"):
        expected = "float64"  # NumPy's own rule: float32 does not hold int32
    values = [array(backend, o) if isinstance(o, str) else o for o in operands]
    dtypes = [v if isinstance(v, (bool, int, float, complex)) else v.dtype for v in values]
    assert at.result_type(*values) == array(backend, expected).dtype
    if backend == "jax" and operands == ("int32", "float32"):
        expected, backend = "float64", "numpy"  # JAX's dtype objects are NumPy's
    assert at.result_type(*dtypes) == array(backend, expected).dtype


def test_result_type_of_scalars_and_of_a_mix():
    assert at.result_type(1, 2.5) == np.float64
    torch = pytest.importorskip("torch")
    assert at.result_type(np.zeros(1, np.int8), torch.zeros(1, dtype=torch.int16)) == torch.int16


def test_traces_whole():
    def traced(x):
        half = at.astype(x, "float16")
        top = at.finfo(x).max if at.isdtype(x.dtype, "real floating") else at.iinfo(x).max
        shared = at.result_type(x, half, 1.5)
        return at.astype(half, shared), x / top, at.cast(x, "int32")

    assert_portable(traced, np.array([1.5, -2.5, 3.0], dtype=np.float32))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: at.finfo("int32"), TypeError, "finfo: `type` must be a floating dtype"),
        (lambda: at.iinfo(np.zeros(1)), TypeError, "iinfo: `type` must be an integer dtype"),
        (lambda: at.isdtype("float32", "floating"), ValueError, "isdtype: `kind` must be one of"),
        (lambda: at.result_type(), ValueError, "at least one"),
        (lambda: at.astype(np.zeros(1), "float12"), TypeError, "float12"),
        (lambda: at.astype([1.0], "float32"), TypeError, "astype: `x` must be"),
    ],
)
def test_bad_input_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


@pytest.mark.parametrize("given", ["float64", np.float64, np.dtype("float64")], ids=["name", "type", "dtype"])
def test_dtypes_in_any_form_trace_whole(given):
    def function(x):
        wide = (
            at.astype(x, at.result_type(x, given)),
            at.zeros_like(x, dtype=given),
            at.astype(x, at.dtype(given, x)),
        )
        return (
            *wide,
            x * at.finfo(given).eps,
            x * at.isdtype(given, "real floating"),
            x * at.can_cast(x.dtype, given),
        )

    outcome = prepare(function, "torch-compile")(np.ones(2, np.float32))
    assert outcome.error is None
    assert [x.dtype.name for x in outcome.outputs] == ["float64"] * 3 + ["float32"] * 3

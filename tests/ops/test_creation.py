"""New arrays: values, default dtypes and backends, symbolic sizes, conversion."""

import importlib

import numpy as np
import pytest
from samples import EAGER

import anytensor as at
from anytensor.testing import assert_portable, prepare

F = np.array([1.5, 2.5], dtype=np.float32)
I = np.array([1, 2], dtype=np.int32)  # noqa: E741  # an integer `like`
B = np.array([True])
C = np.array([1j], dtype=np.complex64)


def run(function, backend, *args):
    outcome = prepare(function, backend)(*args)
    if outcome.error is not None:
        raise outcome.error
    assert not outcome.foreign
    return outcome.outputs


CASES = {
    "zeros": (lambda x: at.zeros((2, 3), like=x), F, np.zeros((2, 3), np.float32)),
    "zeros of an int": (lambda x: at.zeros(2, like=x), I, np.zeros(2, np.int32)),
    "zeros empty": (lambda x: at.zeros((0, 2), like=x), F, np.zeros((0, 2), np.float32)),
    "zeros 0-d": (lambda x: at.zeros((), like=x), F, np.zeros((), np.float32)),
    "ones dtype": (lambda x: at.ones((2,), dtype="int16", like=x), F, np.ones(2, np.int16)),
    "ones scalar type": (lambda x: at.ones((2,), dtype=np.uint8, like=x), F, np.ones(2, np.uint8)),
    "ones bool": (lambda x: at.ones((2,), dtype=bool, like=x), F, np.ones(2, bool)),
    "full": (lambda x: at.full((2,), 7, like=x), F, np.full(2, 7, np.float32)),
    "full takes the dtype of its kind": (lambda x: at.full(2, True, like=x), I, np.ones(2, np.int32)),
    "full of an array": (lambda x: at.full((2, 2), x[1], like=x), F, np.full((2, 2), 2.5, np.float32)),
    "full of a host array": (
        lambda x: at.full((2,), np.asarray(3, np.int32), like=x),
        F,
        np.full(2, 3, np.int32),
    ),
    "full cast": (lambda x: at.full((2,), x[1], dtype="int32", like=x), F, np.full(2, 2, np.int32)),
    "full of a length": (
        lambda x: at.full((1,), at.shape(x)[0], dtype=np.int32, like=x),
        F,
        np.array([2], np.int32),
    ),
    "full complex": (lambda x: at.full((1,), 2j, like=x), F, np.array([2j], np.complex64)),
    "arange": (lambda x: at.arange(3, like=x), F, np.arange(3, dtype=np.float32)),
    "arange int": (lambda x: at.arange(1, 7, 2, like=x), I, np.array([1, 3, 5], np.int32)),
    "arange back": (lambda x: at.arange(5, 0, -2, like=x), I, np.array([5, 3, 1], np.int32)),
    "arange nothing": (lambda x: at.arange(3, 1, like=x), I, np.zeros(0, np.int32)),
    "arange below 0": (lambda x: at.arange(-2, like=x), I, np.zeros(0, np.int32)),
    "arange float": (lambda x: at.arange(0.0, 1.0, 0.25, like=x), F, np.arange(0, 1, 0.25, np.float32)),
    "arange dtype": (lambda x: at.arange(3, dtype="uint16", like=x), F, np.arange(3, dtype=np.uint16)),
    "arange negative ints": (
        lambda x: at.arange(np.int64(-2), 1, like=x),
        I,
        np.arange(-2, 1, dtype=np.int32),
    ),
    "eye": (lambda x: at.eye(2, like=x), F, np.eye(2, dtype=np.float32)),
    "eye wide": (lambda x: at.eye(2, 3, k=1, like=x), F, np.eye(2, 3, k=1, dtype=np.float32)),
    "eye outside": (lambda x: at.eye(2, k=-5, like=x), I, np.zeros((2, 2), np.int32)),
    "eye empty": (lambda x: at.eye(0, 2, like=x), F, np.zeros((0, 2), np.float32)),
    "linspace": (lambda x: at.linspace(0, 1, 5, like=x), F, np.linspace(0, 1, 5, dtype=np.float32)),
    "linspace open": (
        lambda x: at.linspace(0, 1, 4, endpoint=False, like=x),
        F,
        np.linspace(0, 1, 4, endpoint=False, dtype=np.float32),
    ),
    "linspace one": (lambda x: at.linspace(2, 5, 1, like=x), F, np.array([2], np.float32)),
    "linspace none": (lambda x: at.linspace(2, 5, 0, like=x), F, np.zeros(0, np.float32)),
    "linspace int": (lambda x: at.linspace(0, 5, 3, dtype="int32", like=x), F, np.array([0, 2, 5], np.int32)),
    "linspace below 0": (
        lambda x: at.linspace(0, -5, 3, dtype="int32", like=x),
        F,
        np.array([0, -3, -5], np.int32),
    ),
    "linspace complex": (
        lambda x: at.linspace(0, 2j, 3, like=x),
        C,
        np.array([0, 1j, 2j], np.complex64),
    ),
    "meshgrid": (lambda x: at.meshgrid(x, x[:1])[0], F, np.meshgrid(F, F[:1])[0]),
    "meshgrid ij": (
        lambda x: at.meshgrid(x, x[:1], x[0], indexing="ij")[0],
        F,
        np.meshgrid(F, F[:1], F[0], indexing="ij")[0],
    ),
    "tril": (lambda x: at.tril(at.ones((2, 3, 3), like=x)), I, np.tril(np.ones((2, 3, 3), np.int32))),
    "tril above": (
        lambda x: at.tril(at.ones((2, 3), like=x), k=1),
        F,
        np.tril(np.ones((2, 3), np.float32), 1),
    ),
    "triu": (lambda x: at.triu(at.ones((3, 2), like=x), k=-1), F, np.triu(np.ones((3, 2), np.float32), -1)),
    "triu bool": (lambda x: at.triu(at.ones((2, 2), like=x)), B, np.triu(np.ones((2, 2), bool))),
    "zeros_like": (lambda x: at.zeros_like(x), F, np.zeros(2, np.float32)),
    "ones_like": (lambda x: at.ones_like(x, dtype="int8"), F, np.ones(2, np.int8)),
    "full_like": (lambda x: at.full_like(x, 3), F, np.full(2, 3, np.float32)),
    "full_like cuts": (lambda x: at.full_like(x, 2.5), I, np.full(2, 2, np.int32)),
    "full_like of an array": (lambda x: at.full_like(x, x[1]), F, np.full(2, 2.5, np.float32)),
    "asarray of a list": (lambda x: at.asarray([1, 2], like=x), F, np.array([1, 2], np.float32)),
    "asarray of a nest": (lambda x: at.asarray([[1], [2]], like=x), I, np.array([[1], [2]], np.int32)),
    "asarray of no entries": (lambda x: at.asarray([], like=x), I, np.zeros(0, np.int32)),
    "asarray of a number": (lambda x: at.asarray(2, like=x), F, np.asarray(2, np.float32)),
    "asarray dtype": (lambda x: at.asarray(x, dtype="int32"), F, np.array([1, 2], np.int32)),
    "asarray of a host array": (
        lambda x: at.asarray(np.array([1, 2], np.int32), like=x, copy=True),
        F,
        np.array([1, 2], np.int32),
    ),
    "asarray of a range": (lambda x: at.asarray(range(2), like=x), F, np.array([0, 1], np.float32)),
}


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("case", CASES)
def test_values_dtype_and_backend(case, backend):
    function, like, expected = CASES[case]
    actual = run(function, backend, like)
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-6)


DEFAULTS = {
    "full of a float beside ints": (lambda x: at.full((1,), 0.5, like=x), I, "f"),
    "arange of floats beside ints": (lambda x: at.arange(0.0, 1.0, 0.5, like=x), I, "f"),
    "arange beside bool": (lambda x: at.arange(3, like=x), B, "i"),
    "linspace beside ints": (lambda x: at.linspace(0, 1, 2, like=x), I, "f"),
    "linspace complex beside floats": (lambda x: at.linspace(0, 1j, 2, like=x), F, "c"),
    "a float list beside ints": (lambda x: at.asarray([0.5], like=x), I, "f"),
    "an int list beside bool": (lambda x: at.asarray([2], like=x), B, "i"),
}


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("case", DEFAULTS)
def test_a_number_of_a_higher_kind_takes_the_default(case, backend):
    function, like, kind = DEFAULTS[case]
    assert run(function, backend, like).dtype.kind == kind


def traced(x):
    rows, columns = at.shape(x)
    return {
        "zeros": at.zeros((rows, 2), like=x),
        "ones": at.ones(rows, dtype="int32", like=x),
        "full": at.full((1,), rows, dtype=np.int32, like=x),
        "filled": at.full((rows,), at.reshape(x, (-1,))[0], like=x),
        "arange": at.arange(rows, dtype="int32", like=x),
        "strided": at.arange(1, 9, 3, like=x),
        "eye": at.eye(rows, columns, k=1, like=x),
        "linspace": at.linspace(0.0, 1.0, rows, like=x),
        "open": at.linspace(0.0, 1.0, rows, endpoint=False, like=x),
        "empty": at.zeros_like(at.empty((rows, columns), like=x)),
        "asarray": at.asarray(x, dtype="float64") * at.asarray([2.0], dtype="float64", like=x),
        "grid": at.meshgrid(x[:, 0], x[0]),
        "lower": at.tril(x),
        "upper": at.triu(x, k=1),
        "like": [at.zeros_like(x), at.ones_like(x, dtype="int32"), at.full_like(x, 2.0)],
    }


def test_traces_whole_with_symbolic_sizes_and_gradients():
    x = np.arange(1.0, 13.0, dtype=np.float32).reshape(4, 3)
    assert_portable(traced, x, dtypes={"jax": {"float64": "float32"}}, rtol=1e-6)


ERRORS = {
    "no size": (lambda x: at.zeros(None, like=x), TypeError, "zeros: `shape` is required"),
    "a float": (lambda x: at.ones((2.0,), like=x), TypeError, "ones: `shape` must be"),
    "a bool": (lambda x: at.ones((True,), like=x), TypeError, "ones: `shape` must be"),
    "negative": (lambda x: at.empty((-1,), like=x), ValueError, "empty: `shape` must be at least 0"),
    "unknown dtype": (lambda x: at.zeros(2, dtype="float12", like=x), TypeError, "float12"),
    "a list for like": (lambda x: at.zeros(2, like=[1.0]), TypeError, "zeros: `like` must be"),
    "full of a vector": (lambda x: at.full((2,), x, like=x), ValueError, "`fill_value` must be 0-d"),
    "full of a list": (lambda x: at.full((2,), [1], like=x), TypeError, "full: `fill_value` must be"),
    "full_like of complex": (lambda x: at.full_like(x, 1j), TypeError, "complex `fill_value`"),
    "no step": (lambda x: at.arange(0, 1, 0, like=x), ValueError, "`step` must not be 0"),
    "arange of complex": (lambda x: at.arange(1j, like=x), TypeError, "arange: `start` must be"),
    "arange of nothing": (lambda x: at.arange(None, like=x), TypeError, "arange: `start` must be an integer"),
    "arange without a step": (lambda x: at.arange(3, step=None, like=x), TypeError, "arange: `step` must be"),
    "arange of a bool": (lambda x: at.arange(True, like=x), TypeError, "arange: `start` must be"),
    "num of a float": (lambda x: at.linspace(0, 1, 2.0, like=x), TypeError, "linspace: `num` must be"),
    "linspace of a list": (lambda x: at.linspace([0], 1, 2, like=x), TypeError, "linspace: `start` must be"),
    "endpoint": (lambda x: at.linspace(0, 1, 2, endpoint=1, like=x), TypeError, "`endpoint` must be True or"),
    "eye": (lambda x: at.eye(-1, like=x), ValueError, "eye: `n_rows` must be at least 0"),
    "eye k": (lambda x: at.eye(2, k=0.5, like=x), TypeError, "eye: `k` must be an integer"),
    "tril of a vector": (lambda x: at.tril(x), ValueError, "tril: `x` must have at least 2 axes"),
    "meshgrid of matrices": (
        lambda x: at.meshgrid(x[None]),
        ValueError,
        r"meshgrid: `arrays\[0\]` must be 1-D",
    ),
    "meshgrid indexing": (lambda x: at.meshgrid(x, indexing="yx"), ValueError, "`indexing` must be one of"),
    "asarray of strings": (lambda x: at.asarray(["a"], like=x), TypeError, "asarray: `obj` must be"),
    "asarray of a sequence of arrays": (lambda x: at.asarray([x], like=x), TypeError, "at.stack"),
    "asarray without a copy": (lambda x: at.asarray([1.0], copy=False, like=x), ValueError, "copy=False"),
    "asarray cast without a copy": (
        lambda x: at.asarray(x, dtype="int32", copy=False),
        ValueError,
        "copy=False",
    ),
    "no dlpack": (lambda x: at.from_dlpack([1.0], like=x), TypeError, "must have __dlpack__"),
}


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("case", ERRORS)
def test_bad_input_is_refused_alike(case, backend):
    function, kind, message = ERRORS[case]
    with pytest.raises(kind, match=message):
        run(function, backend, F)


def test_without_like_it_is_numpys():
    made = [at.zeros(2), at.full((2,), 1), at.arange(2), at.eye(2), at.linspace(0, 1, 2), at.asarray([1])]
    assert {type(x) for x in made} == {np.ndarray}
    assert [x.dtype.kind for x in made] == ["f", "i", "i", "f", "f", "i"]
    assert at.meshgrid() == []


def test_no_other_device_on_numpy():
    with pytest.raises(ValueError, match="`device` must be 'cpu' or None"):
        at.zeros(2, device="cuda")


def test_asarray_returns_the_array_itself_where_nothing_changes():
    x = np.zeros(2)
    assert at.asarray(x) is x
    assert at.asarray(x, copy=True) is not x
    torch = pytest.importorskip("torch")
    t = torch.zeros(2, requires_grad=True)
    assert at.asarray(t) is t
    assert at.asarray(t, copy=True) is not t
    assert at.asarray(t, dtype="float64").requires_grad
    with pytest.raises(TypeError, match="two frameworks"):
        at.asarray(t, like=np.zeros(1))


def test_torch_creation_is_strict_about_nothing_but_data():
    torch = pytest.importorskip("torch")
    parameter = torch.nn.Parameter(torch.ones(2))
    assert at.zeros_like(parameter).requires_grad is False
    assert at.full((2,), parameter[0], like=parameter).requires_grad is True


@pytest.mark.parametrize("target", EAGER)
@pytest.mark.parametrize("source", EAGER)
def test_dlpack_crosses_frameworks(source, target):
    def array(backend):
        if backend == "numpy":
            return np.array([1.0, 2.0], dtype=np.float32)
        if backend == "jax":
            return importlib.import_module("jax.numpy").asarray([1.0, 2.0])
        if backend == "torch":
            return importlib.import_module("torch").tensor([1.0, 2.0])
        return importlib.import_module("tensorflow").constant([1.0, 2.0])

    x, like = array(source), array(target)
    out = at.from_dlpack(x, like=like, copy=True)
    assert type(out) is type(like)
    np.testing.assert_array_equal(np.asarray(out), [1.0, 2.0])
    assert type(at.from_dlpack(x)) is type(x)


def test_jax_tracer_for_like():
    """jax-ml/jax/issues/26000, data-apis/array-api-compat/issues/368."""
    jax = pytest.importorskip("jax")
    made = jax.jit(lambda x: at.zeros((3,), like=x))(np.ones(2, np.float32))
    assert made.shape == (3,)
    with pytest.raises(TypeError, match="static_argnames"):
        jax.jit(lambda x, n: at.zeros((n,), like=x))(np.ones(2, np.float32), 3)


@pytest.mark.parametrize("backend", EAGER)
def test_a_framework_tensors_own_shape_is_a_shape(backend):
    def function(x):
        made = at.zeros(x.shape, like=x), at.full(x.shape, 2, like=x), at.broadcast_to(x[:1], x.shape)
        return (*made, at.reshape(x, x.shape))

    for found in run(function, backend, F):
        assert np.shape(found) == (2,)


def test_a_tensorflow_shape_with_unknown_sizes_is_refused():
    tf = importlib.import_module("tensorflow")

    @tf.function(input_signature=[tf.TensorSpec((None, 2))])
    def function(x):
        with pytest.raises(TypeError, match="zeros: `shape` is required and was None"):
            at.zeros(x.shape, like=x)
        return at.zeros(at.shape(x), like=x)

    assert function(tf.ones((3, 2))).shape == (3, 2)
    with pytest.raises(TypeError, match="zeros: `shape` is a TensorShape of unknown rank"):
        at.zeros(tf.TensorShape(None))


def test_only_tensorflows_shape_is_asked_for_a_list():
    class Other:
        def as_list(self):
            return [2, 3]

    with pytest.raises(TypeError, match="zeros: `shape` must be"):
        at.zeros(Other())

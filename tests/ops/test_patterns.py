"""einops' functions under at.*, on every backend, eager and compiled."""

import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
import torch
from running import NOT_ON_TORCH, assert_same, on_backend, run, wide, widened
from samples import DTYPES, EAGER, numpy_dtype

import anytensor as at
from anytensor.testing import assert_portable

MAKERS = {"torch": torch.tensor, "jax": jnp.asarray, "tensorflow": tf.constant}


def test_repeat_is_the_array_function():
    assert at.repeat(np.array([1, 2]), 2).tolist() == [1, 1, 2, 2]


def test_traces_whole_with_gradients():
    """arogozhnikov/einops/issues/250, pytorch/pytorch/issues/93905."""

    def traced(x, w):
        packed, shapes = at.pack([x, at.rearrange(x, "a b -> b a")], "*")
        return {
            "rearrange": at.rearrange(x, "(a k) b -> a (k b)", k=2),
            "reduce": at.reduce(x, "a b -> a", "max"),
            "repeat": at.einops_repeat(x, "a b -> a b k", k=2),
            "einsum": at.einsum(x, w, "a b, b c -> a c"),
            "unpack": at.unpack(packed, shapes, "*"),
        }

    x = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    w = np.arange(6.0, dtype=np.float32).reshape(3, 2)
    # Sizes unknown to a trace have no place in what pack returns, which are sizes of the shapes.
    assert_portable(traced, x, w, modes=["eager", "readonly", "jit", "compile", "function", "xla"])


@pytest.mark.parametrize("mode", ["compile-dynamic", "function-none"])
def test_patterns_of_unknown_sizes(mode):
    def traced(x, w):
        return (
            at.rearrange(x, "a b -> (b a)"),
            at.reduce(x, "a b -> b", "mean"),
            at.einsum(x, w, "a b, b c -> c a"),
        )

    x = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    w = np.arange(6.0, dtype=np.float32).reshape(3, 2)
    assert_portable(traced, x, w, modes=mode)


@pytest.mark.parametrize("backend", list(MAKERS))
def test_host_arrays_go_along_and_dtypes_are_shared(backend):
    make = MAKERS[backend]
    buffer = np.zeros(80, dtype=np.uint8)
    start = -buffer.ctypes.data % 64  # an address that every framework shares
    host = buffer[start : start + 16].view(np.float32).reshape(2, 2)
    host[:] = [[1, 2], [3, 4]]
    tensor, whole = make(np.eye(2, dtype=np.float32)), make(np.array([1, 2], dtype=np.int32))
    kind = type(tensor)
    for got in (
        at.einsum(host, tensor, "i j, j k -> i k"),
        at.einsum(tensor, host, "i j, j k -> i k"),
        at.pack([host, tensor], "i *")[0][:, :2],
        at.rearrange([host, tensor], "pair i j -> i pair j")[:, 0],
    ):
        assert isinstance(got, kind)
        assert np.asarray(got).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert np.asarray(at.einsum(tensor, whole, "i j, j -> i")).dtype == np.float32
    assert np.asarray(at.pack([tensor, whole], "i *")[0]).tolist() == [[1.0, 0.0, 1.0], [0.0, 1.0, 2.0]]


def test_results_on_numpy_are_arrays():
    x = np.ones((2, 3))
    results = [
        at.einsum(x, x, "i j, i j ->"),
        at.reduce(x, "i j ->", "sum"),
        *at.unpack(np.ones(2), [(), ()], "*"),
    ]
    assert [(type(y), y.shape) for y in results] == [(np.ndarray, ())] * 4


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: at.einsum(np.ones(2)), TypeError, "einsum: the last argument must be the pattern"),
        (lambda: at.einsum(), TypeError, "einsum: the last argument must be the pattern"),
        (lambda: at.einsum([1], "i -> i"), TypeError, r"einsum: `tensors\[0\]` must be"),
        (
            lambda: at.einsum(torch.ones(1), tf.ones(1), "i, i ->"),
            TypeError,
            "einsum: operands of two frameworks",
        ),
        (lambda: at.pack([], "*"), ValueError, "pack: `tensors` must hold"),
        (lambda: at.pack([torch.ones(1), tf.ones(1)], "*"), TypeError, "pack: operands of two frameworks"),
        (lambda: at.rearrange(np.ones(2), 3), TypeError, "rearrange: `pattern` must be a string"),
        (lambda: at.reduce("x", "i ->", "sum"), TypeError, "reduce: `tensor` must be"),
        (lambda: at.unpack(None, [()], "*"), TypeError, "unpack: `tensor` must be"),
    ],
    ids=["no pattern", "nothing", "list", "einsum two", "empty", "pack two", "pattern", "text", "none"],
)
def test_bad_operands_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call()


PAIRS = [(b, d) for b in EAGER for d in DTYPES if b != "torch" or d not in NOT_ON_TORCH]


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
def test_every_dtype_is_reduced_as_by_the_functions_themselves(backend, dtype):
    x = np.array([[100, 3, 100], [0, 1, 2]]).astype(numpy_dtype(dtype))
    own, total = on_backend(dtype, backend), widened(backend, dtype)

    def reduced(x):
        return [at.reduce(x, "rows columns -> rows", how) for how in ("sum", "prod", "any", "all")]

    got = run(reduced, backend, x)
    values = wide(x).astype(np.int64) if dtype == "bool" else wide(x)
    assert_same(got[0], values.sum(1), total)
    assert_same(got[1], values.prod(1), total)
    assert_same(got[2], [True, True], "bool")
    assert_same(got[3], [True, False], "bool")
    if "complex" not in dtype:
        greatest = run(lambda x: at.reduce(x, "rows columns -> rows", "max"), backend, x)
        assert_same(greatest, wide(x).max(1), own)
    repeated = run(lambda x: at.einops_repeat(x, "a b -> a k b", k=2), backend, x)
    assert_same(repeated, wide(x)[:, None].repeat(2, 1), own)
    listed = run(lambda x: at.einops_repeat([x, x], "k a b -> k b a"), backend, x)
    assert_same(listed, np.stack([wide(x).T] * 2), own)


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
def test_every_dtype_has_an_einsum_of_its_own_dtype(backend, dtype):
    x = np.array([[1, 2, 0], [3, 1, 0]]).astype(numpy_dtype(dtype))
    got = run(
        lambda x: [at.einsum(x, x, "a b, c b -> a c"), at.einsum(x, "a b -> a"), at.einsum(x, "a b -> b")],
        backend,
        x,
    )
    values = wide(x)
    want = [values @ values.T, values.sum(1), values.sum(0)]
    for part, reference in zip(got, want, strict=True):
        assert_same(part, reference != 0 if dtype == "bool" else reference, on_backend(dtype, backend))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_accumulates_in_single(backend, dtype):
    ones = np.ones((1, 4096)).astype(numpy_dtype(dtype))
    got = run(
        lambda x: [
            at.einsum(x, "a b -> a"),
            at.einsum(x, x, "a b, c b -> a c"),
            at.reduce(x, "a b -> a", "sum"),
            at.reduce(x, "a b -> a", "mean"),
        ],
        backend,
        ones,
    )
    assert [float(part.ravel()[0]) for part in got] == [4096.0, 4096.0, 4096.0, 1.0]


def test_a_nan_is_kept_under_every_compiler():
    x = np.array([[7.0, np.nan, 2.0], [np.nan, 1.0, 2.0]], dtype=np.float32)

    def extremes(x):
        return [at.reduce(x, "a b -> a", how) for how in ("max", "min", "mean")]

    assert_portable(extremes, x, gradients=False)


def test_packing_nothing_in_every_mode():
    def packed(x):
        whole, shapes = at.pack([x, x], "rows *")
        return [whole, *at.unpack(whole, shapes, "rows *")]

    modes = ["eager", "readonly", "jit", "compile", "function", "xla"]
    assert_portable(packed, np.zeros((2, 0), np.float32), modes=modes, gradients=False)

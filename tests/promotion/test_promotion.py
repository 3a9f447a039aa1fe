"""Promotion: which backend, which dtype, which size; and the words of its errors."""

from __future__ import annotations

import inspect
import threading
import warnings
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at

MAKERS = {
    "numpy": np.asarray,
    "torch": lambda a: torch.from_numpy(np.array(a)),
    "jax": jnp.asarray,
    "tensorflow": tf.constant,
}
ARRAYS = {"numpy": np.ndarray, "torch": torch.Tensor, "jax": jax.Array, "tensorflow": tf.Tensor}
FRAMEWORKS = ["torch", "jax", "tensorflow"]

every_backend = pytest.mark.parametrize("backend", list(MAKERS))
every_framework = pytest.mark.parametrize("backend", FRAMEWORKS)


def name_of(dtype: Any) -> str:
    return str(getattr(dtype, "name", dtype)).removeprefix("torch.")


def host(*values: float, dtype: str = "float32") -> np.ndarray:
    return np.array(values, dtype=dtype)


@at.promote(x="data", y="data")
def pair(x: Any, y: Any) -> tuple[Any, Any]:
    return x, y


@at.promote(x="data", i="index")
def indexed(x: Any, i: Any) -> tuple[Any, Any]:
    return x, i


@at.promote(m="mask", x="data")
def masked(m: Any, x: Any) -> tuple[Any, Any]:
    return m, x


@at.promote(x="data", n="shape")
def sized(x: Any, n: Any = None) -> Any:
    return n


# --- which backend ---


def test_scalars_alone_become_numpy_arrays() -> None:
    a, b = pair(1, 2.5)
    assert (type(a), type(b)) == (np.ndarray, np.ndarray)
    assert (a.shape, b.shape, a.dtype, b.dtype) == ((), (), np.float64, np.float64)


@every_framework
def test_host_data_goes_to_the_framework_never_back(backend: str) -> None:
    tensor = MAKERS[backend](host(1, 2))
    for a, b in (pair(tensor, host(3, 4)), pair(host(3, 4), tensor), pair(tensor, np.float32(3))):
        assert isinstance(a, ARRAYS[backend])
        assert isinstance(b, ARRAYS[backend])


@pytest.mark.parametrize(("one", "other"), [("torch", "jax"), ("jax", "tensorflow"), ("tensorflow", "torch")])
def test_two_frameworks_are_refused_by_name(one: str, other: str) -> None:
    a, b = MAKERS[one](host(1, 2)), MAKERS[other](host(1, 2))
    with pytest.raises(TypeError) as error:
        pair(a, b)
    text = str(error.value)
    assert text.startswith("pair: ")
    assert type(a).__name__ in text
    assert type(b).__name__ in text


@pytest.mark.parametrize("bad", [[1.0], (1.0,), "text", None, {}, Ellipsis], ids=repr)
@every_backend
def test_an_unknown_operand_is_refused_with_what_is_accepted(backend: str, bad: object) -> None:
    with pytest.raises(TypeError) as error:
        pair(MAKERS[backend](host(1)), bad)
    assert "pair: `y` must be" in str(error.value)
    assert type(bad).__name__ in str(error.value)
    assert "NumPy array" in str(error.value)


def test_a_torch_parameter_and_a_tensorflow_variable_count_as_theirs() -> None:
    parameter = torch.nn.Parameter(torch.ones(2))
    a, b = pair(parameter, host(1, 2))
    assert a is parameter
    assert isinstance(b, torch.Tensor)
    variable = tf.Variable([1.0, 2.0])
    a, b = pair(variable, host(1, 2))
    assert isinstance(b, tf.Tensor)


# --- which dtype ---


@pytest.mark.parametrize("scalar", [True, 2, 0.5])
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
@every_backend
def test_a_python_scalar_is_weak(backend: str, dtype: str, scalar: float) -> None:
    """data-apis/array-api-compat/issues/85, pytorch/pytorch/issues/58736."""
    if backend == "jax" and dtype == "float64":
        dtype = "float32"  # JAX without x64 has no float64
    a, b = pair(MAKERS[backend](host(1, 2, dtype=dtype)), scalar)
    assert (name_of(a.dtype), name_of(b.dtype)) == (dtype, dtype)


@every_backend
def test_a_python_float_beside_integers_is_the_default_float(backend: str) -> None:
    a, b = pair(MAKERS[backend](host(1, 2, dtype="int32")), 0.5)
    expected = "float64" if backend == "numpy" else "float32"
    assert (name_of(a.dtype), name_of(b.dtype)) == (expected, expected)


@every_backend
def test_a_numpy_scalar_is_strong(backend: str) -> None:
    a, b = pair(MAKERS[backend](host(1, 2, dtype="float16")), np.float32(0.5))
    assert (name_of(a.dtype), name_of(b.dtype)) == ("float32", "float32")


@pytest.mark.parametrize("backend", ["numpy", "torch", "tensorflow"])
def test_a_zero_dimensional_array_is_strong(backend: str) -> None:
    """data-apis/array-api-compat/issues/274."""
    a, b = pair(MAKERS[backend](host(1, 2)), MAKERS[backend](np.array(3.0, dtype=np.float64)))
    assert (name_of(a.dtype), name_of(b.dtype)) == ("float64", "float64")


@every_backend
def test_integers_widen_beside_floats(backend: str) -> None:
    a, b = pair(MAKERS[backend](host(1, 2, dtype="int8")), MAKERS[backend](host(1, 2)))
    assert (name_of(a.dtype), name_of(b.dtype)) == ("float32", "float32")


def test_bfloat16_numpy_arrays_are_numpy_arrays() -> None:
    x = host(1, 2).astype(ml_dtypes.bfloat16)
    a, b = pair(x, 10)
    assert a.dtype == b.dtype == ml_dtypes.bfloat16


def test_bfloat16_beside_int32_loses_no_integer_on_numpy() -> None:
    """pytorch/pytorch/issues/179845."""
    a, _ = pair(host(257, dtype="int32"), host(0).astype(ml_dtypes.bfloat16))
    assert a.tolist() == [257.0]


@every_framework
def test_bfloat16_reaches_every_framework(backend: str) -> None:
    tensor = MAKERS[backend](host(1, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", at.CopyWarning)
        _, b = pair(tensor, host(3, 4).astype(ml_dtypes.bfloat16))
    assert np.asarray(b).astype(np.float32).tolist() == [3.0, 4.0]


# --- indices and masks ---


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
@every_backend
def test_an_index_keeps_its_integer_dtype(backend: str, dtype: str) -> None:
    if backend == "jax" and dtype == "int64":
        dtype = "int32"
    _, i = indexed(MAKERS[backend](host(1, 2)), MAKERS[backend](host(0, 1, dtype=dtype)))
    assert name_of(i.dtype) == dtype


@pytest.mark.parametrize("dtype", ["bool", "float32"])
@pytest.mark.parametrize("where", ["host", "own"])
@every_backend
def test_an_index_that_is_no_integer_is_refused(backend: str, where: str, dtype: str) -> None:
    i = host(0, 1, dtype=dtype)
    with pytest.raises(TypeError, match="indexed: `i` must hold integers"):
        indexed(MAKERS[backend](host(1, 2)), i if where == "host" else MAKERS[backend](i))


@every_backend
def test_a_mask_is_cast_to_bool(backend: str) -> None:
    m, _ = masked(MAKERS[backend](host(0, 2)), MAKERS[backend](host(1, 2)))
    assert name_of(m.dtype) == "bool"
    assert np.asarray(m).tolist() == [False, True]


# --- sizes ---


@every_backend
def test_a_plain_int_stays_the_same_object(backend: str) -> None:
    n = 123456789
    assert sized(MAKERS[backend](host(1)), n) is n


@every_backend
def test_a_zero_dimensional_integer_array_becomes_an_int(backend: str) -> None:
    n = sized(MAKERS[backend](host(1)), MAKERS[backend](np.array(3, dtype=np.int32)))
    assert (type(n), n) == (int, 3)


@pytest.mark.parametrize("bad", [None, True, 2.0, "3", np.array(1.0)], ids=repr)
@every_backend
def test_a_size_of_a_wrong_type_is_a_type_error(backend: str, bad: object) -> None:
    with pytest.raises(TypeError, match="sized: `n` "):
        sized(MAKERS[backend](host(1)), bad)


@every_backend
def test_a_missing_size_says_why_it_is_required(backend: str) -> None:
    with pytest.raises(TypeError, match="never inferred from the data"):
        sized(MAKERS[backend](host(1)))


@pytest.mark.parametrize("bad", [-1, np.array(-1), np.array([1, 2])], ids=repr)
@every_backend
def test_a_negative_size_or_a_vector_is_a_value_error(backend: str, bad: object) -> None:
    with pytest.raises(ValueError, match="sized: `n` must be"):
        sized(MAKERS[backend](host(1)), bad)


def test_a_size_that_jax_traces_says_which_argument_to_mark() -> None:
    with pytest.raises(TypeError, match=r"static_argnames=\('n',\)"):
        jax.jit(lambda x, n: sized(x, n))(jnp.ones(2), 2)


def test_a_symbolic_size_of_tensorflow_stays_symbolic() -> None:
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x: Any) -> Any:
        n = sized(x, tf.shape(x)[0])
        seen.append(n)
        return n

    assert int(f(tf.ones(3))) == 3
    assert isinstance(seen[0], tf.Tensor)


# --- the decorator ---


def test_signature_docstring_and_annotations_are_kept() -> None:
    def documented(x: int, /, y: float = 2.0, *rest: str, flag: bool = False, **more: object) -> str:
        """Words."""
        return f"{float(x)} {float(y)} {rest} {flag} {more}"

    wrapped = at.promote(x="data", y="data")(documented)
    assert inspect.signature(wrapped) == inspect.signature(documented)
    assert wrapped.__doc__ == "Words."
    assert wrapped.__annotations__ == documented.__annotations__
    assert wrapped(1) == "1.0 2.0 () False {}"
    assert wrapped(1, 3, "a", flag=True, other=1) == "1.0 3.0 ('a',) True {'other': 1}"


def test_keyword_only_and_positional_only_parameters() -> None:
    @at.promote(x="data", n="shape")
    def f(x: Any, /, *, n: int = 4) -> Any:
        return x, n

    assert f(np.ones(2))[1] == 4
    assert f(np.ones(2), n=np.int64(5))[1] == 5
    with pytest.raises(TypeError, match="positional"):
        f(x=np.ones(2))


def test_a_missing_argument_is_pythons_own_error() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'y'"):
        pair(np.ones(2))  # type: ignore[call-arg]


def test_a_size_that_is_left_out_is_told_why_it_is_asked_for() -> None:
    @at.promote(x="data", n="shape", m="shape", y="data")
    def f(x: Any, n: int, m: int, *, y: Any, scale: float = 1.0) -> Any:
        return n, m

    with pytest.raises(TypeError, match=r"f: `m` is required and was None or missing; .*never inferred"):
        f(np.ones(2), 1, y=1.0)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="f: `n` is required"):
        f(np.ones(2), y=1.0)  # type: ignore[call-arg]
    assert f(np.ones(2), 1, m=2, y=1.0) == (1, 2)
    assert inspect.signature(f).parameters["n"].default is inspect.Parameter.empty

    @at.promote(x="data", n="shape")
    def followed(n: int, x: Any) -> Any:
        return n

    with pytest.raises(TypeError, match="missing 2 required positional arguments: 'n' and 'x'"):
        followed()  # type: ignore[call-arg]


def test_two_frameworks_are_named_with_their_arguments() -> None:
    with pytest.raises(TypeError, match=r"torch\.Tensor .*\(`x`\) and jaxlib.* \(`segment_ids`\)"):
        at.segment_sum(torch.ones(2), jnp.zeros(2, jnp.int32), 1)


def test_none_passes_through_where_it_is_the_default_and_is_refused_elsewhere() -> None:
    @at.promote(x="data", bias="data")
    def f(x: Any, bias: Any = None) -> Any:
        return x, bias

    assert f(np.ones(2))[1] is None
    assert f(torch.ones(2), np.float32(1))[1].dtype == torch.float32
    with pytest.raises(TypeError, match=r"f: `x` must be .* it is missing"):
        f(None)


def test_decorating_with_a_name_that_is_no_parameter_is_refused() -> None:
    with pytest.raises(TypeError, match="has no parameter `z`"):
        at.promote(z="data")(lambda x: x)


@pytest.mark.parametrize("kind", ["tensor", "", "Data"])
def test_an_unknown_kind_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="must be one of 'data', 'index', 'mask', 'shape'"):
        at.promote(x=kind)


def test_operands_that_agree_are_passed_through_as_they_are() -> None:
    x, y = np.ones(2), np.ones(3)
    assert pair(x, y)[0] is x
    assert pair(x, y)[1] is y


def test_a_failing_call_shows_the_wrappers_source() -> None:
    @at.promote(x="data")
    def broken(x: Any) -> Any:
        raise RuntimeError("inside")

    with pytest.raises(RuntimeError) as error:
        broken(np.ones(1))
    lines = "\n".join(str(entry) for entry in error.traceback)
    assert "_function(x)" in lines


# --- copies ---


def aligned(n: int) -> np.ndarray:
    buffer = np.zeros(4 * n + 64, dtype=np.uint8)
    start = -buffer.ctypes.data % 64
    return buffer[start : start + 4 * n].view(np.float32)


@every_framework
def test_an_aligned_writable_buffer_is_shared(backend: str) -> None:
    buffer = aligned(8)
    _, b = pair(MAKERS[backend](host(1)), buffer)
    buffer[0] = 7.0
    assert float(b[0]) == 7.0


@every_framework
def test_copy_true_shares_nothing(backend: str) -> None:
    buffer = aligned(8)
    with at.promote_options(copy=True):
        _, b = pair(MAKERS[backend](host(1)), buffer)
    buffer[0] = 7.0
    assert float(b[0]) == 0.0
    always = at.promote(x="data", y="data", copy=True)(lambda x, y: (x, y))
    _, b = always(MAKERS[backend](host(1)), aligned(8))
    assert float(b[0]) == 0.0


@every_framework
def test_a_buffer_that_cannot_be_shared_is_copied_with_a_warning(backend: str) -> None:
    buffer = aligned(8)[::-2]
    with pytest.warns(at.CopyWarning, match="pair: `y`, a NumPy array of shape"):
        _, b = pair(MAKERS[backend](host(1)), buffer)
    assert b.shape[0] == 4


@every_framework
def test_fallback_error_refuses_the_copy(backend: str) -> None:
    buffer = aligned(8)[::-2]
    with at.promote_options(fallback="error"), pytest.raises(ValueError, match='fallback="error" forbids'):
        pair(MAKERS[backend](host(1)), buffer)


@pytest.mark.parametrize("backend", ["torch", "tensorflow"])  # JAX arrays are read-only themselves
def test_a_read_only_buffer_is_never_shared_where_it_could_be_written(backend: str) -> None:
    buffer = aligned(8)
    buffer.flags.writeable = False
    with pytest.warns(at.CopyWarning, match="read-only"):
        pair(MAKERS[backend](host(1)), buffer)


def test_options_nest_and_are_restored_after_an_exception() -> None:
    buffer = aligned(8)[::-2]
    tensor = torch.ones(1)

    def inside() -> None:
        with at.promote_options(fallback="error"):
            with at.promote_options(copy=True):
                pair(tensor, buffer)  # copies without a word
            pair(tensor, buffer)

    with pytest.raises(ValueError, match="forbids"):
        inside()
    with pytest.warns(at.CopyWarning):
        pair(tensor, buffer)


def test_options_do_not_reach_another_thread() -> None:
    caught: list[BaseException] = []

    def other() -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                pair(torch.ones(1), aligned(8)[::-2])
        except ValueError as error:
            caught.append(error)

    with at.promote_options(fallback="error"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert caught == []


@pytest.mark.parametrize(("option", "error"), [({"copy": 1}, TypeError), ({"fallback": "raise"}, ValueError)])
def test_bad_options_name_themselves(option: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match=f"`{next(iter(option))}` must be"):
        at.promote_options(**option)


# --- align_arrays ---


@every_framework
def test_align_arrays_brings_all_together(backend: str) -> None:
    out = at.align_arrays(1, aligned(2), MAKERS[backend](host(1, 2)), True)
    assert all(isinstance(x, ARRAYS[backend]) for x in out)
    assert {name_of(x.dtype) for x in out} == {"float32"}


def test_align_arrays_of_nothing_is_empty() -> None:
    assert at.align_arrays() == ()


# --- compilers ---


def test_promotion_traces_whole_under_dynamo() -> None:
    def f(x: Any, a: Any) -> Any:
        with at.promote_options(copy=True):
            p, q = pair(x, a)
        r, s = pair(p, 0.5)
        return q + r + s

    out = torch.compile(f, fullgraph=True, backend="aot_eager")(torch.ones(2), host(1, 2))
    assert out.tolist() == [2.5, 3.5]


def test_a_value_change_does_not_recompile() -> None:
    count = []

    def counting(graph: Any, inputs: Any) -> Any:
        count.append(1)
        return graph.forward

    compiled = torch.compile(lambda x, y: pair(x, y)[0] + 1, fullgraph=True, backend=counting)
    for value in (1.0, 2.0, 3.0):
        compiled(torch.full((2,), value), torch.full((2,), value))
    assert len(count) == 1


def test_promotion_traces_in_jit_and_tf_function() -> None:
    assert jax.jit(lambda x: sum(pair(x, 2)))(jnp.ones(2)).tolist() == [3.0, 3.0]
    assert tf.function(lambda x: pair(x, 2)[0] + pair(x, 2)[1])(tf.ones(2)).numpy().tolist() == [3.0, 3.0]

"""Messages of the errors that users see: what was asked, what came, what is allowed, how to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = [
    "describe",
    "is_complex",
    "is_masked",
    "mixed_frameworks",
    "negative_length",
    "not_a_bool",
    "not_a_scalar",
    "not_a_size",
    "not_a_vector",
    "not_an_index",
    "not_numeric",
    "out_of_range",
    "rows_do_not_match",
    "size_has_rank",
    "size_is_missing",
    "size_is_negative",
    "size_is_too_large",
    "size_is_traced",
    "total_is_not_rows",
    "unknown_operand",
    "unknown_option",
]

_ACCEPTED = "a NumPy array, a JAX, PyTorch or TensorFlow tensor, or a Python or NumPy scalar"


def describe(x: Any) -> str:
    """Return a short description of any object: its type, and shape and dtype where it has them."""
    kind = type(x)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    shape, dtype = getattr(x, "shape", None), getattr(x, "dtype", None)
    if shape is not None and dtype is not None:
        try:
            return f"{name} of shape {tuple(shape)} and dtype {dtype}"
        except (TypeError, ValueError):  # TensorFlow: a shape of unknown rank has no tuple
            return f"{name} of shape {shape} and dtype {dtype}"
    if kind in (bool, int, float, complex, str):
        return f"{name} {x!r}"
    return name


def _at(function: str, argument: str | None) -> str:
    return f"{function}: `{argument}`" if argument else f"{function}: an operand"


def unknown_operand(x: Any, function: str, argument: str | None = None) -> TypeError:
    """Build the error for an operand of a type that no backend knows."""
    hint = ""
    if isinstance(x, (list, tuple)):
        hint = "; make it an array first, e.g. with np.asarray or the framework's own constructor"
    elif x is None:
        hint = "; it is missing"
    return TypeError(f"{_at(function, argument)} must be {_ACCEPTED}, got {describe(x)}{hint}")


def mixed_frameworks(
    first: Any, second: Any, function: str, names: tuple[str | None, str | None] = (None, None)
) -> TypeError:
    """Build the error for operands of two frameworks in one call."""
    one, two = (
        f"{describe(x)} (`{name}`)" if name else describe(x)
        for x, name in zip((first, second), names, strict=True)
    )
    return TypeError(
        f"{function}: operands of two frameworks, {one} and {two}; all must come from one framework, "
        "beside NumPy arrays and scalars, which go along with any"
    )


def not_an_index(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for indices that are not integers."""
    return TypeError(
        f"{function}: `{argument}` must hold integers (any integer dtype), got {describe(x)}; "
        "cast it with astype if its values are whole numbers"
    )


def not_numeric(x: Any, function: str, argument: str | None) -> TypeError:
    """Build the error for a NumPy array of objects, strings, dates or records."""
    return TypeError(
        f"{_at(function, argument)} must hold numbers (bool, integer, floating or complex), got "
        f"{describe(x)}; make it numeric first, as x.astype(float) does if its entries are numbers"
    )


def is_masked(x: Any, function: str, argument: str | None) -> TypeError:
    """Build the error for numpy.ma's arrays, whose masks nothing here would heed."""
    return TypeError(
        f"{_at(function, argument)} is a masked array of numpy.ma, and its mask would be lost; fill it, as "
        "x.filled(0) does, and pass the mask ~numpy.ma.getmaskarray(x) beside it where the function takes one"
    )


_SIZES = "a Python int, a symbolic size such as shape(x)[0], or a 0-d integer tensor"


def size_is_missing(function: str, argument: str) -> TypeError:
    """Build the error for a required size that is None or was left out."""
    return TypeError(
        f"{function}: `{argument}` is required and was None or missing; it must be {_SIZES}. "
        "It is never inferred from the data: a gap at the end would be lost, and a compiler needs it fixed"
    )


def not_a_size(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for a size of a wrong type."""
    return TypeError(f"{function}: `{argument}` must be {_SIZES}, got {describe(x)}")


def size_is_negative(x: Any, function: str, argument: str) -> ValueError:
    """Build the error for a size below zero."""
    return ValueError(f"{function}: `{argument}` must be at least 0, got {x}")


def size_is_too_large(x: Any, greatest: int, where: str, function: str, argument: str) -> ValueError:
    """Build the error for a size past what a backend counts."""
    return ValueError(f"{function}: `{argument}` must be at most {greatest}{where}, got {x}")


def out_of_range(value: Any, dtype: Any, function: str, argument: str) -> OverflowError:
    """Build the error for a Python number that an integer dtype does not hold; a dtype of any backend."""
    name = str(getattr(dtype, "name", dtype)).removeprefix("torch.")
    bits = name.lstrip("uint")
    if not bits.isdigit():
        return OverflowError(f"{function}: `{argument}` is past the range of {name}")
    span = 1 << int(bits)
    least = 0 if name.startswith("u") else -(span // 2)
    return OverflowError(
        f"{function}: `{argument}` must be a number that {name} holds, from {least} to {least + span - 1}, "
        f"got {value!r}; cast the array with astype to a dtype that holds it"
    )


def size_has_rank(x: Any, function: str, argument: str) -> ValueError:
    """Build the error for a size that is a vector or a matrix."""
    return ValueError(f"{function}: `{argument}` must be {_SIZES}, got {describe(x)}, which is not 0-d")


def size_is_traced(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for a size whose value a JAX trace does not know."""
    return TypeError(
        f"{function}: `{argument}` is a traced value ({describe(x)}), and the shape of the result depends on "
        f"it. Mark it static, as in jax.jit(f, static_argnames=({argument!r},)), or take it from a shape, "
        "as in at.shape(x)[0]"
    )


def _readable(shape: Sequence[Any]) -> tuple[Any, ...]:
    """Return a shape whose unknown lengths, tensors in a TensorFlow graph, read as None."""
    return tuple(None if hasattr(size, "dtype") else size for size in shape)


def rows_do_not_match(x_shape: Sequence[Any], ids_shape: Sequence[Any], function: str) -> ValueError:
    """Build the error for data and segment ids that do not line up."""
    x_shape, ids_shape = _readable(x_shape), _readable(ids_shape)
    if len(x_shape) == 0:
        problem = "`x` must have at least one dimension (axis 0 is reduced)"
    elif len(ids_shape) != 1:
        problem = "`segment_ids` must be 1-D, one id for each row of `x`"
    else:
        problem = "`segment_ids` must have one id for each row of `x`"
    return ValueError(f"{function}: {problem}, got x of shape {x_shape} and segment_ids of shape {ids_shape}")


def unknown_option(value: Any, function: str, argument: str, allowed: Sequence[Any]) -> ValueError:
    """Build the error for an argument that is none of a few allowed values."""
    choices = ", ".join(repr(choice) for choice in allowed)
    return ValueError(f"{function}: `{argument}` must be one of {choices}, got {value!r}")


def not_a_bool(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for a flag that is not a Python bool."""
    return TypeError(f"{function}: `{argument}` must be True or False, got {describe(x)}")


def not_a_scalar(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for a constant that is not one number."""
    return TypeError(f"{function}: `{argument}` must be a Python or NumPy number, got {describe(x)}")


def not_a_vector(shape: Sequence[Any], function: str, argument: str) -> ValueError:
    """Build the error for a vector argument of another rank."""
    return ValueError(f"{function}: `{argument}` must be 1-D, got shape {_readable(shape)}")


def is_complex(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for complex data where an order or a real result is needed."""
    return TypeError(
        f"{function}: `{argument}` must be real (boolean, integer or floating), got {describe(x)}; "
        "complex numbers have no order"
    )


def total_is_not_rows(x_shape: Sequence[Any], total: Any, function: str) -> ValueError:
    """Build the error for a partition's total that is not the number of rows."""
    return ValueError(
        f"{function}: `total_length` must be the number of rows of `x`, at.shape(x)[0], got {total} and x of "
        f"shape {_readable(x_shape)}"
    )


def negative_length(least: Any, function: str, argument: str) -> ValueError:
    """Build the error for a partition of negative length."""
    return ValueError(f"{function}: `{argument}` must be lengths of at least 0, got {least}")

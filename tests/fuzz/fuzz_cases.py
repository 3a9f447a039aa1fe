"""A case: a portable function, arrays for it, and what NumPy says that it gives."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import optree
from fuzz_values import kind_of, narrow
from running import on_backend, tolerances, widened
from samples import numpy_dtype

from anytensor.testing import assert_trees_close

__all__ = ["Case", "check", "held"]


@dataclass(frozen=True)
class Case:
    """What one example is.

    Attributes:
        name: What is called, with its static arguments.
        function: The portable function of the arrays.
        arrays: NumPy arrays.
        reference: NumPy's own, of the arrays as the backend has them.
        rule: Of the result's dtype: own, floating, real, widened, bool, index, or a dtype's name; None: of no
            interest here.
        scale: How many times the usual tolerance.
        signs: Whether a zero keeps its sign.
    """

    name: str
    function: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]
    reference: Callable[..., Any]
    rule: str | None = "own"
    scale: float = 1.0
    signs: bool = False

    def __repr__(self) -> str:
        shown = ", ".join(f"{x.dtype.name}{list(x.shape)} {x.tolist()!r}" for x in self.arrays)
        return f"<{self.name} of {shown}>"


def result_dtype(rule: str, dtype: str, backend: str) -> str:
    """Return the name of the dtype that a result has."""
    own = on_backend(dtype, backend)
    if rule == "own":
        return own
    if rule == "floating":
        whole = "float64" if backend == "numpy" else "float32"
        return whole if kind_of(dtype) in "biu" else own
    if rule == "real":
        return {"complex64": "float32", "complex128": "float64"}.get(own, own)
    if rule == "widened":
        return widened(backend, dtype)
    if rule == "index":
        return "int32" if backend == "jax" else "int64"
    return on_backend(rule, backend)


def expected(case: Case, backend: str) -> Any:
    """Return what a case gives on a backend, in dtypes as wide as NumPy's."""
    given = [narrow(x, backend) for x in case.arrays]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of empty means
        return case.reference(*given)


def check(case: Case, outcome: Any) -> None:
    """Assert that an outcome is what a case gives."""
    if outcome.error is not None:
        raise AssertionError(f"{outcome.variant}: {case}") from outcome.error
    assert outcome.written == (), f"{outcome.variant}: {case} wrote to {outcome.written}"
    assert outcome.foreign == (), f"{outcome.variant}: {case} returned {outcome.foreign}"
    backend = outcome.variant.backend
    held(case, outcome.outputs, expected(case, backend), backend, str(outcome.variant))


def held(case: Case, got: Any, want: Any, backend: str, where: str) -> None:
    """Assert that outputs have the values wanted, within the tolerance of their dtypes, and their dtypes."""
    ours, structure = optree.tree_flatten(got)
    theirs = structure.flatten_up_to(want)
    for one, other in zip(ours, theirs, strict=True):
        if case.rule is not None:
            wanted = result_dtype(case.rule, case.arrays[0].dtype.name, backend)
            assert one.dtype.name == wanted, f"{where}: {case}: dtype {one.dtype.name}, not {wanted}"
        if case.signs and one.dtype.kind == "f":
            zeros, signs = np.asarray(one) == 0, np.signbit(_as_dtype(other, one.dtype))
            assert (np.signbit(one) == signs)[zeros].all(), f"{where}: {case}: sign of a zero in {one!r}"
        rtol, atol = tolerances(one.dtype.name)
        try:
            assert_trees_close(
                one, _as_dtype(other, one.dtype), rtol=case.scale * rtol, atol=case.scale * atol
            )
        except AssertionError as error:
            raise AssertionError(f"{where}: {case}: {error}\ngot {got!r}\nwant {want!r}") from None


def _as_dtype(x: Any, dtype: Any) -> np.ndarray:
    # What lies past a narrow dtype's greatest number is infinite there, and integers wrap.
    with np.errstate(all="ignore"):
        return np.asarray(x).astype(numpy_dtype(np.dtype(dtype).name))

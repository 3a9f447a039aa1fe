"""Run one portable function on every installed backend and mode, and assert that they agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import optree

from anytensor import errors
from anytensor.testing import jax_runner, numpy_runner, tensorflow_runner, torch_runner
from anytensor.testing.comparison import Rules, compare_gradients, compare_outcome
from anytensor.testing.finite_differences import finite_difference_gradients
from anytensor.testing.operands import Operands, flatten_with_paths
from anytensor.testing.report import Difference, Outcome, Report
from anytensor.testing.running import Options, Run
from anytensor.testing.variant_table import VARIANTS, Variant, select

__all__ = ["assert_portable", "prepare", "run_portable"]

_ROOMS: dict[str, Any] = {
    "numpy": numpy_runner,
    "jax": jax_runner,
    "torch": torch_runner,
    "tensorflow": tensorflow_runner,
}
# Central differences are good to about eight digits; gradients sum more rounding errors than values do.
_DIFFERENCE_TOLERANCE = (1e-5, 1e-6)
_GRADIENT_SLACK = 10.0
# Widest first: the reference for gradients is the first of these that took some.
_GRADIENT_ORDER = ("torch", "tensorflow", "jax")


def prepare(
    function: Callable[..., Any],
    variant: Variant | str,
    *,
    static: int | str | Iterable[int | str] = (),
    gradients: bool = False,
    torch_compiler: str = "aot_eager",
) -> Callable[..., Outcome]:
    """Prepare a portable function for many calls under one variant, compiled once where it compiles.

    Args:
        function: A portable function of arrays, nests of arrays, and static values.
        variant: One of ``variants()``, or its name.
        static: Positions or names of arguments to pass as they are, arrays included.
        gradients: Whether each call also differentiates with respect to the floating arguments.
        torch_compiler: The backend of ``torch.compile``: ``"aot_eager"`` traces and differentiates but
            generates no code, which is quick; ``"inductor"`` is what users run.

    Returns:
        A function of the same arguments as host data, which returns an ``Outcome``. An exception of
        ``function`` is in its ``error``. Calls that differ only in their arrays' entries share a compilation.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If the variant is unknown.
        ImportError: If the backend is not installed.

    Example:
        >>> import numpy as np
        >>> from anytensor.testing import prepare
        >>> double = prepare(lambda x: x * 2, "numpy-readonly")
        >>> double(np.array([1.0, 2.0])).outputs
        array([2., 4.])
    """
    options = _check("prepare", function, gradients, torch_compiler)
    known = {v.name: v for v in VARIANTS}
    name = variant.name if isinstance(variant, Variant) else variant
    if name not in known:
        raise errors.unknown_option(variant, "prepare", "variant", tuple(known))
    return _prepare(function, known[name], static, options, "prepare")


def _prepare(
    function: Callable[..., Any],
    variant: Variant,
    static: int | str | Iterable[int | str],
    options: Options,
    caller: str,
) -> Callable[..., Outcome]:
    options = replace(options, gradients=options.gradients and variant.differentiable)
    execute: Callable[[Operands], Run] = _ROOMS[variant.backend].prepare(function, variant.mode, options)

    def call(*args: Any, **kwargs: Any) -> Outcome:
        operands = Operands(function, args, kwargs, static, caller)
        try:
            run = execute(operands)
        except Exception as error:
            return Outcome(variant, error=error)
        return _outcome(variant, operands, run)

    return call


def _outcome(variant: Variant, operands: Operands, run: Run) -> Outcome:
    foreign = []
    for path, leaf in flatten_with_paths(run.outputs, "output"):
        if hasattr(leaf, "shape") and hasattr(leaf, "dtype") and not run.is_array(leaf):
            foreign.append((path, f"{type(leaf).__module__}.{type(leaf).__name__}"))

    def to_host(leaf: Any) -> Any:
        return run.to_host(leaf) if run.is_array(leaf) else leaf

    written = []
    for path, before, after in zip(operands.paths, operands.leaves, run.leaves, strict=True):
        # In JAX without x64 a 64-bit operand is a 32-bit one from the start.
        now = run.to_host(after)
        if before.astype(now.dtype).tobytes() != np.asarray(now).tobytes():
            written.append(path)
    gradients: dict[str, Any] = {}
    if run.gradients is not None:
        names = [operands.paths[place] for place in operands.floating]
        gradients = {name: run.to_host(g) for name, g in zip(names, run.gradients, strict=True)}
    return Outcome(
        variant,
        optree.tree_map(to_host, run.outputs, none_is_leaf=True),
        gradients,
        None,
        tuple(written),
        tuple(foreign),
        run.narrowing,
    )


def run_portable(
    function: Callable[..., Any],
    *args: Any,
    kwargs: Mapping[str, Any] | None = None,
    static: int | str | Iterable[int | str] = (),
    backends: str | Iterable[str] | None = None,
    modes: str | Iterable[str] | None = None,
    gradients: bool = False,
    torch_compiler: str = "aot_eager",
) -> Report:
    """Run a portable function over host inputs on every installed backend and mode, and compare nothing.

    Args:
        function: A portable function.
        *args: Its arguments: NumPy arrays and scalars, dicts, lists and tuples of them, which become the
            backend's arrays; all else (Python numbers too) is static.
        kwargs: Its keyword arguments, likewise.
        static: Positions or names of arguments to pass as they are, arrays included.
        backends: Names of backends to run on; None runs all that are installed.
        modes: Names of modes; None runs all. See ``variants``.
        gradients: Whether to differentiate with respect to the floating arguments: of the sum of the
            floating outputs, each entry weighed differently.
        torch_compiler: As in ``prepare``.

    Returns:
        A report with one outcome for each variant, exceptions of ``function`` included. A backend that is not
        installed is in ``missing``; one that is installed and fails to import has that error as its outcome.

    Raises:
        TypeError: If an argument of the kit is of the wrong type, or one of the function is a framework's
            tensor.
        ValueError: If a backend, a mode or a static argument is unknown.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> from anytensor.testing import run_portable
        >>> report = run_portable(
        ...     at.segment_sum, np.ones(3), np.array([0, 0, 1]), 2, backends="numpy", modes="eager"
        ... )
        >>> report["numpy"].outputs
        array([2., 1.])
    """
    options = _check("run_portable", function, gradients, torch_compiler)
    outcomes, missing = _run_all("run_portable", function, args, kwargs, static, backends, modes, options)
    return Report(_name(function), outcomes, missing)


def _run_all(
    caller: str,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None,
    static: int | str | Iterable[int | str],
    backends: str | Iterable[str] | None,
    modes: str | Iterable[str] | None,
    options: Options,
) -> tuple[tuple[Outcome, ...], tuple[str, ...]]:
    chosen, absent = select(caller, backends, modes)
    if kwargs is not None and not isinstance(kwargs, Mapping):
        raise TypeError(f"{caller}: `kwargs` must be a mapping or None, got {errors.describe(kwargs)}")
    named = dict(kwargs or {})
    Operands(function, args, named, static, caller)  # complains before any framework is imported
    outcomes = []
    for variant in chosen:
        try:
            call = _prepare(function, variant, static, options, caller)
        except Exception as error:
            outcomes.append(Outcome(variant, error=error))
        else:
            outcomes.append(call(*args, **named))
    return tuple(outcomes), tuple(f"{name} (not installed)" for name in absent)


def assert_portable(
    function: Callable[..., Any],
    *args: Any,
    kwargs: Mapping[str, Any] | None = None,
    static: int | str | Iterable[int | str] = (),
    backends: str | Iterable[str] | None = None,
    modes: str | Iterable[str] | None = None,
    gradients: bool = True,
    finite_differences: bool = False,
    rtol: float | None = None,
    atol: float | None = None,
    dtypes: str | Mapping[str, Mapping[str, str]] = "kind",
    torch_compiler: str = "aot_eager",
) -> Report:
    """Assert that a portable function gives one answer on every installed backend and mode.

    Args:
        function: A portable function.
        *args: As in ``run_portable``.
        kwargs: As in ``run_portable``.
        static: As in ``run_portable``.
        backends: As in ``run_portable``. NumPy's eager run is the reference, whether named here or not.
        modes: As in ``run_portable``.
        gradients: Whether to compare gradients with respect to the floating arguments, across the backends.
        finite_differences: Whether to compare the gradients with central finite differences of the NumPy run
            in float64 instead. Costs two NumPy runs for each floating entry; wants no ties and kinks.
        rtol: Relative tolerance of an entry; None takes that of the coarsest floating dtype that is compared
            (1e-9 for float64, 1e-5 for float32, 4e-3 for float16, 2e-2 for bfloat16; ten times that for
            gradients). Integers must be equal.
        atol: Absolute tolerance, likewise (1e-11, 1e-6, 1e-3, 1e-2).
        dtypes: ``"kind"`` wants the kind of NumPy's dtype (bool, signed, unsigned, floating, complex);
            ``"exact"`` wants the very dtype, which JAX without x64 narrows; a mapping from a backend's name
            to ``{NumPy's dtype: this backend's}`` is exact but for the dtypes in it.
        torch_compiler: As in ``prepare``.

    Returns:
        The report, which names what ran, what it was compared with, and what was left out.

    Raises:
        AssertionError: If no array is among the outputs; if a variant raises, writes to an argument, returns
            another framework's arrays, or differs in structure, shape, dtype, values or gradients. The
            message has every difference: backend and mode, which output, the first entry, what came and what
            was expected.
        TypeError: If an argument of the kit is of the wrong type, or one of the function is a framework's
            tensor.
        ValueError: If a backend, a mode, a static argument or a tolerance is not allowed.

    Notes:
        A NaN equals a NaN. A backend that is not installed is left out and named in the report.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> from anytensor.testing import assert_portable
        >>> def centred(x, ids, n):
        ...     return x - at.take(at.segment_mean(x, ids, n), ids)
        >>> x, ids = np.array([1.0, 3.0, 8.0]), np.array([0, 0, 1])
        >>> print(assert_portable(centred, x, ids, 2, backends="numpy"))
        centred: no difference
        variants run: numpy, numpy-readonly
        values compared with numpy
    """
    options = _check("assert_portable", function, gradients, torch_compiler)
    rules = _check_rules(rtol, atol, dtypes)
    if not isinstance(finite_differences, bool):
        raise _not_a_bool("assert_portable", "finite_differences", finite_differences)
    outcomes, missing = _run_all("assert_portable", function, args, kwargs, static, backends, modes, options)
    named = dict(kwargs or {})
    operands = Operands(function, args, named, static, "assert_portable")
    reference = next((o for o in outcomes if o.variant is VARIANTS[0]), None)
    held = outcomes
    if reference is None:
        reference = _prepare(function, VARIANTS[0], static, options, "assert_portable")(*args, **named)
        held = (reference, *outcomes)
    if reference.error is None and not any(
        isinstance(leaf, (np.ndarray, np.generic)) for leaf in optree.tree_leaves(reference.outputs)
    ):
        got = errors.describe(reference.outputs)
        raise AssertionError(
            f"assert_portable: {_name(function)} returned {got} on NumPy, without an array in it: there is "
            "nothing to compare. A size or a flag compares as an array, at.asarray(n)"
        )
    differences: list[Difference] = []
    compared_with = ""
    for outcome in held:
        # Without a reference there are still errors to report, but no values to compare.
        if reference.error is None or outcome.error is not None:
            own = replace(rules, dtypes="any") if outcome is reference else rules
            differences += compare_outcome(outcome, reference.outputs, own)
    if options.gradients and reference.error is None:
        compared_with, expected = _expected_gradients(function, operands, outcomes, finite_differences)
        rules = replace(rules, slack=_GRADIENT_SLACK)
        if finite_differences:
            rules = replace(rules, floor=_DIFFERENCE_TOLERANCE)
        by_name = dict(zip(operands.paths, operands.leaves, strict=True))
        for outcome in outcomes:
            if outcome.variant.name != compared_with:
                differences += compare_gradients(outcome, expected, by_name, rules)
    report = Report(_name(function), outcomes, missing, tuple(differences), "numpy", compared_with)
    if differences:
        raise AssertionError(str(report))
    return report


def _expected_gradients(
    function: Callable[..., Any], operands: Operands, outcomes: tuple[Outcome, ...], finite_differences: bool
) -> tuple[str, Mapping[str, Any]]:
    """Return the name of what gradients are compared with, and those gradients."""
    took = [outcome for outcome in outcomes if outcome.gradients]
    if not took:
        return "", {}
    if finite_differences:
        return "finite differences of numpy", finite_difference_gradients(function, operands)
    best = min(took, key=lambda outcome: _GRADIENT_ORDER.index(outcome.variant.backend))
    return (best.variant.name if len(took) > 1 else ""), best.gradients


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _check(caller: str, function: Any, gradients: Any, torch_compiler: Any) -> Options:
    if not callable(function):
        raise TypeError(f"{caller}: `function` must be callable, got {errors.describe(function)}")
    if not isinstance(gradients, bool):
        raise _not_a_bool(caller, "gradients", gradients)
    if not isinstance(torch_compiler, str):
        raise TypeError(
            f"{caller}: `torch_compiler` must be the name of a torch.compile backend, such as 'aot_eager' or "
            f"'inductor', got {errors.describe(torch_compiler)}"
        )
    return Options(gradients, torch_compiler)


def _check_rules(rtol: Any, atol: Any, dtypes: Any) -> Rules:
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(
                f"assert_portable: `{name}` must be a number or None, got {errors.describe(value)}"
            )
        if not value >= 0:
            raise ValueError(f"assert_portable: `{name}` must be at least 0, got {value}")
    if isinstance(dtypes, Mapping):
        known = tuple(_ROOMS)
        for backend, table in dtypes.items():
            if backend not in known:
                raise errors.unknown_option(backend, "assert_portable", "dtypes", known)
            if not isinstance(table, Mapping):
                raise TypeError(
                    f"assert_portable: `dtypes[{backend!r}]` must be a mapping from NumPy's dtype name to "
                    f"the backend's, got {errors.describe(table)}"
                )
    elif dtypes not in ("kind", "exact"):
        raise errors.unknown_option(
            dtypes, "assert_portable", "dtypes", ("kind", "exact", "a mapping by backend")
        )
    return Rules(rtol, atol, dtypes)


def _not_a_bool(caller: str, argument: str, value: Any) -> TypeError:
    return TypeError(f"{caller}: `{argument}` must be True or False, got {errors.describe(value)}")

"""Bad input: each public function names the argument that is wrong, on every backend, before it computes."""

import ast
import inspect
import sys
import warnings
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
import torch
from bad_input_calls import FIT, OBJECTS, WITHOUT
from bad_input_table import KINDS, NAMED, SPECIAL

import anytensor as at
from anytensor import fft, hetero, jraph, linalg, tree
from anytensor.testing import prepare

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from roads.calls import BINARY, BUYS, CALLS, JOIN, UNTRACED, arrays, fields, function_of, typed

MODULES = {"at": at, "linalg": linalg, "fft": fft, "tree": tree, "jraph": jraph, "hetero": hetero}
MAKERS = {
    "numpy": np.array,
    "jax": jnp.asarray,
    "torch": lambda host: torch.tensor(host),
    "tensorflow": tf.constant,
}
HOST = arrays(4)
NAMES = {"fields": fields, "typed": typed, "BUYS": BUYS, "JOIN": JOIN, "OBJECTS": OBJECTS}


def scope(backend, bad=None):
    """Return the names that an expression of the table may have, on one backend."""
    made = {name: MAKERS[backend](host) for name, host in HOST.items()}
    made["v5"], made["EMPTY"] = MAKERS[backend](np.ones(5, np.float32)), MAKERS[backend](HOST["x"][:0])
    return {**MODULES, **NAMES, **made, "bad": bad}


def module_and_name(name):
    prefix, _, short = name.rpartition(".")
    return prefix.rpartition(".")[2], short


def parameters(name):
    module, short = module_and_name(name)
    listed = inspect.signature(getattr(MODULES[module], short)).parameters.values()
    return [p for p in listed if p.kind is not p.VAR_KEYWORD]


def call_of(name, parsed):
    """Return the call of a function in the expression of its row."""
    module, short = module_and_name(name)
    for node in ast.walk(parsed):
        function = getattr(node, "func", None)
        if isinstance(function, ast.Attribute) and ast.unparse(function) == f"{module}.{short}":
            return node
    raise AssertionError(f"{CALLS[name]} does not call {name}")


def replaced(name, parameter):
    """Return the row's expression with an argument called ``bad``, and the argument before, or None."""
    parsed = ast.parse(CALLS[name], mode="eval")
    call = call_of(name, parsed)
    every = parameters(name)
    place = [p.name for p in every].index(parameter.name)
    bad, before = ast.Name("bad", ast.Load()), None
    if parameter.kind is parameter.VAR_POSITIONAL or (
        parameter.kind is not parameter.KEYWORD_ONLY and place < len(call.args)
    ):
        before = call.args[place]
        call.args[place] = bad
    elif parameter.kind is parameter.POSITIONAL_ONLY:
        assert place == len(call.args)
        call.args.append(bad)
    else:
        before = next((word.value for word in call.keywords if word.arg == parameter.name), None)
        call.keywords = [word for word in call.keywords if word.arg != parameter.name]
        call.keywords.append(ast.keyword(parameter.name, bad))
    ast.fix_missing_locations(parsed)
    return compile(parsed, name, "eval"), before and ast.unparse(before)


def kind_of(name, parameter):
    short = name.removeprefix("at.")
    return SPECIAL.get((short, parameter.name)) or NAMED[parameter.name]


def is_none_allowed(parameter):
    return parameter.default is None


ROWS = [(name, parameter) for name in CALLS for parameter in parameters(name)]
CHECKED = [(name, p) for name, p in ROWS if kind_of(name, p) != "free"]


def outcome(code, backend, bad):
    try:
        eval(code, scope(backend, bad))
    except Exception as error:
        return error
    return None


def names_of(name):
    """Return the public names of a function: what an error may call it."""
    module, short = module_and_name(name)
    function = getattr(MODULES[module], short)
    if module == "tree":
        return ("tree",)
    return tuple(other for other in MODULES[module].__all__ if getattr(MODULES[module], other) is function)


def problem(name, parameter, error, expected):
    """Return what is wrong with an error, or None."""
    if error is None:
        return "no error"
    text = str(error)
    if not isinstance(error, expected):
        return f"{type(error).__name__} instead of {expected.__name__}: {text[:200]}"
    argument = "tensors[" if parameter.name == "tensors_and_pattern" else parameter.name
    missing = [] if f"`{argument}" in text else [argument]
    if not any(other in text for other in names_of(name)):
        missing.append(name)
    return f"{missing} not in: {text[:200]}" if missing else None


@pytest.mark.parametrize(("name", "parameter"), CHECKED, ids=[f"{n}-{p.name}" for n, p in CHECKED])
def test_a_bad_value_is_refused_by_name(name, parameter):
    code, valid = replaced(name, parameter)
    wrong = []
    for label, (value, expected) in KINDS[kind_of(name, parameter)].items():
        if value is None and is_none_allowed(parameter):
            continue
        for backend, make in MAKERS.items():
            good = eval(valid, scope("numpy")) if valid else HOST["x"]
            bad = value(make, good) if inspect.isfunction(value) else value
            found = problem(name, parameter, outcome(code, backend, bad), expected)
            if found:
                wrong.append(f"{label} on {backend}: {found}")
    assert wrong == []


@pytest.mark.parametrize("expression", FIT)
def test_what_does_not_fit_is_refused_by_name(expression):
    expected, words = FIT[expression]
    wrong = []
    for backend in MAKERS:
        error = outcome(expression, backend, None)
        missing = [word for word in words if word not in str(error)]
        if not isinstance(error, expected) or missing:
            wrong.append(f"{backend}: {error!r}, not an {expected.__name__} with {missing}")
    assert wrong == []


PAIRS = [*BINARY, "pow", *[f"logical_{name}" for name in ("and", "or", "xor")]]


@pytest.mark.parametrize("backend", MAKERS)
def test_element_wise_operands_that_do_not_broadcast(backend):
    make, wrong = MAKERS[backend], []
    for name in PAIRS:
        for shapes in (((4, 3), (5,)), ((4, 3), (2, 4, 4))):
            x1, x2 = (make(np.ones(shape, np.float32)) for shape in shapes)
            try:
                getattr(at, name)(x1, x2)
            except ValueError as error:
                text = str(error)
                if not all(word in text for word in (name, *map(str, shapes))):
                    wrong.append(f"{name}: {text}")
            else:
                wrong.append(f"{name}: no error for {shapes}")
    assert wrong == []


ARRAYS = ("data", "any dtype", "real", "number", "real number", "integer or bool", "index")


def rows_of_two_arrays():
    """Return the functions of two arrays or more, with the parameter of the last one."""
    found = {}
    for name, parameter in CHECKED:
        valid = replaced(name, parameter)[1]
        if kind_of(name, parameter) in ARRAYS and valid and hasattr(eval(valid, scope("numpy")), "shape"):
            found.setdefault(name, []).append(parameter)
    return [(name, listed[-1]) for name, listed in found.items() if len(listed) > 1]


@pytest.mark.parametrize(
    ("name", "parameter"), rows_of_two_arrays(), ids=[name for name, _ in rows_of_two_arrays()]
)
def test_two_frameworks_are_refused_by_name(name, parameter):
    code, valid = replaced(name, parameter)
    frameworks = ("jax", "torch", "tensorflow")
    for backend, other in zip(frameworks, (*frameworks[1:], frameworks[0]), strict=True):
        error = outcome(code, backend, eval(valid, scope(other)))
        kinds = [type(MAKERS[framework](np.ones(1))).__name__ for framework in (backend, other)]
        text = str(error)
        assert type(error) is TypeError, f"{error!r} for {backend} beside {other}"
        assert "two frameworks" in text
        assert any(known in text for known in names_of(name)), text
        assert [kind for kind in kinds if kind not in text] == [], text


# Dynamo makes exceptions its own; the others pass on what a trace raises.
COMPILED = {
    "jax-jit": jax.jit,
    "tensorflow-function": tf.function,
    "tensorflow-xla": lambda function: tf.function(function, jit_compile=True),
}
TRACED = {
    "at.add(x, v5)": FIT["at.where(b, x, v5)"][:1] + (["add", "(4, 3)", "(5,)"],),
    "at.cumulative_sum(x)": FIT["at.cumulative_sum(x)"],
    "at.sum(x, keepdims=1)": (TypeError, ["sum", "`keepdims`", "int 1"]),
    "at.less(x, at.astype(x, 'complex64'))": (TypeError, ["less", "`x2`", "complex"]),
    "at.segment_sum(x, x, 3)": (TypeError, ["segment_sum", "`segment_ids`", "float32"]),
    "at.zeros((2, -1), like=x)": FIT["at.zeros((2, -1), like=x)"],
    "at.take(x, x)": (TypeError, ["take", "`indices`", "float32"]),
    "at.concat([x, w])": FIT["at.concat([x, w])"],
    "at.linalg.det(x)": FIT["at.linalg.det(x)"],
    "tree.map(3, [x])": (TypeError, ["tree.map", "`f`", "int 3"]),
}


@pytest.mark.parametrize("mode", COMPILED)
@pytest.mark.parametrize("expression", TRACED)
def test_a_trace_refuses_alike(mode, expression):
    expected, words = TRACED[expression]
    given = scope(mode.split("-")[0])

    def traced(x, w, v5):
        return eval(expression, {**given, "x": x, "w": w, "v5": v5})

    with pytest.raises(expected) as caught:
        COMPILED[mode](traced)(given["x"], given["w"], given["v5"])
    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize("name", CALLS)
def test_arguments_are_never_written_to(name):
    call, names = function_of(CALLS[name])
    for variant in ("numpy-readonly", "torch", "jax", "tensorflow"):
        outcome = prepare(call, variant)(*[HOST[argument] for argument in names])
        assert outcome.error is None, f"{variant}: {outcome.error!r}"
        assert outcome.written == (), variant


# Layers apply the table's lambdas to arrays as they came, and `h @ w` is PyTorch's own.
MIXED = [name for name in CALLS if len(function_of(CALLS[name])[1]) > 1 and not name.startswith("hetero.")]


@pytest.mark.parametrize("name", MIXED)
def test_host_arrays_beside_a_tensor_are_never_written_to(name):
    """A NumPy array that goes along with a framework may share its memory with the framework's tensor."""
    call, names = function_of(CALLS[name])
    given = [HOST[argument].copy() for argument in names]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", at.CopyWarning)
        call(torch.tensor(given[0]), *given[1:])
    for argument, now in zip(names, given, strict=True):
        np.testing.assert_array_equal(now, HOST[argument], err_msg=argument)


def test_every_public_function_has_a_row():
    reason = "types, numbers and namespaces"
    called = {*CALLS, *WITHOUT, *UNTRACED[reason]}
    missing = [
        name
        for names in UNTRACED.values()
        for name in names
        if name not in called and not any(f"{name}(" in expression for expression in FIT)
    ]
    assert missing == []


def test_every_argument_is_of_a_kind():
    kinds = {kind_of(name, parameter) for name, parameter in ROWS}
    assert kinds == {*KINDS, "free"}
    functions = {name.removeprefix("at.") for name in CALLS}
    assert {function for function, _ in SPECIAL} <= functions

"""The roads: each runs one call of the table, and says why it does not go where it does not."""

from __future__ import annotations

import contextlib
import io
import logging
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from anytensor import export, tree
from anytensor.testing import prepare
from roads.calls import FIXED, ROWS, arrays

Call = Callable[..., Any]
Reason = str | None


def _inputs(names: tuple[str, ...], rows: int) -> list[Any]:
    held = arrays(rows)
    return [held[name] for name in names]


def _expected(call: Call, inputs: list[Any]) -> list[Any]:
    with np.errstate(all="ignore"):
        return [np.asarray(leaf) for leaf in tree.leaves(call(*inputs))]


def _compare(got: list[Any], wanted: list[Any]) -> None:
    assert len(got) == len(wanted), f"{len(got)} results, not {len(wanted)}"
    for found, value in zip(got, wanted, strict=True):
        found = np.asarray(found)
        assert found.shape == value.shape, f"shape {found.shape}, not {value.shape}"
        np.testing.assert_allclose(found, value, rtol=1e-3, atol=1e-4)


def _variants(*variants: str) -> Callable[[Call, tuple[str, ...]], Reason]:
    def drive(call: Call, names: tuple[str, ...]) -> Reason:
        note = None
        for variant in variants:
            for gradients in (True, False):
                run = prepare(call, variant, gradients=gradients)
                for rows in ROWS:
                    outcome = run(*_inputs(names, rows))
                    if outcome.error is not None:
                        break
                    _compare(tree.leaves(outcome.outputs), _expected(call, _inputs(names, rows)))
                if outcome.error is None:
                    break
                note = f"no gradient: {_first_line(outcome.error)}"
            if outcome.error is not None:
                raise outcome.error
        return note

    return drive


def _vmap(call: Call, names: tuple[str, ...]) -> Reason:
    import jax

    some, other = _inputs(names, ROWS[0]), _inputs(names, ROWS[0])
    other = [x[::-1] if x.ndim > 1 else x for x in other]
    both = [np.stack(pair) for pair in zip(some, other, strict=True)]
    found = tree.leaves(jax.jit(jax.vmap(call))(*both))
    for i, inputs in enumerate((some, other)):
        _compare([leaf[i] for leaf in found], _expected(call, inputs))
    return None


def _jvp(call: Call, names: tuple[str, ...]) -> Reason:
    import jax

    inputs = [jax.numpy.asarray(x) for x in _inputs(names, ROWS[0])]
    kinds = [x.dtype.kind if x.dtype.kind != "V" else "f" for x in inputs]
    zero = jax.dtypes.float0
    tangents = [
        np.ones(x.shape, x.dtype if kind == "f" else zero) if kind == "f" else np.zeros(x.shape, zero)
        for x, kind in zip(inputs, kinds, strict=True)
    ]
    value, _ = jax.jvp(call, inputs, tangents)
    _compare(tree.leaves(value), _expected(call, _inputs(names, ROWS[0])))
    return None


def _torch_export(call: Call, names: tuple[str, ...]) -> Reason:
    import torch

    inputs = [torch.tensor(x) for x in _inputs(names, ROWS[0])]
    lengths = tuple(None if name in FIXED else {0: torch.export.Dim.DYNAMIC} for name in names)
    module = export.as_torch_module(lambda *args: tuple(tree.leaves(call(*args))))
    program = torch.export.export(module, tuple(inputs), dynamic_shapes={"args": lengths})
    for rows in ROWS:
        given = _inputs(names, rows)
        found = program.module()(*[torch.tensor(x) for x in given])
        _compare([leaf.resolve_conj().numpy() for leaf in found], _expected(call, given))
    return None


def _in_onnx_runtime(model: Any, call: Call, names: tuple[str, ...]) -> None:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    for rows in ROWS:
        inputs = _inputs(names, rows)
        found = session.run(None, dict(zip(names, inputs, strict=True)))
        _compare(found, _expected(call, inputs))


def _onnx_torch(call: Call, names: tuple[str, ...]) -> Reason:
    lengths = tuple(None if name in FIXED else {0: f"{name}_length"} for name in names)
    model = export.to_onnx_torch(call, tuple(_inputs(names, ROWS[0])), dynamic_shapes=lengths)
    _in_onnx_runtime(model, call, names)
    return None


def _onnx_tensorflow(call: Call, names: tuple[str, ...]) -> Reason:
    import tensorflow as tf

    signature = [
        tf.TensorSpec(x.shape if name in FIXED else [None, *x.shape[1:]], x.dtype, name)
        for name, x in zip(names, _inputs(names, ROWS[0]), strict=True)
    ]
    _in_onnx_runtime(export.to_onnx_tensorflow(call, signature), call, names)
    return None


ROADS: dict[str, Callable[[Call, tuple[str, ...]], Reason]] = {
    "`jax.jit`": _variants("jax-jit"),
    "`vmap`": _vmap,
    "`jvp`": _jvp,
    "`torch.compile`": _variants("torch-compile", "torch-compile-dynamic"),
    "`torch.export`": _torch_export,
    "`tf.function`": _variants("tensorflow-function-none"),
    "XLA": _variants("tensorflow-xla"),
    "ONNX, torch": _onnx_torch,
    "ONNX, tf": _onnx_tensorflow,
}


def drive(road: str, call: Call, names: tuple[str, ...]) -> Reason:
    """Return None where a road goes, else why not, in a line."""
    with _quiet():
        try:
            return ROADS[road](call, names)
        except AssertionError as error:
            return "another result: " + " ".join(str(error).split())[:160]
        except Exception as error:
            return _first_line(error)


_COLOUR = re.compile(r"\x1b\[\d+m")


def _first_line(error: BaseException) -> str:
    """Return the kind of an error and the line that says most; the exporter's own wrap what happened."""
    while error.__cause__ is not None and type(error).__module__.startswith("torch.onnx"):
        error = error.__cause__
    lines = [line.strip() for line in _COLOUR.sub("", str(error)).splitlines() if line.strip()] or [""]
    told = lines[-1] if lines[0].endswith("in user code:") else lines[0]
    # What differs from run to run would make reasons of one.
    text = re.sub(r"__inference_\w+\[[^]]*\] on|0x[0-9a-f]+|\bs\d+\b|\d+\.\d{4,}", "..", told)
    return f"{type(error).__name__}: {text}"[:200]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)

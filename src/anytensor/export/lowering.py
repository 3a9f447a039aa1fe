"""How tf2onnx is to lower the TensorFlow operations that it gets wrong.

Segment kernels become ScatterND with a reduction. tf2onnx 1.17 sorts the ids and builds a padded table of
rows: an id of -1 is the last segment, no rows at all are an error, and one long segment costs as much as if
all were so long. Here ids are in range, as the kernels of ``backends/tensorflow`` leave them in every trace.

What tf2onnx has nothing for, Expm1 and Log1p, is written in what there is.

A selection becomes Where. tf2onnx multiplies by 0 and 1 and adds, and makes NaN of an infinity not selected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["HANDLERS"]

_REDUCTIONS = {
    "UnsortedSegmentSum": "add",
    "UnsortedSegmentProd": "mul",
    "UnsortedSegmentMax": "max",
    "UnsortedSegmentMin": "min",
}
# ONNX Runtime's CPU scatters (1.32) reduce no halves.
_WIDER = {np.dtype(np.float16): np.dtype(np.float32)}


def _start(kind: str, dtype: Any) -> Any:
    """Return what TensorFlow's kernel leaves in a segment without rows."""
    if kind in ("add", "mul"):
        return dtype.type(0 if kind == "add" else 1)
    limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    return limits.min if kind == "max" else limits.max


def _lower_segments(ctx: Any, node: Any, name: str, args: Any) -> None:
    """Replace one kernel: start values of shape (n, ...), and the rows scattered into them."""
    from onnx import TensorProto, helper, numpy_helper
    from tf2onnx import utils

    kind = _REDUCTIONS[node.type]
    data, ids, count = node.input
    outputs, dtypes, shapes = list(node.output), node.output_dtypes, node.output_shapes
    dtype = np.dtype(utils.map_onnx_to_numpy_type(ctx.get_dtype(data)))
    work = _WIDER.get(dtype, dtype)
    work_type = helper.np_dtype_to_tensor_dtype(work)
    ctx.remove_node(name)

    def make(op: str, inputs: list[str], **attributes: Any) -> str:
        return ctx.make_node(op, inputs, attr=attributes).output[0]  # type: ignore[no-any-return]

    def constant(values: Any) -> str:
        return ctx.make_const(utils.make_name(name), np.asarray(values, np.int64)).name  # type: ignore[no-any-return]

    rows = make("Cast", [data], to=work_type) if work != dtype else data
    count = make("Reshape", [make("Cast", [count], to=TensorProto.INT64), constant([1])])
    width = make("Shape", [data], start=1)
    start = numpy_helper.from_array(np.asarray([_start(kind, dtype)]).astype(work))
    begin = make("ConstantOfShape", [make("Concat", [count, width], axis=0)], value=start)
    places = make("Unsqueeze", [make("Cast", [ids], to=TensorProto.INT64), constant([-1])])
    inputs = [begin, places, rows]
    if work == dtype:
        ctx.make_node(
            "ScatterND",
            inputs,
            attr={"reduction": kind},
            name=name,
            outputs=outputs,
            shapes=shapes,
            dtypes=dtypes,
        )
        return
    found = make("ScatterND", inputs, reduction=kind)
    ctx.make_node(
        "Cast",
        [found],
        attr={"to": dtypes[0]},
        name=name,
        outputs=outputs,
        shapes=shapes,
        dtypes=dtypes,
    )


def _lower_selection(ctx: Any, node: Any, name: str, args: Any) -> None:
    inputs, outputs, dtypes, shapes = (
        list(node.input),
        list(node.output),
        node.output_dtypes,
        node.output_shapes,
    )
    ctx.remove_node(name)
    ctx.make_node("Where", inputs, name=name, outputs=outputs, shapes=shapes, dtypes=dtypes)


def _lower_expm1(ctx: Any, node: Any, name: str, args: Any) -> None:
    """Take exp(x) - 1 as tanh(x / 2) * (exp(x) + 1), which loses no digits near 0."""
    x, make, finish = _taken(ctx, node, name)
    half, one = _number(ctx, x, 0.5), _number(ctx, x, 1)
    finish("Mul", [make("Tanh", [make("Mul", [x, half])]), make("Add", [make("Exp", [x]), one])])


def _lower_log1p(ctx: Any, node: Any, name: str, args: Any) -> None:
    """Take log(1 + x), corrected by the quotient of x and what 1 + x made of it."""
    x, make, finish = _taken(ctx, node, name)
    one = _number(ctx, x, 1)
    near = make("Add", [x, one])
    moved = make("Sub", [near, one])
    nothing = make("Equal", [near, one])
    exact = make("Or", [nothing, make("Equal", [moved, x])])
    log = make("Log", [near])
    corrected = make("Mul", [log, make("Div", [x, make("Where", [exact, one, moved])])])
    finish("Where", [nothing, x, make("Where", [exact, log, corrected])])


def _taken(ctx: Any, node: Any, name: str) -> tuple[str, Callable[..., str], Callable[..., None]]:
    """Take a node of one operand out; return the operand, what makes a node, and what makes the last one."""
    (x,), outputs, dtypes, shapes = (
        list(node.input),
        list(node.output),
        node.output_dtypes,
        node.output_shapes,
    )
    ctx.remove_node(name)

    def make(op: str, inputs: list[str]) -> str:
        return ctx.make_node(op, inputs).output[0]  # type: ignore[no-any-return]

    def finish(op: str, inputs: list[str]) -> None:
        ctx.make_node(op, inputs, name=name, outputs=outputs, shapes=shapes, dtypes=dtypes)

    return x, make, finish


def _number(ctx: Any, like: str, value: float) -> str:
    from tf2onnx import utils

    dtype = utils.map_onnx_to_numpy_type(ctx.get_dtype(like))
    return ctx.make_const(utils.make_name("number"), np.asarray(value, dtype)).name  # type: ignore[no-any-return]


HANDLERS: dict[str, tuple[Callable[..., None], list[Any]]] = {
    **{kernel: (_lower_segments, []) for kernel in _REDUCTIONS},
    "SelectV2": (_lower_selection, []),
    "Expm1": (_lower_expm1, []),
    "Log1p": (_lower_log1p, []),
}
"""Operation to handler, as ``custom_op_handlers`` of tf2onnx wants them."""

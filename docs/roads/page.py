"""The page: a table of functions and roads, and the reasons below it."""

from __future__ import annotations

from collections.abc import Mapping

from roads.calls import UNTRACED
from roads.driving import ROADS

HEAD = """# Roads

Every public function through every compiler and export, as `python -m roads` in `docs` found by running them,
with {versions}.
A tick: the road gives what NumPy gives eagerly, at two lengths where it leaves them open. A number: why not,
below.

- `jax.jit`: values and gradients. `vmap`: under `jit`, over a new first axis of every argument. `jvp`:
  forward mode.
- `torch.compile`: `fullgraph=True`, static and dynamic shapes, forward and backward (`aot_eager`).
- `torch.export`: the first axes `Dim.DYNAMIC`. `tf.function`: the first axes None, with gradients. XLA:
  `jit_compile=True`, with gradients.
- ONNX: exported by `to_onnx_torch` and `to_onnx_tensorflow`, the first axes symbolic, run in ONNX Runtime.
- `torch.jit.script`, legacy: `segment_sum`, `segment_min` and `segment_max`, after `at.enable_torchscript()`.
"""


def write(found: Mapping[str, Mapping[str, str | None]], versions: Mapping[str, str]) -> str:
    """Return the page.

    Args:
        found: For each function and road None, or the reason why it does not go.
        versions: Of the packages that the roads belong to.
    """
    reasons: dict[str, int] = {}
    lines = [HEAD.format(versions=", ".join([f"{name} {number}" for name, number in versions.items()]))]
    lines += [f"| function | {' | '.join(ROADS)} |", "|---" * (len(ROADS) + 1) + "|"]
    for name, row in found.items():
        cells = []
        for road in ROADS:
            reason = row[road]
            cells.append("✓" if reason is None else str(reasons.setdefault(reason, len(reasons) + 1)))
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    lines += ["", "## Reasons", ""]
    lines += [f"{number}. {_escaped(reason)}" for reason, number in reasons.items()]
    lines += ["", "## Not run", ""]
    lines += [
        f"- {reason}: {', '.join([f'`{name}`' for name in names])}." for reason, names in UNTRACED.items()
    ]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")

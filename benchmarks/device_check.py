"""The segment contract and the speed table on one accelerator; run by ``benchmarks/device_check.sh``.

The contract part holds every operation to the slow references of ``tests/references.py``: values and
gradients, dropped ids, empty segments, NaN and infinities, narrow dtypes, sorted ids. The speed part compares
with the framework's own call on the same device, interleaved, as a ratio of medians.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import anytensor as at
import references as slow  # tests/references.py
from benchmarks.timing import human, interleave, table

OPERATIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any] | None]] = {
    "segment_sum": (slow.total, slow.pull_total),
    "segment_prod": (slow.product, slow.pull_product),
    "segment_min": (slow.least, slow.pull_least),
    "segment_max": (slow.greatest, slow.pull_greatest),
    "segment_mean": (slow.mean, slow.pull_mean),
    "segment_variance": (slow.variance, slow.pull_variance),
    "segment_std": (slow.deviation, slow.pull_deviation),
    "segment_normalize": (slow.normalized, slow.pull_normalized),
    "segment_softmax": (slow.softmax, slow.pull_softmax),
    "segment_logsumexp": (slow.logsumexp, slow.pull_logsumexp),
}
INTEGER = ("segment_sum", "segment_prod", "segment_min", "segment_max")
LIMIT = 200.0
"""Seconds after which nothing new is begun."""


def cases() -> Iterator[tuple[str, np.ndarray, np.ndarray, int, bool]]:
    """Yield (what it is, x, ids, n, whether gradients are compared)."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 3)).astype(np.float32)
    ids = rng.integers(-1, 7, 40).astype(np.int32)
    yield "plain", x, ids, 6, True
    yield "sorted", x, np.sort(ids), 6, True
    yield "dropped", x, (ids * 1000).astype(np.int64), 6, True
    yield "one axis, uint8 ids", x[:, 0], ids.astype(np.uint8), 9, True
    yield "no rows", x[:0], ids[:0], 3, False
    yield "no segments", x, ids, 0, False
    yield "ties", np.round(x), ids, 6, False
    special = x.copy()
    special[3, 0], special[7, 1], special[11, 2] = np.nan, np.inf, -np.inf
    yield "NaN and infinities", special, ids, 6, False
    yield "float16", x.astype(np.float16), ids, 6, False
    yield "int8", np.clip(x * 3, -3, 3).astype(np.int8), ids, 6, False


def to_device(backend: str, device: str, x: np.ndarray) -> Any:
    """Return the backend's tensor on the device."""
    if backend == "torch":
        import torch

        return torch.from_numpy(x.copy()).to(device)
    import jax

    return jax.device_put(x, jax.devices(device)[0])


def to_host(x: Any) -> np.ndarray:
    """Return a NumPy array."""
    return np.asarray(x.detach().cpu() if hasattr(x, "detach") else x)


def gradient(backend: str, function: Callable[[Any], Any], x: Any, g: Any) -> Any:
    """Return the gradient of sum(function(x) * g)."""
    if backend == "torch":
        leaf = x.clone().requires_grad_()
        (function(leaf) * g).sum().backward()
        return leaf.grad
    import jax

    return jax.grad(lambda x: (function(x) * g).sum())(x)


def _close(got: np.ndarray, want: np.ndarray, half: bool) -> bool:
    if got.shape != want.shape:
        return False
    rtol, atol = (4e-3, 4e-3) if half else (3e-4, 3e-5)
    return bool(np.allclose(got.astype(np.float64), np.asarray(want, np.float64), rtol, atol, equal_nan=True))


def contract(backend: str, device: str, started: float) -> tuple[int, list[str]]:
    """Return how many comparisons were made, and what differed."""
    made, failed = 0, []
    for name, (reference, pullback) in OPERATIONS.items():
        operation = getattr(at, name)
        for what, x, ids, n, differentiable in cases():
            if time.perf_counter() - started > LIMIT:
                return made, [*failed, f"stopped after {LIMIT} s, at {name}, {what}"]
            if x.dtype.kind == "i" and name not in INTEGER:
                continue
            if name == "segment_normalize" and x.dtype == np.float16:
                continue  # sums near 0 make its quotients as large as one likes
            made += 1
            rows, numbers = (to_device(backend, device, a) for a in (x, ids))
            ordered = what == "sorted"

            def call(
                z: Any, operation: Any = operation, numbers: Any = numbers, n: int = n, s: bool = ordered
            ) -> Any:
                return operation(z, numbers, n, s)

            try:
                with np.errstate(all="ignore"):
                    want = np.asarray(reference(x, ids, n))
                    good = _close(to_host(call(rows)), want, x.dtype == np.float16)
                    if good and differentiable and pullback is not None:
                        g = np.linspace(-1, 1, want.size).reshape(want.shape).astype(np.float32)
                        slope = gradient(backend, call, rows, to_device(backend, device, g))
                        good = _close(to_host(slope), pullback(g, x, ids, n), False)
            except Exception as error:
                failed.append(f"{backend} {name}, {what}: {type(error).__name__}: {str(error)[:200]}")
                continue
            if not good:
                failed.append(f"{backend} {name}, {what}: differs from the reference")
    return made, failed


def speed(backend: str, device: str, small: bool, started: float) -> list[dict[str, Any]]:
    """Return a record for each call: ours, the framework's own, their ratio."""
    records = []
    sizes = [(20_000, 2_000, 8)] if small else [(1_000_000, 100_000, 1), (1_000_000, 100_000, 64)]
    for rows, n, width in sizes:
        for name, ours, own in _pairs(backend, device, rows, n, width):
            if time.perf_counter() - started > LIMIT:
                return records
            times = interleave({"ours": ours, "own": own}, 7, 0.05)
            records.append(
                {
                    "backend": backend,
                    "call": f"{name}: {rows:,} x {width} in {n:,}",
                    "ours": times["ours"].median,
                    "own": times["own"].median,
                    "ratio": times["ours"].median / times["own"].median,
                }
            )
    return records


def _pairs(backend: str, device: str, rows: int, n: int, width: int) -> list[tuple[str, Any, Any]]:
    rng = np.random.default_rng(0)
    x = to_device(backend, device, rng.normal(size=(rows, width)).astype(np.float32))
    host_ids = rng.integers(0, n, rows)
    ids, ordered = (to_device(backend, device, a) for a in (host_ids, np.sort(host_ids)))
    if backend == "torch":
        import torch

        def done(function: Callable[[], Any]) -> Callable[[], Any]:
            def call() -> None:
                function()
                if device != "cpu":
                    torch.cuda.synchronize()

            return call

        index = ids[:, None].expand_as(x)
        own_sum = lambda ids: x.new_zeros((n, width)).index_add_(0, ids, x)  # noqa: E731
        own_max = lambda: x.new_full((n, width), -torch.inf).scatter_reduce_(0, index, x, "amax")  # noqa: E731

        def own_softmax() -> Any:
            e = (x - own_max().index_select(0, ids)).exp()
            total = x.new_zeros((n, width)).index_add_(0, ids, e)
            return e / total.index_select(0, ids)

    else:
        import jax

        def done(function: Callable[[], Any]) -> Callable[[], Any]:
            return lambda: jax.block_until_ready(function())

        jitted = jax.jit(jax.ops.segment_sum, static_argnums=2)
        highest = jax.jit(jax.ops.segment_max, static_argnums=2)
        own_sum = lambda ids: jitted(x, ids, n)  # noqa: E731
        own_max = lambda: highest(x, ids, n)  # noqa: E731

        @jax.jit
        def softmax(x: Any, ids: Any) -> Any:
            e = jax.numpy.exp(x - jax.ops.segment_max(x, ids, n)[ids])
            return e / jax.ops.segment_sum(e, ids, n)[ids]

        own_softmax = lambda: softmax(x, ids)  # noqa: E731
    return [
        ("sum", done(lambda: at.segment_sum(x, ids, n)), done(lambda: own_sum(ids))),
        ("sum, sorted", done(lambda: at.segment_sum(x, ordered, n, True)), done(lambda: own_sum(ordered))),
        ("max", done(lambda: at.segment_max(x, ids, n)), done(own_max)),
        ("softmax", done(lambda: at.segment_softmax(x, ids, n)), done(own_softmax)),
    ]


def main() -> None:
    """Check what is installed, print both tables, write the JSON file; exit status 1 if anything differed."""
    parser = argparse.ArgumentParser(prog="benchmarks/device_check.sh", description=__doc__)
    parser.add_argument("--device", default=None, help="cuda, gpu or cpu; the accelerator by default")
    parser.add_argument("--backend", choices=("torch", "jax"), help="one backend; both by default")
    parser.add_argument("--small", action="store_true", help="small inputs: try the script itself")
    parser.add_argument("--out", type=Path, default=Path("out/device_check.json"))
    options = parser.parse_args()
    started = time.perf_counter()
    result: dict[str, Any] = {}
    for backend in [options.backend] if options.backend else ["torch", "jax"]:
        if importlib.util.find_spec(backend) is None:
            result[backend] = {"note": "not installed"}
            continue
        device = options.device or {"torch": "cuda", "jax": "gpu"}[backend]
        try:
            made, failed = contract(backend, device, started)
            records = speed(backend, device, options.small, started)
        except Exception as error:  # no such device, say: the other backend is still worth a run
            result[backend] = {"failed": [f"{type(error).__name__}: {error}"]}
            continue
        result[backend] = {"device": device, "compared": made, "failed": failed, "speed": records}
        print(f"{backend} on {device}: {made} comparisons, {len(failed)} failed")
        print("\n".join(failed))
        rows = [(r["call"], human(r["ours"]), human(r["own"]), f"{r['ratio']:.2f}") for r in records]
        print(table(f"{backend} on {device}", ("call", "ours", "own", "ratio"), rows))
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(result, indent=1) + "\n")
    result["seconds"] = time.perf_counter() - started
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(result, indent=1) + "\n")
    print(f"Saved {options.out}")
    if any(isinstance(r, dict) and (r.get("failed") or not r.get("compared")) for r in result.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

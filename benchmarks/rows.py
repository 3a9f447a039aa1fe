"""What a comparison becomes: a record for the JSON file, and a row of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.timing import human, interleave, table

__all__ = ["HEADER", "by_backend", "compared", "row"]

HEADER = ("operation", "ours", "peer", "ratio", "quartiles of ours", "goal", "met", "why not")

# Why a row may stand above its goal: what was tried, what bounds it. By (backend, start of the operation).
REASONS = {
    ("tensorflow", "segment_max"): "the kernel loses NaNs; that none is there, and no start value in the "
    "result, takes two looks at memory, a sixth of the call, by NumPy's quickest reduction; to look at the "
    "ids in place of the result takes longer",
    ("tensorflow", "max:"): "the look for a NaN, which the kernel loses, reads x once more",
    (
        "jax",
        "batch, 256 graphs in one order",
    ): "the goal is set against a peer of 214 ms, as with shuffled graphs; in one order the peer runs a "
    "program that it has compiled, and reading the arrays alone takes more than a tenth of that",
    ("jax", "GraphNetwork jitted"): "the same program as the peer's, within the quartiles",
    (
        "torch",
        "GAT",
    ): "jraph's interface gathers whole queries for both ends of an edge, the peer one of them; glibc gives "
    "that memory back after each call: kept (MALLOC_TRIM_THRESHOLD_=200000000) the ratio is 0.99",
    **dict.fromkeys(
        [("torch", "sum, padded: 1,000,000 in"), ("torch", "max, padded: 1,000,000 in")],
        "the peer refuses such ids; of single numbers the ids are most of the bytes, and bringing them in "
        "range reads and writes them again",
    ),
    (
        "torch",
        "sum: 1,000,000 x 64",
    ): "memory first: the ids of all rows, sorted at once, take as much as the "
    "result; block by block they take a tenth, and each block goes through the result again. Sorted by 16 "
    "bits, in int32, or by range of segments: none is smaller and as quick",
    (
        "torch",
        "sum, nearly sorted ids",
    ): "all ids are read once to see whether they are sorted, which can make "
    "the sum of sorted ones twice as quick; with the look for padding that is a tenth of the call at 50,000 "
    "rows, and the rest varies from one run to the next (1.05 to 1.4)",
    (
        "torch",
        "sum, batched ids",
    ): "the kernel itself; before it the ids are looked at, so that padding costs no second run",
    (
        "torch",
        "relational_graph_convolution",
    ): "the peer's kernels on the same rows: 0.93 to 1.07 from one run to the next",
    ("torch", "sum: 1,000,000 x 1 in"): "the peer's kernel: 0.98 to 1.13 from one run to the next",
    **dict.fromkeys(
        [("torch", "max: 300,000 x 64 in"), ("torch", "max, padded: 300,000 x 64 in")],
        "the peer's kernel in blocks of rows: 0.98 to 1.17 from one run to the next",
    ),
    ("torch", "sign"): "torch.sign gives 0 for a NaN: the next row has a peer with the standard's value",
}


def compared(
    backend: str,
    operation: str,
    ours: Callable[[], object],
    peer: Callable[[], object],
    goal: float,
    rounds: int,
    budget: float = 0.004,
) -> dict[str, Any]:
    """Time ours and the peer's call in turn; return the record of the row."""
    times = interleave({"ours": ours, "peer": peer}, rounds, budget)
    return {
        "backend": backend,
        "operation": operation,
        "ours": times["ours"].median,
        "peer": times["peer"].median,
        "quartiles": [times["ours"].low, times["ours"].high],
        "ratio": times["ours"].median / times["peer"].median,
        "goal": goal,
    }


def by_backend(records: list[dict[str, Any]], title: Callable[[str], str]) -> str:
    """Lay the records out, a table for each backend."""
    backends = dict.fromkeys(record["backend"] for record in records)
    return "\n".join(
        table(title(name), HEADER, [row(r) for r in records if r["backend"] == name]) for name in backends
    )


def row(record: dict[str, Any]) -> tuple[str, ...]:
    if "note" in record:
        return (record["operation"], record["note"], "-", "-", "-", "-", "-", "")
    low, high = record["quartiles"]
    return (
        record["operation"],
        human(record["ours"]),
        human(record["peer"]),
        f"{record['ratio']:.2f}",
        f"{human(low)} .. {human(high)}",
        f"{record['goal']}",
        "yes" if record["ratio"] <= record["goal"] else "no",
        _why(record) if record["ratio"] > record["goal"] else "",
    )


def _why(record: dict[str, Any]) -> str:
    for (backend, start), reason in REASONS.items():
        if record.get("backend", "torch") == backend and record["operation"].startswith(start):
            return reason
    return ""

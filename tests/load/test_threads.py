"""Threads that call on every backend at once, with the cache and options of their own."""

from __future__ import annotations

import threading
import time
from typing import Any

import jax
import numpy as np
import pytest
import tensorflow as tf
import torch
from loads import FULL, MAKERS, report, size

import anytensor as at
from anytensor.promotion.options import current_options

THREADS = 4
ROUNDS = size(3, 10**9)
SECONDS = 60  # of the full run

LENGTHS = [np.array(lengths, np.int32) for lengths in ([2, 0, 4], [1, 5, 0], [6, 0, 0], [3, 2, 1])]
SHARED = {backend: make(LENGTHS[0]) for backend, make in MAKERS.items()}  # one vector for all threads
X = np.arange(12, dtype=np.float32).reshape(6, 2)


def everything(x: Any, lengths: Any) -> Any:
    """Expand the lengths three times, or once with the cache on."""
    total = at.shape(x)[0]
    shares = at.partition_softmax(x, lengths, total)
    ids = at.partition_ids(lengths, total)
    return at.segment_max_or_constant(x, ids, 3, constant=-1.0) + at.partition_sum(shares * x, lengths, total)


COMPILED = {
    "jax": jax.jit(at.cache(everything)),
    "tensorflow": tf.function(at.cache(everything)),
    "torch": torch.compile(at.cache(everything), fullgraph=True, backend="aot_eager"),
}


def one_thread(number: int, wanted: list[Any], errors: list[str], deadline: float) -> int:
    """Run rounds until they are done, the time is up or a thread has failed; return the number of calls."""
    own = (bool(number % 2), "copy")
    calls = 0
    for turn in range(ROUNDS):
        if errors or (FULL and time.monotonic() > deadline):
            break
        for backend, make in MAKERS.items():
            place = (number + turn) % len(LENGTHS)
            x, lengths = make(X), make(LENGTHS[place])
            with at.promote_options(copy=own[0]), at.cache():
                if not np.allclose(everything(x, lengths), wanted[place], rtol=1e-5):
                    errors.append(f"{backend}: a wrong value")
                if at.partition_ids(lengths, 6) is not at.partition_ids(lengths, 6):
                    errors.append(f"{backend}: the cache forgot the lengths")
                if not np.allclose(everything(x, SHARED[backend]), wanted[0], rtol=1e-5):
                    errors.append(f"{backend}: a wrong value of the shared lengths")
                if current_options() != own:
                    errors.append(f"{backend}: options {current_options()} instead of {own}")
            if at.cache.lookup("partition", lengths) is not None:
                errors.append(f"{backend}: an entry was left")
            calls += 2
            if backend in COMPILED:
                if not np.allclose(COMPILED[backend](x, lengths), wanted[place], rtol=1e-5):
                    errors.append(f"{backend}: a wrong compiled value")
                calls += 1
                at.cache.disable()
    return calls


@pytest.mark.filterwarnings(r"ignore:.*should not be instantiated:DeprecationWarning")  # Dynamo's own, 2.13
def test_threads_on_every_backend_at_once() -> None:
    wanted = [everything(X, lengths) for lengths in LENGTHS]
    # Each thread that meets an uncompiled function compiles it, and Dynamo allows eight entries of one code.
    COMPILED["torch"](MAKERS["torch"](X), MAKERS["torch"](LENGTHS[0]))
    at.cache.disable()
    errors: list[str] = []
    calls: list[int] = []

    def run(number: int) -> None:
        try:
            calls.append(one_thread(number, wanted, errors, time.monotonic() + SECONDS))
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(calls) == THREADS
    report(f"{THREADS} threads: {sum(calls)} calls, none wrong")
    assert at.cache.lookup("partition", SHARED["numpy"]) is None

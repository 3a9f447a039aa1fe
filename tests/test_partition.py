"""Partitions: what is handed down to the segment kernels, and what the cache is asked."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at
from anytensor.backends import HOST

OF_DATA = (
    "partition_sum",
    "partition_min",
    "partition_max",
    "partition_mean",
    "partition_softmax",
    "partition_logsumexp",
)
X, LENGTHS = np.array([1.0, 4.0, 2.0]), np.array([2, 0, 1])


@pytest.mark.parametrize("name", OF_DATA)
def test_the_ids_are_promised_to_be_sorted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Any] = []

    def kernel(*args: Any) -> str:
        taken.extend(args)
        return "from the kernel"

    monkeypatch.setattr(HOST, name.replace("partition", "segment"), kernel)
    assert getattr(at, name)(X, LENGTHS, 3) == "from the kernel"
    x, ids, n, is_sorted = taken
    assert x is X
    assert ids.tolist() == [0, 0, 2]
    assert (n, is_sorted) == (3, True)


@pytest.mark.parametrize("name", OF_DATA)
def test_complex_numbers_add_up_and_have_no_order(name: str) -> None:
    x, lengths = np.array([1j, 2, 3]), np.array([0, 3])
    if name == "partition_sum":
        assert at.partition_sum(x, lengths, 3).tolist() == [0, 5 + 1j]
    elif name == "partition_mean":
        np.testing.assert_allclose(at.partition_mean(x, lengths, 3), [0, (5 + 1j) / 3])
    else:
        with pytest.raises(TypeError, match=f"{name}: `x`.* complex"):
            getattr(at, name)(x, lengths, 3)


@pytest.mark.parametrize("name", OF_DATA)
def test_the_function_that_was_called_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name}: `partitions`"):
        getattr(at, name)(X, LENGTHS[:, None], 3)
    with pytest.raises(ValueError, match=f"^{name}: .*total_length"):
        getattr(at, name)(X, LENGTHS, 4)
    with at.cache():
        getattr(at, name)(X, LENGTHS, 3)
        with pytest.warns(UserWarning, match=rf"^{name}: .*`total_length` is 2") as caught:
            getattr(at, name)(X[:2], LENGTHS, 2)
    assert [warning.filename for warning in caught] == [__file__]


def test_a_stale_entry_is_told_of_at_the_callers_line() -> None:
    with at.cache():
        at.partition_ids(LENGTHS, 3)
        with pytest.warns(UserWarning, match="^partition_ids: the cache held ids of length 3") as caught:
            at.partition_ids(LENGTHS, 2)
    assert [warning.filename for warning in caught] == [__file__]


def test_ids_that_are_stored_can_be_written_to_once_they_are_not() -> None:
    with at.cache():
        kept = at.partition_ids(LENGTHS, 3)
        assert not kept.flags.writeable
    assert at.partition_ids(LENGTHS, 3).flags.writeable
    ids = at.partition_ids(torch.tensor([2, 0, 1]), 3)
    ids[0] = 2
    assert ids.tolist() == [2, 0, 2]


def test_a_total_that_fits_does_not_warn() -> None:
    with at.cache(), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert at.partition_ids(LENGTHS, 3) is at.partition_ids(LENGTHS, np.int64(3))


def test_a_total_that_a_graph_leaves_open_takes_what_is_kept() -> None:
    """Lengths that only a trace knows are not compared."""
    seen = []

    def expand(x: Any, lengths: Any) -> Any:
        with at.cache():
            ids = at.partition_ids(lengths, at.shape(x)[0])
            seen.append(ids is at.partition_ids(lengths, at.shape(x)[0]))
        return x + ids

    signature = [tf.TensorSpec([None], tf.int32), tf.TensorSpec([None], tf.int32)]
    run = tf.function(expand, input_signature=signature)
    assert run(tf.constant([5, 5, 5]), tf.constant([2, 1])).numpy().tolist() == [5, 5, 6]
    assert run(tf.constant([5, 5]), tf.constant([1, 1])).numpy().tolist() == [5, 6]
    assert seen == [True]

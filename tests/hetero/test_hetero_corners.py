"""Mailboxes, rows and joins of unusual parts, and lengths that only a trace knows."""

import importlib

import numpy as np
import pytest
import tensorflow as tf
from hetero_samples import CITES, HOLDS, READS, WRITES, one_graph

from anytensor import hetero, tree
from anytensor.hetero import batching, update, views

han = importlib.import_module("anytensor.hetero.models.han")  # a function has the same name


def test_one_relation_crosses_nothing():
    part = update.Mail(WRITES, None, np.ones((2, 3)))
    assert update._crossed("multi_update_all", "paper", [part], "max") is part.mailbox


def test_mailboxes_of_other_structures_are_left_to_the_map():
    update._check_fit("f", "paper", (WRITES, CITES), ([np.ones(2)], [np.ones(2), np.ones(2)]))
    with pytest.raises(ValueError, match="mailboxes of node type 'paper' must have one shape"):
        update._check_fit("f", "paper", (WRITES, CITES), (np.ones((2, 3)), np.ones((2, 4))))


def test_features_without_rows_and_of_two_lengths_are_named():
    assert views.number_of_rows("f", "nodes", {"a": np.ones((2, 1)), "b": np.ones(2)}) == 2
    for features, words in (
        ({}, "f: nodes has no features, at least one array"),
        (np.float32(1).reshape(()), "f: nodes must have a row for each node"),
        ({"a": np.ones(2), "b": np.ones(3)}, "f: "),
    ):
        with pytest.raises(ValueError, match=words):
            views.number_of_rows("f", "nodes", features)


def test_relations_of_nodes_that_are_not_counted_are_named():
    graph = one_graph()
    n_node = dict(graph.n_node)
    del n_node["venue"]
    with pytest.raises((KeyError, ValueError), match="venue"):
        tree.batch([graph._replace(n_node=n_node), graph._replace(n_node=n_node)])


def test_no_indices_to_join():
    assert batching._join_indices("senders", [], np.array([0]), []) is None
    assert batching._join_traced_indices("senders", [], np.array([0]), []) is None


def test_the_score_of_a_path_over_nodes_of_a_traced_number():
    run = tf.function(han._score, input_signature=[tf.TensorSpec([None])], autograph=False)
    assert float(run(tf.constant([1.0, 3.0]))) == 2
    assert float(run(tf.zeros((0,)))) == 0
    assert float(han._score(np.zeros(0, np.float32))) == 0


def test_reverse_edges_of_some_relations():
    graph = hetero.add_reverse_edges(one_graph(), etypes=[WRITES])
    new = [etype for etype in graph.canonical_etypes if etype not in one_graph().canonical_etypes]
    assert len(new) == 1
    assert new[0][0] == "paper"
    assert new[0][2] == "author"
    every = hetero.add_reverse_edges(one_graph())
    assert len(every.canonical_etypes) == 2 * len(one_graph().canonical_etypes)
    assert {CITES, HOLDS}.issubset(every.canonical_etypes)
    assert READS not in every.canonical_etypes

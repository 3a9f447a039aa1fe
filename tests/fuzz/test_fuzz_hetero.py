"""Graphs of several types: batches, messages and layers against loops, eager, compiled, differentiated."""

import warnings

import numpy as np
import optree
import pytest
from fuzz_graphs import graphs_for_layers, joined, lists_of_graphs, over, parted
from fuzz_layers import LAYERS, weights_of, wide
from fuzz_profile import prepared, search
from fuzz_updates import expected, updated, updates
from fuzz_values import SEEDS, narrow, spread
from hypothesis import strategies as st

from anytensor import hetero, tree
from anytensor.testing import assert_trees_close

EAGER = {"numpy": (8, 200), "torch": (6, 200), "tensorflow": (2, 60), "jax": (1, 20)}
COMPILED = {
    "jax-jit": (1, 15),
    "torch-compile-dynamic": (1, 8),
    "tensorflow-function-none": (1, 8),
    "tensorflow-xla": (1, 6),
}
VARIANTS = EAGER | COMPILED
DIFFERENTIATED = {"tensorflow": (1, 40), "jax-jit": (1, 10), "torch-compile": (1, 6)}
FIELDS = ("senders", "receivers", "n_node", "n_edge", "nodes", "edges", "globals")


def outcome_of(function, variant, told, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's of half precision that overflows
        outcome = prepared(function, variant, **options)(*args)
    if outcome.error is not None:
        raise AssertionError(told) from outcome.error
    assert outcome.written == (), told
    assert outcome.foreign == (), told
    return outcome


def shown(nest):
    return optree.tree_map(lambda x: f"{x.dtype.name}{list(x.shape)} {x.tolist()}", nest)


def assert_same(got, want, backend, told):
    """Assert that graphs have the same arrays of the same dtypes, and None where there are none."""
    for field in FIELDS:
        ours, theirs = getattr(got, field), getattr(want, field)
        if field == "globals":
            ours, theirs = {"": ours}, {"": theirs}
        assert ours.keys() == theirs.keys(), f"{field}: {told}"
        for key in theirs:
            ours_, structure = optree.tree_flatten(ours[key], none_is_leaf=True)
            theirs_, other = optree.tree_flatten(theirs[key], none_is_leaf=True)
            assert structure == other, f"{field} {key}: {structure}, not {other}. {told}"
            for a, b in zip(ours_, theirs_, strict=True):
                assert (a is None) is (b is None), f"{field} {key}: {a}, not {b}. {told}"
                if b is not None:
                    b = narrow(b, backend)
                    assert a.dtype == b.dtype, f"{field} {key}: {a.dtype}, not {b.dtype}. {told}"
                    np.testing.assert_array_equal(a, b, f"{field} {key}: {told}")


def together_and_apart(graphs):
    batch = tree.batch(graphs)
    parts = hetero.unbatch(batch)
    return batch, parts, tree.batch(parts) if parts else batch


@pytest.mark.parametrize("backend", EAGER)
def test_batches(backend):
    def holds(graphs):
        told = f"{backend}: {shown(graphs)}"
        batch, parts, again = outcome_of(together_and_apart, backend, told, graphs).outputs
        want = joined(graphs)
        assert_same(batch, want, backend, told)
        assert len(parts) == len(want.n_node["a"]), told
        for part, other in zip(parts, parted(want), strict=True):
            assert_same(part, other, backend, told)
        assert_same(again, want, backend, told)

    search(f"hetero/batches/{backend}", lists_of_graphs(backend), holds, *EAGER[backend])


@pytest.mark.parametrize("variant", COMPILED)
def test_batches_compiled(variant):
    backend = variant.split("-")[0]

    def holds(graphs):
        told = f"{variant}: {shown(graphs)}"
        assert_same(outcome_of(tree.batch, variant, told, graphs).outputs, joined(graphs), backend, told)

    search(f"hetero/batches/{variant}", lists_of_graphs(backend), holds, *COMPILED[variant])


def test_reverse_edges():
    def holds(graphs):
        graph = graphs[0]
        both = hetero.add_reverse_edges(graph)
        back = hetero.add_reverse_edges(graph, list(graph.senders)[:1])
        for made, added in ((both, list(graph.senders)), (back, list(graph.senders)[:1])):
            reverse = {(d, "rev_" + r, s): (s, r, d) for s, r, d in added}
            want = graph._replace(
                edges={**graph.edges, **{k: graph.edges[e] for k, e in reverse.items() if e in graph.edges}},
                senders={**graph.senders, **{k: graph.receivers[e] for k, e in reverse.items()}},
                receivers={**graph.receivers, **{k: graph.senders[e] for k, e in reverse.items()}},
                n_edge={**graph.n_edge, **{k: graph.n_edge[e] for k, e in reverse.items()}},
            )
            assert_same(made, want, "numpy", shown(graph))
            assert made.canonical_etypes == tuple(sorted(want.senders))

    search("hetero/reverse", lists_of_graphs("numpy"), holds, 8, 150)


def close(got, want, rtol, atol, told):
    try:
        assert_trees_close(got, want, rtol=rtol, atol=atol)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{told}") from None


@pytest.mark.parametrize("variant", VARIANTS)
def test_messages(variant):
    def holds(drawn):
        graph, ways, cross = drawn
        told = f"{variant}: {cross} of {ways} on {shown(graph)}"
        outcome = outcome_of(updated(ways, cross), variant, told, graph)
        half = any(x.dtype == np.float16 for x in optree.tree_leaves(graph))
        close(outcome.outputs, expected(graph, ways, cross), *((2e-2, 1e-2) if half else (1e-4, 1e-5)), told)

    backend = variant.split("-")[0]
    search(f"hetero/messages/{variant}", updates(backend), holds, *VARIANTS[variant])


@st.composite
def layers(draw, backend):
    """Draw (name, reducer, whether each edge has an embedding and each node itself, graph, weights)."""
    name, how = draw(spread(sorted(LAYERS))), draw(spread(["sum", "mean", "max", "min"]))
    graph = draw(graphs_for_layers(backend))
    rng = np.random.default_rng(draw(SEEDS))
    dtype = next(iter(graph.nodes.values())).dtype.name
    return name, how, draw(st.booleans()), graph, weights_of(graph, rng, dtype)


def nodes_of(layer):
    return lambda graph, w: layer(graph, w).nodes


@pytest.mark.parametrize("variant", VARIANTS)
def test_layers(variant):
    def holds(drawn):
        name, how, per_edge, graph, w = drawn
        told = f"{variant}: {name} {how} {per_edge} on {shown(graph)}, {shown(w)}"
        layer, loop = LAYERS[name](how, per_edge)
        outcome = outcome_of(nodes_of(layer), variant, told, graph, w)
        exact = graph._replace(nodes=wide(graph.nodes), edges=wide(graph.edges))
        close(outcome.outputs, {**exact.nodes, **loop(exact, wide(w))}, 1e-4, 1e-5, told)

    backend = variant.split("-")[0]
    search(f"hetero/layers/{variant}", layers(backend), holds, *VARIANTS[variant])


@pytest.mark.parametrize("variant", DIFFERENTIATED)
def test_gradients_of_layers(variant):
    """Against eager PyTorch's: ties of maxima, nodes without a message and dropped edges included."""

    def holds(drawn):
        name, how, per_edge, graph, w = drawn
        if name == "sage":
            return  # the slope of relu at 0 is each framework's own
        told = f"{variant}: {name} {how} {per_edge} on {shown(graph)}, {shown(w)}"
        graph, w = over(_single, graph._asdict()), over(_single, w)
        layer, _ = LAYERS[name](how, per_edge)
        got, want = (
            outcome_of(nodes_of(layer), v, told, hetero.HeteroGraphsTuple(**graph), w, gradients=True)
            for v in (variant, "torch")
        )
        close(got.gradients, want.gradients, 2e-3, 2e-4, told)

    search(f"hetero/gradients/{variant}", layers("torch"), holds, *DIFFERENTIATED[variant])


def _single(x):
    return x.astype(np.float32) if x.dtype == np.float64 else x

"""A few fixed sizes: the best ones, and no more compilations than that."""

import itertools

import numpy as np
import pytest
from layer_samples import LAYERS, features

from anytensor import jraph


def cost(sizes, cuts):
    """Return the nodes and edges after padding, for sizes in order and the places to cut them."""
    total = 0
    for start, end in itertools.pairwise([0, *cuts, len(sizes)]):
        group = np.array(sizes[start:end])
        total += len(group) * (group[:, 0].max() + 1 + group[:, 1].max())
    return total


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("budget", [1, 2, 3])
def test_the_waste_is_the_least_of_all_cuts(seed, budget):
    rng = np.random.default_rng(seed)
    sizes = sorted({(int(n), int(e), 1) for n, e in rng.integers(1, 60, (8, 2))})
    buckets = jraph.fit_buckets(sizes, budget)
    assert len(buckets.sizes) <= budget
    choices = itertools.combinations(range(1, len(sizes)), budget - 1)
    least = min(cost(sizes, cuts) for cuts in choices)
    real = sum(n + e for n, e, _ in sizes)
    assert buckets.waste == pytest.approx(1 - real / least)


def test_two_hundred_sizes_are_at_most_four_compilations():
    """pytorch/pytorch/issues/188150, mlx-graphs/mlx-graphs/issues/92."""
    jax = pytest.importorskip("jax")
    rng = np.random.default_rng(0)
    sizes = [(int(n), int(n * n), 1) for n in rng.integers(1, 40, 200)]
    buckets = jraph.fit_buckets(sizes, budget=4)
    assert 0 < buckets.waste < jraph.fit_buckets(sizes, budget=1).waste
    traces = []

    @jax.jit
    def compiled(graph):
        traces.append(1)
        return LAYERS["convolution"](jraph)(graph).nodes

    for nodes, _, _ in sizes:
        graph = jraph.get_fully_connected_graph(nodes, 1, features(nodes, (nodes, 2)))
        compiled(jraph.pad_to_bucket(graph, buckets))
    assert len(traces) == len(buckets.sizes) == 4


def test_many_sizes_all_fit():
    sizes = [(n, 3 * n % 701, 1 + n % 3) for n in range(900)]
    buckets = jraph.fit_buckets(sizes, 5)
    for n, e, g in sizes:
        assert any(n < a and e <= b and g < c for a, b, c in buckets.sizes)


def test_errors():
    with pytest.raises(ValueError, match="`budget`"):
        jraph.fit_buckets([(1, 1, 1)], 0)
    with pytest.raises(TypeError, match="`budget`"):
        jraph.fit_buckets([(1, 1, 1)], 1.0)
    with pytest.raises(ValueError, match="triple"):
        jraph.fit_buckets([], 1)
    with pytest.raises(TypeError, match="integers"):
        jraph.fit_buckets([(1.5, 1, 1)], 1)
    with pytest.raises(ValueError, match="sizes"):
        jraph.fit_buckets([(1, -1, 1)], 1)
    graph = jraph.get_fully_connected_graph(3, 1)
    with pytest.raises(RuntimeError, match="fits into none"):
        jraph.pad_to_bucket(graph, [(3, 9, 2)])

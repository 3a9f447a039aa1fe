"""The graph as a container: types, views, reverse edges, trees, what it shows, and its errors."""

import numpy as np
import pytest
from hetero_samples import CITES, HOLDS, READS, WRITES, convert, one_graph

from anytensor import hetero, jraph, tree


def test_types_and_iterators_are_sorted():
    graph = one_graph()
    assert graph.ntypes == ("author", "paper", "venue")
    assert graph.canonical_etypes == (WRITES, CITES, HOLDS)
    assert [t for t, _ in graph.iter_nodes()] == list(graph.ntypes)
    assert all(h is graph.nodes[t] for t, h in graph.iter_nodes())
    assert all(h is graph.edges[e] for e, h in graph.iter_edges())
    for etype, view in graph.iter_relations():
        assert view.senders is graph.senders[etype]
        assert view.dst_nodes is graph.nodes["paper"]
        assert view.n_src_node is graph.n_node[etype[0]]
        assert view.n_edge is graph.n_edge[etype]
        assert view.globals is graph.globals
    assert dict(graph._replace(edges=None).iter_edges()) == dict.fromkeys(graph.canonical_etypes)


def test_a_view_by_the_relation_alone():
    graph = one_graph()
    assert graph.relation_view("writes").edges is graph.relation_view(WRITES).edges
    twice = ("venue", "writes", "paper")
    both = graph._replace(
        **{
            f: {**getattr(graph, f), twice: getattr(graph, f)[HOLDS]}
            for f in ("senders", "receivers", "n_edge")
        }
    )
    with pytest.raises(ValueError, match=r"'writes'.*\('author', 'writes', 'paper'\), \('venue', 'writes'"):
        both.relation_view("writes")


def test_update_keeps_what_it_does_not_name():
    graph = one_graph()
    new = graph.update(nodes={"paper": "new"}, globals=None)
    assert new.nodes == {**graph.nodes, "paper": "new"}
    assert new.globals is None
    assert new.senders is graph.senders
    assert graph.nodes["paper"].shape == (5, 4)
    assert graph._replace(edges=None).update(edges={CITES: 1}).edges == {CITES: 1}
    with pytest.raises(ValueError, match=r"no 'reader'; there are 'author', 'paper', 'venue'"):
        graph.update(nodes={"reader": 1})
    with pytest.raises(ValueError, match=r"reaches.*there are \('author', 'writes', 'paper'\)"):
        graph.update(edges={READS: 1})
    with pytest.raises(TypeError, match=r"no field 'node'; there are nodes, edges"):
        graph.update(node={})
    with pytest.raises(TypeError, match=r"`nodes` must be a mapping by type, got numpy"):
        graph.update(nodes=np.ones(3))


def test_reverse_edges_share_everything():
    graph = one_graph()
    both = hetero.add_reverse_edges(graph)
    assert set(both.canonical_etypes) == {*graph.canonical_etypes} | {
        hetero.reverse_canonical_etype(e) for e in graph.canonical_etypes
    }
    back = ("paper", "rev_writes", "author")
    assert both.senders[back] is graph.receivers[WRITES]
    assert both.receivers[back] is graph.senders[WRITES]
    assert both.edges[back] is graph.edges[WRITES]
    assert both.n_edge[back] is graph.n_edge[WRITES]
    assert hetero.add_reverse_edges(graph, ["writes"]).canonical_etypes == (WRITES, CITES, back, HOLDS)
    assert graph.canonical_etypes == (WRITES, CITES, HOLDS)
    with pytest.raises(ValueError, match=r"'rev_writes'.*already"):
        hetero.add_reverse_edges(both, [WRITES])
    with pytest.raises(ValueError, match=r"no 'reads'; there are \("):
        hetero.add_reverse_edges(graph, ["reads"])
    for one in (WRITES, "writes"):
        with pytest.raises(
            TypeError, match=r"`etypes` must be a list of edge types, got the one .*writes.*\["
        ):
            hetero.add_reverse_edges(graph, one)
    bare = graph._replace(nodes=None)
    assert list(bare.iter_nodes()) == [(t, None) for t in graph.ntypes]
    assert tree.unbatch(tree.batch([bare, bare]))[1].nodes == dict.fromkeys(graph.ntypes)
    with pytest.raises(TypeError, match="three strings"):
        hetero.reverse_canonical_etype("writes")


def test_schemas():
    graph = one_graph()
    assert hetero.schemas_equal(graph, one_graph(5))
    assert not hetero.schemas_equal(graph, hetero.add_reverse_edges(graph))
    other = graph._replace(n_node={**graph.n_node, "reader": np.array([1])})
    assert not hetero.schemas_equal(graph, other)
    with pytest.raises(TypeError, match=r"`other` must be a hetero.HeteroGraphsTuple, got"):
        hetero.schemas_equal(graph, {})


def test_it_shows_shapes_and_no_data():
    text = repr(one_graph())
    assert "nodes={'author': float32[4,3], 'paper': float32[5,4], 'venue': float32[2,2]}" in text
    assert "senders={('author', 'writes', 'paper'): int32[6]" in text
    assert "array" not in text
    page = one_graph()._repr_html_()
    assert "<td>nodes[&#x27;paper&#x27;]</td><td>float32</td><td>[5,4]</td>" in page
    assert "SendRecvTuple(src_nodes=float32[4,3]" in repr(one_graph().relation_view(WRITES))
    assert "<caption>SendRecvTuple</caption>" in one_graph().relation_view(WRITES)._repr_html_()


def test_it_is_a_tree():
    graph = one_graph()
    leaves, structure = tree.flatten(graph)
    again = tree.unflatten(structure, leaves)
    assert type(again) is hetero.HeteroGraphsTuple
    assert all(a is b for a, b in zip(tree.leaves(again), leaves, strict=True))
    doubled = tree.map(lambda x: x * 2, graph)
    np.testing.assert_array_equal(doubled.nodes["paper"], graph.nodes["paper"] * 2)
    paths = [tree.keystr(path) for path, _ in tree.leaves_with_path(graph)]
    assert ".nodes['paper']" in paths
    assert ".senders[('author', 'writes', 'paper')]" in paths
    jax = pytest.importorskip("jax")
    assert len(jax.tree.leaves(graph)) == len(leaves)


def test_a_graph_of_one_type_as_a_relation():
    graph = jraph.get_fully_connected_graph(3, 2, np.arange(12.0).reshape(6, 2), np.ones((2, 1)))
    relation = hetero.graphs_tuple_as_send_recv(graph)
    assert relation.src_nodes is relation.dst_nodes is graph.nodes
    assert relation.n_src_node is graph.n_node
    got = hetero.relation_mailbox(relation, hetero.RelationSpec(reduce="mean"))
    expected = graph.nodes.reshape(2, 3, 2).mean(1, keepdims=True).repeat(3, 1).reshape(6, 2)
    np.testing.assert_allclose(got, expected)
    official = pytest.importorskip("jraph").GraphsTuple(**graph._asdict())
    assert hetero.graphs_tuple_as_send_recv(official).senders is graph.senders
    with pytest.raises(TypeError, match=r"must be a jraph.GraphsTuple, got dict"):
        hetero.graphs_tuple_as_send_recv({})


def test_a_relation_to_a_type_that_is_not_there():
    graph = one_graph()
    less = graph._replace(n_node={t: n for t, n in graph.n_node.items() if t != "venue"})
    with pytest.raises(ValueError, match=r"no 'venue'; there are 'author', 'paper'"):
        less.relation_view(HOLDS)
    with pytest.raises(ValueError, match=r"`receivers` has no \('venue'"):
        graph._replace(receivers={WRITES: 1, CITES: 1}).relation_view(HOLDS)
    with pytest.raises(ValueError, match=r"`n_edge` has no \('venue'"):
        graph._replace(n_edge={WRITES: 1, CITES: 1}).relation_view(HOLDS)
    with pytest.raises(ValueError, match=r"no \('a', 'b', 'c'\); there are \('author'"):
        graph.relation_view(("a", "b", "c"))


@pytest.mark.parametrize("backend", ["jax", "torch", "tensorflow"])
def test_it_shows_tensors_alike(backend):
    array = {
        "jax": lambda: pytest.importorskip("jax.numpy").asarray,
        "torch": lambda: pytest.importorskip("torch").tensor,
        "tensorflow": lambda: pytest.importorskip("tensorflow").constant,
    }[backend]()
    assert repr(convert(array, one_graph())) == repr(one_graph())

"""Mailboxes and cross reducers: values against a loop, missing messages, gradients, errors."""

import numpy as np
import pytest
from hetero_samples import CITES, HOLDS, WRITES, convert, normal, one_graph

import anytensor as at
from anytensor import hetero
from anytensor.testing import assert_portable

PLAYS, SELLS = ("user", "plays", "game"), ("shop", "sells", "game")
COPY = hetero.RelationSpec()
NUMPY = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}


def games(plays, sells, users=(1.0, 1.0, 1.0), shops=(1.0, 1.0, 1.0), number=2, dtype=np.float32):
    """Return a graph of users and shops, one feature each, from (sender, receiver) pairs."""
    ends = {PLAYS: np.array(plays, np.int32).reshape(-1, 2), SELLS: np.array(sells, np.int32).reshape(-1, 2)}
    return hetero.HeteroGraphsTuple(
        nodes={
            "user": np.array(users, dtype)[:, None],
            "shop": np.array(shops, dtype)[:, None],
            "game": np.full((number, 1), 9, dtype),
        },
        edges={},
        senders={e: pairs[:, 0] for e, pairs in ends.items()},
        receivers={e: pairs[:, 1] for e, pairs in ends.items()},
        n_node={"user": np.array([len(users)]), "shop": np.array([len(shops)]), "game": np.array([number])},
        n_edge={e: np.array([len(pairs)]) for e, pairs in ends.items()},
    )


def crossed(graph, reducer, spec=COPY):
    return hetero.multi_update_all(graph, {PLAYS: spec, SELLS: spec}, reducer).nodes["game"].tolist()


@pytest.mark.parametrize("reduce", NUMPY)
@pytest.mark.parametrize("cross", [*NUMPY, "stack"])
def test_values_are_those_of_a_loop(cross, reduce):
    graph = one_graph(n_edges=(9, 7, 3))
    rng = np.random.default_rng(3)
    w = {e: normal(rng, graph.nodes[e[0]].shape[1], 3) for e in graph.canonical_etypes}
    specs = {
        e: hetero.RelationSpec(
            lambda src, dst, edges: src * dst[:, :3] + at.sum(edges, axis=1, keepdims=True),
            src_apply=lambda h, e=e: h @ w[e],
            reduce=reduce,
        )
        for e in (CITES, WRITES, HOLDS)  # not in sorted order
    }
    got = hetero.multi_update_all(graph, specs, cross)
    boxes = np.zeros((3, 5, 3), np.float32)
    reached = np.zeros((3, 5), bool)
    for r, etype in enumerate(specs):
        sent = (graph.nodes[etype[0]] @ w[etype])[graph.senders[etype]]
        messages = (
            sent * graph.nodes["paper"][graph.receivers[etype], :3] + graph.edges[etype].sum(1)[:, None]
        )
        for node in range(5):
            own = messages[graph.receivers[etype] == node]
            if len(own):
                boxes[r, node], reached[r, node] = NUMPY[reduce](own, axis=0), True
    assert not reached.all()
    assert reached.any(0).sum() < 5
    if cross == "stack":
        expected = boxes.transpose(1, 0, 2)
    elif cross in ("sum", "mean"):
        expected = NUMPY[cross](boxes, axis=0)
    else:
        expected = np.stack(
            [
                NUMPY[cross](boxes[reached[:, i], i], axis=0) if reached[:, i].any() else np.zeros(3)
                for i in range(5)
            ]
        )
    np.testing.assert_allclose(got.nodes["paper"], expected, rtol=1e-5, atol=1e-6)
    assert got.nodes["author"] is graph.nodes["author"]
    assert got.nodes["venue"] is graph.nodes["venue"]
    assert got.senders is graph.senders


def test_an_absent_message_beats_nothing():
    """dmlc/dgl/issues/3564; game 2 hears nothing at all."""
    graph = games([(0, 0)], [(0, 1)], users=[-2.0], shops=[-3.0], number=3)
    assert crossed(graph, "max") == [[-2.0], [-3.0], [0.0]]
    graph = games([(0, 0)], [(0, 1)], users=[2.0], shops=[3.0], number=3)
    assert crossed(graph, "min") == [[2.0], [3.0], [0.0]]
    whole = games([(0, 0)], [(0, 1)], users=[-2], shops=[-3], number=3, dtype=np.int64)
    assert crossed(whole, "max") == [[-2], [-3], [0]]
    lone = games([(0, 0)], [], users=[-np.inf], shops=[1.0])
    assert crossed(lone, "max") == [[-np.inf], [0.0]]


def test_the_mean_divides_by_all_relations():
    """dmlc/dgl/issues/3321."""
    graph = games([(0, 0), (1, 1), (2, 1)], [(0, 0), (1, 0), (2, 0)])
    assert crossed(graph, "mean") == [[2.0], [1.0]]
    assert crossed(graph, "sum") == [[4.0], [2.0]]


def test_stack_has_an_axis_for_one_relation_too():
    graph = games([(0, 0)], [(1, 1)])
    got = hetero.multi_update_all(graph, {SELLS: COPY}, "stack").nodes["game"]
    assert got.tolist() == [[[0.0]], [[1.0]]]
    both = hetero.multi_update_all(graph, {SELLS: COPY, "plays": COPY}, "stack").nodes["game"]
    assert both.tolist() == [[[0.0], [1.0]], [[1.0], [0.0]]]


def test_gradients_through_several_relations_into_one_type():
    """dmlc/dgl/issues/4817."""
    torch = pytest.importorskip("torch")
    first, second = ("node", "first", "node"), ("node", "second", "node")
    h = torch.full((3, 1), 5.0, requires_grad=True)
    graph = hetero.HeteroGraphsTuple(
        nodes={"node": h},
        edges={},
        senders={first: torch.tensor([0, 1]), second: torch.tensor([1])},
        receivers={first: torch.tensor([1, 2]), second: torch.tensor([2])},
        n_node={"node": torch.tensor([3])},
        n_edge={first: torch.tensor([2]), second: torch.tensor([1])},
    )
    total = hetero.multi_update_all(graph, {first: COPY, second: COPY}, "sum").nodes["node"].sum()
    total.backward()
    assert total.item() == 15
    assert h.grad[:, 0].tolist() == [1, 2, 0]


def test_ties_share_the_gradient():
    torch = pytest.importorskip("torch")
    graph = convert(torch.tensor, games([(0, 0), (1, 1)], [(0, 0)], users=[2.0, 0.0], shops=[2.0, 1.0]))
    users = graph.nodes["user"].requires_grad_()
    shops = graph.nodes["shop"].requires_grad_()
    for reducer in ("max", "min"):
        users.grad = shops.grad = None
        hetero.multi_update_all(graph, {PLAYS: COPY, SELLS: COPY}, reducer).nodes["game"].sum().backward()
        # The second game's lone message is 0, as is the empty mailbox beside it: all the gradient is its own.
        assert users.grad[:, 0].tolist() == [0.5, 1.0]
        assert shops.grad[:, 0].tolist() == [0.5, 0.0]


def specs_of(scale):
    return {
        WRITES: hetero.RelationSpec(lambda src, dst, edges: (src * edges)[:, :2] * scale, reduce="max"),
        CITES: hetero.RelationSpec(
            src_apply=lambda h: h[:, :2],
            attention_logit_fn=lambda src, dst, edges: at.sum(src * dst[:, 2:], axis=-1),
        ),
        HOLDS: hetero.RelationSpec(reduce="mean"),
    }


def test_updates_are_portable():
    def update(graph, scale):
        return {
            cross: hetero.multi_update_all(graph, specs_of(scale), cross).nodes["paper"]
            for cross in ("mean", "max", "min", "stack")
        }

    modes = ("readonly", "jit", "compile", "function-none", "xla")
    assert_portable(update, one_graph(), np.float32(0.5), modes=modes, rtol=1e-4, atol=1e-5)


def test_features_may_be_dicts():
    graph = one_graph()
    nested = graph.update(
        nodes={t: {"a": h, "b": [h[:, 0]]} for t, h in graph.nodes.items()},
        edges={e: {"z": h} for e, h in graph.edges.items()},
    )
    spec = hetero.RelationSpec(
        lambda src, dst, edges: {"p": src["a"][:, :2] * edges["z"][:, :2], "q": [src["b"][0] - dst["b"][0]]}
    )
    plain = hetero.RelationSpec(lambda src, dst, edges: src[:, :2] * edges[:, :2])
    for cross in ("sum", "max", "stack"):
        got = hetero.multi_update_all(nested, {CITES: spec, WRITES: spec}, cross).nodes["paper"]
        expected = hetero.multi_update_all(graph, {CITES: plain, WRITES: plain}, cross).nodes["paper"]
        np.testing.assert_allclose(got["p"], expected)
        assert got["q"][0].shape == ((5, 2) if cross == "stack" else (5,))


def test_attention_may_weigh_in_its_own_way():
    graph = one_graph(n_edges=(9, 7, 3))
    logit = {"attention_logit_fn": lambda src, dst, edges: edges[:, 0]}
    default = hetero.relation_mailbox(graph.relation_view(WRITES), hetero.RelationSpec(**logit))
    same = hetero.relation_mailbox(
        graph.relation_view(WRITES),
        hetero.RelationSpec(**logit, attention_reduce_fn=lambda m, a: m * a[:, None]),
    )
    np.testing.assert_allclose(same, default, rtol=1e-5, atol=1e-6)
    mean = hetero.relation_mailbox(graph.relation_view(WRITES), hetero.RelationSpec(reduce="mean", **logit))
    count = np.bincount(graph.receivers[WRITES], minlength=5)[:, None]
    np.testing.assert_allclose(mean * count, default, rtol=1e-5, atol=1e-6)


def test_receivers_out_of_range_are_dropped():
    graph = games([(0, 0), (1, -1), (2, 2)], [(0, 5)])
    assert crossed(graph, "sum") == [[1.0], [0.0]]
    assert crossed(graph, "min") == [[1.0], [0.0]]


@pytest.mark.parametrize("cross", ["max", "min"])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "int8", "int32"])
def test_ids_of_any_integer_dtype_reach_more_nodes_than_they_name(dtype, cross):
    small = games(
        [(0, 0), (1, 120)], [(1, 120), (2, 3)], users=[1.0, 2.0, 0.0], shops=[0.0, 5.0, 7.0], number=300
    )
    expected = np.zeros(300)
    expected[[0, 3, 120]] = 1, 7, 5 if cross == "max" else 2
    short = small._replace(
        senders={e: x.astype(dtype) for e, x in small.senders.items()},
        receivers={e: x.astype(dtype) for e, x in small.receivers.items()},
    )
    assert crossed(short, cross) == expected[:, None].tolist()
    torch, tf = pytest.importorskip("torch"), pytest.importorskip("tensorflow")
    for array in (torch.tensor, tf.constant, pytest.importorskip("jax.numpy").asarray):
        got = hetero.multi_update_all(convert(array, short), {PLAYS: COPY, SELLS: COPY}, cross).nodes["game"]
        np.testing.assert_array_equal(got, expected[:, None])


OWN = {
    "message": hetero.RelationSpec(lambda src, dst, edges: src * dst, src_apply=at.exp),
    "attention": hetero.RelationSpec(attention_logit_fn=lambda src, dst, edges: src[:, 0] * dst[:, 0]),
}


@pytest.mark.parametrize("spec", OWN)
def test_receivers_out_of_range_are_dropped_where_messages_see_them(spec):
    some = games([(0, 0), (1, -1), (2, 2), (1, 1)], [(0, 5), (1, -7), (2, 0)], users=[1.0, 2.0, 3.0])
    within = games([(0, 0), (1, 1)], [(2, 0)], users=[1.0, 2.0, 3.0])
    nowhere = games([(0, 0), (1, -1)], [(0, 5)], number=0)
    if spec == "message":  # an unsigned id
        some = some.update(receivers={SELLS: np.array([5, 200, 0], np.uint8)})
    torch, tf = pytest.importorskip("torch"), pytest.importorskip("tensorflow")
    arrays = (np.asarray, torch.tensor, tf.constant, pytest.importorskip("jax.numpy").asarray)
    for array in arrays:
        for graph, expected in ((some, crossed(within, "sum", OWN[spec])), (nowhere, np.zeros((0, 1)))):
            got = hetero.multi_update_all(
                convert(array, graph), {PLAYS: OWN[spec], SELLS: OWN[spec]}, "sum"
            ).nodes["game"]
            np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_dropped_edges_have_a_gradient_of_zero_in_every_mode():
    graph = games([(0, 0), (1, -1), (2, 2), (1, 1)], [(0, 5)], users=[1.0, 2.0, 3.0])

    def update(graph, factor):
        graph = graph.update(nodes={"user": graph.nodes["user"] * factor})
        return [hetero.multi_update_all(graph, {PLAYS: spec}, "sum").nodes["game"] for spec in OWN.values()]

    modes = ("jit", "compile", "function-none", "xla")
    assert_portable(update, graph, np.float32(0.5), modes=modes, rtol=1e-4, atol=1e-5)
    tf = pytest.importorskip("tensorflow")
    # No node at all, which the trace does not know.
    nobody = games([(0, 0), (1, -1)], [(0, 5)], number=0)

    def slope(users, receivers, games):
        with tf.GradientTape() as tape:
            tape.watch(users)
            relation = nobody.relation_view(PLAYS)._replace(
                src_nodes=users, dst_nodes=games, receivers=receivers, senders=tf.zeros_like(receivers)
            )
            total = sum([tf.reduce_sum(hetero.relation_mailbox(relation, spec)) for spec in OWN.values()])
        return tape.gradient(total, users)

    traced = tf.function(slope).get_concrete_function(
        tf.TensorSpec([None, 1]), tf.TensorSpec([None], tf.int32), tf.TensorSpec([None, 1])
    )
    got = traced(tf.ones((3, 1)), tf.constant([0, -1]), tf.zeros((0, 1)))
    np.testing.assert_array_equal(got, np.zeros((3, 1)))


def test_messages_that_see_receivers_export_with_symbolic_lengths():
    jax, torch = pytest.importorskip("jax"), pytest.importorskip("torch")
    from jax import export

    def received(users, games, senders, receivers):
        relation = hetero.SendRecvTuple(users, games, None, senders, receivers, None, None, None, None)
        return hetero.relation_mailbox(relation, OWN["message"])

    def arguments(users, games, edges):
        senders, receivers = np.arange(edges, dtype=np.int32), np.arange(edges, dtype=np.int32) - 1
        return np.ones((users, 1), np.float32), np.ones((games, 1), np.float32), senders, receivers

    a, b, c = export.symbolic_shape("a, b, c")
    shapes = [
        jax.ShapeDtypeStruct(s, d) for s, d in (((a, 1), "f4"), ((b, 1), "f4"), ((c,), "i4"), ((c,), "i4"))
    ]
    in_jax = export.export(jax.jit(received))(*shapes).call

    class Module(torch.nn.Module):
        def forward(self, users, games, senders, receivers):
            return received(users, games, senders, receivers)

    dims = [{0: torch.export.Dim(name)} for name in "abcc"]
    example = tuple(map(torch.tensor, arguments(7, 5, 6)))
    in_torch = torch.export.export(Module(), example, dynamic_shapes=tuple(dims), strict=True).module()
    for sizes in ((4, 2, 4), (6, 9, 3)):
        given = arguments(*sizes)
        expected = received(*given)
        assert np.count_nonzero(expected) == 2
        np.testing.assert_allclose(in_jax(*given), expected, rtol=1e-6)
        np.testing.assert_allclose(in_torch(*map(torch.tensor, given)), expected, rtol=1e-6)


@pytest.mark.parametrize("cross", ["sum", "mean", "max", "stack"])
def test_mailboxes_of_unlike_shapes_are_refused(cross):
    specs = {PLAYS: COPY, SELLS: COPY._replace(src_apply=lambda h: at.concat([h, h, h], axis=1))}
    with pytest.raises(
        ValueError,
        match=r"multi_update_all: mailboxes of node type 'game' must have one shape, got .*\(2, 1\).*plays.*"
        r"\(2, 3\).*sells",
    ):
        hetero.multi_update_all(games([(0, 0)], [(0, 1)]), specs, cross)


def test_none_is_a_relation_without_edges():
    graph = games([(0, 0)], [])
    none = graph.update(senders={SELLS: None}, receivers={SELLS: None})
    for cross in ("sum", "mean", "max", "stack"):
        assert crossed(none, cross) == crossed(graph, cross)


def test_a_type_without_nodes():
    graph = games([], [], users=[], number=0)
    for cross in ("mean", "max", "stack"):
        assert crossed(graph, cross) == []


def test_the_cache_works_inside_messages():
    graph = one_graph()
    expanded = []

    def message(src, dst, edges):
        ids = at.partition_ids(graph.n_edge[WRITES], at.shape(src)[0])
        expanded.append(ids)
        return src * at.take(graph.globals, ids)[:, :1]

    @at.cache
    def apply(graph):
        spec = hetero.RelationSpec(message)
        return hetero.multi_update_all(
            hetero.multi_update_all(graph, {WRITES: spec}, "sum"), {WRITES: spec}, "sum"
        )

    try:
        apply(graph)
    finally:
        at.cache.disable()
    assert expanded[0] is expanded[1]


def test_errors_name_the_key_and_the_known_keys():
    graph = games([(0, 0)], [(0, 0)])
    known = r"there are \('shop', 'sells', 'game'\), \('user', 'plays', 'game'\)"
    with pytest.raises(ValueError, match=rf"no \('user', 'buys', 'game'\); {known}"):
        hetero.multi_update_all(graph, {("user", "buys", "game"): COPY}, "sum")
    with pytest.raises(ValueError, match=rf"no 'buys'; {known}"):
        hetero.multi_update_all(graph, {"buys": COPY}, "sum")
    with pytest.raises(ValueError, match="twice"):
        hetero.multi_update_all(graph, {"plays": COPY, PLAYS: COPY}, "sum")
    with pytest.raises(ValueError, match=r"`cross_reducer` must be one of 'sum', .*'stack', got 'prod'"):
        hetero.multi_update_all(graph, {PLAYS: COPY}, "prod")
    with pytest.raises(ValueError, match=r"`reduce of etype_dict.*must be one of 'sum'.*got 'prod'"):
        hetero.multi_update_all(graph, {PLAYS: COPY._replace(reduce="prod")}, "sum")
    with pytest.raises(TypeError, match=r"etype_dict\['plays'\]` must be a hetero.RelationSpec, got builtin"):
        hetero.multi_update_all(graph, {"plays": len}, "sum")
    with pytest.raises(TypeError, match=r"`etype_dict` must be a mapping"):
        hetero.multi_update_all(graph, [PLAYS], "sum")
    with pytest.raises(TypeError, match=r"`graph` must be a hetero.HeteroGraphsTuple, got dict"):
        hetero.multi_update_all({}, {}, "sum")
    bare = graph.update(nodes={"user": None})
    with pytest.raises(
        ValueError, match=r"type 'user'.*plays.*no features; there are features of 'game', 'shop'"
    ):
        hetero.multi_update_all(bare, {PLAYS: COPY}, "sum")
    with pytest.raises(ValueError, match=r"type 'user'.*plays.*no features; there are features of none"):
        hetero.multi_update_all(graph._replace(nodes=None), {PLAYS: COPY}, "sum")
    uneven = graph.update(senders={PLAYS: np.array([0, 1])})
    with pytest.raises(ValueError, match=r"plays.*one entry for each edge, got 2 and 1"):
        hetero.multi_update_all(uneven, {PLAYS: COPY}, "sum")
    with pytest.raises(ValueError, match=r"both be arrays or both be None"):
        hetero.multi_update_all(graph.update(senders={PLAYS: None}), {PLAYS: COPY}, "sum")
    ragged = graph.update(nodes={"user": [np.ones((3, 1)), np.ones((2, 1))]})
    with pytest.raises(ValueError, match=r"plays.*3 and of 2 rows"):
        hetero.multi_update_all(ragged, {PLAYS: COPY}, "sum")
    with pytest.raises(TypeError, match=r"`relation` must be a hetero.SendRecvTuple"):
        hetero.relation_mailbox(graph, COPY)
    with pytest.raises(TypeError, match=r"`message_fn` of spec must be callable, got NoneType"):
        hetero.relation_mailbox(graph.relation_view(PLAYS), hetero.RelationSpec(None))
    with pytest.raises(ValueError, match=r"`attention_reduce_fn` of spec needs `attention_logit_fn`"):
        hetero.relation_mailbox(graph.relation_view(PLAYS), hetero.RelationSpec(attention_reduce_fn=len))
    with pytest.raises(TypeError, match=r"`attn_vec_apply` must be callable"):
        hetero.gat_attention_logit(np.ones(2), np.ones(2), np.ones(2))
    assert hetero.multi_update_all(graph, {}, "sum").nodes == graph.nodes

"""What the migration pages say of PyG, keras.ops and official jraph, run beside ours."""

import jax
import jax.numpy as jnp
import jraph as official
import keras
import numpy as np
import pytest
import torch

import anytensor as at
from anytensor import jraph

# Importing PyG warns, which importorskip lets pass.
nn = pytest.importorskip("torch_geometric.nn")
utils = pytest.importorskip("torch_geometric.utils")
data = pytest.importorskip("torch_geometric.data")

SRC = torch.tensor([[1.0, -3.0], [2.0, 0.5], [4.0, 2.0], [-1.0, 8.0]])
INDEX, PTR = torch.tensor([0, 0, 2, 2]), torch.tensor([0, 2, 2, 4])
N = 4  # one segment more than PTR has, and two empty ones
ROWS = at.shape(SRC)[0]

PYG = {
    "scatter sum": (lambda: utils.scatter(SRC, INDEX, 0, N, "sum"), lambda: at.segment_sum(SRC, INDEX, N)),
    "scatter mean": (lambda: utils.scatter(SRC, INDEX, 0, N, "mean"), lambda: at.segment_mean(SRC, INDEX, N)),
    "scatter mul": (
        lambda: utils.scatter(SRC, INDEX, 0, 3, "mul")[::2],
        lambda: at.segment_prod(SRC, INDEX, 3)[::2],
    ),
    "scatter max": (
        lambda: utils.scatter(SRC, INDEX, 0, N, "max"),
        lambda: at.segment_max_or_constant(SRC, INDEX, N),
    ),
    "scatter min": (
        lambda: utils.scatter(SRC, INDEX, 0, N, "min"),
        lambda: at.segment_min_or_constant(SRC, INDEX, N),
    ),
    "segment sum": (
        lambda: utils.segment(SRC, PTR, "sum"),
        lambda: at.partition_sum(SRC, at.diff(PTR), ROWS),
    ),
    "segment mean": (
        lambda: utils.segment(SRC, PTR, "mean"),
        lambda: at.partition_mean(SRC, at.diff(PTR), ROWS),
    ),
    "softmax": (
        lambda: utils.softmax(SRC, INDEX, num_nodes=N),
        lambda: at.segment_softmax(SRC, INDEX, N),
    ),
    "softmax by ptr": (
        lambda: utils.softmax(SRC, ptr=PTR),
        lambda: at.partition_softmax(SRC, at.diff(PTR), ROWS),
    ),
    "segment_logsumexp": (
        lambda: utils.segment_logsumexp(SRC, PTR, 0)[::2],
        lambda: at.partition_logsumexp(SRC, at.diff(PTR), ROWS)[::2],
    ),
    "degree": (lambda: utils.degree(INDEX, N).long(), lambda: at.segment_count(INDEX, N)),
    "global_add_pool": (lambda: nn.global_add_pool(SRC, INDEX, N), lambda: at.segment_sum(SRC, INDEX, N)),
    "global_mean_pool": (lambda: nn.global_mean_pool(SRC, INDEX, N), lambda: at.segment_mean(SRC, INDEX, N)),
    "global_max_pool": (
        lambda: nn.global_max_pool(SRC, INDEX, N),
        lambda: at.segment_max_or_constant(SRC, INDEX, N),
    ),
    "SoftmaxAggregation": (
        lambda: nn.aggr.SoftmaxAggregation()(SRC, INDEX, dim_size=N),
        lambda: at.segment_attention(SRC, SRC, INDEX, N),
    ),
    "VarAggregation": (
        lambda: nn.aggr.VarAggregation()(SRC, INDEX, dim_size=N),
        lambda: at.segment_variance(SRC, INDEX, N),
    ),
    "StdAggregation": (
        lambda: nn.aggr.StdAggregation()(SRC, INDEX, dim_size=N),
        lambda: at.segment_std(SRC, INDEX, N),
    ),
}


@pytest.mark.parametrize("name", PYG)
def test_pyg(name):
    peer, ours = PYG[name]
    torch.testing.assert_close(ours(), peer())


def test_pyg_batch():
    peers = [data.Data(x=SRC[i : i + 2], edge_index=torch.tensor([[0, 1], [1, 0]])) for i in (0, 2)]
    graphs = [
        jraph.GraphsTuple(
            nodes=peer.x,
            edges=None,
            senders=peer.edge_index[0],
            receivers=peer.edge_index[1],
            globals=None,
            n_node=torch.tensor([2]),
            n_edge=torch.tensor([2]),
        )
        for peer in peers
    ]
    peer, ours = data.Batch.from_data_list(peers), jraph.batch(graphs)
    torch.testing.assert_close(ours.nodes, peer.x)
    torch.testing.assert_close(torch.stack([ours.senders, ours.receivers]), peer.edge_index)
    for one, own in zip(jraph.unbatch(ours), peer.to_data_list(), strict=True):
        torch.testing.assert_close(one.nodes, own.x)


def test_what_differs_from_pyg():
    vector, ids = SRC[:, 0], torch.tensor([0, 2, -1, 1])
    assert utils.scatter(vector, INDEX, 0).shape == (3,)  # the size left out
    with pytest.raises(RuntimeError):
        utils.scatter(vector, ids, 0, 3)
    with pytest.raises(RuntimeError):
        utils.scatter(vector, ids + 4, 0, 3)
    masked = torch.tensor([-torch.inf, -torch.inf])
    assert utils.softmax(masked, torch.tensor([0, 0])).isnan().all()
    assert at.segment_softmax(masked, torch.tensor([0, 0]), 1).tolist() == [0, 0]
    empty = torch.tensor([0, 0, 4])
    assert utils.segment_logsumexp(SRC, empty, 0)[0].tolist() == [0, 0]
    assert at.partition_logsumexp(SRC, at.diff(empty), ROWS)[0].tolist() == [-torch.inf, -torch.inf]
    near, same = torch.tensor([4096.0, 4097.0]), torch.tensor([0, 0])
    assert nn.aggr.VarAggregation()(near[:, None], same).item() == 0
    assert at.segment_variance(near, same, 1).item() == 0.25
    small = torch.tensor([200, 100], dtype=torch.uint8)
    assert utils.scatter(small, same, 0, 1, "mean").item() == 22
    assert at.segment_mean(small, same, 1).item() == 150
    with pytest.raises((RuntimeError, IndexError)):
        utils.scatter(near, same.to(torch.uint8), 0, 1)
    assert at.segment_sum(near, same.to(torch.uint8), 1).item() == 8193


@pytest.mark.parametrize(
    ("function", "share"),
    [
        (lambda x: utils.scatter(x, torch.tensor([0, 0]), 0, 1, "max"), 1 / 3),
        (lambda x: at.segment_max(x, torch.tensor([0, 0]), 1), 1 / 2),
    ],
    ids=["pyg", "ours"],
)
def test_tied_zeros(function, share):
    zeros = torch.zeros(2, requires_grad=True)
    torch.testing.assert_close(
        *[torch.autograd.grad(function(zeros).sum(), zeros)[0], torch.full((2,), share)]
    )


X, IDS = np.array([[1.0, -3.0], [2.0, 0.5], [4.0, 2.0]], np.float32), np.array([0, 0, 1], np.int32)
FLAT = np.arange(6, dtype=np.float32).reshape(2, 3)
SAME_NAME = {
    **{f"segment_{name}": (X, IDS, 2) for name in ("sum", "prod", "min", "max")},
    **dict.fromkeys(["expand_dims", "squeeze"], (FLAT[None], 0)),
    "tile": (FLAT, (2, 1)),
    "roll": (FLAT, 1),
    "reshape": (FLAT, (3, 2)),
    "stack": ([FLAT, FLAT],),
    "concatenate": ([FLAT, FLAT],),
    **dict.fromkeys(["flip", "transpose", "sum", "prod", "max", "min", "mean", "std", "var"], (FLAT,)),
    **dict.fromkeys(["any", "all", "argmax", "argmin"], (FLAT,)),
    **dict.fromkeys(["softmax", "relu", "leaky_relu", "stop_gradient", "rsqrt"], (FLAT + 1,)),
    "zeros": ((2, 3),),
    "ones": ((2, 3),),
    "full": ((2,), 3.0),
    "arange": (4,),
    "eye": (3,),
    "linspace": (0.0, 1.0, 3),
}


@pytest.mark.parametrize("name", SAME_NAME)
def test_keras_has_the_same_name(name):
    peer = keras.ops.convert_to_numpy(getattr(keras.ops, name)(*SAME_NAME[name]))
    np.testing.assert_allclose(np.asarray(getattr(at, name)(*SAME_NAME[name])), peer, rtol=1e-5)


def test_keras_by_another_name():
    a, b = FLAT, FLAT.T.copy()
    np.testing.assert_allclose(at.einsum(a, b, "i j, j k -> i k"), keras.ops.einsum("ij,jk->ik", a, b))
    np.testing.assert_array_equal(keras.ops.take(FLAT, np.array([4])), [4.0])  # flattened
    np.testing.assert_array_equal(at.take(FLAT, np.array([1])), FLAT[1:])
    np.testing.assert_array_equal(at.repeat(FLAT, 2, axis=0), keras.ops.repeat(FLAT, 2, axis=0))
    real, imaginary = keras.ops.fft((FLAT, FLAT * 0))
    np.testing.assert_allclose(
        at.fft.fft(FLAT.astype(np.complex64)), np.array(real) + 1j * np.array(imaginary)
    )


def test_what_differs_from_keras():
    assert keras.ops.segment_sum(X, IDS).shape == (2, 2)  # max(ids) + 1
    below = np.float32([-1.0])
    assert (float(keras.ops.leaky_relu(below)[0]), at.leaky_relu(below)[0]) == pytest.approx((-0.2, -0.01))
    assert keras.ops.sum(X, 0).shape == at.sum(X, axis=0).shape == keras.ops.squeeze(X[:1]).shape
    with pytest.raises(TypeError):
        at.sum(X, 0)
    with pytest.raises(TypeError):
        at.squeeze(X[:1])
    assert keras.ops.zeros(1).dtype == keras.config.floatx()
    assert float(keras.ops.segment_max(np.float32([1.0]), np.int32([1]), 2)[0]) == np.finfo(np.float32).min
    assert at.segment_max(np.float32([1.0]), np.int32([1]), 2)[0] == -np.inf
    assert (keras.ops.add(np.int64(1), np.float32(1)).dtype, at.add(np.int64(1), np.float32(1)).dtype) == (
        "float32",
        "float64",
    )
    with pytest.raises(Exception, match="segment_ids"):  # of TensorFlow's CPU kernel
        keras.ops.segment_sum(X, IDS + 5, 2)
    assert at.segment_sum(X, IDS + 5, 2).tolist() == [[0, 0], [0, 0]]


def test_what_differs_from_jraph():
    same = jnp.array([0, 0])
    masked = jnp.array([-jnp.inf, -jnp.inf])
    assert jnp.isnan(official.segment_softmax(masked, same, 1)).all()
    assert jraph.segment_softmax(masked, same, 1).tolist() == [0, 0]
    halves, zeros = jnp.ones(1000, jnp.bfloat16), jnp.zeros(1000, jnp.int32)
    assert float(official.segment_sum(halves, zeros, 1)[0]) == 256
    assert float(jraph.segment_sum(halves, zeros, 1)[0]) == 1000
    with pytest.raises(TypeError, match="graphs"):
        jraph.batch(graphs=[])
    small = jnp.array([200, 100], jnp.uint8)
    assert int(official.segment_sum(small, same, 1)[0]) == 44
    assert int(jraph.segment_sum(small, same, 1)[0]) == 300
    graph = {"nodes": jnp.array([[1.0], [2.0]]), "edges": None, "senders": None, "receivers": None}
    graph |= {"globals": None, "n_node": jnp.array([2]), "n_edge": jnp.array([0])}
    with pytest.raises((TypeError, AttributeError, ValueError)):
        official.GraphConvolution(lambda h: h)(official.GraphsTuple(**graph))
    assert jraph.GraphConvolution(lambda h: h)(jraph.GraphsTuple(**graph)).nodes.tolist() == [[0], [0]]
    with pytest.raises(AttributeError):
        official.get_fully_connected_graph(2, 1, jnp.ones((2, 1)))
    assert jraph.get_fully_connected_graph(2, 1, jnp.ones((2, 1))).senders.shape == (4,)
    with pytest.raises(NotImplementedError):
        jax.grad(lambda x: jax.ops.segment_prod(x, same, 1).sum())(jnp.array([2.0, 3.0]))
    assert jax.grad(lambda x: at.segment_prod(x, same, 1).sum())(jnp.array([2.0, 3.0])).tolist() == [3, 2]

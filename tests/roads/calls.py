"""One small call of every public function, from arrays to arrays, to send down every road.

The data is chosen so that every value of the call is finite and every gradient defined where there is one.
Names are those that a user writes after ``at.``.
"""

import numpy as np

import anytensor as at
from anytensor import jraph, tree

F = np.array([[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]], np.float32)
G = np.array([[1.5, 2.5, -0.5], [0.75, -2.0, 1.25]], np.float32)
POSITIVE = np.abs(F) + 1.5
UNIT = F / 4
I = np.array([[1, 2, 3], [4, 5, 6]], np.int32)  # noqa: E741  # integers
J = np.array([[3, 1, 2], [2, 3, 1]], np.int32)
B = np.array([[True, False, True], [False, False, True]])
COMPLEX = (F + 1j * G).astype(np.complex64)
VECTOR = np.array([3.0, 1.0, 2.0, 1.0], np.float32)
INDEX = np.array([1, 0, 1], np.int32)
SQUARE = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], np.float32)
ROWS = np.array([[1.0, -2.0], [3.0, 0.5], [2.0, 1.0], [-1.0, 4.0]], np.float32)
IDS = np.array([0, 0, 2, 2], np.int32)
LENGTHS = np.array([2, 0, 2], np.int32)
LOGITS = np.array([0.5, -1.0, 2.0, 0.25], np.float32)
SENDERS = np.array([0, 1, 2, 2, 0], np.int32)
RECEIVERS = np.array([1, 2, 0, 1, 1], np.int32)
EDGES = np.array([[0.5], [1.0], [-1.0], [2.0], [0.25]], np.float32)
NODES = np.array([[1.0, 0.5], [2.0, -1.0], [-0.5, 3.0]], np.float32)

UNARY = (
    "abs acos asin asinh atan atanh ceil conj cos cosh exp expm1 floor imag is_finite is_inf is_nan isfinite isinf "
    "isnan negative positive real relu round sign signbit sin sinh square tan tanh trunc stop_gradient leaky_relu"
).split()
OF_POSITIVE = ["acosh", "log", "log10", "log1p", "log2", "reciprocal", "rsqrt", "sqrt"]
BINARY = (
    "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp maximum "
    "minimum multiply nextafter not_equal remainder subtract equal_nan"
).split()
OF_INTEGERS = "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor".split()
REDUCTIONS = "max mean min prod std sum var".split()
COMPARED = "all any".split()
SEGMENTS = (
    "segment_sum segment_min segment_max segment_prod segment_mean segment_variance segment_std segment_normalize "
    "segment_softmax segment_logsumexp"
).split()
PARTITIONS = "partition_sum partition_min partition_max partition_mean partition_softmax partition_logsumexp".split()


def _graph(nodes, edges, senders, receivers):
    """Return one graph whose sizes are those of its arrays."""
    n = at.full((1,), at.shape(nodes)[0], dtype=np.int32, like=senders)
    m = at.full((1,), at.shape(senders)[0], dtype=np.int32, like=senders)
    return jraph.GraphsTuple(
        nodes=nodes,
        edges=edges,
        senders=senders,
        receivers=receivers,
        globals=at.ones((1, 1), like=nodes),
        n_node=n,
        n_edge=m,
    )


GRAPH = (NODES, EDGES, SENDERS, RECEIVERS)


def _joined(*arrays):
    return at.concat(arrays, axis=-1)


def calls():
    """Return name -> (function, arguments)."""
    table = {}

    def add(name, function, *args):
        table[name] = (function, args)

    for name in UNARY:
        add(name, getattr(at, name), UNIT)
    for name in OF_POSITIVE:
        add(name, getattr(at, name), POSITIVE)
    for name in BINARY:
        add(name, getattr(at, name), F, G)
    for name in OF_INTEGERS:
        add(name, getattr(at, name), I, J)
    add("bitwise_invert", at.bitwise_invert, I)
    add("pow", at.pow, POSITIVE, G)
    for name in ("logical_and", "logical_or", "logical_xor"):
        add(name, getattr(at, name), B, ~B)
    add("logical_not", at.logical_not, B)
    add("clip", lambda x: at.clip(x, -1.0, 1.0), F)
    for name in REDUCTIONS:
        add(name, lambda x, f=getattr(at, name): f(x, axis=-1, keepdims=True), F)
    for name in COMPARED:
        add(name, lambda x, f=getattr(at, name): f(x, axis=0), B)
    _add_arrays(add)
    _add_segments(add)
    _add_linalg(add)
    _add_fft(add)
    _add_graphs(add)
    return table


def _add_arrays(add):
    add("array_namespace", lambda x: at.array_namespace(x).exp(x), F)
    add("align_arrays", lambda x, y: at.align_arrays(x, y)[1], F, I)
    add("arange", lambda x: x + at.arange(3, like=x), F)
    add("asarray", at.asarray, F)
    add("cast", lambda x: at.cast(x, "float64"), F)
    add("astype", lambda x: at.astype(x, "int32"), F)
    add("can_cast", lambda x: x * at.can_cast(x.dtype, x.dtype), F)
    add("finfo", lambda x: x + at.finfo(x.dtype).eps, F)
    add("iinfo", lambda x: x + at.iinfo(x.dtype).bits, I)
    add("isdtype", lambda x: x * at.isdtype(x.dtype, "real floating"), F)
    add("dtype", lambda x: at.astype(x, at.dtype("int32", x)), F)
    add("result_type", lambda x, y: at.astype(y, at.result_type(x, y)), F, I)
    add("from_dlpack", at.from_dlpack, F)
    for name in ("zeros", "ones", "empty"):
        add(name, lambda x, f=getattr(at, name): at.shape(f(at.shape(x), like=x))[0] * x, F)
        like = getattr(at, f"{name}_like")
        add(f"{name}_like", lambda x, f=like: at.shape(f(x))[0] * x, F)
    add("full", lambda x: at.full(at.shape(x), 2.5, like=x), F)
    add("full_like", lambda x: at.full_like(x, 2.5), F)
    add("eye", lambda x: at.eye(at.shape(x)[0], 3, like=x), F)
    add("linspace", lambda x: at.linspace(0.0, 1.0, 3, like=x) * x, F)
    add("meshgrid", lambda x, y: at.meshgrid(x, y)[0], VECTOR, VECTOR)
    add("tril", at.tril, SQUARE)
    add("triu", at.triu, SQUARE)
    add("argmax", lambda x: at.argmax(x, axis=1), F)
    add("argmin", lambda x: at.argmin(x, axis=1), F)
    add("argsort", lambda x: at.argsort(x, axis=1), F)
    add("sort", lambda x: at.sort(x, axis=1), F)
    add("count_nonzero", lambda x: at.count_nonzero(x, axis=1), F)
    add("nonzero", lambda x: at.nonzero(x)[0], F)
    add("searchsorted", at.searchsorted, np.array([0.0, 1.0, 2.0], np.float32), VECTOR)
    add("where", at.where, B, F, G)
    add("unique_all", lambda x: at.unique_all(x).values, VECTOR)
    add("unique_counts", lambda x: at.unique_counts(x).counts, VECTOR)
    add("unique_inverse", lambda x: at.unique_inverse(x).inverse_indices, VECTOR)
    add("unique_values", at.unique_values, VECTOR)
    add("broadcast_arrays", lambda x, y: at.broadcast_arrays(x, y)[1], F, F[:1])
    add("broadcast_to", lambda x: at.broadcast_to(x, (2, *at.shape(x))), F)
    add("concat", lambda x, y: at.concat([x, y]), F, G)
    add("concatenate", lambda x, y: at.concatenate([x, y], axis=1), F, G)
    add("expand_dims", lambda x: at.expand_dims(x, axis=1), F)
    add("flip", lambda x: at.flip(x, axis=0), F)
    add("moveaxis", lambda x: at.moveaxis(x, 0, 1), F)
    add("permute_dims", lambda x: at.permute_dims(x, (1, 0)), F)
    add("transpose", at.transpose, F)
    add("repeat", lambda x: at.repeat(x, 2, axis=0), F)
    add("reshape", lambda x: at.reshape(x, (-1,)), F)
    add("roll", lambda x: at.roll(x, 1, axis=0), F)
    add("squeeze", lambda x: at.squeeze(x[:, None], axis=1), F)
    add("stack", lambda x, y: at.stack([x, y]), F, G)
    add("unstack", lambda x: at.unstack(x, axis=1)[0], F)
    add("tile", lambda x: at.tile(x, (2, 1)), F)
    add("take", lambda x, i: at.take(x, i, axis=1), F, INDEX)
    add("take_along_axis", lambda x, i: at.take_along_axis(x, i, axis=1), F, I[:, :1] % 3)
    add("shape", lambda x: at.reshape(x, (at.shape(x)[0], 3)), F)
    add("cumsum", lambda x: at.cumsum(x, axis=1), F)
    add("cumulative_sum", lambda x: at.cumulative_sum(x, axis=1), F)
    add("cumulative_prod", lambda x: at.cumulative_prod(x, axis=1), F)
    add("diff", lambda x: at.diff(x, axis=1), F)
    add("matmul", lambda x, y: at.matmul(x, at.transpose(y)), F, G)
    add("matrix_transpose", at.matrix_transpose, F)
    add("tensordot", lambda x, y: at.tensordot(x, y, axes=((1,), (1,))), F, G)
    add("vecdot", at.vecdot, F, G)
    add("softmax", at.softmax, F)
    add("fill_nan", at.fill_nan, F)
    add("nan_fill", at.nan_fill, F)
    add("fill_nan_mask", lambda x: at.fill_nan_mask(x)[0], F)
    add("nan_to_num", at.nan_to_num, F)
    for name in ("inf", "ninf", "nan", "pi", "e"):
        add(name, lambda x, v=getattr(at, name): at.where(x > 100.0, v, x), F)
    add("newaxis", lambda x: x[:, at.newaxis], F)
    add("einsum", lambda x, y: at.einsum(x, y, "a b, a b -> a"), F, G)
    add("rearrange", lambda x: at.rearrange(x, "a b -> b a"), F)
    add("reduce", lambda x: at.reduce(x, "a b -> a", "sum"), F)
    add("einops_repeat", lambda x: at.einops_repeat(x, "a b -> a c b", c=2), F)
    add("pack", lambda x, y: at.pack([x, y], "* b")[0], F, G)
    add("unpack", lambda x: at.unpack(x, [(1,), (1,)], "* b")[0], F)
    add("promote", at.promote(x="data", y="data")(lambda x, y: x + y), F, I)

    def scoped(x):
        with at.promote_options(copy=True):
            return at.add(x, np.float32(1))

    add("promote_options", scoped, F)
    add("cache", at.cache(lambda x, n: at.partition_sum(x, n, at.shape(x)[0])), ROWS, LENGTHS)


def _add_segments(add):
    for name in SEGMENTS:
        add(name, lambda x, i, f=getattr(at, name): f(x, i, 3), ROWS, IDS)
    add("segment_count", lambda i: at.segment_count(i, 3), IDS)
    add("segment_min_or_constant", lambda x, i: at.segment_min_or_constant(x, i, 3, constant=0.5), ROWS, IDS)
    add("segment_max_or_constant", lambda x, i: at.segment_max_or_constant(x, i, 3, constant=0.5), ROWS, IDS)
    add("segment_attention", lambda x, w, i: at.segment_attention(x, w, i, 3), ROWS, LOGITS, IDS)
    add("partition_ids", lambda n, x: at.partition_ids(n, at.shape(x)[0]), LENGTHS, ROWS)
    for name in PARTITIONS:
        add(name, lambda x, n, f=getattr(at, name): f(x, n, at.shape(x)[0]), ROWS, LENGTHS)


def _add_linalg(add):
    of_square = "cholesky det diagonal eigvalsh inv matrix_norm matrix_rank pinv svdvals trace vector_norm".split()
    for name in of_square:
        add(f"linalg.{name}", getattr(at.linalg, name), SQUARE)
    add("linalg.eigh", lambda x: at.linalg.eigh(x).eigenvalues, SQUARE)
    add("linalg.qr", lambda x: at.abs(at.linalg.qr(x).R), SQUARE)
    add("linalg.svd", lambda x: at.linalg.svd(x).S, SQUARE)
    add("linalg.slogdet", lambda x: at.linalg.slogdet(x).logabsdet, SQUARE)
    add("linalg.matrix_power", lambda x: at.linalg.matrix_power(x, 2), SQUARE)
    add("linalg.solve", at.linalg.solve, SQUARE, SQUARE[:, :1])
    add("linalg.cross", at.linalg.cross, F, G)
    add("linalg.outer", at.linalg.outer, VECTOR, VECTOR)
    add("linalg.matmul", lambda x, y: at.linalg.matmul(x, at.transpose(y)), F, G)
    add("linalg.matrix_transpose", at.linalg.matrix_transpose, F)
    add("linalg.tensordot", lambda x, y: at.linalg.tensordot(x, y, axes=((1,), (1,))), F, G)
    add("linalg.vecdot", at.linalg.vecdot, F, G)


def _add_fft(add):
    for name in "fft fftn ifft ifftn fftshift ifftshift".split():
        add(f"fft.{name}", lambda x, f=getattr(at.fft, name): at.real(f(x)), COMPLEX)
    for name in "hfft irfft irfftn".split():
        add(f"fft.{name}", getattr(at.fft, name), COMPLEX)
    for name in "ihfft rfft rfftn".split():
        add(f"fft.{name}", lambda x, f=getattr(at.fft, name): at.real(f(x)), F)
    add("fft.fftfreq", lambda x: at.fft.fftfreq(3, like=x) * x, F)
    add("fft.rfftfreq", lambda x: x[:, :2] * at.fft.rfftfreq(3, like=x), F)


def _add_graphs(add):
    def on_graph(name, layer, *args):
        def function(nodes, edges, senders, receivers):
            return layer(_graph(nodes, edges, senders, receivers)).nodes

        add(f"jraph.{name}", function, *args, *GRAPH)

    update = {"update_edge_fn": lambda e, s, r, g: _joined(e, s, r, g)}
    on_graph("GraphNetwork", jraph.GraphNetwork(update["update_edge_fn"], _joined, _joined))
    on_graph("InteractionNetwork", jraph.InteractionNetwork(_joined, lambda n, e: _joined(n, e)))
    on_graph("GraphMapFeatures", jraph.GraphMapFeatures(at.tanh, at.sin, at.cos))
    on_graph("GraphConvolution", jraph.GraphConvolution(lambda n: n * 2.0, add_self_edges=True))
    on_graph(
        "GAT",
        jraph.GAT(lambda n: n * 0.5, lambda s, r, e: at.sum(s * r, axis=-1, keepdims=True), lambda n: n),
    )
    on_graph(
        "GraphNetGAT",
        jraph.GraphNetGAT(
            _joined,
            _joined,
            lambda e, s, r, g: at.sum(s * r, axis=-1, keepdims=True),
            lambda e, w: e * w,
            _joined,
        ),
    )

    def outcome(layer):
        return lambda *arrays: layer(_graph(*arrays)).globals

    deep = jraph.DeepSets(_joined, _joined)
    add("jraph.DeepSets", outcome(deep), *GRAPH)
    relation = jraph.RelationNetwork(lambda s, r: s * r, lambda e: e)
    add("jraph.RelationNetwork", outcome(relation), *GRAPH)
    add("tree.map", lambda x, y: tree.map(at.add, {"a": x, "b": [y]}, {"a": y, "b": [x]}), F, G)
    add("tree.batch", lambda x, y: tree.batch([{"a": x}, {"a": y}]), F, G)
    add("tree.stack", lambda x, y: tree.stack([{"a": x}, {"a": y}]), F, G)
    add("tree.unstack", lambda x: tree.unstack({"a": x}, axis=1)[0], F)
    add("tree.unbatch", lambda x: tree.unbatch({"a": x})[0], F)

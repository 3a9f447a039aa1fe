"""One call of every public function, as an expression of the arrays below."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

import anytensor as at
from anytensor import fft, hetero, jraph, linalg, tree

ROWS = (4, 6)
"""Number of rows of the example, and of the other size that a road with open lengths is run at."""


def arrays(rows: int) -> dict[str, Any]:
    """Return the arrays that the expressions name; the first axes follow ``rows``, but for m, w and q."""
    rng = np.random.default_rng(rows)
    square = rng.normal(size=(rows, 3, 3))
    half = rows // 2
    return {
        "x": rng.normal(size=(rows, 3)).astype(np.float32),
        "y": rng.normal(size=(rows, 3)).astype(np.float32),
        "p": rng.uniform(0.1, 0.9, (rows, 3)).astype(np.float32),
        "i": rng.integers(1, 7, (rows, 3)).astype(np.int32),
        "j": rng.integers(1, 4, (rows, 3)).astype(np.int32),
        "b": rng.integers(0, 2, (rows, 3)).astype(bool),
        "v": np.sort(rng.normal(size=rows)).astype(np.float32),
        "s": (square @ square.swapaxes(1, 2) + 3 * np.eye(3)).astype(np.float32),
        "k": rng.integers(0, rows, rows).astype(np.int64),
        "ids": np.arange(-1, rows - 1).astype(np.int32),
        "seg": np.zeros((rows - 1, 2), np.float32),
        "parts": np.array([1, rows - half - 1, half] if rows > 4 else [1, rows - 1], np.int32),
        "g": rng.normal(size=(3 if rows > 4 else 2, 2)).astype(np.float32),
        "m": np.eye(3, dtype=np.float32) * 2 + 0.1,
        "w": rng.normal(size=(3, 2)).astype(np.float32),
        "q": np.array([0.5, -1.0, 2.0], np.float32),
    }


FIXED = ("m", "w", "q")
"""Arrays whose lengths stay."""


def words(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


UNARY = words("""
abs acos acosh asin asinh atan atanh ceil conj cos cosh exp expm1 floor is_finite is_inf is_nan isfinite isinf
isnan log log1p log2 log10 nan_to_num negative positive real reciprocal relu leaky_relu round rsqrt sign
signbit sin sinh sqrt square stop_gradient tan tanh trunc sum prod max min mean std var all any argmax argmin
argsort sort cumsum count_nonzero zeros_like ones_like empty_like fill_nan nan_fill fill_nan_mask nonzero
unique_all unique_counts unique_inverse unique_values asarray
""")
BINARY = words("""
add atan2 copysign divide equal equal_nan floor_divide greater greater_equal hypot less less_equal logaddexp
maximum minimum multiply nextafter not_equal remainder subtract vecdot
""")
SEGMENT = words("sum prod min max mean variance std normalize softmax logsumexp")
MATRIX = words("""
cholesky det diagonal eigh eigvalsh inv matrix_norm matrix_rank matrix_transpose pinv qr slogdet svd svdvals
trace vector_norm
""")

GRAPH = "jraph.GraphsTuple(x, y, k, k, g, parts, parts)"
BUYS = ("user", "buys", "item")
JOIN = jraph.concatenated_args(at.tanh)


def fields(graph: Any) -> dict[str, Any]:
    """Return what a layer may have changed."""
    return {name: getattr(graph, name) for name in ("nodes", "edges", "globals")}


def typed(users: Any, items: Any, ends: Any) -> Any:
    """Return a graph of two types of nodes and one relation, whose edges bear the users' features."""
    one = np.array([1], np.int32)
    return hetero.HeteroGraphsTuple(
        nodes={"user": users, "item": items},
        edges={BUYS: at.take(users, ends)},
        senders={BUYS: ends},
        receivers={BUYS: ends},
        n_node={"user": one, "item": one},
        n_edge={BUYS: one},
        globals=None,
    )


CALLS: dict[str, str] = {
    **{f"at.{name}": f"at.{name}(p)" for name in UNARY},
    **{f"at.{name}": f"at.{name}(x, y)" for name in BINARY},
    "at.acosh": "at.acosh(p + 1)",
    "at.empty_like": "at.full_like(at.empty_like(p), 1.0)",
    "at.pow": "at.pow(p, y)",
    "at.clip": "at.clip(x, -0.5, 0.5)",
    "at.imag": "at.imag(at.astype(x, 'complex64'))",
    "at.where": "at.where(b, x, y)",
    **{f"at.bitwise_{n}": f"at.bitwise_{n}(i, j)" for n in ("and", "or", "xor", "left_shift", "right_shift")},
    "at.bitwise_invert": "at.bitwise_invert(i)",
    **{f"at.logical_{n}": f"at.logical_{n}(b, x > 0)" for n in ("and", "or", "xor")},
    "at.logical_not": "at.logical_not(b)",
    "at.arange": "at.arange(at.shape(x)[0], like=x)",
    "at.zeros": "at.zeros((at.shape(x)[0], 2), like=x)",
    "at.ones": "at.ones((at.shape(x)[0], 2), like=x)",
    "at.empty": "at.full_like(at.empty((at.shape(x)[0], 2), like=x), 1.0)",
    "at.full": "at.full((at.shape(x)[0], 2), 7.0, like=x)",
    "at.full_like": "at.full_like(x, 7.0)",
    "at.eye": "at.eye(at.shape(x)[0], like=x)",
    "at.linspace": "at.linspace(0.0, 1.0, 5, like=x)",
    "at.meshgrid": "at.meshgrid(v, q)",
    "at.tril": "at.tril(x)",
    "at.triu": "at.triu(x)",
    "at.astype": "at.astype(x, 'int32')",
    "at.cast": "at.cast(i, 'float32')",
    "at.broadcast_arrays": "at.broadcast_arrays(x, q)",
    "at.broadcast_to": "at.broadcast_to(q, (at.shape(x)[0], 3))",
    "at.align_arrays": "at.align_arrays(x, i)",
    "at.concat": "at.concat([x, y], axis=1)",
    "at.concatenate": "at.concatenate([x, y])",
    "at.stack": "at.stack([x, y])",
    "at.unstack": "at.unstack(x, axis=1)",
    "at.expand_dims": "at.expand_dims(x, axis=0)",
    "at.squeeze": "at.squeeze(at.expand_dims(x, axis=0), 0)",
    "at.flip": "at.flip(x)",
    "at.moveaxis": "at.moveaxis(s, 0, 2)",
    "at.permute_dims": "at.permute_dims(x, (1, 0))",
    "at.transpose": "at.transpose(x)",
    "at.matrix_transpose": "at.matrix_transpose(x)",
    "at.repeat": "at.repeat(x, 2, axis=0)",
    "at.tile": "at.tile(x, (2, 1))",
    "at.reshape": "at.reshape(x, (-1,))",
    "at.roll": "at.roll(x, 1, axis=0)",
    "at.shape": "at.zeros(at.shape(x), like=x)",
    "at.take": "at.take(x, k)",
    "at.take_along_axis": "at.take_along_axis(x, i % 3, axis=1)",
    "at.cumulative_sum": "at.cumulative_sum(x, axis=0)",
    "at.cumulative_prod": "at.cumulative_prod(x, axis=0)",
    "at.cumsum": "at.cumsum(x, axis=0)",
    "at.diff": "at.diff(x, axis=0)",
    "at.searchsorted": "at.searchsorted(v, q)",
    "at.softmax": "at.softmax(x, axis=1)",
    "at.matmul": "at.matmul(x, w)",
    "at.tensordot": "at.tensordot(x, w, axes=1)",
    "at.einsum": "at.einsum(x, w, 'rows a, a b -> rows b')",
    "at.einops_repeat": "at.einops_repeat(x, 'rows a -> rows a 2')",
    "at.rearrange": "at.rearrange(x, 'rows a -> a rows')",
    "at.reduce": "at.reduce(x, 'rows a -> a', 'sum')",
    "at.pack": "at.pack([x, y], 'rows *')[0]",
    "at.unpack": "at.unpack(x, [[1], [2]], 'rows *')",
    **{f"at.segment_{n}": f"at.segment_{n}(x, ids, at.shape(seg)[0])" for n in SEGMENT},
    "at.segment_count": "at.segment_count(ids, at.shape(seg)[0])",
    "at.segment_min_or_constant": "at.segment_min_or_constant(x, ids, at.shape(seg)[0], constant=0.0)",
    "at.segment_max_or_constant": "at.segment_max_or_constant(x, ids, at.shape(seg)[0], constant=0.0)",
    "at.segment_attention": "at.segment_attention(x, v, ids, at.shape(seg)[0])",
    "at.partition_ids": "at.partition_ids(parts, at.shape(x)[0])",
    **{
        f"at.partition_{n}": f"at.partition_{n}(x, parts, at.shape(x)[0])"
        for n in ("sum", "min", "max", "mean", "softmax", "logsumexp")
    },
    **{f"at.linalg.{n}": f"linalg.{n}(s)" for n in MATRIX},
    "at.linalg.cross": "linalg.cross(x, y)",
    "at.linalg.matmul": "linalg.matmul(x, w)",
    "at.linalg.matrix_power": "linalg.matrix_power(s, 3)",
    "at.linalg.outer": "linalg.outer(v, q)",
    "at.linalg.solve": "linalg.solve(s, at.expand_dims(x, axis=-1))",
    "at.linalg.tensordot": "linalg.tensordot(x, w, axes=1)",
    "at.linalg.vecdot": "linalg.vecdot(x, y)",
    # Decompositions are not unique: what is compared is.
    "at.linalg.eigh": "linalg.eigh(s)[0]",
    "at.linalg.qr": "at.abs(linalg.qr(s)[1])",
    "at.linalg.svd": "linalg.svd(s)[1]",
    **{f"at.fft.{n}": f"fft.{n}(x)" for n in ("fftshift", "ifftshift", "rfft", "rfftn", "ihfft")},
    **{f"at.fft.{n}": f"fft.{n}(at.astype(x, 'complex64'))" for n in ("fft", "fftn", "ifft", "ifftn")},
    **{f"at.fft.{n}": f"fft.{n}(at.astype(x, 'complex64'), n=4)" for n in ("hfft", "irfft")},
    "at.fft.irfftn": "fft.irfftn(at.astype(x, 'complex64'), s=(4,), axes=(1,))",
    "at.fft.fftfreq": "fft.fftfreq(5, like=x)",
    "at.fft.rfftfreq": "fft.rfftfreq(5, like=x)",
    "tree.batch": "tree.batch([{'a': x}, {'a': y}])",
    "tree.unstack": "tree.unstack({'a': q})",
    "tree.stack": "tree.stack([{'a': x}, {'a': y}])",
    "tree.unbatch": "tree.unbatch({'a': w})",
    "tree.map": "tree.map(at.add, [x], [y])",
    "tree.flatten": "tree.unflatten(tree.flatten([x, {'a': y}])[1], tree.flatten([x, {'a': y}])[0])",
    "tree.leaves": "tree.leaves({'a': x, 'b': [y]})",
    "tree.reduce": "tree.reduce(at.add, [x, y])",
    "tree.transpose": "tree.transpose(tree.structure([0, 0]), tree.structure([0]), [[x], [y]])",
    "tree.map_with_path": "tree.map_with_path(lambda path, leaf: leaf * len(path), {'a': [x]})",
    "tree.merge": "tree.merge(*tree.split({'a': x, 'b': y}, {'a': True, 'b': False}))",
    **{
        f"jraph.segment_{n}": f"jraph.segment_{n}(x, ids, at.shape(seg)[0])"
        for n in ("sum", "mean", "variance", "normalize", "softmax")
    },
    **{
        f"jraph.segment_{n}": f"jraph.segment_{n}(x, ids, at.shape(seg)[0])"
        for n in ("min", "max", "min_or_constant", "max_or_constant")
    },
    "jraph.partition_softmax": "jraph.partition_softmax(x, parts, at.shape(x)[0])",
    **{
        f"jraph.{name}": f"fields(jraph.{name}({made})({GRAPH}))"
        for name, made in {
            "GraphNetwork": "JOIN, JOIN, JOIN",
            "InteractionNetwork": "JOIN, JOIN",
            "RelationNetwork": "JOIN, at.tanh",
            "DeepSets": "JOIN, at.tanh",
            "GraphMapFeatures": "at.sin, at.cos, at.tanh",
            "GraphConvolution": "at.sin, add_self_edges=True",
            "GAT": "lambda n: n, lambda s, r, e: s * r",
            "GraphNetGAT": "JOIN, JOIN, lambda e, s, r, g: s * r, lambda e, a: a",
        }.items()
    },
    **{
        f"jraph.get_{name}_padding_mask": f"jraph.get_{name}_padding_mask({GRAPH})"
        for name in ("node", "edge", "graph")
    },
    "jraph.zero_out_padding": f"fields(jraph.zero_out_padding({GRAPH}))",
    **{
        f"hetero.{name}": f"hetero.{name}(typed(x, y, k), {rest}).nodes"
        for name, rest in {
            "relational_graph_convolution": "{'buys': lambda h: h @ w}, None",
            "hetero_sage": "{'buys': lambda h: h @ w}, {'item': at.tanh}",
            "han": "[BUYS], at.tanh, lambda s, d, e: at.sum(s * d, axis=-1), at.tanh, lambda h: h[:, 0]",
            "hgt": "{'buys': at.tanh}, {'buys': lambda s, d, e: at.sum(s * d, axis=-1)}, {'item': at.tanh}",
            "comp_gcn": "{'buys': lambda h: h @ w}, {'item': lambda h: h @ w}",
            "multi_update_all": "{'buys': hetero.RelationSpec()}, 'mean'",
            "add_reverse_edges": "",
        }.items()
    },
    "hetero.relation_mailbox": (
        "hetero.relation_mailbox(typed(x, y, k).relation_view(BUYS), hetero.RelationSpec(reduce='max'))"
    ),
}

UNTRACED: dict[str, list[str]] = {
    "of dtypes and settings: no tensor goes in or comes out": words("""
        at.array_namespace at.cache at.can_cast at.dtype at.enable_torchscript at.enable_typecheck at.finfo
        at.iinfo at.isdtype at.module_if_loaded at.promote at.promote_options at.result_type
        hetero.reverse_canonical_etype hetero.schemas_equal tree.keystr tree.register_dataclass
        tree.register_pytree_node tree.register_pytree_node_class
    """),
    "on the host, by DLPack or because sizes come from values": words("""
        at.from_dlpack hetero.batch hetero.unbatch jraph.batch jraph.batch_np jraph.dynamically_batch
        jraph.fit_buckets jraph.get_fully_connected_graph jraph.get_number_of_padding_with_graphs_edges
        jraph.get_number_of_padding_with_graphs_graphs jraph.get_number_of_padding_with_graphs_nodes
        jraph.pad_to_bucket jraph.pad_with_graphs jraph.sparse_matrix_to_graphs_tuple jraph.unbatch
        jraph.unbatch_np jraph.unpad_with_graphs
    """),
    "run as parts of the layers above": words("""
        hetero.copy_u_message hetero.gat_attention_logit hetero.graphs_tuple_as_send_recv
        jraph.concatenated_args jraph.with_zero_out_padding_outputs tree.all tree.flatten_with_path
        tree.leaves_with_path tree.split tree.structure tree.unflatten
    """),
    "types, numbers and namespaces": words("""
        at.CopyWarning at.FloatInfo at.IntegerInfo at.Scalar at.UniqueAllResult at.UniqueCountsResult
        at.UniqueInverseResult at.__version__ at.e at.inf at.nan at.newaxis at.ninf at.pi at.fft at.hetero
        at.jraph at.linalg at.tree hetero.HeteroGraphsTuple hetero.RelationSpec hetero.SendRecvTuple
        jraph.GraphsTuple jraph.PaddingBuckets tree.HOLE tree.DictKey tree.FlattenedIndexKey tree.GetAttrKey
        tree.SequenceKey
    """),
}
"""Public names that are not run, by the reason. Other names for functions in the table are not listed."""


def function_of(expression: str) -> tuple[Callable[..., Any], tuple[str, ...]]:
    """Return an expression as a function of the arrays that it names, and their names."""
    known = arrays(ROWS[0])
    parsed = ast.parse(expression, mode="eval")
    used = {node.id for node in ast.walk(parsed) if isinstance(node, ast.Name)}
    names = tuple(name for name in known if name in used)
    scope: dict[str, Any] = {
        **{"at": at, "fft": fft, "linalg": linalg, "tree": tree, "jraph": jraph, "hetero": hetero},
        **{"fields": fields, "typed": typed, "BUYS": BUYS, "JOIN": JOIN},
    }
    exec(compile(f"def call({', '.join(names)}):\n    return {expression}", "<road>", "exec"), scope)
    return scope["call"], names


def uncalled() -> list[str]:
    """Return public functions that neither the table nor the list of what is not run has."""
    known = {*CALLS, *[name for names in UNTRACED.values() for name in names]}
    modules: dict[str, ModuleType] = {
        **{"at": at, "at.linalg": linalg, "at.fft": fft},
        **{"tree": tree, "jraph": jraph, "hetero": hetero},
    }
    missing = []
    for prefix, module in modules.items():
        for name in module.__all__:
            twice = prefix == "tree" and name.startswith("tree_")
            annotation = prefix == "jraph" and name[0].isupper() and not callable(getattr(module, name))
            if f"{prefix}.{name}" not in known and not twice and not annotation and not name.endswith("Fn"):
                missing.append(f"{prefix}.{name}")
    return missing

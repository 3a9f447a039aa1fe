"""Which values are wrong for each argument of each public function, and the error that each must give.

The valid calls are those of the page of roads (``docs/roads/calls.py``), where one argument at a time is
replaced by a bad value. What an argument is follows from its name; ``SPECIAL`` has those that are something
else in one function. An argument that takes anything, such as the features of a graph, is "free".
"""

import numpy as np
from einops import EinopsError

BIG, HUGE = 99, 2**70

# Bad values by kind: label -> (value or a function of the framework's maker, error).
_NO_ARRAY = {
    "list": ([1.0, 2.0], TypeError),
    "string": ("abc", TypeError),
    "none": (None, TypeError),
    "object": (object(), TypeError),
}
_NO_NUMBERS = {
    "objects": (lambda make, valid: np.asarray(valid).astype(object), TypeError),
    "strings": (lambda make, valid: np.full(np.shape(valid), "a"), TypeError),
    "dates": (lambda make, valid: np.full(np.shape(valid), "2020", "datetime64[D]"), TypeError),
}


def _of_dtype(*names):
    return {
        name: (lambda make, valid, name=name: make(np.asarray(valid).astype(name)), TypeError)
        for name in names
    }


_DATA = _NO_ARRAY | _NO_NUMBERS
_WHOLE = {
    "float": (1.5, TypeError),
    "string": ("0", TypeError),
    "none": (None, TypeError),
    "object": (object(), TypeError),
}
_AXIS = _WHOLE | {
    "bool": (True, TypeError),
    "large": (BIG, ValueError),
    "negative": (-BIG, ValueError),
    "huge": (HUGE, ValueError),
}
_NO_NUMBER = {
    "string": ("1", TypeError),
    "none": (None, TypeError),
    "list": ([1, 2], TypeError),
    "object": (object(), TypeError),
}
_SIZE = {
    "none": (None, TypeError),
    "bool": (True, TypeError),
    "float": (2.0, TypeError),
    "string": ("2", TypeError),
    "object": (object(), TypeError),
    "negative": (-2, ValueError),
    "huge": (HUGE, ValueError),
    "0-d float": (lambda make, valid: make(np.array(2.0, np.float32)), TypeError),
}
_VECTOR = {"vector": (lambda make, valid: make(np.array([2, 2])), ValueError)}
_CHOICE = {
    "string": ("nope", ValueError),
    "none": (None, ValueError),
    "array": (lambda make, valid: make(np.ones(2, np.float32)), ValueError),
}
_CALLABLE = {
    "number": (3, TypeError),
    "string": ("sum", TypeError),
    "none": (None, TypeError),
    "array": (lambda make, valid: make(np.ones(2, np.float32)), TypeError),
}

KINDS = {
    "data": _DATA,  # arrays of any numbers
    "any dtype": _NO_ARRAY,  # moved, not computed with: NumPy's objects and strings too
    "real": _DATA | _of_dtype("complex64"),
    "number": _DATA | _of_dtype("bool"),
    "real number": _DATA | _of_dtype("complex64", "bool"),
    "floating": _DATA | _of_dtype("complex64", "bool", "int32"),
    "integer or bool": _DATA | _of_dtype("complex64", "float32"),
    "index": _NO_ARRAY | _of_dtype("float32", "bool"),
    "data or dates": {label: bad for label, bad in _DATA.items() if label != "dates"},
    "arrays": {
        "one array": (lambda make, valid: make(np.ones((4, 3), np.float32)), TypeError),
        "none": (None, TypeError),
        "number": (3, TypeError),
        "empty": ([], ValueError),
        "string in it": (lambda make, valid: [make(np.ones((4, 3), np.float32)), "abc"], TypeError),
        "none in it": (lambda make, valid: [None, make(np.ones((4, 3), np.float32))], TypeError),
    },
    "axis": _AXIS,
    "axis or none": {label: bad for label, bad in _AXIS.items() if label != "none"},
    "axes": _AXIS | {"twice": ((0, 0), ValueError)},
    "size": _SIZE | _VECTOR,
    "shape": _SIZE,
    "count": _WHOLE | {"bool": (True, TypeError), "negative": (-2, ValueError), "huge": (HUGE, ValueError)},
    "whole": _WHOLE,
    "points": {
        "number": (3, TypeError),
        "string": ("4", TypeError),
        "floats": ((2.0, 2.0), TypeError),
        "zero": ((0, 4), ValueError),
        "huge": ((4, HUGE), ValueError),
    },
    "axes of points": {
        "number": (0, TypeError),
        "twice": ((0, 0), ValueError),
        "large": ((BIG,), ValueError),
        "float": ((0.5,), TypeError),
    },
    "flag": {
        "number": (1, TypeError),
        "string": ("yes", TypeError),
        "none": (None, TypeError),
        "array": (lambda make, valid: make(np.ones(2, bool)), TypeError),
    },
    "dtype": {
        "number": (3, TypeError),
        "bool": (True, TypeError),
        "string": ("float7", TypeError),
        "none": (None, TypeError),
        "object": (object(), TypeError),
        "array": (lambda make, valid: make(np.ones(2, np.float32)), TypeError),
    },
    "device": {
        "string": ("nowhere", ValueError),
        "number": (77, ValueError),
        "object": (object(), ValueError),
        "array": (lambda make, valid: make(np.ones(2, np.float32)), ValueError),
    },
    "like": {label: _NO_ARRAY[label] for label in ("list", "string", "object")},
    "factor": _NO_NUMBER | {"complex": (1j, TypeError)},
    "bound": {label: _NO_NUMBER[label] for label in ("string", "none", "list", "object")},
    "fill": _NO_NUMBER | {"vector": (lambda make, valid: make(np.ones(2, np.float32)), ValueError)},
    "choice": _CHOICE,
    "callable": _CALLABLE,
    "callable or none": {label: bad for label, bad in _CALLABLE.items() if label != "none"},
    "pattern": {"number": (3, TypeError), "none": (None, TypeError), "string": ("nope", EinopsError)},
    "list": {"none": (None, TypeError), "number": (3, TypeError), "one text": ("abc", TypeError)},
    "operands": {"list": ([1.0], TypeError), "none": (None, TypeError), "string": ("abc", TypeError)},
    "tensor": {label: _DATA[label] for label in ("string", "none", "object")},
    "graph": {"none": (None, TypeError), "number": (3, TypeError), "dict": ({}, TypeError)},
    "structure": {"number": (3, TypeError), "dict": ({}, TypeError)},
}

# The kind of an argument by its name.
_NAMED = {
    "data": "x x1 x2 data tensor",
    "real": "messages logits",
    "index": "segment_ids indices partitions",
    "arrays": "tensors",
    "list": "trees",
    "axis": "axis source destination",
    "axes": "axes",
    "size": "num_segments total_length sum_partitions n_rows n_cols num total_repeat_length",
    "shape": "shape repetitions",
    "whole": "k offset shift",
    "points": "s",
    "flag": """
        copy descending stable keepdims include_initial endpoint upper full_matrices sorted add_self_edges
        indices_are_sorted include_sent_messages_in_node_update symmetric_normalization is_leaf_takes_path
    """,
    "dtype": "dtype",
    "device": "device",
    "like": "like",
    "factor": "negative_slope correction eps d value nan posinf neginf constant",
    "bound": "start stop step",
    "fill": "fill_value",
    "choice": "fallback indexing side mode norm reducer composition cross_reducer ord",
    "callable": """
        relation_apply combine_apply node_message node_attention_logit semantic_project semantic_query
        message_apply attention_logit target_apply is_leaf f function activation node_activation
        semantic_activation update_edge_fn update_node_fn update_global_fn aggregate_edges_for_nodes_fn
        aggregate_nodes_for_globals_fn aggregate_nodes_fn aggregate_edges_for_globals_fn attention_logit_fn
        attention_normalize_fn attention_reduce_fn embed_edge_fn embed_node_fn embed_global_fn
        attention_query_fn node_update_fn graph_net attn_vec_apply
    """,
    "callable or none": "self_apply",
    "pattern": "pattern",
    "graph": "graph padded_graph relation spec",
    "structure": "outer inner structure",
    "free": "tree rest initializer unique_indices reduction axes_lengths etypes etype_dict scale skip obj",
}
NAMED = {name: kind for kind, names in _NAMED.items() for name in names.split()}


def _functions(kind, parameter, names):
    return {(name, parameter): kind for name in names.split()}


_MOVED = """
        expand_dims flip transpose tile reshape shape broadcast_to unstack squeeze moveaxis permute_dims
        roll repeat take take_along_axis tril triu matrix_transpose concat concatenate stack stop_gradient
    """
_ORDERED = """
        atan2 copysign floor_divide greater greater_equal hypot less less_equal logaddexp maximum minimum
        nextafter remainder
    """

SPECIAL = {
    **_functions(
        "any dtype", "x", _MOVED + " linalg.matrix_transpose linalg.diagonal fft.fftshift fft.ifftshift"
    ),
    **_functions("number", "x", "abs conj negative positive real imag round sign square diff"),
    **_functions("real number", "x", "ceil floor relu signbit trunc"),
    **_functions("floating", "x", "leaky_relu"),
    **_functions(
        "real", "x", "max min std var argmax argmin argsort sort softmax fft.rfft fft.ihfft fft.rfftn"
    ),
    **_functions(
        "real",
        "x",
        """segment_min segment_max segment_variance segment_std segment_softmax segment_logsumexp
        segment_min_or_constant segment_max_or_constant partition_min partition_max partition_softmax
        partition_logsumexp""",
    ),
    **_functions(
        "real",
        "data",
        """jraph.segment_min jraph.segment_max jraph.segment_variance jraph.segment_normalize
        jraph.segment_min_or_constant jraph.segment_max_or_constant""",
    ),
    **_functions("real", "x1", _ORDERED + " searchsorted"),
    **_functions("real", "x2", _ORDERED + " searchsorted"),
    **_functions(
        "integer or bool", "x1", "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift"
    ),
    **_functions(
        "integer or bool", "x2", "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift"
    ),
    **_functions("integer or bool", "x", "bitwise_invert"),
    **_functions("data", "condition", "where"),
    **_functions("arrays", "arrays", "concat concatenate stack"),
    **_functions("data", "arrays", "meshgrid align_arrays"),
    **_functions("any dtype", "arrays", "broadcast_arrays"),
    **_functions("data", "prepend", "diff"),
    **_functions("data", "append", "diff"),
    **_functions("index", "sorter", "searchsorted"),
    **_functions("index", "repeats", "repeat"),
    **_functions("data", "min", "clip"),
    **_functions("data", "max", "clip"),
    **_functions("count", "n", "diff fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft"),
    **_functions("count", "n", "fft.fftfreq fft.rfftfreq"),
    **_functions("whole", "n", "linalg.matrix_power"),
    **_functions("factor", "ord", "linalg.vector_norm"),
    **_functions("factor", "rtol", "linalg.matrix_rank linalg.pinv"),
    **_functions("axes of points", "axes", "fft.fftn fft.ifftn fft.rfftn fft.irfftn"),
    **_functions("whole", "axes", "tensordot linalg.tensordot"),
    **_functions("list", "packed_shapes", "unpack"),
    **_functions("list", "meta_path_etypes", "hetero.han"),
    **_functions("operands", "tensors_and_pattern", "einsum"),
    **_functions("tensor", "tensor", "einops_repeat rearrange reduce unpack"),
    **_functions("data or dates", "x", "is_nan is_finite is_inf isnan isfinite isinf"),
    **_functions("axis or none", "axis", "concat concatenate diff"),
    **_functions("real", "x", "clip"),
    **_functions("free", "trees", "tree.merge"),
    **{
        (f"jraph.{layer}", parameter): "callable or none"
        for layer in ("GraphNetwork", "GraphNetGAT", "InteractionNetwork")
        for parameter in (
            "update_edge_fn",
            "update_node_fn",
            "aggregate_edges_for_nodes_fn",
            "aggregate_nodes_for_globals_fn",
            "aggregate_edges_for_globals_fn",
            "attention_normalize_fn",
        )
    },
    **_functions("callable", "update_edge_fn", "jraph.InteractionNetwork"),
    **_functions("callable", "update_node_fn", "jraph.InteractionNetwork"),
    **{
        ("jraph.GraphNetGAT", parameter): "callable or none"
        for parameter in ("attention_logit_fn", "attention_reduce_fn")
    },
}

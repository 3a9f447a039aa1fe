"""TensorFlow tensors: types, dtypes, conversion, shape. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

# tf.Variable is a facade: what it constructs is this class, which no public name reaches.
from tensorflow.python.ops.resource_variable_ops import ResourceVariable

from anytensor.backends.host_scalar import host_scalar
from anytensor.backends.tensorflow import namespace as xp

__all__ = [
    "INTS_MAY_BE_SYMBOLIC",
    "NAME",
    "array_types",
    "as_dtype",
    "as_size",
    "cast",
    "default_float",
    "default_int",
    "dtype_kind",
    "fit_host",
    "from_host",
    "from_scalar",
    "is_array",
    "is_bool",
    "is_integer",
    "is_no_number",
    "is_traced",
    "largest_size",
    "numpy_dtype",
    "promote_dtypes",
    "rank",
    "rows_match",
    "shape",
    "to_numpy",
    "xp",
]

NAME = "tensorflow"
INTS_MAY_BE_SYMBOLIC = False  # a size that a graph leaves open is a tensor

EagerTensor: Any = tf.__internal__.EagerTensor
SymbolicTensor: Any = getattr(tf.__internal__, "SymbolicTensor", tf.Tensor)

_KINDS: dict[Any, str] = {
    tf.bool: "b",
    **dict.fromkeys((tf.int8, tf.int16, tf.int32, tf.int64), "i"),
    **dict.fromkeys((tf.uint8, tf.uint16, tf.uint32, tf.uint64), "u"),
    **dict.fromkeys((tf.float16, tf.bfloat16, tf.float32, tf.float64), "f"),
    **dict.fromkeys((tf.complex64, tf.complex128), "c"),
}
# tf.DType hashes in Python: by number is a microsecond cheaper. benchmarks/segment_small.py
_KIND_BY_NUMBER = {dtype.as_datatype_enum: kind for dtype, kind in _KINDS.items()}
_BOUNDS = {dtype.as_datatype_enum: (dtype.min, dtype.max) for dtype, kind in _KINDS.items() if kind in "iu"}
_PLAIN = 65504  # what every floating dtype holds
_FLOAT32 = tf.float32
_INTEGERS = frozenset(_BOUNDS)

# A Python int is int64 here, as in our namespace and the other backends; TensorFlow's own guess is int32.
_SCALAR_TYPES: dict[Any, Any] = {bool: tf.bool, int: tf.int64, float: tf.float32, complex: tf.complex64}

# tf.experimental.dlpack.from_dlpack ends the process (a failed CHECK, TensorFlow 2.21) on memory that is not
# aligned as TensorFlow's own is.
_ALIGNMENT = 64
_SHARED_KINDS = frozenset("biufc")


def array_types() -> tuple[type, ...]:
    """Return the exact types of eager tensor, symbolic tensor and variable."""
    return (EagerTensor, SymbolicTensor, tf.Tensor, ResourceVariable)


def is_array(x: Any) -> bool:
    """Return whether x is a tensor or a variable."""
    return isinstance(x, (tf.Tensor, tf.Variable))


def is_traced(x: Any) -> bool:
    """Return whether x is symbolic; a variable is while a tf.function is being traced."""
    if isinstance(x, tf.Variable):
        return not tf.executing_eagerly()
    return not isinstance(x, EagerTensor)


def is_integer(x: Any) -> bool:
    """Return whether the dtype is an integer one."""
    if x.__class__ is EagerTensor:
        # Its own number of the dtype: half of what the property takes. benchmarks/segment_small.py
        return x._datatype_enum() in _INTEGERS
    return bool(x.dtype.is_integer)


def is_bool(x: Any) -> bool:
    """Return whether the dtype is bool."""
    return x.dtype is tf.bool


is_no_number = is_bool  # every other dtype is numeric


def rank(x: Any) -> int | None:
    """Return the number of dimensions, None where the trace does not know it."""
    known: int | None = x.shape.rank
    return known


def shape(x: Any) -> tuple[Any, ...]:
    """Return the shape: ints where static, else scalars of tf.shape."""
    static = x.shape
    if static.rank is None:
        raise ValueError(
            "shape: a TensorFlow tensor of unknown rank has no tuple of sizes; give it a rank first, as in "
            "tf.ensure_shape(x, [None, 3]) or the input_signature of the tf.function"
        )
    sizes: list[int | None] = static.as_list()
    if None not in sizes:
        return tuple(sizes)
    dynamic = tf.shape(x)
    return tuple(dynamic[i] if size is None else size for i, size in enumerate(sizes))


def rows_match(x: Any, ids: Any) -> bool:
    """Return whether ids may have one entry for each row of x; sizes unknown to the trace match."""
    # TensorShape's own field: its properties take a quarter of a small call. An eager tensor makes its
    # TensorShape when first asked, in a microsecond; x is often fresh. benchmarks/segment_small.py
    is_fresh = x.__class__ is EagerTensor and x._tensor_shape is None
    rows = x._shape_tuple() if is_fresh else x.shape._dims
    per_row = ids.shape._dims
    if rows and per_row is not None and len(per_row) == 1:
        length, wanted = rows[0], per_row[0]
        return length == wanted or length is None or wanted is None
    return (rows is None or rows != ()) and (per_row is None or len(per_row) == 1)


def dtype_kind(dtype: Any) -> str:
    """Return one of b i u f c, or O for what holds no plain numbers: text, quantized ones, variants."""
    if dtype is _FLOAT32:
        return "f"
    try:
        return _KIND_BY_NUMBER[dtype.as_datatype_enum]
    except (AttributeError, KeyError):  # another backend's dtype, or none that holds numbers
        if isinstance(dtype, tf.DType):
            return "O"
        return _KINDS[_as_dtype(dtype)]


@functools.cache
def _as_dtype(dtype: Any) -> Any:
    if dtype in _SCALAR_TYPES:
        return _SCALAR_TYPES[dtype]
    for name in (dtype, str(getattr(dtype, "name", dtype)).removeprefix("torch.")):
        try:
            known = tf.as_dtype(name)
        except (TypeError, ValueError):
            continue
        if known in _KINDS:
            return known
    try:
        known = tf.as_dtype(np.dtype(dtype))
    except TypeError:
        known = None
    if known not in _KINDS:
        raise TypeError(
            f"TensorFlow has no numeric dtype {dtype!r}; allowed: {', '.join(d.name for d in _KINDS)}"
        )
    return known


def as_dtype(dtype: Any) -> Any:
    """Return a tf.DType for a dtype, a name, a scalar type, or another backend's dtype."""
    if dtype.__class__ is tf.DType and dtype.as_datatype_enum in _KIND_BY_NUMBER:
        return dtype
    if isinstance(dtype, int):  # to TensorFlow the number of a dtype, and equal to it, in a cache too
        raise TypeError(f"TensorFlow has no numeric dtype {dtype!r}; dtypes have names")
    try:
        return _as_dtype(dtype)
    except TypeError:
        if dtype.__hash__ is None:
            raise TypeError(f"TensorFlow has no numeric dtype {dtype!r}") from None
        raise


def numpy_dtype(dtype: Any) -> Any:
    """Return the NumPy dtype of the same name; ml_dtypes' for bfloat16."""
    return np.dtype(as_dtype(dtype).as_numpy_dtype)


def default_int() -> Any:
    """Return int64."""
    return tf.int64


def default_float() -> Any:
    """Return float32."""
    return tf.float32


def promote_dtypes(arrays: list[Any]) -> Any:
    """Return our namespace's result_type of the dtypes: TensorFlow itself refuses mixed ones."""
    return xp.result_type(*[x.dtype for x in arrays])


def cast(x: Any, dtype: Any) -> Any:
    """Return x in the dtype; to bool by comparison with 0."""
    if x.dtype == dtype:
        return x
    if dtype == tf.bool:
        return tf.not_equal(x, tf.zeros((), x.dtype))
    if x.dtype.is_complex and not dtype.is_complex:
        x = tf.math.real(x)  # tf.cast does the same, and logs a warning at each call
    return tf.cast(x, dtype)


def fit_host(host: Any, kind: str) -> Any:
    """Return the array itself."""
    return host


def from_host(host: Any, like: Any, copy: bool) -> tuple[Any, str]:
    """Bring a NumPy array to TensorFlow, by reference where its memory is aligned; a constant in a trace."""
    dtype = as_dtype(host.dtype)
    if not tf.executing_eagerly():
        return tf.constant(host, dtype), ""
    device = _device(like)
    by_reference = not copy and isinstance(host, np.ndarray) and host.ndim > 0 and host.size > 0
    reason = _why_not(host, device) if by_reference else ""
    if by_reference and not reason:
        return tf.experimental.dlpack.from_dlpack(host.__dlpack__()), ""
    with tf.device(device):
        # Copied first where it must be: TensorFlow may share aligned memory of its own accord.
        return tf.constant(np.array(host) if copy else host, dtype), reason


def _why_not(host: Any, device: str) -> str:
    if "CPU" not in device:
        return f"the tensor is on {device}"
    if host.dtype.kind not in _SHARED_KINDS:
        return f"DLPack does not carry {host.dtype} from NumPy"
    if not host.dtype.isnative:
        return "its bytes are in the other order"
    if not host.flags.c_contiguous:
        return "it is not C-contiguous"
    if not host.flags.writeable:
        return "it is read-only"
    if host.ctypes.data % _ALIGNMENT:
        return f"its memory is not aligned to {_ALIGNMENT} bytes"
    return ""


def _device(like: Any) -> str:
    return (getattr(like, "device", "") or "CPU:0") if like is not None else "CPU:0"


def from_scalar(value: Any, dtype: Any, like: Any) -> Any:
    """Return a 0-d tensor of a Python scalar."""
    if type(value) is bool and dtype != tf.bool:
        value = int(value)  # tf.constant refuses a bool for any other dtype
    elif type(value) is int:
        bounds = _BOUNDS.get(dtype.as_datatype_enum)
        if bounds is None:
            value = value if -_PLAIN <= value <= _PLAIN else host_scalar(value, numpy_dtype(dtype))
        elif not bounds[0] <= value <= bounds[1]:
            raise OverflowError(f"{value} lies outside {bounds[0]} to {bounds[1]}")  # tf.constant wraps
    elif dtype.is_integer:
        value = int(value)  # as NumPy: tf.constant refuses a float
    elif type(value) is complex or not -_PLAIN <= value <= _PLAIN:
        value = host_scalar(value, numpy_dtype(dtype))  # in a graph, NumPy warns of what becomes infinite
    if like is None or not tf.executing_eagerly() or "CPU" in _device(like):
        return tf.constant(value, dtype)
    with tf.device(_device(like)):
        return tf.constant(value, dtype)


def as_size(x: Any) -> Any:
    """Return an int for a 0-d integer tensor of known value, the tensor itself for a symbolic one."""
    if not is_array(x) or not x.dtype.is_integer or x.shape.rank not in (0, None):
        return None
    if not is_traced(x):
        return int(x.numpy())
    tensor = tf.convert_to_tensor(x)
    known = tf.get_static_value(tensor)
    return tensor if known is None else int(known)


def largest_size() -> int:
    """Return what the segment kernels count in, int32, less the segment for the rows that are dropped."""
    return 2**31 - 2


def to_numpy(x: Any) -> Any:
    """Return the values on the host."""
    return np.asarray(x.numpy())

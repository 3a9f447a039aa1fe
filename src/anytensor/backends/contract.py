"""The clause table of a backend: every primitive once, with its shape, dtype, empty and out-of-range rule.

A backend is a plain module (``backends/numpy``, ``backends/jax``, ...), checked against ``Backend`` by the
type checker and, clause by clause, by ``tests/contract``. Adding a framework is a folder with these rooms, a
row in ``backends.FRAMEWORKS`` and a row in the tests' table of variants.

Promotion has run before a primitive is called: operands are arrays of this backend, ids hold integers of any
integer dtype, sizes are Python ints or this backend's symbolic sizes, checks of shape are done.

Clauses of the segment primitives, ``x`` of shape (E, ...), ``ids`` (E,), ``n`` segments:

====  ==========================================================================================
id    clause
====  ==========================================================================================
S1    a row whose id lies outside [0, n) takes no part: not wrapped, no error, gradient zero even
      if the row holds NaN or infinity; row-wise results (softmax, normalize) are 0 there
S2    an empty segment holds the identity: sum 0, prod 1, min +inf or dtype max, max -inf or dtype
      min (bool True / False), mean variance std count 0, logsumexp -inf
S3    a segment with a NaN is NaN under every reduction, wherever in the segment it stands; an
      occupied infinity stays
S4    softmax subtracts the segment's maximum, without a gradient; a segment of only -inf gives 0s
      with zero gradient; so do -inf entries
S5    float16 and bfloat16 accumulate in float32 and are cast back
S6    sum and prod of bool and of integers narrower than the default integer (unsigned ones too) widen
      to the default integer; min and max keep the dtype; integer mean, variance, std, softmax,
      normalize and logsumexp are in the default float; count is integer (int32 or wider)
S7    ties under min and max split the gradient evenly, also where the winner is the identity; second
      derivatives, forward mode and vmap work; no NaN gradient at zero variance, in an empty or
      a one-row segment
S8    any integer id dtype, compared by value (uint8 id 200 lies below n = 300 and above n = 100); zero
      rows, zero segments, zero features, 1-d to 4-d, non-contiguous x, complex sums and means
S9    ``sorted`` promises nondecreasing ids; a broken promise may give a wrong value, never an access out
      of bounds
S11   the same result from run to run on CPU
====  ==========================================================================================

The result of a reduction has shape (n, *x.shape[1:]), of a row-wise primitive the shape of ``x``, on the
device of ``x``. ``segment_count`` takes ids only and has shape (n,).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

__all__ = ["Array", "Backend", "Dtype", "Size"]

Array = Any
"""An array of the backend."""

Size = Any
"""A Python int, or a size that is known only symbolically (SymInt, tf scalar tensor, JAX dimension)."""

Dtype = Any
"""A dtype of the backend."""


@runtime_checkable  # for who checks annotations as they run
class Backend(Protocol):
    """What a framework's folder supplies. Every member is a module-level name there."""

    NAME: str
    """The framework's import name in lower case: numpy, jax, torch, tensorflow."""

    INTS_MAY_BE_SYMBOLIC: bool
    """Whether a size that is symbolic to a trace may have the type int: then comparing it binds the trace."""

    AT_A_GLANCE: Mapping[str, tuple[type, Callable[..., Any]]]
    """Public function -> the exact type of its first operand, and a function of all its arguments as given.

    It returns what the public function would, or None unless it can tell at a glance that the call is good
    (types, dtypes, shapes, sizes) and how to compute it: then all that stands before a kernel is left out.
    """

    xp: Any
    """The framework's Array API namespace."""

    ops: Any
    """What ``anytensor.ops`` calls: ``xp``; for NumPy the same with 0-d arrays instead of scalars."""

    # array.py: types, dtypes, conversion, shape

    @staticmethod
    def array_types() -> tuple[type, ...]:
        """Return every exact type of array known now: eager tensor, parameter, variable, tracers."""

    @staticmethod
    def is_array(x: Any) -> bool:
        """Return whether ``x`` is an array of this framework, subclasses and tracers included."""

    @staticmethod
    def is_traced(x: Array) -> bool:
        """Return whether ``x`` stands for a value that is not known yet (inside a trace)."""

    @staticmethod
    def is_integer(x: Array) -> bool:
        """Return whether the dtype is an integer one, bool excluded. Called on the fast path: cheap."""

    @staticmethod
    def is_bool(x: Array) -> bool:
        """Return whether the dtype is bool. Called on the fast path: cheap."""

    @staticmethod
    def is_no_number(x: Array) -> bool:
        """Return whether no arithmetic is done on the dtype: bool; on NumPy objects, strings, dates too."""

    @staticmethod
    def rank(x: Array) -> int | None:
        """Return the number of dimensions; None only where TensorFlow does not know it."""

    @staticmethod
    def shape(x: Array) -> tuple[Size, ...]:
        """Return the shape: Python ints where static, else symbolic sizes that feed any size parameter."""

    @staticmethod
    def rows_match(x: Array, ids: Array) -> bool:
        """Return False if x is 0-d, ids not 1-D, or the lengths are known and differ. Fast path."""

    @staticmethod
    def dtype_kind(dtype: Dtype) -> str:
        """Return "b" bool, "i" signed, "u" unsigned, "f" floating (bfloat16 too) or "c" complex.

        NumPy's own letter, one of "OSUmMTV", for its dtypes that hold no numbers.
        """

    @staticmethod
    def as_dtype(dtype: Any) -> Dtype:
        """Return this backend's dtype for a NumPy dtype, a dtype name, a scalar type or its own dtype.

        Raises TypeError naming the dtype if the backend has none such.
        """

    @staticmethod
    def numpy_dtype(dtype: Dtype) -> Any:
        """Return the NumPy (or ml_dtypes) dtype of the same name."""

    @staticmethod
    def default_int() -> Dtype:
        """Return the dtype that a Python int takes here when nothing else decides."""

    @staticmethod
    def default_float() -> Dtype:
        """Return the dtype that a Python float takes here when nothing else decides."""

    @staticmethod
    def promote_dtypes(arrays: list[Array]) -> Dtype:
        """Return the shared dtype of strong arrays by this framework's own rule on dtypes.

        Zero-dimensional arrays count as strong as any (their rank does not matter); weakly typed JAX
        arrays stay weak. Integers beside floats widen to the float.
        """

    @staticmethod
    def cast(x: Array, dtype: Dtype) -> Array:
        """Return ``x`` in the dtype; the same object if it has it already. To bool: != 0."""

    @staticmethod
    def fit_host(host: Any, kind: str) -> Any:
        """Return a NumPy index or mask in a form that ``from_host`` does not change the meaning of.

        Where the framework has no integer as wide, indices past what it holds become its limits: past the end
        of any axis, before and after.
        """

    @staticmethod
    def from_host(host: Any, like: Array, copy: bool) -> tuple[Array, str]:
        """Bring a NumPy array or scalar to the device of ``like``, dtype kept where the framework has it.

        By reference if ``copy`` is False and the memory can be shared safely. Returns the array and, when
        ``copy`` was False but a copy of an array had to be made outside any trace, the reason for it in a
        few words; else "". A reason too, in a trace as well, if a dtype that the framework lacks made a
        finite number another.
        """

    @staticmethod
    def from_scalar(value: Any, dtype: Dtype, like: Array | None) -> Array:
        """Return a 0-d array of a Python scalar on the device of ``like``.

        A floating dtype holds an infinity for a number too large. Raises OverflowError if an integer dtype
        does not hold the number; a caller that knows the names says more (``errors.out_of_range``).
        """

    @staticmethod
    def as_size(x: Any) -> Size | None:
        """Turn a symbolic size or a 0-d integer array of this framework into a size; None if it is neither.

        A concrete value becomes a Python int. JAX raises nothing here: a traced array is returned as it is
        and ``is_traced`` tells the caller.
        """

    @staticmethod
    def largest_size() -> int:
        """Return the greatest size that the segment kernels take."""

    @staticmethod
    def to_numpy(x: Array) -> Any:
        """Return a NumPy array of a concrete array (detached, on host; bfloat16 by ml_dtypes)."""

    # segment.py: the clauses are in the table above

    @staticmethod
    def segment_sum(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Sum the rows of each segment."""

    @staticmethod
    def segment_prod(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Multiply the rows of each segment. The gradient is right with zeros among the factors."""

    @staticmethod
    def segment_min(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Take the least entry of each segment."""

    @staticmethod
    def segment_max(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Take the greatest entry of each segment."""

    @staticmethod
    def segment_count(ids: Array, n: Size, sorted: bool) -> Array:
        """Count the rows of each segment."""

    @staticmethod
    def segment_mean(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Average the rows of each segment."""

    @staticmethod
    def segment_variance(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Average the squared distance from the segment's mean, in two passes."""

    @staticmethod
    def segment_std(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Take the root of the variance; gradient 0 where the variance is 0."""

    @staticmethod
    def segment_normalize(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Divide each row by its segment's sum; 0/0 is 0."""

    @staticmethod
    def segment_softmax(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Take the softmax over the rows of each segment."""

    @staticmethod
    def segment_logsumexp(x: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Take log(sum(exp)) over each segment, shifted by its maximum; all -inf gives -inf, gradient 0."""

    @staticmethod
    def segment_min_or_constant(x: Array, ids: Array, n: Size, sorted: bool, constant: Any) -> Array:
        """As segment_min, an empty segment holding ``constant`` in the dtype of ``x``."""

    @staticmethod
    def segment_max_or_constant(x: Array, ids: Array, n: Size, sorted: bool, constant: Any) -> Array:
        """As segment_max, an empty segment holding ``constant`` in the dtype of ``x``."""

    @staticmethod
    def segment_attention(messages: Array, logits: Array, ids: Array, n: Size, sorted: bool) -> Array:
        """Sum messages weighted by the segment softmax of their logits.

        ``logits`` (E, *k) broadcasts against ``messages`` (E, *k, ...) by trailing axes added to it.
        """

    @staticmethod
    def partition_ids(partitions: Array, total: Size) -> Array:
        """Expand lengths (n,) to nondecreasing ids (total,): row i has the number of its partition.

        Rows past the sum of the lengths get id n; a smaller total cuts. dtype int32 or the backend's default
        integer. n = 0 and total = 0 work. Eager, a negative length raises errors.negative_length(...).
        """

    # indexing.py

    @staticmethod
    def take(x: Array, indices: Array, axis: int) -> Array:
        """Gather along an axis; result shape x.shape[:axis] + indices.shape + x.shape[axis + 1:].

        Negative indices count from the end. An index out of range gives NaN (0 for integers, False for bool)
        where the framework fills, IndexError where it checks; never memory of something else.
        """

    @staticmethod
    def repeat(x: Array, repeats: Array | int, axis: int, total: Size | None) -> Array:
        """Repeat entries along an axis; ``total`` fixes the length: cut, or padded with the last entry."""

    # transform.py

    @staticmethod
    def stop_gradient(x: Array) -> Array:
        """Return ``x`` as a constant for differentiation."""

    # tracing.py

    @staticmethod
    def trace_token() -> Any:
        """Return an object that is equal within one trace of this framework; None when eager.

        It must not keep the trace alive. Dynamo is asked for apart, by ``anytensor.compiling``.
        """

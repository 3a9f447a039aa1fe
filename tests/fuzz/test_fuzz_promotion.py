"""NumPy arrays, NumPy scalars and Python numbers beside a framework's tensor: as if all were its tensors."""

import importlib
import warnings

import numpy as np
import pytest
from fuzz_profile import search
from fuzz_values import SEEDS, arrays, broadcastable, dtypes, kind_of, segment_ids, spread
from hypothesis import strategies as st

import anytensor as at
from anytensor.testing import assert_trees_close

TIMES = {"torch": (6, 200), "tensorflow": (4, 150), "jax": (1, 40)}
BINARY = (
    "add",
    "multiply",
    "maximum",
    "less",
    "equal",
    "atan2",
    "where",
    "clip",
    "concat",
    "stack",
    "einsum",
)
ROLES = ("tensor", "array", "python")


def maker(backend):
    """Return what turns a NumPy array into a tensor of a framework, and the type of the tensor."""
    if backend == "torch":
        torch = importlib.import_module("torch")

        def make(x):
            if x.dtype.name == "bfloat16":
                return torch.from_numpy(x.astype(np.float32)).to(torch.bfloat16)
            return torch.from_numpy(x.copy())

        return make, torch.Tensor
    if backend == "tensorflow":
        tf = importlib.import_module("tensorflow")
        return tf.constant, tf.Tensor
    jax = importlib.import_module("jax")
    return jax.numpy.asarray, jax.Array


def host(x):
    x = x.detach() if hasattr(x, "detach") else x
    if "bfloat16" in str(x.dtype):
        return np.asarray(at.astype(x, "float32"))
    return np.asarray(x)


def called(name, x, y):
    if name == "where":
        return at.where(np.array([True]), x, y)
    if name == "clip":
        return at.clip(x, max=y)
    if name in ("concat", "stack"):
        return getattr(at, name)([x, y])
    if name == "einsum":
        return at.einsum(x, y, "a, a ->")
    return getattr(at, name)(x, y)


@st.composite
def pairs(draw, backend):
    """Draw (name, x, y, role of x, role of y): at least one of them a tensor."""
    name = draw(spread(BINARY))
    kinds = "iuf" if name in ("maximum", "less", "atan2", "clip", "einsum") else "iufc"
    first, second = draw(dtypes(kinds, backend)), draw(dtypes(kinds, backend))
    shapes = [(3,), (3,)] if name in ("concat", "stack", "einsum") else draw(broadcastable())
    whole = np.broadcast_shapes(*shapes)
    roles = [draw(spread(ROLES)), draw(spread(ROLES))]
    if name in ("concat", "stack", "einsum"):
        roles = ["array" if role == "python" else role for role in roles]
    if name == "clip":
        shapes, roles[0] = [whole, shapes[1]], "tensor"
        second = first if kind_of(second) != kind_of(first) else second
    if "tensor" not in roles:
        roles[draw(spread([0, 1]))] = "tensor"
    x, y = (
        draw(arrays(d, s, special=False, extreme=False)) for d, s in zip((first, second), shapes, strict=True)
    )
    # What a bfloat16 and an integer meet in is each framework's; that they meet alike is what counts here.
    return name, x, y, roles[0], roles[1]


@pytest.mark.parametrize("backend", TIMES)
def test_host_data_meets_a_tensor(backend):
    make, kind = maker(backend)

    def holds(drawn):
        name, x, y, role_x, role_y = drawn
        told = f"{backend}: {name} of {role_x} {x.dtype}{list(x.shape)} {x.tolist()} and {role_y} {y.dtype}"
        told += f"{list(y.shape)} {y.tolist()}"
        given, all_tensors = [], []
        for own, other, role in ((x, y, role_x), (y, x, role_y)):
            if role == "python":
                number = own.ravel()[0].item() if own.size and own.dtype.kind != "V" else 2
                given.append(number)
                # Weak: the other operand's dtype where it is of the number's kind or a higher one.
                higher = "biufc".index(kind_of(other.dtype.name)) >= "biufc".index(
                    np.asarray(number).dtype.kind
                )
                if not higher:
                    return  # a float beside integers takes the framework's default: tests/promotion
                if kind_of(other.dtype.name) == "u" and np.real(number) < 0:
                    return  # OverflowError, as documented
                all_tensors.append(make(np.asarray(number).astype(other.dtype)))
                continue
            frozen = own.copy()
            frozen.flags.writeable = False
            given.append(make(own) if role == "tensor" else frozen)
            all_tensors.append(make(own))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of copies and of dtypes that a framework lacks
            try:
                want = called(name, *all_tensors)
            except TypeError as refused:
                with pytest.raises(type(refused)):
                    called(name, *given)
                return
            try:
                got = called(name, *given)
            except Exception as error:
                raise AssertionError(told) from error
        assert isinstance(got, kind), f"{told}: {type(got)}"
        assert got.dtype == want.dtype, f"{told}: {got.dtype}, not {want.dtype}"
        try:
            assert_trees_close(host(got), host(want), rtol=1e-6, atol=1e-6)
        except AssertionError as error:
            raise AssertionError(f"{told}: {error}") from None

    search(f"promotion/{backend}", pairs(backend), holds, *TIMES[backend])


SEGMENTS = (
    "segment_sum",
    "segment_max",
    "segment_mean",
    "segment_softmax",
    "segment_count",
    "segment_logsumexp",
)


@st.composite
def segments(draw, backend):
    """Draw (name, x, ids, n, which is a tensor)."""
    rows = draw(spread([3, 1, 0, 5]))
    n = draw(spread([2, 1, 0, 4]))
    ids, in_order = draw(segment_ids(rows, n, backend))
    x = draw(
        arrays(draw(dtypes("iuf", backend)), (rows, draw(spread([2, 1, 0]))), special=False, extreme=False)
    )
    which = draw(spread(["x", "ids", "n"]))
    return draw(spread(SEGMENTS)), x, ids, n, in_order, which


@pytest.mark.parametrize("backend", TIMES)
def test_segments_of_host_data(backend):
    make, kind = maker(backend)

    def holds(drawn):
        name, x, ids, n, in_order, which = drawn
        told = (
            f"{backend}: {name} of x {x.dtype} {x.tolist()}, ids {ids.dtype} {ids.tolist()}, n {n}: {which}"
        )
        size = np.asarray(n, np.int32)
        if backend == "torch" and which == "ids" and ids.dtype.name in ("uint16", "uint32", "uint64"):
            pass  # PyTorch stores these, and ids of them are ids
        given = {
            "x": (make(x), ids, n),
            "ids": (x, make(ids), n),
            "n": (make(x), ids, make(size)),
        }[which]
        args = given[1:] if name == "segment_count" else given
        whole = (make(ids), n) if name == "segment_count" else (make(x), make(ids), n)
        if name == "segment_count" and which == "x":
            args = (make(ids), n)
        if name == "segment_count" and which == "n":
            args = (make(ids), make(size))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                got = getattr(at, name)(*args, sorted=in_order)
            except Exception as error:
                raise AssertionError(told) from error
            want = getattr(at, name)(*whole)
        assert isinstance(got, kind), told
        assert got.dtype == want.dtype, f"{told}: {got.dtype}, not {want.dtype}"
        try:
            assert_trees_close(host(got), host(want), rtol=2e-2 if "16" in str(x.dtype) else 1e-5, atol=1e-2)
        except AssertionError as error:
            raise AssertionError(f"{told}: {error}") from None

    search(f"promotion-segments/{backend}", segments(backend), holds, *TIMES[backend])


@st.composite
def groups(draw):
    """Draw arrays of several dtypes, each a tensor or not, at least one a tensor."""
    rng = np.random.default_rng(draw(SEEDS))
    count = draw(spread([2, 3, 1]))
    names = [draw(spread(["float32", "int32", "float64", "int8", "bool", "float16"])) for _ in range(count)]
    tensors = [bool(rng.integers(0, 2)) for _ in names]
    tensors[int(rng.integers(0, count))] = True
    return [draw(arrays(name, (2,), special=False, extreme=False)) for name in names], tensors


@pytest.mark.parametrize("backend", TIMES)
def test_align_arrays(backend):
    make, kind = maker(backend)

    def holds(drawn):
        values, tensors = drawn
        given = [make(x) if tensor else x for x, tensor in zip(values, tensors, strict=True)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got = at.align_arrays(*given)
            want = at.align_arrays(*(make(x) for x in values))
        told = f"{backend}: {[(x.dtype.name, x.tolist(), t) for x, t in zip(values, tensors, strict=True)]}"
        for one, other in zip(got, want, strict=True):
            assert isinstance(one, kind), told
            assert one.dtype == other.dtype, f"{told}: {one.dtype}, not {other.dtype}"
            np.testing.assert_array_equal(host(one), host(other), told)

    search(f"align/{backend}", groups(), holds, *TIMES[backend])

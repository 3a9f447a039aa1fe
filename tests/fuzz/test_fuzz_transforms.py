"""vmap, forward mode and second derivatives: against loops, the pullback's transpose and differences."""

import contextlib
import importlib
import warnings

import numpy as np
import pytest
from derivatives import forward, second, vectorized
from fuzz_profile import search
from fuzz_smooth import smooth
from fuzz_values import SEEDS, narrow, spread
from hypothesis import strategies as st

import anytensor as at
from anytensor.testing import assert_trees_close, prepare

TRANSFORMS = {
    "jax": (2, 25),
    "jax-jit": (2, 20),
    "torch": (12, 400),
    "tensorflow": (4, 60),
    "tensorflow-function": (2, 30),
}
STEP = 1e-5


def backend_of(transform):
    return transform.split("-")[0]


@contextlib.contextmanager
def quiet(transform):
    """Let NumPy compute with NaN and infinities, torch without a batching rule, and one JAX in 64 bits."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        # The segment operations have one, which tests/contract holds them to.
        warnings.filterwarnings("ignore", "There is a performance drop", UserWarning)
        if transform == "jax-jit":
            with importlib.import_module("jax").enable_x64(True):
                yield
        else:
            yield


def dtype_on(transform):
    """Return the dtype to differentiate in: 64 bits, but for JAX as it is by default."""
    return "float32" if transform == "jax" else "float64"


def loop_over(case, backend):
    """Return what the backend gives call by call."""
    call = prepare(case.function, backend)
    found = []
    for row in case.rows():
        outcome = call(*row)
        if outcome.error is not None:
            raise AssertionError(f"{backend}: {case}") from outcome.error
        found.append(outcome.outputs)
    return np.stack(found)


@pytest.mark.parametrize("special", [False, True], ids=["finite", "special"])
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_vmap_is_a_loop(transform, special):
    backend = backend_of(transform)

    def holds(case):
        over = tuple("ids" if part == "whole" else part for part in case.over)
        with quiet(backend):
            want = loop_over(case, backend)
            try:
                got = vectorized(transform, case.function, case.x, narrow(case.whole, backend), over)
            except Exception as error:
                raise AssertionError(f"{transform}: {case}") from error
        assert got.dtype == want.dtype, f"{transform}: {case}: {got.dtype}, not {want.dtype}"
        near = 8e-3 if case.x.dtype == np.float16 else 1e-5
        close(got, want, near, near, f"{transform}: {case}")

    small, long = TRANSFORMS[transform]
    search(f"transforms/vmap-{special}/{transform}", smooth(True, special), holds, small, long)


def close(got, want, rtol, atol, told):
    try:
        assert_trees_close(got, want, rtol=rtol, atol=atol)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{told}\ngot {got!r}\nwant {want!r}") from None


def pulled_back(transform, function, x, weights):
    """Return the gradient of ``sum(weights * function(x))`` by reverse mode."""
    if transform.startswith("jax"):
        jax = importlib.import_module("jax")
        pull = jax.vjp(function, jax.numpy.asarray(x))[1]
        return np.asarray(pull(jax.numpy.asarray(weights))[0])
    if transform == "torch":
        torch = importlib.import_module("torch")
        pull = torch.func.vjp(function, torch.tensor(x))[1]
        return pull(torch.tensor(weights))[0].numpy()
    tf = importlib.import_module("tensorflow")
    x = tf.constant(x)
    with at.promote_options(copy=True), tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    gradient = tape.gradient(y, x, tf.constant(weights), tf.UnconnectedGradients.ZERO)
    return tf.convert_to_tensor(gradient).numpy()


def differences(run, x, direction):
    """Return the slope of a function along a direction, by central differences in float64."""
    ends = [run(x.astype(np.float64) + sign * STEP * direction) for sign in (1, -1)]
    return (ends[0] - ends[1]) / (2 * STEP)


@st.composite
def directed(draw, transform, ties=False):
    """Draw (case, tangent, cotangent, whether entries come again)."""
    ties = ties and draw(spread([False, True, False]))
    case = draw(smooth(ties=ties, dtype=dtype_on(transform)))
    rng = np.random.default_rng(draw(SEEDS))
    with quiet("numpy"):
        shape = case.function(case.x, case.whole).shape
    tangent, cotangent = (rng.normal(size=s).astype(case.x.dtype) for s in (case.x.shape, shape))
    return case, tangent, cotangent, ties


def tolerance(case):
    return (2e-3, 2e-4) if case.x.dtype == np.float32 else (1e-5, 1e-7)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_forward_mode(transform):
    """The transpose of reverse mode, ties and infinities included; differences, where entries differ."""

    def holds(drawn):
        case, tangent, cotangent, ties = drawn
        told = f"{transform}: {case} along {tangent.tolist()}, ties {ties}"

        def function(x):
            return case.function(x, case.whole)

        with quiet(transform):
            try:
                pushed = forward(transform, function, case.x, tangent)
                pulled = pulled_back(transform, function, case.x, cotangent)
            except Exception as error:
                raise AssertionError(told) from error
            y = function(case.x.astype(np.float64))
            slopes = differences(function, case.x, tangent)
        assert pushed.dtype == case.x.dtype, f"{pushed.dtype}: {told}"
        assert pushed.shape == y.shape, f"{pushed.shape}: {told}"
        assert np.isfinite(pushed).all(), f"{pushed.tolist()}: {told}"
        assert np.isfinite(pulled).all(), f"{pulled.tolist()}: {told}"
        if case.name != "stop_gradient":  # what the slope stops at the values do not
            rtol, atol = tolerance(case)
            one, other = (cotangent * pushed).sum(dtype=float), (pulled * tangent).sum(dtype=float)
            scale = 1 + np.abs(cotangent * pushed).sum() + np.abs(pulled * tangent).sum()
            assert abs(one - other) <= rtol * scale, f"{one}, transposed {other}: {told}"
            if not ties:
                kept = np.isfinite(y)
                close(pushed[kept], slopes[kept], rtol, atol, told)

    search(f"transforms/forward/{transform}", directed(transform, ties=True), holds, *TRANSFORMS[transform])


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_second_derivatives(transform):
    """Against differences of the gradient."""

    def holds(drawn):
        case, direction, weights, _ = drawn
        if 0 in (case.x.size, weights.size) or case.name in ("stop_gradient", "remainder"):
            return
        told = f"{transform}: {case} along {direction.tolist()}, weights {weights.tolist()}"

        def function(x):
            return case.function(x, case.whole)

        with quiet(transform):
            try:
                got = second(transform, function, case.x, weights, direction)
            except Exception as error:
                raise AssertionError(told) from error
            # In 64 bits on another backend where this one has 32.
            other = "torch" if transform == "jax" else transform
            wide = weights.astype(np.float64)
            want = differences(lambda x: pulled_back(other, function, x, wide), case.x, direction)
        close(got, want, *tolerance(case), told)

    small, long = TRANSFORMS[transform]
    search(f"transforms/second/{transform}", directed(transform), holds, small, long)

"""Cases of linear algebra: products in every dtype, norms, factors of matrices that have them."""

import numpy as np
from fuzz_axes import wide
from fuzz_cases import Case
from fuzz_values import SEEDS, arrays, dtypes, kind_of, spread
from hypothesis import strategies as st

import anytensor as at

L = at.linalg
PAIRS = (
    ((2, 3), (3, 2)),
    ((3,), (3,)),
    ((2, 1, 3), (3, 1)),
    ((0, 2), (2, 3)),
    ((2, 0), (0, 2)),
    ((1, 1), (1, 1)),
)


@st.composite
def products(draw, backend):
    """Draw a product."""
    dtype = draw(dtypes("iufc", backend))
    what = draw(
        spread(["matmul", "tensordot", "vecdot", "outer", "cross", "matrix_power", "trace", "diagonal"])
    )
    plain = {"special": False, "extreme": False}
    if what in ("matmul", "tensordot"):
        shapes = draw(spread(PAIRS))
        x, y = (draw(arrays(dtype, shape, **plain)) for shape in shapes)
        if what == "tensordot":
            axes = 1 if len(shapes[0]) < 3 else 0
            return Case(
                f"tensordot {axes}",
                lambda x, y: at.tensordot(x, y, axes=axes),
                (x, y),
                lambda x, y: np.tensordot(wide(x), wide(y), axes=axes),
                "own",
                4,
            )
        return Case("matmul", at.matmul, (x, y), lambda x, y: np.matmul(wide(x), wide(y)), "own", 4)
    if what in ("vecdot", "cross"):
        shape = (3,) if what == "cross" else draw(spread([(3,), (2, 3), (0,), (2, 0), (2, 1, 2)]))
        shape = (2, *shape) if what == "cross" and draw(st.booleans()) else shape
        x, y = (draw(arrays(dtype, shape, **plain)) for _ in range(2))
        if what == "cross":
            return Case("cross", L.cross, (x, y), lambda x, y: np.cross(wide(x), wide(y)), "own", 4)
        return Case("vecdot", at.vecdot, (x, y), lambda x, y: (np.conj(wide(x)) * wide(y)).sum(-1), "own", 4)
    if what == "outer":
        x, y = (draw(arrays(dtype, draw(spread([(3,), (0,), (1,), (2,)])), **plain)) for _ in range(2))
        return Case("outer", L.outer, (x, y), lambda x, y: np.outer(wide(x), wide(y)), "own", 4)
    x = draw(arrays(dtype, spread([(2, 2), (3, 3), (2, 1, 1), (0, 0), (2, 3, 3)]), **plain))
    offset = draw(spread([0, 1, -1, 5]))
    if what == "trace":
        return Case(
            f"trace {offset}",
            lambda x: L.trace(x, offset=offset),
            (x,),
            lambda x: np.trace(wide(x), offset, -2, -1),
            "widened",
            4,
        )
    if what == "diagonal":
        return Case(
            f"diagonal {offset}",
            lambda x: L.diagonal(x, offset=offset),
            (x,),
            lambda x: np.diagonal(x, offset, -2, -1),
            "own",
            0,
        )
    power = draw(spread([2, 0, 1, 3]))
    return Case(
        f"matrix_power {power}",
        lambda x: L.matrix_power(x, power),
        (x,),
        lambda x: np.linalg.matrix_power(wide(x), power),
        "own",
        20,
    )


@st.composite
def solved(draw, backend):
    """Draw what needs an inverse, or a norm, of well-conditioned matrices."""
    dtype = draw(dtypes("f", backend))
    size = draw(spread([2, 1, 3, 0]))
    lead = draw(spread([(), (2,), (0,)]))
    rng = np.random.default_rng(draw(SEEDS))
    base = rng.integers(-4, 5, (*lead, size, size)) / 8 + 2 * np.eye(size)
    x = base.astype(np.float64).astype(draw(arrays(dtype, ())).dtype)
    order = draw(spread([2, 1, np.inf, 0, 3]))
    symmetric = ((base + np.swapaxes(base, -1, -2)) / 2 + np.eye(size)).astype(x.dtype)
    table = {
        "inv": (L.inv, np.linalg.inv, x),
        "det": (L.det, np.linalg.det, x),
        "solve": (lambda x: L.solve(x, x), lambda x: np.linalg.solve(x, x), x),
        "cholesky": (L.cholesky, np.linalg.cholesky, symmetric),
        "eigvalsh": (L.eigvalsh, np.linalg.eigvalsh, symmetric),
        "slogdet": (lambda x: L.slogdet(x).logabsdet, lambda x: np.linalg.slogdet(x)[1], x),
        "tril": (lambda x: at.tril(x, k=1), lambda x: np.tril(x, 1), x),
        "triu": (at.triu, np.triu, x),
        f"vector_norm {order}": (
            lambda x: L.vector_norm(x, ord=order, axis=0),
            lambda x: np.linalg.vector_norm(x, ord=order, axis=0),
            x,
        ),
    }
    name = draw(spread(list(table)))
    function, reference, matrix = table[name]
    if name.startswith("vector_norm") and matrix.shape[0] == 0:
        function, reference = at.triu, np.triu  # no greatest of none
    return Case(
        name,
        function,
        (matrix,),
        lambda x: reference(x.astype(np.float64)),
        "own",
        30 * (1 + kind_of(dtype).count("f")),
    )

"""The segment operations as slow and obvious NumPy loops in float64, with their pullbacks.

Every reference takes ``x``, ``ids``, ``n``; rows whose id lies outside [0, n) belong to no segment. A
pullback takes the cotangent of the result first and returns the cotangent of ``x``. They share no code with
the library.
"""

import numpy as np

CONSTANT = -2.5


def members(ids, n):
    """Return, for each segment, the numbers of its rows."""
    return [[row for row, one in enumerate(ids.tolist()) if one == segment] for segment in range(n)]


def wide(x):
    """Return x in the widest dtype of its kind; bool counts."""
    if x.dtype.kind == "b":
        return x.astype(np.int64)
    if x.dtype.kind in "iu":
        return x.astype(object)  # Python's integers neither overflow nor round
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def floats(x):
    """Return x as float64, or complex128."""
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _fold(x, ids, n, start, step):
    out = np.full((n, *x.shape[1:]), start, dtype=x.dtype)
    for segment, rows in enumerate(members(ids, n)):
        for row in rows:
            out[segment] = step(out[segment], x[row])
    return out


def total(x, ids, n):
    with np.errstate(invalid="ignore"):
        return _fold(wide(x), ids, n, 0, lambda a, b: a + b)


def product(x, ids, n):
    with np.errstate(invalid="ignore"):
        return _fold(wide(x), ids, n, 1, lambda a, b: a * b)


def _identity(dtype, greatest):
    if dtype.kind == "b":
        return greatest
    if dtype.kind in "iu":
        return np.iinfo(dtype).max if greatest else np.iinfo(dtype).min
    return np.inf if greatest else -np.inf


def _extreme(x, ids, n, pick, empty):
    work = x if x.dtype.kind in "biu" else floats(x)
    out = np.full((n, *x.shape[1:]), empty, dtype=work.dtype)
    for segment, rows in enumerate(members(ids, n)):
        if rows:
            out[segment] = pick(work[rows], axis=0)  # np.min and np.max keep a NaN
    return out


def least(x, ids, n):
    return _extreme(x, ids, n, np.min, _identity(x.dtype, greatest=True))


def greatest(x, ids, n):
    return _extreme(x, ids, n, np.max, _identity(x.dtype, greatest=False))


def least_or_constant(x, ids, n):
    return _extreme(x, ids, n, np.min, CONSTANT)


def greatest_or_constant(x, ids, n):
    return _extreme(x, ids, n, np.max, CONSTANT)


def count(x, ids, n):
    return np.array([len(rows) for rows in members(ids, n)], dtype=np.int64)


def mean(x, ids, n):
    out = np.zeros((n, *x.shape[1:]), floats(x).dtype)
    with np.errstate(invalid="ignore"):
        for segment, rows in enumerate(members(ids, n)):
            if rows:
                out[segment] = floats(x)[rows].sum(axis=0) / len(rows)
    return out


def variance(x, ids, n):
    out = np.zeros((n, *x.shape[1:]))
    with np.errstate(invalid="ignore"):
        for segment, rows in enumerate(members(ids, n)):
            if rows:
                mine = floats(x)[rows]
                out[segment] = ((mine - mine.sum(axis=0) / len(rows)) ** 2).sum(axis=0) / len(rows)
    return out


def deviation(x, ids, n):
    return np.sqrt(variance(x, ids, n))


def normalized(x, ids, n):
    out = np.zeros(x.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        for rows in members(ids, n):
            mine = floats(x)[rows]
            sums = mine.sum(axis=0)
            out[rows] = np.where((sums == 0) & (mine == 0), 0, mine / sums)
    return out


def softmax(x, ids, n):
    out = np.zeros(x.shape)
    with np.errstate(invalid="ignore"):
        for rows in members(ids, n):
            if rows:
                mine = floats(x)[rows]
                top = mine.max(axis=0)
                weights = np.exp(mine - np.where(top == -np.inf, 0, top))
                sums = weights.sum(axis=0)
                out[rows] = weights / np.where(sums == 0, 1, sums)
    return out


def logsumexp(x, ids, n):
    out = np.full((n, *x.shape[1:]), -np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        for segment, rows in enumerate(members(ids, n)):
            if rows:
                mine = floats(x)[rows]
                top = mine.max(axis=0)
                shift = np.where(np.isfinite(top), top, 0)
                out[segment] = np.log(np.exp(mine - shift).sum(axis=0)) + shift
    return out


def first_feature(rank):
    """Return the index of the first feature of each row."""
    return (slice(None),) + (0,) * (rank - 1)


def logits_of(x):
    """Return what ``attention`` takes for logits: the first feature of each row, or the row itself."""
    return x[first_feature(x.ndim)]


def attention(x, ids, n):
    """Weigh the rows of x by the softmax of their own first feature."""
    weights = softmax(logits_of(x), ids, n)
    weights = weights.reshape(weights.shape + (1,) * (x.ndim - weights.ndim))
    with np.errstate(invalid="ignore"):
        return total(floats(x) * weights, ids, n)


# Pullbacks


def pull_total(g, x, ids, n):
    out = np.zeros(x.shape)
    for segment, rows in enumerate(members(ids, n)):
        for row in rows:
            out[row] = g[segment]
    return out


def pull_product(g, x, ids, n):
    out = np.zeros(x.shape)
    for segment, rows in enumerate(members(ids, n)):
        for row in rows:
            out[row] = g[segment] * np.prod([floats(x)[other] for other in rows if other != row], axis=0)
    return out


def _pull_extreme(g, x, ids, n, best):
    out = np.zeros(x.shape)
    for segment, rows in enumerate(members(ids, n)):
        if rows:
            winners = floats(x)[rows] == best[segment]
            out[rows] = winners * g[segment] / np.maximum(winners.sum(axis=0), 1)
    return out


def pull_least(g, x, ids, n):
    return _pull_extreme(g, x, ids, n, least(x, ids, n))


def pull_greatest(g, x, ids, n):
    return _pull_extreme(g, x, ids, n, greatest(x, ids, n))


def pull_mean(g, x, ids, n):
    out = np.zeros(x.shape)
    for segment, rows in enumerate(members(ids, n)):
        for row in rows:
            out[row] = g[segment] / len(rows)
    return out


def pull_variance(g, x, ids, n):
    out = np.zeros(x.shape)
    for segment, rows in enumerate(members(ids, n)):
        if rows:
            mine = floats(x)[rows]
            out[rows] = g[segment] * 2 * (mine - mine.mean(axis=0)) / len(rows)
    return out


def pull_deviation(g, x, ids, n):
    roots = deviation(x, ids, n)
    safe = np.where(roots == 0, 1, roots)
    return pull_variance(np.where(roots == 0, 0, g / (2 * safe)), x, ids, n)


def pull_normalized(g, x, ids, n):
    out = np.zeros(x.shape)
    for rows in members(ids, n):
        if rows:
            mine = floats(x)[rows]
            sums = mine.sum(axis=0)
            safe = np.where(sums == 0, 1, sums)
            pulled = g[rows] / safe - (g[rows] * mine).sum(axis=0) / safe**2
            out[rows] = np.where((sums == 0) & (mine == 0), 0, pulled)
    return out


def pull_softmax(g, x, ids, n):
    out = np.zeros(x.shape)
    weights = softmax(x, ids, n)
    for rows in members(ids, n):
        out[rows] = weights[rows] * (g[rows] - (g[rows] * weights[rows]).sum(axis=0))
    return out


def pull_logsumexp(g, x, ids, n):
    return pull_total(g, x, ids, n) * softmax(x, ids, n)


def pull_attention(g, x, ids, n):
    logits = logits_of(x)
    weights = softmax(logits, ids, n)
    spread = weights.reshape(weights.shape + (1,) * (x.ndim - weights.ndim))
    rows_g = pull_total(g, x, ids, n)
    out = rows_g * spread
    products = np.where(spread == 0, 0, rows_g * np.where(spread == 0, 0, floats(x)))
    out[first_feature(x.ndim)] += pull_softmax(products.sum(axis=tuple(range(1, x.ndim))), logits, ids, n)
    return out


# Name of the public function -> (value, pullback).
SEGMENT = {
    "segment_sum": (total, pull_total),
    "segment_prod": (product, pull_product),
    "segment_min": (least, pull_least),
    "segment_max": (greatest, pull_greatest),
    "segment_count": (count, None),
    "segment_mean": (mean, pull_mean),
    "segment_variance": (variance, pull_variance),
    "segment_std": (deviation, pull_deviation),
    "segment_normalize": (normalized, pull_normalized),
    "segment_softmax": (softmax, pull_softmax),
    "segment_logsumexp": (logsumexp, pull_logsumexp),
    "segment_min_or_constant": (least_or_constant, pull_least),
    "segment_max_or_constant": (greatest_or_constant, pull_greatest),
    "segment_attention": (attention, pull_attention),
}


def partition_ids(partitions, total_length):
    """Expand lengths to ids, cut or padded with the number of partitions."""
    ids = [number for number, length in enumerate(partitions.tolist()) for _ in range(length)]
    ids += [len(partitions)] * max(total_length - len(ids), 0)
    return np.array(ids[:total_length], dtype=np.int64)


# Name of the public function -> its segment operation's reference.
PARTITION = {
    "partition_sum": total,
    "partition_min": least,
    "partition_max": greatest,
    "partition_mean": mean,
    "partition_softmax": softmax,
    "partition_logsumexp": logsumexp,
}

"""Columns of every kind, and short ways to their bins and codes."""

import numpy as np

from ceiba import _core


def make_columns(n, seed=0):
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=n)
    extreme = normal.copy()
    extreme[::7], extreme[::11], extreme[::13], extreme[::17] = np.inf, -np.inf, -0.0, 0.0
    return {
        "normal": normal,
        "few": rng.integers(0, 10, n).astype(float),
        "many": rng.integers(0, 1000, n).astype(float),
        "zeros": np.where(rng.random(n) < 0.6, 0, normal),
        "rounded": np.round(normal, 2),
        "tails": np.exp(normal * 20),
        "missing": np.where(rng.random(n) < 0.3, np.nan, normal),
        "all missing": np.full(n, np.nan),
        "constant": np.full(n, 3.5),
        "extreme": extreme,
        "geometric": rng.geometric(0.02, n).astype(float),
        "zipf": rng.zipf(1.3, n).astype(float),
        "offset": 1e9 + rng.random(n),
        "huge": np.clip(normal, -1, 1) * 1.7e308,
        "tiny": rng.integers(-3, 3, n) * 5e-324,
        "sorted": np.sort(rng.standard_cauchy(n)),
        "pairs": np.concatenate([normal[: n // 2], np.nextafter(normal[: n - n // 2], np.inf)]),
    }


def find(columns, weights=None, max_bins=255, min_data_in_bin=1, n_threads=1):
    return _core.BinMapper.find(columns, weights, max_bins, min_data_in_bin, n_threads)


def codes_of(mapper, columns, n_threads=1):
    binned = _core.BinnedMatrix.build(mapper, columns, n_threads)
    return [binned.column(j) for j in range(binned.n_features)]


def codes(binned):
    return np.column_stack([binned.column(j) for j in range(binned.n_features)])


def same_edges(one, other):
    return one.n_features == other.n_features and all(
        np.array_equal(one.edges(j), other.edges(j)) and one.has_missing(j) == other.has_missing(j)
        for j in range(one.n_features)
    )

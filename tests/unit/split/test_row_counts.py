"""Row counts of candidate splits that are estimated from hessians, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import ceiba
from ceiba import _core
from ceiba.parameters.resolving import resolve

# Ten rows: five that are predicted well (small hessians), then five others. A unit of hessian
# counts as two rows, so the first five count as 1 row and the others as 9.
HESSIANS = np.repeat([0.1, 0.9], 5)
GRADIENTS = np.repeat([1.0, -1.0], 5)
COLUMNS = {
    "two values": np.repeat([0.0, 1.0], 5),
    "several values": np.repeat([0.0, 1.0, 2.0, 3.0], [2, 3, 3, 2]),
    "missing left": np.repeat([np.nan, 0.0, 1.0, 2.0], [2, 3, 3, 2]),
    "missing right": np.repeat([0.0, 1.0, 2.0, np.nan], [2, 3, 3, 2]),
    "missing against present": np.repeat([np.nan, 0.0], 5),
    "onehot": np.repeat([0.0, 1.0], 5),
    "subset": np.repeat([0.0, 1.0, 2.0, 3.0], [2, 3, 3, 2]),
}


def grow(name: str, hessians: np.ndarray | None = HESSIANS, **plan: object) -> list[int]:
    """Return the row counts of the nodes of a stump."""
    kind = name if name in ("onehot", "subset") else "number"
    column = COLUMNS[name]
    n_levels = 0 if kind == "number" else int(column.max()) + 1
    mapper = _core.BinMapper.find([[column]], None, 256, 1, 1, [n_levels])
    binned = _core.BinnedMatrix.build(mapper, [[column]], 1)
    columns, category = _core.ColumnConstraints(kinds=[kind]), _core.CategoryRule(smooth=0.0)
    given = {"max_leaves": 2, "estimate_rows": True, "columns": columns, "category": category}
    grower = _core.Grower(_core.GrowerTable(binned), _core.GrowPlan(**{**given, **plan}), None, 1)
    own = None if hessians is None else hessians[None, :]
    trees = grower.grow(np.ascontiguousarray(GRADIENTS[None, :]), own, 1.0, None, 0)
    return list(trees.arrays()["count"])


@pytest.mark.parametrize("name", COLUMNS)
def test_minimums_apply_to_estimates_and_nodes_keep_exact_counts(name: str) -> None:
    assert grow(name, min_samples_leaf=5, estimate_rows=False) == [10, 5, 5]
    assert grow(name, min_samples_leaf=1) == [10, 5, 5]
    assert grow(name, min_samples_leaf=5) != [10, 5, 5]


@pytest.mark.parametrize("name", COLUMNS)
def test_a_constant_hessian_counts_exactly(name: str) -> None:
    assert grow(name, None, min_samples_leaf=5) == [10, 5, 5]


def test_estimates_may_be_larger_than_the_rows() -> None:
    # Two rows of weight 2.5 have a third of all hessians and count as four of twelve rows.
    X = y = np.repeat([0.0, 1.0], [10, 2])
    data = ceiba.Dataset(X[:, None], y, weight=np.repeat([1.0, 2.5], [10, 2]))
    given = {"min_data_in_bin": 1, "min_samples_leaf": 3, "n_estimators": 1, "n_jobs": 1}
    estimated, exact = (
        ceiba.train({**given, "recipe": "lightgbm", "row_counts": kind}, data).predict(X[:, None])
        for kind in ("hessian", "exact")
    )
    assert np.ptp(estimated) > 0
    assert np.ptp(exact) == 0


@pytest.mark.parametrize("limit", [{"support": 2.0}, {"min_group": 4.0}], ids=str)
def test_levels_count_by_hessians_in_sets(limit: dict[str, float]) -> None:
    category = _core.CategoryRule(smooth=0.0, **limit)
    assert grow("subset", category=category, estimate_rows=False) == [10, 5, 5]
    assert grow("subset", category=category) != [10, 5, 5]


def test_sparse_columns_count_as_dense_ones() -> None:
    random = np.random.default_rng(0)
    X = np.where(random.random((3000, 40)) < 0.01, random.integers(1, 4, (3000, 40)), 0.0)
    y = (X[:, :20].sum(axis=1) + random.normal(size=3000) > 0.5).astype(float)
    given = {"recipe": "lightgbm", "objective": "logistic", "n_estimators": 20, "n_jobs": 1}
    dense, lists = (
        ceiba.train(given, ceiba.Dataset(table, y)).predict_raw(X)
        for table in (X, sparse.csr_matrix(X))
    )
    np.testing.assert_array_equal(dense, lists)


def test_recipe_lightgbm_estimates_rows() -> None:
    assert resolve({"recipe": "lightgbm"}).row_counts == "hessian"
    assert resolve({}).row_counts == "exact"

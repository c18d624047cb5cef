"""Single trees against scikit-learn's: the same tree where there is only one, and else as good."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ceiba import CeibaTreeClassifier, CeibaTreeRegressor
from ceiba.estimators.criteria import gain_in_impurity
from ceiba.testing.cart import CartNode, grow_cart, is_unique

pytestmark = pytest.mark.parity
LIMITS: dict[str, Any] = {"max_depth": 6, "min_samples_leaf": 20}
CRITERIA = ("squared_error", "gini", "entropy")
N_TABLES = 50


def draw_table(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A table of float32 values that lie apart, and a number for each row."""
    random = np.random.default_rng(seed)
    n_rows, n_features = int(random.integers(400, 1200)), int(random.integers(2, 8))
    ranks = np.column_stack([random.permutation(n_rows) for _ in range(n_features)])
    X = ranks * 0.01 + random.uniform(0.0, 0.005, ranks.shape)
    X = X.astype(np.float32).astype(np.float64)
    signal = np.sin(X[:, 0]) + 0.2 * X[:, 1] + 0.3 * (X[:, -1] > 3) * X[:, 0]
    return X, signal + random.normal(scale=random.choice([0.3, 1.0]), size=n_rows)


def target_of(criterion: str, numbers: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The target of a criterion, and what the reference reads: numbers, or indicators."""
    if criterion == "squared_error":
        return numbers, numbers[:, None]
    n_classes = 2 + seed % 4
    cuts = np.quantile(numbers, np.linspace(0, 1, n_classes + 1)[1:-1])
    classes = np.searchsorted(cuts, numbers)
    return classes, (classes[:, None] == np.arange(n_classes)).astype(np.float64)


def unique_problem(criterion: str, table: int) -> tuple[np.ndarray, np.ndarray, CartNode]:
    """A problem whose tree is the only one, drawn anew until it is."""
    for draw in range(100):
        X, numbers = draw_table(1000 * table + draw)
        y, Y = target_of(criterion, numbers, table)
        impurity = "entropy" if criterion == "entropy" else "variance"
        root = grow_cart(X, Y, impurity, **LIMITS)
        if is_unique(root):
            return X, y, root
    raise AssertionError("no table with a unique tree")


def both(criterion: str, **limits: Any) -> tuple[Any, Any]:
    if criterion == "squared_error":
        return CeibaTreeRegressor(n_jobs=1, **limits), DecisionTreeRegressor(**limits)
    given = {"criterion": criterion, **limits}
    return CeibaTreeClassifier(n_jobs=1, **given), DecisionTreeClassifier(**given)


def check_same(ours: Any, theirs: Any, root: CartNode, X: np.ndarray) -> None:
    """Every node splits the same rows at the same place, and gains the same."""
    mine, other = ours.model_.forest.arrays(), theirs.tree_
    unit = gain_in_impurity(ours.criterion, len(getattr(ours, "classes_", ())), 1)
    pairs: list[tuple[CartNode | None, int, int]] = [(root, 0, 0)]
    while pairs:
        node, i, k = pairs.pop()
        assert node is not None
        assert mine["count"][i] == other.n_node_samples[k] == len(node.rows)
        assert (mine["left"][i] < 0) == (other.children_left[k] < 0) == (node.left is None)
        if node.left is None:
            continue
        assert mine["feature"][i] == other.feature[k] == node.feature
        assert mine["threshold"][i] == pytest.approx(other.threshold[k], rel=1e-7)
        left, right = int(other.children_left[k]), int(other.children_right[k])
        weighted = other.impurity * other.weighted_n_node_samples
        decrease = weighted[k] - weighted[left] - weighted[right]
        assert mine["gain"][i] * unit == pytest.approx(decrease, rel=1e-6, abs=1e-9 * weighted[0])
        pairs += [(node.left, int(mine["left"][i]), left)]
        pairs += [(node.right, int(mine["right"][i]), right)]


def check_table(criterion: str, table: int) -> None:
    X, y, root = unique_problem(criterion, table)
    ours, theirs = (tree.fit(X, y) for tree in both(criterion, **LIMITS))
    check_same(ours, theirs, root, X)
    name = "predict" if criterion == "squared_error" else "predict_proba"
    np.testing.assert_allclose(
        getattr(ours, name)(X), getattr(theirs, name)(X), rtol=1e-12, atol=1e-12
    )
    np.testing.assert_allclose(
        ours.feature_importances_, theirs.feature_importances_, rtol=1e-9, atol=1e-12
    )
    mine, other = (tree.cost_complexity_pruning_path(X, y) for tree in (ours, theirs))
    for part in ("ccp_alphas", "impurities"):
        np.testing.assert_allclose(mine[part], other[part], rtol=1e-9, atol=1e-12)
    for alpha in other.ccp_alphas[[len(other.ccp_alphas) // 2, -2]] * (1 + 1e-9):
        cut = [tree.fit(X, y).get_n_leaves() for tree in both(criterion, ccp_alpha=alpha, **LIMITS)]
        assert cut[0] == cut[1]


@pytest.mark.parametrize("table", range(3))
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_same_tree(criterion: str, table: int) -> None:
    check_table(criterion, table)


@pytest.mark.slow
@pytest.mark.parametrize("table", range(3, N_TABLES))
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_same_tree_on_many_tables(criterion: str, table: int) -> None:
    check_table(criterion, table)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_splits_are_as_good_where_there_are_ties(criterion: str, n_classes: int) -> None:
    """At every node the best stump of scikit-learn gains what ours does."""
    random = np.random.default_rng(n_classes)
    X = random.integers(0, 8, size=(600, 4)).astype(np.float64)
    numbers = X[:, 0] - X[:, 1] * (X[:, 2] > 3) + random.integers(0, 4, 600)
    cuts = np.quantile(numbers, np.linspace(0, 1, n_classes + 1)[1:-1])
    y = numbers if criterion == "squared_error" else np.searchsorted(cuts, numbers)
    ours = both(criterion, min_samples_leaf=3)[0].fit(X, y)
    arrays = ours.model_.forest.arrays()
    unit = gain_in_impurity(ours.criterion, len(getattr(ours, "classes_", ())), 1)
    paths = ours.decision_path(X).tocsc()
    for node in np.flatnonzero(arrays["left"] >= 0):
        rows = paths[:, [node]].nonzero()[0]
        stump = both(criterion, min_samples_leaf=3, max_depth=1)[1].fit(X[rows], y[rows]).tree_
        weighted = stump.impurity * stump.weighted_n_node_samples
        decrease = weighted[0] - weighted[1:].sum()
        assert arrays["gain"][node] * unit == pytest.approx(decrease, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_stopping_rules_and_weights(criterion: str) -> None:
    X, y, _ = unique_problem(criterion, 7)
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(np.float64)
    for limits in (
        {"max_leaf_nodes": 9, "min_samples_leaf": 20},
        {"min_samples_split": 0.2, "min_samples_leaf": 0.03},
        {"min_weight_fraction_leaf": 0.05},
        {"min_impurity_decrease": 0.01, "min_samples_leaf": 20},
        {"ccp_alpha": 0.004, "min_samples_leaf": 20},
    ):
        ours, theirs = (tree.fit(X, y, weights) for tree in both(criterion, **limits))
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        assert ours.get_depth() == theirs.get_depth()
        name = "predict" if criterion == "squared_error" else "predict_proba"
        np.testing.assert_allclose(
            getattr(ours, name)(X), getattr(theirs, name)(X), rtol=1e-10, atol=1e-10
        )


def test_several_targets() -> None:
    X, numbers = draw_table(5)
    Y = np.column_stack([numbers, np.cos(X[:, 0]), X[:, 1] * 0.3])
    ours, theirs = (tree.fit(X, Y) for tree in both("squared_error", **LIMITS))
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, atol=1e-9)
    mine, other = (tree.cost_complexity_pruning_path(X, Y) for tree in (ours, theirs))
    np.testing.assert_allclose(mine.ccp_alphas, other.ccp_alphas, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mine.impurities, other.impurities, rtol=1e-9, atol=1e-12)

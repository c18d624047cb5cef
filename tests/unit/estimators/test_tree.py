"""CeibaTreeClassifier and CeibaTreeRegressor: what they learn, and what can be asked of a tree."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_table import BINARY, THREE, X, Y

import ceiba
from ceiba import CeibaTreeClassifier, CeibaTreeRegressor
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.estimators import NotFittedError

CRITERIA = ("gini", "entropy", "log_loss")


def classifier(**given: Any) -> CeibaTreeClassifier:
    return CeibaTreeClassifier(n_jobs=1, **given)


def regressor(**given: Any) -> CeibaTreeRegressor:
    return CeibaTreeRegressor(n_jobs=1, **given)


@pytest.mark.parametrize("labels", [BINARY, THREE], ids=["two", "three"])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_tree_without_limits_knows_its_rows(labels: Any, criterion: str) -> None:
    tree = classifier(criterion=criterion).fit(X, labels)
    assert tree.score(X, labels) == 1.0
    chances = tree.predict_proba(X)
    assert set(np.unique(chances)) == {0.0, 1.0}  # pure nodes are leaves
    np.testing.assert_array_equal(tree.predict_log_proba(X) == 0.0, chances == 1.0)
    assert tree.model_.n_trees == 1


def test_log_loss_is_another_name_of_entropy() -> None:
    found = {classifier(criterion=c).fit(X, THREE).model_.fingerprint() for c in CRITERIA[1:]}
    assert len(found) == 1


def test_a_regressor_predicts_means_of_leaves() -> None:
    tree = regressor(max_depth=3).fit(X, Y)
    leaves = tree.apply(X)
    assert leaves.shape == (len(X),)
    assert tree.get_n_leaves() == len(np.unique(leaves)) == 8
    assert tree.get_depth() == 3
    for leaf in np.unique(leaves):
        rows = leaves == leaf
        np.testing.assert_allclose(tree.predict(X)[rows], Y[rows].mean(), rtol=1e-12)
    assert regressor(criterion="friedman_mse", max_depth=3).fit(X, Y).model_.fingerprint() == (
        tree.model_.fingerprint()
    )


def test_several_targets_share_one_tree() -> None:
    both = np.column_stack([Y, -2.0 * X[:, 1]])
    tree = regressor(max_leaf_nodes=6).fit(X, both)
    assert tree.model_.n_trees == 1
    assert tree.get_n_leaves() == 6
    leaves = tree.apply(X)
    for leaf in np.unique(leaves):
        rows = leaves == leaf
        np.testing.assert_allclose(
            tree.predict(X)[rows], np.tile(both[rows].mean(axis=0), (rows.sum(), 1)), rtol=1e-9
        )


def test_weights_and_classes() -> None:
    weights = np.random.default_rng(0).integers(0, 3, len(X)).astype(np.float64)
    weighted = classifier(min_samples_leaf=10).fit(X, BINARY, weights)
    leaves = weighted.apply(X)
    is_second = weighted.classes_[1] == BINARY
    for leaf in np.unique(leaves[weights > 0]):
        rows = leaves == leaf
        share = weights[rows & is_second].sum() / weights[rows].sum()
        np.testing.assert_allclose(weighted.predict_proba(X[rows])[0, 1], share, rtol=1e-12)
    balanced = classifier(max_depth=1, class_weight="balanced").fit(X, THREE)
    assert balanced.model_.forest.arrays()["value"][0] == pytest.approx([1 / 3] * 3)


def test_random_thresholds_differ_by_seed() -> None:
    trees = [
        regressor(splitter="random", max_depth=3, random_state=seed).fit(X, Y) for seed in (1, 1, 2)
    ]
    first, again, other = (tree.model_.fingerprint() for tree in trees)
    assert first == again != other
    several = classifier(splitter="random", random_state=1).fit(X, THREE)
    assert several.score(X, THREE) > 0.8
    with pytest.raises(
        InvalidParameterError, match="extra_trees=True does not support split_method='exact'"
    ):
        regressor(splitter="random", split_method="exact").fit(X, Y)


@pytest.mark.parametrize("max_features", [1, 2, 0.5, "sqrt", "log2"])
def test_columns_may_be_drawn(max_features: Any) -> None:
    tree = regressor(max_features=max_features, max_depth=4, random_state=3).fit(X, Y)
    assert tree.get_n_leaves() > 4
    assert tree.model_.fingerprint() != regressor(max_depth=4).fit(X, Y).model_.fingerprint()


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 1000),
    max_features=st.integers(1, 3),
    limits=st.sampled_from(
        [{}, {"split_method": "hist"}, {"splitter": "random"}, {"max_leaf_nodes": 60}]
    ),
)
def test_draws_go_on_past_columns_without_a_split(
    seed: int, max_features: int, limits: Any
) -> None:
    random = np.random.default_rng(seed)
    values = np.column_stack([random.integers(0, 2, size=(40, 9)), random.permutation(40)])
    values[:, : seed % 9] = 0.0
    tree = regressor(max_features=max_features, random_state=seed, **limits)
    target = random.normal(size=40)
    if limits.get("splitter") == "random":  # a threshold that is drawn may lie outside of a node
        assert tree.fit(values, target).get_depth() > 0
    else:
        np.testing.assert_allclose(tree.fit(values, target).predict(values), target, atol=1e-9)
    labels = np.arange(40) >= 20
    single = np.column_stack([np.zeros((40, 9)), np.arange(40.0)])
    found = classifier(max_features=max_features, random_state=seed, **limits).fit(single, labels)
    assert found.get_depth() > 0


def test_bins_instead_of_exact_values() -> None:
    exact, binned = regressor(max_depth=4).fit(X, Y), regressor(max_depth=4, split_method="hist")
    assert exact.model_.parameters["split_method"] == "exact"
    coarse = binned.set_params(max_bins=8).fit(X, Y)
    assert len(np.unique(coarse.model_.forest.arrays()["threshold"])) <= 4 * 8
    assert coarse.score(X, Y) <= exact.score(X, Y)


def test_missing_values_and_levels_as_they_are() -> None:
    random = np.random.default_rng(2)
    town = random.choice(["Bonn", "Kiel", "Ulm", "Trier"], 300)
    age = random.normal(40, 10, 300)
    age[random.random(300) < 0.2] = np.nan
    frame = pd.DataFrame({"town": pd.Categorical(town), "age": age})
    y = np.where(np.isin(town, ["Bonn", "Ulm"]) | np.isnan(age), "yes", "no")
    tree = classifier().fit(frame, y)
    assert tree.score(frame, y) == 1.0
    text = tree.export_text(show_missing=True)
    assert "town in {Bonn, Ulm}" in text or "town in {Kiel, Trier}" in text
    assert "age is missing" in text


@pytest.mark.parametrize("split_method", ["exact", "hist"])
@pytest.mark.parametrize("criterion", CRITERIA[:2])
def test_sets_of_levels_for_several_classes(split_method: str, criterion: str) -> None:
    """What a split by levels gains is what the impurity of its rows falls by, at every node."""
    random = np.random.default_rng(5)
    levels = random.integers(0, 9, 400)
    y = (levels % 4 + (random.random(400) < 0.3)) % 4
    table = pd.DataFrame({"level": pd.Categorical(levels), "noise": random.normal(size=400)})
    tree = classifier(criterion=criterion, min_samples_leaf=5, split_method=split_method)
    tree.fit(table, y)
    arrays, paths = tree.model_.forest.arrays(), tree.decision_path(table).tocsc()

    def impurity(node: int) -> float:
        totals = np.bincount(y[paths[:, [node]].nonzero()[0]], minlength=4).astype(float)
        n, some = totals.sum(), totals[totals > 0]
        return (
            n - (totals**2).sum() / n if criterion == "gini" else -(some * np.log(some / n)).sum()
        )

    assert (arrays["feature"] == 0).any()
    for node in np.flatnonzero(arrays["left"] >= 0):
        below = impurity(arrays["left"][node]) + impurity(arrays["right"][node])
        assert arrays["gain"][node] == pytest.approx(impurity(node) - below, rel=1e-9)


def test_paths_lead_from_the_root_to_the_leaf() -> None:
    tree = classifier(max_depth=4).fit(X, THREE)
    paths = tree.decision_path(X)
    arrays = tree.model_.forest.arrays()
    assert paths.shape == (len(X), len(arrays["left"]))
    counts = np.asarray(paths.sum(axis=0)).ravel()
    np.testing.assert_array_equal(counts, arrays["count"])
    for row in (0, 17):
        nodes = paths[[row]].indices
        assert nodes[0] == 0
        assert nodes[-1] == tree.apply(X)[row]
        for above, below in pairwise(nodes):
            assert below in (arrays["left"][above], arrays["right"][above])


def test_importances_are_shares_of_the_decrease() -> None:
    tree = regressor(max_depth=5).fit(X, Y)
    arrays = tree.model_.forest.arrays()
    split = arrays["feature"] >= 0
    sums = np.bincount(arrays["feature"][split], arrays["gain"][split], minlength=X.shape[1])
    np.testing.assert_allclose(tree.feature_importances_, sums / sums.sum())


@pytest.mark.parametrize("criterion", CRITERIA[:2])
def test_pruning_path_ends_at_the_root(criterion: str) -> None:
    tree = classifier(criterion=criterion, min_samples_leaf=5, class_weight="balanced")
    path = tree.cost_complexity_pruning_path(X, THREE)
    assert not hasattr(tree, "model_")
    assert path.ccp_alphas[0] == 0.0
    assert (np.diff(path.impurities) > -1e-12).all()
    root = 2 / 3 if criterion == "gini" else np.log2(3)
    assert path.impurities[-1] == pytest.approx(root)
    n_leaves = [
        tree.set_params(ccp_alpha=alpha * (1 + 1e-9)).fit(X, THREE).get_n_leaves()
        for alpha in path.ccp_alphas
    ]
    assert n_leaves == sorted(n_leaves, reverse=True)
    assert n_leaves[-1] == 1


def test_a_directed_column() -> None:
    """As in scikit-learn for two classes and one target; exact and with bins."""
    for tree in (
        classifier(monotonic_cst=[1, 0, 0, 0], max_depth=6),
        regressor(monotonic_cst=[1, 0, 0, 0], max_depth=6),
    ):
        fitted = tree.fit(X, BINARY if isinstance(tree, CeibaTreeClassifier) else Y)
        grid = np.tile(X[:1], (50, 1))
        grid[:, 0] = np.linspace(-3, 3, 50)
        raw = fitted.model_.predict_raw(grid)
        assert (np.diff(raw) >= 0).all()
    with pytest.raises(InvalidParameterError, match="supports a single target"):
        classifier(monotonic_cst=[1, 0, 0, 0]).fit(X, THREE)


def test_files_pickles_and_names(tmp_path: Path) -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    tree = classifier(criterion="entropy", max_depth=3).fit(frame, THREE)
    tree.save_model(tmp_path / "tree.ceiba")
    loaded = CeibaTreeClassifier().load_model(tmp_path / "tree.ceiba")
    np.testing.assert_array_equal(loaded.predict_proba(frame), tree.predict_proba(frame))
    assert loaded.export_text() == tree.export_text()
    again = pickle.loads(pickle.dumps(tree))
    assert again.model_.fingerprint() == tree.model_.fingerprint()
    assert "|--- a" in tree.export_text() or "|--- b" in tree.export_text()
    assert list(tree.feature_names_in_) == ["a", "b", "c", "d"]


def test_shap_values_add_up_and_the_tree_is_drawn() -> None:
    tree = classifier(max_depth=3).fit(X, BINARY)
    explanation = tree.explain(X[:5])
    total = explanation.values.sum(axis=1) + explanation.base_values
    np.testing.assert_allclose(np.ravel(total), tree.predict_proba(X[:5])[:, 1], atol=1e-12)


def test_recipe_tree_is_the_tree() -> None:
    model = ceiba.train(
        {"recipe": "tree", "max_depth": 4, "objective": "squared_error"}, ceiba.Dataset(X, Y)
    )
    assert model.fingerprint() == regressor(max_depth=4).fit(X, Y).model_.fingerprint()


def test_what_is_refused() -> None:
    with pytest.raises(NotFittedError):
        classifier().export_text()
    with pytest.raises(InvalidParameterError, match="criterion must be 'gini' or 'entropy' or"):
        classifier(criterion="ginni").fit(X, BINARY)
    with pytest.raises(InvalidParameterError, match="criterion must be 'squared_error' or"):
        regressor(criterion="absolute_error").fit(X, Y)
    with pytest.raises(InvalidParameterError, match="splitter must be 'best' or 'random'"):
        regressor(splitter="worst").fit(X, Y)
    with pytest.raises(InvalidInputError, match="one column of classes"):
        classifier().fit(X, np.column_stack([BINARY[0] == BINARY, X[:, 0] > 0]).astype(int))
    with pytest.raises(InvalidParameterError, match="max_depth must be"):
        regressor(max_depth=-2).fit(X, Y)
    with pytest.raises(ValueError, match="Unknown parameter 'learning_rate' of CeibaTreeRegressor"):
        regressor().set_params(learning_rate=0.1)

"""Random forests: parameters of scikit-learn, samples, classes, several targets, warm starts."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import r2_score
from small_table import BINARY, FRAME, THREE, X, Y

import ceiba
from ceiba import CeibaForestClassifier, CeibaForestRegressor
from ceiba.errors import InvalidInputError, InvalidParameterError


def classifier(**given: Any) -> CeibaForestClassifier:
    return CeibaForestClassifier(**{"n_estimators": 10, "n_jobs": 2, **given})


def regressor(**given: Any) -> CeibaForestRegressor:
    return CeibaForestRegressor(**{"n_estimators": 10, "n_jobs": 2, **given})


def test_names_and_defaults_are_those_of_scikit_learn() -> None:
    for ours, theirs in (
        (CeibaForestClassifier(), RandomForestClassifier()),
        (CeibaForestRegressor(), RandomForestRegressor()),
    ):
        expected, found = theirs.get_params(), ours.get_params()
        assert {name: found[name] for name in expected} == expected


def test_a_forest_learns() -> None:
    fitted = regressor(n_estimators=50).fit(X[:300], Y[:300])
    assert fitted.score(X[300:], Y[300:]) > 0.6
    assert fitted.model_.n_iterations == 50
    classes = classifier(n_estimators=50).fit(X[:300], THREE[:300])
    assert classes.score(X[300:], THREE[300:]) > 0.6
    assert classes.classes_.tolist() == np.unique(THREE).tolist()
    assert fitted.feature_importances_.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("target", [BINARY, THREE])
def test_probabilities_are_means_over_trees(target: np.ndarray) -> None:
    fitted = classifier(n_estimators=7).fit(X, target)
    alone = [fitted.predict_proba(X, iteration_range=(i, i + 1)) for i in range(7)]
    np.testing.assert_allclose(np.mean(alone, axis=0), fitted.predict_proba(X), atol=1e-12)
    # Leaves of trees without a limit hold rows of one class, but for rows that are alike.
    assert set(np.round(np.unique(alone[0]), 9)) <= {0.0, 1.0}
    np.testing.assert_array_equal(
        fitted.predict(X), fitted.classes_[fitted.predict_proba(X).argmax(axis=1)]
    )


def test_without_samples_a_tree_knows_every_row() -> None:
    fitted = classifier(bootstrap=False).fit(X, BINARY)
    assert fitted.score(X, BINARY) == 1.0
    numbers = regressor(bootstrap=False, max_features=0.5).fit(X, Y)
    np.testing.assert_allclose(numbers.predict(X), Y, atol=1e-6)


def test_subsets_have_no_repeats() -> None:
    fitted = regressor(bootstrap=False, max_samples=0.5, n_estimators=3).fit(X, Y)
    counts = fitted.model_.forest.arrays()
    roots = counts["tree_offsets"][:-1]
    assert counts["count"][roots].tolist() == [200.0] * 3
    assert counts["cover"][roots].tolist() == [200.0] * 3
    whole = regressor(max_samples=150, n_estimators=3).fit(X, Y).model_.forest.arrays()
    assert whole["cover"][whole["tree_offsets"][:-1]].tolist() == [150.0] * 3


@pytest.mark.parametrize("leaf", [2, 7])
def test_rows_drawn_twice_are_one_row_of_a_leaf(leaf: int) -> None:
    arrays = regressor(min_samples_leaf=leaf).fit(X, Y).model_.forest.arrays()
    leaves = arrays["feature"] < 0
    assert arrays["count"][leaves].min() >= leaf
    assert arrays["cover"][leaves].max() > arrays["count"][leaves].min()


def test_limits() -> None:
    arrays = regressor(max_leaf_nodes=5).fit(X, Y).model_.forest.arrays()
    assert (np.diff(arrays["tree_offsets"]) == 9).all()
    shallow = regressor(max_depth=2).fit(X, Y).model_.forest.arrays()
    assert (np.diff(shallow["tree_offsets"]) <= 7).all()
    pruned = regressor(ccp_alpha=0.05).fit(X, Y).model_.forest.n_trees
    assert pruned == 10
    stump = regressor(min_impurity_decrease=1e9).fit(X, Y)
    assert np.unique(stump.predict(X)).size == 1


@pytest.mark.parametrize("max_features", [1, 2, 0.5, "sqrt", "log2", None, 1.0])
def test_max_features(max_features: Any) -> None:
    fitted = regressor(max_features=max_features).fit(X, Y)
    assert fitted.score(X, Y) > 0.5
    one = regressor(max_features=1, n_estimators=40).fit(X, Y)
    firsts = one.model_.forest.arrays()
    roots = firsts["feature"][firsts["tree_offsets"][:-1]]
    assert len(set(roots.tolist())) > 2  # of one column, whichever it is


def test_every_distinct_value_of_few_rows_is_a_candidate() -> None:
    labels = list("ABCDEFGHIJKLMNO")
    fitted = CeibaForestClassifier(50, random_state=0, n_jobs=2).fit(np.eye(15), labels)
    assert fitted.score(np.eye(15), labels) == 1.0


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 1000),
    factor=st.sampled_from([2, 3, 16, 256]),
    bootstrap=st.booleans(),
    spread=st.sampled_from([1.0, 2.0]),
)
def test_the_scale_of_weights_does_not_matter(
    seed: int, factor: int, bootstrap: bool, spread: float
) -> None:
    random = np.random.default_rng(seed)
    values = random.integers(0, 12, size=(60, 3)).astype(float)
    target = np.exp(spread * random.normal(size=60))
    weights = random.integers(1, 4, size=60).astype(float)
    one, other = (
        regressor(n_estimators=3, max_features=2, bootstrap=bootstrap, random_state=seed).fit(
            values, target, w
        )
        for w in (weights, factor * weights)
    )
    np.testing.assert_array_equal(one.apply(values), other.apply(values))
    np.testing.assert_allclose(one.predict(values), other.predict(values), rtol=1e-9)


def test_extra_trees_differ() -> None:
    plain, extra = regressor().fit(X, Y), regressor(extra_trees=True).fit(X, Y)
    assert plain.model_.fingerprint() != extra.model_.fingerprint()
    assert extra.score(X, Y) > 0.5


def test_several_targets() -> None:
    both = np.column_stack([Y, -2 * Y + X[:, 0]])
    fitted = regressor(oob_score=True, n_estimators=40).fit(X, both)
    assert fitted.predict(X).shape == (400, 2)
    assert fitted.oob_prediction_.shape == (400, 2)
    known = ~np.isnan(fitted.oob_prediction_[:, 0])
    expected = r2_score(both[known], fitted.oob_prediction_[known])
    assert fitted.oob_score_ == pytest.approx(expected, abs=1e-12)
    assert fitted.model_.forest.leaf_width == 2
    with pytest.raises(InvalidInputError, match="one column of classes"):
        classifier().fit(X, np.column_stack([BINARY == "yes", THREE == "low"]).astype(int))


def test_class_weights() -> None:
    rare = np.where(X[:, 0] + X[:, 1] > 1.5, "rare", "usual")
    share = (rare == "rare").mean()
    assert share < 0.3
    plain = classifier(max_depth=3, n_estimators=30).fit(X, rare)
    shares = {}
    for weight in ("balanced", "balanced_subsample", {"rare": 5.0}):
        heavy = classifier(max_depth=3, n_estimators=30, class_weight=weight).fit(X, rare)
        shares[str(weight)] = heavy.predict_proba(X)[:, 0].mean()
    assert min(shares.values()) > plain.predict_proba(X)[:, 0].mean() + 0.02
    assert shares["balanced"] != shares["balanced_subsample"]
    # The rows of each tree, so weighted, have classes of the same total.
    trees = classifier(class_weight="balanced_subsample", max_depth=1).fit(X, rare)
    arrays = trees.model_.forest.arrays()
    np.testing.assert_allclose(arrays["value"][arrays["tree_offsets"][:-1]], 0.5, atol=1e-9)


def test_a_warm_start_grows_the_trees_that_are_missing() -> None:
    whole = regressor(n_estimators=9, random_state=3).fit(X, Y)
    warm = regressor(n_estimators=4, random_state=3, warm_start=True).fit(X, Y)
    warm.set_params(n_estimators=9).fit(X, Y)
    np.testing.assert_array_equal(warm.predict(X), whole.predict(X))
    assert warm.model_.fingerprint() == whole.model_.fingerprint()


@pytest.mark.threads
def test_one_forest_whatever_threads_and_blocks() -> None:
    found = {classifier(n_jobs=n).fit(X, THREE).model_.fingerprint() for n in (1, 3)}
    assert len(found) == 1


def test_categories_and_missing_values_as_they_are() -> None:
    frame = FRAME.copy()
    target = np.where(frame.iloc[:, 0] > 0, 1.0, 0.0)
    frame["level"] = np.where(target > 0, "a", "b")
    frame.loc[::7, frame.columns[1]] = np.nan
    fitted = classifier().fit(frame, target)
    assert fitted.score(frame, target) > 0.95
    assert fitted.feature_names_in_.tolist() == list(frame.columns)


def test_estimators_can_be_cloned_and_pickled() -> None:
    fitted = classifier(max_features=2, oob_score=True, n_estimators=50).fit(X, THREE)
    copy = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(copy.predict_proba(X), fitted.predict_proba(X))
    fresh = clone(fitted)
    assert fresh.get_params() == fitted.get_params()
    fresh.set_params(max_features="log2", max_leaf_nodes=7)
    assert (fresh.max_features, fresh.max_leaf_nodes) == ("log2", 7)
    np.testing.assert_array_equal(copy.oob_decision_function_, fitted.oob_decision_function_)


def test_a_file_of_a_forest(tmp_path: Any) -> None:
    fitted = classifier().fit(X, THREE)
    fitted.save_model(tmp_path / "forest.ceiba")
    loaded = classifier().load_model(tmp_path / "forest.ceiba")
    np.testing.assert_array_equal(loaded.predict_proba(X), fitted.predict_proba(X))
    assert ceiba.load_model(tmp_path / "forest.ceiba").fingerprint() == fitted.model_.fingerprint()


BAD = [
    ({"criterion": "deviance"}, "criterion must be"),
    ({"bootstrap": "yes"}, "bootstrap must be True or False"),
    ({"max_samples": 1.5}, "max_samples must be"),
    ({"max_samples": 0}, "max_samples must be"),
    ({"max_samples": 401}, "from 1 to 400"),
    ({"max_features": "all"}, "max_features"),
    ({"max_features": 0.0}, "max_features"),
    ({"n_estimators": 0}, "n_estimators"),
    ({"min_samples_leaf": -1}, "min_samples_leaf"),
    ({"max_leaf_nodes": 1}, "max_leaf_nodes"),
    ({"max_depth": -3}, "max_depth"),
    ({"ccp_alpha": -1.0}, "ccp_alpha"),
    ({"bootstrap": False, "oob_score": True, "max_features": 2}, "oob_score needs trees"),
]


@pytest.mark.parametrize(("given", "message"), BAD)
def test_bad_parameters(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        regressor(**given).fit(X, Y)


def test_a_misspelt_name_is_an_error() -> None:
    with pytest.raises(TypeError):
        CeibaForestRegressor(n_estimator=3)

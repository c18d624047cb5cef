"""Gini: shares of classes, two of them in one score."""

from __future__ import annotations

import numpy as np
import pytest

import ceiba
from ceiba import CeibaClassifier, Dataset, train
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives.gini import Gini

ONE_TREE = {
    "objective": "gini",
    "boosting": "forest",
    "n_estimators": 1,
    "reg_lambda": 0.0,
    "min_samples_leaf": 5,
    "min_child_weight": 0.0,
    "multi_strategy": "vector_leaf",
    "n_jobs": 1,
}


def make_rows(n_classes: int, n_rows: int = 300) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(n_classes)
    X = random.normal(size=(n_rows, 4))
    y = np.clip(np.floor(X[:, 0] + random.normal(size=n_rows) + n_classes / 2), 0, n_classes - 1)
    return X, y, random.integers(1, 4, n_rows).astype(np.float64)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_leaf_holds_the_weighted_shares_of_its_rows(n_classes: int, weighted: bool) -> None:
    X, y, weights = make_rows(n_classes)
    used = weights if weighted else np.ones(len(y))
    model = train(ONE_TREE, Dataset(X, y, weight=used if weighted else None))
    assert model.n_outputs == (1 if n_classes == 2 else n_classes)
    assert model.n_trees == 1
    leaves = model.apply(X)[:, 0]
    chances = model.predict(X)
    raw = model.predict_raw(X)
    np.testing.assert_array_equal(chances, raw)
    for leaf in np.unique(leaves):
        rows = leaves == leaf
        totals = np.array([used[rows & (y == k)].sum() for k in range(n_classes)])
        shares = totals / used[rows].sum()
        expected = shares[1] if n_classes == 2 else shares
        np.testing.assert_allclose(chances[rows][0], expected, rtol=1e-12, atol=1e-15)


def test_two_classes_are_a_binary_model_from_a_file_too(tmp_path) -> None:
    X, y, _ = make_rows(2)
    model = train(ONE_TREE, Dataset(X, y))
    assert model.objective.task == "binary"
    assert model.objective.default_metric == "logloss"
    model.save(tmp_path / "model.ceiba")
    again = ceiba.load_model(tmp_path / "model.ceiba")
    assert again.objective == model.objective == Gini(n_classes=2)
    assert again.objective.task == "binary"
    assert again.fingerprint() == model.fingerprint()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_classifier_predicts_the_class_of_the_largest_share(n_classes: int) -> None:
    X, y, _ = make_rows(n_classes)
    labels = np.array(["a", "b", "c"])[y.astype(int)]
    given = {**ONE_TREE, "eval_metric": ["accuracy", "auc"] if n_classes == 2 else "multi_logloss"}
    classifier = CeibaClassifier(**given).fit(X, labels, eval_set=[(X, labels)])
    chances = classifier.predict_proba(X)
    assert chances.shape == (len(y), n_classes)
    np.testing.assert_array_equal(
        classifier.predict(X), classifier.classes_[np.argmax(chances, axis=1)]
    )
    scores = classifier.decision_function(X)
    if n_classes == 2:
        np.testing.assert_array_equal(scores > 0, chances[:, 1] > 0.5)
    (history,) = classifier.evals_result_.values()
    assert np.isfinite(np.concatenate(list(history.values()))).all()


def test_boosted_shares_stay_between_zero_and_one() -> None:
    X, y, _ = make_rows(3)
    model = train({"objective": "gini", "n_estimators": 30, "n_jobs": 1}, Dataset(X, y))
    chances = model.predict(X)
    assert (chances >= 0.0).all()
    assert (chances <= 1.0).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, rtol=1e-12)


def test_rows_that_every_class_denies_are_shared_out() -> None:
    raw = np.array([[-0.1, -0.2, 0.0], [2.0, 0.5, -1.0], [0.2, 0.3, 0.5]])
    expected = [[1 / 3] * 3, [1 / 1.5, 0.5 / 1.5, 0.0], [0.2, 0.3, 0.5]]
    np.testing.assert_allclose(Gini(n_classes=3).predict(raw), expected, rtol=1e-15)


def test_targets_and_base_scores_without_a_meaning() -> None:
    with pytest.raises(InvalidInputError, match="of objective gini must hold class indices"):
        Gini().check_target(np.array([0.0, 1.5]))
    with pytest.raises(InvalidInputError, match=r"1\. Got also 2"):
        Gini(n_classes=2).check_target(np.array([0.0, 2.0]), n_outputs=1)
    with pytest.raises(InvalidParameterError, match="from 0 to 1"):
        Gini(n_classes=2).to_raw(1.5, 1)

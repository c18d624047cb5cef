"""Estimators whose leaves are fitted to new rows, and those that use some of their rounds."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from small_table import BINARY, FRAME, THREE, X, Y, classifier, regressor

from ceiba import CeibaClassifier, CeibaRanker, Dataset, NotFittedError, refit, train
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.estimators.targets import weigh_labels

RANDOM = np.random.default_rng(7)
NEW = X + 0.1 * RANDOM.normal(size=X.shape)
WEIGHTS = RANDOM.integers(0, 3, size=400).astype(float)
SCORES = RANDOM.normal(size=400)
QID = np.arange(400) // 8
GRADES = np.digitize(Y, [-0.5, 0.5, 1.0]).astype(float)

# ---- refit ---------------------------------------------------------------------------------------


def test_the_refit_is_that_of_the_model() -> None:
    fitted = regressor().fit(X, Y, eval_set=[(X, Y)])
    before = fitted.model_.fingerprint()
    fresh = fitted.refit(NEW, Y + 1, WEIGHTS, init_score=SCORES, decay_rate=0.25)
    rows = Dataset(NEW, Y + 1, weight=WEIGHTS, init_score=SCORES)
    expected = refit(fitted.model_, rows, decay_rate=0.25)
    assert fresh.model_.fingerprint() == expected.fingerprint() != before
    assert fitted.model_.fingerprint() == before
    assert (fresh.n_iter_, fresh.best_iteration_, fresh.n_features_in_) == (10, 9, 4)
    assert (fresh.evals_result_, list(fitted.evals_result_)) == ({}, ["validation_0"])
    assert fresh.get_params() == fitted.get_params()
    np.testing.assert_array_equal(fresh.predict(X), expected.predict(X))
    assert fitted.refit(NEW, Y).model_.fingerprint() == (
        refit(fitted.model_, Dataset(NEW, Y), decay_rate=0.9).fingerprint()
    )


@pytest.mark.parametrize("class_weight", [None, "balanced", {"low": 3.0, "top": 0.0}])
def test_on_its_own_rows_nothing_changes(class_weight: Any) -> None:
    fitted = classifier(class_weight=class_weight).fit(X, THREE, WEIGHTS)
    again = fitted.refit(X, THREE, WEIGHTS, decay_rate=0.0)
    assert again.model_.fingerprint() == fitted.model_.fingerprint()
    assert again.classes_.tolist() == ["low", "mid", "top"]


def test_labels_of_a_refit() -> None:
    fitted = classifier().fit(X, THREE)
    codes = np.searchsorted(fitted.classes_, THREE)
    some = THREE != "low"
    fresh = fitted.refit(X[some], THREE[some], decay_rate=0.5)
    expected = refit(fitted.model_, Dataset(X[some], codes[some]), decay_rate=0.5)
    assert fresh.model_.fingerprint() == expected.fingerprint()
    assert fresh.classes_.tolist() == ["low", "mid", "top"]
    assert set(fresh.predict(X)) <= set(THREE)
    other = np.where(WEIGHTS == 0, "else", THREE)
    with pytest.raises(InvalidInputError, match=r"'else'\. The classes are 'low', 'mid', 'top'"):
        fitted.refit(X, other)
    ignored = fitted.refit(X, other, WEIGHTS)  # rows of weight 0 are none
    assert ignored.model_.fingerprint() == fitted.refit(X, THREE, WEIGHTS).model_.fingerprint()


def test_several_targets_are_refitted_as_the_model_is() -> None:
    both = np.column_stack([Y, X[:, 1] * X[:, 2]])
    fitted = regressor().fit(X, both)
    fresh = fitted.refit(NEW, both + 1, WEIGHTS, decay_rate=0.25)
    rows = Dataset(NEW, both + 1, weight=WEIGHTS)
    expected = refit(fitted.model_, rows, decay_rate=0.25)
    assert fresh.model_.fingerprint() == expected.fingerprint() != fitted.model_.fingerprint()
    np.testing.assert_array_equal(fresh.predict(X), expected.predict(X))


@pytest.mark.parametrize("class_weight", [None, "balanced", "sqrt_balanced_up"])
def test_several_labels_are_refitted_with_the_weights_of_fit(class_weight: Any) -> None:
    labels = np.column_stack([Y > 0.5, X[:, 1] * X[:, 2] > 0]).astype(int)
    fitted = classifier(class_weight=class_weight).fit(X, labels, WEIGHTS)
    again = fitted.refit(X, labels, WEIGHTS, decay_rate=0.0)
    assert again.model_.fingerprint() == fitted.model_.fingerprint()
    fresh = fitted.refit(NEW, labels, WEIGHTS, decay_rate=0.5)
    weighed = WEIGHTS
    if class_weight is not None:
        weighed = weigh_labels(class_weight, labels.astype(float), WEIGHTS)
    rows = Dataset(NEW, labels, weight=weighed)
    assert fresh.model_.fingerprint() == refit(fitted.model_, rows, decay_rate=0.5).fingerprint()
    assert fresh.classes_.tolist() == [0, 1]


def test_a_classifier_that_read_a_model_without_labels() -> None:
    model = train({"objective": "logistic", "n_estimators": 5}, Dataset(X, Y > 0))
    fitted = CeibaClassifier()._set_model(model)
    fresh = fitted.refit(NEW, (Y > 0).astype(int))
    assert fresh.model_.fingerprint() == refit(model, Dataset(NEW, Y > 0)).fingerprint()
    assert fresh.classes_.tolist() == [0, 1]


def test_a_dataset_brings_all_that_its_rows_have() -> None:
    for fitted, rows in [
        (regressor().fit(X, Y), Dataset(NEW, Y, weight=WEIGHTS, init_score=SCORES)),
        (
            CeibaRanker(n_estimators=5, n_jobs=1).fit(X, GRADES, qid=QID),
            Dataset(NEW, GRADES, qid=QID, init_score=SCORES),
        ),
    ]:
        fresh = fitted.refit(rows, None, decay_rate=0.5)
        expected = refit(fitted.model_, rows, decay_rate=0.5)
        assert fresh.model_.fingerprint() == expected.fingerprint()
        with pytest.raises(InvalidInputError, match="Got init_score as well"):
            fitted.refit(rows, None, init_score=SCORES)


def test_a_ranker_is_refitted_to_queries() -> None:
    fitted = CeibaRanker(n_estimators=10, n_jobs=1).fit(X, GRADES, qid=QID)
    weights = np.linspace(0.5, 2.0, 50)
    fresh = fitted.refit(NEW, GRADES, weights, qid=QID, init_score=SCORES, decay_rate=0.5)
    rows = Dataset(NEW, GRADES, weight=weights, qid=QID, init_score=SCORES)
    assert fresh.model_.fingerprint() == refit(fitted.model_, rows, decay_rate=0.5).fingerprint()
    by_size = fitted.refit(X, GRADES, group=[8] * 50, decay_rate=0.0)
    assert by_size.model_.fingerprint() == fitted.model_.fingerprint()
    with pytest.raises(InvalidInputError, match="needs the query of each row"):
        fitted.refit(X, GRADES)


def test_columns_of_a_refit() -> None:
    fitted = regressor(missing=-999.0).fit(FRAME, Y)
    holes = FRAME.where(FRAME > -1, -999.0)
    fresh = fitted.refit(holes, Y)
    assert fresh.feature_names_in_.tolist() == list("abcd")
    expected = refit(fitted.model_, Dataset(FRAME.where(FRAME > -1), Y, missing=-999.0))
    assert fresh.model_.fingerprint() == expected.fingerprint()
    with pytest.raises(InvalidInputError, match="same order"):
        fitted.refit(FRAME[list("dcba")], Y)
    with pytest.warns(UserWarning, match="does not have valid feature names") as caught:
        fitted.refit(X, Y)
    assert caught[0].filename == __file__


def test_a_refitted_estimator_is_one_like_others(tmp_path: Path) -> None:
    fitted = classifier(eta=0.3).fit(FRAME, BINARY)
    fresh = fitted.refit(FRAME, BINARY[::-1], decay_rate=0.2)
    for copy in (
        pickle.loads(pickle.dumps(fresh)),
        clone(fresh).load_model(_saved(fresh, tmp_path / "model.ceiba")),
    ):
        assert copy.model_.fingerprint() == fresh.model_.fingerprint()
        np.testing.assert_array_equal(copy.predict(FRAME), fresh.predict(FRAME))
    assert not hasattr(clone(fresh), "model_")
    assert fresh.set_params(eta=0.7).get_params()["eta"] == 0.7
    assert fitted.get_params()["eta"] == 0.3
    more = classifier(eta=0.3, n_estimators=2).fit(FRAME, BINARY, init_model=fresh)
    assert more.n_iter_ == 12


def _saved(fitted: Any, path: Path) -> Path:
    fitted.save_model(path)
    return path


def test_a_refit_that_cannot_be() -> None:
    with pytest.raises(NotFittedError):
        regressor().refit(X, Y)
    fitted = regressor().fit(X, Y)
    with pytest.raises(InvalidParameterError, match="decay_rate"):
        fitted.refit(X, Y, decay_rate=1.5)
    for given, message in [
        ((X, Y[:9]), "same number of rows"),
        ((X[:, 1:], Y), "X has 3 features"),
        ((X, Y, -WEIGHTS), "at least 0"),
        ((X[:0], Y[:0]), "0 sample"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            fitted.refit(*given)
    with pytest.raises(InvalidInputError, match="init_score must have one value"):
        fitted.refit(X, Y, init_score=SCORES[:9])


# ---- iteration_range -----------------------------------------------------------------------------


@pytest.mark.parametrize("bounds", [(0, 4), (3, 7), (0, 0), (0, 10)])
def test_some_rounds_only(bounds: tuple[int, int]) -> None:
    some: dict[str, Any] = {"iteration_range": bounds}
    numbers = regressor().fit(X, Y)
    np.testing.assert_array_equal(numbers.predict(X, **some), numbers.model_.predict(X, **some))
    leaves = numbers.apply(FRAME.to_numpy(), **some)
    np.testing.assert_array_equal(leaves, numbers.model_.apply(X, **some))
    for labels in (BINARY, THREE):
        fitted = classifier().fit(X, labels)
        raw = fitted.model_.predict_raw(X, **some)
        np.testing.assert_array_equal(fitted.decision_function(X, **some), raw)
        proba = fitted.predict_proba(X, **some)
        found = fitted.model_.predict(X, **some)
        np.testing.assert_array_equal(proba if proba.shape[1] > 2 else proba[:, 1], found)
        best = raw > 0 if raw.ndim == 1 else raw.argmax(axis=1)
        np.testing.assert_array_equal(fitted.predict(X, **some), fitted.classes_.take(best))


def test_the_first_rounds_are_those_of_the_stages() -> None:
    fitted = classifier().fit(X, THREE)
    stages = (fitted.staged_predict(X), fitted.staged_predict_proba(X))
    for n_rounds, (label, proba) in enumerate(zip(*stages, strict=True), start=1):
        np.testing.assert_array_equal(fitted.predict(X, iteration_range=(0, n_rounds)), label)
        np.testing.assert_array_equal(fitted.predict_proba(X, iteration_range=(0, n_rounds)), proba)
    ranker = CeibaRanker(n_estimators=4, n_jobs=1).fit(X, GRADES, qid=QID)
    for n_rounds, scores in enumerate(ranker.staged_predict(X), start=1):
        np.testing.assert_array_equal(ranker.predict(X, iteration_range=(0, n_rounds)), scores)


def test_rounds_that_there_are_not() -> None:
    fitted = classifier().fit(X, BINARY)
    for method in (fitted.predict, fitted.predict_proba, fitted.decision_function, fitted.apply):
        for wrong in ((0, 11), (5, 3), (-1, 4), 3, "all"):
            with pytest.raises(InvalidParameterError, match="iteration_range"):
                method(X, iteration_range=wrong)
        with pytest.raises(TypeError):
            method(X, (0, 4))

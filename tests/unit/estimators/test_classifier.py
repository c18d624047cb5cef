"""CeibaClassifier: labels, probabilities and weights of classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import get_scorer, log_loss, roc_auc_score
from small_table import BINARY, THREE, X, classifier

from ceiba.errors import InvalidInputError, InvalidParameterError


@pytest.mark.parametrize(
    "labels",
    [
        BINARY,
        BINARY == "yes",
        np.where(BINARY == "yes", 7, -3),
        np.where(BINARY == "yes", 1.0, 0.0),
        THREE,
        np.unique(THREE, return_inverse=True)[1].astype(np.int8),
        pd.Series(THREE, dtype="category"),
        pl.Series(THREE),
        THREE.astype(object),
    ],
    ids=lambda y: f"{type(y).__module__} {y.dtype}",
)
def test_labels_of_every_kind(labels: Any) -> None:
    fitted = classifier(n_estimators=30).fit(X, labels)
    values = np.asarray(labels)
    np.testing.assert_array_equal(fitted.classes_, np.unique(values))
    predicted = fitted.predict(X)
    assert (predicted == values).mean() > 0.9
    assert predicted.dtype == fitted.classes_.dtype
    probabilities = fitted.predict_proba(X)
    assert probabilities.shape == (400, len(fitted.classes_))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(fitted.classes_[probabilities.argmax(axis=1)], predicted)
    decision = fitted.decision_function(X)
    assert decision.shape == ((400,) if len(fitted.classes_) == 2 else (400, 3))


def test_nullable_labels_come_back() -> None:
    labels = pd.Series(BINARY == "yes")
    for dtype, expected in (("Int64", [0, 1]), ("boolean", [False, True])):
        fitted = classifier().fit(X, labels.astype(dtype))
        assert [type(label) for label in fitted.classes_.tolist()] == [type(expected[0])] * 2
        assert fitted.classes_.tolist() == expected
    with pytest.raises(InvalidInputError, match="missing values"):
        classifier().fit(X, labels.astype("boolean").mask(labels))


def test_softmax_with_two_classes() -> None:
    fitted = classifier(objective="softmax").fit(X, BINARY)
    assert fitted.model_.n_outputs == 2
    assert fitted.decision_function(X).shape == (400,)
    assert fitted.predict_proba(X).shape == (400, 2)
    np.testing.assert_array_equal(
        fitted.predict(X), np.where(fitted.decision_function(X) > 0, "yes", "no")
    )


def test_staged_classes() -> None:
    for labels in (BINARY, THREE):
        fitted = classifier().fit(X, labels)
        classes, probabilities = (
            list(fitted.staged_predict(X)),
            list(fitted.staged_predict_proba(X)),
        )
        assert len(classes) == len(probabilities) == 10
        np.testing.assert_array_equal(classes[-1], fitted.predict(X))
        np.testing.assert_array_equal(probabilities[-1], fitted.predict_proba(X))
        decisions = list(fitted.staged_decision_function(X))
        assert len(decisions) == 10
        np.testing.assert_array_equal(decisions[-1], fitted.decision_function(X))


def test_exponential_classifier() -> None:
    fitted = classifier(objective="exponential").fit(X, BINARY)
    decision, probabilities = fitted.decision_function(X), fitted.predict_proba(X)
    np.testing.assert_allclose(probabilities[:, 1], 1 / (1 + np.exp(-2 * decision)), rtol=1e-12)
    np.testing.assert_array_equal(fitted.predict(X), np.where(decision > 0, "yes", "no"))
    with pytest.raises(InvalidParameterError, match="Got 3 classes"):
        classifier(objective="exponential").fit(X, THREE)


def test_metrics_of_an_exponential_classifier_are_those_of_its_probabilities() -> None:
    fitted = classifier(objective="exponential", eval_metric=["logloss", "accuracy"])
    fitted.fit(X, BINARY, eval_set=[(X, BINARY)])
    history = fitted.evals_result_["validation_0"]
    expected = log_loss(BINARY, fitted.predict_proba(X))
    assert history["logloss"][-1] == pytest.approx(expected, rel=1e-12)
    assert history["accuracy"][-1] == fitted.score(X, BINARY)


def test_class_weight_is_a_sample_weight() -> None:
    weights = np.where(BINARY == "yes", 3.0, 1.0)
    by_class = classifier(class_weight={"yes": 3.0}).fit(X, BINARY)
    by_row = classifier().fit(X, BINARY, sample_weight=weights)
    assert by_class.model_.fingerprint() == by_row.model_.fingerprint()
    both = classifier(class_weight={"yes": 3.0}).fit(X, BINARY, sample_weight=np.full(400, 2.0))
    assert both.model_.fingerprint() != by_class.model_.fingerprint()
    balanced = classifier(class_weight="balanced", n_estimators=1).fit(X, BINARY)
    assert balanced.model_.start_scores[0] == pytest.approx(0.0, abs=1e-12)


def test_scale_pos_weight_raises_the_second_class() -> None:
    plain = classifier().fit(X, BINARY).predict_proba(X)[:, 1].mean()
    scaled = classifier(scale_pos_weight=5.0).fit(X, BINARY).predict_proba(X)[:, 1].mean()
    assert scaled > plain + 0.1
    with pytest.raises(InvalidParameterError, match="two classes"):
        classifier(scale_pos_weight=5.0).fit(X, THREE)


def test_a_target_that_looks_like_an_identifier() -> None:
    with pytest.warns(UserWarning, match="y has 200 classes in 400 rows, which looks like") as seen:
        classifier(n_estimators=1).fit(X, np.arange(400) // 2)
    assert seen[0].filename == __file__
    classifier(n_estimators=1).fit(X, np.arange(400) // 3)
    classifier(n_estimators=1).fit(X[:4], [0, 0, 1, 1])


def of_custom(y_true: Any, raw_score: Any) -> Any:
    chance = 1.0 / (1.0 + np.exp(-raw_score))
    return chance - y_true, chance * (1.0 - chance)


METHODS_OF_PROBABILITIES = ["predict_proba", "predict_log_proba", "staged_predict_proba"]


@pytest.mark.parametrize("method", METHODS_OF_PROBABILITIES)
def test_a_custom_objective_has_no_probabilities(method: str, tmp_path: Path) -> None:
    own = classifier(objective=of_custom)
    plain = classifier()
    for _ in range(2):  # before and after fit
        assert hasattr(plain, method)
        assert not hasattr(own, method)
        plain.fit(X, BINARY)
        own.fit(X, BINARY)
    with pytest.raises(AttributeError, match=f"has no attribute '{method}'") as raised:
        getattr(own, method)
    assert "does not define probabilities" in str(raised.value.__cause__)
    own.save_model(tmp_path / "own")
    assert not hasattr(classifier().load_model(tmp_path / "own"), method)
    assert own.decision_function(X).shape == (400,)


def test_scikit_learn_finds_the_scores_of_a_custom_objective() -> None:
    own = classifier(objective=of_custom).fit(X, BINARY)
    auc = get_scorer("roc_auc")(own, X, BINARY)
    assert auc == pytest.approx(roc_auc_score(BINARY == "yes", own.decision_function(X)))

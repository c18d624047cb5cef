"""Several targets of each row: the same loss for each, and what a model of them answers."""

from __future__ import annotations

import numpy as np
import pytest

import ceiba
from ceiba import CeibaClassifier, CeibaRegressor
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives import find_objective, objective_from_state
from ceiba.objectives.several import Several, for_targets

RANDOM = np.random.default_rng(8)
X = RANDOM.normal(size=(600, 5))
Y = np.column_stack([X[:, 0] + X[:, 1] ** 2, X[:, 1] - X[:, 2], np.sin(X[:, 3])])
LABELS = (Y > 0).astype(float)
STRATEGIES = ("one_tree_per_output", "vector_leaf")


@pytest.mark.parametrize("name", ["squared_error", "poisson", "logistic", "pseudo_huber"])
def test_every_target_has_the_loss_of_one(name: str) -> None:
    one = find_objective(name)
    target = LABELS if name == "logistic" else np.abs(Y)
    several = for_targets(one, target)
    assert isinstance(several, Several)
    assert several.label == name
    scores = RANDOM.normal(size=(3, len(target)))
    found = np.empty((2, 3, len(target)))
    several.gradients(scores, target, found[0], found[1], 1)
    losses = np.zeros(len(target))
    for k in range(3):
        own, expected = np.ascontiguousarray(target[:, k]), np.empty((2, 1, len(target)))
        one.gradients(scores[k : k + 1], own, expected[0], expected[1], 1)
        np.testing.assert_array_equal(found[0, k], expected[0, 0])
        if one.constant_hessian is None:
            np.testing.assert_array_equal(found[1, k], expected[1, 0])
        losses += one.losses(scores[k : k + 1], own)
        np.testing.assert_array_equal(
            several.predict(scores.T)[:, k], one.predict(scores[k : k + 1].T)
        )
        assert several.start_scores(target, None)[k] == one.start_scores(own, None)[0]
    np.testing.assert_allclose(several.losses(scores, target), losses)
    assert objective_from_state(several.state()) == several


def test_a_tree_for_each_output_is_a_model_of_each() -> None:
    """Columns are drawn for each tree by its number, so there is nothing random here."""
    together = ceiba.train({"n_estimators": 10}, ceiba.Dataset(X, Y))
    for k in range(3):
        alone = ceiba.train({"n_estimators": 10}, ceiba.Dataset(X, Y[:, k]))
        np.testing.assert_array_equal(together.predict(X)[:, k], alone.predict(X))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_ways_of_a_model(strategy: str, tmp_path) -> None:
    parameters = {"n_estimators": 12, "multi_strategy": strategy, "max_leaves": 8}
    train, valid = ceiba.Dataset(X[:400], Y[:400]), ceiba.Dataset(X[400:], Y[400:])
    model = ceiba.train(parameters, train, eval_sets={"valid": valid})
    residuals = model.predict(X[400:]) - Y[400:]
    rmse = np.sqrt((residuals**2).mean(axis=0)).mean()
    assert model.history["valid"]["rmse"][-1] == pytest.approx(rmse)
    assert model.evaluate(X[400:], Y[400:], "rmse") == pytest.approx(rmse)

    model.save(tmp_path / "model.ceiba")
    loaded = ceiba.load_model(tmp_path / "model.ceiba")
    assert loaded.fingerprint() == model.fingerprint()
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.predict(X[:1]).shape == (1, 3)

    first = ceiba.train({**parameters, "n_estimators": 5}, train)
    further = ceiba.train({**parameters, "n_estimators": 7}, train, init_model=first)
    assert further.fingerprint() == model.fingerprint()
    refitted = ceiba.refit(model, train, decay_rate=0.0)
    np.testing.assert_array_equal(refitted.predict(X), model.predict(X))
    blocks = ceiba.Dataset.from_blocks([(X[:150], Y[:150]), (X[150:400], Y[150:400])])
    assert ceiba.train({**parameters, "n_jobs": 2}, blocks).fingerprint() == model.fingerprint()
    stages = list(model.staged_predict(X))
    np.testing.assert_array_equal(stages[-1], model.predict(X))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_labels(strategy: str) -> None:
    classifier = CeibaClassifier(n_estimators=30, multi_strategy=strategy).fit(X, LABELS)
    shares, found = classifier.predict_proba(X), classifier.predict(X)
    assert shares.shape == found.shape == LABELS.shape
    np.testing.assert_array_equal(found, shares > 0.5)
    np.testing.assert_array_equal(classifier.decision_function(X) > 0, found)
    np.testing.assert_array_equal(classifier.predict(X, prediction_type="Class"), found)
    assert (found == LABELS).mean() > 0.95
    assert list(classifier.staged_predict(X))[-1].shape == LABELS.shape
    np.testing.assert_array_equal(classifier.classes_, [0, 1, 2])


def test_estimators_and_early_stopping() -> None:
    regressor = CeibaRegressor(n_estimators=40, early_stopping_rounds=5).fit(X, Y)
    assert regressor.score(X, Y) > 0.8
    wider = CeibaRegressor(n_estimators=5).fit(X, Y, eval_set=[(X, Y)])
    assert wider.evals_result_["validation_0"]["rmse"][-1] > 0


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (
            lambda: CeibaRegressor(objective="absolute_error").fit(X, Y),
            "takes one target for each row. Got 3",
        ),
        (
            lambda: CeibaRegressor(quantile=[0.1, 0.9], objective="quantile").fit(X, Y),
            "takes one target for each row",
        ),
        (lambda: CeibaClassifier().fit(X, Y), "must hold labels of 0 and 1"),
        (
            lambda: CeibaClassifier(class_weight={1: 2.0}).fit(X, LABELS),
            "class_weight with multilabel targets must be 'balanced'",
        ),
        (
            lambda: CeibaClassifier(objective="softmax").fit(X, LABELS),
            "does not support multilabel targets",
        ),
        (
            lambda: CeibaRegressor(n_estimators=2).fit(X, Y, eval_set=[(X, Y[:, :2])]),
            "There must be 3 targets for each row",
        ),
        (
            lambda: CeibaRegressor(multi_strategy="vector_leaf", split_method="approx").fit(X, Y),
            "vector_leaf' does not support split_method='approx'",
        ),
        (
            lambda: CeibaRegressor(
                multi_strategy="vector_leaf", monotone_constraints=[1, 0, 0, 0, 0]
            ).fit(X, Y),
            "vector_leaf' does not support monotone_constraints",
        ),
        (lambda: ceiba.Dataset(X, Y[:5]), "one value for each row. Got 5 values for 600 rows"),
        (
            lambda: ceiba.Dataset(X, np.where(Y > 2, np.nan, Y)),
            "target must be finite",
        ),
    ],
)
def test_what_is_refused(work, text: str) -> None:
    with pytest.raises((InvalidInputError, InvalidParameterError), match=text):
        work()

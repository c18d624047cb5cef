"""An objective given as a function: the same trees as the built-in one, and errors that help."""

from __future__ import annotations

import functools
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from ceiba import CeibaClassifier, CeibaRegressor, Dataset, _core, load_model, train
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives import Custom, find_objective

Floats = np.ndarray[Any, np.dtype[np.float64]]
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(400, 4))
Y = X[:, 0] + 0.5 * X[:, 1] ** 2 + RANDOM.normal(scale=0.3, size=400)
WEIGHTS = RANDOM.gamma(1.0, size=400)
SMALL = {"n_estimators": 8, "n_jobs": 1, "max_leaves": 7}


def squared(y_true: Floats, raw_score: Floats) -> tuple[Floats, Floats]:
    return raw_score - y_true, np.ones_like(raw_score)


def logistic(y_true: Floats, raw_score: Floats) -> tuple[Floats, Floats]:
    p = _core.sigmoid(raw_score)
    return p - y_true, p * (1.0 - p)


def softmax(y_true: Floats, raw_score: Floats) -> tuple[Floats, Floats]:
    p = _core.softmax(raw_score)
    return p - (y_true[:, None] == np.arange(p.shape[1])), p * (1.0 - p)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_equals_the_built_in_loss(weights: Any) -> None:
    rows = Dataset(X, Y, weight=weights)
    own = train({"objective": squared, "base_score": 0.3, **SMALL}, rows)
    built_in = train({"objective": "squared_error", "base_score": 0.3, **SMALL}, rows)
    np.testing.assert_allclose(own.predict(X), built_in.predict(X), rtol=1e-12)
    assert own.objective.name == "custom"
    assert own.parameters["objective"] == "custom:squared"
    np.testing.assert_array_equal(own.predict(X), own.predict_raw(X))


def test_starts_at_zero_and_base_score_is_a_raw_score() -> None:
    assert train({"objective": squared, **SMALL}, Dataset(X, Y)).start_scores.tolist() == [0.0]
    model = train({"objective": logistic, "base_score": -7.5, **SMALL}, Dataset(X, Y > 0))
    assert model.start_scores.tolist() == [-7.5]


def test_several_outputs() -> None:
    target = np.digitize(Y, [-0.5, 0.5]).astype(np.float64)
    own = train({"objective": softmax, "n_classes": 3, **SMALL}, Dataset(X, target))
    given = {"objective": "softmax", "base_score": 1 / 3, **SMALL}
    built_in = train(given, Dataset(X, target))
    assert own.predict(X).shape == (400, 3)
    np.testing.assert_allclose(_core.softmax(own.predict(X)), built_in.predict(X), rtol=1e-6)


def test_arguments_cannot_reach_the_training() -> None:
    def careless(y_true: Floats, raw_score: Floats) -> tuple[Floats, Floats]:
        raw_score -= y_true
        return raw_score, np.ones_like(raw_score)

    rows = Dataset(X, Y)
    plain = train({"objective": squared, **SMALL}, rows)
    assert train({"objective": careless, **SMALL}, rows).fingerprint() == plain.fingerprint()

    def writing(y_true: Floats, raw_score: Floats) -> tuple[Floats, Floats]:
        y_true[0] = 1.0
        return squared(y_true, raw_score)

    with pytest.raises(ValueError, match="read-only"):
        train({"objective": writing, **SMALL}, rows)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda y, s: s - y, r"custom objective wrong must return a pair.*one array of shape"),
        (lambda y, s: (s, s, s), r"a pair.*Got 3 values"),
        (lambda y, s: ((s - y)[1:], np.ones_like(s)), r"gradients of shape \(400,\).*\(399,\)"),
        (lambda y, s: (s - y, 1.0), r"hessians of shape \(400,\), that of raw_score.*\(\)"),
        (lambda y, s: ("steep", np.ones_like(s)), "must return numbers. Got gradients of type str"),
        (lambda y, s: (np.where(np.arange(400) == 7, np.nan, s), s * 0 + 1), "nan in row 7"),
        (lambda y, s: (s - y, -np.ones_like(s)), r"0 or more. Got -1 in row 0 where y_true is"),
        (lambda y, s: (s - y, np.full_like(s, np.inf)), "must be finite and 0 or more. Got inf"),
    ],
)
def test_what_is_wrong_is_said(returned: Any, message: str) -> None:
    def wrong(y_true: Floats, raw_score: Floats) -> Any:
        return returned(y_true, raw_score)

    with pytest.raises(InvalidInputError, match=message):
        train({"objective": wrong, **SMALL}, Dataset(X, Y))


def test_wrong_shape_of_several_outputs() -> None:
    with pytest.raises(InvalidInputError, match=r"shape \(400, 3\).*Got shape \(3, 400\)"):
        train(
            {"objective": lambda y, s: (s.T, s.T), "n_classes": 3, **SMALL},
            Dataset(X, (Y > 0).astype(float)),
        )
    hessians = np.ones((400, 3))
    hessians[5, 2] = -1
    with pytest.raises(InvalidInputError, match="row 5, output 2, where y_true"):
        train({"objective": lambda y, s: (s, hessians), "n_classes": 3, **SMALL}, Dataset(X, Y > 0))


def test_signature_is_checked_before_training() -> None:
    with pytest.raises(InvalidParameterError, match=r"two arguments, \(y_true, raw_score\)"):
        find_objective(lambda y, s, w: (y, s))  # type: ignore[arg-type, misc]
    bound = functools.partial(lambda shift, y, s: squared(y, s + shift), 0.0)
    assert find_objective(bound).label == "custom:<lambda>"


def test_saved_model_predicts_and_keeps_no_function(tmp_path: Path) -> None:
    model = train({"objective": lambda y, s: squared(y, s), **SMALL}, Dataset(X, Y))
    model.save(tmp_path / "custom.ceiba")
    for loaded in (load_model(tmp_path / "custom.ceiba"), pickle.loads(pickle.dumps(model))):
        assert loaded.predict(X).tobytes() == model.predict(X).tobytes()
        assert loaded.fingerprint() == model.fingerprint()
        assert isinstance(loaded.objective, Custom)
        assert loaded.objective.function is None
        assert loaded.parameters["objective"] == "custom:<lambda>"
        with pytest.raises(InvalidParameterError, match="objective=your_function again"):
            train({**SMALL, "objective": loaded.parameters["objective"]}, Dataset(X, Y))
        with pytest.raises(InvalidParameterError, match="objective=your_function again"):
            loaded.objective.gradients(
                np.zeros((1, 1)), np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1)), 1
            )


def test_regressor() -> None:
    regressor = CeibaRegressor(objective=squared, **SMALL)
    expected = regressor.fit(X, Y, sample_weight=WEIGHTS).predict(X)
    assert clone(regressor).fit(X, Y, sample_weight=WEIGHTS).predict(X).tobytes() == (
        expected.tobytes()
    )
    assert pickle.loads(pickle.dumps(regressor)).predict(X).tobytes() == expected.tobytes()
    with_lambda = CeibaRegressor(objective=lambda y, s: squared(y, s), **SMALL).fit(X, Y)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(with_lambda)


@pytest.mark.parametrize(("function", "n_classes"), [(logistic, 2), (softmax, 3)])
def test_classifier(function: Any, n_classes: int, tmp_path: Path) -> None:
    labels = np.array(["a", "b", "c"])[np.digitize(Y, [-0.5, 0.5][: n_classes - 1])]
    classifier = CeibaClassifier(objective=function, **SMALL).fit(X, labels)
    plain = CeibaClassifier(base_score=1 / n_classes, **SMALL).fit(X, labels)
    np.testing.assert_array_equal(classifier.predict(X), plain.predict(X))
    assert classifier.score(X, labels) > 0.7
    assert classifier.decision_function(X).shape == ((400,) if n_classes == 2 else (400, 3))
    assert not hasattr(classifier, "predict_proba")
    classifier.save_model(tmp_path / "classifier.ceiba")
    loaded = CeibaClassifier().load_model(tmp_path / "classifier.ceiba")
    np.testing.assert_array_equal(loaded.predict(X), classifier.predict(X))


def test_eval_sets_need_a_metric_that_is_named() -> None:
    rows = Dataset(X, Y)
    model = train({"objective": squared, **SMALL}, rows, eval_sets=[rows])
    assert model.history == {"validation_0": {}}
    named = train({"objective": squared, "eval_metric": "rmse", **SMALL}, rows, eval_sets=[rows])
    assert len(named.history["validation_0"]["rmse"]) == 8
    with pytest.raises(InvalidInputError, match="eval_metric"):
        train({"objective": squared, "early_stopping_rounds": 2, **SMALL}, rows, eval_sets=[rows])

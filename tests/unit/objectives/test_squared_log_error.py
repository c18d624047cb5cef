"""Squared log error: scores that are logarithms, and scores that are predictions."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import CeibaRegressor, Dataset, _core, train
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives import find_objective
from ceiba.objectives.squared_log_error import SMALLEST_PREDICTION, SquaredLogError

PLAIN = SquaredLogError(curvature_rule="plain")
BOTH = pytest.mark.parametrize("loss", [SquaredLogError(), PLAIN], ids=["safe", "plain"])


def make_rows(n_rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 3))
    return X, np.exp(X[:, 0] + 0.5 * random.normal(size=n_rows)) - 0.9


def test_names() -> None:
    assert find_objective("reg:squaredlogerror") == SquaredLogError()
    assert find_objective("squared_log_error", curvature_rule="plain") == PLAIN


@BOTH
def test_targets_are_above_minus_one(loss: SquaredLogError) -> None:
    loss.check_target(np.array([-0.999, 0.0, 1e130]))
    for n_outputs in (None, 1):
        with pytest.raises(
            InvalidInputError, match=r"above -1 .*Got also -2, -1 \(first in row 1\).*squared_error"
        ):
            loss.check_target(np.array([0.0, -1.0, -2.0]), n_outputs)
    with pytest.raises(InvalidInputError, match=r"Got also 1e.200"):
        loss.check_target(np.array([0.0, 1e200]))
    with pytest.raises(InvalidInputError, match="objective squared_log_error must hold numbers"):
        CeibaRegressor(objective="squared_log_error").fit(np.zeros((2, 1)), [-1.0, 0.0])


@BOTH
def test_base_score_is_a_prediction(loss: SquaredLogError) -> None:
    for value in (-0.5, 0.0, 7.0):
        assert loss.predict(loss.to_raw(value, 1)[:, None])[0] == pytest.approx(value, rel=1e-14)
    for wrong in (-1.0, -3.0, 1e200):
        with pytest.raises(InvalidParameterError, match="base_score of objective squared_log_err"):
            loss.to_raw(wrong, 1)


@BOTH
def test_start_is_the_geometric_mean(loss: SquaredLogError) -> None:
    target, weights = np.array([0.0, 3.0, 15.0]), np.array([1.0, 2.0, 1.0])
    start = loss.predict(loss.start_scores(target, weights)[:, None])[0]
    assert start == pytest.approx((1.0 * 4.0 * 4.0 * 16.0) ** 0.25 - 1.0, rel=1e-14)


@BOTH
def test_predictions_are_above_minus_one(loss: SquaredLogError) -> None:
    raw = np.array([-1e300, -400.0, -40.0, -1.0, 0.0, 400.0])[:, None]
    prediction = loss.predict(raw)
    assert (prediction > -1.0).all()
    assert np.isfinite(prediction).all()
    assert (np.diff(prediction) >= 0.0).all()


def test_safe_is_the_squared_error_of_logarithms() -> None:
    X, y = make_rows()
    shared = {"n_estimators": 10, "n_jobs": 1, "max_leaves": 8}
    own = train({"objective": "squared_log_error", **shared}, Dataset(X, y))
    other = train({"objective": "squared_error", **shared}, Dataset(X, _core.log(1.0 + y)))
    assert own.predict_raw(X).tobytes() == other.predict_raw(X).tobytes()
    np.testing.assert_allclose(own.predict(X), np.expm1(other.predict(X)), rtol=1e-12, atol=1e-15)


def test_plain_derivatives_are_those_of_the_loss_where_it_is_convex() -> None:
    random = np.random.default_rng(0)
    target, scores = random.gamma(1.0, size=500) - 0.5, random.gamma(2.0, size=(1, 500)) - 0.9
    gradients, hessians = np.empty_like(scores), np.empty_like(scores)
    PLAIN.gradients(scores, target, gradients, hessians, 1)
    step = 1e-6
    above, below = PLAIN.losses(scores + step, target), PLAIN.losses(scores - step, target)
    np.testing.assert_allclose(gradients[0], (above - below) / (2 * step), rtol=1e-5, atol=1e-8)
    slopes = np.empty((2, 1, 500))
    for slope, moved in zip(slopes, (scores + step, scores - step), strict=True):
        PLAIN.gradients(moved, target, slope, np.empty_like(scores), 1)
    rise = (slopes[0] - slopes[1])[0] / (2 * step)
    concave = rise <= 1e-5
    assert 20 < concave.sum() < 480
    np.testing.assert_allclose(hessians[0][~concave], rise[~concave], rtol=1e-4)
    assert (hessians[0][rise < 0.0] == 1e-6).all()


def test_plain_scores_count_as_no_less_than_the_smallest_prediction() -> None:
    scores = np.array([[-50.0, -1.0, SMALLEST_PREDICTION]])
    gradients, hessians = np.empty_like(scores), np.empty_like(scores)
    PLAIN.gradients(scores, np.zeros(3), gradients, hessians, 1)
    assert len(set(gradients[0])) == len(set(hessians[0])) == 1
    assert len(set(PLAIN.losses(scores, np.zeros(3)))) == 1
    assert (PLAIN.predict(scores.T) == SMALLEST_PREDICTION).all()


def test_trees_of_one_scale_are_no_start_for_the_other() -> None:
    X, y = make_rows()
    params = {"objective": "squared_log_error", "n_estimators": 2, "n_jobs": 1}
    model = train(params, Dataset(X, y))
    with pytest.raises(InvalidInputError, match=r"log\(1 \+ prediction\)\. Got .*curvature_rule"):
        train({**params, "curvature_rule": "plain"}, Dataset(X, y), init_model=model)
    assert train(params, Dataset(X, y), init_model=model).n_iterations == 4


@pytest.mark.parametrize("recipe", ["auto", "gbm", "histgb", "lightgbm", "xgboost"])
def test_every_recipe_can_be_scored_by_its_metric(recipe: str) -> None:
    X, y = make_rows()
    regressor = CeibaRegressor(objective="squared_log_error", recipe=recipe, n_jobs=1)
    regressor.fit(X, y, eval_set=[(X, y)])
    values = regressor.evals_result_["validation_0"]["rmsle"]
    assert np.isfinite(values).all()
    # Plain scores that fell below -1 come back by steps of a millionth, in XGBoost too.
    assert recipe == "xgboost" or values[-1] < 0.5 * values[0]

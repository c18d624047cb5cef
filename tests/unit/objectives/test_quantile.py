"""One quantile, and several that share their trees and never cross."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import CeibaRegressor, Dataset, _core, load_model, refit, train
from ceiba.errors import InvalidInputError, InvalidParameterError, ModelFileError
from ceiba.objectives import find_objective, objective_from_state
from ceiba.objectives.quantile import Quantile, pinball_losses
from ceiba.testing import reference, residuals

LEVELS = [0.05, 0.3, 0.5, 0.9]
PARAMS = {"objective": "quantile", "quantile": LEVELS, "n_estimators": 12, "n_jobs": 1}


def make_rows(n_rows: int = 400, seed: int = 0) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4))
    return X, X[:, 0] + np.exp(X[:, 1]) * random.normal(size=n_rows)


@pytest.mark.parametrize(
    "wrong",
    [0.0, 1.0, -0.5, [], [0.5, 0.5], [0.9, 0.1], [0.1, 1.0], [0.1, np.nan], "half", [[0.5]]],
)
def test_levels_must_increase_between_0_and_1(wrong: Any) -> None:
    X, y = make_rows(50)
    with pytest.raises(InvalidParameterError, match="quantile must be"):
        train({**PARAMS, "quantile": wrong}, Dataset(X, y))
    if wrong != [[0.5]]:
        with pytest.raises(InvalidParameterError, match="quantile must be"):
            Quantile(quantile=wrong)


def test_alpha_names_the_parameter() -> None:
    X, y = make_rows()
    with pytest.raises(InvalidParameterError, match="quantile"):
        CeibaRegressor(alpha=0.5).fit(X, y)
    assert (
        CeibaRegressor(objective="quantile", quantile_alpha=0.9).fit(*make_rows()).model_
        is not None
    )


def test_a_list_of_one_level_is_that_level() -> None:
    X, y = make_rows()
    one = train({**PARAMS, "quantile": [0.3]}, Dataset(X, y))
    assert one.fingerprint() == train({**PARAMS, "quantile": 0.3}, Dataset(X, y)).fingerprint()
    assert one.predict(X).shape == (400,)


def test_the_trees_of_a_round_are_one() -> None:
    X, y = make_rows()
    model = train(PARAMS, Dataset(X, y))
    assert (model.n_outputs, model.n_iterations, model.n_trees) == (4, 12, 12)
    assert (model.forest.leaf_width, model.forest.trees_per_iteration) == (4, 1)
    assert model.apply(X).shape == (400, 12)
    arrays = model.forest.arrays()
    assert arrays["value"].shape == (len(arrays["feature"]), 4)
    assert (np.ptp(arrays["value"], axis=1) > 0).any()
    assert "12 iterations of one tree for 4 outputs" in repr(model)


def test_a_model_with_a_tree_for_each_level_is_trained_further() -> None:
    """As files of format 1 have them: the further rounds get a tree for each level too."""
    X, y = make_rows()
    rows = Dataset(X, y)
    model = train({**PARAMS, "calibration_folds": 0}, rows)
    arrays = model.forest.arrays()
    trees = list(pairwise(arrays["tree_offsets"]))
    nodes = np.concatenate([np.arange(*tree) for tree in trees for _ in LEVELS])
    copies = {name: array[nodes] for name, array in arrays.items() if name != "tree_offsets"}
    sizes = [last - first for first, last in trees for _ in LEVELS]
    copies["tree_offsets"] = np.cumsum([0, *sizes])
    copies["value"] = np.concatenate(
        [arrays["value"][first:last, k] for first, last in trees for k in range(4)]
    )
    old = model.with_forest(_core.Forest(4, 4, copies))
    assert (old.n_trees, old.n_iterations) == (48, 12)
    further = {**PARAMS, "calibration_folds": 0, "n_estimators": 3}
    after_old, after_new = (train(further, rows, init_model=each) for each in (old, model))
    assert (after_old.n_trees, after_new.n_trees) == (60, 15)
    np.testing.assert_array_equal(after_old.predict(X), after_new.predict(X))
    assert after_old.truncate(12).fingerprint() == old.fingerprint()
    refitted = [refit(each, Dataset(X, y + 1.0), decay_rate=0.3) for each in (old, model)]
    np.testing.assert_array_equal(*(each.predict(X) for each in refitted))
    again = refit(model, rows, decay_rate=0.0)
    assert again.fingerprint() == model.fingerprint()
    np.testing.assert_allclose(old.feature_importances(), 4 * model.feature_importances())


def test_rounds_take_turns() -> None:
    objective = find_objective("quantile", quantile=LEVELS)
    turns = [objective.in_turn(i).turn for i in range(10)]  # type: ignore[attr-defined]
    assert turns == [None, 0, None, 1, None, 2, None, 3, None, 0]
    y = np.array([0.0, 1.0, 2.0])
    scores = np.repeat(np.array([[-1.0], [0.0], [1.0], [5.0]]), 3, axis=1)
    gradients = np.empty((1, 3))
    # Slopes 1 - q above the target, -q below it, 0 on it.
    objective.gradients(scores, y, gradients, None, 1)
    np.testing.assert_allclose(gradients[0], [-0.05 + 0.5 + 0.1, -0.05 - 0.3 + 0.1, -0.85 + 0.1])
    objective.in_turn(5).gradients(scores, y, gradients, None, 1)
    np.testing.assert_allclose(gradients[0], [0.5, 0.0, -0.5])
    friedman = find_objective("quantile", quantile=LEVELS, leaf_rule="friedman")
    friedman.in_turn(5).gradients(scores, y, gradients, None, 1)
    np.testing.assert_allclose(gradients[0], [0.5, -0.5, -0.5])


def test_gradients_of_all_levels_are_the_slope_of_the_loss() -> None:
    random = np.random.default_rng(0)
    objective = find_objective("quantile", quantile=LEVELS)
    y, scores = random.normal(size=200), random.normal(size=(4, 200))
    gradients = np.empty((1, 200))
    objective.gradients(scores, y, gradients, None, 1)
    step = 1e-7
    rise = objective.losses(scores + step, y) - objective.losses(scores - step, y)
    np.testing.assert_allclose(gradients[0], rise / (2 * step), atol=1e-6)


def test_predictions_never_cross_and_are_those_of_the_reference(tmp_path: Path) -> None:
    X, y = make_rows()
    params = {"quantile": [0.4, 0.45, 0.5, 0.55], "learning_rate": 0.7, "n_estimators": 30}
    model = train({**PARAMS, **params}, Dataset(X, y))
    raw, prediction = model.predict_raw(X), model.predict(X)
    assert (np.diff(raw, axis=1) < 0).any()  # there was something to sort
    assert (np.diff(prediction, axis=1) >= 0).all()
    slow = reference.predict(model.forest.arrays(), X, 4, model.start_scores)
    np.testing.assert_array_equal(raw, slow)
    np.testing.assert_array_equal(
        prediction, residuals.sorted_rows(slow, model.correction.shifts[-1])
    )
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, prediction)
    assert all((np.diff(stage, axis=1) >= 0).all() for stage in model.staged_predict(X))
    model.save(tmp_path / "model.ceiba")
    for kept in (load_model(tmp_path / "model.ceiba"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(kept.predict(X), prediction)
        assert kept.objective == model.objective
        assert kept.fingerprint() == model.fingerprint()
    estimator = CeibaRegressor().load_model(tmp_path / "model.ceiba")
    np.testing.assert_array_equal(estimator.predict(X), prediction)


def test_a_file_whose_levels_do_not_fit_its_trees_does_not_load() -> None:
    X, y = make_rows()
    model = train(PARAMS, Dataset(X, y))
    other = ceiba.Model(
        schema=model.schema,
        objective=find_objective("quantile", quantile=[0.1, 0.5]),
        parameters={},
        start_scores=model.start_scores,
        forest=model.forest,
        best_iteration=0,
    )
    with pytest.raises(InvalidInputError, match="2 quantile levels"):
        other.predict(X)
    with pytest.raises(ModelFileError):
        pickle.loads(pickle.dumps(other))
    with pytest.raises((ModelFileError, InvalidParameterError)):
        objective_from_state({"name": "quantile", "quantile": [0.5, 0.1]})


def test_early_stopping_on_all_levels() -> None:
    X, y = make_rows(600)
    held_X, held_y = make_rows(600, seed=1)
    model = CeibaRegressor(**{**PARAMS, "n_estimators": 300}, early_stopping_rounds=5)
    model.fit(X, y, eval_set=[(held_X, held_y)])
    scores = model.evals_result_["validation_0"]["quantile"]
    assert model.n_iter_ < 300
    assert min(scores) == scores[model.best_iteration_]
    loss = pinball_losses(held_y, model.predict(held_X), LEVELS).mean() / len(LEVELS)
    assert scores[model.best_iteration_] == pytest.approx(loss, rel=1e-12)


def test_weights_and_base_score() -> None:
    X, y = make_rows()
    params = {**PARAMS, "calibration_folds": 0, "n_estimators": 1, "min_samples_leaf": 300}
    model = train({**params, "base_score": [0.0, 1.0, 2.0, 3.0]}, Dataset(X, y))
    assert (model.start_scores == [0.0, 1.0, 2.0, 3.0]).all()
    # One leaf: a tenth of the way from the start to the quantile.
    expected = np.quantile(y, LEVELS, method="inverted_cdf")
    np.testing.assert_allclose(
        model.predict_raw(X[:1])[0], model.start_scores + 0.1 * (expected - model.start_scores)
    )


def test_zero_inflated_targets_can_be_learned() -> None:
    """A row that is hit exactly pulls nowhere, or a mass of zeros would hide all else."""
    random = np.random.default_rng(0)
    X = random.normal(size=(4000, 2))
    y = np.where((X[:, 0] > 1.0) & (random.random(4000) < 0.8), 1.0 + random.random(4000), 0.0)
    model = CeibaRegressor(objective="quantile", quantile=0.5, n_jobs=1).fit(X, y)
    prediction = model.predict(X)
    assert prediction[X[:, 0] > 1.1].mean() > 0.9
    assert np.abs(prediction[X[:, 0] < 0.9]).max() < 0.1


def test_several_quantiles_have_no_score() -> None:
    X, y = make_rows(50)
    several = CeibaRegressor(objective="quantile", quantile=LEVELS, n_estimators=2).fit(X, y)
    with pytest.raises(InvalidInputError, match="Got a model of 4 quantiles"):
        several.score(X, y)
    one = CeibaRegressor(objective="quantile", n_estimators=2).fit(X, y)
    assert 0 < one.score(X, y) < 1

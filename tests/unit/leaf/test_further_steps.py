"""Newton steps of leaves after the first end at the minimum of the leaf's own loss."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ceiba import RECIPES, CeibaClassifier, Dataset, Model, refit, train
from ceiba.boosting.continuation.continued import _changed
from ceiba.errors import InvalidParameterError
from ceiba.objectives import OBJECTIVES, Objective, find_objective
from ceiba.parameters.resolving import resolve
from ceiba.testing.targets import example_target

Floats = np.ndarray[Any, np.dtype[np.float64]]

N_ROWS = 600
X = np.random.default_rng(5).normal(size=(N_ROWS, 3))
WEIGHTS: dict[str, Floats | None] = {
    "none": None,
    "whole": np.random.default_rng(6).integers(1, 5, size=N_ROWS).astype(np.float64),
    "real": np.random.default_rng(7).gamma(1.0, size=N_ROWS) + 1e-3,
}
#: Losses of one score whose gradients are their slope, so that a leaf has a loss to make small.
NEWTON = [
    kind.name
    for kind in OBJECTIVES
    if kind.leaf == "newton" and kind.slope == "exact" and kind.task in ("regression", "binary")
]
PENALTIES: dict[str, dict[str, Any]] = {
    "none": {"reg_lambda": 0.0},
    "both": {"reg_lambda": 3.0, "reg_alpha": 2.0},
    "limit": {"reg_lambda": 0.5, "max_delta_step": 0.2},
}


def run(y: Floats, weight: Floats | None = None, **given: Any) -> Model:
    params = {"n_estimators": 1, "learning_rate": 1.0, "max_leaves": 6, "n_jobs": 1}
    return train({**params, **given}, Dataset(X[: len(y)], y, weight=weight))


def leaves_of(model: Model, rows: Floats) -> list[tuple[Any, float]]:
    """The rows and the value of every leaf of a model of one tree."""
    numbers, values = model.apply(rows)[:, 0], model.forest.arrays()["value"]
    return [(numbers == leaf, float(values[leaf])) for leaf in np.unique(numbers)]


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", NEWTON)
def test_leaves_end_at_the_minimum(name: str, weights: str, penalty: str) -> None:
    given, weight = PENALTIES[penalty], WEIGHTS[weights]
    objective = find_objective(name)
    y = example_target(objective, N_ROWS)
    y[X[:, 0] > 0.5] = np.sort(y[X[:, 0] > 0.5])  # leaves that differ
    model = run(y, weight, objective=name, leaf_iterations=30, **given)
    limit = given.get("max_delta_step") or np.inf
    assert len(leaves_of(model, X)) > 3
    for rows, value in leaves_of(model, X):
        own = np.ones(rows.sum()) if weight is None else weight[rows]

        def total(step: float, rows: Any = rows, own: Floats = own) -> float:
            scores = np.full((1, rows.sum()), model.start_scores[0] + step)
            loss = float(np.dot(objective.losses(scores, y[rows]), own))
            penalty = given["reg_lambda"] * step**2 / 2 + given.get("reg_alpha", 0.0) * abs(step)
            return loss + penalty

        near = np.clip(value + np.array([-1e-2, -1e-4, 1e-4, 1e-2]), -limit, limit)
        others = [total(step) for step in near if step != value]
        assert abs(value) <= limit
        assert total(value) <= min(others) + 1e-9 * abs(total(value))


@pytest.mark.parametrize("categorical", ["subset", "onehot"])
def test_the_penalty_of_sets_is_that_of_every_step(categorical: str) -> None:
    codes = np.random.default_rng(8).integers(0, 12, N_ROWS)
    y = (np.random.default_rng(9).random(N_ROWS) < (codes % 5 + 0.5) / 6) * 1.0
    given = {"objective": "logistic", "leaf_iterations": 30, "reg_lambda": 0.5}
    given |= {"n_estimators": 1, "learning_rate": 1.0, "max_leaves": 4, "n_jobs": 1}
    given |= {"categorical": categorical}
    if categorical == "subset":
        given |= {"cat_smooth": 1.0, "min_data_per_group": 1, "cat_l2": 5.0}
    names = np.array([f"level {k}" for k in range(12)])[codes]
    rows = Dataset(names[:, None], y)
    model = train(given, rows)
    assert refit(model, rows, decay_rate=0.0).fingerprint() == model.fingerprint()
    numbers, values = model.apply(names[:, None])[:, 0], model.forest.arrays()["value"]
    penalty = 0.5 + (5.0 if categorical == "subset" else 0.0)
    assert len(np.unique(numbers)) > 1
    for leaf in np.unique(numbers):
        value = values[leaf]
        chance = 1 / (1 + np.exp(-(model.start_scores[0] + value)))
        assert (y[numbers == leaf] - chance).sum() == pytest.approx(penalty * value, abs=1e-6)


@pytest.mark.parametrize("name", ["softmax", "lambdarank_ndcg", "pairwise"])
def test_leaves_that_move_each_other_are_refused(name: str) -> None:
    y = np.arange(N_ROWS) % 4.0
    rows = Dataset(X, y, qid=np.arange(N_ROWS) // 10 if name != "softmax" else None)
    with pytest.raises(InvalidParameterError, match="leaf_iterations=2 needs a loss of single"):
        train({"objective": name, "leaf_iterations": 2}, rows)
    assert train({"objective": name, "leaf_iterations": 1, "n_estimators": 1}, rows).n_iterations


def test_a_leaf_does_not_run_away() -> None:
    """From log-odds of -9 a step is 5,000 long, and one back from there longer still."""
    x = np.repeat([0.0, 1.0], 500)[:, None]
    y = np.r_[np.zeros(500), np.random.default_rng(0).random(500) < 0.7].astype(np.float64)
    params = {"objective": "logistic", "n_estimators": 1, "learning_rate": 1.0, "reg_lambda": 1e-6}
    rows = Dataset(x, y, init_score=np.full(1000, -9.0))
    model = train({**params, "leaf_iterations": 40, "max_leaves": 2}, rows)
    expected = np.log(y[500:].mean() / (1 - y[500:].mean())) + 9.0
    assert leaves_of(model, x)[1][1] == pytest.approx(expected, abs=1e-6)
    one = train({**params, "max_leaves": 2, "leaf_guard": False}, rows)
    assert leaves_of(one, x)[1][1] > 1000


def test_one_step_is_enough_where_it_ends_at_the_minimum() -> None:
    y = example_target(find_objective("squared_error"), N_ROWS)
    for name in ("squared_error", "absolute_error", "quantile", "huber"):
        one, ten = (run(y, objective=name, leaf_iterations=steps) for steps in (1, 10))
        assert one.forest.arrays()["value"].tobytes() == ten.forest.arrays()["value"].tobytes()


@pytest.mark.parametrize("kind", OBJECTIVES, ids=lambda kind: str(kind.name))
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_auto_is_three_steps_for_symmetric_trees_of_logistic_loss(
    kind: type[Objective], policy: str
) -> None:
    y = example_target(find_objective(kind.name), N_ROWS)
    if kind.needs_queries:
        y = np.arange(N_ROWS) % 4.0
    rows = Dataset(X, y, qid=np.arange(N_ROWS) // 10 if kind.needs_queries else None)
    model = train({"objective": kind.name, "grow_policy": policy, "n_estimators": 1}, rows)
    three = kind.name in ("logistic", "cross_entropy") and policy == "symmetric"
    assert model.parameters["leaf_iterations"] == (3 if three else 1)


def test_recipes_of_other_libraries_take_one_step() -> None:
    for recipe, parameters in RECIPES.items():
        own = {"auto": "auto", "single": "auto", "catboost": "catboost"}.get(recipe, 1)
        assert parameters["leaf_iterations"] == own
    y = example_target(find_objective("logistic"), N_ROWS)
    given = {"objective": "logistic", "grow_policy": "symmetric", "max_leaves": 8}
    auto, three, one = (run(y, **given, leaf_iterations=steps) for steps in ("auto", 3, 1))
    assert auto.fingerprint() == three.fingerprint() != one.fingerprint()


@pytest.mark.parametrize("seed", range(40))
def test_leaves_that_are_put_in_order_step_on_from_what_they_were(seed: int) -> None:
    """Leaves of recipe gbm are put in order at the end; on the way each has its own minimum."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(200, 2))
    y = (random.random(200) < 1 / (1 + np.exp(2 * x[:, 0] - x[:, 1]))).astype(np.float64)
    given = {"recipe": "gbm", "objective": "logistic", "monotone_constraints": [1, 0]}
    given |= {"n_estimators": 1, "learning_rate": 1.0, "n_jobs": 1}
    losses = []
    for steps in (1, 3, 10):
        p = train({**given, "leaf_iterations": steps, "reg_lambda": 1.0}, Dataset(x, y)).predict(x)
        losses.append(-np.log(np.where(y == 1, p, 1 - p)).mean())
    assert losses[1] <= 1.05 * losses[0]
    assert losses[2] <= 1.05 * losses[0]


@pytest.mark.parametrize("guard", [True, False])
@pytest.mark.parametrize("start", [-250.0, -9.0, 9.0])
@pytest.mark.parametrize("name", ["poisson", "gamma", "tweedie"])
def test_leaves_of_a_log_link_do_not_run_away(name: str, start: float, guard: bool) -> None:
    """The mean is 1, so the minimum without penalty takes the score to 0."""
    y = np.linspace(0.5, 1.5, 100)
    rows = Dataset(np.zeros((100, 1)), y, init_score=np.full(100, start))
    given = {"objective": name, "n_estimators": 1, "learning_rate": 1.0, "leaf_guard": guard}

    def leaf(**more: Any) -> float:
        return float(train({**given, "base_score": 1.0, **more}, rows).forest.arrays()["value"][0])

    for steps in (2, 3, 10):
        assert abs(leaf(leaf_iterations=steps) + start) <= abs(start)
    assert leaf(leaf_iterations=600, reg_lambda=0.0) == pytest.approx(-start, abs=1e-9)


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("hessian", ["loss", "unit"])
def test_rows_outside_the_sample_do_not_matter(hessian: str, steps: int) -> None:
    y = example_target(find_objective("poisson"), N_ROWS)
    params = {"objective": "poisson", "subsample": 0.5, "max_leaves": 4, "n_estimators": 1}
    params |= {"base_score": 1.0, "split_hessian": hessian, "leaf_iterations": steps}

    def values(row: int, score: float) -> bytes:
        scores = np.zeros(N_ROWS)
        scores[row] = score
        model = train(params, Dataset(X, y, init_score=scores))
        return bytes(model.forest.arrays()["value"].tobytes())

    usual = values(0, 0.0)
    # Half of the rows are in the sample, and a score of 80 in it changes the leaves.
    assert sum(values(row, 80.0) == usual for row in range(8)) >= 2


def test_empty_leaves_and_splits_have_values_of_leaves_with_rows() -> None:
    x = np.repeat([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], 200, axis=0)
    y = np.r_[np.zeros(200), np.tile([0.0, 1.0, 1.0, 1.0], 50), np.tile([0.0, 1.0], 100)]
    given = {"objective": "logistic", "grow_policy": "symmetric", "max_depth": 2}
    params = {**given, "n_estimators": 1, "learning_rate": 1.0, "leaf_iterations": 40}
    rows = Dataset(x, y, init_score=np.full(600, -9.0))
    arrays = train({**params, "reg_lambda": 1e-6}, rows).forest.arrays()
    full = (arrays["feature"] < 0) & (arrays["count"] > 0)
    low, high = arrays["value"][full].min(), arrays["value"][full].max()
    assert (arrays["count"] == 0).any()
    assert ((arrays["value"] >= low) & (arrays["value"] <= high)).all()


def test_a_file_without_the_parameter_was_made_with_one_step() -> None:
    y = example_target(find_objective("logistic"), N_ROWS)
    rows = Dataset(X, y)
    params = {"objective": "logistic", "grow_policy": "symmetric", "n_estimators": 3}
    model = train({**params, "leaf_iterations": 1}, rows)
    older = {k: v for k, v in model.parameters.items() if k != "leaf_iterations"}
    again = refit(replace(model, parameters=older), rows, decay_rate=0.0)
    assert (again.forest.arrays()["value"] == model.forest.arrays()["value"]).all()
    assert _changed(older, resolve({**model.parameters, "leaf_iterations": 3})) == [
        "leaf_iterations"
    ]


def test_the_estimator_takes_it() -> None:
    y = example_target(find_objective("logistic"), N_ROWS)
    params: dict[str, Any] = {"n_estimators": 5, "max_leaves": 4, "learning_rate": 1.0}
    model = CeibaClassifier(**params, leaf_iterations=5).fit(X, y).model_
    assert model.fingerprint() != CeibaClassifier(**params).fit(X, y).model_.fingerprint()
    assert model.parameters["leaf_iterations"] == 5


@pytest.mark.parametrize("steps", [2, 3, 10])
def test_a_penalty_of_steps_comes_near_the_minimum_without_one(steps: int) -> None:
    """Newton steps of a leaf of its own, each with the penalty in its denominator."""
    y = np.array([1.0] * 3 + [0.0] * 5)
    given = {"objective": "logistic", "n_estimators": 1, "learning_rate": 1.0, "base_score": 0.5}
    given |= {"reg_lambda": 3.0, "leaf_penalty": "step", "leaf_iterations": steps}
    given["leaf_guard"] = False
    found = train({**given, "max_depth": 1}, Dataset(np.zeros((8, 1)), y)).predict_raw([[0.0]])[0]
    value = 0.0
    for _ in range(steps):
        p = 1 / (1 + np.exp(-value))
        value -= (8 * p - 3) / (8 * p * (1 - p) + 3.0)
    assert found == pytest.approx(value, rel=1e-9)


def test_steps_run_away_without_backtracking() -> None:
    """A leaf of one class, far from where it starts: Newton's step goes far past it."""
    y = np.array([1.0] * 500 + [0.0] * 500)
    given = {"objective": "logistic", "n_estimators": 1, "learning_rate": 1.0, "base_score": 1e-3}
    given |= {"reg_lambda": 0.0, "leaf_iterations": 20, "max_depth": 1}

    def value(**more) -> float:
        dataset = Dataset(np.zeros((1000, 1)), y)
        return float(train({**given, **more}, dataset).predict_raw([[0.0]])[0])

    assert abs(value()) < 10
    assert abs(value(leaf_backtracking=False)) > 100


@pytest.mark.parametrize("objective", ["logistic", "squared_error", "absolute_error"])
def test_leaves_of_all_rows(objective: str) -> None:
    """Splits are those of the sample, and leaves those of a refit on all rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 3))
    y = (X[:, 0] + random.normal(size=400) > 0).astype(float)
    given = {"objective": objective, "n_estimators": 1, "subsample": 0.3, "leaf_iterations": 1}
    given |= {"max_leaves": 8, "min_samples_leaf": 1, "grow_policy": "symmetric", "max_depth": 3}
    sampled = train(given, Dataset(X, y))
    found = train({**given, "leaf_rows": "all"}, Dataset(X, y))
    np.testing.assert_array_equal(found.apply(X), sampled.apply(X))
    assert (found.predict_raw(X) != sampled.predict_raw(X)).any()
    fitted = refit(sampled, Dataset(X, y), decay_rate=0.0)
    np.testing.assert_allclose(found.predict_raw(X), fitted.predict_raw(X), rtol=1e-12)

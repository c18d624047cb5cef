"""Refits of lines: slopes stay, and constants are those that a training finds with these slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sloped_targets import sloped_score, targets_of

from ceiba import CeibaRegressor, Dataset, Model, refit, train

N_ROWS = 400
RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(N_ROWS, 4))
X[RANDOM.random(X.shape) < 0.05] = np.nan
SCORE = sloped_score(X, RANDOM)
WEIGHT = RANDOM.integers(1, 4, N_ROWS).astype(float)
TARGETS = targets_of(SCORE)
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    # Leaves that are too light take the value of the node above them.
    "symmetric": {
        "grow_policy": "symmetric", "max_depth": 5, "min_child_weight": 8.0,
        "min_samples_leaf": 1, "leaf_iterations": 1,
    },
    "penalised": {"reg_alpha": 0.5, "reg_lambda": 2.0, "max_delta_step": 0.3},
    "scheduled": {"learning_rate": lambda number: 0.5 / (1 + number)},
    "dart": {"boosting": "dart", "drop_rate": 0.5, "skip_drop": 0.0},
    "parallel": {"num_parallel_tree": 2, "colsample_bytree": 0.5},
    "forest": {"boosting": "forest", "colsample_bytree": 0.5},
}  # fmt: skip


def rows_of(objective: str) -> Dataset:
    qid = np.arange(N_ROWS) // 10 if objective.startswith("lambda") else None
    return Dataset(X, TARGETS[objective], weight=WEIGHT, qid=qid)


def run(objective: str, **given: Any) -> Model:
    params: dict[str, Any] = {
        "objective": objective, "leaf_model": "linear", "linear_lambda": 0.1, "n_jobs": 1,
        "n_estimators": 6, "max_leaves": 8, "min_samples_leaf": 15,
    }  # fmt: skip
    if objective == "quantile":
        params |= {"quantile": [0.2, 0.5, 0.8], "calibration_folds": 0}
    return train(params | given, rows_of(objective))


def assert_found_again(model: Model, rows: Dataset) -> None:
    """What leaves, and the nodes above them, add and hold is the same but for rounding."""
    old, new = model.forest.arrays(), refit(model, rows, decay_rate=0.0, n_jobs=1).forest.arrays()
    assert "linear_offsets" in old
    for name in ("value", "cover"):
        np.testing.assert_allclose(new[name], old[name], rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(new["linear_slope"], old["linear_slope"])


@pytest.mark.parametrize("objective", TARGETS)
@pytest.mark.parametrize("options", ["plain", "symmetric", "dart"])
def test_the_same_rows_change_nothing(objective: str, options: str) -> None:
    assert_found_again(run(objective, **OPTIONS[options]), rows_of(objective))


@pytest.mark.parametrize("options", OPTIONS)
def test_options_change_nothing(options: str) -> None:
    assert_found_again(run("logistic", **OPTIONS[options]), rows_of("logistic"))


@pytest.mark.parametrize(
    ("objective", "given"),
    [
        ("logistic", {"leaf_iterations": 4}),
        ("softmax", {"multi_strategy": "vector_leaf"}),
        # A leaf may be too light for one output and have a line for another.
        ("softmax", {"multi_strategy": "vector_leaf", **OPTIONS["symmetric"]}),
        ("softmax", {"leaf_rule": "friedman"}),
        ("logistic", {"linear_fit": "gain"}),
        ("poisson", {"leaf_guard": False, "learning_rate": 1.0}),
    ],
)
def test_leaves_of_other_rules_are_found_again(objective: str, given: dict[str, Any]) -> None:
    assert_found_again(run(objective, **given), rows_of(objective))


@pytest.mark.parametrize("decay_rate", [0.0, 0.4])
def test_constants_belong_to_the_slopes(decay_rate: float) -> None:
    """Logistic loss by hand, on new rows: one Newton step with what slopes add in full."""
    model = run("logistic", n_estimators=1, learning_rate=0.2, reg_lambda=0.5)
    new_x, new_y = X[:150] + 0.2, 1.0 - TARGETS["logistic"][:150]
    refitted = refit(model, Dataset(new_x, new_y), decay_rate=decay_rate)
    old, new = model.forest.arrays(), refitted.forest.arrays()
    leaves, start = model.apply(new_x)[:, 0], model.start_scores[0]
    slopes = (model.predict_raw(new_x).ravel() - start - old["value"][leaves]) / 0.2
    assert np.ptp(slopes) > 0.5
    share = 1.0 / (1.0 + np.exp(-start))
    for leaf in np.unique(leaves):
        rows = leaves == leaf
        hessian = share * (1.0 - share) * rows.sum()
        gradient = (share - new_y[rows]).sum() + share * (1.0 - share) * slopes[rows].sum()
        constant = -0.2 * gradient / (hessian + 0.5)
        expected = decay_rate * old["value"][leaf] + (1.0 - decay_rate) * constant
        np.testing.assert_allclose(new["value"][leaf], expected, rtol=1e-9)


def test_medians_are_those_that_slopes_leave_in_full() -> None:
    model = run("absolute_error", n_estimators=1, learning_rate=0.2)
    new_x, new_y = X[:151] + 0.2, -SCORE[:151]
    refitted = refit(model, Dataset(new_x, new_y), decay_rate=0.0)
    old, new = model.forest.arrays(), refitted.forest.arrays()
    leaves, start = model.apply(new_x)[:, 0], model.start_scores[0]
    slopes = (model.predict_raw(new_x).ravel() - start - old["value"][leaves]) / 0.2
    for leaf in np.unique(leaves):
        residuals = (new_y - start - slopes)[leaves == leaf]
        if len(residuals) % 2:
            expected = 0.2 * np.median(residuals)
            np.testing.assert_allclose(new["value"][leaf], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n_parallel", [1, 2])
def test_rounds_of_dart_without_a_line(n_parallel: int) -> None:
    """Trees that draw a column of levels alone have no line, and may be dropped as others are."""
    levels = RANDOM.choice(list("abc"), 60)
    frame = pd.DataFrame({"level": levels, "number": RANDOM.normal(size=60)})
    target = (levels == "a") + 0.3 * frame["number"].to_numpy()
    regressor = CeibaRegressor(
        boosting="dart", leaf_model="linear", n_estimators=12, colsample_bytree=0.5, max_depth=1,
        drop_rate=0.4, skip_drop=0.0, num_parallel_tree=n_parallel, n_jobs=1,
    ).fit(frame, target)  # fmt: skip
    model = regressor.model_
    have = [
        "linear_offsets" in model.forest.slice(round, round + 1).arrays()
        for round in range(model.n_iterations)
    ]
    assert any(have)
    assert not all(have)
    assert len(model.tree_weights) > 0
    same = regressor.refit(frame, target, decay_rate=0.0)
    np.testing.assert_allclose(same.predict(frame), regressor.predict(frame), rtol=1e-9)
    other = regressor.refit(frame, -target, decay_rate=0.0)
    assert np.mean((other.predict(frame) + target) ** 2) < np.mean(
        (regressor.predict(frame) + target) ** 2
    )

"""Behavior that the guide documents because other libraries differ in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import CeibaClassifier, CeibaRegressor, Dataset, train

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
Y = X[:, 0] + RANDOM.normal(size=200)


@pytest.mark.parametrize("name", ["validation_0", "another"])
def test_the_history_covers_the_rounds_of_the_earlier_model(name: str) -> None:
    first = CeibaRegressor(n_estimators=5).fit(X, Y, eval_set=[(X, Y)])
    second = CeibaRegressor(n_estimators=4).fit(X, Y, eval_set={name: (X, Y)}, init_model=first)
    assert list(second.evals_result_) == [name]
    history = second.evals_result_[name]["rmse"]
    assert len(history) == second.n_iter_ == 9
    known = first.evals_result_.get(name, {"rmse": [np.nan] * 5})["rmse"]
    np.testing.assert_array_equal(history[:5], known)
    assert np.isfinite(history[5:]).all()


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.floats(-100, 100), min_size=2, max_size=30),
    st.floats(-10, 10),
    st.floats(0.1, 1.0),
    st.floats(0, 5),
    st.integers(1, 6),
)
def test_a_tree_without_a_split_takes_a_newton_step_and_training_goes_on(
    target: list[float], start: float, rate: float, penalty: float, n_rounds: int
) -> None:
    rows = np.zeros((len(target), 1))
    params = {
        "n_estimators": n_rounds,
        "base_score": start,
        "learning_rate": rate,
        "reg_lambda": penalty,
    }
    model = train(params, Dataset(rows, target))
    assert model.n_iterations == n_rounds
    assert len(model.trees_to_frame()) == n_rounds  # one leaf each
    score, n = start, len(target)
    for predicted in model.staged_predict(rows):
        score += rate * (np.sum(target) - n * score) / (n + penalty)
        np.testing.assert_allclose(predicted, score, rtol=1e-6, atol=1e-6)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(1, 6), min_size=2, max_size=4), st.floats(0.05, 0.9), st.integers(0, 50)
)
def test_the_hold_out_leaves_a_row_of_each_class(
    counts: list[int], fraction: float, seed: int
) -> None:
    counts = [*counts, 8]
    y = np.repeat(np.arange(len(counts)), counts)
    rows = np.arange(len(y), dtype=np.float64)[:, None]
    classifier = CeibaClassifier(
        n_estimators=2,
        early_stopping_rounds=1,
        validation_fraction=fraction,
        random_state=seed,
        min_samples_leaf=1,
    ).fit(rows, y)
    assert classifier.classes_.tolist() == list(range(len(counts)))
    assert np.isfinite(classifier.predict_proba(rows)).all()
    assert list(classifier.evals_result_) == ["validation"]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.floats(0.5, 50))
def test_ties_send_missing_values_left(n_each: int, n_missing: int, height: float) -> None:
    """Missing rows at the mean of both sides gain the same on either of them."""
    column = [0.0] * n_each + [1.0] * n_each + [np.nan] * 2 * n_missing
    target = [-height] * n_each + [height] * n_each + [0.0] * 2 * n_missing
    params = {"n_estimators": 1, "max_depth": 1, "min_samples_leaf": 1, "min_data_in_bin": 1}
    model = train(params, Dataset(np.array(column)[:, None], target))
    root = model.trees_to_frame().iloc[0]
    assert (root["threshold"], root["missing"]) == (0.5, "left")

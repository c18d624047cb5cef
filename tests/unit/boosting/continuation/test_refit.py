"""Leaf values from new rows: what stays, what is mixed, and the rows that trees were grown on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset, Model, _core, refit, train
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(500, 4))
X[RANDOM.random(X.shape) < 0.1] = np.nan
Y = np.nan_to_num(np.sin(2 * X[:, 0]) + X[:, 1]) + 0.5 * RANDOM.normal(size=500)
TARGETS = {
    "squared_error": Y,
    "logistic": (Y > 0).astype(float),
    "softmax": np.digitize(Y, [-0.5, 0.5]).astype(float),
}
WEIGHTS: dict[str, Any] = {
    "none": None,
    "whole": RANDOM.integers(1, 4, size=500).astype(float),
    "real": np.exp(RANDOM.normal(size=500)),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "symmetric": {"grow_policy": "symmetric", "max_depth": 5, "min_samples_leaf": 1},
    "penalised": {"reg_alpha": 0.5, "reg_lambda": 2.0, "max_delta_step": 0.3},
    "scheduled": {"learning_rate": lambda number: 0.5 / (1 + number)},
}


def run(dataset: Dataset, objective: str = "squared_error", **given: Any) -> Model:
    params = {"objective": objective, "n_estimators": 6, "max_leaves": 12, "n_jobs": 1}
    return train({**params, **given}, dataset)


@pytest.mark.parametrize("objective", TARGETS)
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("options", OPTIONS)
def test_the_same_rows_change_nothing(objective: str, weights: str, options: str) -> None:
    rows = Dataset(X, TARGETS[objective], weight=WEIGHTS[weights])
    model = run(rows, objective, **OPTIONS[options])
    again = refit(model, rows, decay_rate=0.0, n_jobs=1)
    assert again.fingerprint() == model.fingerprint()


CITIES = RANDOM.integers(0, 40, 500)
CATEGORIES = pd.DataFrame(
    {
        "city": np.array([f"city {k}" for k in range(40)])[CITIES],
        "few": RANDOM.choice(["a", "b", None], 500),
        "x": X[:, 0],
    }
)


@pytest.mark.parametrize("categorical", ["subset", "onehot", {"city": "subset", "few": "onehot"}])
@pytest.mark.parametrize("options", ["plain", "symmetric", "penalised"])
@pytest.mark.parametrize("cat_l2", [0.0, 0.3, 25.0])
def test_the_penalty_of_sets_is_found_again(categorical: Any, options: str, cat_l2: float) -> None:
    rows = Dataset(CATEGORIES, Y + RANDOM.normal(size=40)[CITIES], weight=WEIGHTS["real"])
    given = {"reg_lambda": 0.1, **OPTIONS[options]}
    if categorical != "onehot":
        given |= {"cat_smooth": 1.0, "cat_l2": cat_l2}
    model = run(rows, categorical=categorical, **given)
    assert "set_words" in model.forest.arrays()
    assert refit(model, rows, decay_rate=0.0).fingerprint() == model.fingerprint()


def test_leaves_of_several_steps_are_found_again() -> None:
    rows = Dataset(X, TARGETS["logistic"], weight=WEIGHTS["real"])
    model = run(rows, "logistic", leaf_iterations=4)
    assert refit(model, rows, decay_rate=0.0).fingerprint() == model.fingerprint()
    assert model.fingerprint() != run(rows, "logistic").fingerprint()


def test_rows_of_a_continued_training_change_nothing() -> None:
    rows = Dataset(X, Y)
    model = train(
        {"n_estimators": 3, "learning_rate": 0.4, "max_leaves": 12, "n_jobs": 1},
        rows,
        init_model=run(rows),
    )
    assert refit(model, rows, decay_rate=0.0).fingerprint() == model.fingerprint()


def test_all_trees_are_refitted_with_the_penalties_recorded_last() -> None:
    rows = Dataset(X, Y)
    model = train(
        {"n_estimators": 3, "max_leaves": 12, "n_jobs": 1, "reg_lambda": 50.0},
        rows,
        init_model=run(rows, reg_lambda=0.0),
    )
    refitted = refit(model, rows, decay_rate=0.0)
    old, new = (tree[:1].forest.arrays() for tree in (model, refitted))
    leaf = old["feature"] < 0
    assert (np.abs(new["value"][leaf]) < np.abs(old["value"][leaf])).all()


@pytest.mark.parametrize("decay_rate", [0.0, 0.3, 0.9, 1.0])
def test_leaves_are_mixed_in_their_order(decay_rate: float) -> None:
    """Squared error by hand: a leaf is the mean of what the refitted trees before it leave."""
    model = run(Dataset(X, Y), reg_lambda=0.0, learning_rate=0.2)
    new_x, new_y = X[:60] + 0.5, 2.0 * Y[:60] + 1.0
    refitted = refit(model, Dataset(new_x, new_y), decay_rate=decay_rate)
    leaves = model.apply(new_x)
    old, new = model.forest.arrays(), refitted.forest.arrays()
    scores = np.full(60, model.start_scores[0])
    for tree, offset in enumerate(old["tree_offsets"][:-1]):
        end = old["tree_offsets"][tree + 1]
        expected = old["value"][offset:end].copy()
        for leaf in np.unique(leaves[:, tree]):
            rows = leaves[:, tree] == leaf
            step = 0.2 * (new_y - scores)[rows].mean()
            expected[leaf] = decay_rate * expected[leaf] + (1 - decay_rate) * step
        is_leaf = old["feature"][offset:end] < 0
        np.testing.assert_allclose(
            new["value"][offset:end][is_leaf], expected[is_leaf], rtol=1e-9, atol=1e-15
        )
        scores += new["value"][offset + leaves[:, tree]]
    np.testing.assert_array_equal(refitted.predict_raw(new_x), scores)
    for name in ("feature", "threshold", "left", "right", "missing_left", "gain"):
        np.testing.assert_array_equal(new[name], old[name])
    assert new["count"][0] == 60
    assert refitted.history == {}
    assert refitted.start_scores == model.start_scores


def test_a_leaf_without_rows_keeps_its_value() -> None:
    model = run(Dataset(X, Y))
    refitted = refit(model, Dataset(X[:1], Y[:1]), decay_rate=0.0)
    old, new = model.forest.arrays(), refitted.forest.arrays()
    reached = np.zeros(len(old["value"]), dtype=bool)
    for tree, offset in enumerate(old["tree_offsets"][:-1]):
        reached[offset + model.apply(X[:1])[0, tree]] = True
    leaf = old["feature"] < 0
    np.testing.assert_array_equal(new["value"][leaf & ~reached], old["value"][leaf & ~reached])
    assert (new["value"][leaf & reached] != old["value"][leaf & reached]).all()


def test_new_rows_are_learned() -> None:
    model = run(Dataset(X, Y), n_estimators=50)
    new_y = -Y
    errors = [
        np.mean((refit(model, Dataset(X, new_y), decay_rate=rate).predict(X) - new_y) ** 2)
        for rate in (1.0, 0.5, 0.0)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.5 * errors[0]


@pytest.mark.threads
@pytest.mark.parametrize("objective", TARGETS)
def test_one_model_whatever_threads_and_order(objective: str) -> None:
    model = run(Dataset(X, TARGETS[objective]), objective)
    order = RANDOM.permutation(500)
    shifted = X + 0.1
    expected = refit(model, Dataset(shifted, TARGETS[objective]), n_jobs=1).fingerprint()
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)
    for rows, n_jobs in ((np.arange(500), 3), (order, 2)):
        again = refit(model, Dataset(shifted[rows], TARGETS[objective][rows]), n_jobs=n_jobs)
        assert again.fingerprint() == expected


def test_columns_are_matched_by_name() -> None:
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = run(Dataset(frame, Y))
    again = refit(model, Dataset(frame[list("dcba")], Y), decay_rate=0.0)
    assert again.fingerprint() == model.fingerprint()


@pytest.mark.parametrize(
    ("dataset", "given", "kind", "message"),
    [
        (X, {}, InvalidTypeError, "must be a ceiba.Dataset"),
        (Dataset(X), {}, InvalidInputError, "no target"),
        (Dataset(X[:, :2], Y), {}, InvalidInputError, "expecting 4 features"),
        (Dataset(X, Y), {"decay_rate": 1.5}, InvalidParameterError, "decay_rate must be"),
        (Dataset(X, Y), {"decay_rate": "slow"}, InvalidParameterError, "decay_rate must be"),
        (Dataset(X, Y), {"n_jobs": 0}, InvalidParameterError, "n_jobs must be"),
    ],
)
def test_bad_arguments(dataset: Any, given: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        refit(run(Dataset(X, Y)), dataset, **given)
    with pytest.raises(InvalidInputError, match="0 and 1"):
        refit(run(Dataset(X, TARGETS["logistic"]), "logistic"), Dataset(X, Y))


def test_leaves_that_are_none_are_refused() -> None:
    model = run(Dataset(X, Y))
    binned = Dataset(X, Y).binned(255, 3, 1)[1]
    grower = _core.Grower(_core.GrowerTable(binned), _core.GrowPlan(), None, 1)
    gradients = np.zeros((1, 500))
    leaves = model.apply(X, iteration_range=(0, 1))
    grower.adopt(model.forest, 0, leaves, gradients, None, 1.0)
    for wrong in (leaves * 0, leaves * 0 + 1000, leaves * 0 - 1):
        with pytest.raises(ValueError, match="must be in a leaf"):
            grower.adopt(model.forest, 0, wrong, gradients, None, 1.0)
    with pytest.raises(ValueError, match="a leaf for each row"):
        grower.adopt(model.forest, 0, leaves[:9], gradients, None, 1.0)


@pytest.mark.parametrize("signs", [[1, 0, 0, -1], {"f0": 1}])
@pytest.mark.parametrize("objective", ["squared_error", "quantile"])
@pytest.mark.parametrize("decay_rate", [0.0, 0.5])
def test_monotone_constraints_hold(signs: Any, objective: str, decay_rate: float) -> None:
    model = run(Dataset(X, Y), monotone_constraints=signs, objective=objective)
    other = Dataset(X[:100], -Y[:100])  # rows that would turn every leaf round
    refitted = refit(model, other, decay_rate=decay_rate)
    assert refitted.fingerprint() != model.fingerprint()
    grid = np.linspace(X.min() - 1, X.max() + 1, 50)
    for column, sign in enumerate([1, 0, 0, -1] if isinstance(signs, list) else [1, 0, 0, 0]):
        for row in X[:20]:
            rows = np.tile(row, (50, 1))
            rows[:, column] = grid
            assert (sign * np.diff(refitted.predict_raw(rows).ravel()) >= 0).all()


def test_constraints_that_ask_for_nothing_change_nothing() -> None:
    rows = Dataset(X, Y)
    free = run(rows, monotone_constraints=[0, 0, 0, 0])
    assert refit(free, rows, decay_rate=0.0).fingerprint() == free.fingerprint()

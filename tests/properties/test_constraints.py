"""Monotone and interaction constraints hold in every model: on grids, and on every path.

A thousand small models of every objective, growth policy, kind of weights and of leaves, with
missing values and sampling. A grid moves one column through all its thresholds, other columns
fixed, and no raw score of any class may take a step back, not even in its last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ceiba
from ceiba.objectives import find_objective, objective_names
from ceiba.parameters import BY_NAME
from ceiba.parameters.effects import has_effect
from ceiba.testing.targets import numbers_as_target

Reals = NDArray[np.float64]
N_MODELS = 1000
N_PARTS = 10
POLICIES = ("leafwise", "depthwise", "symmetric")
TASKS = ("regression", "binary", "multiclass")
OBJECTIVES = [name for name in objective_names() if find_objective(name).task in TASKS]

#: Losses with several scores a row, which have no further steps.
CLASSES = ("softmax", "one_against_rest", "gini")


@dataclass(frozen=True)
class Trained:
    """A model, the rows it was trained on, and what was asked of it."""

    model: ceiba.Model
    X: Reals
    directions: list[int]
    sets: list[list[int]]
    unlisted: str


def make_rows(random: np.random.Generator, objective: str) -> tuple[Reals, Reals]:
    n, n_features = int(random.integers(20, 150)), int(random.integers(2, 6))
    X = random.normal(size=(n, n_features))
    X[:, 0] = np.round(X[:, 0], 1)
    # Nothing of this is monotone, so constraints have work to do.
    signal = np.sin(3 * X[:, 0]) + X[:, 1] ** 2 - np.abs(X[:, -1]) * X[:, 1]
    signal += 0.3 * random.normal(size=n)
    if random.random() < 0.5:
        X[random.random(X.shape) < random.choice([0.05, 0.3])] = np.nan
    kind = find_objective(objective)
    match kind.task:
        case "binary":
            return X, (signal > np.median(signal)).astype(np.float64)
        case "multiclass":
            return X, np.searchsorted(np.quantile(signal, [0.3, 0.7]), signal).astype(np.float64)
        case _:
            return X, numbers_as_target(kind, np.abs(signal) + 0.1)


def train(seed: int, **changes: Any) -> Trained:
    random = np.random.default_rng(seed)

    def some(*values: Any) -> Any:
        return values[random.integers(len(values))]

    objective = OBJECTIVES[seed % len(OBJECTIVES)]
    policy = POLICIES[seed // len(OBJECTIVES) % 3]
    X, y = make_rows(random, objective)
    n_features = X.shape[1]
    directions = [int(random.integers(-1, 2)) for _ in range(n_features)]
    sets = [
        sorted(random.choice(n_features, size=int(random.integers(1, 4)), replace=True).tolist())
        for _ in range(int(random.integers(0, 4)))
    ]
    weight = some(None, random.integers(1, 4, len(y)) * 1.0, np.exp(random.normal(size=len(y))))
    params = {
        "objective": objective,
        "grow_policy": policy,
        "n_estimators": some(1, 3, 8),
        "learning_rate": some(0.1, 0.3, 1.0),
        "max_depth": some(2, 3, 4, 6),
        "max_leaves": some(4, 8, 31) if policy == "leafwise" else 0,
        "min_samples_leaf": some(1, 1, 5),
        "min_child_weight": some(0.0, 1e-3),
        "reg_lambda": some(0.0, 1.0),
        "reg_alpha": some(0.0, 0.0, 0.1),
        "max_delta_step": some(0.0, 0.0, 0.5),
        "subsample": some(1.0, 0.7),
        "colsample_bynode": some(1.0, 0.7),
        "feature_weights": some(None, random.uniform(size=n_features).tolist()),
        "prune": some("before", "after"),
        "min_split_gain": some(0.0, 0.1),
        "split_hessian": some("loss", "loss", "unit"),
        "leaf_iterations": "auto" if objective in CLASSES else some("auto", 1, 3),
        "monotone_constraints": directions,
        "interaction_constraints": sets or None,
        "unlisted_interactions": some("alone", "together", "never"),
        "min_data_in_bin": 1,
        "max_bins": some(256, 256, 8),
        "random_state": seed,
        "n_jobs": 1,
        **changes,
    }
    if "split_method" in BY_NAME:
        # Few bins: several thresholds of a path may then lie in one bin.
        params["split_method"] = some("hist", "exact", "approx")
    values = {**ceiba.RECIPES["auto"], **params}
    params = {
        name: value
        for name, value in params.items()
        if has_effect(BY_NAME[name].applies_to, values)
    }
    model = ceiba.train(params, ceiba.Dataset(X, y, weight=weight))
    return Trained(model, X, directions, sets, params.get("unlisted_interactions", "alone"))


def steps_along(trained: Trained, column: int, random: np.random.Generator) -> Reals:
    """Return the differences of raw scores [rows, steps, classes] while one column rises."""
    arrays = trained.model.forest.arrays()
    thresholds = np.unique(arrays["threshold"][arrays["feature"] == column])
    thresholds = thresholds[np.isfinite(thresholds)]
    grid = np.concatenate(
        [[-np.inf, -1e300], thresholds, np.nextafter(thresholds, np.inf), [1e300, np.inf]]
    )
    grid.sort()
    rows = trained.X[random.choice(len(trained.X), size=6)]
    strangers = rows[::-1].copy()
    strangers[:, : rows.shape[1] // 2] = rows[:, : rows.shape[1] // 2]
    rows = np.concatenate([rows, strangers, np.full((1, rows.shape[1]), np.nan)])
    moved = np.repeat(rows, len(grid), axis=0)
    moved[:, column] = np.tile(grid, len(rows))
    raw = trained.model.predict_raw(moved)
    return np.diff(raw.reshape(len(rows), len(grid), -1), axis=1)


def paths_of(model: ceiba.Model) -> list[set[int]]:
    """Return the columns of every path from a root to a leaf."""
    arrays = model.forest.arrays()
    offsets = arrays["tree_offsets"]
    paths: list[set[int]] = []
    for begin in offsets[:-1]:
        open_nodes: list[tuple[int, set[int]]] = [(begin, set())]
        while open_nodes:
            node, path = open_nodes.pop()
            feature = int(arrays["feature"][node])
            if feature < 0:
                paths.append(path)
                continue
            open_nodes += [
                (begin + int(arrays[side][node]), path | {feature}) for side in ("left", "right")
            ]
    return paths


def is_allowed(path: set[int], trained: Trained) -> bool:
    sets = [set(members) for members in trained.sets]
    if not sets or not path or (len(path) == 1 and trained.unlisted != "never"):
        return True
    if trained.unlisted == "together":
        sets.append(set(range(trained.X.shape[1])).difference(*sets))
    return any(path <= members for members in sets)


@pytest.mark.parametrize("part", range(N_PARTS))
def test_constraints_hold(part: int) -> None:
    for seed in range(part, N_MODELS, N_PARTS):
        trained = train(seed)
        random = np.random.default_rng(seed)
        for column, direction in enumerate(trained.directions):
            if direction:
                steps = direction * steps_along(trained, column, random)
                assert steps.min(initial=0.0) >= 0.0, (seed, column, steps.min())
        for path in paths_of(trained.model):
            assert is_allowed(path, trained), (seed, path, trained.sets)


def test_models_without_constraints_break_them() -> None:
    """The rows of the test above would have most models go up and down, and mix all columns."""
    backwards, mixed = 0, 0
    for seed in range(60):
        trained = train(seed, monotone_constraints=None, interaction_constraints=None)
        random = np.random.default_rng(seed)
        backwards += any(
            (direction * steps_along(trained, column, random)).min(initial=0.0) < 0.0
            for column, direction in enumerate(trained.directions)
        )
        mixed += not all(is_allowed(path, trained) for path in paths_of(trained.model))
    assert backwards > 40
    assert mixed > 20


@pytest.mark.parametrize("policy", POLICIES)
def test_constrained_models_learn(policy: str) -> None:
    """A target that rises with its columns is learned almost as well with the constraint."""
    random = np.random.default_rng(1)
    X = random.uniform(size=(2000, 3))
    y = np.sqrt(X[:, 0]) + X[:, 1] ** 2 - X[:, 2] * (1 + X[:, 0]) + 0.1 * random.normal(size=2000)
    params = {"grow_policy": policy, "max_depth": 5, "n_estimators": 60, "max_leaves": 32}
    dataset = ceiba.Dataset(X[:1000], y[:1000])
    errors = [
        np.mean((ceiba.train({**params, **given}, dataset).predict(X[1000:]) - y[1000:]) ** 2)
        for given in ({}, {"monotone_constraints": [0, 1, -1]})
    ]
    assert errors[1] < 1.15 * errors[0]

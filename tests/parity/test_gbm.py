"""Recipe gbm against scikit-learn's GradientBoosting: the same predictions on the training rows.

Columns hold numbers that float32 holds, as scikit-learn's trees see them. With
``split_method="exact"`` they are continuous, without ties; bins do the same where a column has
fewer values than bins.

Where two splits gain the same (gradients of classes have few values in the first rounds),
scikit-learn takes one by a random order of columns, or by the rounding of its sums. Such rows are
left out: those on which it does not agree with itself, given the rows in another order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

import ceiba
from ceiba.objectives import objective_names
from ceiba.parameters import BY_NAME

pytestmark = pytest.mark.parity

Reals = NDArray[np.float64]
N_TREES = 20
SEEDS = (0, 1, 3)  # with 2, columns 1 and 2 both cut a node into 435 rows, 21 of class 0, and 26
HAS_EXACT = "split_method" in BY_NAME
METHODS = ("hist", "exact")
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])

#: Ours, and scikit-learn's loss and number of classes (0: a regressor).
LOSSES = [
    ("squared_error", "squared_error", 0),
    ("huber", "huber", 0),
    ("logistic", "log_loss", 2),
    ("softmax", "log_loss", 3),
    ("softmax", "log_loss", 5),
    ("exponential", "exponential", 2),
]


def make_rows(
    seed: int, method: str, n_classes: int, weighted: bool
) -> tuple[Reals, Reals, Reals | None]:
    random = np.random.default_rng(seed)
    n = 1000
    X = random.normal(size=(n, 6)).astype(np.float32).astype(np.float64)
    if method == "hist":
        X = np.round(np.clip(X, -2, 2), 1)
    signal = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] - 0.5 * X[:, 3] + 0.5 * random.normal(size=n)
    weight = random.uniform(0.5, 2.0, size=n) if weighted else None
    if n_classes:
        edges = np.quantile(signal, np.arange(1, n_classes) / n_classes)
        return X, np.searchsorted(edges, signal).astype(np.float64), weight
    return X, signal + random.standard_t(3, size=n), weight


def our_params(objective: str, method: str, **more: Any) -> dict[str, Any]:
    if method == "exact":
        if not HAS_EXACT:
            pytest.skip("there is no split_method yet")
        more["split_method"] = "exact"
    elif HAS_EXACT:
        more["split_method"] = "hist"
    return {
        "recipe": "gbm",
        "objective": objective,
        "n_estimators": N_TREES,
        "n_jobs": 1,
        **more,
    }


def their_scores(
    loss: str, n_classes: int, rows: tuple[Reals, Reals, Reals | None], **more: Any
) -> Reals:
    X, y, weight = rows
    found = []
    for seed in range(6 if n_classes and weight is None else 1):
        order = np.random.default_rng(seed).permutation(len(y))
        options = {"loss": loss, "n_estimators": N_TREES, "random_state": seed, **more}
        weights = None if weight is None else weight[order]
        if n_classes:
            peer = GradientBoostingClassifier(**options).fit(X[order], y[order], weights)
            found.append(np.asarray(peer.decision_function(X)))
        else:
            peer = GradientBoostingRegressor(**options).fit(X[order], y[order], weights)
            found.append(np.asarray(peer.predict(X)))
    if any(np.abs(other - found[0]).max() > 1e-9 for other in found):
        pytest.skip("scikit-learn breaks a tie by chance")
    return found[0]


def assert_equal(ours: Reals, theirs: Reals) -> None:
    if ours.ndim == 2:  # scores of classes count up to a constant for each row
        ours = ours - ours.mean(axis=1, keepdims=True)
        theirs = theirs - theirs.mean(axis=1, keepdims=True)
    assert np.abs(ours - theirs).max() <= 1e-6 * theirs.std()


@WEIGHTED
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("objective", "loss", "n_classes"), LOSSES)
def test_predictions(
    objective: str, loss: str, n_classes: int, seed: int, method: str, weighted: bool
) -> None:
    if objective not in objective_names():
        pytest.skip(f"there is no objective {objective} yet")
    rows = make_rows(seed, method, n_classes, weighted)
    params = our_params(objective, method)
    X, y, weight = rows
    model = ceiba.train(params, ceiba.Dataset(X, y, weight=weight))
    assert_equal(model.predict_raw(X), their_scores(loss, n_classes, rows))


@WEIGHTED
@pytest.mark.parametrize(
    "given",
    [
        {"min_samples_split": 40, "max_depth": 6},
        {"min_samples_leaf": 15, "max_depth": 6},
        {"max_leaf_nodes": 7, "max_depth": None},
        {"max_leaf_nodes": 5, "max_depth": 3},
        {"min_impurity_decrease": 0.01, "max_depth": 5},
        {"learning_rate": 0.5},
    ],
    ids=str,
)
@pytest.mark.parametrize(("objective", "loss", "n_classes"), [LOSSES[0], LOSSES[2]])
def test_limits(
    objective: str, loss: str, n_classes: int, given: dict[str, Any], weighted: bool
) -> None:
    rows = make_rows(7, "hist", n_classes, weighted)
    X, y, weight = rows
    ours = {"max_depth": 0, **{name: value for name, value in given.items() if value is not None}}
    ours = {**ours, "max_depth": ours["max_depth"] or (3 if "learning_rate" in given else 0)}
    model = ceiba.train(our_params(objective, "hist", **ours), ceiba.Dataset(X, y, weight=weight))
    assert_equal(model.predict_raw(X), their_scores(loss, n_classes, rows, **given))


def leaves_of(tree: Any, X: Reals) -> NDArray[np.intp]:
    return np.asarray(tree.apply(X.astype(np.float32)))


@WEIGHTED
@pytest.mark.parametrize("loss", ["absolute_error", "quantile"])
@pytest.mark.parametrize("seed", SEEDS)
def test_trees_of_sign_losses(seed: int, loss: str, weighted: bool) -> None:
    """Gradients of such losses tie, and scikit-learn breaks ties by a random order of columns.

    So tree by tree: on the same residuals, our best gain of the root is its best, and its leaves
    follow the rule of ours.
    """
    if loss not in objective_names():
        pytest.skip(f"there is no objective {loss} yet")
    X, y, weight = make_rows(seed, "hist", 0, weighted)
    w = np.ones(len(y)) if weight is None else weight
    level = 0.5 if loss == "absolute_error" else 0.9
    options = {} if loss == "absolute_error" else {"alpha": level}
    peer = GradientBoostingRegressor(loss=loss, n_estimators=N_TREES, random_state=0, **options)
    peer.fit(X, y, sample_weight=weight)
    stages = [np.full(len(y), peer.init_.predict(X[:1])[0]), *peer.staged_predict(X)]
    more = {} if loss == "absolute_error" else {"quantile": level}
    for number, raw in enumerate(stages[:-1]):
        model = ceiba.train(
            our_params(loss, "hist", **{**more, "n_estimators": 1, "learning_rate": 1.0}),
            ceiba.Dataset(X, y, weight=weight, init_score=raw),
        )
        ours = model.forest.arrays()
        tree = peer.estimators_[number, 0].tree_
        gradient = np.where(y > raw, -level, 1.0 - level) * (2.0 if level == 0.5 else 1.0)
        gradient = np.where(y == raw, 0.0, gradient) if level == 0.5 else gradient

        def score(inside: NDArray[np.bool_], gradient: Reals = gradient) -> float:
            total = np.sum((w * gradient)[inside])
            return float(total * total / np.sum(w[inside]))

        def gain_of(feature: int, threshold: float) -> float:
            left = X[:, feature] <= threshold
            return score(left) + score(~left) - score(left | True)

        their_gain = gain_of(tree.feature[0], tree.threshold[0])
        our_gain = gain_of(ours["feature"][0], ours["threshold"][0])
        assert our_gain == pytest.approx(their_gain, rel=1e-9), number
        found = leaves_of_rows(model, X)
        for leaf in np.unique(found):
            inside = found == leaf
            value = ours["value"][leaf]
            residuals, own = (y - raw)[inside], w[inside]
            assert own[residuals < value - 1e-9].sum() <= level * own.sum() + 1e-9
            assert own[residuals > value + 1e-9].sum() <= (1 - level) * own.sum() + 1e-9


def leaves_of_rows(model: ceiba.Model, X: Reals) -> NDArray[np.intp]:
    return np.asarray(model.apply(X)).ravel()

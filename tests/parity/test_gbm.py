"""Recipe gbm against scikit-learn's GradientBoosting: the same predictions on the training rows.

Columns hold numbers that float32 holds, as scikit-learn's trees see them. With
``split_method="exact"`` they are continuous, without ties; bins do the same where a column has
fewer values than bins.

Where two splits gain the same (gradients of classes have few values in the first rounds),
scikit-learn takes one by a random order of columns, or by the rounding of its sums. So where the
first trees that differ do so in a node whose two splits gain the same, to 1e-12 in numbers longer
than theirs and ours, only the rows of that node are left out, in that round; from there both go on
from scikit-learn's scores. So too where a split of its gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable
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
SEEDS = (0, 1, 2)
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


def fit_peer(
    loss: str, n_classes: int, rows: tuple[Reals, Reals, Reals | None], **more: Any
) -> tuple[Any, list[Reals]]:
    """Return scikit-learn's model and its raw scores [n, K] after 0, 1, 2 … rounds."""
    kind = GradientBoostingClassifier if n_classes else GradientBoostingRegressor
    peer = kind(loss=loss, n_estimators=N_TREES, random_state=0, **more).fit(*rows)
    X = rows[0]
    stages = peer.staged_decision_function(X) if n_classes else peer.staged_predict(X)
    start = np.asarray(peer._raw_predict_init(X.astype(np.float32)), dtype=np.float64)
    return peer, [start, *(np.reshape(stage, start.shape) for stage in stages)]


def assert_same_trees(
    params: dict[str, Any],
    rows: tuple[Reals, Reals, Reals | None],
    peer: Any,
    theirs: list[Reals],
) -> None:
    """Compare round by round; where a tie parts the ways, go on from scikit-learn's scores."""
    X, y, weight = rows
    slope = SLOPES[params["objective"]]
    limit, n_outputs, begin = 1e-6 * theirs[-1].std(), theirs[0].shape[1], 0
    while begin < N_TREES:
        # From the second part on, rows bring the scores that they have.
        given = theirs[begin] if begin else None
        dataset = ceiba.Dataset(X, y, weight=weight, init_score=given)
        model = ceiba.train({**params, "n_estimators": N_TREES - begin}, dataset)
        ours = [np.broadcast_to(model.start_scores, theirs[0].shape)]
        ours += [np.reshape(raw, theirs[0].shape) for raw in model.staged_predict_raw(X)]
        added = [raw - ours[0] for raw in ours]
        their_added = [raw - theirs[begin] for raw in theirs[begin:]]
        if not begin:
            start = ours[0] - theirs[0]
            if n_outputs > 1:  # scores of classes count up to a constant for each row
                start -= start.mean(axis=1, keepdims=True)
            assert np.abs(start).max() <= limit
        pairs = zip(added, their_added, strict=True)
        apart = [np.abs(mine - other).max() > limit for mine, other in pairs]
        if not any(apart):
            return
        last = apart.index(True)
        begin += last
        step = np.abs((added[last] - added[last - 1]) - (theirs[begin] - theirs[begin - 1]))
        for output in range(n_outputs):
            tied = tied_rows(
                model,
                int(model.forest.arrays()["tree_offsets"][(last - 1) * n_outputs + output]),
                peer.estimators_[begin - 1, output].tree_,
                X,
                slope(theirs[begin - 1].astype(np.longdouble), y, output, weight),
                weight,
            )
            assert step[~tied, output].max(initial=0.0) <= limit, (begin, output)


def tied_rows(
    model: ceiba.Model,
    first_node: int,
    tree: Any,
    X: Reals,
    gradients: NDArray[np.longdouble],
    weight: Reals | None,
) -> NDArray[np.bool_]:
    """Return the rows below nodes that the two trees split in two ways of exactly one gain."""
    ours = model.forest.arrays()
    w = np.ones(len(X), dtype=np.longdouble) if weight is None else weight.astype(np.longdouble)
    tied = np.zeros(len(X), dtype=bool)

    def gain(inside: NDArray[np.bool_], left: NDArray[np.bool_]) -> np.longdouble:
        total = np.longdouble(0.0)
        for part, sign in ((inside & left, 1), (inside & ~left, 1), (inside, -1)):
            total += sign * np.sum((w * gradients)[part]) ** 2 / np.sum(w[part])
        return total

    waiting = [(0, 0, np.ones(len(X), dtype=bool))]
    while waiting:
        our_node, their_node, inside = waiting.pop()
        at = first_node + our_node
        feature, their_feature = ours["feature"][at], tree.feature[their_node]
        if feature < 0 and their_feature < 0:
            continue
        if feature < 0:
            # Slopes that are all the same, as clipped ones are, vary by rounding in the peer.
            left = X[:, their_feature] <= tree.threshold[their_node]
            squares = np.sum((w * gradients**2)[inside])
            assert gain(inside, left) <= 1e-12 * squares
            tied |= inside
            continue
        assert their_feature >= 0
        left = X[:, feature] <= ours["threshold"][at]
        their_left = X[:, their_feature] <= tree.threshold[their_node]
        children = [int(ours["left"][at]), int(ours["right"][at])]
        sides = [inside & left, inside & ~left]
        if (sides[0] == inside & ~their_left).all():  # the same two parts, sides exchanged
            children, sides = children[::-1], sides[::-1]
        if (sides[0] == inside & their_left).all():
            theirs = (tree.children_left[their_node], tree.children_right[their_node])
            waiting += zip(children, theirs, sides, strict=True)
            continue
        gains = gain(inside, left), gain(inside, their_left)
        assert abs(gains[0] - gains[1]) <= 1e-12 * max(gains), gains
        tied |= inside
    return tied


def softmax_slope(raw: Any, y: Reals, output: int, weight: Reals | None) -> Any:
    powers = np.exp(raw - raw.max(axis=1, keepdims=True))
    return (y == output) - powers[:, output] / powers.sum(axis=1)


def huber_slope(raw: Any, y: Reals, output: int, weight: Reals | None) -> Any:
    residuals = y - raw[:, 0]
    order = np.argsort(np.abs(residuals))
    so_far = np.cumsum(np.ones(len(y)) if weight is None else weight[order])
    delta = np.abs(residuals)[order][np.searchsorted(so_far, 0.9 * so_far[-1])]
    return np.clip(residuals, -delta, delta)


#: The slope of each loss, in the precision of the raw scores.
SLOPES: dict[str, Callable[[Any, Reals, int, Reals | None], Any]] = {
    "squared_error": lambda raw, y, *_: y - raw[:, 0],
    "huber": huber_slope,
    "logistic": lambda raw, y, *_: y - 1 / (1 + np.exp(-raw[:, 0])),
    "softmax": softmax_slope,
    "exponential": lambda raw, y, *_: (2 * y - 1) * np.exp((1 - 2 * y) * raw[:, 0]),
}


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
    peer, theirs = fit_peer(loss, n_classes, rows)
    params = our_params(objective, method)
    assert_same_trees(params, rows, peer, theirs)


@WEIGHTED
@pytest.mark.parametrize(
    "given",
    [
        {"min_samples_split": 40, "max_depth": 6},
        {"min_samples_leaf": 15, "max_depth": 6},
        {"max_leaf_nodes": 7, "max_depth": None},
        {"max_leaf_nodes": 5, "max_depth": 3},
        {"min_samples_split": 0.05, "min_samples_leaf": 0.0213, "max_depth": 6},
        {"min_impurity_decrease": 0.01, "max_depth": 5},
        {"min_weight_fraction_leaf": 0.04, "max_depth": 6},
        {"ccp_alpha": 0.002, "max_depth": 6},
        {"ccp_alpha": 0.01, "max_leaf_nodes": 20, "max_depth": None},
        {"learning_rate": 0.5},
    ],
    ids=str,
)
@pytest.mark.parametrize(("objective", "loss", "n_classes"), [LOSSES[0], LOSSES[2]])
def test_limits(
    objective: str, loss: str, n_classes: int, given: dict[str, Any], weighted: bool
) -> None:
    rows = make_rows(7, "hist", n_classes, weighted)
    ours = {"max_depth": 0, **{name: value for name, value in given.items() if value is not None}}
    ours = {**ours, "max_depth": ours["max_depth"] or (3 if "learning_rate" in given else 0)}
    peer, theirs = fit_peer(loss, n_classes, rows, **given)
    params = our_params(objective, "hist", **ours)
    assert_same_trees(params, rows, peer, theirs)


@WEIGHTED
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("loss", ["absolute_error", "quantile"])
@pytest.mark.parametrize("seed", SEEDS)
def test_trees_of_sign_losses(seed: int, loss: str, method: str, weighted: bool) -> None:
    """Gradients of such losses tie, and scikit-learn breaks ties by a random order of columns.

    So tree by tree, on the partitions that scikit-learn made: in each of its inner nodes our best
    gain is its best, and in each of its leaves both values follow the rule of the loss.
    """
    X, y, weight = make_rows(seed, method, 0, weighted)
    w = np.ones(len(y)) if weight is None else weight
    level = 0.5 if loss == "absolute_error" else 0.9
    options = {} if loss == "absolute_error" else {"alpha": level}
    peer = GradientBoostingRegressor(loss=loss, n_estimators=N_TREES, random_state=0, **options)
    peer.fit(X, y, sample_weight=weight)
    stages = [np.full(len(y), peer.init_.predict(X[:1])[0]), *peer.staged_predict(X)]
    more = {} if loss == "absolute_error" else {"quantile": level}
    more = {**more, "n_estimators": 1, "learning_rate": 1.0}
    for number, raw in enumerate(stages[:-1]):
        tree = peer.estimators_[number, 0].tree_
        gradient = np.where(y > raw, -level, 1.0 - level) * (2.0 if level == 0.5 else 1.0)
        gradient = np.where(y == raw, 0.0, gradient) if level == 0.5 else gradient
        reached = tree.decision_path(X.astype(np.float32)).toarray().astype(bool)
        for node in range(tree.node_count):
            inside = reached[:, node]
            rows = X[inside], (y - raw)[inside], w[inside]
            is_leaf = tree.children_left[node] < 0
            ours = one_tree(our_params(loss, method, **more, max_depth=0 if is_leaf else 1), rows)
            if is_leaf:
                for value in (ours["value"][0], tree.value[node, 0, 0]):
                    assert_quantile(value, level, *rows[1:])
                continue
            slopes = (w * gradient)[inside]
            their_gain = gain_of(slopes, rows, tree.feature[node], tree.threshold[node])
            if ours["feature"][0] < 0:  # slopes that are all the same vary by rounding in the peer
                assert their_gain <= 1e-12 * np.sum(slopes**2 / rows[2]), (number, node)
                continue
            our_gain = gain_of(slopes, rows, ours["feature"][0], ours["threshold"][0])
            assert our_gain == pytest.approx(their_gain, rel=1e-9), (number, node)


@WEIGHTED
@pytest.mark.parametrize("n_rows", [300, 301])
@pytest.mark.parametrize("level", [0.1, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("loss", ["absolute_error", "huber", "quantile"])
def test_starts(loss: str, level: float, n_rows: int, weighted: bool) -> None:
    """Without weights scikit-learn goes between two rows; with weights it takes the lower one."""
    random = np.random.default_rng(n_rows)
    X, y = random.normal(size=(n_rows, 2)), random.normal(size=n_rows)
    weight = np.where(np.argsort(np.argsort(y)) % 2, 1.0, 3.0) if weighted else None
    given = {"alpha": level} if loss == "quantile" else {}
    peer = GradientBoostingRegressor(loss=loss, n_estimators=1, **given).fit(X, y, weight)
    more = {"quantile": level} if loss == "quantile" else {}
    params = {**our_params(loss, "hist", **more), "n_estimators": 1}
    model = ceiba.train(params, ceiba.Dataset(X, y, weight=weight))
    start = peer._raw_predict_init(X[:1].astype(np.float32))[0, 0]
    assert model.start_scores[0] == pytest.approx(start, rel=1e-14)


def one_tree(params: dict[str, Any], rows: tuple[Reals, Reals, Reals]) -> dict[str, Any]:
    """Grow one tree on residuals: with depth 0, a tree that is one leaf."""
    if not params["max_depth"]:
        params = {**params, "max_depth": 1, "min_samples_split": len(rows[0]) + 1}
    start = np.zeros(len(rows[0]))
    dataset = ceiba.Dataset(rows[0], rows[1], weight=rows[2], init_score=start)
    return dict(ceiba.train(params, dataset).forest.arrays())


def gain_of(
    slopes: Reals, rows: tuple[Reals, Reals, Reals], feature: int, threshold: float
) -> float:
    """Return what a split takes off the weighted squares of the slopes."""
    X, _, w = rows
    left = X[:, feature] <= threshold
    parts = ((left, 1.0), (~left, 1.0), (left | True, -1.0))
    return float(sum(sign * slopes[part].sum() ** 2 / w[part].sum() for part, sign in parts))


def assert_quantile(value: float, level: float, residuals: Reals, w: Reals) -> None:
    """No more than its share of the weight lies below a quantile, and no more above."""
    assert w[residuals < value - 1e-9].sum() <= level * w.sum() + 1e-9
    assert w[residuals > value + 1e-9].sum() <= (1 - level) * w.sum() + 1e-9

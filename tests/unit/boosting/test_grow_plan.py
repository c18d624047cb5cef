"""From parameters to trees, and the values of their leaves."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import Dataset, _core, train
from ceiba.boosting.grow_plan import make_plan
from ceiba.boosting.leaves import fit_leaves
from ceiba.boosting.row_statistics import RowStatistics
from ceiba.parameters.resolving import resolve

X = np.arange(40.0)
Y = np.where(X < 15, -1.0, 3.0)


def grown(
    weights: np.ndarray | None = None, rows: np.ndarray | None = None, **given: object
) -> _core.GrownTrees:
    columns = [[X]]
    mapper = _core.BinMapper.find(columns, None, 256, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1)
    parameters = resolve({"min_samples_leaf": 1, "reg_lambda": 0.0, **given})
    statistics = RowStatistics(np.ascontiguousarray(-Y[None, :]), None, 1.0)
    grower = _core.Grower(
        _core.GrowerTable(binned), make_plan(parameters, weights, 40, 1), weights, 1
    )
    trees = grower.grow(statistics.gradients, None, 1.0, rows, 0)
    fit_leaves(trees, statistics, parameters.learning_rate)
    return trees


def test_a_tree_finds_the_step() -> None:
    arrays = grown(max_leaves=2, learning_rate=0.5).arrays()
    assert arrays["feature"].tolist() == [0, -1, -1]
    assert arrays["threshold"][0] == 14.5
    assert arrays["value"][1:].tolist() == [-0.5, 1.5]
    assert arrays["count"].tolist() == [40, 15, 25]


@pytest.mark.parametrize(
    ("given", "n_leaves"),
    [
        ({"min_samples_leaf": 21}, 1),
        ({"min_samples_leaf": 0.51}, 1),
        ({"min_samples_leaf": 0.375, "max_leaves": 2}, 2),
        ({"min_samples_split": 0.9, "max_leaves": 4}, 2),
        ({"ccp_alpha": 1e9}, 1),
        ({"min_child_weight": 21.0}, 1),
        ({"min_split_gain": 1e9}, 1),
        ({"max_leaves": 2}, 2),
        ({"grow_policy": "depthwise", "max_depth": 1}, 2),
        ({"grow_policy": "symmetric", "max_depth": 1}, 2),
    ],
)
def test_parameters_reach_the_grower(given: dict[str, object], n_leaves: int) -> None:
    assert grown(**given).n_leaves == [n_leaves]


def test_weights_count_as_rows_unless_told() -> None:
    weights = np.full(40, 2.0)
    assert grown(weights, min_samples_leaf=25, max_leaves=2).n_leaves == [2]
    assert grown(weights, min_samples_leaf=25, weighted_counts=False).n_leaves == [1]


def test_a_leaf_has_its_share_of_the_weights() -> None:
    weights = np.where(X < 15, 1.5, 0.5)  # 22.5 and 12.5 of 35

    def threshold(share: float) -> float:
        return float(
            grown(weights, min_weight_fraction_leaf=share, max_leaves=2).arrays()["threshold"][0]
        )

    assert threshold(12.5 / 35) == 14.5
    assert threshold(12.6 / 35) == 13.5


def test_shares_of_rows_are_shares_of_weights_that_count() -> None:
    weights = np.where(X < 15, 5.0, 1.0)  # 75 and 25 of 100
    heavy = {"min_samples_leaf": 0.26, "max_leaves": 2}
    assert grown(weights, **heavy).arrays()["threshold"][0] < 14
    assert grown(weights, **heavy, weighted_counts=False).arrays()["threshold"][0] == 14.5
    assert grown(weights * 2**28, **heavy).arrays()["threshold"][0] == 14.5  # too heavy to count


def test_penalties_reach_the_leaves() -> None:
    plain = grown(max_leaves=2, learning_rate=1.0).arrays()["value"][1:]
    ridge = grown(max_leaves=2, learning_rate=1.0, reg_lambda=15.0).arrays()["value"][1:]
    lasso = grown(max_leaves=2, learning_rate=1.0, reg_alpha=5.0).arrays()["value"][1:]
    capped = grown(max_leaves=2, learning_rate=1.0, max_delta_step=0.25).arrays()["value"][1:]
    assert plain.tolist() == [-1.0, 3.0]
    assert ridge.tolist() == [-15 / 30, 75 / 40]
    assert lasso.tolist() == [-10 / 15, 70 / 25]
    assert capped.tolist() == [-0.25, 0.25]


def test_only_selected_rows_are_learned_from() -> None:
    rows = np.arange(15, 40, dtype=np.int32)
    assert grown(rows=rows).n_leaves == [1]
    assert grown(rows=rows, learning_rate=1.0).arrays()["value"].tolist() == [3.0]


def test_auto_says_which_split_method_it_chose() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    for given in ("auto", "hist", "approx", "exact"):
        model = train({"split_method": given, "n_estimators": 2}, Dataset(X, X[:, 0]))
        assert model.parameters["split_method"] == ("hist" if given == "auto" else given)


@pytest.mark.parametrize("objective", ["squared_error", "softmax"])
def test_eval_sets_under_exact_splits_follow_the_model(objective: str) -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(300, 3))
    X[random.random(X.shape) < 0.1] = np.nan
    y = random.integers(0, 3, size=300).astype(np.float64)
    train_rows, held = Dataset(X[:200], y[:200]), Dataset(X[200:], y[200:])
    params = {"split_method": "exact", "n_estimators": 4, "objective": objective}
    params["eval_metric"] = "rmse" if objective == "squared_error" else "multi_logloss"
    model = train(params, train_rows, eval_sets={"held": held})
    prediction = model.predict(X[200:])
    if objective == "squared_error":
        expected = np.sqrt(np.mean((prediction - y[200:]) ** 2))
    else:
        expected = -np.mean(np.log(prediction[np.arange(100), y[200:].astype(int)]))
    found = model.history["held"][params["eval_metric"]][-1]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def columns_used(**given: object) -> set[str]:
    """Columns of a tree that splits f2, then f1; only below both does f0 tell anything."""
    signs = np.stack(np.meshgrid(*[[-1.0, 1.0]] * 3), axis=-1).reshape(-1, 3).repeat(10, axis=0)
    # Below f2 alone a split at f0 gains exactly nothing, and with a penalty it loses.
    target = 4.0 * signs[:, 2] + signs[:, 1] * (2.0 + 1.5 * signs[:, 0])
    params = {"n_estimators": 1, "max_depth": 3, "max_leaves": 8, "min_samples_leaf": 1, **given}
    frame = train(params, Dataset(signs, target)).trees_to_frame()
    return set(frame["feature"].dropna())


@pytest.mark.parametrize("policy", ["leafwise", "depthwise"])
@pytest.mark.parametrize(
    "method",
    [{"split_method": "hist"}]
    + [{"split_method": "approx", "approx_scope": scope} for scope in ("tree", "node")],
    ids=str,
)
def test_hopeless_columns_are_left_out_below(policy: str, method: dict[str, str]) -> None:
    given = {"grow_policy": policy, **method}
    assert columns_used(**given) == {"f0", "f1", "f2"}
    for penalty in (1.0, 0.0):
        dropped = columns_used(**given, drop_hopeless_columns=True, reg_lambda=penalty)
        assert dropped == {"f1", "f2"}


@pytest.mark.parametrize(
    "given", [{"split_method": "exact"}, {"grow_policy": "symmetric"}], ids=["exact", "symmetric"]
)
def test_exact_and_symmetric_trees_keep_hopeless_columns(given: dict[str, str]) -> None:
    lightgbm = {"recipe": "lightgbm", "row_counts": "exact", **given}
    usual = columns_used(**lightgbm, drop_hopeless_columns=False)
    assert columns_used(**lightgbm) == usual == {"f0", "f1", "f2"}


def test_hopeless_columns_are_left_out_under_the_recipe_of_lightgbm() -> None:
    assert resolve({"recipe": "lightgbm"}).drop_hopeless_columns
    assert not resolve({}).drop_hopeless_columns

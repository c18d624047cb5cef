"""Cross-validation: folds, the table, early stopping on the mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold

import ceiba
from ceiba import Checkpoint, CrossValidationInterrupted, Dataset, Round, cv, train
from ceiba.boosting.row_splits import FoldRequest, fold_rows
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.objectives import find_objective

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 4))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * RANDOM.normal(size=300)
THREE = np.digitize(Y, [-1.0, 1.5]).astype(float)
GROUPS = np.arange(300) // 7
PARAMS: dict[str, Any] = {"n_estimators": 8, "max_leaves": 6, "n_jobs": 1, "learning_rate": 0.3}
ROWS = Dataset(X, Y)
REGRESSION, CLASSES = find_objective("squared_error"), find_objective("softmax")


def test_the_table_is_that_of_the_folds() -> None:
    splitter = KFold(3, shuffle=True, random_state=1)
    weight = RANDOM.integers(1, 4, size=300).astype(float)
    dataset = Dataset(X, Y, weight=weight)
    table, models = cv(PARAMS, dataset, folds=splitter, metrics=["mae", "rmse"], return_models=True)
    assert list(table) == [
        f"{name}-{metric}-{what}"
        for name in ("train", "test")
        for metric in ("mae", "rmse")
        for what in ("mean", "std")
    ]
    assert len(table) == 8
    by_fold = []
    for model, (learned, scored) in zip(models, splitter.split(X), strict=True):
        own = Dataset(X[learned], Y[learned], weight=weight[learned])
        other = Dataset(X[scored], Y[scored], weight=weight[scored])
        single = train({**PARAMS, "metric": "rmse"}, own, eval_sets=[own, other])
        assert single.fingerprint() == model.fingerprint()
        by_fold.append([single.history[f"validation_{i}"]["rmse"] for i in range(2)])
    values = np.array(by_fold)
    np.testing.assert_allclose(table["train-rmse-mean"], values[:, 0].mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(table["test-rmse-mean"], values[:, 1].mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(table["test-rmse-std"], values[:, 1].std(axis=0), rtol=1e-12)


def test_early_stopping_on_the_mean() -> None:
    params = {**PARAMS, "n_estimators": 200, "learning_rate": 0.5}
    whole = cv(params, ROWS, folds=3)
    best = int(whole["test-rmse-mean"].argmin())
    assert best < 150
    seen: list[Round] = []

    def watch(round: Round) -> None:
        seen.append(round)

    for how in (
        {"params": params, "early_stopping_rounds": 10},
        {"params": {**params, "n_iter_no_change": 10}},
        {"params": params, "callbacks": [ceiba.EarlyStopping(10), watch]},
    ):
        table, models = cv(dataset=ROWS, folds=3, return_models=True, **how)
        assert len(table) == best + 1
        assert [model.n_iterations for model in models] == [best + 1] * 3
        pd.testing.assert_frame_equal(table, whole[: best + 1])
    assert len(seen) == best + 1 + 10
    assert seen[-1].evals["test"]["rmse"] == whole["test-rmse-mean"][best + 10]


def test_one_table_whatever_the_threads() -> None:
    sampled = {**PARAMS, "subsample": 0.5, "seed": 3}
    pd.testing.assert_frame_equal(cv(sampled, ROWS), cv({**sampled, "n_jobs": 2}, ROWS))
    assert not cv(sampled, ROWS).equals(cv({**sampled, "seed": 4}, ROWS))


def test_folds_of_every_kind() -> None:
    splitter = KFold(3)
    listed = list(splitter.split(X))
    masks = [
        (np.isin(np.arange(300), learned), np.isin(np.arange(300), rows))
        for learned, rows in listed
    ]
    expected = cv(PARAMS, ROWS, folds=splitter)
    for folds in (listed, iter(listed), masks, [[*pair] for pair in listed]):
        pd.testing.assert_frame_equal(cv(PARAMS, ROWS, folds=folds), expected)
    pd.testing.assert_frame_equal(cv(PARAMS, ROWS, folds=3, shuffle=False), expected)
    assert len(cv(PARAMS, ROWS, folds=RepeatedKFold(n_splits=2, n_repeats=2))) == 8
    assert len(cv(PARAMS, ROWS, folds=GroupKFold(2), groups=GROUPS)) == 8


def test_rows_are_numbered_as_they_were_given() -> None:
    """Rows of weight 0 are passed over, and the numbers of the others do not change."""
    weight = np.ones(300)
    weight[:100:2] = 0
    weighted = ceiba.Dataset(X, Y, weight=weight)
    learned, scored = np.arange(200), np.arange(200, 300)
    train = ceiba.Dataset(X[learned], Y[learned], weight=weight[learned])
    test = {"test": ceiba.Dataset(X[scored], Y[scored])}
    want = ceiba.train(PARAMS, train, eval_sets=test).history["test"]["rmse"]
    masks = np.arange(300) < 200, np.arange(300) >= 200
    for pair in ((learned, scored), masks):
        table = cv(PARAMS, weighted, folds=[pair])
        np.testing.assert_array_equal(table["test-rmse-mean"], want)
    kept = weight > 0
    groups = np.arange(300) % 7
    without = cv(PARAMS, ceiba.Dataset(X[kept], Y[kept]), folds=3, groups=groups[kept])
    pd.testing.assert_frame_equal(cv(PARAMS, weighted, folds=3, groups=groups), without)
    with pytest.raises(ValueError, match="Fold 0 must have rows of positive weight"):
        cv(PARAMS, weighted, folds=[(scored, np.arange(0, 100, 2))])


def test_a_fold_need_not_have_every_class() -> None:
    rare = np.where(np.arange(300) < 2, 2.0, (Y > 0).astype(float))
    folds = [(np.arange(2, 200), np.arange(200, 300)), (np.arange(100, 300), np.arange(100))]
    table = cv({**PARAMS, "objective": "softmax"}, Dataset(X, rare), folds=folds)
    assert np.isfinite(table["train-multi_logloss-mean"]).all()


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    table = cv(PARAMS, ROWS)
    assert isinstance(table, dict)
    assert table["test-rmse-mean"].shape == (8,)


MIXED = np.array(["a", 1, None] * 100, dtype=object)


class Failing:
    """A splitter that cannot do what it should."""

    def split(self, *_: Any) -> Any:
        raise TypeError("no rows")


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"dataset": X}, InvalidTypeError, "must be a ceiba.Dataset"),
        ({"dataset": Dataset(X)}, InvalidInputError, "no target"),
        (
            {"params": {"validation_fraction": 0.2, "early_stopping_rounds": 5}},
            InvalidParameterError,
            "held out already",
        ),
        ({"params": [("eta", 0.1)]}, InvalidParameterError, "must be a dictionary"),
        ({"folds": 1}, InvalidParameterError, "folds must be an integer, 2 or more. Got 1"),
        ({"folds": 301}, InvalidInputError, "cannot be split"),
        ({"folds": "five"}, InvalidTypeError, "folds must be a number"),
        ({"folds": True}, InvalidTypeError, "folds must be a number"),
        ({"folds": []}, InvalidInputError, "at least one pair"),
        ({"folds": [3]}, InvalidTypeError, "Fold 0 is int"),
        ({"folds": [([0, 1], [300])]}, InvalidInputError, "fold 0 must be row numbers"),
        ({"folds": [([0, 1], [-1])]}, InvalidInputError, "fold 0 must be row numbers"),
        ({"folds": [([0, 1], [])]}, InvalidInputError, "fold 0 must be row numbers"),
        ({"folds": [([0, 0], [1])]}, InvalidInputError, "duplicate indices"),
        ({"folds": [([0, 1], [1])]}, InvalidInputError, "trains on rows that it scores"),
        ({"folds": KFold(2), "shuffle": True}, InvalidParameterError, "how folds are made"),
        ({"folds": [([0], [1])], "groups": GROUPS}, InvalidParameterError, "groups is for"),
        ({"groups": GROUPS[:9]}, InvalidInputError, "groups must hold one value for each"),
        ({"groups": np.zeros(300)}, InvalidInputError, "cannot be split"),
        ({"groups": MIXED}, InvalidTypeError, "one kind.* Got NoneType, int, str. Make strings"),
        ({"groups": MIXED, "folds": GroupKFold(2)}, InvalidTypeError, "one kind"),
        ({"groups": [1, "1", 2] * 100}, InvalidTypeError, "one kind.* Got int, str"),
        ({"folds": KFold}, InvalidTypeError, r"Got the class KFold. Call it first, as in KFold\("),
        ({"folds": Failing()}, InvalidTypeError, "cannot be split into folds: no rows"),
        ({"stratified": True}, InvalidInputError, r"whole numbers. Got -?\d.* in row 0. Leave"),
        ({"stratified": "yes"}, InvalidParameterError, "stratified must be True or False"),
        ({"shuffle": 2}, InvalidParameterError, "shuffle must be True or False"),
        ({"metrics": "fast"}, InvalidParameterError, "metrics must be the name of a metric"),
        ({"early_stopping_rounds": -1}, InvalidParameterError, "early_stopping_rounds must be"),
        ({"callbacks": [3]}, InvalidTypeError, "callback"),
        ({"return_models": "yes"}, InvalidParameterError, "return_models must be"),
        (
            {"params": {"metric": "mae"}, "metrics": "rmse"},
            InvalidParameterError,
            "metric='mae' and metrics='rmse' are two names",
        ),
    ],
)
def test_bad_arguments(given: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        cv(**{"params": PARAMS, "dataset": ROWS, **given})


def test_there_is_no_one_model_to_save(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="one model for each fold"):
        cv(PARAMS, ROWS, callbacks=[Checkpoint(tmp_path / "model.ceiba", every=1)])


def test_queries_stay_together() -> None:
    dataset = Dataset(X, np.digitize(Y, [0.0, 1.0]), qid=GROUPS)
    for learned, rows in fold_rows(dataset, find_objective("lambdarank_ndcg"), FoldRequest(4)):
        assert not set(GROUPS[learned]) & set(GROUPS[rows])
    table = cv({**PARAMS, "objective": "lambdarank_ndcg"}, dataset, folds=3)
    assert list(table["test-ndcg-mean"])[-1] > 0.5


def test_a_custom_objective_needs_a_metric() -> None:
    def squared(y_true: np.ndarray, raw_score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return raw_score - y_true, np.ones_like(raw_score)

    given = {**PARAMS, "objective": squared}
    with pytest.raises(InvalidInputError, match=r"needs a metric.*Give eval_metric"):
        cv(given, ROWS, folds=3)
    assert len(cv(given, ROWS, folds=3, metrics="mae")) == 8
    assert len(cv(given, ROWS, folds=3, return_models=True)[1]) == 3


# ---- Ctrl-C --------------------------------------------------------------------------------------


def test_an_interrupted_cross_validation_gives_the_table_so_far() -> None:
    def interrupt(round: Round) -> None:
        if round.iteration == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="have finished 5 rounds") as caught:
        cv(PARAMS, ROWS, folds=3, callbacks=[interrupt], return_models=True)
    interrupted = caught.value
    assert isinstance(interrupted, CrossValidationInterrupted)
    table, models = cv({**PARAMS, "n_estimators": 5}, ROWS, folds=3, return_models=True)
    pd.testing.assert_frame_equal(interrupted.table, table)
    assert [model.fingerprint() for model in interrupted.models] == [
        model.fingerprint() for model in models
    ]
    assert [model.history for model in interrupted.models] == [model.history for model in models]


@pytest.mark.parametrize("call", [0, 1, 2, 3, 7, 13, 17])
def test_a_round_that_some_folds_have_not_finished_is_left_out(call: int) -> None:
    calls = []

    def interrupted(y: Any, prediction: Any) -> float:
        calls.append(len(y))
        if len(calls) == call + 1:
            raise KeyboardInterrupt
        return float(np.mean(np.abs(y - prediction)))

    # A fold scores its two eval sets in each round, and tries the metric once before the first.
    n_rounds = 0 if call < 9 else 1 + (call - 9) // 6
    with pytest.raises(KeyboardInterrupt) as caught:
        cv(PARAMS, ROWS, folds=3, metrics=interrupted, return_models=True)
    if n_rounds == 0:
        assert type(caught.value) is KeyboardInterrupt
        return
    whole, models = cv(
        {**PARAMS, "n_estimators": n_rounds}, ROWS, folds=3, metrics="mae", return_models=True
    )
    assert isinstance(caught.value, CrossValidationInterrupted)
    table = caught.value.table
    assert len(table) == n_rounds
    np.testing.assert_allclose(table["test-interrupted-mean"], whole["test-mae-mean"], rtol=1e-12)
    for found, expected in zip(caught.value.models, models, strict=True):
        assert found.fingerprint() == expected.fingerprint()
        assert len(found.history["test"]["interrupted"]) == n_rounds


def test_an_interrupted_cross_validation_ends_at_its_best_iteration() -> None:
    params = {**PARAMS, "n_estimators": 200, "learning_rate": 0.5}
    best = int(cv(params, ROWS, folds=3)["test-rmse-mean"].argmin())

    def interrupt(round: Round) -> None:
        if round.iteration == best + 3:
            raise KeyboardInterrupt

    with pytest.raises(CrossValidationInterrupted) as caught:
        cv(params, ROWS, folds=3, early_stopping_rounds=10, callbacks=[interrupt])
    assert len(caught.value.table) == best + 1
    assert caught.value.models == []


def test_metrics_that_are_not_finite_have_no_mean_and_no_deviation() -> None:
    def endless(y: Any, prediction: Any) -> float:
        return float(np.inf)

    table = cv(PARAMS, ROWS, folds=2, metrics=endless)
    assert table.isna().to_numpy().all()
    assert len(table) == 8


@pytest.mark.parametrize("more", [(), (5,)])
def test_arrays_in_place_of_a_dataset(more: Any) -> None:
    for run in (cv, train):
        with pytest.raises(InvalidTypeError, match=r"^dataset must be a ceiba.Dataset. Got nda"):
            run(PARAMS, X, *(more or (Y,)))
        with pytest.raises(InvalidParameterError, match=r"pass dataset=ceiba.Dataset\(X, y\)"):
            run(PARAMS, X=X, y=Y)


def test_arguments_of_scikit_learns_cross_validate() -> None:
    table, models = cv(
        PARAMS, ROWS, cv=3, return_estimator=True, return_train_score=True, return_indices=False
    )
    assert len(models) == 3
    assert "train-rmse-mean" in table
    with pytest.raises(InvalidParameterError, match="pass folds as pairs of row lists"):
        cv(PARAMS, ROWS, return_indices=True)

"""What crosses between processes does not grow with the rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sharded import Workers, sharded_kind, sharded_training

import ceiba
from ceiba.errors import InvalidInputError, InvalidParameterError

RANDOM = np.random.default_rng(3)
X = RANDOM.integers(0, 30, size=(240, 4)).astype(float)
SCORE = X[:, 0] - X[:, 1] * (X[:, 2] > 9) + 9 * RANDOM.normal(size=240)
TARGETS = {
    "logistic": (SCORE > 0).astype(float),
    "softmax": np.digitize(SCORE, [-9.0, 9.0]).astype(float),
    "lambdarank_ndcg": np.digitize(SCORE, [-9.0, 9.0]).astype(float),
}
CASES: dict[str, dict[str, Any]] = {
    "plain": {"eval_metric": ["rmse", "mae", "r2"]},
    "classes": {"objective": "softmax", "eval_metric": ["multi_logloss", "accuracy", "f1"]},
    "several steps": {"objective": "logistic", "leaf_iterations": 4, "grow_policy": "symmetric"},
    "medians": {"objective": "absolute_error"},
    "quantiles": {"objective": "quantile", "quantile": [0.2, 0.8], "calibration_folds": 0},
    "huber": {"objective": "huber"},
    "ranking": {"objective": "lambdarank_ndcg", "eval_metric": ["ndcg@5", "map"]},
    "dart": {"boosting": "dart", "skip_drop": 0.0, "drop_rate": 0.5},
    "forest": {"boosting": "forest", "sampling": "bootstrap"},
    "bernoulli": {"subsample": 0.5},
    "uniform": {"sampling": "uniform", "subsample": 0.5},
    "goss": {"sampling": "goss", "learning_rate": 0.5},
    "noise": {"random_strength": 1.0},
    "vector leaves": {"objective": "softmax", "multi_strategy": "vector_leaf"},
}
#: Rows that stand several times grow the same trees, but for rounding and samples.
SAME_TREES = {"min_samples_leaf": 1, "min_child_weight": 0.0, "reg_lambda": 0.0}


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


def rows_of(params: dict[str, Any], times: int) -> ceiba.Dataset:
    objective = params.get("objective", "")
    numbers = np.tile(np.arange(len(X)), times)
    qid = np.arange(len(numbers)) // 12 if objective.startswith("lambda") else None
    return ceiba.Dataset(X[numbers], TARGETS.get(objective, SCORE)[numbers], qid=qid)


def bytes_of_rounds(workers: Workers, params: dict[str, Any], times: int) -> float:
    """Return the mean of what crosses in a round after the first."""
    seen: list[int] = []
    with sharded_training(workers) as (train, made):
        eval_rows = rows_of(params, times)
        eval_rows.__class__ = sharded_kind(workers, made)
        train(
            {"n_estimators": 6, "max_leaves": 8, "n_jobs": 1, **SAME_TREES, **params},
            rows_of(params, times),
            eval_sets={"rows": eval_rows},
            callbacks=[lambda _: seen.append(workers.n_bytes)],
        )
    return float(np.mean(np.diff(seen)[1:]))


@pytest.mark.parametrize("case", CASES)
def test_bytes_do_not_depend_on_the_number_of_rows(case: str, workers: Workers) -> None:
    few, many = (bytes_of_rounds(workers, CASES[case], times) for times in (2, 40))
    n_more = 38 * len(X)
    # Trees have about the same size, but not exactly: less than one byte for each further row.
    assert abs(many - few) < min(0.25 * few, n_more)


def test_area_under_the_curve_sends_words_of_eval_rows(workers: Workers) -> None:
    params = {"objective": "logistic", "eval_metric": "auc"}
    few, many = (bytes_of_rounds(workers, params, times) for times in (2, 40))
    # Target and score of each row: from one shard, and back to all three.
    assert many - few == pytest.approx(38 * len(X) * 2 * 8 * 4, rel=0.1)


def test_metrics_that_need_all_rows_are_refused(workers: Workers) -> None:
    def worst(y_true: Any, y_pred: Any) -> float:
        return float(np.abs(y_true - y_pred).max())

    with sharded_training(workers) as (train, made):
        shards, here = rows_of({}, 1), rows_of({}, 1)
        shards.__class__ = sharded_kind(workers, made)
        params = {"n_estimators": 2, "eval_metric": [worst]}
        with pytest.raises(InvalidParameterError, match=r"'worst' needs all rows of an eval set"):
            train(params, rows_of({}, 1), eval_sets={"a": shards})
        model = train(params, rows_of({}, 1), eval_sets={"a": here})
    alone = ceiba.train(params, rows_of({}, 1), eval_sets={"a": rows_of({}, 1)})
    assert model.history == alone.history


@pytest.mark.parametrize("objective", ["softmax", "huber", "lambdarank_ndcg"])
@pytest.mark.parametrize("weights", ["none", "whole", "real"])
@pytest.mark.parametrize("boosting", ["plain", "dart", "forest"])
def test_eval_sets_in_shards(boosting: str, weights: str, objective: str, workers: Workers) -> None:
    params = {"objective": objective, "boosting": boosting, "n_estimators": 8, "n_jobs": 1}
    if boosting == "forest":
        params["extra_trees"] = True
    else:
        params |= {"early_stopping_rounds": 2, "learning_rate": 0.9}
    weight = {
        "none": None,
        "whole": RANDOM.integers(1, 4, len(X)).astype(float),
        "real": np.exp(RANDOM.normal(size=len(X))),
    }[weights]

    def parts() -> list[ceiba.Dataset]:
        whole = rows_of(params, 1)
        whole = whole if weight is None else whole.with_weight(weight)
        return [whole.take(np.arange(begin, begin + 120)) for begin in (0, 120)]

    rows, held = parts()
    one = ceiba.train(params, rows, eval_sets={"held": held})
    with sharded_training(workers) as (train, made):
        rows, held = parts()
        held.__class__ = sharded_kind(workers, made)
        two = train(params, rows, eval_sets={"held": held})
    assert two.fingerprint() == one.fingerprint()
    assert two.history == one.history
    assert two.best_iteration == one.best_iteration


@pytest.mark.parametrize("boosting", ["plain", "dart"])
def test_a_checkpoint_of_shards_is_one_of_all_rows(
    boosting: str, workers: Workers, tmp_path: Any
) -> None:
    params = {"boosting": boosting, "n_estimators": 6, "n_jobs": 1, "skip_drop": 0.0}
    if boosting == "plain":
        del params["skip_drop"]
    path = tmp_path / "training.ceiba"

    def crash(round: ceiba.Round) -> None:
        if round.iteration == 3:
            raise RuntimeError("the lights went out")

    whole = ceiba.train(params, rows_of(params, 1), eval_sets={"a": rows_of(params, 1)})
    with sharded_training(workers) as (train, made):

        def evals() -> dict[str, ceiba.Dataset]:
            rows = rows_of(params, 1)
            rows.__class__ = sharded_kind(workers, made)
            return {"a": rows}

        callbacks = [ceiba.Checkpoint(path, every=1), crash]
        with pytest.raises(RuntimeError, match="lights"):
            train(params, rows_of(params, 1), eval_sets=evals(), callbacks=callbacks)
        here = {"a": rows_of(params, 1)}
        resumed = ceiba.train(params, rows_of(params, 1), eval_sets=here, resume_from=path)
        again = train(params, rows_of(params, 1), eval_sets=evals(), resume_from=path)
        with pytest.raises(InvalidInputError, match="rows are not those"):
            train(params, rows_of(params, 2), eval_sets=evals(), resume_from=path)
    assert resumed.fingerprint() == again.fingerprint() == whole.fingerprint()
    assert resumed.history == again.history == whole.history


def test_what_cannot_be_sent_is_an_error_of_its_own(workers: Workers) -> None:
    with sharded_training(workers) as (train, _):
        params = {"objective": "lambdarank_ndcg", "n_estimators": 1}
        with pytest.raises(InvalidInputError, match="queries cannot be divided into 3 shards"):
            train(params, ceiba.Dataset(X, TARGETS["softmax"], group=[200, 40]))
        with pytest.raises(InvalidParameterError, match="cannot be sent to other processes"):
            train({"objective": lambda y, s: (s - y, np.ones_like(s))}, rows_of({}, 1))

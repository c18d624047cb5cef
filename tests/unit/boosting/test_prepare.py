"""What is wrong is found before any row is coded, sorted or learned from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import CeibaError, Dataset, train
from ceiba.boosting.continuation.continued import Earlier
from ceiba.boosting.prepare import prepare
from ceiba.parameters.resolving import resolve

X = np.random.default_rng(0).normal(size=(50, 3))
Y = X[:, 0]
FRAME = pd.DataFrame(X, columns=["age", "height", "weight"])
ROWS = Dataset(FRAME, Y)


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a row is coded, sorted or scored by trees, or a fold is trained."""

    def fail(*arguments: Any, **more: Any) -> Any:
        raise AssertionError("work was done before all was checked")

    for name in ("binned", "ranked", "binned_with", "take"):
        monkeypatch.setattr(Dataset, name, fail)
    monkeypatch.setattr("ceiba.boosting.loop.calibrated", fail)
    for name in ("bin_for", "rank_for", "regressors_for", "make_plan"):
        monkeypatch.setattr(f"ceiba.boosting.training_tables.{name}", fail)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(
    ("params", "more", "message"),
    [
        ({"monotone_constraints": {"hight": 1}}, {}, "Did you mean 'height'"),
        ({"monotone_constraints": [1, 0]}, {}, "one entry for each of the 3 columns"),
        ({"interaction_constraints": [["age", "sex"]]}, {}, "must name columns"),
        ({"feature_weights": [0, 0, 0], "colsample_bylevel": 0.5}, {}, "above 0"),
        ({"learning_rate": [0.1] * 3}, {}, "a rate for each of the 100 rounds"),
        ({"leaf_iterations": 3, "objective": "pairwise"}, {"qid": True}, "single rows"),
        ({"eval_metric": "rmsee"}, {"evals": FRAME}, "Did you mean 'rmse'"),
        ({}, {"evals": FRAME[["age", "height"]]}, "Eval set 'held': Missing column"),
        ({}, {"evals": FRAME, "eval_target": None}, "Eval set 'held': .*no target"),
        ({"objective": "poisson"}, {}, "target"),
        ({"base_score": [1.0, 2.0]}, {}, "base_score"),
    ],
)
def test_cheap_checks_come_before_dear_work(
    params: dict[str, Any], more: dict[str, Any], message: str
) -> None:
    rows = Dataset(FRAME, np.abs(np.round(Y)), qid=np.arange(50) // 10) if "qid" in more else ROWS
    target = more.get("eval_target", Y)
    evals = {"held": Dataset(more["evals"], target)} if "evals" in more else None
    with pytest.raises(CeibaError, match=message):
        train({"n_estimators": 100, **params}, rows, eval_sets=evals)


@pytest.mark.usefixtures("no_work")
def test_work_begins_where_nothing_is_wrong() -> None:
    with pytest.raises(AssertionError, match="work was done"):
        train({"monotone_constraints": {"height": 1}}, ROWS)


def test_parameters_are_settled_once() -> None:
    given = resolve({"objective": "count:poisson", "recipe": "xgboost", "split_method": "auto"})
    ready = prepare(given, Dataset(X, np.abs(Y), missing=-1.0), {}, None, Earlier())
    settled = ready.parameters
    assert settled.objective == "poisson"
    assert settled.split_method == "hist"
    assert settled.max_delta_step == 0.7
    assert settled.missing == -1.0
    assert given.split_method == "auto"
    assert ready.n_rounds == given.n_estimators
    again = prepare(settled, Dataset(X, np.abs(Y), missing=-1.0), {}, None, Earlier())
    assert again.parameters == settled

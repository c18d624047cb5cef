"""When recipe auto trains once: every row of the table, and the reason that a model gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import Dataset, EarlyStopping
from ceiba.policy.exceptions import EXCEPTIONS

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(120, 3))
Y = X[:, 0] + 0.1 * RANDOM.normal(size=120)
RARE = np.r_[np.zeros(117), np.ones(3)]


def unit_weight(y: Any, raw: Any) -> tuple[Any, Any]:
    return raw - y, np.ones_like(y)


CASES: dict[str, dict[str, Any]] = {
    "n_estimators": {"params": {"n_estimators": 3}},
    "quality='fast'": {"params": {"quality": "fast"}},
    "boosting": {"params": {"boosting": "dart"}},
    "quantiles": {"params": {"objective": "quantile", "quantile": [0.1, 0.9]}},
    "no metric": {"params": {"objective": unit_weight}},
    "schedule": {"params": {"learning_rate": "auto"}},
    "early_stopping_rounds=0": {"params": {"early_stopping_rounds": 0}},
    "a callback": {"callbacks": [EarlyStopping(3)], "eval_sets": [Dataset(X, Y)]},
    "fewer than 40 rows": {"rows": Dataset(X[:39], Y[:39])},
    "a class has fewer": {"params": {"objective": "logistic"}, "rows": Dataset(X, RARE)},
}


@pytest.mark.parametrize("reason", CASES)
def test_the_reason_is_recorded(reason: str) -> None:
    case = dict(CASES[reason])
    model = ceiba.train(case.pop("params", {}), case.pop("rows", Dataset(X, Y)), **case)
    (decision,) = model.decisions()
    assert reason in str(decision)
    assert model.forest.n_parallel == 1


def test_continued_training() -> None:
    first = ceiba.train({"n_estimators": 3}, Dataset(X, Y))
    model = ceiba.train({"n_estimators": 3}, Dataset(X, Y), init_model=first)
    assert model.n_iterations == 6
    further = ceiba.train({}, Dataset(X, Y), init_model=first)
    assert "continues from a model" in str(further.decisions())


def test_few_queries() -> None:
    rows = Dataset(X, np.clip(np.round(Y), 0, 4), qid=np.repeat(np.arange(12), 10))
    model = ceiba.train({"objective": "lambdarank_ndcg"}, rows)
    assert "20 queries" in str(model.decisions())


def test_every_row_of_the_table_is_tested() -> None:
    tested = {text for _, text in EXCEPTIONS if any(reason in text for reason in CASES)}
    others = {text for _, text in EXCEPTIONS} - tested
    assert {text.split()[0] for text in others} == {"training", "the", "there"} - (
        {"there"} if any("fewer than 40" in text for text in tested) else set()
    )

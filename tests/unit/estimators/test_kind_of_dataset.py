"""Estimators train on the kind of Dataset that they are given, and hold rows out as that kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba.boosting.fit import Fit

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 3))
LABELS = (X[:, 0] > 0).astype(float)


class Elsewhere(ceiba.Dataset):
    """Rows that are kept in another place."""


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    kinds: list[Any] = []
    run = Fit.run

    def noted(self: Fit, evals: dict[str, ceiba.Dataset], *given: Any, **more: Any) -> Any:
        kinds.append(type(self.dataset))
        kinds.extend(type(rows) for rows in evals.values())
        return run(self, evals, *given, **more)

    monkeypatch.setattr(Fit, "run", noted)
    return kinds


@pytest.mark.parametrize(
    "estimator",
    [
        ceiba.CeibaRegressor(n_estimators=2),
        ceiba.CeibaClassifier(n_estimators=2),
        ceiba.CeibaClassifier(n_estimators=2, class_weight="balanced"),
        ceiba.CeibaForestRegressor(n_estimators=2),
        ceiba.CeibaForestClassifier(n_estimators=2),
        ceiba.CeibaTreeClassifier(),
    ],
    ids=str,
)
def test_the_kind_stays(estimator: Any, seen: list[Any]) -> None:
    estimator.fit(Elsewhere(X, LABELS))
    assert seen == [Elsewhere]


def test_eval_sets_and_rankers_keep_it_too(seen: list[Any]) -> None:
    params = {"recipe": "single", "n_estimators": 2}
    rows = Elsewhere(X[:60], LABELS[:60])
    given = [Elsewhere(X[60:], LABELS[60:]), (X[60:], LABELS[60:])]
    ceiba.CeibaRegressor(**params).fit(rows, eval_set=given)
    assert seen == [Elsewhere, Elsewhere, ceiba.Dataset]
    del seen[:]
    queries = Elsewhere(X, LABELS, qid=np.arange(90) // 9)
    given = {"eval_set": [queries], "eval_qid": [np.arange(90) // 9]}
    ceiba.CeibaRanker(**params).fit(queries, **given)
    assert seen == [Elsewhere, Elsewhere]


def test_rows_held_out_have_the_same_kind() -> None:
    rows = Elsewhere(X, LABELS)
    assert type(rows.take(np.arange(10))) is Elsewhere
    assert type(rows.with_weight(np.arange(90.0))) is Elsewhere
    assert type(rows.of_same_kind(rows.table, rows.target, None, None, None)) is Elsewhere

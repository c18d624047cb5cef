"""What happens around the boosting rounds: held-out rows, weights, the objective."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import Dataset
from ceiba.boosting import fit as fit_module
from ceiba.boosting.fit import Fit
from ceiba.errors import InvalidInputError
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
BINARY = (X[:, 0] > 0.8).astype(float)
STOPPED: dict[str, Any] = {"early_stopping_rounds": 3, "n_estimators": 20, "n_jobs": 1}


def begin(**given: Any) -> Fit:
    parameters = resolve({**STOPPED, "objective": "logistic"})
    return Fit.begin(parameters, Dataset(X, BINARY), **{"has_eval_sets": False, **given})


def test_rows_are_held_out_of_every_class_before_they_are_weighed() -> None:
    weights = np.where(np.arange(200) % 2, 2.0, 1.0)

    def weigh(rows: Dataset) -> Dataset:
        assert rows.n_rows == 180
        return rows.with_weight(weights[: rows.n_rows])

    fit = begin(weigh=weigh)
    assert fit.held_out is not None
    assert fit.held_out.weight is None
    assert fit.held_out.target is not None
    assert fit.held_out.target.sum() == round(0.1 * BINARY.sum())
    np.testing.assert_array_equal(fit.dataset.weight, weights[:180])
    assert list(fit.run({}, None).history) == ["validation"]


def test_eval_sets_and_refusals_hold_nothing_out() -> None:
    fit = begin(has_eval_sets=True)
    assert fit.held_out is None
    assert fit.dataset.n_rows == 200
    with pytest.raises(InvalidInputError, match=r"^early_stopping_rounds=3 needs an eval set\. No"):
        begin(refusal="No.")


def test_the_objective_is_created_once(monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[str] = []

    def create(objective: Any, **options: Any) -> Any:
        created.append(objective)
        return find_objective(objective, **options)

    monkeypatch.setattr("ceiba.boosting.start.find_objective", create)
    assert fit_module.create_objective is not create
    begin().run({}, None)
    assert created == ["logistic"]

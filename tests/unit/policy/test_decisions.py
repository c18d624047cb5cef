"""Decisions of a race in words, with the numbers of the race."""

from __future__ import annotations

from typing import Any

import numpy as np

import ceiba
from ceiba import Dataset


def trained(n_rows: int, **given: Any) -> Any:
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 3))
    y = X[:, 0] + X[:, 1] ** 2 + 0.2 * random.normal(size=n_rows)
    settings = {"early_stopping_rounds": 4, "learning_rate": 0.3, "max_leaves": 5, **given}
    return ceiba.train(settings, Dataset(X, y))


def test_questions_in_their_order() -> None:
    questions = [decision.question for decision in trained(200).decisions()]
    assert questions[:2] == ["Rows that decide", "Leaves of leafwise trees"]
    assert questions[2].startswith("Rounds of leafwise trees with ")
    assert questions[3:] == [
        "Rounds of symmetric trees with constant leaves",
        "Model",
        "Rows of the model",
    ]


def test_one_kind_of_trees_is_not_averaged() -> None:
    model = trained(200, grow_policy="symmetric")
    assert [d.question.split()[0] for d in model.decisions()] == ["Rows", "Rounds", "Rows"]


def test_rows_of_one_fold_are_counted() -> None:
    rows = trained(10_500).decisions()[0].chosen
    n_held, n_rows = int(rows.split()[0]), int(rows.split()[2])
    assert n_rows == 10_500
    assert 0.18 < n_held / n_rows < 0.22


def test_costs_count_rounds_and_folds() -> None:
    leaves = trained(200).decisions()[1]
    assert leaves.cost.endswith("rounds in each of 5 folds")
    assert "constant leaves" in leaves.evidence
    assert "linear leaves" in leaves.evidence

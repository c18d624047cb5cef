"""Importances of columns."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import case_of

from ceiba.reporting.sections.importances import permutation_losses, section


@pytest.mark.parametrize("kind", ["regression", "binary", "ranking", "linear_tree"])
def test_the_columns_of_the_target_come_first(kind):
    made = section(case_of(kind))
    assert {row[0] for row in made.blocks[0].rows[:2]} == {"age", "city"}
    assert "age" in made.findings[0].text


def test_shuffling_an_important_column_costs_most():
    case = case_of("regression")
    losses, rows, before = permutation_losses(case, case.explained.order)
    means = losses.mean(axis=1)
    assert case.explained.order[int(means.argmax())] == 0
    assert before == pytest.approx(rows.losses.mean())


def test_without_time_columns_are_left_out(monkeypatch):
    case = case_of("regression")
    monkeypatch.setattr(type(case.clock), "seconds", lambda self, share: -1.0)
    losses, _, _ = permutation_losses(case, case.explained.order)
    assert np.isnan(losses).all()
    assert section(case).blocks[0].rows[0][2] == "–"

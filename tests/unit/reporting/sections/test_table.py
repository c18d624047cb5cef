"""Rows and columns in numbers."""

from __future__ import annotations

import pytest
from report_cases import OTHERS, TASKS, case_of, judged

from ceiba.reporting.sections.table import section, task_text


@pytest.mark.parametrize("kind", [*TASKS, *OTHERS])
def test_section(kind):
    made = section(case_of(kind))
    for grid in made.blocks[1:]:
        assert all(len(row) == len(grid.header) for row in grid.rows)
    assert len(made.blocks[2].rows) == 4


def test_columns():
    case, (X, _) = case_of("regression"), judged("regression")
    rows = {row[0]: row for row in section(case).blocks[2].rows}
    assert rows["city"][1] == "category"
    assert rows["city"][3] == "3"
    assert rows["city"][7].startswith("<b>Rome</b> (")
    missing = float(rows["noise"][2].removesuffix(" %")) / 100
    assert missing == pytest.approx(X["noise"].isna().mean(), abs=6e-4)
    assert rows["since"][1] == "date"
    assert rows["since"][5].startswith("2024-")


def test_tasks_in_words():
    assert "class yes against no from 4 columns" in task_text(case_of("binary"))
    assert "3 classes (high, low, middle)" in task_text(case_of("multiclass"))
    assert "2 labels (high, old)" in task_text(case_of("multilabel"))
    assert "quantiles 0.1, 0.5, 0.9" in task_text(case_of("quantiles"))
    assert "300 rows of 20 queries" in task_text(case_of("ranking"))

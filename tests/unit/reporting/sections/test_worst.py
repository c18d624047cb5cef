"""The worst rows and queries."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import OTHERS, TASKS, case_of, judged, rows_of_queries

from ceiba.reporting.sections.worst import section, value_text


@pytest.mark.parametrize("kind", [*TASKS, *OTHERS])
def test_section(kind):
    grid = section(case_of(kind)).blocks[0]
    assert len(grid.rows) == 10
    assert all(len(row) == len(grid.header) for row in grid.rows)


def test_rows_are_those_of_the_table():
    X, y = judged("regression")
    case = case_of("regression")
    grid = section(case).blocks[0]
    off = np.abs(y - np.asarray(case.subject.owner.predict(X)))
    assert [int(row[0]) for row in grid.rows] == np.argsort(-off)[:10].tolist()
    place = grid.header.index("city")
    assert [row[place] for row in grid.rows] == X["city"].iloc[np.argsort(-off)[:10]].tolist()


def test_queries_have_their_names():
    grid = section(case_of("ranking")).blocks[0]
    assert {row[0] for row in grid.rows} <= set(rows_of_queries()["qid"])
    values = [float(row[2]) for row in grid.rows]
    assert values == sorted(values)


def test_values_as_texts():
    case = case_of("regression")
    names = case.schema.names
    assert value_text(case, names.index("age"), 34.0) == "34"
    assert value_text(case, names.index("noise"), np.nan) == "missing"
    assert value_text(case, names.index("since"), 19723.0) == "2024-01-01"
    assert value_text(case, names.index("city"), 1.0) == "Oslo"
    assert value_text(case, names.index("city"), 3.0) == "unseen"

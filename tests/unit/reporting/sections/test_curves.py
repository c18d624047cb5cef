"""Curves of every task."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import OTHERS, TASKS, case_of

from ceiba.reporting.sections.curves import section

N_PICTURES = {"binary": 4, "multiclass": 4, "multilabel": 4, "targets": 4}


@pytest.mark.parametrize("kind", [*TASKS, *OTHERS])
def test_pictures(kind):
    case = case_of(kind)
    pictures = section(case).blocks[0].pictures
    assert len(pictures) == N_PICTURES.get(case.subject.task, 2)
    assert all(own.alt and own.caption for own in pictures)


def test_groups_of_predictions():
    case = case_of("regression")
    grid = section(case).blocks[1]
    assert sum(int(row[1]) for row in grid.rows) == case.rows.n_rows
    predicted = [float(row[2].replace("−", "-")) for row in grid.rows]
    assert predicted == sorted(predicted)
    assert np.mean(predicted) == pytest.approx(case.rows.predicted.prediction.mean(), abs=0.01)


def test_coverage_of_quantiles():
    case = case_of("quantiles")
    grid = section(case).blocks[1]
    shares = [float(row[1].removesuffix(" %")) / 100 for row in grid.rows]
    rows = case.rows
    expected = (rows.known_target[:, None] <= rows.predicted.prediction).mean(axis=0)
    assert shares == pytest.approx(expected.tolist(), abs=6e-4)

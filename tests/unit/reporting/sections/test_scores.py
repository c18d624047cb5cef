"""Scores: metrics of the task, constant predictions, bootstrap intervals."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import OTHERS, TASKS, case_of, judged, model_of

from ceiba.reporting.sections.scores import (
    bootstrap,
    constant_prediction,
    metrics_of,
    section,
)


@pytest.mark.parametrize("kind", [*TASKS, *OTHERS])
def test_section(kind):
    case = case_of(kind)
    made = section(case)
    grid = made.blocks[0]
    assert len(grid.rows) >= 1
    assert all(len(row) == len(grid.header) for row in grid.rows)
    assert made.findings


def test_values_are_those_of_evaluate():
    for kind in ("regression", "multiclass", "quantiles"):
        case = case_of(kind)
        names = [metric.name for metric in metrics_of(case.subject, case.rows)]
        X, y = judged(kind)
        expected = model_of(kind).evaluate(X, y, names)
        rows = case.rows
        for metric in metrics_of(case.subject, rows):
            own = rows.predicted
            value = metric(rows.known_target, own.raw, own.prediction, rows.weights)
            assert value == pytest.approx(expected[metric.name], rel=1e-12)


def test_constant_predictions_explain_nothing():
    case = case_of("regression")
    constant = constant_prediction(case.subject, case.rows)
    r2 = case.subject.metric("r2")
    value = r2(case.rows.known_target, constant.raw, constant.prediction, None)
    assert value == pytest.approx(0.0, abs=1e-12)
    assert constant_prediction(case_of("ranking").subject, case_of("ranking").rows) is None


def test_intervals_cover_the_mean():
    # The accuracy is a share, whose standard error is known.
    case = case_of("binary")
    accuracy = case.subject.metric("accuracy")
    (interval,), n_resamples, n_rows = bootstrap(case, [accuracy])
    own = case.rows.predicted
    share = accuracy(case.rows.known_target, own.raw, own.prediction, None)
    error = np.sqrt(share * (1 - share) / n_rows)
    assert interval[1] - interval[0] == pytest.approx(3.92 * error, rel=0.15)
    assert interval[0] < share < interval[1]
    assert (n_resamples, n_rows) == (300, 300)


def test_intervals_of_a_sample_are_scaled(monkeypatch):
    case = case_of("binary")
    accuracy = case.subject.metric("accuracy")
    whole = bootstrap(case, [accuracy])[0][0]
    monkeypatch.setattr("ceiba.reporting.sections.scores._MOST_ROWS", 100)
    (sampled,), _, n_rows = bootstrap(case, [accuracy])
    assert n_rows == 100
    assert sampled[1] - sampled[0] == pytest.approx(whole[1] - whole[0], rel=0.3)


def test_queries_are_drawn_whole():
    case = case_of("ranking")
    (interval,), _, n = bootstrap(case, [case.subject.metric("ndcg")])
    assert n == 20
    values = 1.0 - case.rows.losses
    error = values.std() / np.sqrt(n)
    assert interval[1] - interval[0] == pytest.approx(3.92 * error, rel=0.25)

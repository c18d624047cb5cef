"""Thresholds of two classes, and tables of more."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import case_of
from sklearn.metrics import precision_recall_fscore_support

from ceiba.reporting.sections.thresholds import section


def share(text):
    return float(text.removesuffix(" %")) / 100


def test_thresholds_are_those_of_scikit_learn():
    case = case_of("binary")
    truth, chances = case.rows.known_target, case.rows.predicted.prediction
    for row in section(case).blocks[0].rows:
        if "best" in row[0] or row[2] == "–":
            continue
        told = chances >= float(row[0])
        precision, recall, f1, _ = precision_recall_fscore_support(
            truth, told, average="binary", zero_division=0
        )
        assert share(row[2]) == pytest.approx(precision, abs=6e-4)
        assert share(row[3]) == pytest.approx(recall, abs=6e-4)
        assert float(row[5]) == pytest.approx(f1, abs=6e-4)
        assert share(row[1]) == pytest.approx(told.mean(), abs=6e-4)


def test_the_first_rows_hold_more_of_the_class():
    lift = section(case_of("binary")).blocks[1]
    caught = [share(row[1]) for row in lift.rows]
    assert caught == sorted(caught)
    assert float(lift.rows[0][3]) > 1.0


@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
def test_each_class(kind):
    case = case_of(kind)
    rows = section(case).blocks[0].rows
    assert len(rows) == (3 if kind == "multiclass" else 2)
    counts = [int(row[1]) for row in rows]
    assert counts == sorted(counts, reverse=True)
    if kind == "multiclass":
        assert sum(counts) == case.rows.n_rows
        best = np.array(case.subject.classes)[case.rows.predicted.prediction.argmax(axis=1)]
        truth = np.array(case.subject.classes)[case.rows.known_target.astype(int)]
        recall = (best == truth)[truth == rows[0][0]].mean()
        assert share(rows[0][4]) == pytest.approx(recall, abs=6e-4)


def test_other_tasks_have_none():
    assert section(case_of("regression")) is None

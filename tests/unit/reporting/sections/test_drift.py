"""Drift between the training rows and the judged rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from report_cases import case_of, judged, model_of

from ceiba.reporting.rows import read_rows
from ceiba.reporting.sections.drift import differences, section
from ceiba.reporting.subject import subject_of


def test_no_train_no_section():
    assert section(case_of("binary")) is None


def test_equal_distributions_have_not_drifted():
    case = case_of("binary", with_train=True)
    assert not any(own.has_drifted for own in differences(case, case.train))
    assert section(case).findings[-1].text == "No column has drifted since the training."


def test_moved_columns_are_found():
    case = case_of("regression", with_train=True)
    X, y = judged("regression")
    moved = X.assign(age=X["age"] + 30, city="Oslo", noise=np.nan)
    subject = subject_of(model_of("regression"))
    rows = read_rows(subject, moved, y).predicted_by(subject)
    found = {own.name: own for own in differences(replace(case, rows=rows), case.train)}
    assert [name for name, own in found.items() if own.has_drifted][:3]
    assert found["age"].has_drifted
    assert found["age"].change.startswith("median: ")
    assert found["city"].has_drifted
    assert found["noise"].distance > 0.8
    assert found["noise"].change.endswith("→ 100.0 %")
    assert not found["since"].has_drifted


def test_common_rows_are_found():
    case = case_of("binary", with_train=True)
    made = section(replace(case, rows=case.train))
    assert "100.0 % of these rows are also in the training table" in made.findings[0].text
    assert not any("also in" in own.text for own in section(case).findings)

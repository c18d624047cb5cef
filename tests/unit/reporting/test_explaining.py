"""SHAP values of a report."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import case_of

from ceiba.reporting.explaining import explain


@pytest.mark.parametrize("kind", ["binary", "targets", "ranking", "linear_tree"])
def test_every_row_is_explained_if_there_is_time(kind):
    case = case_of(kind)
    found = case.explained
    assert found.rows.n_rows == case.rows.n_rows
    assert len(found.explanation) == case.rows.n_rows
    assert found.sizes.shape == (case.schema.n_features,)


def test_values_are_those_of_the_model():
    case = case_of("regression")
    few = case.rows.first(5)
    values = explain(case.subject, few, case.rows).values
    raw = case.subject.model.predict_raw(few.table)
    base = case.subject.model.explain(few.table).base_values
    assert np.allclose(values.sum(axis=1) + base, raw)


def test_outputs_have_the_names_of_the_targets():
    found = case_of("multilabel").explained.explanation
    assert found.output_names == ["high", "old"]
    assert found.scales == ["log-odds of high", "log-odds of old"]


def test_hybrids_explain_predictions():
    assert case_of("linear_tree").explained.explanation.scales == ["prediction"]
    scales = case_of("boosted_linear").explained.explanation.scales
    assert scales == ["probability of class yes"]

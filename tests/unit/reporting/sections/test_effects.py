"""Beeswarm, partial dependence and SHAP dependence plots."""

from __future__ import annotations

import pytest
from report_cases import case_of

from ceiba.reporting.sections.effects import section


def pictures(kind):
    blocks = section(case_of(kind)).blocks
    return [len(block.pictures) for block in blocks if block.kind == "pictures"]


@pytest.mark.parametrize("kind", ["regression", "binary", "two_scores"])
def test_one_output(kind):
    n = min(4, len(case_of(kind).explained.order))
    assert pictures(kind) == [1, n, n]


def test_several_outputs():
    assert pictures("multiclass")[0] == 3
    assert pictures("targets")[0] == 2


def test_hybrids_have_no_partial_dependence():
    assert len(pictures("linear_tree")) == 2

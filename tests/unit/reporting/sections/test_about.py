"""Fingerprint, versions, parameters."""

from __future__ import annotations

import pytest
from report_cases import case_of, model_of

import ceiba
from ceiba.reporting.sections.about import section


@pytest.mark.parametrize("kind", ["regression", "forest", "linear_tree", "two_scores"])
def test_section(kind):
    facts, parameters = section(case_of(kind)).blocks
    values = {row[0]: row[1] for row in facts.rows}
    assert values["Fingerprint of the model (SHA-256)"] == model_of(kind).fingerprint()
    assert values["ceiba"] == ceiba.__version__
    assert values["Rows of the report"] == "300 of 300"
    names = [row[0] for row in parameters.rows]
    assert names == sorted(names)
    assert len(names) > 5

"""How the training went, and what recipe auto decided."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import OTHERS, TASKS, case_of, judged, part, table, target_of

import ceiba
from ceiba.reporting.clock import Clock
from ceiba.reporting.rows import read_rows
from ceiba.reporting.sections.training import section
from ceiba.reporting.subject import subject_of
from ceiba.reporting.write import _case


@pytest.mark.parametrize("kind", [*TASKS, *OTHERS])
def test_section(kind):
    case = case_of(kind)
    made = section(case)
    facts = {row[0]: row[1] for row in made.blocks[0].rows}
    if not case.subject.is_hybrid:
        assert facts["Iterations"] == str(case.subject.model.n_iterations)
        assert facts["Trees"] == str(case.subject.model.n_trees)
        trees = case.subject.model.trees()
        n_leaves = np.count_nonzero(trees.feature < 0) / trees.n_trees
        shown = float(facts["Leaves of a tree, mean"])
        assert shown == pytest.approx(n_leaves, rel=0.01)
        assert made.blocks[1].kind == "pictures"


def test_history_and_decisions():
    X, y = part(table(), True), part(target_of("regression"), True)
    model = ceiba.CeibaRegressor(quality="fast", n_estimators=5)
    model.fit(X, y, eval_set=[(X, y)])
    subject = subject_of(model)
    rows = read_rows(subject, *judged("regression"))
    made = section(_case(subject, rows, rows, Clock(60.0, 1, bar=False)))
    assert len(made.blocks[1].pictures) == 2
    facts = {row[0]: row[1] for row in made.blocks[0].rows}
    assert facts["Best score, eval set validation_0"].startswith("rmse ")
    decisions = made.blocks[-1]
    assert decisions.caption == "What recipe auto decided"
    assert [row[0] for row in decisions.rows] == [own.question for own in model.model_.decisions()]

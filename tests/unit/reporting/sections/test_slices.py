"""Weak slices: names, members, the known weak one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from report_cases import case_of

from ceiba.reporting.sections.slices import section, slices_of, weak_slices


@pytest.mark.parametrize("kind", ["regression", "quantiles", "targets", "linear_tree"])
def test_the_noisy_city_is_found(kind):
    found, n_tested, n_columns = weak_slices(case_of(kind))
    assert found[0].name == "city is Oslo"
    assert found[0].loss > found[0].loss_elsewhere
    assert n_tested > 10
    assert n_columns == 4


@pytest.mark.parametrize("kind", ["binary", "ranking", "multilabel"])
def test_section(kind):
    made = section(case_of(kind))
    assert made.findings
    for block in made.blocks:
        if block.kind == "grid":
            assert all(len(row) == len(block.header) for row in block.rows)


def test_losses_by_chance_are_not_weak():
    case = case_of("regression")
    random = np.random.default_rng(0)
    n_found = 0
    for _ in range(40):
        rows = replace(case.rows, losses=random.gamma(0.5, size=case.rows.n_rows))
        n_found += bool(weak_slices(replace(case, rows=rows))[0])
    assert n_found <= 6


@pytest.mark.parametrize("column", ["age", "city", "since", "noise"])
def test_slices_partition_the_rows(column):
    case = case_of("regression")
    j = case.schema.names.index(column)
    slices = list(slices_of(case, j, case.rows.column(j)))
    assert (np.sum([members for _, members in slices], axis=0) == 1).all()
    assert len({name for name, _ in slices}) == len(slices)
    assert all(column in name for name, _ in slices)


def test_missing_values_are_a_slice():
    case = case_of("regression")
    j = case.schema.names.index("noise")
    names = [name for name, _ in slices_of(case, j, case.rows.column(j))]
    assert names[-1] == "noise is missing"
    few = [name for name, _ in slices_of(case, j, np.array([1.0, 2.0, 2.0]))]
    assert few == ["noise = 1", "noise = 2"]

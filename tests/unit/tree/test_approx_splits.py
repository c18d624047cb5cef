"""Splits at proposed quantiles, of trees and of nodes, are those of the reference."""

from __future__ import annotations

from dataclasses import replace

import pytest
from agreement import check_exact
from hypothesis import given, settings

from ceiba.testing.strategies import Case, cases


@pytest.mark.parametrize("scope", ["tree", "node"])
@settings(max_examples=50)
@given(case=cases(ruled=True, max_features=6))
def test_splits_are_those_of_the_reference(scope: str, case: Case) -> None:
    check_exact(replace(case, plan=replace(case.plan, sketch_eps=0.1, approx_scope=scope)))

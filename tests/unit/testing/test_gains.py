"""What splits of the reference gain, against sums written out."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.testing.gains import bounded_step, candidate_gains, goes_left, score, score_of, sums_of
from ceiba.testing.rounding import round_rows
from ceiba.testing.trees import Node, Plan, Split, Tree


@pytest.mark.parametrize("gradient", [-3.0, -0.5, 0.0, 2.0])
def test_a_score_is_twice_what_the_best_constant_gains(gradient: float) -> None:
    for plan in (
        Plan(reg_lambda=1.5),
        Plan(reg_lambda=1.5, reg_alpha=1.0),
        Plan(reg_alpha=1.0, max_delta_step=0.25),
    ):
        steps = np.linspace(*np.clip(plan.first_bounds, -4.0, 4.0), 80_001)
        quadratic = 0.5 * (2.0 + plan.reg_lambda) * steps**2 + plan.reg_alpha * np.abs(steps)
        losses = gradient * steps + quadratic
        best = bounded_step(gradient, 2.0, plan, plan.first_bounds)
        assert best == pytest.approx(steps[np.argmin(losses)], abs=1e-4)
        assert score(gradient, 2.0, plan) == pytest.approx(-2 * losses.min(), abs=1e-6)


def test_rows_without_hessians_have_no_score() -> None:
    assert score(1.0, 0.0, Plan()) == 0.0
    assert bounded_step(1.0, 0.0, Plan(), (-1.0, 1.0)) == 0.0


def test_gains_of_candidates_are_those_of_their_parts() -> None:
    gradients = np.array([1.0, -2.0, 0.5, 3.0, -1.0])
    rounded = round_rows(gradients, None, 1.0, None, weighted_counts=True, whole=True)
    codes = np.array([[0], [1], [3], [2], [0]])  # three values, and 3 is missing
    tree = Tree(codes, [3], [True], rounded, rounded.counts, Plan(reg_lambda=1.0), key=0)
    everything = np.arange(5)
    bounds = tree.plan.first_bounds
    sums = sums_of(rounded, everything)
    node = Node(everything, 0, -1, sums, score_of(tree, sums, bounds), bounds)
    gains, some_missing = candidate_gains(tree, node, 0, -np.inf)
    assert some_missing
    for last in range(3):
        for column, missing_left in enumerate((True, False)):
            left = goes_left(tree, everything, Split(0.0, 0, last, missing_left))
            expected = -node.score
            for rows in (everything[left], everything[~left]):
                expected += score_of(tree, sums_of(rounded, rows), bounds)
            if left.all():
                assert gains[last, column] == -np.inf
            else:
                assert gains[last, column] == pytest.approx(expected)

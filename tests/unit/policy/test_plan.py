"""From facts and parameters of the user to candidates, folds, rounds and learning rates."""

from __future__ import annotations

from typing import Any

import pytest

from ceiba.errors import InvalidParameterError
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve
from ceiba.policy import plan as plan_module
from ceiba.policy.plan import Facts, Plan, make_plan


def plan_of(n_rows: int, n_outputs: int = 1, **given: Any) -> Plan:
    objective = find_objective(given.get("objective", "squared_error"))
    return make_plan(resolve(given), Facts(n_rows, n_outputs), objective)


def names(plan: Plan) -> list[list[str]]:
    return [[candidate.name for candidate in heat] for heat in plan.heats]


def test_small_tables_are_dealt_to_folds_and_large_ones_hold_a_fifth_out() -> None:
    assert plan_of(10_000).n_folds == 5
    assert plan_of(10_001).n_folds == 1
    assert plan_of(10_001).fraction == 0.2
    assert plan_of(10_000, 6).n_folds == 1  # every output is a tree
    assert plan_of(10_001, quality="best").n_folds == 5


def test_candidates_of_both_shapes() -> None:
    assert names(plan_of(20_000)) == [
        [
            "leafwise trees with constant leaves",
            "leafwise trees with linear leaves",
            "leafwise trees with up to 96 constant leaves",
            "leafwise trees with up to 96 linear leaves",
        ],
        [
            "symmetric trees with constant leaves",
            "symmetric trees with constant leaves at depth 8",
        ],
    ]
    assert [len(heat) for heat in plan_of(10_000).heats] == [2, 1]
    assert len(plan_of(20_000, quality="best").heats) == 4


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {"leaf_model": "constant"},
            [
                "leafwise trees with constant leaves",
                "leafwise trees with up to 96 constant leaves",
            ],
        ),
        (
            {"linear_lambda": 3.0},
            ["leafwise trees with linear leaves", "leafwise trees with up to 96 linear leaves"],
        ),
        ({"max_depth": 3, "leaf_model": "constant"}, ["leafwise trees with constant leaves"]),
        (
            {"max_leaves": 7},
            ["leafwise trees with constant leaves", "leafwise trees with linear leaves"],
        ),
    ],
    ids=str,
)
def test_parameters_of_the_user_limit_the_race(given: dict[str, Any], expected: list[str]) -> None:
    plan = plan_of(20_000, **given)
    assert names(plan)[0] == expected
    for heat in plan.heats:
        for candidate in heat:
            for name, value in given.items():
                assert getattr(candidate.parameters, name) == value


def test_a_growth_policy_of_the_user_is_the_only_one() -> None:
    plan = plan_of(20_000, grow_policy="depthwise")
    assert [c.parameters.grow_policy for heat in plan.heats for c in heat] == ["depthwise"] * 4
    plan = plan_of(20_000, grow_policy="symmetric")
    assert [heat[0] for heat in names(plan)] == ["symmetric trees with constant leaves"]


def test_large_learning_rates_have_short_heats() -> None:
    assert plan_of(20_000).heat_rounds == 40
    assert plan_of(20_000_000).heat_rounds == 27
    assert plan_of(20_000, learning_rate=0.01).heat_rounds == 40
    assert plan_of(20_000, learning_rate=1.0).heat_rounds == 10


def test_a_learning_rate_of_the_user_is_that_of_all_candidates() -> None:
    plan = plan_of(20_000, learning_rate=0.3)
    assert {c.parameters.learning_rate for heat in plan.heats for c in heat} == {0.3}


@pytest.mark.parametrize("n_outputs", [1, 7])
def test_the_budget_counts_rounds_and_rows(n_outputs: int) -> None:
    rounds = [plan_of(n, n_outputs).n_rounds for n in (20_000, 200_000, 2_000_000, 20_000_000)]
    assert rounds == sorted(rounds, reverse=True)
    assert rounds[0] <= plan_module.MOST_ROUNDS
    assert rounds[-1] == plan_module.FEWEST_ROUNDS
    rates = [
        plan_of(n, n_outputs).heats[0][0].parameters.learning_rate for n in (20_000, 20_000_000)
    ]
    assert rates[0] <= rates[1] == plan_module.HIGHEST_RATE


def test_patience_and_fraction_of_the_user() -> None:
    plan = plan_of(20_000, early_stopping_rounds=7, validation_fraction=0.4)
    assert (plan.patience, plan.fraction) == (7, 0.4)


def test_parameters_of_further_steps_need_symmetric_trees_of_logistic() -> None:
    plan = plan_of(1000, objective="logistic", leaf_penalty="step")
    assert names(plan) == [["symmetric trees with constant leaves"]]
    with pytest.raises(InvalidParameterError, match="leaf_penalty='step' has no effect with leaf_"):
        plan_of(1000, leaf_penalty="step")

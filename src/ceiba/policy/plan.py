"""From facts about the table to a plan: candidates, folds, number of rounds, learning rates.

A plan consists of heats. The candidates of a heat have trees of one shape and differ in their size
and leaves, so a few rounds tell which is better. The winners of all heats are averaged: trees of
different shapes make different errors.

==========  =============================  =======================================================
quality     heats                          folds
==========  =============================  =======================================================
balanced    leafwise, symmetric            5 up to 10,000 rows, otherwise a fifth is held out once
best        both, and both again on half   5
            of the columns of each node
==========  =============================  =======================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ceiba.boosting.leaves import check_steps
from ceiba.errors import InvalidParameterError

if TYPE_CHECKING:
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

__all__ = ["Candidate", "Facts", "Plan", "make_plan"]

#: Up to so many rows times outputs, every row is held out once, in folds.
FOLDED_SCORES = 50_000
FOLDED_ROWS = 10_000
N_FOLDS = 5
#: Share of the rows that one fold holds out.
FRACTION = 0.2
#: Rounds without improvement after which a candidate stops.
PATIENCE = 50
#: The best candidate of a heat goes on alone after so many rounds, fewer at large learning rates.
HEAT_ROUNDS, FEWEST_HEAT_ROUNDS, HEAT_RATE = 40, 10, 0.1
#: Heats of a larger table train on a sample of so many rows: that saves memory and time.
HEAT_ROWS = 200_000
#: The budget of a training: rounds times rows times outputs, and the range of rounds.
BUDGET = 150_000_000
MOST_ROUNDS = 1000
FEWEST_ROUNDS = 100
#: The learning rate times the largest number of rounds, and the range of learning rates.
RATE_TIMES_ROUNDS = 60.0
LOWEST_RATE, HIGHEST_RATE = 0.1, 0.15
#: Factor on the learning rate of symmetric trees: nodes of a level share a split, so they fit less.
SYMMETRIC_RATE = 4.0 / 3.0


@dataclass(frozen=True, slots=True)
class Facts:
    """What the plan depends on, besides the parameters of the user."""

    n_rows: int
    n_outputs: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """Settings that a user could give to recipe single."""

    shape: str
    leaves: str
    parameters: Parameters

    @property
    def name(self) -> str:
        """Return the shape of the trees and the kind of the leaves."""
        return f"{self.shape} with {self.leaves}"


@dataclass(frozen=True, slots=True)
class Plan:
    """Candidates and budget of a fit."""

    heats: tuple[tuple[Candidate, ...], ...]
    n_folds: int
    fraction: float
    n_rounds: int
    patience: int
    heat_rounds: int
    #: Share of the rows that the heats train on.
    heat_share: float


@dataclass(frozen=True, slots=True)
class Heat:
    """Trees of one shape, and the settings of each kind of leaves to try."""

    shape: str
    growth: str
    leaves: Mapping[str, Mapping[str, Any]]


#: Candidates that set one of them are left out if the user sets one.
_SIZES = frozenset({"max_leaves", "max_depth"})
_CONSTANT = {"leaf_model": "constant"}
_LINEAR = {"leaf_model": "linear", "linear_lambda": 1.0}
#: Models of the folds of a small table differ more with these settings, and their mean gains.
_SAMPLED = {"leaf_model": "constant", "colsample_bynode": 0.5, "min_samples_leaf": 5}
_HALF = {"leaf_model": "constant", "colsample_bynode": 0.5}
#: Larger trees gain much where the target has little noise; the first rounds tell.
_LARGE, _DEEP = {"max_leaves": 96}, {"max_depth": 8}

_BALANCED = (
    Heat(
        "leafwise trees",
        "leafwise",
        {
            "constant leaves": _CONSTANT,
            "linear leaves": _LINEAR,
            "up to 96 constant leaves": {**_CONSTANT, **_LARGE},
            "up to 96 linear leaves": {**_LINEAR, **_LARGE},
        },
    ),
    Heat(
        "symmetric trees",
        "symmetric",
        {"constant leaves": _CONSTANT, "constant leaves at depth 8": {**_CONSTANT, **_DEEP}},
    ),
)
_SMALL = (
    Heat("leafwise trees", "leafwise", {"constant leaves": _SAMPLED, "linear leaves": _LINEAR}),
    Heat("symmetric trees", "symmetric", {"constant leaves": _SAMPLED}),
)
_BEST = (
    *_BALANCED,
    Heat("leafwise trees on half of the columns", "leafwise", {"constant leaves": _HALF}),
    Heat("symmetric trees on half of the columns", "symmetric", {"constant leaves": _HALF}),
)
_BEST_SMALL = (
    *_BALANCED,
    Heat("leafwise trees on half of the columns", "leafwise", {"constant leaves": _SAMPLED}),
    Heat("symmetric trees on half of the columns", "symmetric", {"constant leaves": _SAMPLED}),
)

_HEATS: Mapping[tuple[str, bool], Sequence[Heat]] = {
    ("balanced", False): _BALANCED,
    ("balanced", True): _SMALL,
    ("best", False): _BEST,
    ("best", True): _BEST_SMALL,
}


def make_plan(given: Parameters, facts: Facts, objective: Objective) -> Plan:
    """Return the plan for the parameters of a user and the facts of the table."""
    is_small = facts.n_rows <= FOLDED_ROWS and facts.n_rows * facts.n_outputs <= FOLDED_SCORES
    is_best = given.quality == "best"
    # Quality best spends as many rounds on each fold as balanced does on its only one.
    work = facts.n_rows * facts.n_outputs * (N_FOLDS if is_small else 1)
    n_rounds = min(MOST_ROUNDS, max(FEWEST_ROUNDS, BUDGET // work))
    rate = min(HIGHEST_RATE, max(LOWEST_RATE, RATE_TIMES_ROUNDS / n_rounds))
    heats = _HEATS["best" if is_best else "balanced", is_small]
    patience = given.early_stopping_rounds
    used_rate = given.learning_rate if given.is_given("learning_rate") else rate
    heat_rounds = HEAT_ROUNDS * min(1.0, HEAT_RATE / used_rate)
    return Plan(
        heats=_candidates(given, heats, rate, partial(check_steps, objective, facts.n_outputs)),
        n_folds=N_FOLDS if is_small or is_best else 1,
        fraction=given.validation_fraction if given.is_given("validation_fraction") else FRACTION,
        n_rounds=n_rounds,
        patience=patience if isinstance(patience, int) and patience > 0 else PATIENCE,
        heat_rounds=max(FEWEST_HEAT_ROUNDS, round(heat_rounds)),
        heat_share=min(1.0, HEAT_ROWS / facts.n_rows),
    )


def _candidates(
    given: Parameters, heats: Sequence[Heat], rate: float, check: Callable[[Parameters], None]
) -> tuple[tuple[Candidate, ...], ...]:
    """Return the candidates of each heat that agree with the parameters of the user.

    ``check`` raises for parameters that have no effect with the objective.
    """
    found: list[tuple[Candidate, ...]] = []
    errors: list[InvalidParameterError] = []
    for heat in _heats_of(given, heats):
        rate_of_shape = rate * (SYMMETRIC_RATE if heat.growth == "symmetric" else 1.0)
        candidates = []
        for leaves, own in heat.leaves.items():
            if own.keys() & _SIZES and any(given.is_given(name) for name in _SIZES):
                continue
            if given.is_given("leaf_model") and given.leaf_model != own["leaf_model"]:
                continue
            settings = {"grow_policy": heat.growth, "learning_rate": rate_of_shape, **own}
            try:
                chosen = given.choosing(**settings)
                check(chosen)
                candidates.append(Candidate(heat.shape, leaves, chosen))
            except InvalidParameterError as error:
                errors.append(error)
        if candidates:
            found.append(tuple(candidates))
    if not found:
        raise errors[0]
    return tuple(found)


def _heats_of(given: Parameters, heats: Sequence[Heat]) -> Sequence[Heat]:
    """Return the heats whose growth policy is the one that the user set, or all of them."""
    if not given.is_given("grow_policy"):
        return heats
    growth = given.grow_policy
    of_growth = [heat for heat in heats if heat.growth == growth]
    return of_growth or [Heat(f"{growth} trees", growth, heats[0].leaves)]

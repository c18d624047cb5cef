"""From facts about the table to a plan: candidates, folds, number of rounds, learning rates.

A plan consists of heats. The candidates of a heat have trees of one shape and differ in their
leaves, so a few rounds tell which is better. The winners of all heats are averaged: trees of
different shapes make different errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ceiba.errors import InvalidParameterError

if TYPE_CHECKING:
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
#: Rounds after which the best candidate of a heat goes on alone.
HEAT_ROUNDS = 60
#: The budget of a training: rounds times rows times outputs, and the range of rounds.
BUDGET = 240_000_000
MOST_ROUNDS = 2000
FEWEST_ROUNDS = 100
#: The learning rate times the largest number of rounds, and the range of learning rates.
RATE_TIMES_ROUNDS = 60.0
LOWEST_RATE, HIGHEST_RATE = 0.06, 0.15
#: Levels of symmetric trees share their splits, so their trees learn less.
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
    heat_rounds: int = HEAT_ROUNDS


#: Settings of the leaves of each shape of trees.
_CONSTANT = {"leaf_model": "constant"}
_LINEAR = {"leaf_model": "linear", "linear_lambda": 1.0}
#: The heats: the name of the shape, its growth policy, and its candidates by their leaves.
_HEATS: tuple[tuple[str, str, Mapping[str, Mapping[str, Any]]], ...] = (
    ("leafwise trees", "leafwise", {"constant leaves": _CONSTANT, "linear leaves": _LINEAR}),
    ("symmetric trees", "symmetric", {"constant leaves": _CONSTANT}),
)
#: Settings of constant leaves on few rows: models of the folds differ more, and their mean gains.
_OF_FOLDS = {"colsample_bynode": 0.5, "min_samples_leaf": 5}


def make_plan(given: Parameters, facts: Facts) -> Plan:
    """Return the plan for the parameters of a user and the facts of the table."""
    is_small = facts.n_rows <= FOLDED_ROWS and facts.n_rows * facts.n_outputs <= FOLDED_SCORES
    n_folds = N_FOLDS if is_small else 1
    work = facts.n_rows * facts.n_outputs * n_folds
    n_rounds = min(MOST_ROUNDS, max(FEWEST_ROUNDS, BUDGET // work))
    rate = min(HIGHEST_RATE, max(LOWEST_RATE, RATE_TIMES_ROUNDS / n_rounds))
    patience = given.early_stopping_rounds
    return Plan(
        heats=_heats(given, rate, is_small=is_small),
        n_folds=n_folds,
        fraction=given.validation_fraction if given.is_given("validation_fraction") else FRACTION,
        n_rounds=n_rounds,
        patience=patience if isinstance(patience, int) and patience > 0 else PATIENCE,
    )


def _heats(
    given: Parameters, rate: float, *, is_small: bool
) -> tuple[tuple[Candidate, ...], ...]:
    """Return the candidates that agree with the parameters of the user."""
    heats: list[tuple[Candidate, ...]] = []
    errors: list[InvalidParameterError] = []
    for shape, growth, variants in _HEATS:
        heat = []
        for leaves, own in variants.items():
            settings = {"grow_policy": growth, **own}
            if any(given.is_given(name) and getattr(given, name) != settings[name] for name in _KINDS):
                continue
            settings["learning_rate"] = rate * (SYMMETRIC_RATE if growth == "symmetric" else 1.0)
            if is_small and own is _CONSTANT:
                settings |= _OF_FOLDS
            try:
                heat.append(Candidate(shape, leaves, given.choosing(**settings)))
            except InvalidParameterError as error:
                errors.append(error)
        if heat:
            heats.append(tuple(heat))
    if not heats:
        raise errors[0]
    return tuple(heats)


#: Parameters that say what kind of trees a candidate has.
_KINDS = ("grow_policy", "leaf_model")

"""Candidates that advance in step, the heats that end them, and the rounds that they keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from ceiba.parameters.resolving import resolve
from ceiba.policy.plan import Candidate
from ceiba.policy.race import HELD_OUT, Contestant, Fold, race, threads_for, winners_of

PARAMETERS = resolve({"n_jobs": 1})


@dataclass
class FakeRound:
    """A round with a metric on the held-out rows."""

    value: float
    better: bool = False
    asked: list[int] = field(default_factory=list)

    @property
    def evals(self) -> dict[str, dict[str, float]]:
        return {HELD_OUT: {"loss": self.value}}

    @property
    def higher_is_better(self) -> dict[str, bool]:
        return {"loss": self.better}

    def make_model(self, iteration: int) -> int:
        return iteration


def contestant(
    values: Sequence[float], heat: int = 0, patience: int = 3, better: bool = False, **more: Any
) -> Contestant:
    def training() -> Iterator[Any]:
        for value in values:
            yield FakeRound(value, better)

    rows: Any = SimpleNamespace(n_rows=10)
    candidate = Candidate("trees", "leaves", PARAMETERS)
    folds = [Fold(rows, {HELD_OUT: rows})]
    own = {"patience": patience, "n_rounds": len(values), "may_vanish": False, **more}
    return Contestant(candidate, heat, folds, [training()], **own)


def run(*contestants: Contestant, heat_rounds: int = 100) -> int:
    return len(list(race(contestants, heat_rounds)))


def test_a_contestant_stops_after_its_patience_and_keeps_its_best_round() -> None:
    one = contestant([5, 4, 3, 4, 4, 4, 1], patience=3)
    assert run(one) == 6
    assert (one.best_round, one.best_value) == (2, 3)
    assert one.models() == [2]


def test_higher_may_be_better() -> None:
    one = contestant([1, 3, 2], better=True)
    run(one)
    assert (one.best_round, one.best_value) == (1, 3)


def test_the_better_one_of_a_heat_goes_on() -> None:
    first, second = contestant([5, 4, 3, 2, 1]), contestant([5, 3.5, 3.4, 0, 0])
    other = contestant([9, 8, 7, 6, 5], heat=1)
    run(first, second, other, heat_rounds=2)
    assert [len(c.history) for c in (first, second, other)] == [2, 5, 5]
    assert winners_of([first, second, other]) == [second, other]


def test_ties_keep_the_first() -> None:
    first, second = contestant([2.0, 1.0]), contestant([2.0, 1.0])
    run(first, second)
    assert winners_of([first, second]) == [first]


def test_metrics_that_are_nan_never_win() -> None:
    first, second = contestant([float("nan")] * 2), contestant([9.0, 8.0])
    run(first, second)
    assert winners_of([first, second]) == [second]


def test_a_loss_that_vanishes_ends_the_training() -> None:
    one = contestant([1.0, 0.0005, 0.0001], may_vanish=True)
    assert run(one) == 2


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"n_jobs": 4}, 2), ({"n_jobs": 1}, 1), ({"n_jobs": 4, "eval_metric": lambda y, p: 0.0}, 1)],
    ids=["folds", "one thread", "function of the user"],
)
def test_threads(given: dict[str, Any], expected: int) -> None:
    rows: Any = SimpleNamespace(n_rows=10)
    assert threads_for([Fold(rows, {HELD_OUT: rows})] * 2, resolve(given)) == expected
    assert threads_for([Fold(rows, {HELD_OUT: rows})], resolve(given)) == 1

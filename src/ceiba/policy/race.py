"""Train candidates in step, and stop those that cannot win.

The life of a contestant:

1. It has one training per fold. :meth:`Contestant.advance` adds one round to each, and the mean of
   the metric over the folds decides, as in a cross-validation.
2. After ``heat_rounds`` rounds only the best contestant of each heat continues.
3. It stops when its metric has not improved for ``patience`` rounds, or nearly vanished.
4. :meth:`Contestant.models` returns the models of the folds up to the best iteration.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ceiba.boosting.loop import boost
from ceiba.callbacks import Round

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.model.model import Model
    from ceiba.objectives import Objective
    from ceiba.policy.plan import Candidate, Plan

__all__ = ["HELD_OUT", "Contestant", "Fold", "race"]

#: Name of the held-out rows among the eval sets of a training.
HELD_OUT = "validation"
#: A log loss below this share of that of the first round: nothing is left to learn.
_VANISHED = 1e-3


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows to train on, and eval sets; early stopping watches the last one."""

    rows: Dataset
    evals: Mapping[str, Dataset]

    @property
    def watched(self) -> str:
        """Return the name of the eval set that decides."""
        return list(self.evals)[-1]


@dataclass(slots=True)
class Contestant:
    """A candidate in training: one model per fold, advanced in step."""

    candidate: Candidate
    heat: int
    folds: Sequence[Fold]
    trainings: list[Iterator[Round]]
    patience: int
    n_rounds: int
    may_vanish: bool
    #: The last round of each fold.
    rounds: list[Round] = field(default_factory=list)
    #: Mean metrics by eval set after each round.
    history: list[dict[str, dict[str, float]]] = field(default_factory=list)
    best_round: int = -1
    best_loss: float = math.inf
    first_loss: float = math.inf
    is_running: bool = True

    @classmethod
    def start(
        cls,
        candidate: Candidate,
        heat: int,
        folds: Sequence[Fold],
        plan: Plan,
        objective: Objective,
        classes: NDArray[Any] | None,
    ) -> Contestant:
        """Prepare a training per fold; the first round starts them."""
        parameters = candidate.parameters.replace(
            n_estimators=plan.n_rounds, early_stopping_rounds=0
        )
        trainings = [
            boost(parameters, fold.rows, fold.evals, classes=classes, objective=objective)
            for fold in folds
        ]
        may_vanish = objective.task in ("binary", "multiclass")
        return cls(
            candidate, heat, folds, trainings, plan.patience, plan.n_rounds, may_vanish
        )

    def advance(self) -> None:
        """Train one round on each fold."""
        self.rounds = [next(training) for training in self.trainings]
        means = self._mean_metrics()
        self.history.append(means)
        loss = self.loss_of(means)
        if len(self.history) == 1:
            self.first_loss = loss
        if loss < self.best_loss or self.best_round < 0:
            self.best_round, self.best_loss = len(self.history) - 1, loss
        waited = len(self.history) - 1 - self.best_round
        vanished = self.may_vanish and 0.0 <= loss < _VANISHED * self.first_loss
        if waited >= self.patience or len(self.history) >= self.n_rounds or vanished:
            self.stop()

    def stop(self) -> None:
        """End the trainings; the rounds so far stay."""
        self.is_running = False
        self.trainings = []

    def loss_of(self, metrics: Mapping[str, Mapping[str, float]]) -> float:
        """Return the deciding metric, lower is better; infinity if it is NaN."""
        name, value = list(metrics[self.folds[0].watched].items())[-1]
        sign = -1.0 if self.rounds[0].higher_is_better[name] else 1.0
        return math.inf if math.isnan(value) else sign * value

    @property
    def metric(self) -> str:
        """Return the name of the deciding metric."""
        return list(self.history[0][self.folds[0].watched])[-1]

    @property
    def best_value(self) -> float:
        """Return the best value of the deciding metric."""
        return self.history[self.best_round][self.folds[0].watched][self.metric]

    def models(self) -> list[Model]:
        """Return the model of each fold, up to the best iteration."""
        return [round.make_model(self.best_round) for round in self.rounds]

    def _mean_metrics(self) -> dict[str, dict[str, float]]:
        """Return the means over the folds, weighted by the number of held-out rows."""
        first = self.rounds[0].evals
        if len(self.rounds) == 1:
            return {name: dict(metrics) for name, metrics in first.items()}
        sizes = [fold.evals[fold.watched].n_rows for fold in self.folds]
        total = sum(sizes)
        return {
            name: {
                metric: sum(
                    size * round.evals[name][metric]
                    for size, round in zip(sizes, self.rounds, strict=True)
                )
                / total
                for metric in metrics
            }
            for name, metrics in first.items()
        }


def race(contestants: Sequence[Contestant], heat_rounds: int) -> Iterator[int]:
    """Advance all contestants in step and yield the number of the round, from 0.

    After ``heat_rounds`` rounds only the best of each heat continues; ties keep the first.
    """
    number = 0
    while any(contestant.is_running for contestant in contestants):
        for contestant in contestants:
            if contestant.is_running:
                contestant.advance()
        if number + 1 == heat_rounds:
            for contestant in contestants:
                if contestant is not best_of_heat(contestants, contestant.heat):
                    contestant.stop()
        yield number
        number += 1


def best_of_heat(contestants: Sequence[Contestant], heat: int) -> Contestant:
    """Return the contestant of a heat with the best metric so far."""
    own = [contestant for contestant in contestants if contestant.heat == heat]
    return min(own, key=lambda contestant: contestant.best_loss)


def winners_of(contestants: Sequence[Contestant]) -> list[Contestant]:
    """Return the best contestant of each heat."""
    return [best_of_heat(contestants, heat) for heat in sorted({c.heat for c in contestants})]

"""Train candidates in step, and stop those that cannot win.

The life of a contestant:

1. It has one training per fold. :func:`race` adds one round to each, and the mean of the metric
   over the folds decides, as in a cross-validation.
2. After ``heat_rounds`` rounds only the best contestant of each heat continues.
3. It stops when its metric has not improved for ``patience`` rounds, or nearly vanished.
4. :meth:`Contestant.models` returns the models of the folds up to the best iteration.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from ceiba.boosting.loop import boost
from ceiba.boosting.row_splits import hashed_fraction, row_hashes
from ceiba.callbacks import Round
from ceiba.model.predict import count_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.model.model import Model
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters
    from ceiba.policy.plan import Candidate, Plan

__all__ = ["HELD_OUT", "Contestant", "Fold", "race"]

#: Name of the held-out rows among the eval sets of a training.
HELD_OUT = "validation"
#: A log loss below this share of that of the first round: nothing is left to learn.
_VANISHED = 1e-3
#: Separates the random numbers of the sample from those of other splits.
_PURPOSE = 0x6865617473


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows to train on, and eval sets; early stopping watches the last one."""

    rows: Dataset
    evals: Mapping[str, Dataset]

    @property
    def watched(self) -> str:
        """Return the name of the eval set that decides."""
        return list(self.evals)[-1]

    def sampled(self, share: float, seed: int) -> Fold:
        """Return this share of the rows and of the eval sets, chosen by their contents."""

        def some(rows: Dataset) -> Dataset:
            chosen = hashed_fraction(row_hashes(rows), share, seed ^ _PURPOSE)
            return rows.take(rows.row_numbers[chosen], share_bins=True, keep_levels=True)

        return Fold(some(self.rows), {name: some(rows) for name, rows in self.evals.items()})


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
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
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
        """Prepare a training per fold; the first round starts them.

        Trainings of several folds have one thread each (:class:`FoldThreads`).
        """
        parameters = candidate.parameters.replace(
            n_estimators=plan.n_rounds, early_stopping_rounds=0
        )
        if threads_for(folds, candidate.parameters) > 1:
            parameters = parameters.replace(n_jobs=1)
        trainings = [
            boost(parameters, fold.rows, fold.evals, classes=classes, objective=objective)
            for fold in folds
        ]
        may_vanish = objective.task in ("binary", "multiclass")
        return cls(candidate, heat, folds, trainings, plan.patience, plan.n_rounds, may_vanish)

    def add(self, rounds: list[Round]) -> None:
        """Record a round of each fold, and stop where the metric no longer improves."""
        self.rounds = rounds
        self.higher_is_better = rounds[0].higher_is_better
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

    def forget_rows(self) -> None:
        """End the trainings without a model."""
        self.stop()
        self.rounds = []

    def loss_of(self, metrics: Mapping[str, Mapping[str, float]]) -> float:
        """Return the deciding metric, lower is better; infinity if it is NaN."""
        name, value = list(metrics[self.folds[0].watched].items())[-1]
        sign = -1.0 if self.higher_is_better[name] else 1.0
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
    first = contestants[0]
    n_threads = threads_for(first.folds, first.candidate.parameters)
    with FoldThreads(n_threads) as threads:
        number = 0
        while running := [contestant for contestant in contestants if contestant.is_running]:
            trainings = [training for contestant in running for training in contestant.trainings]
            rounds = threads.advance(trainings)
            for contestant in running:
                contestant.add([next(rounds) for _ in contestant.trainings])
            if number + 1 == heat_rounds:
                for contestant in contestants:
                    if contestant is not best_of_heat(contestants, contestant.heat):
                        contestant.stop()
            yield number
            number += 1


def threads_for(folds: Sequence[Fold], parameters: Parameters) -> int:
    """Return the number of trainings that run at a time.

    Folds are small, so a thread for each is faster than several threads for one. Functions of the
    user are never called by two threads.
    """
    has_functions = any(callable(value) for value in (parameters.objective, parameters.eval_metric))
    if len(folds) == 1 or has_functions or isinstance(parameters.eval_metric, list | tuple):
        return 1
    return min(len(folds), count_threads(parameters.n_jobs))


class FoldThreads:
    """Threads that advance trainings side by side; with one thread, one after the other."""

    def __init__(self, n_threads: int) -> None:
        self._pool = ThreadPoolExecutor(n_threads) if n_threads > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True)

    def advance(self, trainings: Sequence[Iterator[Round]]) -> Iterator[Round]:
        """Return the next round of each training."""
        if self._pool is None:
            return iter([next(training) for training in trainings])
        running = [self._pool.submit(next, training) for training in trainings]
        try:
            wait(running)
        except KeyboardInterrupt:
            wait(running)  # rounds must be complete before a model is made of them
            raise
        return iter([training.result() for training in running])


def best_of_heat(contestants: Sequence[Contestant], heat: int) -> Contestant:
    """Return the contestant of a heat with the best metric so far."""
    own = [contestant for contestant in contestants if contestant.heat == heat]
    return min(own, key=lambda contestant: contestant.best_loss)


def winners_of(contestants: Sequence[Contestant]) -> list[Contestant]:
    """Return the best contestant of each heat."""
    return [best_of_heat(contestants, heat) for heat in sorted({c.heat for c in contestants})]

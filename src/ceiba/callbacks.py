"""Callbacks: code that looks on while a model is trained, and may stop it.

The life of a callback:

1. ``before_training(n_rounds)`` is called once; a callback forgets an earlier training here;
2. ``after_round(round)`` is called after every round, with a :class:`Round`; a true answer stops
   the training after this round;
3. ``after_training()`` is called once at the end, also if the training failed.

A plain function is a callback too: it is called as ``after_round``.

>>> def stop_when_good(round):
...     return round.evals["validation_0"]["rmse"] < 0.1
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ceiba.constraints import Integer, Real, check_value
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.metrics import find_metric

if TYPE_CHECKING:
    from ceiba.model import Model

History = dict[str, dict[str, list[float]]]


@dataclass(frozen=True, slots=True)
class Round:
    """What a callback sees after a round."""

    #: Number of the round, from 0.
    iteration: int
    #: Rounds that were asked for.
    n_rounds: int
    #: Name of eval set → name of metric → value.
    evals: Mapping[str, Mapping[str, float]]
    #: Name of metric → whether more is better.
    higher_is_better: Mapping[str, bool]
    #: Makes a model of the trees so far; it costs a copy of them.
    make_model: Callable[[], Model] = field(repr=False)


class Callback:
    """Does nothing; derive from it and write the methods you need."""

    def before_training(self, n_rounds: int) -> None:
        """Start afresh."""

    def after_round(self, round: Round) -> bool | None:
        """Look at a round; return True to stop after it."""

    def after_training(self) -> None:
        """Clean up."""


class RecordHistory(Callback):
    """Keeps every metric of every round."""

    def __init__(self) -> None:
        self.history: History = {}

    def before_training(self, n_rounds: int) -> None:
        self.history = {}

    def after_round(self, round: Round) -> None:
        for set_name, metrics in round.evals.items():
            kept = self.history.setdefault(set_name, {})
            for metric, value in metrics.items():
                kept.setdefault(metric, []).append(value)


class EarlyStopping(Callback):
    """Stops when a metric has not become better for some rounds; the best iteration is kept.

    Parameters
    ----------
    patience : int
        Rounds to wait for a better value.
    tolerance : float, default=0
        A value must be better than the best so far by more than this.
    eval_set : str, optional
        Name of the eval set to look at; by default the last one.
    metric : str, optional
        Name or alias of the metric to look at; by default the last one.

    Attributes
    ----------
    best_iteration : int or None
        Number of the best round so far, from 0.
    best_value : float or None
        The metric of that round.
    """

    def __init__(
        self,
        patience: int,
        tolerance: float = 0.0,
        *,
        eval_set: str | None = None,
        metric: str | None = None,
    ) -> None:
        self.patience: int = check_value("patience", Integer(1), patience)
        self.tolerance: float = check_value("tolerance", Real(0.0), tolerance)
        self.eval_set = eval_set
        self.metric = metric
        self.best_iteration: int | None = None
        self.best_value: float | None = None

    def before_training(self, n_rounds: int) -> None:
        self.best_iteration = None
        self.best_value = None

    def after_round(self, round: Round) -> bool:
        metric, value = self._value(round)
        sign = 1.0 if round.higher_is_better[metric] else -1.0
        best = self.best_value
        if self.best_iteration is None or best is None:
            better = True
        else:
            # A NaN is never better, and anything is better than a NaN.
            better = sign * (value - best) > self.tolerance or (best != best and value == value)
        if better:
            self.best_iteration, self.best_value = round.iteration, value
            return False
        assert self.best_iteration is not None
        return round.iteration - self.best_iteration >= self.patience

    def _value(self, round: Round) -> tuple[str, float]:
        if not round.evals:
            raise InvalidInputError(
                "Early stopping needs an eval set, and there is none. Give eval_set to fit (or "
                "eval_sets to train)."
            )
        set_name = self.eval_set if self.eval_set is not None else list(round.evals)[-1]
        metrics = _look_up("eval set", set_name, round.evals)
        metric = _canonical(self.metric) if self.metric is not None else list(metrics)[-1]
        return metric, _look_up("metric", metric, metrics)


class ProgressBar(Callback):
    """Shows how far the training is, and the last metrics; with rich if it is installed."""

    def __init__(self) -> None:
        self._exits = ExitStack()
        self._show: Callable[[Round], None] = _print_some_rounds

    def before_training(self, n_rounds: int) -> None:
        try:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
            from rich.progress import TimeElapsedColumn as Elapsed
        except ImportError:
            return
        words = TextColumn("{task.description}")
        last = TextColumn("{task.fields[metrics]}")
        bar = Progress(words, BarColumn(), MofNCompleteColumn(), Elapsed(), last)
        self._exits.enter_context(bar)
        task = bar.add_task("ceiba", total=n_rounds, metrics="")

        def show(round: Round) -> None:
            bar.update(task, completed=round.iteration + 1, metrics=_in_words(round))

        self._show = show

    def after_round(self, round: Round) -> None:
        self._show(round)

    def after_training(self) -> None:
        self._exits.close()
        self._show = _print_some_rounds


class _Function(Callback):
    """A plain function as a callback."""

    def __init__(self, function: Callable[[Round], Any]) -> None:
        self._function = function

    def after_round(self, round: Round) -> bool:
        return bool(self._function(round))


class CallbackList(Callback):
    """Several callbacks as one; all of them see every round."""

    def __init__(self, callbacks: Sequence[Callback]) -> None:
        self.callbacks = tuple(callbacks)

    def before_training(self, n_rounds: int) -> None:
        for callback in self.callbacks:
            callback.before_training(n_rounds)

    def after_round(self, round: Round) -> bool:
        # All of them are asked first: one that stops must not hide the round from the others.
        answers = [callback.after_round(round) for callback in self.callbacks]
        return any(answers)

    def after_training(self) -> None:
        for callback in self.callbacks:
            callback.after_training()

    def best_iteration(self) -> int | None:
        """Return the best iteration of the first early stopping, if there is one."""
        for callback in self.callbacks:
            if isinstance(callback, EarlyStopping):
                return callback.best_iteration
        return None


def check_callbacks(callbacks: Iterable[Any] | None) -> list[Callback]:
    """Return a user's callbacks, plain functions wrapped."""
    if callbacks is None:
        return []
    if isinstance(callbacks, Callback) or callable(callbacks):
        callbacks = [callbacks]
    if not isinstance(callbacks, Iterable):
        raise InvalidTypeError(f"callbacks must be a list of callbacks. Got {callbacks!r}.")
    checked: list[Callback] = []
    for callback in callbacks:
        if isinstance(callback, Callback):
            checked.append(callback)
        elif callable(callback) and not isinstance(callback, type):
            checked.append(_Function(callback))
        else:
            raise InvalidTypeError(
                "A callback must be a function of one argument, the round, or an object derived "
                f"from ceiba.Callback. Got {callback!r}."
            )
    return checked


def _canonical(metric: str) -> str:
    try:
        return find_metric(metric).name
    except InvalidParameterError:
        return metric  # there is no such metric, which looking it up will say


def _look_up(kind: str, name: str, found: Mapping[str, Any]) -> Any:
    if name not in found:
        raise InvalidInputError(
            f"Early stopping looks at {kind} {name!r}, which is not there. "
            f"There is {', '.join(map(repr, found))}."
        )
    return found[name]


def _in_words(round: Round) -> str:
    return "  ".join(
        f"{set_name} {metric} {value:.5g}"
        for set_name, metrics in round.evals.items()
        for metric, value in metrics.items()
    )


def _print_some_rounds(round: Round) -> None:
    """Print about ten lines in all, for terminals without rich."""
    step = max(1, round.n_rounds // 10)
    if (round.iteration + 1) % step == 0:
        words = f"ceiba {round.iteration + 1}/{round.n_rounds}  {_in_words(round)}"
        print(words.rstrip(), file=sys.stderr)

"""Translate callbacks of LightGBM and XGBoost, without importing either library.

1. ``train`` and ``cv`` pass their callbacks to :func:`translated`.
2. A supported callback becomes one of ceiba, or a learning-rate schedule.
3. Other callbacks raise an error that suggests an alternative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ceiba.callbacks._base import Callback, Round, check_callbacks
from ceiba.callbacks.early_stopping import EarlyStopping
from ceiba.callbacks.history import add_to_history
from ceiba.callbacks.progress import LogRounds
from ceiba.errors import InvalidParameterError, InvalidTypeError
from ceiba.messages import listed
from ceiba.parameters.combined_constraints import Schedule
from ceiba.parameters.constraints import Real, check_value, is_iterable
from ceiba.parameters.resolving import Parameters

__all__ = ["Translated", "translated"]

_SUPPORTED = (
    "Early stopping, evaluation logging and recording, and learning-rate schedules are supported. "
    "Write others as a function of a ceiba.Round."
)


@dataclass(frozen=True)
class Translated:
    """Translated callbacks and their learning-rate schedule."""

    callbacks: list[Callback]
    #: A list or a function of the round number. Both start at the first new round.
    rates: Any = None

    def with_rates(self, parameters: Parameters, n_earlier: int) -> Parameters:
        """Return the parameters with this schedule, shifted by ``n_earlier`` rounds."""
        rates = self.rates
        if rates is None:
            return parameters
        constraint = Schedule(Real(0.0, includes_low=False))
        rates = check_value("The learning rates of a callback", constraint, rates)
        if callable(rates):
            return parameters.replace(
                learning_rate=lambda number: rates(max(0, number - n_earlier))
            )
        return parameters.replace(learning_rate=[*rates[:1] * n_earlier, *rates])


def translated(callbacks: Iterable[Any] | None, training_sets: Iterable[str] = ()) -> Translated:
    """Translate callbacks. ``training_sets`` are the eval sets of the training rows."""
    if isinstance(callbacks, Callback) or callable(callbacks):
        callbacks = [callbacks]
    if callbacks is None or not is_iterable(callbacks):
        return Translated(check_callbacks(callbacks))
    ours: list[Any] = []
    rate: Any = None
    for callback in callbacks:
        read = _READERS.get(_origin(callback))
        if read is None:
            _refuse_foreign(callback)
            ours.append(callback)
            continue
        meant = read(callback, tuple(training_sets))
        if isinstance(meant, _Rates):
            rate = meant.rates
        elif meant is not None:
            ours.append(meant)
    return Translated(check_callbacks(ours), rate)


@dataclass(frozen=True)
class _Rates:
    rates: Any


class _StopOfLightGBM(EarlyStopping):
    """Monitor every metric on every eval set except the training rows, as in LightGBM.

    The first metric that stops improving decides, or the first of all if none does.
    """

    def __init__(self, callback: Any, training_sets: tuple[str, ...]) -> None:
        super().__init__(stopping_rounds=callback.stopping_rounds, min_delta=callback.min_delta)
        self._training_sets = training_sets
        self._first_metric_only = bool(callback.first_metric_only)

    def _pairs(self, round: Round) -> list[tuple[str, str]]:
        list(super()._pairs(round))  # raises if there is no eval set or metric
        sets = [name for name in round.evals if name not in self._training_sets]
        pairs = [
            (name, metric)
            for name in sets or round.evals
            for metric in list(round.evals[name])[: 1 if self._first_metric_only else None]
        ]
        return pairs[::-1]  # the last one decides


class _StopOfXGBoost(EarlyStopping):
    """Monitor the last metric on the last eval set unless names are given, as in XGBoost."""

    def __init__(self, callback: Any) -> None:
        super().__init__(
            callback.rounds,
            callback._min_delta,
            eval_set=callback.data,
            metric=callback.metric_name,
        )
        self._maximize = callback.maximize

    def _pairs(self, round: Round) -> list[tuple[str, str]]:
        pairs = list(super()._pairs(round))
        for _, metric in pairs:
            if self._maximize not in (None, round.higher_is_better[metric]):
                raise InvalidParameterError(
                    f"maximize={self._maximize} contradicts metric {metric}, for which "
                    f"{'higher' if round.higher_is_better[metric] else 'lower'} values are better. "
                    "Remove maximize."
                )
        return pairs


class _RecordOfLightGBM(Callback):
    """Fill a dictionary of the user with the metrics of every round."""

    def __init__(self, result: dict[str, Any]) -> None:
        self._result = result

    def before_training(self, n_rounds: int) -> None:
        self._result.clear()

    def after_round(self, round: Round) -> None:
        add_to_history(self._result, round.evals)


def _stop_of_lightgbm(callback: Any, training_sets: tuple[str, ...]) -> Callback | None:
    return _StopOfLightGBM(callback, training_sets) if callback.enabled else None


def _log(callback: Any, training_sets: tuple[str, ...]) -> Callback | None:  # noqa: ARG001
    return LogRounds(callback.period) if callback.period > 0 else None


def _reset(callback: Any, training_sets: tuple[str, ...]) -> _Rates:  # noqa: ARG001
    names = {"learning_rate", "eta", "shrinkage_rate"}
    others = [name for name in callback.kwargs if name not in names]
    if others or len(callback.kwargs) != 1:
        raise InvalidParameterError(
            "reset_parameter of LightGBM is supported for learning_rate only. Got "
            f"{listed(callback.kwargs)}. Remove the other parameters: they are constant over all "
            "rounds."
        )
    return _Rates(next(iter(callback.kwargs.values())))


def _refuse_checkpoint(callback: Any, training_sets: tuple[str, ...]) -> None:  # noqa: ARG001
    raise InvalidTypeError(
        "TrainingCheckPoint of XGBoost writes XGBoost's files and is not supported. Use "
        "ceiba.Checkpoint(path)."
    )


#: (library, class) → reader of a callback, called with the eval sets of the training rows.
_READERS: Mapping[tuple[str, str], Callable[[Any, tuple[str, ...]], Callback | _Rates | None]] = {
    ("lightgbm", "_EarlyStoppingCallback"): _stop_of_lightgbm,
    ("lightgbm", "_LogEvaluationCallback"): _log,
    ("lightgbm", "_RecordEvaluationCallback"): lambda callback, _: _RecordOfLightGBM(
        callback.eval_result
    ),
    ("lightgbm", "_ResetParameterCallback"): _reset,
    ("xgboost", "EarlyStopping"): lambda callback, _: _StopOfXGBoost(callback),
    ("xgboost", "EvaluationMonitor"): _log,
    ("xgboost", "LearningRateScheduler"): lambda callback, _: _Rates(callback.learning_rates),
    ("xgboost", "TrainingCheckPoint"): _refuse_checkpoint,
}


def _origin(callback: Any) -> tuple[str, str]:
    return type(callback).__module__.partition(".")[0], type(callback).__name__


def _refuse_foreign(callback: Any) -> None:
    """Raise for callbacks that only another library can call, such as a TrainingCallback."""
    if isinstance(callback, Callback | type):
        return
    for base in type(callback).__mro__:
        library = base.__module__.partition(".")[0]
        if library in ("lightgbm", "xgboost", "catboost"):
            raise InvalidTypeError(
                f"Callback {type(callback).__name__} of {library} is not supported. {_SUPPORTED}"
            )
    if callable(getattr(callback, "after_iteration", None)):  # CatBoost's have no base class
        raise InvalidTypeError(
            f"Callback {type(callback).__name__} with the method after_iteration of XGBoost and "
            f"CatBoost is not supported. {_SUPPORTED}"
        )

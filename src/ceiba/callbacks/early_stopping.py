"""Early stopping: end training when metrics stop improving."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ceiba.callbacks._base import Callback, Round
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.metrics import find_metric
from ceiba.parameters.constraints import Boolean, Integer, OneOf, Real, check_value
from ceiba.parameters.keywords import EARLY_STOPPING

if TYPE_CHECKING:
    from typing import Unpack

    from ceiba.parameters.typed import EarlyStoppingKeywords

__all__ = ["EarlyStopping"]


class EarlyStopping(Callback):
    """Stop when metrics have not improved for ``rounds`` rounds, and keep the best iteration.

    Parameters
    ----------
    rounds : int
        Patience: number of rounds without improvement.
    tolerance : float, default=0
        Minimum improvement over the best value so far (exclusive).
    eval_set : str or list of str, optional
        Names of the eval sets to monitor. Default: the last one.
    metric : str or list of str, optional
        Names or aliases of the metrics to monitor. Default: the last one.
    stop : "any" or "all", default="any"
        Each metric on each eval set has its own patience. ``any`` stops when one of them runs out,
        ``all`` when all of them do.
    keep_best : bool, default=True
        Whether the model keeps only the trees up to the best iteration. This is the best iteration
        of the metric that stopped the training, or of the last metric on the last eval set if
        ``stop="all"`` or the training was not stopped. With False, another callback (such as that
        of ``early_stopping_rounds``) may still truncate the model. ``best_iteration`` of the model
        is always its last iteration.

    **other_names
        Arguments of the callbacks of XGBoost and LightGBM, such as stopping_rounds or min_delta.

    Attributes
    ----------
    best_iteration : int or None
        Number of the best round so far, from 0.
    best_value : float or None
        The metric of that round.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor, EarlyStopping
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> early = EarlyStopping(5, metric="mae")
    >>> regressor = CeibaRegressor(n_estimators=500, eval_metric=["mae", "rmse"])
    >>> regressor.fit(X, X[:, 0], eval_set=[(X, X[:, 0])], callbacks=[early]).n_iter_ <= 500
    True
    """

    def __init__(
        self,
        rounds: int | None = None,
        tolerance: float | None = None,
        *,
        eval_set: str | Sequence[str] | None = None,
        metric: Any = None,
        stop: Literal["any", "all"] = "any",
        keep_best: bool | None = None,
        **other_names: Unpack[EarlyStoppingKeywords],
    ) -> None:
        given = {
            "rounds": rounds,
            "tolerance": tolerance,
            "eval_set": eval_set,
            "metric": metric,
            "keep_best": keep_best,
        }
        given |= EARLY_STOPPING.read(other_names, given)
        keeps = True if given["keep_best"] is None else given["keep_best"]
        tolerance = 0.0 if given["tolerance"] is None else given["tolerance"]
        with EARLY_STOPPING.naming(other_names):
            self.rounds: int = check_value("rounds", Integer(1), given["rounds"])
            self.tolerance: float = check_value("tolerance", Real(0.0), tolerance)
            self.eval_set = _names("eval_set", given["eval_set"])
            self.metric = _names("metric", given["metric"])
            self.stop: str = check_value("stop", OneOf(("any", "all")), stop)
            self.keep_best: bool = check_value("keep_best", Boolean(), keeps)
        self._watches: dict[tuple[str, str], _Watch] = {}
        self._decisive: tuple[str, str] | None = None

    @property
    def best_iteration(self) -> int | None:
        """Return the number of the best round so far."""
        watch = self._watch()
        return None if watch is None else watch.iteration

    @property
    def best_value(self) -> float | None:
        """Return the metric of the best round so far."""
        watch = self._watch()
        return None if watch is None else watch.value

    def before_training(self, n_rounds: int) -> None:
        self._watches, self._decisive = {}, None

    def after_round(self, round: Round) -> bool:
        if not self._watches:
            self._watches = {pair: _Watch() for pair in self._pairs(round)}
        waited = {}
        for (set_name, metric), watch in self._watches.items():
            value = round.evals[set_name][metric]
            sign = 1.0 if round.higher_is_better[metric] else -1.0
            watch.look(round.iteration, value, sign, self.tolerance)
            is_over = round.iteration - watch.iteration >= self.rounds
            if is_over and watch.value != watch.value:
                raise InvalidInputError(
                    f"Early stopping needs a metric that is not NaN. Got NaN for {metric} on "
                    f"eval set {set_name!r} in all {round.iteration + 1} rounds. Use another "
                    "eval_metric or another eval set."
                )
            waited[set_name, metric] = is_over
        if self.stop == "all":
            return all(waited.values())
        over = [pair for pair, is_over in waited.items() if is_over]
        if over:
            self._decisive = over[-1]
        return bool(over)

    def kept_iteration(self) -> int | None:
        return self.best_iteration if self.keep_best else None

    def state(self) -> Any:
        best = [[*pair, watch.iteration, watch.value] for pair, watch in self._watches.items()]
        return {"best": best, "decisive": self._decisive}

    def restore(self, state: Any) -> None:
        self._watches = {
            (set_name, metric): _Watch(iteration, value)
            for set_name, metric, iteration, value in state["best"]
        }
        self._decisive = None if state["decisive"] is None else tuple(state["decisive"])

    def _watch(self) -> _Watch | None:
        if not self._watches:
            return None
        return self._watches[self._decisive or list(self._watches)[-1]]

    def _pairs(self, round: Round) -> Iterable[tuple[str, str]]:
        """Return the pairs of eval set and metric to monitor, the decisive one last."""
        if not round.evals:
            raise InvalidInputError(
                "Early stopping needs an eval set. Got none. Pass eval_set to fit, or eval_sets to "
                "train."
            )
        for set_name in self.eval_set or [list(round.evals)[-1]]:
            metrics = _look_up("eval set", set_name, round.evals)
            if not metrics:
                raise InvalidInputError(
                    "Early stopping needs a metric. Got none. Set eval_metric: a custom objective "
                    "has no default metric."
                )
            for metric in self.metric or [list(metrics)[-1]]:
                name = metric if metric in metrics else _canonical(metric)
                _look_up("metric", name, metrics)
                yield set_name, name


class _Watch:
    """The best value of one metric on one eval set."""

    __slots__ = ("iteration", "value")

    def __init__(self, iteration: int = -1, value: float = float("nan")) -> None:
        self.iteration, self.value = iteration, value

    def look(self, iteration: int, value: float, sign: float, tolerance: float) -> None:
        # NaN never improves, any number improves on NaN, and the first value is always the best.
        better = sign * (value - self.value) > tolerance
        if better or self.iteration < 0 or (self.value != self.value and value == value):
            self.iteration, self.value = iteration, value


def _names(argument: str, given: Any) -> list[str] | None:
    if given is None:
        return None
    listed = list(given) if isinstance(given, list | tuple) else [given]
    names = [entry if isinstance(entry, str) else _name_of(entry) for entry in listed]
    if not names or not all(isinstance(name, str) and name for name in names):
        raise InvalidTypeError(f"{argument} must be a name or a list of names. Got {given!r}.")
    return [str(name) for name in names]


def _name_of(metric: Any) -> Any:
    """Return the name of a metric that is an object or a function."""
    return getattr(metric, "name", getattr(metric, "__name__", None))


def _canonical(metric: str) -> str:
    try:
        return find_metric(metric).name
    except InvalidParameterError:
        return metric  # _look_up raises for unknown metrics


def _look_up(kind: str, name: str, found: Mapping[str, Any]) -> Any:
    if name not in found:
        raise InvalidInputError(
            f"Early stopping monitors {kind} {name!r}, which does not exist. "
            f"Available: {', '.join(map(repr, found))}."
        )
    return found[name]

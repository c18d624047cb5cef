"""Record the metrics of every round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ceiba.callbacks._base import Callback, Round

__all__ = ["History", "RecordHistory", "add_to_history", "history_until"]

#: Name of eval set → name of metric → one value for each round.
History = dict[str, dict[str, list[float]]]


class RecordHistory(Callback):
    """Record the metrics of every round as ``history[set][metric]``.

    Models have the same history. The record also remains after a failed training.

    Examples
    --------
    >>> from ceiba import Dataset, train
    >>> from ceiba.callbacks import RecordHistory
    >>> data = Dataset([[0.0], [1.0], [2.0]] * 20, [0.0, 1.0, 2.0] * 20)
    >>> record = RecordHistory()
    >>> model = train({"n_estimators": 3}, data, eval_sets={"train": data}, callbacks=[record])
    >>> len(record.history["train"]["rmse"])
    3
    """

    def __init__(self) -> None:
        self.history: History = {}

    def before_training(self, n_rounds: int) -> None:
        self.history = {}

    def after_round(self, round: Round) -> None:
        add_to_history(self.history, round.evals)

    def state(self) -> Any:
        return self.history

    def restore(self, state: Any) -> None:
        self.history = state


def add_to_history(history: History, results: Mapping[str, Mapping[str, float]]) -> None:
    """Append the metrics of a round in place."""
    for name, metrics in results.items():
        kept = history.setdefault(name, {})
        for metric, value in metrics.items():
            kept.setdefault(metric, []).append(value)


def history_until(history: History, iteration: int) -> History:
    """Return the history up to and including ``iteration``."""
    return {
        name: {metric: values[: iteration + 1] for metric, values in metrics.items()}
        for name, metrics in history.items()
    }

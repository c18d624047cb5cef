"""Keep every metric of every round."""

from __future__ import annotations

from typing import Any

from ceiba.callbacks._base import Callback, Round
from ceiba.evaluating import History, add_to_history

__all__ = ["RecordHistory"]


class RecordHistory(Callback):
    """Keeps every metric of every round, as ``history[set][metric]``; models have it too.

    It outlives a training that fails, which leaves no model.
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

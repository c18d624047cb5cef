"""Rounds as callbacks see them, without a training."""

from __future__ import annotations

from ceiba.callbacks import Callback, Round


def make_rounds(values: list[float], metric: str = "rmse", better: bool = False) -> list[Round]:
    return [
        Round(i, len(values), {"valid": {metric: value}}, {metric: better}, lambda: None)  # type: ignore[arg-type, return-value]
        for i, value in enumerate(values)
    ]


def stopped_after(callback: Callback, seen: list[Round]) -> int | None:
    callback.before_training(len(seen))
    for round in seen:
        if callback.after_round(round):
            return round.iteration
    return None

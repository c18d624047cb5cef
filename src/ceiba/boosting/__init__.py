"""Kinds of boosting: the scores at which gradients are taken, and the weight of a tree."""

from __future__ import annotations

from ceiba.boosting.plain import PlainBoosting
from ceiba.boosting.schedule import join_rates, learning_rates

__all__ = ["PlainBoosting", "join_rates", "learning_rates"]

"""Kinds of boosting: the scores at which gradients are taken, and the weight of a tree."""

from __future__ import annotations

from ceiba.boosting.plain import PlainBoosting

__all__ = ["PlainBoosting"]

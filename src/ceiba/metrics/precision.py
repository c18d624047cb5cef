"""Precision of the first positions."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._ranking import RankingMetric


class Precision(RankingMetric):
    """Share of relevant documents (label above 0) among the first k: ``precision@k``.

    A query of fewer documents has them all among the first k. One without a relevant document has
    a precision of 0, as in XGBoost, and so the minus sign changes nothing. Over all positions the
    share would not depend on the order: ``precision@k`` needs its k.
    """

    name: ClassVar[str] = "precision"
    aliases: ClassVar[tuple[str, ...]] = ("pre",)
    kernel: ClassVar[str] = "precision"
    value_without_relevant: ClassVar[float] = 0.0
    needs_cutoff: ClassVar[bool] = True

"""Reference implementation of DART: dropped trees and tree weights, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ceiba.testing.columns import row_number

__all__ = ["DartRule", "dart_weights", "dropped_rounds"]

_STAGE = 0xDA127


@dataclass(frozen=True)
class DartRule:
    """The parameters of DART."""

    seed: int = 0
    drop_rate: float = 0.1
    skip_drop: float = 0.5
    max_drop: int = 50
    one_drop: bool = False
    drop_sampling: str = "weighted"
    normalize: str = "lightgbm"


def dropped_rounds(rule: DartRule, round: int, counted: Sequence[float]) -> list[int]:
    """Return the rounds dropped by a round, given the tree weights of earlier rounds."""
    n = len(counted)
    if n == 0 or row_number(rule.seed ^ _STAGE, round, n) < rule.skip_drop:
        return []
    lots = [row_number(rule.seed ^ _STAGE, round, tree) for tree in range(n)]
    shares = [1.0] * n
    if rule.drop_sampling == "weighted":
        mean = math.fsum(counted) / n
        shares = [own / mean for own in counted]
    drawn = [tree for tree in range(n) if lots[tree] < rule.drop_rate * shares[tree]]
    by_time = sorted(range(n), key=lambda tree: -math.log1p(-lots[tree]) / shares[tree])
    if not drawn and rule.one_drop:
        return by_time[:1]
    if 0 < rule.max_drop < len(drawn):
        drawn = sorted([tree for tree in by_time if tree in drawn][: rule.max_drop])
    return drawn


def dart_weights(
    rule: DartRule, rates: Sequence[float]
) -> list[tuple[list[int], list[float], list[float]]]:
    """Return for each round its dropped rounds, the weight of every tree so far when it grew, and
    the current weight of its own trees.
    """
    first: list[float] = []
    factors: list[float] = []
    found = []
    for round, rate in enumerate(rates):
        counted = [own * factor for own, factor in zip(first, factors, strict=True)]
        dropped = dropped_rounds(rule, round, counted)
        k = len(dropped)
        if rule.normalize == "lightgbm":
            new, old = rate / (k + 1), k / (k + 1)
        elif rule.normalize == "tree":
            new, old = rate / (k + rate), k / (k + rate)
        else:
            new, old = rate / (1 + rate), 1 / (1 + rate)
        first.append(new if k else rate)
        for tree in dropped:
            factors[tree] *= old
        factors.append(1.0)
        found.append((dropped, list(first), list(factors)))
    return found

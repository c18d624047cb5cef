"""Rules: conjunctions of conditions on columns, such as the path to a leaf of a tree.

A condition is one side of a decision (``cpp/data/decision.hpp``): a column, a threshold or a set of
levels, the side, and the side of missing values. Values with ``x <= threshold`` and the levels of
the set are on the left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.schema import Schema
from ceiba.model.rule_text import RuleText, levels_text
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["Condition", "Rule", "leaf_rules", "rule_from_json"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Condition:
    """One side of a decision."""

    column: int
    #: Values up to the threshold are on the left; NaN for a categorical decision.
    threshold: float
    #: Level codes on the left; empty for a threshold decision.
    levels: tuple[int, ...]
    left: bool
    #: Whether missing values meet the condition.
    missing: bool

    def met(self, values: Floats) -> Mask:
        """Return a mask of the rows of values [n, columns] that match."""
        column = values[:, self.column]
        if self.levels:
            on_left = np.isin(column, np.array(self.levels, dtype=np.float64))
        else:
            on_left = column <= self.threshold
        met: Mask = on_left if self.left else ~on_left
        met[np.isnan(column)] = self.missing
        return met

    def text(self, schema: Schema) -> str:
        """Return the condition as text."""
        return _text([self], schema)


@dataclass(frozen=True)
class Rule:
    """A conjunction of conditions. Every row matches the empty rule."""

    conditions: tuple[Condition, ...] = ()

    def met(self, values: Floats) -> Mask:
        """Return a mask of the rows of values [n, columns] that match all conditions."""
        met = np.ones(len(values), dtype=bool)
        for condition in self.conditions:
            met &= condition.met(values)
        return met

    def text(self, schema: Schema) -> str:
        """Return the rule as text."""
        by_column: dict[tuple[int, bool], list[Condition]] = {}
        for one in self.conditions:
            by_column.setdefault((one.column, bool(one.levels)), []).append(one)
        groups: list[list[Condition]] = []
        for (_, by_level), own in by_column.items():
            groups += [[one] for one in own] if by_level else [own]
        texts = [_text(own, schema, several=len(groups) > 1) for own in groups]
        return " and ".join(texts) or "every row"

    def with_condition(self, condition: Condition) -> Rule:
        """Return the rule with one more condition."""
        return Rule((*self.conditions, condition))

    def to_json(self) -> list[list[Any]]:
        """Return JSON values for a model file."""
        return [
            [
                one.column,
                None if one.levels else _written(one.threshold),
                list(one.levels),
                one.left,
                one.missing,
            ]
            for one in self.conditions
        ]


def _text(conditions: Sequence[Condition], schema: Schema, several: bool = False) -> str:
    """Return the text of one categorical condition, or of all thresholds of a column.

    With ``several`` conditions, one that also matches missing values is put in parentheses.
    """
    first = conditions[0]
    name = schema.names[first.column]
    missing = all(one.missing for one in conditions)
    if first.levels:
        known = schema.levels_of(first.column)
        shown = [str(known[k]) if k < len(known) else f"level {k}" for k in first.levels]
        if len(shown) == 1:
            words = f"{name} {'is' if first.left else 'is not'} {shown[0]}"
        else:
            words = f"{name} {'in' if first.left else 'not in'} {levels_text(shown)}"
    else:
        highest = min((one.threshold for one in conditions if one.left), default=math.inf)
        lowest = max((one.threshold for one in conditions if not one.left), default=-math.inf)
        if lowest == math.inf:
            return f"{name} is missing"
        text = RuleText(schema)
        high, low = text.threshold(first.column, highest), text.threshold(first.column, lowest)
        words = f"{name} <= {high}" if highest < math.inf else f"{name} is not missing"
        if lowest > -math.inf:
            words = f"{name} > {low}" if highest == math.inf else f"{low} < {words}"
    if not missing:
        return words
    words = f"{words} or {name} is missing"
    return f"({words})" if several else words


def rule_from_json(stored: Any, schema: Schema) -> Rule:
    """Restore the rule of a model file; raise ValueError if it is damaged."""
    wrong = ValueError("one of its rules is damaged")
    if not isinstance(stored, list):
        raise wrong
    conditions = []
    for entry in stored:
        if not isinstance(entry, list) or len(entry) != 5:
            raise wrong
        column, threshold, levels, left, missing = entry
        known = type(column) is int and 0 <= column < schema.n_features
        if not known or type(left) is not bool or type(missing) is not bool:
            raise wrong
        if not isinstance(levels, list) or not all(
            type(level) is int and 0 <= level < len(schema.levels_of(column)) + 1
            for level in levels
        ):
            raise wrong
        number = math.nan if levels else _read(threshold)
        if (levels and threshold is not None) or (not levels and number != number):
            raise wrong
        conditions.append(Condition(column, number, tuple(levels), left, missing))
    return Rule(tuple(conditions))


def _written(threshold: float) -> float | str:
    return threshold if math.isfinite(threshold) else str(threshold)


def _read(threshold: Any) -> float:
    if threshold in ("inf", "-inf") and isinstance(threshold, str):
        return float(threshold)
    is_number = isinstance(threshold, float) or type(threshold) is int
    return float(threshold) if is_number and abs(threshold) <= 1.8e308 else math.nan


def leaf_rules(model: Model) -> dict[int, Rule]:
    """Return the rule of each leaf of a one-tree model, by node number."""
    trees = Trees.of(model.forest)
    rules: dict[int, Rule] = {}
    open_nodes = [(0, Rule())]
    while open_nodes:
        node, rule = open_nodes.pop()
        column = int(trees.feature[node])
        if column < 0:
            rules[node] = rule
            continue
        levels = tuple(trees.levels_at(node) or ())
        threshold = math.nan if levels else float(trees.threshold[node])
        missing_left = bool(trees.missing_left[node])
        for child, left in ((trees.right[node], False), (trees.left[node], True)):
            condition = Condition(column, threshold, levels, left, missing_left == left)
            open_nodes.append((int(child), rule.with_condition(condition)))
    return rules

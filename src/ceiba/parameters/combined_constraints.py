"""Constraints composed of others: lists, alternatives, schedules and class weights.

``constraints.py`` describes the life of a constraint.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ceiba.parameters.constraints import Broken, Constraint, Real, passes

__all__ = ["Either", "Schedule", "Several", "Weights"]


@dataclass(frozen=True)
class Several:
    """One value or a list of values."""

    each: Constraint
    at_least: int = 1

    @property
    def text(self) -> str:
        return f"{self.each.text}, or a list of such values"

    @property
    def hint(self) -> str:
        return f"{self.each.hint} | Collection[{self.each.hint}]"

    def check(self, value: object) -> Any:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return self.each.check(value)
        if isinstance(value, np.ndarray) and value.ndim == 0:
            return self.each.check(value.item())
        if np.ndim(value) > 1:  # type: ignore[arg-type]
            raise Broken
        # Sort sets: their iteration order is arbitrary, and order may matter.
        values = sorted(value, key=str) if isinstance(value, set | frozenset) else list(value)
        if len(values) < self.at_least:
            raise Broken
        return [self.each.check(entry) for entry in values]

    def valid(self) -> list[Any]:
        some = self.each.valid()
        several = some * max(1, self.at_least)
        return [some[0], several, tuple(several), *([] if self.at_least else [[]])]

    def invalid(self) -> list[Any]:
        bad = [value for value in self.each.invalid() if not isinstance(value, list)]
        return [*([[]] if self.at_least else []), *bad, [self.each.valid()[0], bad[0]]]


@dataclass(frozen=True)
class Either:
    """One of several constraints; the first that accepts the value converts it."""

    choices: tuple[Constraint, ...]
    words: str = ""

    @property
    def text(self) -> str:
        return self.words or ", or ".join(choice.text for choice in self.choices)

    @property
    def hint(self) -> str:
        return " | ".join(dict.fromkeys(choice.hint for choice in self.choices))

    def check(self, value: object) -> Any:
        limit = ""
        for choice in self.choices:
            try:
                return choice.check(value)
            except Broken as broken:
                limit = limit or str(broken)
        raise Broken(limit)

    def valid(self) -> list[Any]:
        return [value for choice in self.choices for value in choice.valid()]

    def invalid(self) -> list[Any]:
        candidates = [value for choice in self.choices for value in choice.invalid()]
        return [value for value in candidates if not passes(self, value)]


@dataclass(frozen=True)
class Schedule:
    """A value for each round: a list, or a function of the round number."""

    each: Constraint
    text: str = "a list with one value per round, or a function from round number to value"

    @property
    def hint(self) -> str:
        return f"Collection[{self.each.hint}] | Callable[[int], {self.each.hint}]"

    def check(self, value: object) -> Any:
        if callable(value) and not isinstance(value, type):
            return value
        if (
            not isinstance(value, (list, tuple, np.ndarray))
            or np.ndim(value) != 1
            or not len(value)
        ):
            raise Broken
        return [self.each.check(entry) for entry in value]

    def valid(self) -> list[Any]:
        return [self.each.valid() * 100, lambda _: self.each.valid()[0]]

    def invalid(self) -> list[Any]:
        return [[], [self.each.invalid()[0]], [[self.each.valid()[0]]], {}]


@dataclass(frozen=True)
class Weights:
    """A weight for each class, as a dictionary from label to number."""

    text: str = "a dictionary from each class to its weight, 0 or more"
    hint: str = "Mapping[Any, float]"

    def check(self, value: object) -> dict[Any, float]:
        if not isinstance(value, Mapping) or not value:
            raise Broken
        number = Real(0.0)
        return {label: number.check(weight) for label, weight in value.items()}

    def valid(self) -> list[Any]:
        return [{0: 1.0, 1: 2}, {"a": 0.5, "b": 1}]

    def invalid(self) -> list[Any]:
        return [{}, {0: -1.0}, {0: math.nan}, {0: "heavy"}, 3.0, [1, 2]]

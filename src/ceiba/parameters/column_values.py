"""Constraints on parameters with values for single columns.

They check the form only. ``column_constraints.py`` checks that the columns exist in the table.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ceiba.parameters.constraints import Broken, Constraint, is_integer, is_iterable

__all__ = ["ByColumn", "ColumnList", "ColumnSets", "ChoiceByColumn"]


@dataclass(frozen=True)
class ByColumn:
    """A value for each column in order, or a dictionary from the names of some columns."""

    each: Constraint

    @property
    def text(self) -> str:
        return (
            "a list with one value per column, or a dictionary from column name to value; each "
            f"value must be {self.each.text}"
        )

    @property
    def hint(self) -> str:
        return f"Collection[{self.each.hint}] | Mapping[str, {self.each.hint}] | str"

    def check(self, value: object) -> Any:
        if isinstance(value, str):
            value = _read("[" + value.strip().removeprefix("(").removesuffix(")") + "]")
        if isinstance(value, Mapping):
            if not value or not all(isinstance(name, str) for name in value):
                raise Broken
            return {str(name): self.each.check(entry) for name, entry in value.items()}
        if not is_iterable(value) or np.ndim(value) != 1:  # type: ignore[arg-type]
            raise Broken
        values = [self.each.check(entry) for entry in value]
        if not values:
            raise Broken
        return values

    def valid(self) -> list[Any]:
        some = self.each.valid()
        return [some, tuple(some), {"f0": some[0]}, np.array([some[0], some[0]]), f"({some[0]},)"]

    def invalid(self) -> list[Any]:
        bad = [value for value in self.each.invalid() if np.ndim(value) == 0]
        return [[], {}, {0: self.each.valid()[0]}, bad[:1], {"f0": bad[0]}, 7, "rises", [[1]]]


@dataclass(frozen=True)
class ColumnSets:
    """A list of sets of columns by position or name, or a name for such a list."""

    words: tuple[str, ...] = ()
    hint: str = "Collection[Collection[int | str]] | str"

    @property
    def text(self) -> str:
        words = "".join(f", or {word!r}" for word in self.words)
        return f"a list of lists of columns, given by name or by position{words}"

    def check(self, value: object) -> Any:
        if isinstance(value, str):
            if value in self.words:
                return str(value)
            value = _read(value)
        if isinstance(value, (str, Mapping)) or not is_iterable(value):
            raise Broken
        sets = [self._members(entry) for entry in value]
        if not sets:
            raise Broken
        return sets

    def _members(self, entry: object) -> list[int | str]:
        if isinstance(entry, (str, Mapping)) or not is_iterable(entry):
            raise Broken
        members = [_member(member) for member in entry]
        if not members:
            raise Broken
        # Sort for reproducible records: the iteration order of a set is arbitrary.
        return sorted(set(members), key=lambda member: (isinstance(member, str), member))

    def valid(self) -> list[Any]:
        return [[[0, 1], [2]], [{"a", "b"}], ({0}, ["f1"]), "[[0, 1], [2]]", *self.words]

    def invalid(self) -> list[Any]:
        return [[], [[]], [0, 1], ["ab"], [[0.5]], [[True]], {0: [1]}, "all", 3]


@dataclass(frozen=True)
class ColumnList:
    """A list of columns by position or name, or a mask of all columns."""

    text: str = "a list of columns, given by name or by position"
    hint: str = "Collection[int | str] | str"

    def check(self, value: object) -> list[int | str | bool]:
        if isinstance(value, str):  # as LightGBM writes it: "name:a,b" or "0,1"
            value = _listed_in(value)
        if isinstance(value, Mapping) or not is_iterable(value):
            raise Broken
        given = list(value)
        if given and all(isinstance(member, (bool, np.bool_)) for member in given):
            return [bool(member) for member in given]
        return [_member(member) for member in given]

    def valid(self) -> list[Any]:
        return [[0, "b"], ("a",), [], np.array([True, False]), {"a"}, "name:a,b", "0,2"]

    def invalid(self) -> list[Any]:
        return [[0.5], [None], [[0]], {"a": 1}, 3, "all", [True, 1]]


@dataclass(frozen=True)
class ChoiceByColumn:
    """One of several strings for all columns, or a dictionary from column name to string."""

    words: tuple[str, ...]

    @property
    def text(self) -> str:
        return (
            "one of "
            + ", ".join(map(repr, self.words))
            + ", or a dictionary from column name to one of these"
        )

    @property
    def hint(self) -> str:
        words = "Literal[" + ", ".join(f'"{word}"' for word in self.words) + "]"
        return f"{words} | Mapping[str, {words}]"

    def check(self, value: object) -> Any:
        if isinstance(value, Mapping):
            if not value or not all(isinstance(name, str) for name in value):
                raise Broken
            return {str(name): self._word(word) for name, word in value.items()}
        return self._word(value)

    def _word(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise Broken
        return str(value)

    def valid(self) -> list[Any]:
        return [*self.words, {"f0": self.words[-1]}]

    def invalid(self) -> list[Any]:
        return ["", self.words[0] + "x", 1, [self.words[0]], {}, {"f0": "x"}, {0: self.words[0]}]


def _listed_in(text: str) -> list[int | str]:
    names = text.removeprefix("name:")
    members = [member.strip() for member in names.split(",") if member.strip()]
    if names != text:
        return list(members)
    if not all(member.isdecimal() for member in members):
        raise Broken
    return [int(member) for member in members]


def _member(member: object) -> int | str:
    if isinstance(member, str):
        return str(member)
    if is_integer(member):
        return operator.index(member)  # type: ignore[arg-type]
    raise Broken


def _read(text: str) -> Any:
    """Parse a list in a string, as XGBoost accepts it."""
    try:
        return json.loads(re.sub(r",\s*\]", "]", text))
    except (ValueError, RecursionError):
        raise Broken from None

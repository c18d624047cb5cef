"""Parameters that say something of single columns: constraints that check their form.

Whether the columns exist is only known where the table is: ``column_rules.py``.
"""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ceiba.parameters.constraints import Broken, Constraint

__all__ = ["ByColumn", "ColumnSets"]


@dataclass(frozen=True)
class ByColumn:
    """A value for each column in order, or a dictionary from the names of some columns."""

    each: Constraint

    @property
    def text(self) -> str:
        return (
            f"{self.each.text}, for each column in a list or for some columns in a dictionary from "
            "name to value"
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
        if not isinstance(value, Iterable) or np.ndim(value) != 1:  # type: ignore[arg-type]
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
    """A list of sets of columns, each given by position or by name, or a word for such a list."""

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
        if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
            raise Broken
        sets = [self._members(entry) for entry in value]
        if not sets:
            raise Broken
        return sets

    def _members(self, entry: object) -> list[int | str]:
        if isinstance(entry, (str, Mapping)) or not isinstance(entry, Iterable):
            raise Broken
        members: list[int | str] = []
        for member in entry:
            if isinstance(member, str):
                members.append(str(member))
            elif isinstance(member, numbers.Integral) and not isinstance(member, (bool, np.bool_)):
                members.append(int(member))
            else:
                raise Broken
        if not members:
            raise Broken
        # A set has no order of its own; the record of a model has one.
        return sorted(set(members), key=lambda member: (isinstance(member, str), member))

    def valid(self) -> list[Any]:
        return [[[0, 1], [2]], [{"a", "b"}], ({0}, ["f1"]), "[[0, 1], [2]]", *self.words]

    def invalid(self) -> list[Any]:
        return [[], [[]], [0, 1], ["ab"], [[0.5]], [[True]], {0: [1]}, "all", 3]


def _read(text: str) -> Any:
    """Read a list as XGBoost writes it into a string."""
    try:
        return json.loads(re.sub(r",\s*\]", "]", text))
    except ValueError:
        raise Broken from None

"""What the columns of a table are: ONE object that a Dataset, its model and the file share.

The life of a schema:

1. reading the training table makes one: names, how each column is used, the levels of categories,
   and what means missing (:class:`Reading`);
2. the dataset, and the model that is trained on it, hold the same one, and the file keeps it;
3. every later table is read as it says, and :meth:`Schema.order_in` finds its columns there: by
   name where both have names, in any order; by position otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from ceiba.data.missing_values import PLAIN, Reading
from ceiba.errors import InvalidInputError, ModelFileError
from ceiba.messages import listed

__all__ = ["Schema"]

_KINDS = frozenset({"numeric"})
_RENAMED = 5  # columns whose new name is looked for


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a table: their names, whether the user gave those, and how they are used."""

    names: tuple[str, ...]
    named: bool
    kinds: tuple[str, ...]
    reading: Reading = PLAIN
    #: Levels of the categorical columns, by name and in the order of their codes.
    levels: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    @classmethod
    def of(cls, names: Sequence[str] | None, n_columns: int, reading: Reading = PLAIN) -> Schema:
        """Return the schema of columns of numbers; those without names are called f0, f1, …"""
        numbers = ("numeric",) * n_columns
        if names is not None:
            return cls(tuple(names), True, numbers, reading)
        return cls(tuple(f"f{j}" for j in range(n_columns)), False, numbers, reading)

    @property
    def n_features(self) -> int:
        """Return the number of columns."""
        return len(self.names)

    def renamed(self, names: Sequence[str]) -> Schema:
        """Return the same columns under other names."""
        return replace(self, names=tuple(names), named=True)

    def order_in(self, given: Schema) -> list[int] | None:
        """Return the place of each column in a table of schema ``given``; None: it is the same."""
        if not self.named or not given.named:
            if given.n_features != self.n_features:
                raise InvalidInputError(
                    f"X has {given.n_features} features, but the model is expecting "
                    f"{self.n_features} features as input. Give the columns that it was trained on"
                    f"{': ' + _columns(self.names) if self.named else ''}."
                )
            return None
        if given.names == self.names:
            return None
        position = {name: j for j, name in enumerate(given.names)}
        missing = [name for name in self.names if name not in position]
        known = set(self.names)
        extra = [name for name in given.names if name not in known]
        if missing or extra:
            raise InvalidInputError(_explain(missing, extra))
        return [position[name] for name in self.names]

    def to_dict(self) -> dict[str, Any]:
        """Return the columns as plain values for a model file, which keeps the reading elsewhere:
        among the parameters, where it was first written down.
        """
        values = {"names": list(self.names), "named": self.named, "kinds": list(self.kinds)}
        if self.levels:
            values["levels"] = {name: list(levels) for name, levels in self.levels}
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], reading: Reading = PLAIN) -> Schema:
        """Return the schema that :meth:`to_dict` wrote; raise ModelFileError if it is damaged."""
        names: Any = values.get("names")
        kinds: Any = values.get("kinds")
        named = values.get("named")
        sound = (
            _is_list_of_str(names)
            and _is_list_of_str(kinds)
            and isinstance(named, bool)
            and len(names) == len(kinds) == len(set(names)) > 0
            and _KINDS.issuperset(kinds)
            and not values.get("levels")  # numbers have none
        )
        if not sound:
            raise ModelFileError(
                "The schema of the model must hold one name and one kind for each column. "
                "The file is damaged or was written by a newer version of ceiba."
            )
        return cls(tuple(names), bool(named), tuple(kinds), reading)


def _is_list_of_str(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _explain(missing: Sequence[str], extra: Sequence[str]) -> str:
    """Say which columns are missing or unknown, and which of them may be the same."""
    sentences = []
    if missing:
        sentences.append(f"The table lacks {_columns(missing)}, which the model was trained on.")
    if extra:
        sentences.append(f"The model was not trained on {_columns(extra)}.")
    left = list(extra)
    for name in missing[:_RENAMED]:
        nearest = get_close_matches(name, left, n=1)
        if nearest:
            left.remove(nearest[0])
            sentences.append(f"Was {name!r} renamed to {nearest[0]!r}?")
    sentences.append("Give exactly the columns of the training table, in any order.")
    return " ".join(sentences)


def _columns(names: Sequence[str]) -> str:
    return f"{'column' if len(names) == 1 else 'columns'} {listed(names)}"

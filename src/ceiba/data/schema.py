"""What the columns of a model are called, and how a new table is matched to them.

The life of a schema:

1. :meth:`Schema.of` notes the columns of the training table.
2. It stays with the model, in the file too.
3. :meth:`Schema.match` finds those columns in a new table: by name where both have names, in any
   order; by position otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from ceiba.data.table import Columns, Table
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

    @classmethod
    def of(cls, table: Table) -> Schema:
        """Return the schema of a table; columns without names are called f0, f1, …"""
        if table.names is not None:
            return cls(tuple(table.names), True, table.kinds)
        return cls(tuple(f"f{j}" for j in range(table.n_columns)), False, table.kinds)

    @property
    def n_features(self) -> int:
        """Return the number of columns."""
        return len(self.names)

    def match(self, table: Table) -> Columns:
        """Return the columns of ``table`` in the order of the model."""
        return self.arrange(table).columns

    def arrange(self, table: Table) -> Table:
        """Return ``table`` with its columns in the order of the model."""
        if not self.named or table.names is None:
            if table.n_columns != len(self.names):
                raise InvalidInputError(
                    f"X has {table.n_columns} features, but the model is expecting "
                    f"{len(self.names)} features as input. Give the columns that it was trained on"
                    f"{': ' + _columns(self.names) if self.named else ''}."
                )
            return table
        if tuple(table.names) == self.names:
            return table
        position = {name: j for j, name in enumerate(table.names)}
        missing = [name for name in self.names if name not in position]
        known = set(self.names)
        extra = [name for name in table.names if name not in known]
        if missing or extra:
            raise InvalidInputError(_explain(missing, extra))
        return table.select([position[name] for name in self.names])

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as plain values for a model file."""
        return {"names": list(self.names), "named": self.named, "kinds": list(self.kinds)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Schema:
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
        )
        if not sound:
            raise ModelFileError(
                "The schema of the model must hold one name and one kind for each column. "
                "The file is damaged or was written by a newer version of ceiba."
            )
        return cls(tuple(names), bool(named), tuple(kinds))


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

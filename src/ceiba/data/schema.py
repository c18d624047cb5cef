"""Schema of a table: names, kinds and levels of its columns.

A Dataset, the model that is trained on it and the model file share one schema.

The life of a schema:

1. ``read_table`` makes one from the training table: names, kinds, levels of categories, and the
   missing values (:class:`Reading`).
2. The dataset, the model and the model file hold it.
3. It determines how later tables are read. :meth:`Schema.order_in` matches their columns by name,
   in any order, if both tables have names, and by position otherwise. DataFrame labels that are not
   strings are names too, except the default labels 0, 1, 2, …

Kinds are ``numeric``, ``category``, ``date`` and ``duration``. The last two are numbers of days.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Literal

from ceiba.data.levels import are_levels
from ceiba.data.missing_values import PLAIN, Reading
from ceiba.data.target_statistics import TargetStatistics
from ceiba.errors import InvalidInputError, InvalidParameterError, ModelFileError
from ceiba.messages import listed

__all__ = ["Schema"]

_KINDS = frozenset({"numeric", "category", "date", "duration"})
_MOST_SUGGESTIONS = 5  # missing columns for which the error suggests a similar name


@dataclass(frozen=True, repr=False)
class Schema:
    """Names, kinds and levels of the columns of a table."""

    names: tuple[str, ...]
    #: Whether the user named the columns. Otherwise names are f0, f1, …
    named: bool
    kinds: tuple[str, ...]
    reading: Reading = PLAIN
    #: Sorted levels of each column, empty for numbers. Empty if no column is a category.
    levels: tuple[tuple[Any, ...], ...] = ()
    #: Treatment of categories that the training table does not contain.
    unseen: Literal["missing", "error"] = "missing"
    #: Target encoding of categorical columns, if any.
    statistics: TargetStatistics | None = None
    #: Maximum number of bins of each column, 0 for no limit. Empty if no column has a limit.
    bin_limits: tuple[int, ...] = ()
    #: Fixed bin edges of each column, empty if found from the rows. Empty if all are.
    bin_edges: tuple[tuple[float, ...], ...] = ()
    #: Whether each column separates unseen categories from missing values. Empty if none does.
    tells_unseen: tuple[bool, ...] = ()
    #: Whether the table was a DataFrame with the labels 0, 1, 2, … Not stored in model files.
    counted: bool = field(default=False, compare=False)

    @classmethod
    def of(
        cls,
        names: Sequence[str] | None,
        n_columns: int,
        reading: Reading = PLAIN,
        *,
        counted: bool = False,
    ) -> Schema:
        """Return the schema of numeric columns. Unnamed columns are called f0, f1, …"""
        numbers = ("numeric",) * n_columns
        if names is not None:
            return cls(tuple(names), True, numbers, reading)
        own = tuple(f"f{j}" for j in range(n_columns))
        return cls(own, False, numbers, reading, counted=counted)

    @property
    def n_features(self) -> int:
        """Return the number of columns."""
        return len(self.names)

    @property
    def has_categories(self) -> bool:
        """Whether any column is a category."""
        return bool(self.levels)

    @cached_property
    def holds_numbers(self) -> bool:
        """Whether all columns are plain numbers."""
        return not self.levels and set(self.kinds) == {"numeric"}

    def column_label(self, column: int) -> str:
        """Return the description of a column for error messages."""
        return f"Column {self.names[column]!r}" if self.named else f"Column {column}"

    def levels_of(self, column: int | str) -> tuple[Any, ...]:
        """Return the levels of a column, given by name or position. Empty for numbers."""
        place = self.names.index(column) if isinstance(column, str) else column
        return self.levels[place] if self.levels else ()

    @cached_property
    def n_levels(self) -> list[int]:
        """Return the number of levels of each column, 0 for numbers. Input of the core."""
        return [len(levels) for levels in self.levels]

    @cached_property
    def level_numbers(self) -> list[dict[Any, int]]:
        """Return the map from level to its number, for each column."""
        return [{level: k for k, level in enumerate(levels)} for levels in self.levels]

    def unseen_number(self, column: int) -> float:
        """Return the level number of unseen categories.

        NaN if they count as missing, otherwise the number of levels of the column.
        """
        separates = self.tells_unseen and self.tells_unseen[column]
        return float(len(self.levels[column])) if separates else math.nan

    @cached_property
    def engine(self) -> Schema:
        """Return the schema of the columns that trees read, after target encoding."""
        own = self.statistics
        if own is None:
            return self
        names = [
            " x ".join(self.names[j] for j in sources) + (f": {label}" if label else "")
            for sources, label in zip(own.sources, own.statistics, strict=True)
        ]
        kept = [bool(not label) for label in own.statistics]
        pairs = list(zip(own.sources, kept, strict=True))
        kinds = [self.kinds[sources[0]] if plain else "numeric" for sources, plain in pairs]
        levels = [self.levels[sources[0]] if plain else () for sources, plain in pairs]
        limits = tuple(0 if plain else own.max_bins for _, plain in pairs)
        return replace(
            self,
            names=tuple(names),
            kinds=tuple(kinds),
            levels=tuple(levels) if "category" in kinds else (),
            statistics=None,
            bin_limits=limits,
            bin_edges=own.edges,
            tells_unseen=(),
        )

    @property
    def engine_sources(self) -> tuple[tuple[int, ...], ...]:
        """Return the source columns in the table of each column that trees read."""
        if self.statistics is not None:
            return self.statistics.sources
        return tuple((j,) for j in range(self.n_features))

    def with_statistics(self, statistics: TargetStatistics | None) -> Schema:
        """Return the same columns with another target encoding."""
        separates: tuple[bool, ...] = ()
        if statistics is not None:
            separates = tuple(j in statistics.replaced for j in range(self.n_features))
        return replace(self, statistics=statistics, tells_unseen=separates)

    def with_columns(self, kinds: Sequence[str], levels: Sequence[tuple[Any, ...]]) -> Schema:
        """Return the same names with other kinds and levels."""
        known = tuple(levels) if "category" in kinds else ()
        return replace(self, kinds=tuple(kinds), levels=known)

    def selected(self, order: Sequence[int] | None) -> Schema:
        """Return the columns in the given order. None keeps the order."""
        if order is None or list(order) == list(range(self.n_features)):
            return self
        names, kinds = ([own[j] for j in order] for own in (self.names, self.kinds))
        levels = tuple(self.levels[j] for j in order) if self.levels else ()
        separates = tuple(self.tells_unseen[j] for j in order) if self.tells_unseen else ()
        return replace(
            self,
            names=tuple(names),
            kinds=tuple(kinds),
            levels=levels,
            tells_unseen=separates,
            statistics=None,
            counted=False,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Omit cached properties."""
        derived = ("n_levels", "level_numbers", "engine", "holds_numbers")
        return {name: value for name, value in vars(self).items() if name not in derived}

    def __repr__(self) -> str:
        columns = [f"{name!r}: {self._described(j)}" for j, name in enumerate(self.names)]
        return f"<Schema: {listed(columns, most=20, show=str)}>"

    def _described(self, column: int) -> str:
        kind = self.kinds[column]
        if kind != "category":
            return f"{kind} (days)" if kind in ("date", "duration") else kind
        levels = self.levels[column]
        return f"category of {len(levels)} ({listed(levels, most=3)})"

    def renamed(self, names: Sequence[str]) -> Schema:
        """Return the same columns under other names."""
        return replace(self, names=tuple(names), named=True)

    def order_in(self, given: Schema) -> list[int] | None:
        """Return the position of each column in a table of schema ``given``; None if unchanged."""
        if given is self:
            return None
        names = self.names_of(given)
        if names is None:
            if given.n_features != self.n_features:
                raise InvalidInputError(
                    f"X has {given.n_features} features, but the model is expecting "
                    f"{self.n_features} features as input. Pass the columns that it was trained on"
                    f"{': ' + _columns(self.names) if self.named else ''}."
                )
            return None
        if names == self.names:
            return None
        position = {name: j for j, name in enumerate(names)}
        missing = [name for name in self.names if name not in position]
        known = set(self.names)
        extra = [name for name in names if name not in known]
        if missing or extra:
            raise InvalidInputError(_explain(missing, extra))
        return [position[name] for name in self.names]

    def names_of(self, given: Schema) -> tuple[str, ...] | None:
        """Return the names in this schema of the given columns; None to match by position.

        The names of array columns are their positions, and so are the labels 0, 1, 2, … of a frame.
        Columns of a frame with the labels 2, 1, 0 match them by number, and vice versa.
        """
        if self.named and given.named:
            return given.names
        numbers = tuple(map(str, range(self.n_features)))
        if self.named and given.counted and given.n_features == self.n_features:
            return numbers if set(self.names) == set(numbers) else None
        if not self.named and given.named and set(given.names) == set(numbers):
            return tuple(self.names[int(name)] for name in given.names)
        return None

    def position_of(self, column: int | str, called: str) -> int:
        """Return the position of a column, given by name or position in parameter ``called``."""
        if not isinstance(column, str):
            if isinstance(column, numbers.Integral) and 0 <= column < self.n_features:
                return int(column)
            raise InvalidParameterError(
                f"{called} must name columns of the table by name, or by a position between 0 and "
                f"{self.n_features - 1}. Got {column}."
            )
        if column in self.names:
            return self.names.index(column)
        near = get_close_matches(column, self.names, n=1)
        known = listed(self.names, most=10)
        advice = f"Did you mean {near[0]!r}?" if near else f"The columns are {known}."
        raise InvalidParameterError(
            f"{called} must name columns of the table. Got {column!r}. {advice}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as plain values for a model file.

        The file stores `reading` among the parameters.
        """
        values = {"names": list(self.names), "named": self.named, "kinds": list(self.kinds)}
        if self.levels:
            pairs = zip(self.names, self.kinds, self.levels, strict=True)
            values["levels"] = {name: list(own) for name, kind, own in pairs if kind == "category"}
        if self.statistics is not None:
            values["statistics"] = self.statistics.to_dict()
        return values

    @classmethod
    def from_dict(
        cls,
        values: Mapping[str, Any],
        reading: Reading = PLAIN,
        unseen: Literal["missing", "error"] = "missing",
    ) -> Schema:
        """Return the schema that :meth:`to_dict` wrote. Raise ModelFileError if it is damaged."""
        names: Any = values.get("names")
        kinds: Any = values.get("kinds")
        named = values.get("named")
        sound = (
            _is_list_of_str(names)
            and _is_list_of_str(kinds)
            and isinstance(named, bool)
            and len(names) == len(kinds) == len(set(names)) > 0
            and _KINDS.issuperset(kinds)
            and _levels_fit(values.get("levels", {}), names, kinds)
        )
        if not sound:
            raise ModelFileError(
                "The model file is damaged or was written by a newer version of ceiba: its schema "
                "must contain a name and a kind for each column, and the levels of each category. "
                "Load another copy of the model, or update ceiba."
            )
        stored = values.get("levels", {})
        levels = tuple(tuple(stored.get(name, ())) for name in names) if stored else ()
        return cls(tuple(names), bool(named), tuple(kinds), reading, levels, unseen)


def _levels_fit(levels: Any, names: Sequence[str], kinds: Sequence[str]) -> bool:
    """Whether every categorical column has valid levels, and no other column has any."""
    categories = {name for name, kind in zip(names, kinds, strict=True) if kind == "category"}
    return (
        isinstance(levels, dict)
        and levels.keys() == categories
        and all(isinstance(own, list) and are_levels(own) for own in levels.values())
    )


def _is_list_of_str(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _explain(missing: Sequence[str], extra: Sequence[str]) -> str:
    """Return the error message for missing and unknown columns, with likely renames."""
    sentences = []
    if missing:
        sentences.append(f"Missing {_columns(missing)} of the training table.")
    if extra:
        sentences.append(f"The model was not trained on {_columns(extra)}.")
    left = list(extra)
    for name in missing[:_MOST_SUGGESTIONS]:
        nearest = get_close_matches(name, left, n=1)
        if nearest:
            left.remove(nearest[0])
            sentences.append(f"Was {name!r} renamed to {nearest[0]!r}?")
    if extra and not missing:
        sentences.append("select_columns(X) of the model or estimator drops them.")
    sentences.append("Pass exactly the columns of the training table, in any order.")
    return " ".join(sentences)


def _columns(names: Sequence[str]) -> str:
    return f"{'column' if len(names) == 1 else 'columns'} {listed(names)}"

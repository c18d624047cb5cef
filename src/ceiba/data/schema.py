"""What the columns of a table are: ONE object that a Dataset, its model and the file share.

The life of a schema:

1. reading the training table makes one: names, kinds, the levels of categories, and what means
   missing (:class:`Reading`);
2. the dataset, and the model that is trained on it, hold the same one, and the file keeps it;
3. every later table is read as it says, and :meth:`Schema.order_in` finds its columns there: by
   name where both have names, in any order; by position otherwise. Labels of a DataFrame that are
   no strings are names too, except 0, 1, 2, … in their order, which every frame of an array has.

Kinds are ``numeric``, ``category``, ``date`` and ``duration``; the last two are numbers of days.
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
_RENAMED = 5  # columns whose new name is looked for


@dataclass(frozen=True, repr=False)
class Schema:
    """The columns of a table: their names, whether the user gave those, kinds and levels."""

    names: tuple[str, ...]
    named: bool
    kinds: tuple[str, ...]
    reading: Reading = PLAIN
    #: Of each column its levels in their order, none where it is no category; empty where none is.
    levels: tuple[tuple[Any, ...], ...] = ()
    #: What becomes of levels that the training table did not hold.
    unseen: Literal["missing", "error"] = "missing"
    #: How categories become columns of numbers before trees read them, if any do.
    statistics: TargetStatistics | None = None
    #: Most bins of each column, 0 where it has no limit of its own; empty where none has.
    bin_limits: tuple[int, ...] = ()
    #: Edges of the bins of each column, none where rows tell them; empty where they tell all.
    bin_edges: tuple[tuple[float, ...], ...] = ()
    #: Whether levels of each column that the training table did not hold are told from missing
    #: values; empty where none are.
    tells_unseen: tuple[bool, ...] = ()
    #: Whether the columns had the labels 0, 1, 2, … of a DataFrame; only this table knows it.
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
        """Return the schema of columns of numbers; those without names are called f0, f1, …"""
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
        """Whether a column is a category."""
        return bool(self.levels)

    @cached_property
    def holds_numbers(self) -> bool:
        """Whether all columns are plain numbers."""
        return not self.levels and set(self.kinds) == {"numeric"}

    def said(self, column: int) -> str:
        """Return what errors call a column."""
        return f"Column {self.names[column]!r}" if self.named else f"Column {column}"

    def levels_of(self, column: int | str) -> tuple[Any, ...]:
        """Return the levels of a column, given by name or by position; none where it has none."""
        place = self.names.index(column) if isinstance(column, str) else column
        return self.levels[place] if self.levels else ()

    @cached_property
    def n_levels(self) -> list[int]:
        """Return the number of levels of each column, as the core has it: 0 for numbers."""
        return [len(levels) for levels in self.levels]

    @cached_property
    def level_numbers(self) -> list[dict[Any, int]]:
        """Return, for each column, the number of each level."""
        return [{level: k for k, level in enumerate(levels)} for levels in self.levels]

    def unseen_number(self, column: int) -> float:
        """Return the number of levels that the training table did not hold.

        NaN, as of missing values, or the one after all levels, where the two are told apart.
        """
        told = self.tells_unseen and self.tells_unseen[column]
        return float(len(self.levels[column])) if told else math.nan

    @cached_property
    def engine(self) -> Schema:
        """Return the columns that trees read: the same, or statistics in place of categories."""
        own = self.statistics
        if own is None:
            return self
        names = [
            " x ".join(self.names[j] for j in sources) + (f": {word}" if word else "")
            for sources, word in zip(own.sources, own.statistics, strict=True)
        ]
        kept = [bool(not word) for word in own.statistics]
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
        """Return, for each column that trees read, the columns of the table that it is made of."""
        if self.statistics is not None:
            return self.statistics.sources
        return tuple((j,) for j in range(self.n_features))

    def with_statistics(self, statistics: TargetStatistics | None) -> Schema:
        """Return the same columns with other statistics of them."""
        told: tuple[bool, ...] = ()
        if statistics is not None:
            told = tuple(j in statistics.replaced for j in range(self.n_features))
        return replace(self, statistics=statistics, tells_unseen=told)

    def with_columns(self, kinds: Sequence[str], levels: Sequence[tuple[Any, ...]]) -> Schema:
        """Return columns of the same names and other kinds and levels."""
        known = tuple(levels) if "category" in kinds else ()
        return replace(self, kinds=tuple(kinds), levels=known)

    def selected(self, order: Sequence[int] | None) -> Schema:
        """Return the columns in another order."""
        if order is None or list(order) == list(range(self.n_features)):
            return self
        names, kinds = ([own[j] for j in order] for own in (self.names, self.kinds))
        levels = tuple(self.levels[j] for j in order) if self.levels else ()
        told = tuple(self.tells_unseen[j] for j in order) if self.tells_unseen else ()
        return replace(
            self,
            names=tuple(names),
            kinds=tuple(kinds),
            levels=levels,
            tells_unseen=told,
            statistics=None,
            counted=False,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is quickly found again."""
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
        """Return the place of each column in a table of schema ``given``; None: it is the same."""
        if given is self:
            return None
        names = self.names_of(given)
        if names is None:
            if given.n_features != self.n_features:
                raise InvalidInputError(
                    f"X has {given.n_features} features, but the model is expecting "
                    f"{self.n_features} features as input. Give the columns that it was trained on"
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
        """Return the names of given columns, in the words of this schema; None: go by position.

        Columns of an array, and of a frame with the labels 0, 1, 2, …, have positions for names:
        a frame with the labels 2, 1, 0 is matched to them, and the other way round.
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
        """Return the position of a column that a parameter gives by name or by position."""
        if not isinstance(column, str):
            if isinstance(column, numbers.Integral) and 0 <= column < self.n_features:
                return int(column)
            raise InvalidParameterError(
                f"{called} must name columns of the table by their name or by a position between "
                f"0 and {self.n_features - 1}. Got {column}."
            )
        if column in self.names:
            return self.names.index(column)
        near = get_close_matches(column, self.names, n=1)
        known = listed(self.names, most=10)
        advice = f"Did you mean {near[0]!r}?" if near else f"The columns are {known}."
        raise InvalidParameterError(
            f"{called} must name columns of the table. Got {column!r}, which is none. {advice}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the columns as plain values for a model file, which keeps the reading elsewhere:
        among the parameters, where it was first written down.
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
            and _levels_fit(values.get("levels", {}), names, kinds)
        )
        if not sound:
            raise ModelFileError(
                "The schema of the model must hold one name and one kind for each column, and the "
                "levels of each category. The file is damaged or was written by a newer version of "
                "ceiba."
            )
        stored = values.get("levels", {})
        levels = tuple(tuple(stored.get(name, ())) for name in names) if stored else ()
        return cls(tuple(names), bool(named), tuple(kinds), reading, levels, unseen)


def _levels_fit(levels: Any, names: Sequence[str], kinds: Sequence[str]) -> bool:
    """Whether every category has levels that can be some, and no other column has any."""
    categories = {name for name, kind in zip(names, kinds, strict=True) if kind == "category"}
    return (
        isinstance(levels, dict)
        and levels.keys() == categories
        and all(isinstance(own, list) and are_levels(own) for own in levels.values())
    )


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
    if extra and not missing:
        sentences.append("select_columns(X) of the model or estimator leaves them out.")
    sentences.append("Give exactly the columns of the training table, in any order.")
    return " ".join(sentences)


def _columns(names: Sequence[str]) -> str:
    return f"{'column' if len(names) == 1 else 'columns'} {listed(names)}"

"""Target statistics: what a model keeps of the targets of its categories' levels.

The life of the statistics of a model:

1. ``boosting/encoding/encoded_table.py`` sums the targets of every level, and of combinations of
   levels, over all rows of a training: a :class:`Combination` each.
2. :class:`TargetStatistics` says what becomes of the columns of a table: those that are kept come
   first, as they are; then every combination has its statistics and the number of its rows. Trees
   read these columns. The schema of the model holds the statistics, and the file keeps them.
3. :meth:`TargetStatistics.columns` looks the levels of other rows up. A level that the training did
   not hold has the statistic of no rows: the prior.

Rows that are learned from have statistics of their own, which do not know their targets
(cpp/data/encoding/target_statistics.hpp).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.block import ColumnValues, SparseColumn, dense_values
from ceiba.errors import CeibaError, ModelFileError

__all__ = ["Combination", "TargetStatistics"]

Floats = NDArray[np.float64]

_PREFIX = "statistics_"
#: Beyond this no training sums anything; a file that says so is damaged.
_LARGEST = 1e300


@dataclass(frozen=True, eq=False)
class Combination:
    """Some categories taken together, and the sums of the training rows for each of their keys."""

    sources: tuple[int, ...]  #: places of the columns, increasing
    keys: NDArray[np.uint64]  #: increasing; cpp/data/encoding/level_keys.hpp says what a key is
    weights: Floats  #: of each key, the rows that have it
    sums: Floats  #: [n_targets, n_keys], of their targets

    @classmethod
    def empty(cls, sources: tuple[int, ...]) -> Combination:
        """Return columns of which nothing is known yet."""
        return cls(sources, np.empty(0, np.uint64), np.empty(0), np.empty((1, 0)))

    def joined(self, other: Combination) -> Combination:
        """Return the sums over the rows of both."""
        keys = np.union1d(self.keys, other.keys)
        weights, sums = np.zeros(len(keys)), np.zeros((len(self.sums), len(keys)))
        for part in (self, other):
            places = np.searchsorted(keys, part.keys)
            weights[places] += part.weights
            sums[:, places] += part.sums
        return Combination(self.sources, keys, weights, sums)


@dataclass(frozen=True, eq=False)
class TargetStatistics:
    """How the columns of a table become those that trees read."""

    n_levels: tuple[int, ...]  #: of every column of the table, 0 for numbers
    combinations: tuple[Combination, ...]  #: those of single columns first
    #: What levels of few rows are drawn to, a statistic for each; none: the mean of all rows.
    priors: tuple[float, ...]
    strength: float  #: rows that a prior counts for
    totals: Floats  #: the weight of all rows, and the sum of each target
    rows: str = ""  #: a digest of the rows that were summed
    max_bins: int = 0  #: most bins of a statistic in a training, 0: as other columns have
    grid: int = 0  #: bins of equal width of a share in a training, 0: of equal numbers of rows

    @classmethod
    def planned(cls, n_levels: Sequence[int], columns: Sequence[int]) -> TargetStatistics:
        """Return statistics of single columns whose rows are not summed yet."""
        single = tuple(Combination.empty((j,)) for j in columns)
        return cls(tuple(n_levels), single, (), 1.0, np.zeros(2))

    @property
    def n_targets(self) -> int:
        """Return how many targets are averaged: one, those of a row, or one for each class."""
        return len(self.totals) - 1

    @cached_property
    def replaced(self) -> tuple[int, ...]:
        """Return the columns that trees know by their statistics only."""
        return tuple(own.sources[0] for own in self.combinations if len(own.sources) == 1)

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """Return the columns that trees read as they are."""
        return tuple(j for j in range(len(self.n_levels)) if j not in set(self.replaced))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return what the columns of each combination are called."""
        if self.n_targets > 1:
            means = [f"mean of output {k}" for k in range(self.n_targets)]
        elif self.priors:
            means = [f"mean with prior {prior:g}" for prior in self.priors]
        else:
            means = ["mean"]
        return (*means, "rows")

    @cached_property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """Return, for each column that trees read, the columns of the table that it is made of."""
        kept = [(j,) for j in self.kept]
        return (*kept, *(own.sources for own in self.combinations for _ in self.words))

    @cached_property
    def statistics(self) -> tuple[str, ...]:
        """Return, for each column that trees read, what it is; nothing where it is itself."""
        return (*("" for _ in self.kept), *(word for _ in self.combinations for word in self.words))

    @property
    def edges(self) -> tuple[tuple[float, ...], ...]:
        """Return the edges of the bins of each column, none where rows tell them."""
        shares = tuple(k / self.grid for k in range(1, self.grid))
        return tuple(shares if word.startswith("mean") else () for word in self.statistics)

    def values_of(self, column: int) -> Floats:
        """Return the statistic of each key of a column that trees read, the last that of no rows.

        ``column`` counts the columns that trees read, and is not one that is kept as it is.
        """
        combination, word = divmod(column - len(self.kept), len(self.words))
        values: Floats = self._values(self.combinations[combination])[word]
        return values

    def columns(self, table: Sequence[ColumnValues], n_threads: int) -> list[ColumnValues]:
        """Return the columns that trees read of rows that were not learned from."""
        # Categories are never sparse, and no other column is looked at.
        category = dense_values(table[self.combinations[0].sources[0]])
        looked_at = [category if isinstance(one, SparseColumn) else one for one in table]
        return [*(table[j] for j in self.kept), *self.tables.look_up(looked_at, n_threads)]

    @cached_property
    def tables(self) -> _core.StatisticsTables:
        """Return what every level stands for."""
        tables = _core.StatisticsTables()
        for own in self.combinations:
            levels = [self.n_levels[j] for j in own.sources]
            tables.add(list(own.sources), levels, own.keys, self._values(own))
        return tables

    def _values(self, own: Combination) -> Floats:
        """Return a row for each statistic of a combination, the last entry that of no rows."""
        weights = np.append(own.weights, 0.0)
        sums = np.column_stack([own.sums, np.zeros(self.n_targets)])
        means = self.totals[1:] / self.totals[0] if self.totals[0] > 0 else self.totals[1:]
        priors = [self.priors] * self.n_targets if self.priors else [(mean,) for mean in means]
        values = []
        for total, of_target in zip(sums, priors, strict=True):
            for prior in of_target:
                counted = weights + self.strength
                known = counted > 0
                value = (total + self.strength * prior) / np.where(known, counted, 1.0)
                values.append(np.where(known, value, prior))
        return np.array([*values, weights])

    # ---- files -----------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return all but the sums as plain values."""
        return {
            "sources": [list(own.sources) for own in self.combinations],
            "priors": list(self.priors),
            "strength": self.strength,
            "rows": self.rows,
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the sums."""
        ends = np.cumsum([0, *(len(own.keys) for own in self.combinations)])
        return {
            f"{_PREFIX}offsets": ends.astype(np.int64),
            f"{_PREFIX}keys": np.concatenate([own.keys for own in self.combinations]),
            f"{_PREFIX}weights": np.concatenate([own.weights for own in self.combinations]),
            f"{_PREFIX}sums": np.concatenate([own.sums.ravel() for own in self.combinations]),
            f"{_PREFIX}totals": self.totals,
        }

    @classmethod
    def from_parts(
        cls, values: Any, arrays: Mapping[str, NDArray[Any]], n_levels: Sequence[int]
    ) -> TargetStatistics:
        """Return the statistics that a file holds; raise ModelFileError if it is damaged."""
        try:
            found = cls._read(values, arrays, n_levels)
            _ = found.tables
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, CeibaError) as error:
            raise ModelFileError(
                "The model file is damaged: the statistics of its categories do not fit its "
                "columns. Load another copy of the model, or train it again."
            ) from error
        return found

    @classmethod
    def _read(
        cls, values: Any, arrays: Mapping[str, NDArray[Any]], n_levels: Sequence[int]
    ) -> TargetStatistics:
        offsets, keys, weights, sums, totals = (
            arrays[_PREFIX + name] for name in ("offsets", "keys", "weights", "sums", "totals")
        )
        sources = [tuple(own) for own in values["sources"]]
        n_targets = len(totals) - 1
        numbers = np.concatenate([weights, sums, totals, [values["strength"], *values["priors"]]])
        sound = (
            sources
            and n_targets >= 1
            and len(offsets) == len(sources) + 1
            and offsets[0] == 0
            and (np.diff(offsets) >= 0).all()
            and offsets[-1] == len(keys) == len(weights)
            and len(sums) == n_targets * len(keys)
            and not (n_targets > 1 and values["priors"])
            and isinstance(values["rows"], str)
            and bool((np.abs(numbers) <= _LARGEST).all())
            and bool((weights >= 0).all())
            and values["strength"] >= 0
            and totals[0] > 0
            and len(set(sources)) == len(sources)
            and all(_are_sources(own, n_levels) for own in sources)
            and {j for own in sources for j in own} == {own[0] for own in sources if not own[1:]}
        )
        if not sound:
            raise ValueError("parts of the statistics do not fit each other")
        combinations = []
        for own, begin, end in zip(sources, offsets[:-1], offsets[1:], strict=True):
            part = sums[n_targets * begin : n_targets * end].reshape(n_targets, end - begin)
            combinations.append(Combination(own, keys[begin:end], weights[begin:end], part))
        priors = tuple(float(prior) for prior in values["priors"])
        return cls(
            tuple(n_levels),
            tuple(combinations),
            priors,
            float(values["strength"]),
            totals,
            values["rows"],
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is quickly found again."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}


def _are_sources(own: tuple[Any, ...], n_levels: Sequence[int]) -> bool:
    """Whether they are different categories, in increasing order."""
    return (
        len(own) > 0
        and all(type(j) is int and 0 <= j < len(n_levels) and n_levels[j] > 0 for j in own)
        and list(own) == sorted(set(own))
    )

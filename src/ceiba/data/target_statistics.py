"""Target encoding of a trained model: target sums of levels and of combinations of levels.

The life of the statistics of a model:

1. ``boosting/encoding/encoded_table.py`` sums the targets of all training rows for each level of a
   category or combination of categories: one :class:`Combination` each.
2. :class:`TargetStatistics` defines the columns that trees read: first the kept columns, unchanged;
   then, for each combination, its target means and row counts. The schema of the model, and so the
   model file, contains the statistics.
3. :meth:`TargetStatistics.columns` encodes other tables. Unseen levels get the prior.

Training rows are encoded without their own targets (cpp/data/encoding/target_statistics.hpp).
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
#: Larger absolute values in a model file mean that it is damaged.
_LARGEST = 1e300


@dataclass(frozen=True, eq=False)
class Combination:
    """Target sums over the training rows for each combination of levels of some columns."""

    sources: tuple[int, ...]  #: increasing column positions
    keys: NDArray[np.uint64]  #: increasing keys of level combinations (level_keys.hpp)
    weights: Floats  #: [n_keys], total weight of the rows
    sums: Floats  #: [n_targets, n_keys], weighted target sums

    @classmethod
    def empty(cls, sources: tuple[int, ...]) -> Combination:
        """Return a combination without keys."""
        return cls(sources, np.empty(0, np.uint64), np.empty(0), np.empty((1, 0)))

    def joined(self, other: Combination) -> Combination:
        """Return the union of keys, with added weights and sums."""
        keys = np.union1d(self.keys, other.keys)
        weights, sums = np.zeros(len(keys)), np.zeros((len(self.sums), len(keys)))
        for part in (self, other):
            places = np.searchsorted(keys, part.keys)
            weights[places] += part.weights
            sums[:, places] += part.sums
        return Combination(self.sources, keys, weights, sums)


@dataclass(frozen=True, eq=False)
class TargetStatistics:
    """Target encoding: converts the columns of a table to those that trees read."""

    n_levels: tuple[int, ...]  #: of every column of the table, 0 for numbers
    combinations: tuple[Combination, ...]  #: single columns first
    #: Priors that means are shrunk towards, one encoded column each. Empty: the overall mean.
    priors: tuple[float, ...]
    strength: float  #: weight of a prior, in rows
    totals: Floats  #: total weight, then the sum of each target
    rows: str = ""  #: hash of the training rows
    max_bins: int = 0  #: maximum bins of an encoded column in training, 0: as other columns
    grid: int = 0  #: number of equal-width bins of target means in training, 0: quantile bins

    @classmethod
    def planned(cls, n_levels: Sequence[int], columns: Sequence[int]) -> TargetStatistics:
        """Return statistics of single columns before any rows are summed."""
        single = tuple(Combination.empty((j,)) for j in columns)
        return cls(tuple(n_levels), single, (), 1.0, np.zeros(2))

    @property
    def n_targets(self) -> int:
        """Return the number of target means per combination: 1, or one per class or output."""
        return len(self.totals) - 1

    def same_rows(self, other: TargetStatistics) -> bool:
        """Return whether both come from the same training rows.

        The digest ``rows`` has targets and weights without their units, so it is the same for y and
        2 * y. Their sums differ.
        """
        pairs = zip(self.combinations, other.combinations, strict=True)
        return self.rows == other.rows and all(
            np.array_equal(one.sums, two.sums) and np.array_equal(one.weights, two.weights)
            for one, two in pairs
        )

    @cached_property
    def replaced(self) -> tuple[int, ...]:
        """Return the columns that their encoding replaces."""
        return tuple(own.sources[0] for own in self.combinations if len(own.sources) == 1)

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """Return the columns that trees read unchanged."""
        return tuple(j for j in range(len(self.n_levels)) if j not in set(self.replaced))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of the encoded columns of each combination."""
        if self.n_targets > 1:
            means = [f"mean of output {k}" for k in range(self.n_targets)]
        elif self.priors:
            means = [f"mean with prior {prior:g}" for prior in self.priors]
        else:
            means = ["mean"]
        return (*means, "rows")

    @cached_property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """Return the source columns in the table of each column that trees read."""
        kept = [(j,) for j in self.kept]
        return (*kept, *(own.sources for own in self.combinations for _ in self.labels))

    @cached_property
    def statistics(self) -> tuple[str, ...]:
        """Return the label of each column that trees read, "" for kept columns."""
        return (
            *("" for _ in self.kept),
            *(label for _ in self.combinations for label in self.labels),
        )

    @property
    def edges(self) -> tuple[tuple[float, ...], ...]:
        """Return the fixed bin edges of each column, empty if found from the rows."""
        shares = tuple(k / self.grid for k in range(1, self.grid))
        return tuple(shares if label.startswith("mean") else () for label in self.statistics)

    def values_of(self, column: int) -> Floats:
        """Return the value of each key of an encoded column. The last value is for unseen keys.

        ``column`` is a position among the columns that trees read, after the kept columns.
        """
        combination, label = divmod(column - len(self.kept), len(self.labels))
        values: Floats = self._values(self.combinations[combination])[label]
        return values

    def columns(self, table: Sequence[ColumnValues], n_threads: int) -> list[ColumnValues]:
        """Return the columns that trees read, for rows outside of the training table."""
        # Categories are never sparse. The core does not read the other columns.
        category = dense_values(table[self.combinations[0].sources[0]])
        looked_at = [category if isinstance(one, SparseColumn) else one for one in table]
        return [*(table[j] for j in self.kept), *self.tables.look_up(looked_at, n_threads)]

    @cached_property
    def tables(self) -> _core.StatisticsTables:
        """Return the lookup tables of the core."""
        tables = _core.StatisticsTables()
        for own in self.combinations:
            levels = [self.n_levels[j] for j in own.sources]
            tables.add(list(own.sources), levels, own.keys, self._values(own))
        return tables

    def _values(self, own: Combination) -> Floats:
        """Return the values [n_labels, n_keys + 1] of a combination, the last for unseen keys."""
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
        """Return everything except the sums as plain values."""
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
        """Read the statistics of a model file. Raise ModelFileError if it is damaged."""
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
        """Omit cached properties."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}


def _are_sources(own: tuple[Any, ...], n_levels: Sequence[int]) -> bool:
    """Whether all positions are categorical columns, unique and increasing."""
    return (
        len(own) > 0
        and all(type(j) is int and 0 <= j < len(n_levels) and n_levels[j] > 0 for j in own)
        and list(own) == sorted(set(own))
    )

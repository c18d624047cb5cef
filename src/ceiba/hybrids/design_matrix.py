"""Design matrix of the linear models: columns of finite numbers, from any table.

The encoding (also described in the guide and the docstrings):

- A number is used as it is; a date or duration becomes a number of days.
- A category becomes one 0/1 column per level.
- A missing value becomes the mean of its column over the training rows. For a level column, that
  is the fraction of rows with the level. Levels unseen in training are treated as missing.
- Infinite values raise an error.
- ``standardize`` penalizes columns in units of their standard deviation. Coefficients are always
  in units of the table.

The life of a design matrix: :meth:`DesignMatrix.of` computes means and scales from the training
rows, :meth:`DesignMatrix.columns` encodes any rows, :meth:`DesignMatrix.to_arrays` stores it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError
from ceiba.hybrids.rows import TrainingRows
from ceiba.messages import listed

__all__ = ["DesignMatrix"]

Floats = NDArray[np.float64]

_LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class DesignMatrix:
    """Columns of a linear model: sources, means and scales."""

    schema: Schema
    #: The columns of the table that the model reads.
    sources: tuple[int, ...]
    #: Mean of each design column over the training rows; replaces missing values.
    means: Floats
    #: Standard deviation of each design column, 1 for a constant column.
    scales: Floats

    @classmethod
    def of(cls, rows: TrainingRows, sources: Sequence[int]) -> DesignMatrix:
        """Return the design matrix of training rows."""
        n_columns = sum(_width(rows.schema, j) for j in sources)
        plain = cls(rows.schema, tuple(sources), np.zeros(n_columns), np.ones(n_columns))
        columns = plain._filled(rows.values, np.full(n_columns, np.nan))
        too_large: NDArray[np.bool_] = np.any(np.abs(columns) > _LARGEST, axis=0)
        if too_large.any():
            names = [name for name, wrong in zip(plain.names, too_large, strict=True) if wrong]
            raise InvalidInputError(
                f"Linear models need numbers up to {_LARGEST:g}, so that squares stay finite. Got "
                f"larger numbers in {listed(names)}. Divide these columns by a constant."
            )
        means, scales = np.zeros(n_columns), np.ones(n_columns)
        for k, column in enumerate(columns.T):
            known = ~np.isnan(column)
            if not known.any():
                continue
            here = np.ascontiguousarray(column[known])
            weights = np.ascontiguousarray(rows.weights[known])
            total = _core.exact_sum(weights)
            mean = _core.exact_sum(here, weights) / total
            variance = _core.exact_sum((here - mean) ** 2, weights) / total
            means[k] = mean
            # The variance of a constant column is 0 or a rounding error.
            if here.min() < here.max() and variance > 0:
                scales[k] = np.sqrt(variance)
        return cls(rows.schema, tuple(sources), means, scales)

    @cached_property
    def names(self) -> list[str]:
        """Return the name of each design column. A level column is named ``column=level``."""
        names = []
        for j in self.sources:
            name = self.schema.names[j]
            if self.schema.kinds[j] == "category":
                names += [f"{name}={level}" for level in self.schema.levels_of(j)]
            else:
                names.append(name)
        return names

    @property
    def n_columns(self) -> int:
        """Return the number of design columns."""
        return len(self.means)

    def columns(self, values: Floats) -> Floats:
        """Return the centered design columns: finite, 0 for a missing value."""
        return self._filled(values, self.means) - self.means

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to store; the schema is stored separately."""
        return {
            "linear_sources": np.array(self.sources, dtype=np.int64),
            "linear_means": self.means,
            "linear_scales": self.scales,
        }

    @classmethod
    def from_arrays(cls, schema: Schema, arrays: Mapping[str, NDArray[Any]]) -> DesignMatrix:
        """Restore the design matrix of a model file; raise ValueError if it is damaged."""
        sources = tuple(arrays["linear_sources"].tolist())
        means, scales = arrays["linear_means"], arrays["linear_scales"]
        known = all(0 <= j < schema.n_features for j in sources)
        if not known or len(set(sources)) != len(sources):
            raise ValueError("its linear part uses columns that do not exist")
        width = sum(_width(schema, j) for j in sources)
        if means.shape != (width,) or scales.shape != (width,) or not (scales > 0).all():
            raise ValueError("its linear part has the wrong number of columns")
        return cls(schema, sources, means, scales)

    def _filled(self, values: Floats, means: Floats) -> Floats:
        """Return the design columns, with the given means for missing values."""
        columns = np.empty((len(values), self.n_columns))
        begin = 0
        for j in self.sources:
            column, width = values[:, j], _width(self.schema, j)
            if self.schema.kinds[j] == "category":
                levels = np.arange(width, dtype=np.float64)
                columns[:, begin : begin + width] = column[:, None] == levels
                unknown = ~((column >= 0) & (column < width))
                columns[unknown, begin : begin + width] = means[begin : begin + width]
            else:
                infinite = np.isinf(column)
                if infinite.any():
                    raise InvalidInputError(
                        f"{self.schema.column_label(j)} must hold finite numbers, because the "
                        f"linear part of the model uses it. Got {infinite.sum()} infinite values "
                        f"in {len(column)} rows. Replace them by NaN, clip them, or leave the "
                        "column out of linear_features."
                    )
                columns[:, begin] = np.where(np.isnan(column), means[begin], column)
            begin += width
        return columns


def _width(schema: Schema, column: int) -> int:
    return len(schema.levels_of(column)) if schema.kinds[column] == "category" else 1

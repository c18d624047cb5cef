"""What the linear part of a hybrid reads: columns of finite numbers, made of any table.

The rules, which guide and docstrings tell users:

- a number is itself, and a date or duration its number of days;
- a category is one column of 0 and 1 for each level;
- what is missing takes the mean of its column over the training rows (of a level: the share of
  rows that have it), and so does a level that training did not hold;
- infinite values are refused: no line goes through them;
- with ``standardize``, penalties see columns in units of their standard deviation. Coefficients
  are always given in the units of the table.

The life of a design: :meth:`DesignMatrix.of` looks at the training rows,
:meth:`DesignMatrix.columns` turns
values of any rows into columns, :meth:`DesignMatrix.to_arrays` goes into the file.
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
from ceiba.hybrids.rows import LearnedRows
from ceiba.messages import listed

__all__ = ["DesignMatrix"]

Floats = NDArray[np.float64]

_LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class DesignMatrix:
    """The columns of a linear model: where they come from, their means and scales."""

    schema: Schema
    #: The columns of the table that the model reads.
    sources: tuple[int, ...]
    #: Mean over the training rows of each column of the model; what is missing takes it.
    means: Floats
    #: Standard deviation of each, 1 for a column that is always the same.
    scales: Floats

    @classmethod
    def of(cls, rows: LearnedRows, sources: Sequence[int]) -> DesignMatrix:
        """Return the design of training rows."""
        n_columns = sum(_width(rows.schema, j) for j in sources)
        plain = cls(rows.schema, tuple(sources), np.zeros(n_columns), np.ones(n_columns))
        columns = plain._filled(rows.values, np.full(n_columns, np.nan))
        too_large: NDArray[np.bool_] = np.any(np.abs(columns) > _LARGEST, axis=0)
        if too_large.any():
            names = [name for name, wrong in zip(plain.names, too_large, strict=True) if wrong]
            raise InvalidInputError(
                f"A linear model needs numbers up to {_LARGEST:g}, whose squares are numbers too. "
                f"Got some that are too large in {listed(names)}. Divide them by a constant."
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
            # A column that is always the same has a variance of rounding errors, or none.
            if here.min() < here.max() and variance > 0:
                scales[k] = np.sqrt(variance)
        return cls(rows.schema, tuple(sources), means, scales)

    @cached_property
    def names(self) -> list[str]:
        """Return the name of each column of the model; a level is called ``column=level``."""
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
        """Return the number of columns of the model."""
        return len(self.means)

    def columns(self, values: Floats) -> Floats:
        """Return the columns less their means: finite numbers, 0 where a value is missing."""
        return self._filled(values, self.means) - self.means

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a file keeps besides the schema."""
        return {
            "linear_sources": np.array(self.sources, dtype=np.int64),
            "linear_means": self.means,
            "linear_scales": self.scales,
        }

    @classmethod
    def from_arrays(cls, schema: Schema, arrays: Mapping[str, NDArray[Any]]) -> DesignMatrix:
        """Return the design of a file; raise ValueError if it cannot be one."""
        sources = tuple(arrays["linear_sources"].tolist())
        means, scales = arrays["linear_means"], arrays["linear_scales"]
        known = all(0 <= j < schema.n_features for j in sources)
        if not known or len(set(sources)) != len(sources):
            raise ValueError("its linear part reads columns that are not there")
        width = sum(_width(schema, j) for j in sources)
        if means.shape != (width,) or scales.shape != (width,) or not (scales > 0).all():
            raise ValueError("its linear part has the wrong number of columns")
        return cls(schema, sources, means, scales)

    def _filled(self, values: Floats, means: Floats) -> Floats:
        """Return the columns with the given means where a value is missing."""
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
                        f"{self.schema.said(j)} must hold finite numbers: it is in the linear "
                        f"part of the model. Got an infinite one ({infinite.sum()} of "
                        f"{len(column)} rows: infinity). Give NaN for what is not known, cut the "
                        "values off, or leave the column out of linear_features."
                    )
                columns[:, begin] = np.where(np.isnan(column), means[begin], column)
            begin += width
        return columns


def _width(schema: Schema, column: int) -> int:
    return len(schema.levels_of(column)) if schema.kinds[column] == "category" else 1

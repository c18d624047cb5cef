"""Training rows of a hybrid, in a canonical order.

Floating-point sums depend on the order of rows. Rows are therefore sorted by a hash of their values
before any sum, and equal rows are merged into one with the sum of their weights. The model is then
a function of the rows and their weights alone. A row of weight k gives the same bits as k rows.

Columns hold numbers, days and level codes, as in ``data/table.py``; NaN means missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.boosting.row_splits import hash_columns
from ceiba.data.block import ColumnsBlock, dense_values
from ceiba.data.row_values import read_weights
from ceiba.data.schema import Schema
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError

__all__ = ["TrainingRows", "canonical_rows", "values_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Rows in canonical order: values [n, columns], targets (or class indices) and weights."""

    schema: Schema
    values: Floats
    target: Floats
    weights: Floats

    @property
    def n_rows(self) -> int:
        """Return the number of distinct rows."""
        return len(self.target)

    def take(self, keep: NDArray[Any]) -> TrainingRows:
        """Return a subset of the rows."""
        return replace(
            self, values=self.values[keep], target=self.target[keep], weights=self.weights[keep]
        )

    def table(self) -> Table:
        """Return the columns as a ceiba table."""
        return table_of(self.values, self.schema)


def values_of(table: Table) -> Floats:
    """Return the columns of a table as a matrix, with one kind of zero and of NaN."""
    values = np.empty((table.n_rows, table.n_columns))
    with table.naming_columns():
        for j, chunks in enumerate(table.columns):
            begin = 0
            for chunk in chunks:
                column = dense_values(chunk)
                values[begin : begin + len(column), j] = column
                begin += len(column)
    values += 0.0
    values[np.isnan(values)] = np.nan
    return values


def table_of(values: Floats, schema: Schema) -> Table:
    """Return values as a ceiba table."""
    return Table((ColumnsBlock(list(np.asfortranarray(values).T)),), schema)


def canonical_rows(table: Table, target: Floats, sample_weight: Any) -> TrainingRows:
    """Return the rows of positive weight in canonical order."""
    values = values_of(table)
    if sample_weight is None:
        weights = np.ones(len(values))
    else:
        weights = read_weights(sample_weight, len(values), "sample_weight")
    target = target + 0.0
    if not weights.all():
        keep = weights > 0
        values, target, weights = values[keep], target[keep], weights[keep]
    if not len(values):
        raise InvalidInputError(
            f"Found array with 0 sample(s) (shape={values.shape}) while a minimum of 1 is "
            "required. Give rows of positive weight."
        )
    hashes = hash_columns((*values.T, target))
    order = np.lexsort((weights, hashes))
    values, target, weights = values[order], target[order], weights[order]
    hashes = hashes[order]
    same = hashes[1:] == hashes[:-1]
    if same.any():
        here = np.flatnonzero(same)
        bits = values.view(np.uint64)
        equal = (bits[here] == bits[here + 1]).all(axis=1) & (target[here] == target[here + 1])
        starts = np.ones(len(target), dtype=bool)
        starts[here[equal] + 1] = False
        first = np.flatnonzero(starts)
        # Sort the weights of equal rows, so that their sum does not depend on the order.
        weights = np.add.reduceat(weights, first)
        values, target = values[first], target[first]
    return TrainingRows(table.schema, np.ascontiguousarray(values), target, weights)

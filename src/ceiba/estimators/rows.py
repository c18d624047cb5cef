"""Rows of an estimator: tables with targets, weights, queries and initial scores.

The life of the rows of an estimator:

1. :func:`read_rows` reads target and weights; :meth:`Rows.starting_from` adds initial scores.
2. :meth:`Rows.dataset` creates the ``Dataset`` for the training.
3. :func:`apply_class_weights` applies class weights after rows are held out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.eval_sets import by_text
from ceiba.data.dataset import Dataset
from ceiba.data.row_values import read_init_scores, read_weights
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.estimators.targets import (
    encode_labels,
    read_column,
    read_numbers,
    weigh_classes,
    weigh_labels,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.queries import Queries
    from ceiba.data.table import Table

__all__ = ["Rows", "check_lengths", "eval_pairs", "eval_parts", "read_rows", "apply_class_weights"]

#: An eval set is (X, y), (X, y, weights) or (X, y, weights, init_score).
_ENTRY_LENGTHS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table with its target (class indices for a classifier) and other row data."""

    table: Table
    target: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    queries: Queries | None = None
    init_score: NDArray[np.float64] | None = None
    #: The Dataset that they were given as, if any: others derived from them are of its kind.
    source: Dataset | None = None

    def take(self, keep: NDArray[np.bool_]) -> Rows:
        """Return a subset of the rows."""
        weights = None if self.weights is None else self.weights[keep]
        queries = None if self.queries is None else self.queries.take(keep)
        init_score = None if self.init_score is None else self.init_score[keep]
        table, target = self.table.take(keep).compact(), self.target[keep]
        return Rows(table, target, weights, queries, init_score, self.source)

    def dataset(self) -> Dataset:
        """Return the training Dataset, without checking the data again."""
        parts = self.target, self.weights, self.init_score, self.queries
        make = Dataset.of_checked if self.source is None else self.source.of_same_kind
        return make(self.table, *parts)

    def given_as(self, X: Any) -> Rows:
        """Return the rows with the kind of Dataset that they were given as, if ``X`` is one."""
        return replace(self, source=X) if isinstance(X, Dataset) else self

    def starting_from(self, init_score: Any) -> Rows:
        """Return the rows with the given initial scores, if any."""
        if init_score is None:
            return self
        return replace(self, init_score=read_init_scores(init_score, len(self.target)))


def apply_class_weights(
    class_weight: Any, classes: NDArray[Any] | None, dataset: Dataset
) -> Dataset:
    """Return the rows with their weights multiplied by class (or label) weights."""
    target, weights = dataset.target, dataset.weight
    if class_weight is None or target is None:
        return dataset
    if target.ndim == 2:
        return dataset.with_weight(weigh_labels(class_weight, target, weights))
    if classes is None:
        return dataset
    return dataset.with_weight(weigh_classes(class_weight, classes, target, weights))


def read_rows(
    table: Table,
    y: Any,
    sample_weight: Any,
    estimator: str,
    classes: NDArray[Any] | None = None,
    name_of_weights: str = "sample_weight",
    read: Callable[[Any, str], NDArray[Any]] = read_numbers,
) -> Rows:
    """Return a table with its target, numbers or labels among the classes, and its weights."""
    column = read(y, estimator) if classes is None else read_column(y, estimator)
    check_lengths(table, column)
    weights = None
    if sample_weight is not None:
        weights = read_weights(sample_weight, len(column), name_of_weights)
    target = column if classes is None else encode_labels(column, classes, weights)
    return Rows(table, target, weights)


def check_lengths(table: Table, y: NDArray[Any]) -> None:
    """Refuse a target whose length differs from the table."""
    if table.n_rows != len(y):
        raise InvalidInputError(
            f"X and y must have the same number of rows. Got {table.n_rows} rows of X and {len(y)} "
            "of y."
        )


def eval_pairs(eval_set: Any) -> dict[str, Any]:
    """Return eval sets by name; a single pair counts as a list of one."""
    if eval_set is None:
        return {}
    if isinstance(eval_set, Mapping):
        return by_text(eval_set)
    if isinstance(eval_set, Dataset):
        return {"validation_0": eval_set}
    if isinstance(eval_set, tuple) and len(eval_set) in _ENTRY_LENGTHS:
        if not isinstance(eval_set[0], tuple):
            return {"validation_0": eval_set}
    elif not isinstance(eval_set, (list, tuple)):
        raise InvalidTypeError(
            "eval_set must be a list of pairs (X, y), or of (X, y, weights) or (X, y, weights, "
            f"init_score). Got {type(eval_set).__name__}."
        )
    return {f"validation_{index}": entry for index, entry in enumerate(eval_set)}


def eval_parts(name: str, entry: Any) -> tuple[Any, Any, Any, Any]:
    """Return X, y, weights and initial scores of an eval set; None for missing parts."""
    if isinstance(entry, Dataset):
        return entry.table, entry.target, entry.weight, entry.init_score
    listed = isinstance(entry, (tuple, list))
    if not listed or len(entry) not in _ENTRY_LENGTHS:
        got = f"{type(entry).__name__} of {len(entry)}" if listed else type(entry).__name__
        raise InvalidTypeError(
            f"Eval set {name!r} must be a pair (X, y), or (X, y, weights) or (X, y, weights, "
            f"init_score). Got {got}."
        )
    X, y, weights, init_score = (*entry, None, None)[:4]
    return X, y, weights, init_score

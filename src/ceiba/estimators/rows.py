"""The rows that an estimator learns from, scores and holds out.

The life of the rows of an estimator:

1. :func:`read_rows` reads the target and the weights that belong to a table, and
   :meth:`Rows.starting_from` the raw scores that boosting starts from;
2. :func:`hold_out` parts them where early stopping has no eval set;
3. :meth:`Rows.dataset` makes of each part what a training reads.
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
from ceiba.random import unit_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.queries import Queries
    from ceiba.data.table import Table

__all__ = ["Rows", "check_lengths", "eval_pairs", "eval_parts", "hold_out", "read_rows"]

#: The "round" of the random numbers that hold rows out; no training has so many.
HOLD_OUT_ROUND = 2**62

#: An eval set is (X, y), (X, y, weights) or (X, y, weights, init_score).
_ENTRY_LENGTHS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table with its target (class indices for a classifier) and what else its rows have."""

    table: Table
    target: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    queries: Queries | None = None
    init_score: NDArray[np.float64] | None = None

    def take(self, keep: NDArray[np.bool_]) -> Rows:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[keep]
        queries = None if self.queries is None else self.queries.take(keep)
        init_score = None if self.init_score is None else self.init_score[keep]
        return Rows(
            self.table.take(keep).compact(), self.target[keep], weights, queries, init_score
        )

    def dataset(self) -> Dataset:
        """Return what training reads. Nothing is checked again."""
        parts = self.target, self.weights, self.init_score, self.queries
        return Dataset.of_checked(self.table, *parts)

    def starting_from(self, init_score: Any) -> Rows:
        """Return the rows with the raw scores that a user gave, if any."""
        if init_score is None:
            return self
        return replace(self, init_score=read_init_scores(init_score, len(self.target)))

    def weighed(self, class_weight: Any, classes: NDArray[Any] | None) -> Rows:
        """Return the rows with the weights of their classes, or labels, multiplied into theirs."""
        if class_weight is None:
            return self
        if self.target.ndim == 2:
            weights = weigh_labels(class_weight, self.target, self.weights)
            return replace(self, weights=weights)
        if classes is None:
            return self
        weighed = weigh_classes(class_weight, classes, self.target, self.weights)
        return replace(self, weights=weighed)


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
    """Refuse a target that is longer or shorter than the table."""
    if table.n_rows != len(y):
        raise InvalidInputError(
            f"X and y must have the same number of rows. Got {table.n_rows} rows of X and {len(y)} "
            "of y."
        )


def eval_pairs(eval_set: Any) -> dict[str, Any]:
    """Return eval sets by name; one pair alone is taken for a list of one."""
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
    """Return X, y, weights and initial scores of an eval set, None for what it does not have."""
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


def hold_out(rows: Rows, fraction: float, seed: int, n_classes: int = 0) -> tuple[Rows, Rows]:
    """Split rows into those to learn from and those held out, by a hash of the row number.

    With classes, the same share of each class is held out, and every class keeps a row. With
    queries, whole queries are held out.
    """
    if rows.weights is not None:
        rows = rows.take(rows.weights > 0)
    if rows.queries is not None:
        is_held = _held_queries(rows.queries, fraction, seed)
        return rows.take(~is_held), rows.take(is_held)
    n_rows = len(rows.target)
    if n_rows < 2:
        raise InvalidInputError(
            f"Early stopping holds out a part of the rows and needs at least 2. Got {n_rows}. "
            "Give an eval_set, or set early_stopping_rounds=0."
        )
    numbers = unit_numbers(seed, HOLD_OUT_ROUND, n_rows)
    strata = [rows.target == index for index in range(n_classes)] or [np.ones(n_rows, dtype=bool)]
    is_held = np.zeros(n_rows, dtype=bool)
    for stratum in strata:
        members = np.flatnonzero(stratum)
        n_held = min(len(members) - 1, round(fraction * len(members)))
        is_held[members[np.argsort(numbers[members], kind="stable")[: max(0, n_held)]]] = True
    if not is_held.any():
        # A few rows only: hold out one of the class that has most.
        largest = max(strata, key=np.count_nonzero)
        members = np.flatnonzero(largest)
        if len(members) < 2:
            raise InvalidInputError(
                "Early stopping holds out a part of the rows, and every class has only one. "
                "Give an eval_set, or set early_stopping_rounds=0."
            )
        is_held[members[np.argmin(numbers[members])]] = True
    return rows.take(~is_held), rows.take(is_held)


def _held_queries(queries: Queries, fraction: float, seed: int) -> NDArray[np.bool_]:
    """Return which rows belong to a query that is held out, by a hash of the query's number."""
    n_queries = queries.n_queries
    if n_queries < 2:
        raise InvalidInputError(
            "Early stopping holds out a part of the queries and needs at least 2. Got "
            f"{n_queries}. Give an eval_set, or set early_stopping_rounds=0."
        )
    n_held = min(n_queries - 1, max(1, round(fraction * n_queries)))
    held = np.argsort(unit_numbers(seed, HOLD_OUT_ROUND, n_queries), kind="stable")[:n_held]
    is_held: NDArray[np.bool_] = np.isin(queries.numbers, held)
    return is_held

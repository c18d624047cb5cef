"""Hold rows out by a hash of their contents, so that the order of rows does not matter.

Rows of equal contents are in one fold, and so are the rows of a query or group. Few rows are dealt
evenly to several folds, class by class. Of many rows, each is held out with a fixed probability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.row_splits import (
    FoldRequest,
    checked_groups,
    fold_rows,
    hashed_fraction,
    row_hashes,
)
from ceiba.boosting.start import checked_target
from ceiba.errors import InvalidInputError
from ceiba.parameters.constraints import Integer, check_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.objectives import Objective
    from ceiba.policy.plan import Plan

__all__ = ["FoldNumbers", "deal_every_row", "fold_numbers", "held_out_rows"]

#: Numbers of the rows to train on and of the rows to score, counting all rows that were given.
FoldNumbers = tuple["NDArray[np.int64]", "NDArray[np.int64]"]

#: Separates these random numbers from those of other splits.
_PURPOSE = 0x706F6C696379


def fold_numbers(
    dataset: Dataset, objective: Objective, plan: Plan, seed: int, folds: Any, groups: Any
) -> list[FoldNumbers]:
    """Return the rows of each fold: those of the user's splitter, otherwise by hash."""
    if folds is not None and not isinstance(folds, int | np.integer):
        return fold_rows(dataset, objective, FoldRequest(folds, groups, seed=seed))
    n_folds = plan.n_folds if folds is None else check_value("folds", Integer(2), folds)
    labels = None if groups is None else checked_groups(groups, dataset)
    masks = held_out_rows(dataset, objective, n_folds, plan.fraction, seed, labels)
    numbers = dataset.row_numbers
    return [(numbers[~is_held], numbers[is_held]) for is_held in masks]


def deal_every_row(folds: Sequence[FoldNumbers], n_rows: int) -> bool:
    """Whether each row is scored by one fold, and the others train on it."""
    scored = np.concatenate([held for _, held in folds])
    is_partition = len(scored) == n_rows and len(np.unique(scored)) == n_rows
    return is_partition and all(len(rows) + len(held) == n_rows for rows, held in folds)


def held_out_rows(
    dataset: Dataset,
    objective: Objective,
    n_folds: int,
    fraction: float,
    seed: int,
    groups: NDArray[Any] | None = None,
) -> list[NDArray[np.bool_]]:
    """Return a mask of the held-out rows of each fold.

    Several folds hold out every row once. One fold holds out this fraction of the rows.
    """
    hashes = row_hashes(dataset)
    if dataset.queries is not None:
        groups = _groups_of_queries(dataset.queries.numbers, groups)
    if groups is not None:
        numbers = np.unique(groups, return_inverse=True)[1]
        if numbers.max() + 1 < max(2, n_folds):
            raise InvalidInputError(
                f"groups must hold at least {max(2, n_folds)} different values, so that some can "
                f"be held out. Got {numbers.max() + 1}."
            )
        hashes = _hashes_of_groups(hashes, numbers)
    if n_folds == 1:
        is_held = hashed_fraction(hashes, fraction, seed ^ _PURPOSE)
        return [is_held if 0 < is_held.sum() < len(is_held) else _one_of(hashes)]
    by_class = objective.task in ("binary", "multiclass") and groups is None
    target = checked_target(dataset)
    strata = target if by_class else np.zeros(len(hashes))
    fold = np.empty(len(hashes), dtype=np.int64)
    dealt = 0
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        distinct, places = np.unique(hashes[members], return_inverse=True)
        fold[members] = (places + dealt) % n_folds
        dealt += len(distinct)  # the next class goes on where this one ended
    return [fold == k for k in range(n_folds)]


def _groups_of_queries(queries: NDArray[Any], groups: NDArray[Any] | None) -> NDArray[Any]:
    """Return the groups, or the queries if there are none; a query must be in one group."""
    if groups is None:
        return queries
    pairs = np.unique(np.stack([queries, np.unique(groups, return_inverse=True)[1]]), axis=1)
    split = pairs[0, 1:][pairs[0, 1:] == pairs[0, :-1]]
    if len(split):
        raise InvalidInputError(
            f"The rows of a query must be in one group. Query number {split[0]} (from 0) is in "
            "several values of groups."
        )
    return groups


def _hashes_of_groups(
    hashes: NDArray[np.uint64], numbers: NDArray[np.integer]
) -> NDArray[np.uint64]:
    """Return for each row the hash of its group: the sum over the group's rows."""
    sums = np.zeros(int(numbers.max()) + 1, dtype=np.uint64)
    np.add.at(sums, numbers, hashes)
    found: NDArray[np.uint64] = sums[numbers]
    return found


def _one_of(hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return a mask of the rows with the smallest hash, for groups so large that none was drawn."""
    is_smallest: NDArray[np.bool_] = hashes == hashes.min()
    return is_smallest

"""Hold rows out by a hash of their contents, so that the order of rows does not matter.

Rows of equal contents are in one fold, and so are the rows of a query. Few rows are dealt evenly to
several folds, class by class. Of many rows, each is held out with a fixed probability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ceiba.boosting.row_splits import hashed_fraction, row_hashes
from ceiba.boosting.start import checked_target

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.data.queries import Queries
    from ceiba.objectives import Objective

__all__ = ["held_out_rows"]

#: Separates these random numbers from those of other splits.
_PURPOSE = 0x706F6C696379


def held_out_rows(
    dataset: Dataset, objective: Objective, n_folds: int, fraction: float, seed: int
) -> list[NDArray[np.bool_]]:
    """Return a mask of the held-out rows of each fold.

    Several folds hold out every row once. One fold holds out this fraction of the rows.
    """
    hashes = row_hashes(dataset)
    if dataset.queries is not None:
        hashes = _hashes_of_queries(hashes, dataset.queries)
    if n_folds == 1:
        return [hashed_fraction(hashes, fraction, seed ^ _PURPOSE)]
    by_class = objective.task in ("binary", "multiclass") and dataset.queries is None
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


def _hashes_of_queries(hashes: NDArray[np.uint64], queries: Queries) -> NDArray[np.uint64]:
    """Return for each row the hash of its query: the sum over its rows."""
    sums = np.zeros(queries.n_queries, dtype=np.uint64)
    np.add.at(sums, queries.numbers, hashes)
    return sums[queries.numbers]

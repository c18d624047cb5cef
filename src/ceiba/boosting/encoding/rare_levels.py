"""Levels that LightGBM drops: under its ``cat_rule`` they are missing values from the start.

It keeps levels from the most frequent one on, as long as it has bins for them or they make up less
than 99 % of the rows, and none of fewer rows than ``min_data_in_bin``. One bin is for missing
values, also where there are none: then the rarest level has no bin of its own, and goes if it has
less than 1 % of the rows. What is dropped goes right with the missing values, and does not count
where a category of few levels is split by onehot.

Categories that are known by target statistics keep all levels: each has its own, and at predict a
dropped one would be taken for a level that the training did not hold.

Where levels that are new are an error (``unseen_category``) no level is dropped: at predict it
could not be told from those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ceiba.boosting.encoding.category_choice import category_encodings
from ceiba.data.block import dense_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.parameters.resolving import Parameters

__all__ = ["kept_levels", "with_levels"]

_KEPT_SHARE = 0.99


def with_levels(parameters: Parameters, dataset: Dataset, *, is_new: bool) -> Dataset:
    """Return the rows with the levels that the parameters keep, and their rule for others.

    Only a training that ``is_new`` drops levels: one that goes on has those of its model.
    """
    ruled = _without_rare_levels(parameters, dataset) if is_new else dataset
    return ruled.with_unseen(parameters.unseen_category)


def _without_rare_levels(parameters: Parameters, dataset: Dataset) -> Dataset:
    """Return the rows with those levels only that the parameters keep."""
    schema = dataset.schema
    drops = parameters.cat_rule == "lightgbm" and parameters.unseen_category == "missing"
    if not drops or not schema.has_categories:
        return dataset
    words = category_encodings(parameters, schema, in_shards=dataset.is_sharded)
    levels = []
    for name, own, chunks in zip(schema.names, schema.levels, dataset.table.columns, strict=True):
        if not own or words[name] == "target":
            levels.append(own)
            continue
        whole = np.concatenate([dense_values(chunk) for chunk in chunks])
        numbers = whole[~np.isnan(whole)].astype(np.int64)
        counts = np.bincount(numbers, minlength=len(own))
        has_missing = len(numbers) < dataset.n_rows
        kept = kept_levels(counts, has_missing, parameters.max_bins, parameters.min_data_in_bin)
        levels.append(own if kept.all() else tuple(np.array(own, dtype=object)[kept]))
    if tuple(levels) == schema.levels:
        return dataset
    return dataset.matched_to(schema.with_columns(schema.kinds, levels))


def kept_levels(
    counts: NDArray[np.int64], has_missing: bool, max_bins: int, min_data_in_bin: int
) -> NDArray[np.bool_]:
    """Return which levels are kept, by the rows that each has; ties go to the first."""
    kept = np.zeros(len(counts), dtype=bool)
    enough = int(_KEPT_SHARE * int(counts.sum()) + 0.5)
    n_bins, most = 1, min(len(counts) + has_missing, max_bins)
    n_rows = 0
    for place, level in enumerate(np.argsort(-counts, kind="stable").tolist()):
        is_rare = counts[level] < min_data_in_bin and place > 1
        if is_rare or (n_rows >= enough and n_bins >= most):
            break
        kept[level] = True
        n_rows += int(counts[level])
        n_bins += 1
    return kept

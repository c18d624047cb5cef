"""Treat rare category levels as missing values, as LightGBM does (``cat_rule="lightgbm"``).

LightGBM keeps levels in order of frequency until they cover 99 % of the rows and no bins are left,
and drops levels with fewer rows than ``min_data_in_bin``. One bin is reserved for missing values
even if there are none; the rarest level is then dropped if it has less than 1 % of the rows.
Dropped levels go right with the missing values. They do not count towards ``max_cat_to_onehot``.

Exceptions:

- Categories encoded by target statistics keep all levels, because each level has its own statistic.
- ``unseen_category="error"`` keeps all levels, because predict could not distinguish dropped levels
  from unseen ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ceiba.data.block import dense_values

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.parameters.resolving import Parameters

__all__ = ["kept_levels", "without_rare_levels"]

_KEPT_SHARE = 0.99


def without_rare_levels(
    parameters: Parameters, dataset: Dataset, by_target: Collection[int]
) -> Dataset:
    """Return the rows with only the levels that the parameters keep, for a new training.

    ``by_target`` are the columns that are encoded by target statistics.
    """
    schema = dataset.schema
    drops = parameters.cat_rule == "lightgbm" and parameters.unseen_category == "missing"
    if not drops or not schema.has_categories:
        return dataset
    levels = []
    for j, (own, chunks) in enumerate(zip(schema.levels, dataset.table.columns, strict=True)):
        if not own or j in by_target:
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
    """Return a mask of the levels to keep, from their row counts; ties keep the first level."""
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

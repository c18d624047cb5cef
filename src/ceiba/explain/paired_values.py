"""Interventional SHAP values of models with target statistics of column combinations.

The players are the columns of the table. For a coalition, a combination takes the levels of present
columns from the explained row and those of absent columns from a background row. Its value is the
target statistic of these levels, or the prior if the training has no such rows. The core evaluates
every row against every background row (``cpp/explain/paired_explainer.hpp``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.block import Block, ColumnValues, dense_values
from ceiba.errors import InvalidParameterError

if TYPE_CHECKING:
    from ceiba.data.table import Table
    from ceiba.data.target_statistics import TargetStatistics
    from ceiba.model.model import Model

__all__ = ["paired_values"]

Floats = NDArray[np.float64]


def paired_values(
    model: Model,
    table: Table,
    background: Table,
    interactions: bool,
    bounds: tuple[int, int],
    n_threads: int,
) -> tuple[Floats, Floats]:
    """Return values [n, columns(, columns), outputs], and the expected value of the trees."""
    statistics, n_columns = model.schema.statistics, model.n_features
    assert statistics is not None
    forest = model.weighted_forest(bounds[1], bounds[0])
    if forest.has_linear_leaves:
        raise InvalidParameterError(
            "A background does not support models that have both combinations of categories and "
            "linear leaves (leaf_model='linear'). Leave out `background`, or train with "
            "max_combination=1."
        )
    sources = [list(own) for own in model.schema.engine_sources]
    explainer = _core.PairedExplainer(
        forest, *bounds, statistics.tables, sources, n_columns, interactions
    )
    mixed = explainer.level_players
    rows = background.arranged(model.schema)
    with rows.naming_columns():
        known = _read(rows.one_block, statistics, mixed, n_threads)
        explainer.set_background(*known, n_threads)
    shape = (n_columns, n_columns) if interactions else (n_columns,)
    values = np.empty((table.n_rows, *shape, model.n_outputs))
    begin = 0
    rows = table.arranged(model.schema)
    with rows.naming_columns():
        for block in rows.blocks:
            end = begin + block.shape[0]
            own = _read(block, statistics, mixed, n_threads)
            explainer.explain(*own, values[begin:end], n_threads)
            begin = end
    raw = model.predict_raw(background, iteration_range=bounds, n_jobs=n_threads)
    raw = raw.reshape(background.n_rows, model.n_outputs) - model.start_scores
    return values, raw.mean(axis=0)


def _read(
    block: Block, statistics: TargetStatistics, mixed: list[int], n_threads: int
) -> tuple[list[ColumnValues], list[ColumnValues]]:
    """Return the columns that trees read, and the level columns of combinations."""
    own = block.columns()
    return statistics.columns(own, n_threads), [dense_values(own[j]) for j in mixed]

"""Interventional SHAP values where trees read statistics of several columns taken together.

The players are the columns of the table. A combination has the statistic of a key with levels of
the explained row, for columns that are present, and of a row of the background, for those that are
absent; a mixture that the training did not hold has the prior. The core looks them up and takes
every row with every row of the background (``cpp/explain/paired_explainer.hpp``).
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
    """Return values [n, columns(, columns), outputs], and what the trees add without any column."""
    statistics, n_columns = model.schema.statistics, model.n_features
    assert statistics is not None
    forest = model.weighted_forest(bounds[1], bounds[0])
    if forest.has_linear_leaves:
        raise InvalidParameterError(
            "With a background, trees that read combinations of categories are explained where "
            "leaves are constant. The leaves of this model hold lines (leaf_model='linear'). Leave "
            "background out, or train with max_combination=1."
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
    """Return the columns that trees read, and those of levels that combinations are made of."""
    own = block.columns()
    return statistics.columns(own, n_threads), [dense_values(own[j]) for j in mixed]

"""Make the rows of a training from prepared input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba.boosting.modes.ordered import LeafFitInputs
from ceiba.boosting.prepare import make_boosting
from ceiba.boosting.shards.input import inputs_of
from ceiba.boosting.shards.sharded_rows import ShardedRows
from ceiba.boosting.start import first_scores
from ceiba.boosting.training_rows import RowSettings, TrainingRows

if TYPE_CHECKING:
    from ceiba import _core
    from ceiba.boosting.prepare import Prepared
    from ceiba.boosting.training_tables import TrainingTables
    from ceiba.model.tree_weights import TreeWeights

__all__ = ["make_rows", "rows_in_memory"]


def make_rows(ready: Prepared, tables: TrainingTables, weights: TreeWeights | None) -> TrainingRows:
    """Return the rows of a training. ``weights`` are the tree weights of an earlier model."""
    if tables.exchange is None:
        return rows_in_memory(ready, tables.of_splits, weights)
    assert tables.mapper is not None
    return ShardedRows.over(tables.exchange, inputs_of(ready, tables.mapper, weights))


def rows_in_memory(
    ready: Prepared, of_splits: _core.BinnedMatrix | None, weights: TreeWeights | None
) -> TrainingRows:
    """Return the rows of a training that are all in this process.

    ``weights`` are the tree weights of an earlier model. ``of_splits`` has the rows in the encoding
    of splits, where leaves have another one.
    """
    dataset = ready.dataset
    scores = first_scores(ready.start, dataset.n_rows, dataset.init_score)
    leaf_inputs = LeafFitInputs.of(ready, of_splits)
    boosting = make_boosting(ready.parameters, scores, weights, leaf_inputs=leaf_inputs)
    given = ready.loss, ready.target, ready.weights, dataset.queries
    return TrainingRows(RowSettings.of(ready), boosting, *given, ready.sampler)

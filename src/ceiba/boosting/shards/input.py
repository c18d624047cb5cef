"""What a shard is made from: some rows of a training table and the settings of the training.

Everything here can be pickled. :func:`inputs_of` divides rows that are in this process.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.prepare import make_boosting
from ceiba.boosting.shards.sampler import ShardSampler
from ceiba.boosting.shards.shard import Shard
from ceiba.boosting.start import first_scores
from ceiba.boosting.training_rows import RowSettings, TrainingRows
from ceiba.data.dataset import Dataset
from ceiba.data.queries import Queries
from ceiba.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.boosting.prepare import Prepared
    from ceiba.data.table import Table
    from ceiba.model.tree_weights import TreeWeights
    from ceiba.objectives import Objective

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["ShardInput", "divided_eval_set", "inputs_of", "row_groups", "shard_of", "without_rows"]


@dataclass(frozen=True, slots=True)
class ShardInput:
    """The rows of one shard and the settings of the training."""

    settings: RowSettings
    objective: Objective
    start: Floats
    tree_weights: TreeWeights | None
    #: Edges, missing values and levels of each column (``_core.BinMapper``).
    bins: tuple[Any, Any, Any]
    table: Table
    target: Floats
    weights: Floats | None
    init_score: Floats | None
    #: Numbers of the queries of the rows, and of the rows, in the whole table.
    query_of_row: Integers | None
    numbers: Integers

    def make(self) -> Shard:
        """Bin the rows and return the shard."""
        mapper = _core.BinMapper(*self.bins)
        core = _core.ShardRows(_core.BinnedMatrix.build(mapper, self.table.parts, 1), 1)
        return Shard(core, self.make_rows(), self.table, mapper)

    def make_rows(self) -> TrainingRows:
        """Return the state of the rows."""
        settings, target, weights = self.settings, self.target, self.weights
        queries = None if self.query_of_row is None else Queries.of_numbers(self.query_of_row)
        sampler = ShardSampler(
            settings.parameters, target, weights, self.numbers, self.query_of_row
        )
        scores = first_scores(self.start, len(target), self.init_score)
        boosting = make_boosting(settings.parameters, scores, self.tree_weights)
        loss = self.objective.for_queries(queries)
        rows = TrainingRows(settings, boosting, loss, target, weights, queries, sampler)
        rows.numbers, rows.query_of_row = self.numbers, self.query_of_row
        return rows

    def without_rows(self) -> ShardInput:
        """Return the same settings for no rows."""
        empty = np.zeros(len(self.target), dtype=bool)
        return replace(self._of(np.flatnonzero(empty)), table=self.table.take(empty))

    def _of(self, rows: Integers) -> ShardInput:
        """Return the input of some of the rows, but for the table."""

        def taken(values: Any) -> Any:
            return None if values is None else np.ascontiguousarray(values[rows])

        return replace(
            self,
            target=taken(self.target),
            weights=taken(self.weights),
            init_score=taken(self.init_score),
            query_of_row=taken(self.query_of_row),
            numbers=self.numbers[rows],
        )

    def divided(self, groups: Sequence[Integers]) -> Iterator[ShardInput]:
        """Yield the inputs of shards with these rows each."""
        for rows in groups:
            mine = np.zeros(len(self.target), dtype=bool)
            mine[rows] = True
            yield replace(self._of(np.flatnonzero(mine)), table=self.table.take(mine))


def inputs_of(
    ready: Prepared, mapper: _core.BinMapper, tree_weights: TreeWeights | None
) -> ShardInput:
    """Return the input of one shard with all rows of a prepared training."""
    dataset = ready.dataset
    columns = range(mapper.n_features)
    bins = (
        [mapper.edges(j).tolist() for j in columns],
        [mapper.has_missing(j) for j in columns],
        [mapper.n_levels(j) for j in columns],
    )
    return ShardInput(
        settings=RowSettings.of(ready),
        objective=ready.objective,
        start=ready.start,
        tree_weights=tree_weights,
        bins=bins,
        table=dataset.table,
        target=ready.target,
        weights=ready.weights,
        init_score=dataset.init_score,
        query_of_row=None if dataset.queries is None else dataset.queries.numbers,
        numbers=np.arange(dataset.n_rows),
    )


def divided_eval_set(entry: EvalSet, groups: Sequence[Integers]) -> Iterator[EvalSet]:
    """Yield the parts of an eval set that shards have."""
    queries = None if entry.rows.queries is None else entry.rows.queries.numbers
    for rows in groups:
        yield _part_of(entry, rows, queries)


def without_rows(entry: EvalSet) -> EvalSet:
    """Return an eval set of the same kind without rows."""
    queries = None if entry.rows.queries is None else entry.rows.queries.numbers
    return _part_of(entry, np.zeros(0, dtype=np.int64), queries)


def _part_of(entry: EvalSet, rows: Integers, query_of_row: Integers | None) -> EvalSet:
    part = shard_of(entry.rows, rows)
    return replace(
        entry,
        rows=part,
        target=np.ascontiguousarray(entry.target[rows]),
        scores=np.ascontiguousarray(entry.scores[:, rows]),
        objective=entry.objective.for_queries(part.queries),
        numbers=rows,
        query_of_row=None if query_of_row is None else query_of_row[rows],
    )


def row_groups(n_rows: int, n_shards: int, query_of_row: Integers | None) -> list[Integers]:
    """Divide rows into groups of about the same size, with every query in one of them."""
    if query_of_row is None:
        return [part.astype(np.int64) for part in np.array_split(np.arange(n_rows), n_shards)]
    ends = np.cumsum(np.bincount(query_of_row))
    if len(ends) < n_shards:
        raise InvalidInputError(
            f"Rows of {len(ends)} queries cannot be divided into {n_shards} shards: all rows of a "
            "query must be in one shard. Use fewer shards."
        )
    shard_of_query = np.minimum((ends - 1) * n_shards // n_rows, n_shards - 1)
    return [np.flatnonzero(shard_of_query[query_of_row] == shard) for shard in range(n_shards)]


def shard_of(dataset: Dataset, rows: NDArray[np.int64]) -> Dataset:
    """Return rows for a shard; maybe none. Levels and weights that are all 1 stay."""
    mine = np.zeros(dataset.n_rows, dtype=bool)
    mine[rows] = True
    part = Dataset.__new__(Dataset)
    target = None if dataset.target is None else dataset.target[rows]
    init_score = None if dataset.init_score is None else dataset.init_score[rows]
    queries = None if dataset.queries is None else dataset.queries.take(mine)
    part._hold(dataset.table.take(mine), target, None, init_score, queries)
    part.weight = None if dataset.weight is None else dataset.weight[rows]
    return part

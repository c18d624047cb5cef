"""Compute raw scores and leaves of rows.

The life of a prediction:

1. A float matrix goes to the core without a copy (:func:`is_plain`). Any other table is read with
   the schema of the model, and its columns are reordered.
2. The core adds the trees of the requested iterations to the start scores, block by block.
3. The link of the objective turns raw scores into predictions (``Model.predict``).
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.block import MatrixBlock
from ceiba.data.dataset import Dataset
from ceiba.data.read_table import read_like
from ceiba.data.schema import Schema
from ceiba.data.table import Table
from ceiba.errors import InvalidParameterError
from ceiba.model.one_row import read_row
from ceiba.model.tree_weights import TreeWeights
from ceiba.model.trees import Trees
from ceiba.parameters.threads import count_threads

__all__ = [
    "add_forest",
    "count_threads",
    "find_leaves",
    "is_plain",
    "iteration_bounds",
    "raw_scores",
    "staged_leaves",
    "staged_leaves_of",
    "staged_raw_scores",
    "table_for",
]

_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
_FEW_ROWS = 64  # fewer rows use one thread

#: Largest number of leaves that staged scores hold, 4 bytes each.
_STAGED_LEAVES = 2**24

Floats = NDArray[np.float64]


def is_plain(data: Any, schema: Schema) -> bool:
    """Whether the core can read the data without a copy: a float matrix with all features.

    This is the fast path for single rows, where the overhead of calls dominates.
    """
    return (
        type(data) is np.ndarray
        and data.ndim == 2
        and (data.dtype is _FLOAT64 or data.dtype is _FLOAT32)
        and data.shape[1] == len(schema.names)
        and schema.reading.missing is None
        and not schema.levels
    )


def table_for(data: Any, schema: Schema) -> Table:
    """Return rows as a table with the schema of the model; all rows of a Dataset."""
    if not isinstance(data, Dataset):
        row = read_row(data, schema)
        return read_like(data, schema) if row is None else Table((MatrixBlock(row),), schema)
    schema.reading.check_same(data.schema.reading)
    return data.whole_table()


def raw_scores(
    forest: _core.Forest,
    schema: Schema,
    start_scores: Floats,
    data: Any,
    bounds: tuple[int, int],
    n_jobs: int | None,
) -> Floats:
    """Return raw scores [n, n_outputs]: start scores plus the trees of iterations ``bounds``."""
    if is_plain(data, schema):
        n_rows = data.shape[0]
        scores = np.empty((n_rows, start_scores.shape[0]))
        scores[:] = start_scores
        if n_rows:
            one = n_jobs is None and n_rows < _FEW_ROWS
            n_threads = 1 if one else count_threads(n_jobs)
            forest.add_matrix(data, scores, bounds[0], bounds[1], n_threads)
        return scores
    n_threads = count_threads(n_jobs)
    table = table_for(data, schema).encoded(schema, n_threads)
    scores = np.empty((table.n_rows, len(start_scores)))
    scores[:] = start_scores
    add_forest(forest, table, scores, bounds, n_threads)
    return scores


def staged_raw_scores(
    forest: _core.Forest,
    schema: Schema,
    start_scores: Floats,
    weights: TreeWeights,
    data: Any,
    bounds: tuple[int, int],
    n_threads: int,
) -> Iterator[Floats]:
    """Yield the raw scores after each iteration; the last ones equal :func:`raw_scores`."""
    if not weights.counts_once:  # iterations may change the weights of earlier trees
        table = table_for(data, schema).encoded(schema, n_threads)
        for end in range(bounds[0] + 1, bounds[1] + 1):
            counted, until = weights.counted(forest, end, bounds[0]), (bounds[0], end)
            yield raw_scores(counted, schema.engine, start_scores, table, until, n_threads)
        return
    n_outputs = len(start_scores)
    if forest.has_linear_leaves:  # what a leaf adds depends on the row
        table = table_for(data, schema).encoded(schema, n_threads)
        so_far = np.empty((table.n_rows, n_outputs))
        so_far[:] = start_scores
        for iteration in range(*bounds):
            add_forest(forest, table, so_far, (iteration, iteration + 1), n_threads)
            yield so_far.copy()
        return
    trees = Trees.of(forest)
    scores: Floats | None = None
    stages = staged_leaves(forest, schema, data, bounds, n_threads)
    for iteration, leaves in zip(range(*bounds), stages, strict=True):
        if scores is None:
            scores = np.empty((len(leaves), n_outputs))
            scores[:] = start_scores
        first_tree = iteration * forest.trees_per_iteration
        for tree in range(forest.trees_per_iteration):
            nodes = trees.offsets[first_tree + tree] + leaves[:, tree]
            if forest.leaf_width > 1:
                scores += trees.value[nodes]
            else:
                scores[:, tree % n_outputs] += trees.value[nodes, 0]
        yield scores.copy()


def staged_leaves(
    forest: _core.Forest, schema: Schema, data: Any, bounds: tuple[int, int], n_threads: int
) -> Iterator[NDArray[np.int32]]:
    """Yield the leaves [n, n_trees] of the trees of each iteration.

    Leaves of many iterations are computed together, so that rows are encoded only once.
    """
    table = table_for(data, schema).encoded(schema, n_threads)
    return staged_leaves_of(forest, table, bounds, n_threads)


def staged_leaves_of(
    forest: _core.Forest, table: Table, bounds: tuple[int, int], n_threads: int
) -> Iterator[NDArray[np.int32]]:
    """Yield the leaves for a table whose columns are those that trees read."""
    n_trees = forest.trees_per_iteration
    n_at_once = max(1, _STAGED_LEAVES // max(1, table.n_rows * n_trees))
    for begin in range(*bounds, n_at_once):
        end = min(bounds[1], begin + n_at_once)
        leaves = _leaves(forest, table, (begin, end), n_threads)
        for first in range(0, (end - begin) * n_trees, n_trees):
            yield leaves[:, first : first + n_trees]


def find_leaves(
    forest: _core.Forest, schema: Schema, data: Any, bounds: tuple[int, int], n_threads: int
) -> NDArray[np.int32]:
    """Return the leaf of each row in each tree, as the node's number within its tree."""
    return _leaves(forest, table_for(data, schema).encoded(schema, n_threads), bounds, n_threads)


def iteration_bounds(iteration_range: Any, n_iterations: int) -> tuple[int, int]:
    """Return a checked ``iteration_range``; None means all iterations."""
    if iteration_range is None:
        return 0, n_iterations
    try:
        begin, end = map(operator.index, iteration_range)
    except (TypeError, ValueError):
        begin, end = -1, -1
    if not 0 <= begin <= end <= n_iterations:
        raise InvalidParameterError(
            f"iteration_range must be (begin, end) with 0 <= begin <= end <= {n_iterations}, the "
            f"number of iterations of the model. Got {iteration_range!r}."
        )
    return begin, end


def add_forest(
    forest: _core.Forest, table: Table, scores: Floats, bounds: tuple[int, int], n_threads: int
) -> None:
    """Add the trees of iterations ``bounds`` to scores [n, n_outputs], in place.

    The columns of the table are those that trees read.
    """
    begin = 0
    with table.naming_columns():
        for block in table.blocks:
            end = begin + block.shape[0]
            part = scores[begin:end]
            block.hand_to(
                forest.add_matrix,
                forest.add_columns,
                part,
                *bounds,
                n_threads,
                of_sparse=forest.add_sparse,
            )
            begin = end


def _leaves(
    forest: _core.Forest, table: Table, bounds: tuple[int, int], n_threads: int
) -> NDArray[np.int32]:
    with table.naming_columns():
        found = [
            block.hand_to(
                forest.apply_matrix,
                forest.apply_columns,
                *bounds,
                n_threads,
                of_sparse=forest.apply_sparse,
            )
            for block in table.blocks
        ]
    return found[0] if len(found) == 1 else np.concatenate(found)

"""From rows to raw scores and leaves.

The life of a prediction:

1. A plain float matrix goes to the core as it is. Any other table is read and its columns are
   matched with those of the model, by name where there are names.
2. Scores begin at the start scores, and the core adds the trees of the asked iterations in order.
3. The model's objective turns raw scores into what a user reads.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.missing_values import PLAIN, Reading
from ceiba.data.schema import Schema
from ceiba.data.table import read_table
from ceiba.errors import InvalidParameterError

__all__ = [
    "add_forest",
    "add_raw_scores",
    "blocks_of",
    "count_threads",
    "find_leaves",
    "iteration_bounds",
    "raw_scores",
    "staged_leaves",
    "staged_raw_scores",
]

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))

#: Leaves that staged scores find together, 4 bytes each.
_STAGED_LEAVES = 2**24

Floats = NDArray[np.float64]


def raw_scores(
    forest: _core.Forest,
    schema: Schema,
    start_scores: Floats,
    data: Any,
    bounds: tuple[int, int],
    n_threads: int,
    reading: Reading = PLAIN,
) -> Floats:
    """Return start scores plus the trees of iterations ``bounds``, [n, n_outputs]."""
    blocks = blocks_of(schema, data, reading)
    scores = np.empty((sum(map(_n_rows, blocks)), len(start_scores)))
    scores[:] = start_scores
    add_forest(forest, blocks, scores, bounds, n_threads)
    return scores


def staged_raw_scores(
    forest: _core.Forest,
    schema: Schema,
    start_scores: Floats,
    data: Any,
    bounds: tuple[int, int],
    n_threads: int,
    reading: Reading = PLAIN,
) -> Iterator[Floats]:
    """Yield the raw scores after each iteration: the last has the bits of :func:`raw_scores`."""
    n_outputs = len(start_scores)
    arrays = forest.arrays()
    first_nodes, values = arrays["tree_offsets"], arrays["value"]
    scores: Floats | None = None
    stages = staged_leaves(forest, schema, data, bounds, n_threads, reading)
    for iteration, leaves in zip(range(*bounds), stages, strict=True):
        if scores is None:
            scores = np.empty((len(leaves), n_outputs))
            scores[:] = start_scores
        first_tree = iteration * forest.trees_per_iteration
        if forest.leaf_width > 1:
            scores += values[first_nodes[first_tree] + leaves[:, 0]]
        else:
            for output in range(n_outputs):
                first_node = first_nodes[first_tree + output]
                scores[:, output] += values[first_node + leaves[:, output]]
        yield scores.copy()


def staged_leaves(
    forest: _core.Forest,
    schema: Schema,
    data: Any,
    bounds: tuple[int, int],
    n_threads: int,
    reading: Reading = PLAIN,
) -> Iterator[NDArray[np.int32]]:
    """Yield the leaves [n, n_trees] of the trees of each iteration.

    Rows are coded once for many iterations, whose leaves are found together.
    """
    blocks = blocks_of(schema, data, reading)
    n_trees = forest.trees_per_iteration
    n_at_once = max(1, _STAGED_LEAVES // max(1, sum(map(_n_rows, blocks)) * n_trees))
    for begin in range(*bounds, n_at_once):
        end = min(bounds[1], begin + n_at_once)
        leaves = _leaves(forest, blocks, (begin, end), n_threads)
        for first in range(0, (end - begin) * n_trees, n_trees):
            yield leaves[:, first : first + n_trees]


def find_leaves(
    forest: _core.Forest,
    schema: Schema,
    data: Any,
    bounds: tuple[int, int],
    n_threads: int,
    reading: Reading = PLAIN,
) -> NDArray[np.int32]:
    """Return the leaf of each row in each tree, as the node's number within its tree."""
    return _leaves(forest, blocks_of(schema, data, reading), bounds, n_threads)


def add_raw_scores(
    forest: _core.Forest, schema: Schema, data: Any, scores: Floats, n_threads: int
) -> None:
    """Add all trees to scores [n, n_outputs], in place."""
    add_forest(forest, blocks_of(schema, data), scores, (0, forest.n_iterations), n_threads)


def iteration_bounds(iteration_range: Any, n_iterations: int) -> tuple[int, int]:
    """Return the begin and end of ``(begin, end)``; ``None`` is everything."""
    if iteration_range is None:
        return 0, n_iterations
    try:
        begin, end = map(operator.index, iteration_range)
    except (TypeError, ValueError):
        begin, end = -1, -1
    if not 0 <= begin <= end <= n_iterations:
        raise InvalidParameterError(
            "iteration_range must be (begin, end) with 0 <= begin <= end <= "
            f"{n_iterations}, the number of iterations of the model. Got {iteration_range!r}."
        )
    return begin, end


def count_threads(n_jobs: int | None) -> int:
    """Return the threads to use: ``None`` and -1 mean every core that this process may use."""
    if n_jobs is None:
        return _core.available_threads()
    if isinstance(n_jobs, bool) or not hasattr(n_jobs, "__index__") or n_jobs == 0:
        raise InvalidParameterError(
            "n_jobs must be at least 1, None or -1 for every core, or -2 and so on for all but "
            f"some. Got {n_jobs!r}."
        )
    n_jobs = operator.index(n_jobs)
    return n_jobs if n_jobs > 0 else max(1, _core.available_threads() + 1 + n_jobs)


def blocks_of(schema: Schema, data: Any, reading: Reading = PLAIN) -> list[Any]:
    """Return float matrices, or lists of columns in the order of the model."""
    table = schema.arrange(read_table(data, reading=reading))
    return [
        [block[:, j] for j in range(block.shape[1])]
        if isinstance(block, np.ndarray) and block.dtype not in _FLOATS
        else block
        for block in table.blocks
    ]


def _leaves(
    forest: _core.Forest, blocks: list[Any], bounds: tuple[int, int], n_threads: int
) -> NDArray[np.int32]:
    found = [
        forest.apply_matrix(block, *bounds, n_threads)
        if isinstance(block, np.ndarray)
        else forest.apply_columns(block, *bounds, n_threads)
        for block in blocks
    ]
    return found[0] if len(found) == 1 else np.concatenate(found)


def _n_rows(block: Any) -> int:
    return len(block) if isinstance(block, np.ndarray) else len(block[0])


def add_forest(
    forest: _core.Forest,
    blocks: list[Any],
    scores: Floats,
    bounds: tuple[int, int],
    n_threads: int,
) -> None:
    """Add the trees of iterations ``bounds`` to scores [n, n_outputs], in place."""
    begin = 0
    for block in blocks:
        end = begin + _n_rows(block)
        part = scores[begin:end]
        if isinstance(block, np.ndarray):
            forest.add_matrix(block, part, *bounds, n_threads)
        else:
            forest.add_columns(block, part, *bounds, n_threads)
        begin = end

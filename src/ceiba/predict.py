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
from ceiba.errors import InvalidParameterError
from ceiba.schema import Schema
from ceiba.tables import read_table

__all__ = [
    "add_forest",
    "blocks_of",
    "count_threads",
    "find_leaves",
    "iteration_bounds",
    "raw_scores",
    "staged_raw_scores",
]

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))

Floats = NDArray[np.float64]


def raw_scores(
    forest: _core.Forest,
    schema: Schema,
    start_scores: Floats,
    data: Any,
    bounds: tuple[int, int],
    n_threads: int,
) -> Floats:
    """Return start scores plus the trees of iterations ``bounds``, [n, n_outputs]."""
    blocks = blocks_of(schema, data)
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
) -> Iterator[Floats]:
    """Yield the raw scores after each iteration: the last has the bits of :func:`raw_scores`."""
    blocks = blocks_of(schema, data)
    scores = np.empty((sum(map(_n_rows, blocks)), len(start_scores)))
    scores[:] = start_scores
    for iteration in range(*bounds):
        add_forest(forest, blocks, scores, (iteration, iteration + 1), n_threads)
        yield scores.copy()


def find_leaves(
    forest: _core.Forest, schema: Schema, data: Any, bounds: tuple[int, int], n_threads: int
) -> NDArray[np.int32]:
    """Return the leaf of each row in each tree, as the node's number within its tree."""
    found = [
        forest.apply_matrix(block, *bounds, n_threads)
        if isinstance(block, np.ndarray)
        else forest.apply_columns(block, *bounds, n_threads)
        for block in blocks_of(schema, data)
    ]
    return found[0] if len(found) == 1 else np.concatenate(found)


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


def blocks_of(schema: Schema, data: Any) -> list[Any]:
    """Return float matrices, or lists of columns in the order of the model."""
    table = schema.arrange(read_table(data))
    return [
        [block[:, j] for j in range(block.shape[1])]
        if isinstance(block, np.ndarray) and block.dtype not in _FLOATS
        else block
        for block in table.blocks
    ]


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

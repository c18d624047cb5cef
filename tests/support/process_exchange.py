"""An exchange whose rows are in other processes: the smallest cluster there is.

Three workers hold a third of the rows each, under numbers of their own, and bundle columns as they
like. Every call of the grower goes to all of them, one after the other (shards are the outer loop),
and their answers are joined: sums are added, maxima compared, rows put side by side. Nothing else
crosses between the processes.
"""

from __future__ import annotations

import itertools
import multiprocessing
from typing import Any

import numpy as np

from ceiba import Dataset, _core

N_SHARDS = 3
_numbers = itertools.count()


def serve(pipe: Any) -> None:
    """Answer calls about shards until the pipe is closed."""
    shards: dict[int, _core.ShardRows] = {}
    while True:
        try:
            method, number, given = pipe.recv()
        except EOFError:
            return
        try:
            if method == "load":
                edges, has_missing, n_levels, table = given
                mapper = _core.BinMapper(edges, has_missing, n_levels)
                shards[number] = _core.ShardRows(
                    _core.BinnedMatrix.build(mapper, table.parts, 1), 1
                )
                answer = None
            elif method == "forget":
                answer = shards.pop(number, None) and None
            elif method == "n_trees":
                answer = shards[number].n_trees
            else:
                answer = getattr(shards[number], method)(*given)
        except Exception as error:
            answer = error
        pipe.send(answer)


class Workers:
    """Processes that serve shards; they end when their pipes are closed."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipes = []
        for _ in range(N_SHARDS):
            ours, theirs = context.Pipe()
            context.Process(target=serve, args=(theirs,), daemon=True).start()
            theirs.close()
            self.pipes.append(ours)

    def ask(self, shard: int, method: str, number: int, *given: Any) -> Any:
        self.pipes[shard].send((method, number, given))
        answer = self.pipes[shard].recv()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        for pipe in self.pipes:
            pipe.close()


class ProcessExchange:
    """The way of one grower to its rows."""

    def __init__(self, workers: Workers, dataset: Dataset, mapper: _core.BinMapper) -> None:
        self.workers = workers
        self.number = next(_numbers)
        self.calls: dict[str, int] = {}
        self._trees = itertools.count()
        self.closed = False
        n_rows = dataset.n_rows
        self.bounds = [n_rows * i // N_SHARDS for i in range(N_SHARDS + 1)]
        columns = range(mapper.n_features)
        edges = [mapper.edges(j).tolist() for j in columns]
        has_missing = [mapper.has_missing(j) for j in columns]
        n_levels = [mapper.n_levels(j) for j in columns]
        for shard in range(N_SHARDS):
            mine = np.zeros(n_rows, dtype=bool)
            mine[self.part(shard)] = True
            table = dataset.table.take(mine)
            workers.ask(shard, "load", self.number, edges, has_missing, n_levels, table)

    def part(self, shard: int) -> slice:
        return slice(self.bounds[shard], self.bounds[shard + 1])

    def ask_all(self, method: str, *given: Any) -> list[Any]:
        """Call a method of every shard; a Part among the arguments is cut for each of them."""
        self.calls[method] = self.calls.get(method, 0) + 1
        return [
            self.workers.ask(
                shard, method, self.number, *[self._cut(value, shard) for value in given]
            )
            for shard in range(N_SHARDS)
        ]

    def _cut(self, value: Any, shard: int) -> Any:
        if isinstance(value, Part):
            array = value.array
            return None if array is None else np.array(array[..., self.part(shard)])
        if isinstance(value, Rows):
            if value.rows is None:
                return None
            begin, end = self.bounds[shard], self.bounds[shard + 1]
            mine = value.rows[(value.rows >= begin) & (value.rows < end)]
            return (mine - begin).astype(np.int32)
        if isinstance(value, tuple):
            return tuple(self._cut(each, shard) for each in value)
        return np.array(value) if isinstance(value, np.ndarray) else value

    # ---- what the grower asks ------------------------------------------------------------------

    def measure(self, gradients: Any, rows: Any, weights: Any) -> Any:
        found = self.ask_all("measure", cut(gradients), Rows(rows), cut(weights))
        return merge_measured(found)

    def pack(self, order: Any) -> Any:
        return sum(self.ask_all("pack", order))

    def sum(self, nodes: Any) -> Any:
        return sum(self.ask_all("sum", list(nodes)))

    def apply(self, splits: Any, sets: Any) -> Any:
        return sum(self.ask_all("apply", splits, sets))

    def end(self, leaves: Any, n_nodes: int) -> int:
        tree = next(self._trees)
        self.ask_all("end", tree, leaves, n_nodes)
        return tree

    # ---- what is asked of the rows of a tree ---------------------------------------------------

    def measure_leaves(self, tree: int, gradients: Any, weights: Any) -> Any:
        return merge_measured(self.ask_all("measure_leaves", tree, cut(gradients), cut(weights)))

    def sum_leaves(self, tree: int, gradients: Any, weights: Any, order: Any) -> Any:
        return sum(self.ask_all("sum_leaves", tree, cut(gradients), cut(weights), order))

    def residuals(self, tree: int, target: Any, scores: Any, weights: Any) -> Any:
        found = self.ask_all("residuals", tree, Part(target), Part(scores), cut(weights))
        return tuple(np.concatenate(part) for part in zip(*found, strict=True))

    def add_to_scores(self, tree: int, routes: Any, sets: Any, values: Any, scores: Any) -> Any:
        found = self.ask_all("add_to_scores", tree, routes, sets, values, Part(scores))
        return np.ascontiguousarray(np.concatenate(found, axis=1))

    def release(self, tree: int) -> None:
        if not self.closed:
            self.ask_all("release", tree)

    def close(self) -> None:
        self.closed = True
        self.ask_all("forget")


class Part:
    """An array of all rows (its last axis), of which each shard gets its part."""

    def __init__(self, array: Any) -> None:
        self.array = array


class Rows:
    """Numbers of selected rows, or None."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows


def cut(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return arrays of rows as parts, and numbers and facts as they are."""
    return tuple(
        Part(value) if isinstance(value, np.ndarray) or value is None else value for value in given
    )


def merge_measured(found: list[Any]) -> Any:
    table = np.array(found)
    largest, finite, negative = table[:, :2].max(axis=0), table[:, 2].min(), table[:, 3].max()
    return np.array([*largest, finite, negative, *table[:, 4:].sum(axis=0)])


class ShardedDataset(Dataset):
    """A dataset whose trees are grown by the processes of ``workers``."""

    is_sharded = True
    workers: Workers
    made: list[ProcessExchange]

    def exchange(self, mapper: _core.BinMapper) -> ProcessExchange:
        made = ProcessExchange(self.workers, self, mapper)
        self.made.append(made)
        return made

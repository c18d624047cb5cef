"""Shards in other processes of this machine: the smallest cluster there is.

The life of the processes:

1. :class:`Workers` starts them; they serve until their pipes are closed.
2. A :class:`ShardedDataset` gives each of them a part of its rows, for every training.
3. Every call of the exchange is sent to all of them before the first answer is read, so they work
   at the same time. ``n_bytes`` counts what crosses.
"""

from __future__ import annotations

import itertools
import multiprocessing
import pickle
from collections import Counter
from typing import TYPE_CHECKING, Any

from ceiba.boosting.shards.exchange import ShardExchange
from ceiba.boosting.shards.input import divided_eval_set, row_groups
from ceiba.data.dataset import Dataset
from ceiba.errors import InvalidParameterError
from ceiba.reductions import Question, Unanswered, known_answers, merged

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.boosting.shards.input import ShardInput
    from ceiba.data.schema import Schema

__all__ = ["ProcessExchange", "ShardedDataset", "Workers"]

_numbers = itertools.count()


def serve(pipe: Connection) -> None:
    """Answer calls about shards until the pipe is closed."""
    shards: dict[int, Any] = {}  # Shard or _Columns
    while True:
        try:
            method, number, given = pickle.loads(pipe.recv_bytes())
        except EOFError:
            return
        try:
            answer: Any = None
            if method == "load":
                shards[number] = given[0].make()
            elif method == "hold":
                shards[number] = _Columns(given)
            elif method == "forget":
                shards.pop(number, None)
            elif method == "n_trees":
                core = shards[number].core
                answer = 0 if core is None else core.n_trees
            else:
                answer = getattr(shards[number], method)(*given)
        except Exception as error:
            answer = error
        pipe.send_bytes(_packed(answer))


class _Columns:
    """Parts of columns, before there is a shard."""

    def __init__(self, columns: tuple[Any, ...]) -> None:
        self._columns = columns

    def run(self, operation: Callable[..., Any], answers: list[Any]) -> Any:
        """Run an operation; return its result, or the first question without an answer."""
        with known_answers(answers):
            try:
                return operation(*self._columns)
            except Unanswered as unanswered:
                return unanswered.question


class Workers:
    """Processes that serve shards. They end when they are closed, or when this process ends."""

    def __init__(self, n_workers: int = 3) -> None:
        context = multiprocessing.get_context("spawn")
        #: Bytes that were sent and received.
        self.n_bytes = 0
        self._pipes = []
        for _ in range(n_workers):
            ours, theirs = context.Pipe()
            context.Process(target=serve, args=(theirs,), daemon=True).start()
            theirs.close()
            self._pipes.append(ours)

    def __len__(self) -> int:
        return len(self._pipes)

    def ask_all(self, method: str, number: int, given: list[tuple[Any, ...]]) -> list[Any]:
        """Call a method of the shard that each worker has under a number."""
        for pipe, own in zip(self._pipes, given, strict=True):
            self._send(pipe, (method, number, own))
        answers = [self._received(pipe) for pipe in self._pipes]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            pipe.close()

    def _send(self, pipe: Connection, message: Any) -> None:
        packed = _packed(message)
        self.n_bytes += len(packed)
        pipe.send_bytes(packed)

    def _received(self, pipe: Connection) -> Any:
        packed = pipe.recv_bytes()
        self.n_bytes += len(packed)
        return pickle.loads(packed)


class ProcessExchange(ShardExchange):
    """The exchange of one training with its shards in other processes."""

    def __init__(self, workers: Workers, given: ShardInput) -> None:
        super().__init__()
        self.workers = workers
        self.calls: Counter[str] = Counter()
        self.is_closed = False
        self._number = next(_numbers)
        groups = row_groups(len(given.target), len(workers), given.query_of_row)
        parts = [(part,) for part in given.divided(groups)]
        workers.ask_all("load", self._number, parts)

    def ask_all(self, method: str, *given: Any) -> list[Any]:
        self.calls[method] += 1
        return self.workers.ask_all(method, self._number, [given] * len(self.workers))

    def watch(self, entry: EvalSet, schema: Schema) -> None:
        queries = None if entry.rows.queries is None else entry.rows.queries.numbers
        groups = row_groups(entry.rows.n_rows, len(self.workers), queries)
        parts = [(part, schema) for part in divided_eval_set(entry, groups)]
        self.workers.ask_all("watch", self._number, parts)

    def release(self, tree: int) -> None:
        if not self.is_closed:
            super().release(tree)

    def close(self) -> None:
        """Free the shards."""
        self.is_closed = True
        self.ask_all("forget")


class ShardedDataset(Dataset):
    """A dataset whose trees are grown by the processes of ``workers``."""

    is_sharded = True
    workers: Workers

    def exchange(self, given: ShardInput) -> ProcessExchange:
        return ProcessExchange(self.workers, given)

    def reduce(self, operation: Callable[..., Any], *columns: Any) -> Any:
        """Run an operation on the parts of columns; return its result, the same in all shards."""
        queries = None if self.queries is None else self.queries.numbers
        number = next(_numbers)
        answers: list[Any] = []
        parts = [
            tuple(None if column is None else column[rows] for column in columns)
            for rows in row_groups(self.n_rows, len(self.workers), queries)
        ]
        self.workers.ask_all("hold", number, parts)
        try:
            while True:
                given = [(operation, answers)] * len(self.workers)
                found = self.workers.ask_all("run", number, given)
                if not isinstance(found[0], Question):
                    return found[0]
                answers.append(merged(found))
        finally:
            self.workers.ask_all("forget", number, [()] * len(self.workers))


def _packed(message: Any) -> bytes:
    try:
        return pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InvalidParameterError(
            f"An objective or metric of this training cannot be sent to other processes: {error}. "
            "Define functions in a module that the processes can import."
        ) from None

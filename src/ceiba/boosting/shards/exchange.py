"""`ShardExchange`: the grower's access to rows in several shards, and the rules that merge answers.

The base class of every way to keep rows elsewhere. A subclass says how the shards are asked
(:meth:`ShardExchange.ask_all`): pipes to processes, blocks on disk, tasks of a cluster. Shards
(``shard.py``) answer from what they keep; gradients, scores and targets never leave them. Every
answer is a sum of integers, a maximum or an extreme, so the division of the rows changes nothing.

There are two kinds of calls:

* The grower's (``cpp/bind/plain_exchange.hpp`` has their arguments): one question, and one answer
  whose size is a multiple of the number of bins, leaves or splits.
* :meth:`ShardExchange.reduce` runs an operation of ``TrainingRows`` on all shards, with as many
  rounds of questions as the operation has (``reductions.py``).
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.shards.placed_trees import PlacedTree
from ceiba.reductions import Question, merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.boosting.shards.shard import Shard
    from ceiba.data.schema import Schema

__all__ = ["ShardExchange"]


class ShardExchange(ABC):
    """Joins the answers of shards to the calls of one grower."""

    #: A shard without rows in this process. It takes part in every operation, so that the
    #: training loop here knows what all shards know.
    here: Shard

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._n_nodes: dict[int, int] = {}
        self._placed: list[PlacedTree] = []

    @abstractmethod
    def ask_all(self, method: str, *given: Any) -> list[Any]:
        """Call a method of every shard and return the answers, in the order of the shards."""

    @abstractmethod
    def watch(self, entry: EvalSet, schema: Schema) -> None:
        """Give every shard its part of an eval set."""

    # ---- what the grower asks ------------------------------------------------------------------

    def measure(self, view: Any, weights: Any) -> Any:
        return _merge_measured(self.ask_all("measure", view, weights))

    def pack(self, order: Any) -> Any:
        return sum(self.ask_all("pack", order))

    def sum(self, nodes: Sequence[int], columns: Sequence[int]) -> Any:
        return sum(self.ask_all("sum", list(nodes), list(columns)))

    def apply(self, splits: NDArray[np.int64], sets: Any) -> Any:
        return sum(self.ask_all("apply", np.array(splits), sets))

    def end(self, leaves: NDArray[np.int32], n_nodes: int) -> int:
        tree = next(self._numbers)
        self._n_nodes[tree] = n_nodes
        self.ask_all("end", tree, np.array(leaves), n_nodes)
        return tree

    # ---- what is asked of the rows of a tree ---------------------------------------------------

    def measure_leaves(self, tree: int, view: Any, weights: Any) -> Any:
        return _merge_measured(self.ask_all("measure_leaves", tree, view, weights))

    def sum_leaves(self, tree: int, view: Any, weights: Any, order: Any) -> Any:
        return sum(self.ask_all("sum_leaves", tree, view, weights, order))

    def leaf_statistics(
        self, tree: int, output: int, weights: Any, kind: str, option: float
    ) -> Any:
        given = tree, self._n_nodes[tree], output, weights, kind, option
        return self.reduce("leaf_statistics", *given)

    def add_to_scores(
        self,
        tree: int,
        nodes: NDArray[np.int64],
        sets: Any,
        values: NDArray[np.float64],
        width: int,
    ) -> None:
        """Note the leaf values of a tree, for :meth:`placed`."""
        self._placed.append(PlacedTree(tree, np.array(nodes), sets, np.array(values), width))

    def release(self, tree: int) -> None:
        """Free what the shards keep of a tree."""
        del self._n_nodes[tree]
        self.ask_all("release", tree)

    # ---- what the training asks ----------------------------------------------------------------

    def placed(self, trees: Any, n_outputs: int) -> list[PlacedTree]:
        """Return what shards must know of grown trees to add them to their scores."""
        self._placed = []
        trees.add_to_scores(np.empty((n_outputs, 0)))
        return self._placed

    def reduce(self, operation: str, *given: Any) -> Any:
        """Run an operation on all shards, and here without rows. Return its result here."""
        answers: list[NDArray[Any]] = []
        while True:
            found = self.ask_all("run", operation, answers, *given)
            own = self.here.run(operation, answers, *given)
            if not isinstance(own, Question):
                return own
            answers.append(merged([*found, own]))


def _merge_measured(found: Sequence[Any]) -> Any:
    """Merge facts about gradients: largest values, flags, numbers of rows."""
    table = np.array(found)
    largest, finite, negative = table[:, :2].max(axis=0), table[:, 2].min(), table[:, 3].max()
    return np.array([*largest, finite, negative, *table[:, 4:].sum(axis=0)])

"""`Shard`: some of the rows of a training, in the process that keeps them.

The life of a shard:

1. It is made from the bins of its rows and their :class:`TrainingRows`.
2. :meth:`run` runs an operation on the rows, with the answers to its first questions so far.
3. The other methods answer the calls of the grower (``exchange.py``). The grower names outputs and
   samples; the shard has the gradients, row numbers and weights that they mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.shards.placed_trees import PlacedTree, PlacedTrees
from ceiba.boosting.shards.weight_facts import Facts, weight_facts
from ceiba.boosting.training_rows import TrainingRows
from ceiba.reductions import Unanswered, count_rows, known_answers, unit_scale
from ceiba.residual_statistics import residual_statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table
    from ceiba.model.model import Model

    Floats = NDArray[np.float64]
    #: Output, whether its hessians differ, and the constant hessian.
    View = tuple[int, bool, float]

__all__ = ["Shard"]


@dataclass(frozen=True, slots=True)
class _Sample:
    """Rows of the trees of a member of a round, and their weights times their multipliers."""

    rows: NDArray[np.int32] | None
    weights: Floats | None


class Shard:
    """Rows of a training, with the operations that are asked of them."""

    def __init__(
        self,
        core: _core.ShardRows | None,
        rows: TrainingRows,
        table: Table,
        mapper: _core.BinMapper | None = None,
    ) -> None:
        self.core = core  # None: no rows
        self._mapper = mapper
        self.rows = rows
        self._table = table
        self._samples: dict[int, _Sample] = {}
        self._residuals: tuple[Any, _core.ShardResiduals] | None = None
        self._growing = False

    def run(self, operation: str, answers: Sequence[NDArray[Any]], *given: Any) -> Any:
        """Run an operation; return its result, or the first question without an answer."""
        own = getattr(self, f"_{operation}", None)
        with known_answers(answers):
            try:
                if own is not None:
                    return own(*given)
                # The base class: rows of several shards forward their own methods to here.
                return getattr(TrainingRows, operation)(self.rows, *given)
            except Unanswered as unanswered:
                return unanswered.question

    # ---- operations that TrainingRows has in another form --------------------------------------

    def _replay(self, model: Model) -> None:
        if self.core is None:
            evals, self.rows.evals = self.rows.evals, []
            TrainingRows.replay(self.rows, model, self._table, self._table)
            self.rows.evals = evals
        else:
            TrainingRows.replay(self.rows, model, self._table, self._table)

    def _sample(self, place: int, round: int, member: int, last_leaf: float | None) -> Facts:
        """Draw the rows of a member of a round; return facts about their weights."""
        rows = self.rows
        chosen = rows.sampler.select(rows.statistics, round, member, last_leaf)
        weights, counted = rows.weights, rows.settings.parameters.weighted_counts
        if chosen.multipliers is None:
            facts = weight_facts(place, weights, counted)
        else:
            n_rows = len(rows.target)
            selected: Any = slice(None) if chosen.rows is None else chosen.rows
            own = chosen.multipliers * (1.0 if weights is None else weights[selected])
            facts = weight_facts(place, own, counted, whole=chosen.repeats)
            weights = np.zeros(n_rows)
            weights[selected] = own
        self._samples[place] = _Sample(chosen.rows, weights)
        return facts

    def _commit(self, members: Sequence[Sequence[PlacedTree]]) -> None:
        trees: Any = PlacedTrees(members, self.core)
        if self.core is None:
            self.rows.boosting.commit(trees)
        else:
            TrainingRows.commit(self.rows, trees)

    def _move(self, trees: Sequence[PlacedTree]) -> None:
        TrainingRows.move(self.rows, PlacedTrees([trees], self.core))

    def _leaf_statistics(
        self, tree: int, n_nodes: int, output: int, weights: Facts, kind: Any, option: float
    ) -> tuple[Floats, Floats]:
        """Return a statistic of the residuals of each leaf, and the weights of the leaves."""
        key = tree, output
        own = self._weights(weights)
        in_units = weights[1] and not weights[2]
        n_rows = count_rows(self.rows.target)
        scale = unit_scale(weights[4], n_rows) if in_units and weights[4] > 0.0 else 1.0
        if self._residuals is None or self._residuals[0] != key:
            self._residuals = key, self._residuals_of(tree, n_nodes, output, own, scale)
        values, totals = residual_statistics(self._residuals[1], n_nodes, kind, option)
        self._residuals = None
        return values, totals.astype(np.float64) * (1.0 / scale)

    def _residuals_of(
        self, tree: int, n_nodes: int, output: int, weights: Floats | None, scale: float
    ) -> _core.ShardResiduals:
        if self.core is None:
            return _core.ShardResiduals.none(n_nodes)
        leaves = self.rows.residual_leaves()
        assert leaves is not None
        scores = np.ascontiguousarray(leaves.scores[output])
        return self.core.residuals(tree, leaves.target, scores, weights, scale)

    def watch(self, entry: EvalSet, schema: Schema) -> None:
        """Keep the scores of some rows of an eval set up to date."""
        assert self._mapper is not None
        TrainingRows.watch(self.rows, [entry], self._mapper, schema)

    # ---- calls of the grower -------------------------------------------------------------------

    def measure(self, view: View, weights: Facts) -> Any:
        self._growing = True
        given = self._gradients(view), self._samples[weights[0]].rows
        return self._core.measure(*given, (self._weights(weights), weights))

    def pack(self, order: Any) -> Any:
        return self._core.pack(order)

    def sum(self, nodes: list[int], columns: list[int]) -> Any:
        return self._core.sum(nodes, columns)

    def apply(self, splits: Any, sets: Any) -> Any:
        return self._core.apply(splits, sets)

    def end(self, tree: int, leaves: Any, n_nodes: int) -> None:
        self._core.end(tree, leaves, n_nodes)

    def release(self, tree: int) -> None:
        self._core.release(tree)

    def measure_leaves(self, tree: int, view: View, weights: Facts) -> Any:
        self._growing = False  # leaves are fitted to the gradients of all outputs
        given = self._gradients(view), (self._weights(weights), weights)
        return self._core.measure_leaves(tree, *given)

    def sum_leaves(self, tree: int, view: View, weights: Facts, order: Any) -> Any:
        given = self._gradients(view), (self._weights(weights), weights), order
        return self._core.sum_leaves(tree, *given)

    @property
    def _core(self) -> _core.ShardRows:
        assert self.core is not None
        return self.core

    def _gradients(self, view: View) -> tuple[Floats, Floats | None, float]:
        output, differ, constant = view
        own = self.rows.for_splits if self._growing else self.rows.statistics
        hessians = own.hessians[output] if differ and own.hessians is not None else None
        return own.gradients[output], hessians, constant

    def _weights(self, facts: Facts) -> Floats | None:
        return self._samples[facts[0]].weights if facts[1] else None

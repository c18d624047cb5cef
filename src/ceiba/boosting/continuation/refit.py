"""Refit the leaf values of existing trees to new rows.

How it works:

1. Scores start at the start scores of the model.
2. Each round computes gradients and fits every leaf to the new rows that reach it. It fits like a
   training: with all rows, the learning rate of the round, and the latest penalties of the model.
   The new value is mixed with the old one: ``decay_rate * old + (1 - decay_rate) * new``. A leaf
   without rows keeps its value. Linear leaves keep their slopes and refit their constant
   (``refit_linear_leaves.py``).
3. The mixed values are added to the scores, so that each tree corrects the refitted trees before.

Mixed values obey the monotone constraints of the model.

Quantiles are calibrated again on folds of the new rows (``calibration.py``), with refits in place
of trainings. If the splits were grown on the same rows, calibration is less accurate for others.

Splits and gains do not change. Cover and count become those of the new rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.calibration import ScoringTrees, calibrated, count_folds
from ceiba.boosting.column_constraints import category_kinds, column_constraints
from ceiba.boosting.continuation.refit_linear_leaves import MemberLinearLeaves, MixedLinearLeaves
from ceiba.boosting.encoding.encoded_table import TargetSums, encode_like
from ceiba.boosting.grow_plan import make_adopter
from ceiba.boosting.leaves import LeafRule
from ceiba.boosting.modes.removable_scores import RoundValues, small_numbers
from ceiba.boosting.prepare import make_boosting
from ceiba.boosting.round_grower import GrownRound, members_of
from ceiba.boosting.row_statistics import RowLoss, empty_statistics
from ceiba.boosting.start import checked_target, first_scores, training_weights
from ceiba.model.predict import count_threads, staged_leaves_of
from ceiba.model.tree_parts import one_dimensional
from ceiba.model.trees import Trees
from ceiba.objectives.several import check_n_targets
from ceiba.parameters import BEFORE
from ceiba.parameters.resolving import Parameters, resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.model.model import Model
    from ceiba.objectives import Objective

    Floats = NDArray[np.float64]

__all__ = ["refit_model"]


@dataclass(frozen=True, slots=True)
class _Refit:
    """Inputs of calibration that describe a refit."""

    parameters: Parameters
    dataset: Dataset
    objective: Objective
    n_outputs: int
    n_rounds: int
    n_folds: int


def refit_model(model: Model, dataset: Dataset, decay_rate: float, n_threads: int) -> Model:
    """Return the model with leaves fitted to the rows of a dataset."""
    # Files of older versions lack some parameters.
    known = {**dict(resolve({}).items()), **BEFORE, **model.parameters}
    parameters = Parameters({**known, "n_jobs": n_threads})
    fit = partial(_fit_trees, ScoringTrees.of(model), model.objective, decay_rate)
    fitted = fit(parameters, dataset)
    if decay_rate == 1.0:
        return model.with_forest(fitted.forest, history={})
    refitted = model.with_forest(fitted.forest, history={}, schema=fitted.schema)
    n_folds = count_folds(parameters, model.objective, dataset)
    what = _Refit(
        parameters, dataset, model.objective, model.n_outputs, model.n_iterations, n_folds
    )
    fresh = calibrated(fit, what, model.schema)
    # With too few rows for folds, keep the calibration.
    if n_folds > 0 and not fresh.folds:
        return refitted
    return refitted.corrected(fresh.after(model.n_iterations))


def _mix_values(
    trees: Trees, nodes: slice, fitted: Trees, directions: Any, decay_rate: float
) -> Floats:
    """Mix old and fitted values of some nodes in place; return the values [nodes, width].

    ``trees`` has a value, cover and count that can be written.
    """
    values = trees.value[nodes]
    # Column c of tree t is output t * leaf_width + c.
    for column in range(values.shape[1]):
        mixed = _mixed(values[:, column], fitted.value[:, column], fitted.count > 0, decay_rate)
        if directions:
            _core.make_leaves_monotone(
                fitted.offsets,
                trees.feature[nodes],
                trees.threshold[nodes],
                trees.left[nodes],
                trees.right[nodes],
                directions,
                mixed,
            )
        values[:, column] = mixed
    trees.cover[nodes] = fitted.cover
    trees.count[nodes] = fitted.count
    return values


def _fit_trees(
    trees: ScoringTrees,
    objective: Objective,
    decay_rate: float,
    parameters: Parameters,
    dataset: Dataset,
) -> ScoringTrees:
    forest, schema, start, weights_of_trees = trees
    n_threads = count_threads(parameters.n_jobs)
    target = checked_target(dataset)
    check_n_targets(objective, target)
    objective.check_target(target, len(start))
    bound = objective.for_queries(dataset.queries)
    weights = training_weights(parameters, objective, dataset)
    schema.reading.check_same(dataset.schema.reading)
    schema.order_in(dataset.schema)  # columns that do not fit are an error before any work
    directions = column_constraints(parameters, schema).monotone
    leaf_rule = LeafRule.of(parameters, objective, len(start))
    scores = first_scores(start, dataset)
    boosting = make_boosting(parameters, scores, follows=weights_of_trees)
    statistics = empty_statistics(objective, len(start), dataset.n_rows)
    kinds = category_kinds(parameters, schema)
    grower = make_adopter(parameters, weights, dataset.n_rows, n_threads, kinds)

    old = Trees.of(forest)
    refitted = replace(old, value=old.value.copy(), cover=old.cover.copy(), count=old.count.copy())
    table = dataset.table.arranged(schema)
    if schema.statistics is not None:
        rows = dataset.with_table(table)
        sums = TargetSums(parameters, objective, rows, weights, schema.statistics, n_threads)
        encoded = encode_like(sums)
        table, schema = encoded.scored.table, schema.with_statistics(encoded.schema.statistics)
    # Parallel trees are fitted one after the other, at the same scores.
    members = members_of(forest)
    n_trees, n_members = members.trees_per_iteration, forest.n_parallel
    n_views = min(n_trees, len(statistics.gradients))
    stages = staged_leaves_of(members, table, (0, members.n_iterations), n_threads)
    mixed_members: list[_MixedTrees | MixedLinearLeaves] = []
    for member, leaves in enumerate(map(np.ascontiguousarray, stages)):
        iteration = member // n_members
        if member % n_members == 0:
            boosting.begin(iteration)
            mixed_members = []
        points = boosting.scores_for_gradients()
        of_round = bound.in_turn(iteration).for_round(points, target, weights)
        loss = RowLoss(of_round, target, n_threads)
        statistics.fill(loss, points)
        grown = grower.adopt(
            members,
            member,
            leaves,
            # Files of version 1 have a tree for each output, even if outputs share gradients. A
            # tree with several outputs uses the gradients of the first.
            np.repeat(statistics.gradients[:n_views], n_trees // n_views, axis=0),
            None if statistics.hessians is None else statistics.hessians[:n_views],
            statistics.constant_hessian,
        )
        linear = forest.has_linear_leaves and MemberLinearLeaves.of(
            members, member, table, n_threads
        )
        if not linear:
            leaf_rule.fit(grown, statistics, boosting, loss)
            fitted = Trees.of(grown)
        else:
            fitted = linear.fit(leaf_rule, grown, statistics, boosting, loss)
        begin, end = old.offsets[[member * n_trees, (member + 1) * n_trees]]
        values = _mix_values(refitted, slice(begin, end), fitted, directions, decay_rate)
        if not linear:
            mixed_members.append(_MixedTrees(values, fitted.offsets, leaves))
        else:
            mixed_members.append(linear.mixed(values))
        if len(mixed_members) == n_members:
            boosting.commit(GrownRound(mixed_members))
    return ScoringTrees(refitted.to_forest(forest.n_features), schema, start, boosting.weights)


@dataclass(frozen=True, slots=True)
class _MixedTrees:
    """The trees of a round with mixed values, and the leaf of every row."""

    values: Floats  # [n_nodes, leaf_width]
    first_nodes: NDArray[np.int64]  # of each tree, and the end
    leaf_of_row: NDArray[np.int32]

    def leaves(self, binned: None = None) -> NDArray[np.unsignedinteger[Any]]:
        return small_numbers(self.leaf_of_row)

    def round_values(self) -> RoundValues:
        return RoundValues(one_dimensional(self.values), self.first_nodes)

    def add_to_scores(self, scores: Floats) -> None:
        width = self.values.shape[1]
        for tree, first_node in enumerate(self.first_nodes[:-1]):
            nodes = first_node + self.leaf_of_row[:, tree]
            for column in range(width):
                scores[tree * width + column] += self.values[nodes, column]


def _mixed(old: Floats, new: Floats, reached: NDArray[np.bool_], decay_rate: float) -> Floats:
    # decay_rate 0 must keep a new value of -0.0.
    mixed = new if decay_rate == 0.0 else decay_rate * old + (1.0 - decay_rate) * new
    return np.where(reached, mixed, old)

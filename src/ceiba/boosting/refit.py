"""New leaf values for trees that are there, from new rows.

The life of a refit:

1. Scores start where the model starts.
2. Tree by tree, in their order: gradients are taken at the scores so far, every leaf is fitted to
   the new rows that reach it, as a training would fit it (all rows, the learning rate of its round,
   and for all trees the penalties that the model recorded last), and the result is mixed with the
   old value: ``decay_rate * old + (1 - decay_rate) * new``. A leaf that no row reaches keeps its
   value.
3. The mixed values are added to the scores, so that each tree corrects the refitted ones before it.

Monotone constraints of the model hold for the mixed values too.

What calibration adds to quantiles is found anew from folds of the new rows, as ``calibration.py``
says, with refits in place of trainings. The splits may know those rows: where a model is refitted
on the rows that it was grown on, quantiles hold less well for others.

Splits stay as they are, and so do their gains. Cover and count become those of the new rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.calibration import Trees, calibrated, count_folds
from ceiba.boosting.column_rules import column_rules
from ceiba.boosting.grow import make_grower
from ceiba.boosting.leaves import LeafRule
from ceiba.boosting.plain import PlainBoosting
from ceiba.boosting.prepare import checked_target, empty_statistics, first_scores, training_weights
from ceiba.data.missing_values import Reading
from ceiba.model.predict import count_threads, staged_leaves
from ceiba.parameters import BEFORE
from ceiba.parameters.resolving import Parameters, resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.objectives import Objective

__all__ = ["refit_trees"]

_SHAPE = ("feature", "threshold", "left", "right")


def refit_trees(
    trees: Trees,
    objective: Objective,
    recorded: Mapping[str, Any],
    dataset: Dataset,
    decay_rate: float,
    n_threads: int,
) -> tuple[_core.Forest, Objective]:
    """Return the forest with leaves fitted to the rows of a dataset, and its objective."""
    # A file of an older version does not know every parameter.
    known = {**dict(resolve({}).items()), **BEFORE, **recorded}
    parameters = Parameters({**known, "n_jobs": n_threads})
    fit = partial(_fit_trees, trees, objective, decay_rate)
    refitted = fit(parameters, dataset)
    if decay_rate == 1.0:
        return refitted.forest, objective
    n_outputs = len(trees.start_scores)
    fresh = calibrated(objective.after(0), fit, parameters, dataset, n_outputs, trees.schema)
    # Rows that are too few for folds leave the calibration as it was.
    too_few = count_folds(parameters, dataset) > 0 and not fresh.folds
    return refitted.forest, objective if too_few else fresh.after(trees.forest.n_iterations)


def _fit_trees(
    trees: Trees, objective: Objective, decay_rate: float, parameters: Parameters, dataset: Dataset
) -> Trees:
    forest, schema, start = trees
    n_threads = count_threads(parameters.n_jobs)
    target = checked_target(dataset)
    objective.check_target(target, len(start))
    bound = objective.for_queries(dataset.queries)
    weights = training_weights(parameters, objective, dataset)
    scores = first_scores(start, dataset)
    Reading.of(parameters.of_stage("data")).check_same(dataset.reading)
    schema.arrange(dataset.table)  # columns that do not fit are an error before any work
    statistics = empty_statistics(objective, len(start), dataset.n_rows)
    _, binned = dataset.binned(
        parameters.max_bins, parameters.min_data_in_bin, n_threads, weight=weights
    )
    grower = make_grower(binned, parameters, weights, n_threads)
    leaf_rule = LeafRule.of(parameters, objective, len(start))
    boosting = PlainBoosting(parameters)
    directions = column_rules(parameters, schema).monotone

    n_trees = forest.trees_per_iteration
    arrays = {name: array.copy() for name, array in forest.arrays().items()}
    stages = staged_leaves(forest, schema, dataset.table, (0, forest.n_iterations), n_threads)
    for iteration, leaves in enumerate(map(np.ascontiguousarray, stages)):
        loss = bound.in_turn(iteration).for_round(scores, target, weights)
        loss.gradients(scores, target, statistics.gradients, statistics.hessians, n_threads)
        grown = grower.adopt(
            forest,
            iteration,
            leaves,
            # A file of version 1 has a tree for each output also where outputs share gradients.
            np.repeat(statistics.gradients, n_trees // len(statistics.gradients), axis=0),
            statistics.hessians,
            statistics.constant_hessian,
        )
        weight = boosting.tree_weight(iteration)
        leaf_rule.fit(grown, statistics, weight, loss, scores, target, n_threads)
        fitted = grown.arrays()
        begin, end = arrays["tree_offsets"][[iteration * n_trees, (iteration + 1) * n_trees]]
        shape = {name: arrays[name][begin:end] for name in _SHAPE}
        # [n_nodes, leaf_width]; column c of tree t is output t * leaf_width + c.
        values, new = (
            a.reshape(end - begin, -1) for a in (arrays["value"][begin:end], fitted["value"])
        )
        for column in range(forest.leaf_width):
            mixed = _mixed(values[:, column], new[:, column], fitted["count"] > 0, decay_rate)
            if directions:
                _core.order_leaves(
                    fitted["tree_offsets"], **shape, directions=directions, value=mixed
                )
            values[:, column] = mixed
            for tree, offset in enumerate(fitted["tree_offsets"][:-1]):
                scores[tree * forest.leaf_width + column] += mixed[offset + leaves[:, tree]]
        arrays["cover"][begin:end] = fitted["cover"]
        arrays["count"][begin:end] = fitted["count"]
    return Trees(_core.Forest(forest.n_features, forest.n_outputs, arrays), schema, start)


def _mixed(
    old: NDArray[np.float64],
    new: NDArray[np.float64],
    reached: NDArray[np.bool_],
    decay_rate: float,
) -> NDArray[np.float64]:
    # 0 times the old value would still turn a new -0.0 into 0.0.
    mixed = new if decay_rate == 0.0 else decay_rate * old + (1.0 - decay_rate) * new
    return np.where(reached, mixed, old)

"""Parameters → the grower of a training."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ceiba import _core
from ceiba.boosting.column_constraints import category_rule, columns_by_node, columns_by_path
from ceiba.boosting.linear_leaves import slope_penalty
from ceiba.boosting.sample import count_rows
from ceiba.data.binning import apply_bins
from ceiba.errors import InvalidParameterError
from ceiba.metrics import CustomMetric, ScorerMetric
from ceiba.parameters import NOT_IN_SHARDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.data.dataset import Dataset
    from ceiba.metrics import Metric
    from ceiba.parameters.resolving import Parameters

__all__ = [
    "bin_for",
    "bin_like",
    "check_metrics",
    "check_shards",
    "make_adopter",
    "make_plan",
    "rank_for",
]

#: Bins that help to find exact splits: as many as codes of one byte allow, and a value alone in
#: its bin where there are few.
_EXACT_BINS = (256, 1)
#: Sums of weights from here on are not counted as rows (``weighted_counts``).
_MOST_COUNTED = 2**30


def check_shards(parameters: Parameters, dataset: Dataset) -> None:
    """Refuse what cannot be done where the rows of the dataset are in several places."""
    if not dataset.is_sharded:
        return
    for name, value, message in NOT_IN_SHARDS:
        given = getattr(parameters, name)
        if value in (given.values() if isinstance(given, dict) else (given,)):
            raise InvalidParameterError(message)


def check_metrics(metrics: Sequence[Metric], evals: Sequence[EvalSet]) -> None:
    """Refuse metrics that must see all rows of an eval set in several places."""
    for entry in evals:
        for metric in metrics:
            if entry.rows.is_sharded and isinstance(metric, CustomMetric | ScorerMetric):
                raise InvalidParameterError(
                    f"Metric {metric.name!r} needs all rows of an eval set in one place. Those of "
                    f"eval set {entry.name!r} are in several shards. Give the eval set as a "
                    "ceiba.Dataset, or another eval_metric."
                )


def bin_for(
    parameters: Parameters,
    dataset: Dataset,
    weights: NDArray[np.float64] | None,
    n_threads: int,
) -> tuple[_core.BinMapper | None, _core.BinnedMatrix | None]:
    """Return the bins and the binned rows of a training; approx makes its own for each tree.

    Rows in other places are binned there.
    """
    if parameters.split_method == "approx":
        return None, None
    limits = parameters.max_bins, parameters.min_data_in_bin
    exact = parameters.split_method == "exact"
    if exact:
        limits = _EXACT_BINS
    if dataset.is_sharded:
        return dataset.edges(*limits, n_threads, weight=weights), None
    # Other searches than the plain one read the bins of every column from histograms.
    plain = not exact and parameters.multi_strategy == "one_tree_per_output"
    plain = plain and parameters.split_score != "cosine" and parameters.random_strength == 0.0
    gain = parameters.leaf_model == "linear" and parameters.linear_fit == "gain"
    lists = plain and not parameters.extra_trees and not gain
    return dataset.binned(*limits, n_threads, weight=weights, lists=lists)


def bin_like(
    mapper: _core.BinMapper | None, dataset: Dataset | None, n_threads: int
) -> _core.BinnedMatrix | None:
    """Return another table in the bins of a training, where there is one."""
    if mapper is None or dataset is None:
        return None
    return apply_bins(mapper, dataset.table, n_threads, lists=False)


def rank_for(
    parameters: Parameters, dataset: Dataset, n_threads: int
) -> _core.RankedColumns | None:
    """Return the sorted columns of a dataset where the split method reads them."""
    return dataset.ranked(n_threads) if parameters.split_method in ("approx", "exact") else None


def make_adopter(
    parameters: Parameters,
    weights: NDArray[np.float64] | None,
    n_rows: int,
    n_threads: int,
    kinds: list[str],
) -> _core.Grower:
    """Return a grower that fits the leaves of trees that are there, and needs no table for it.

    ``kinds`` says how each column is split, as in the rules of columns: leaves below sets of levels
    have a penalty of their own.
    """
    columns = _core.ColumnConstraints(kinds=kinds)
    constant = parameters.replace(leaf_model="constant")  # refits keep the slopes of lines
    plan = make_plan(constant, weights, n_rows, n_features=1, columns=columns)
    return _core.Grower(_core.GrowerTable.of_rows(n_rows), plan, weights, n_threads)


def make_plan(
    parameters: Parameters,
    weights: NDArray[np.float64] | None,
    n_rows: int,
    n_features: int,
    columns: _core.ColumnConstraints | None = None,
    *,
    vector_leaves: bool = False,
    linear_gain: _core.LinearRule | None = None,
) -> _core.GrowPlan:
    """Return what the parameters ask of a tree, as plain numbers."""
    number = columns_by_node(parameters, n_features)
    n_counted = count_rows(n_rows, weights if parameters.weighted_counts else None)
    if n_counted >= _MOST_COUNTED:
        n_counted = n_rows

    def fewest(rows: float) -> int:
        return math.ceil(rows * n_counted) if 0 < rows < 1 else int(rows)

    return _core.GrowPlan(
        grow_policy=parameters.grow_policy,
        max_depth=parameters.max_depth,
        max_leaves=parameters.max_leaves,
        min_samples_leaf=max(1, fewest(parameters.min_samples_leaf)),
        min_child_weight=parameters.min_child_weight,
        reg_lambda=parameters.reg_lambda,
        reg_alpha=parameters.reg_alpha,
        min_split_gain=parameters.min_split_gain,
        max_delta_step=parameters.max_delta_step,
        colsample_bytree=parameters.colsample_bytree,
        colsample_bylevel=parameters.colsample_bylevel,
        colsample_bynode=1.0 if number else parameters.colsample_bynode,
        seed=parameters.random_state,
        weighted_counts=parameters.weighted_counts,
        min_samples_split=max(2, fewest(parameters.min_samples_split)),
        columns_bynode=number,
        columns_bypath=columns_by_path(parameters),
        draw_until_split=parameters.draw_until_split,
        prune_after=parameters.prune == "after",
        penalize_bounded=parameters.penalize_bounded,
        own_units=parameters.boosting == "forest",
        unit_hessians=parameters.split_hessian == "unit",
        drop_hopeless_columns=parameters.drop_hopeless_columns,
        estimate_rows=parameters.row_counts == "hessian",
        extra_trees=parameters.extra_trees,
        leaves_of_all_rows=parameters.leaf_rows == "all",
        penalize_steps=parameters.leaf_penalty == "step",
        backtrack=parameters.leaf_backtracking,
        score=parameters.split_score,
        min_impurity_decrease=parameters.min_impurity_decrease,
        min_weight_fraction_leaf=parameters.min_weight_fraction_leaf,
        ccp_alpha=parameters.ccp_alpha,
        columns=columns or _core.ColumnConstraints(),
        category=category_rule(parameters),
        sketch_eps=parameters.sketch_eps if parameters.split_method == "approx" else 0.0,
        approx_scope=parameters.approx_scope,
        vector_leaves=vector_leaves,
        linear_gain=linear_gain or _core.LinearRule(),
        **_linear_plan(parameters),
    )


def _linear_plan(parameters: Parameters) -> dict[str, Any]:
    """Return what the parameters ask of lines in leaves."""
    if parameters.leaf_model != "linear":
        return {}
    columns = parameters.linear_features
    return {
        "linear_leaves": True,
        "linear_columns": "path" if columns is None else "tree" if columns == "tree" else "given",
        "max_linear_features": parameters.max_linear_features,
        "linear_lambda": slope_penalty(parameters),
        "shrink_slopes": parameters.linear_lambda == "auto",
        "extrapolate_linear_leaves": parameters.extrapolate == "linear",
    }

"""Parameters → the grower of a training, and the call that grows the trees of a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ceiba import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ceiba.parameters import Parameters

__all__ = ["RowStatistics", "grow_trees", "make_grower"]


@dataclass(frozen=True, slots=True)
class RowStatistics:
    """What a round knows of every row; the arrays are filled anew in each round.

    Gradients and hessians are those of the unweighted loss: the grower multiplies by the weights.
    """

    gradients: NDArray[np.float64]  # [K, n]
    hessians: NDArray[np.float64] | None  # [K, n]; None where constant_hessian says it all
    constant_hessian: float


def make_grower(
    binned: _core.BinnedMatrix,
    parameters: Parameters,
    weights: NDArray[np.float64] | None,
    n_threads: int,
) -> _core.Grower:
    """Return the grower of a training; it keeps its buffers from round to round."""
    plan = _core.GrowPlan(
        grow_policy=parameters.grow_policy,
        max_depth=parameters.max_depth,
        max_leaves=parameters.max_leaves,
        min_samples_leaf=max(1, parameters.min_samples_leaf),
        min_child_weight=parameters.min_child_weight,
        reg_lambda=parameters.reg_lambda,
        reg_alpha=parameters.reg_alpha,
        min_split_gain=parameters.min_split_gain,
        max_delta_step=parameters.max_delta_step,
        colsample_bytree=parameters.colsample_bytree,
        colsample_bylevel=parameters.colsample_bylevel,
        colsample_bynode=parameters.colsample_bynode,
        seed=parameters.random_state,
        weighted_counts=parameters.weighted_counts,
        sketch_eps=parameters.sketch_eps if parameters.split_method == "approx" else 0.0,
        approx_scope=parameters.approx_scope,
    )
    return _core.Grower(binned, plan, weights, n_threads)


def grow_trees(
    grower: _core.Grower,
    statistics: RowStatistics,
    rows: NDArray[np.int32] | None,
    iteration: int,
) -> _core.GrownTrees:
    """Grow the K trees of a round on the selected rows (None: all of them)."""
    return grower.grow(
        statistics.gradients,
        statistics.hessians,
        statistics.constant_hessian,
        rows,
        iteration,
    )

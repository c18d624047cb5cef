"""Create the objective, the training weights and the start scores of a training."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives import Objective, find_objective
from ceiba.objectives.several import for_targets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.parameters.resolving import Parameters

__all__ = [
    "bind_objective",
    "checked_target",
    "create_objective",
    "first_scores",
    "make_objective",
    "start_scores",
    "training_weights",
]

#: Largest target and start score: beyond it, sums of leaves might overflow, and model files cannot
#: store the scores.
LARGEST_VALUE = 1e250


def checked_target(dataset: Dataset) -> NDArray[np.float64]:
    """Return the target; raise if the dataset has none."""
    if dataset.target is None:
        raise InvalidInputError(
            "The Dataset has no target. Make it with ceiba.Dataset(data, target)."
        )
    return dataset.target


def create_objective(parameters: Parameters) -> Objective:
    """Return the objective with its options, before any row is known."""
    return find_objective(
        parameters.objective or "squared_error", **parameters.of_stage("objective")
    )


def bind_objective(
    objective: Objective, parameters: Parameters, target: NDArray[np.float64]
) -> Objective:
    """Check the target and return the objective with what it learns from the target.

    These are the number of targets or classes and ``hessian_factor="classes"``, which is
    K / (K - 1) for K classes.
    """
    objective = for_targets(objective, target)
    if parameters.n_classes is not None and not hasattr(objective, "n_classes"):
        raise InvalidParameterError(
            f"n_classes belongs to objective softmax. Got n_classes={parameters.n_classes} with "
            f"objective {objective.name}. Leave it out, or give objective='softmax'."
        )
    objective.check_target(target)
    if target.size:  # a shard may have no rows
        _check_size(target)
    if getattr(objective, "hessian_factor", None) == "classes":
        n_outputs = objective.n_outputs(target)
        objective = replace(objective, hessian_factor=n_outputs / max(1, n_outputs - 1))  # type: ignore[call-arg]
    return objective.for_target(target)


def _check_size(target: NDArray[np.float64]) -> None:
    farthest = np.unravel_index(np.argmax(np.abs(target)), target.shape)
    if abs(target[farthest]) > LARGEST_VALUE:
        raise InvalidInputError(
            f"The target must lie between {-LARGEST_VALUE:g} and {LARGEST_VALUE:g}. Got "
            f"{target[farthest]:g} in row {farthest[0]}. Divide the target by a constant."
        )


def make_objective(parameters: Parameters, target: NDArray[np.float64]) -> Objective:
    """Create the objective and bind it to a target."""
    return bind_objective(create_objective(parameters), parameters, target)


def training_weights(
    parameters: Parameters, objective: Objective, dataset: Dataset
) -> NDArray[np.float64] | None:
    """Return the weights of the rows, those of class 1 times ``scale_pos_weight``."""
    weights = dataset.weight
    if parameters.scale_pos_weight != 1.0:
        if objective.task != "binary":
            raise InvalidParameterError(
                "scale_pos_weight needs an objective with two classes. Got objective "
                f"{objective.name}. Use weights (or class_weight of CeibaClassifier)."
            )
        factors = np.where(checked_target(dataset) == 1.0, parameters.scale_pos_weight, 1.0)
        with np.errstate(over="ignore", under="ignore"):
            weights = factors if weights is None else weights * factors
        if not (np.isfinite(weights) & (weights > 0.0)).all():
            raise InvalidParameterError(
                f"scale_pos_weight={parameters.scale_pos_weight:g} times the weights of the rows "
                "gives 0 or infinity. Give weights and a factor nearer to 1."
            )
    return weights


def start_scores(
    parameters: Parameters,
    objective: Objective,
    n_outputs: int,
    has_init_score: bool,
    target: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Return the raw scores [K] of a model without trees.

    ``base_score`` if it is given; 0 where every row brings its own ``init_score``; else the best
    constant, or 0, as ``boost_from_average`` says.
    """
    average = parameters.boost_from_average
    if average == "catboost":
        average = objective.catboost_starts_from_average
    if parameters.base_score is not None:
        start = objective.to_raw(parameters.base_score, n_outputs)
    elif has_init_score or not average:
        return np.zeros(n_outputs)
    else:
        start = objective.start_scores(target, weights)
    if not (np.abs(start) <= LARGEST_VALUE).all():  # also where tiny weights made it NaN
        raise InvalidInputError(
            f"The raw scores that boosting starts from must be finite and at most "
            f"{LARGEST_VALUE:g}. Got {start.tolist()}. Look for extreme weights, targets or "
            "base_score, and bring them nearer to 1."
        )
    return start


def first_scores(
    start: NDArray[np.float64], n_rows: int, init_score: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return the score buffer [K, n]: the start scores plus ``init_score``, if there is one."""
    scores = np.empty((len(start), n_rows))
    scores[:] = start[:, None]
    if init_score is not None:
        given = np.asarray(init_score, dtype=np.float64)
        given = given[None, :] if given.ndim == 1 else given.T
        if given.shape != scores.shape:
            raise InvalidInputError(
                f"init_score must hold one raw score for each row and output, {scores.T.shape}. "
                f"Got {given.T.shape}."
            )
        scores += given
    return scores

"""Several targets of each row: the same loss of single numbers for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives._base import Floats, Objective, Task, read_base_score

__all__ = ["Several", "check_n_targets", "for_targets", "takes_several"]

#: What is true of the loss of one target and so of all of them.
_INHERITED = (
    "domain",
    "default_metric",
    "slope",
    "curvature",
    "start",
    "constant_hessian",
    "catboost_starts_from_average",
    "own_max_delta_step",
    "has_log_odds",
    "has_class_link",
    "link",
)


@dataclass(frozen=True)
class Several(Objective):
    """The sum of a loss over targets [n, K]; a row has one score for each of them.

    Two classes for each target are labels, any number of which a row may have.
    """

    name: ClassVar[str] = "several"
    task: ClassVar[Task] = "regression"
    default_metric: ClassVar[str] = "rmse"

    of: Objective
    n_targets: int

    def __post_init__(self) -> None:
        for name in _INHERITED:
            object.__setattr__(self, name, getattr(self.of, name))
        if self.of.task == "binary":
            object.__setattr__(self, "task", "multilabel")

    @property
    def label(self) -> str:
        return self.of.label

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        check_n_targets(self, target)
        for k in range(self.n_targets):
            self.of.check_target(target[:, k])

    def n_outputs(self, target: Floats) -> int:
        return self.n_targets

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        return np.concatenate(
            [self.of.start_scores(np.ascontiguousarray(each), weights) for each in target.T]
        )

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        for k, each in enumerate(target.T):
            one = slice(k, k + 1)
            hessians = None if out_hessians is None else out_hessians[one]
            own = np.ascontiguousarray(each)
            self.of.gradients(scores[one], own, out_gradients[one], hessians, n_threads)

    def losses(self, scores: Floats, target: Floats) -> Floats:
        of_targets = [
            self.of.losses(scores[k : k + 1], np.ascontiguousarray(each))
            for k, each in enumerate(target.T)
        ]
        total: Floats = np.sum(of_targets, axis=0)
        return total

    def predict(self, raw: Floats) -> Floats:
        predictions = super().predict(raw)
        return predictions if predictions.ndim == 2 else predictions[:, None]

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        given = read_base_score(base_score, n_outputs)
        return np.concatenate([self.of.to_raw(each, 1) for each in given])

    def log_odds(self, raw: Floats) -> Floats:
        return np.column_stack([self.of.log_odds(raw[:, k : k + 1]) for k in range(self.n_targets)])

    @property
    def score_scale(self) -> str:
        return self.of.score_scale

    @property
    def log_link_power(self) -> float | None:
        return self.of.log_link_power

    def state(self) -> dict[str, Any]:
        return {"name": self.name, "of": self.of.state(), "n_targets": self.n_targets}


def takes_several(objective: Objective) -> bool:
    """Return whether an objective can be trained on several targets of each row."""
    return (
        objective.task in ("regression", "binary")
        and objective.leaf == "newton"
        and not objective.shares_trees
        and not objective.needs_queries
    )


def for_targets(objective: Objective, target: Floats) -> Objective:
    """Return the objective for targets of this shape: [n], or [n, K] for several of each row."""
    if target.ndim == 1:
        return objective
    if not takes_several(objective):
        raise InvalidParameterError(
            f"Objective {objective.name} takes one target for each row. Got {target.shape[1]}. "
            "Several targets can be trained with squared_error, pseudo_huber, poisson, gamma, "
            "tweedie, squared_log_error, and with labels of 0 and 1 logistic or cross_entropy."
        )
    return Several(objective, target.shape[1])


def check_n_targets(objective: Objective, target: Floats) -> None:
    """Refuse rows that have more or fewer targets than those of the training."""
    expected = objective.n_targets if isinstance(objective, Several) else 1
    n_targets = target.shape[1] if target.ndim == 2 else 1
    if n_targets != expected:
        raise InvalidInputError(
            f"There must be {expected} target{'s' if expected > 1 else ''} for each row, as in "
            f"training. Got {n_targets}. Give the columns that the model was trained with, in "
            "their order."
        )


def several_from_state(options: Mapping[str, Any], of: Objective) -> Several:
    """Return what :meth:`Several.state` described."""
    return Several(of, int(options["n_targets"]))

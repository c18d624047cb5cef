"""What raw scores are called on axes: "log-odds of class yes", "prediction"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ceiba.model.model import Model
    from ceiba.objectives import Objective

__all__ = ["output_scales", "score_name"]

#: By the name of the objective; "{}" stands for " of class yes" and the like.
_SCALES = {
    "logistic": "log-odds{}",
    "one_against_rest": "log-odds{}",
    "cross_entropy": "log-odds{}",
    "exponential": "half the log-odds{}",
    "gini": "probability{}",
    "softmax": "raw score{} (softmax)",
    "poisson": "logarithm of the prediction{}",
    "gamma": "logarithm of the prediction{}",
    "tweedie": "logarithm of the prediction{}",
}
_PREDICTIONS = ("squared_error", "absolute_error", "huber", "pseudo_huber", "quantile")


def score_name(objective: Objective, of: str = "") -> str:
    """Return what the raw score of an output is called; ``of`` names the output."""
    base = getattr(objective, "of", objective)
    plain = "prediction{}" if base.name in _PREDICTIONS else "raw score{}"
    return _SCALES.get(base.name, plain).format(f" of {of}" if of else "")


def output_scales(model: Model, names: Sequence[Any]) -> list[str]:
    """Return what the raw score of each output is called; ``names`` are those of the outputs."""
    task = model.objective.task
    if task == "binary" and model.n_outputs == 1:
        label = 1 if model.classes is None else model.classes[1]
        return [score_name(model.objective, f"class {label}")]
    if model.n_outputs == 1:
        return [score_name(model.objective)]
    of = {"multiclass": "class", "multilabel": "label"}.get(task, "output")
    of = "quantile" if model.objective.levels else of
    return [score_name(model.objective, f"{of} {name}") for name in names]

"""Axis labels of raw scores: "log-odds of class yes", "prediction"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ceiba.model.model import Model
    from ceiba.objectives import Objective

__all__ = ["output_scales", "score_name"]

#: By the name of the link; "{}" stands for " of class yes" and the like.
_SCALES = {
    "logit": "log-odds{}",
    "one_against_rest": "log-odds{}",
    "shares": "probability{}",
    "softmax": "raw score{} (softmax)",
    "log": "logarithm of the prediction{}",
    "log1p": "logarithm of 1 + prediction{}",
}


def score_name(objective: Objective, of: str = "") -> str:
    """Return the label of the raw score of one output; ``of`` names the output."""
    link = objective.link
    plain = "prediction{}" if objective.task == "regression" else "raw score{}"
    text = "half the log-odds{}" if link.scale == 2.0 else _SCALES.get(link.name, plain)
    return text.format(f" of {of}" if of else "")


def output_scales(model: Model, names: Sequence[Any]) -> list[str]:
    """Return the label of the raw score of each output; ``names`` are the names of the outputs."""
    task = model.objective.task
    if task == "binary" and model.n_outputs == 1:
        label = 1 if model.classes is None else model.classes[1]
        return [score_name(model.objective, f"class {label}")]
    if model.n_outputs == 1:
        return [score_name(model.objective)]
    of = {"multiclass": "class", "multilabel": "label"}.get(task, "output")
    of = "quantile" if model.objective.levels else of
    return [score_name(model.objective, f"{of} {name}") for name in names]

"""Objectives of XGBoost files, and the start scores that ``base_score`` stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import LoadError
from ceiba.imports.raw_trees import damaged
from ceiba.objectives import Custom, Objective, Several, find_objective
from ceiba.objectives.several import takes_several

__all__ = ["read_objective", "start_scores"]

Floats = NDArray[np.float64]
Options = Mapping[str, Any]

#: Objectives whose predictions are raw scores and that ceiba does not train.
_RAW_ONLY = frozenset({"reg:expectileerror", "binary:logitraw"})

_MADE: Mapping[str, Callable[[Options, int], Objective]] = {
    "reg:squarederror": lambda o, k: find_objective("squared_error"),
    "reg:linear": lambda o, k: find_objective("squared_error"),
    "reg:absoluteerror": lambda o, k: find_objective("absolute_error"),
    "reg:pseudohubererror": lambda o, k: find_objective(
        "pseudo_huber", huber_delta=float(o.get("huber_slope", 1.0)), curvature_rule="plain"
    ),
    "reg:squaredlogerror": lambda o, k: find_objective("squared_log_error", curvature_rule="plain"),
    "reg:quantileerror": lambda o, k: find_objective(
        "quantile", quantile=_listed(o["quantile_alpha"])
    ),
    "reg:logistic": lambda o, k: find_objective("cross_entropy"),
    "reg:gamma": lambda o, k: find_objective("gamma"),
    "reg:tweedie": lambda o, k: find_objective(
        "tweedie", tweedie_variance_power=float(o.get("tweedie_variance_power", 1.5))
    ),
    "count:poisson": lambda o, k: find_objective(
        "poisson", poisson_max_delta_step=float(o.get("max_delta_step", 0.7))
    ),
    "binary:logistic": lambda o, k: find_objective("logistic"),
    "multi:softprob": lambda o, k: find_objective("softmax", n_classes=k, hessian_factor=2.0),
    "multi:softmax": lambda o, k: find_objective("softmax", n_classes=k, hessian_factor=2.0),
    "rank:ndcg": lambda o, k: find_objective("lambdarank_ndcg"),
    "rank:map": lambda o, k: find_objective("lambdarank_map"),
    "rank:pairwise": lambda o, k: find_objective("pairwise"),
}


def read_objective(given: Mapping[str, Any], n_outputs: int) -> Objective:
    """Return the objective of a file; raise LoadError if ceiba has no equivalent."""
    name = given["name"]
    several = n_outputs > 1
    if name in _RAW_ONLY:
        return Custom(n_classes=n_outputs if several else None)
    if name not in _MADE:
        raise LoadError(
            f"ceiba cannot import XGBoost's objective {name!r}, because none of its objectives "
            "turns raw scores into the same predictions. Supported are "
            f"{', '.join(sorted({*_MADE, *_RAW_ONLY}))}."
        )
    options: dict[str, Any] = {}
    for own in given.values():
        if isinstance(own, Mapping):
            options.update(own)
    objective = _MADE[name](options, n_outputs)
    if objective.task == "multiclass" or len(objective.levels) > 1:
        if not several or (objective.levels and len(objective.levels) != n_outputs):
            raise damaged(f"objective {name} does not fit {n_outputs} outputs")
        return objective
    if not several:
        return objective
    return (
        Several(objective, n_outputs) if takes_several(objective) else Custom(n_classes=n_outputs)
    )


def start_scores(objective: Objective, base_score: str, n_outputs: int) -> Floats:
    """Return the raw scores that ``base_score`` stands for; XGBoost stores predictions."""
    base = np.array(_listed(base_score), dtype=np.float64)
    if len(base) not in (1, n_outputs):
        raise damaged(f"it has {len(base)} start scores for {n_outputs} outputs")
    base = np.broadcast_to(base, (n_outputs,))
    with np.errstate(all="ignore"):
        if objective.link.name == "logit":
            base = -np.log(1.0 / base - 1.0)
        elif objective.link.name == "log":
            base = np.log(base)
    return np.array(base)


def _listed(text: Any) -> list[float]:
    """Return the numbers of a text such as ``[1E-1,9E-1]`` or ``5E-1``."""
    return [float(part) for part in str(text).strip("[]").split(",")]

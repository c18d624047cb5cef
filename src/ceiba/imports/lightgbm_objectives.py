"""Objectives of LightGBM files: the line ``objective=`` and the parameters of the training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ceiba.errors import LoadError
from ceiba.imports.raw_trees import damaged
from ceiba.objectives import Custom, Objective, find_objective

if TYPE_CHECKING:
    from ceiba.imports.lightgbm_file import LightgbmText

__all__ = ["read_objective"]

Options = Mapping[str, float]

#: Objectives whose predictions are raw scores and that ceiba does not train.
_RAW_ONLY = frozenset({"", "custom", "none", "null", "na", "mape", "fair", "rank_xendcg"})

_MADE: Mapping[str, Callable[[Options, int], Objective]] = {
    "regression": lambda o, k: find_objective("squared_error"),
    "regression_l1": lambda o, k: find_objective("absolute_error"),
    "huber": lambda o, k: find_objective("huber", huber_delta=o.get("alpha", 0.9)),
    "quantile": lambda o, k: find_objective("quantile", quantile=o.get("alpha", 0.9)),
    "poisson": lambda o, k: find_objective(
        "poisson", poisson_max_delta_step=o.get("poisson_max_delta_step", 0.7)
    ),
    "gamma": lambda o, k: find_objective("gamma"),
    "tweedie": lambda o, k: find_objective(
        "tweedie", tweedie_variance_power=o.get("tweedie_variance_power", 1.5)
    ),
    "binary": lambda o, k: find_objective("logistic"),
    "cross_entropy": lambda o, k: find_objective("cross_entropy"),
    "multiclass": lambda o, k: find_objective(
        "softmax", n_classes=k, hessian_factor=k / max(1, k - 1)
    ),
    "multiclassova": lambda o, k: find_objective("one_against_rest", n_classes=k, shares=False),
    "lambdarank": lambda o, k: find_objective("lambdarank_ndcg"),
}


def read_objective(source: LightgbmText, n_outputs: int) -> tuple[Objective, float]:
    """Return the objective, and a factor of all leaf values.

    LightGBM's classifiers predict ``sigmoid(factor * score)``; ceiba's have no factor.
    """
    name, *rest = source.header.get("objective", "").split() or [""]
    if name in _RAW_ONLY:
        return Custom(n_classes=n_outputs if n_outputs > 1 else None), 1.0
    if name not in _MADE or "sqrt" in rest:
        called = " ".join([name, *(["with reg_sqrt"] if "sqrt" in rest else [])])
        raise LoadError(
            f"ceiba cannot import LightGBM's objective {called!r}, because none of its objectives "
            "turns raw scores into the same predictions. Supported are "
            f"{', '.join(_MADE)} and objectives that predict raw scores."
        )
    options = {}
    for key in ("alpha", "poisson_max_delta_step", "tweedie_variance_power", "sigmoid"):
        if key in source.parameters:
            options[key] = float(source.parameters[key])
    for part in rest:
        key, _, value = part.partition(":")
        options[key] = float(value) if value else 1.0
    several = name in ("multiclass", "multiclassova")
    if (n_outputs > 1) != several or (several and n_outputs != int(options["num_class"])):
        raise damaged(f"objective {name} does not fit {n_outputs} trees in an iteration")
    scaled = name in ("binary", "multiclassova")
    return _MADE[name](options, n_outputs), options.get("sigmoid", 1.0) if scaled else 1.0

"""Objectives and class labels of CatBoost files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import LoadError
from ceiba.imports.raw_trees import damaged
from ceiba.objectives import Custom, Objective, Several, find_objective

__all__ = ["read_classes", "read_objective"]

Options = Mapping[str, Any]

#: Objectives whose predictions are raw scores and that ceiba does not train.
_RAW_ONLY = frozenset(
    {
        *("", "Expectile", "LogCosh", "Lq", "LogLinQuantile", "MAPE", "GroupQuantile"),
        *("QueryRMSE", "QuerySoftMax", "YetiRank", "YetiRankPairwise", "StochasticRank"),
        *("StochasticFilter", "LambdaMart", "PairLogitPairwise", "SurvivalAft", "Cox"),
        *("MultiRMSEWithMissingValues", "PythonUserDefinedPerObject"),
    }
)

_MADE: Mapping[str, Callable[[Options, int], Objective]] = {
    "RMSE": lambda o, k: find_objective("squared_error"),
    "MAE": lambda o, k: find_objective("absolute_error"),
    "Quantile": lambda o, k: find_objective("quantile", quantile=float(o.get("alpha", 0.5))),
    "MultiQuantile": lambda o, k: find_objective(
        "quantile", quantile=[float(level) for level in str(o["alpha"]).split(",")]
    ),
    "Huber": lambda o, k: find_objective("huber", huber_delta=float(o["delta"])),
    "Poisson": lambda o, k: find_objective("poisson"),
    "Tweedie": lambda o, k: find_objective(
        "tweedie", tweedie_variance_power=float(o.get("variance_power", 1.5))
    ),
    "Logloss": lambda o, k: find_objective("logistic"),
    "CrossEntropy": lambda o, k: find_objective("cross_entropy"),
    "MultiClass": lambda o, k: find_objective("softmax", n_classes=k),
    "MultiClassOneVsAll": lambda o, k: find_objective(
        "one_against_rest", n_classes=k, shares=False
    ),
    "MultiRMSE": lambda o, k: Several(find_objective("squared_error"), k),
    "MultiLogloss": lambda o, k: Several(find_objective("logistic"), k),
    "MultiCrossEntropy": lambda o, k: Several(find_objective("cross_entropy"), k),
    "PairLogit": lambda o, k: find_objective("pairwise"),
}


def read_objective(loss: Any, n_outputs: int) -> Objective:
    """Return the objective of a file; raise LoadError if ceiba has no equivalent."""
    name = str(loss.get("type", ""))
    if name in _RAW_ONLY:
        return Custom(n_classes=n_outputs if n_outputs > 1 else None)
    if name not in _MADE:
        raise LoadError(
            f"ceiba cannot import CatBoost's loss {name!r}, because none of its objectives turns "
            "raw scores into the same predictions. Supported are "
            f"{', '.join(sorted({*_MADE, *_RAW_ONLY} - {''}))}."
        )
    if (n_outputs > 1) != name.startswith("Multi"):
        raise damaged(f"loss {name} does not fit {n_outputs} outputs")
    return _MADE[name](loss.get("params") or {}, n_outputs)


def read_classes(
    info: Mapping[str, Any], objective: Objective, n_outputs: int
) -> NDArray[Any] | None:
    """Return the class labels of a classifier; None if the file has none."""
    if objective.task not in ("binary", "multiclass"):
        return None
    found = (info.get("class_params") or {}).get("class_names") or ()
    labels = np.array(list(found))
    return labels if len(labels) == max(2, n_outputs) else None

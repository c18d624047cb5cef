"""Translate scikit-learn's tree parameters: criteria, monotonic_cst and max_features."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ceiba.errors import InvalidParameterError

__all__ = ["OF_CLASSES", "OF_NUMBERS", "check_directions", "gain_in_impurity", "node_columns"]

_ENTROPY = {"objective": "gini", "split_score": "entropy"}
#: Objective parameters of each criterion.
OF_CLASSES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {"gini": {"objective": "gini"}, "entropy": _ENTROPY, "log_loss": _ENTROPY}
)
OF_NUMBERS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "squared_error": {"objective": "squared_error"},
        "friedman_mse": {"objective": "squared_error"},
    }
)


def gain_in_impurity(criterion: str, n_classes: int, n_outputs: int) -> float:
    """Return the impurity decrease that corresponds to a gain of 1."""
    if criterion in OF_NUMBERS:
        return 1.0 / n_outputs  # the mean over targets
    if criterion != "gini":
        return 1.0 / math.log(2.0)  # entropies are in bits
    return 2.0 if n_classes == 2 else 1.0  # one indicator column represents both classes


def check_directions(monotonic_cst: Any, n_classes: int, n_outputs: int) -> None:
    """Refuse monotone constraints on vector leaves. ``n_classes`` is 0 for regression."""
    if monotonic_cst is None or (n_outputs == 1 and n_classes in (0, 2)):
        return
    raise InvalidParameterError(
        "monotonic_cst supports a single target or two classes. Got "
        f"{n_classes or n_outputs} {'classes' if n_classes else 'targets'}. Remove it."
    )


def node_columns(max_features: Any) -> Any:
    """Return ``colsample_bynode`` for scikit-learn's ``max_features``."""
    if max_features is None:
        return 1.0
    if isinstance(max_features, int) and not isinstance(max_features, bool) and max_features == 1:
        return 1e-9  # one column; the number 1 would mean all of them
    return max_features

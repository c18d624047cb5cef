"""What single trees and forests share of scikit-learn's words: criteria, and columns of a node."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ceiba.errors import InvalidParameterError

__all__ = ["OF_CLASSES", "OF_NUMBERS", "check_directions", "gain_in_impurity", "node_columns"]

_ENTROPY = {"objective": "gini", "split_score": "entropy"}
#: What criteria mean to the engine.
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
    """Return what a gain of 1 is in the impurity that a criterion is named after."""
    if criterion in OF_NUMBERS:
        return 1.0 / n_outputs  # the mean over targets
    if criterion != "gini":
        return 1.0 / math.log(2.0)  # entropies are in bits
    return 2.0 if n_classes == 2 else 1.0  # one indicator stands for both classes


def check_directions(monotonic_cst: Any, n_classes: int, n_outputs: int) -> None:
    """Refuse directions where a leaf holds more than one number; 0 classes are numbers."""
    if monotonic_cst is None or (n_outputs == 1 and n_classes in (0, 2)):
        return
    raise InvalidParameterError(
        "monotonic_cst directs one number: a single target, or the share of the second of two "
        f"classes. Got {n_classes or n_outputs} {'classes' if n_classes else 'targets'}. Leave it "
        "out."
    )


def node_columns(max_features: Any) -> Any:
    """Return scikit-learn's max_features as the engine has it."""
    if max_features is None:
        return 1.0
    if isinstance(max_features, int) and not isinstance(max_features, bool) and max_features == 1:
        return 1e-9  # one column: as a number, 1 would be the share of all
    return max_features

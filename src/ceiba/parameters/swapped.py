"""Adapters for losses and metrics written for XGBoost's and LightGBM's ``train``.

Those functions take (predictions, dataset) and read the labels from the dataset; ceiba calls
functions with (target, predictions).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["SwappedMetric", "SwappedObjective"]

Floats = NDArray[np.float64]


class _Labelled:
    """The methods of a dataset that such functions call."""

    def __init__(self, target: Floats, weight: Floats | None) -> None:
        self.label, self.weight = target, weight

    def get_label(self) -> Floats:
        """Return the target."""
        return self.label

    def get_weight(self) -> Floats | None:
        """Return the weights of the rows; None if all are 1."""
        return self.weight

    def num_row(self) -> int:
        """Return the number of rows."""
        return len(self.label)

    num_data = num_row


class _Swapped:
    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self.__qualname__ = getattr(function, "__qualname__", self.__name__)


class SwappedObjective(_Swapped):
    """Adapt a loss (scores, dataset) to (y_true, raw_score)."""

    def __call__(self, y_true: Floats, raw_score: Floats) -> Any:
        """Return gradients and hessians; the engine multiplies them by the weights."""
        return self.function(raw_score, _Labelled(y_true, None))


class SwappedMetric(_Swapped):
    """Adapt a metric (predictions, dataset) to (y_true, y_pred)."""

    def __init__(self, function: Callable[..., Any], higher_is_better: bool = False) -> None:
        super().__init__(function)
        self.higher_is_better = higher_is_better

    def __call__(self, y_true: Floats, y_pred: Floats, sample_weight: Floats | None = None) -> Any:
        """Return (name, number, higher_is_better)."""
        returned = self.function(y_pred, _Labelled(y_true, sample_weight))
        if isinstance(returned, tuple) and len(returned) == 2:
            return (*returned, self.higher_is_better)
        return returned

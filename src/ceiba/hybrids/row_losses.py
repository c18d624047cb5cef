"""Error of each row in a boosted linear model, the target of its trees.

Regression: ``linear`` y - p, ``squared`` (y - p)², ``exponential`` 1 - exp(-|y - p|), ``poisson``
p - y log p with p clipped to at least 1e-6. Classification: ``error`` is 1 for a misclassified row,
``log_loss`` is the negative log probability of the true class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import InvalidInputError

__all__ = [
    "CLASS_LOSSES",
    "NUMBER_LOSSES",
    "check_target",
    "classification_losses",
    "regression_losses",
]

Floats = NDArray[np.float64]
_LOWEST = 1e-6


def _poisson(target: Floats, predicted: Floats) -> Floats:
    clipped = np.maximum(predicted, _LOWEST)
    return clipped - target * _core.log(clipped)


_NUMBERS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "linear": lambda target, predicted: target - predicted,
    "squared": lambda target, predicted: (target - predicted) ** 2,
    "exponential": lambda target, predicted: 1.0 - _core.exp(-np.abs(target - predicted)),
    "poisson": _poisson,
}
NUMBER_LOSSES = tuple(_NUMBERS)
CLASS_LOSSES = ("error", "log_loss")


def check_target(loss: str, target: Floats) -> None:
    """Raise an error for a target outside the domain of a loss."""
    if loss == "poisson" and (target < 0).any():
        raise InvalidInputError(
            f"loss='poisson' needs y >= 0. Got {target.min():g}. Use another loss."
        )


def regression_losses(loss: str, target: Floats, predicted: Floats) -> Floats:
    """Return the error of each row of a regression."""
    return _NUMBERS[loss](target, predicted)


def classification_losses(loss: str, target: Floats, probabilities: Floats) -> Floats:
    """Return the error of each row of a classification."""
    if loss == "error":
        wrong: Floats = (probabilities.argmax(axis=1) != target).astype(np.float64)
        return wrong
    own = probabilities[np.arange(len(target)), target.astype(np.intp)]
    return -_core.log(np.maximum(own, 1e-15))

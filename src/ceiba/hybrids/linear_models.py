"""Linear and logistic models of scikit-learn, in the form that hybrids keep.

The life of a linear model:

1. :class:`Penalty` says which model: least squares or logistic, plain, ridge, lasso or elastic net;
2. :func:`fit_numbers` and :func:`fit_classes` hand columns (less their means) to scikit-learn;
3. :class:`Linear` is what stays of it: coefficients in the units of the table, and the value at the
   means of the columns. Its scores are all that predictions need.
"""

from __future__ import annotations

import inspect
import math
import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning
from sklearn.linear_model import (
    ElasticNet,
    Lasso,
    LinearRegression,
    LogisticRegression,
    Ridge,
)

from ceiba import _core

__all__ = ["PENALTIES", "Linear", "Penalty", "fit_classes", "fit_numbers"]

Floats = NDArray[np.float64]
PenaltyName = Literal["none", "ridge", "lasso", "elasticnet"]
PENALTIES = ("none", "ridge", "lasso", "elasticnet")

#: From scikit-learn 1.8 on a logistic model is told by C and l1_ratio alone.
_NAMES_PENALTY = inspect.signature(LogisticRegression).parameters["penalty"].default == "l2"


@dataclass(frozen=True)
class Penalty:
    """What holds coefficients back: ``alpha`` of least squares, ``1 / C`` of logistic models."""

    name: PenaltyName
    strength: float
    l1_ratio: float
    max_iter: int
    #: Whether it sees columns in units of their standard deviation.
    standardized: bool

    @property
    def plain(self) -> bool:
        """Whether nothing is held back."""
        return self.name == "none" or self.strength == 0.0

    @property
    def share_of_l1(self) -> float:
        """Return how much of the penalty is on absolute values."""
        return {"none": 0.0, "ridge": 0.0, "lasso": 1.0, "elasticnet": self.l1_ratio}[self.name]

    def seen_scales(self, scales: Floats) -> Floats:
        """Return what columns are divided by before the penalty sees them."""
        return scales if self.standardized else np.ones_like(scales)


@dataclass(frozen=True, eq=False)
class Linear:
    """Coefficients [outputs, columns] in units of the table, and the value at the means."""

    coefficients: Floats
    centers: Floats

    def scores(self, columns: Floats) -> Floats:
        """Return the scores [n, outputs] of columns less their means.

        The terms of a row are added from left to right. A matrix product of BLAS would choose the
        order of its sums by the shape of the batch.
        """
        scores: Floats = _core.linear_scores(columns, self.coefficients, self.centers)
        return scores

    def intercepts(self, means: Floats) -> Floats:
        """Return the scores where every column is 0."""
        intercepts: Floats = self.centers - (self.coefficients * means).sum(axis=1)
        return intercepts


def fit_numbers(
    columns: Floats, target: Floats, weights: Floats, penalty: Penalty, scales: Floats
) -> Linear:
    """Return least squares, plain or penalized, of columns that are less their means."""
    seen = penalty.seen_scales(scales)
    if not columns.shape[1] or len(target) == 1:
        return Linear(np.zeros((1, columns.shape[1])), np.atleast_1d(_mean(target, weights)))
    model: Any
    if penalty.plain:
        model = LinearRegression()
    elif penalty.name == "ridge":
        model = Ridge(alpha=penalty.strength)
    elif penalty.share_of_l1 == 1.0:
        model = Lasso(alpha=penalty.strength, max_iter=penalty.max_iter)
    else:
        model = ElasticNet(
            alpha=penalty.strength, l1_ratio=penalty.l1_ratio, max_iter=penalty.max_iter
        )
    with warnings.catch_warnings():
        # A singular matrix is solved by another method.
        warnings.simplefilter("ignore", LinAlgWarning)
        model.fit(columns / seen, target, sample_weight=weights)
    return Linear(np.atleast_2d(model.coef_) / seen, np.atleast_1d(np.float64(model.intercept_)))


def fit_classes(
    columns: Floats, target: Floats, weights: Floats, penalty: Penalty, scales: Floats
) -> Linear:
    """Return a logistic model of class numbers: one score of two classes, or one for each."""
    seen = penalty.seen_scales(scales)
    inverse = math.inf if penalty.plain else 1.0 / penalty.strength
    ratio = penalty.share_of_l1
    settings: dict[str, Any] = {
        "C": inverse,
        "l1_ratio": ratio,
        "max_iter": penalty.max_iter,
        "solver": "saga" if ratio and not penalty.plain else "lbfgs",
        "random_state": 0,
    }
    if _NAMES_PENALTY:
        word = None if penalty.plain else {0.0: "l2", 1.0: "l1"}.get(ratio, "elasticnet")
        settings["penalty"] = word
        if word != "elasticnet":
            del settings["l1_ratio"]
        if word is None:
            settings["C"] = 1.0
    if not columns.shape[1]:
        columns, seen = np.zeros((len(columns), 1)), np.ones(1)
    model = LogisticRegression(**settings)
    model.fit(columns / seen, target, sample_weight=weights)
    coefficients = (model.coef_ / seen)[:, : len(scales)]
    return Linear(np.ascontiguousarray(coefficients), np.atleast_1d(model.intercept_))


def _mean(target: Floats, weights: Floats) -> np.float64:
    mean: np.float64 = np.float64((target * weights).sum() / weights.sum())
    return mean

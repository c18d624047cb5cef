"""Linear and logistic models, fitted by scikit-learn and stored as plain coefficients.

The life of a linear model:

1. :class:`Penalty` selects the model: plain, ridge, lasso or elastic net.
2. :func:`fit_regression` (regression) and :func:`fit_logistic` (logistic) fit centered columns.
3. :class:`Linear` stores the coefficients in units of the table and the score at the column means.
   It is all that predictions need.
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

__all__ = ["PENALTIES", "Linear", "Penalty", "fit_logistic", "fit_regression"]

Floats = NDArray[np.float64]
PenaltyName = Literal["none", "ridge", "lasso", "elasticnet"]
PENALTIES = ("none", "ridge", "lasso", "elasticnet")

#: Since scikit-learn 1.8, C and l1_ratio alone select the penalty of a logistic model.
_NAMES_PENALTY = inspect.signature(LogisticRegression).parameters["penalty"].default == "l2"


@dataclass(frozen=True)
class Penalty:
    """Penalty on coefficients: strength ``alpha`` for regression, ``1 / C`` for logistic models."""

    name: PenaltyName
    strength: float
    l1_ratio: float
    max_iter: int
    #: Whether it applies to columns in units of their standard deviation.
    standardized: bool

    @property
    def plain(self) -> bool:
        """Whether there is no penalty."""
        return self.name == "none" or self.strength == 0.0

    @property
    def l1_weight(self) -> float:
        """Return the weight of the L1 part of the penalty."""
        return {"none": 0.0, "ridge": 0.0, "lasso": 1.0, "elasticnet": self.l1_ratio}[self.name]

    def penalty_scales(self, scales: Floats) -> Floats:
        """Return the divisors of the columns for the penalty."""
        return scales if self.standardized else np.ones_like(scales)


@dataclass(frozen=True, eq=False)
class Linear:
    """Coefficients [outputs, columns] in units of the table, and the score at the column means."""

    coefficients: Floats
    centers: Floats

    def scores(self, columns: Floats) -> Floats:
        """Return the scores [n, outputs] of centered columns.

        Terms are added from left to right. A BLAS matrix product would choose its order of
        summation by the batch shape.
        """
        scores: Floats = _core.linear_scores(columns, self.coefficients, self.centers)
        return scores

    def intercepts(self, means: Floats) -> Floats:
        """Return the scores at 0 in every column."""
        intercepts: Floats = self.centers - (self.coefficients * means).sum(axis=1)
        return intercepts


def fit_regression(
    columns: Floats, target: Floats, weights: Floats, penalty: Penalty, scales: Floats
) -> Linear:
    """Fit a linear regression to centered columns."""
    seen = penalty.penalty_scales(scales)
    if not columns.shape[1] or len(target) == 1:
        return Linear(np.zeros((1, columns.shape[1])), np.atleast_1d(_mean(target, weights)))
    model: Any
    if penalty.plain:
        model = LinearRegression()
    elif penalty.name == "ridge":
        model = Ridge(alpha=penalty.strength)
    elif penalty.l1_weight == 1.0:
        model = Lasso(alpha=penalty.strength, max_iter=penalty.max_iter)
    else:
        model = ElasticNet(
            alpha=penalty.strength, l1_ratio=penalty.l1_ratio, max_iter=penalty.max_iter
        )
    with warnings.catch_warnings():
        # A singular matrix needs another solver.
        warnings.simplefilter("ignore", LinAlgWarning)
        model.fit(columns / seen, target, sample_weight=weights)
    return Linear(np.atleast_2d(model.coef_) / seen, np.atleast_1d(np.float64(model.intercept_)))


def fit_logistic(
    columns: Floats, target: Floats, weights: Floats, penalty: Penalty, scales: Floats
) -> Linear:
    """Fit a logistic model to class indices: one score for two classes, else one per class."""
    seen = penalty.penalty_scales(scales)
    inverse = math.inf if penalty.plain else 1.0 / penalty.strength
    ratio = penalty.l1_weight
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

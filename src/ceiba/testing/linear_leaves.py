"""Reference implementation of linear leaves: a floating-point ridge fit to the rows of a leaf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Line", "fit_linear_leaf"]

Floats = NDArray[np.float64]


class Line(NamedTuple):
    """Linear model of a leaf: value + slopes (x - means), with x clipped to [low, high]."""

    value: float
    columns: list[int]
    slopes: Floats
    means: Floats
    low: Floats
    high: Floats


def fit_linear_leaf(
    X: Floats,
    gradients: Floats,
    hessians: Floats,
    weights: Floats | None = None,
    *,
    reg_lambda: float = 0.0,
    linear_lambda: float = 0.0,
    noise_factor: float | None = None,
) -> Line:
    """Return the linear model of a leaf with the given rows on all columns that are not constant.

    It minimizes the sum of g f + h f^2 / 2 over the rows, with penalty reg_lambda on the constant
    and linear_lambda on slopes of standardized columns. Non-finite values are replaced by the mean.
    With ``noise_factor``, slopes are then shrunk by the noise of the leaf
    (cpp/leaf/linear_solve.hpp); ``weights`` are row counts.
    """
    weights = np.ones(len(X)) if weights is None else weights
    g, h = gradients * weights, hessians * weights
    columns, means, low, high, centred = [], [], [], [], []
    for j in range(X.shape[1]):
        known = np.isfinite(X[:, j])
        if not known.any() or X[known, j].min() == X[known, j].max():
            continue
        mean = float(np.average(X[known, j], weights=weights[known]))
        columns.append(j)
        means.append(mean)
        low.append(float(X[known, j].min()))
        high.append(float(X[known, j].max()))
        centred.append(np.where(known, X[:, j] - mean, 0.0))
    constant = float(-g.sum() / (h.sum() + reg_lambda))
    if not columns or len(X) < 2 * (1 + len(columns)):
        return Line(constant, [], *(np.zeros(0) for _ in range(4)))
    Z = np.column_stack(centred)
    around = Z - (h @ Z) / h.sum()
    spread = np.sqrt((h @ around**2) / h.sum())
    units = Z / spread
    root = np.sqrt(h)[:, None]
    penalties = np.sqrt(np.array([reg_lambda] + [linear_lambda] * len(columns)))
    rows = np.vstack([root * np.column_stack([np.ones(len(X)), units]), np.diag(penalties)])
    targets = np.concatenate([-g / root[:, 0], np.zeros(len(penalties))])
    found = np.linalg.lstsq(rows, targets, rcond=None)[0]
    if noise_factor is not None:
        found = _shrunk(rows, targets, found, g, weights, hessians, noise_factor)
        if found is None:
            return Line(constant, [], *(np.zeros(0) for _ in range(4)))
    return Line(
        float(found[0]),
        columns,
        found[1:] / spread,
        np.array(means),
        np.array(low),
        np.array(high),
    )


def _shrunk(
    rows: Floats,
    targets: Floats,
    found: Floats,
    gradients: Floats,
    weights: Floats,
    hessians: Floats,
    factor: float,
) -> Floats | None:
    """Return constant and slopes after shrinkage, or None if all slopes are within noise."""
    q, r = np.linalg.qr(rows)
    u = (r @ found)[1:]
    squares = (weights * hessians**2).sum()
    hessian = (weights * hessians).sum()
    total = (gradients**2 / weights).sum() * hessian / squares
    left = total - (q[:, 0] @ targets) ** 2 - (u**2).sum()
    freedom = hessian**2 / squares - 1 - len(u)
    if freedom <= 0:
        return None
    variance = max(left, 1e-12 * total) / freedom
    kept = 1.0 - factor * len(u) * variance / (u**2).sum()
    if not kept > 0:
        return None
    slopes = np.linalg.solve(r[1:, 1:], u * kept)
    constant = (q[:, 0] @ targets - r[0, 1:] @ slopes) / r[0, 0]
    return np.array([constant, *slopes])

"""Losses of many small linear models at once, from their Gram matrices.

A split candidate is described by the moments of its rows. With columns z (1 among them), target t
and weights w, they are the matrix M of all products, summed over rows ::

        z            t
    z [ A = Σ w zzᵀ  q = Σ w zt ]
    t [ qᵀ           s = Σ w tt ]

The coefficients b and the loss ``s - 2 qᵀb + bᵀAb`` of every model follow from M:

- plain and ridge: one batched Cholesky factorization;
- lasso and elastic net: coordinate descent on A, one coordinate of all candidates at a time.

The objective is ``½ bᵀAb - qᵀb + Σ l1|b| + ½ Σ l2 b²``. Plain least squares may be singular, so
it uses a ridge penalty of 1e-10 times the weight of the rows. That resolves collinear columns and
has no visible effect on the loss.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

__all__ = ["descended_losses", "solved_losses"]

Floats = NDArray[np.float64]

_SINGULAR = 1e-10
_SWEEPS = 100
_PRECISION = 1e-9


def solved_losses(moments: Floats, l2: Floats, weights: Floats) -> Floats:
    """Return the loss [k] of ridge models with moments [k, m, m], the target last.

    ``l2`` [m - 1] are the penalties (0 for the column of ones), ``weights`` [k] the row weights.
    """
    m = moments.shape[1]
    filled = moments.copy()
    diagonal = np.arange(m - 1)
    filled[:, diagonal, diagonal] += l2 + _SINGULAR * weights[:, None]
    # The last pivot is not needed. It must not fail for a model with zero error.
    sums = moments[:, -1, -1]
    filled[:, -1, -1] = 2.0 * sums + 1.0
    try:
        factors = np.linalg.cholesky(filled)
    except np.linalg.LinAlgError:
        return np.array([_one_loss(one, l2, w) for one, w in zip(moments, weights, strict=True)])
    halves = factors[:, -1, :-1]
    losses: Floats = sums - (halves * halves).sum(axis=1)
    if l2.any():
        # The loss excludes the penalty: q'b = b'Ab + b'Db.
        for k, factor in enumerate(factors):
            b, _ = lapack.dtrtrs(factor[:-1, :-1].T, halves[k], lower=0)
            losses[k] -= (l2 * b * b).sum()
    return np.maximum(losses, 0.0)


def _one_loss(moments: Floats, l2: Floats, weight: float) -> float:
    """Return the loss of one model whose matrix is numerically not positive definite."""
    A, q = moments[:-1, :-1], moments[:-1, -1]
    b = np.linalg.lstsq(A + np.diag(l2 + _SINGULAR * weight), q, rcond=None)[0]
    return max(0.0, float(moments[-1, -1] - 2.0 * (q * b).sum() + (b * (A @ b)).sum()))


def descended_losses(moments: Floats, l1: Floats, l2: Floats, start: Floats) -> Floats:
    """Return the loss [k] of elastic nets with moments [k, m, m]: columns, 1, target.

    ``l1`` and ``l2`` [k, m - 2] are the penalties; coordinate descent starts from ``start``.
    """
    A, q, sums = _without_intercept(moments)
    n, m = q.shape
    b = np.tile(start, (n, 1))
    diagonal = np.einsum("kjj->kj", A)
    curvature = diagonal + l2
    # A column that is constant within a candidate gets coefficient 0.
    usable = curvature > _SINGULAR * curvature.max(axis=1, initial=1e-300)[:, None]
    b[~usable] = 0.0
    curvature = np.where(usable, curvature, 1.0)
    slopes = q - (A @ b[:, :, None])[:, :, 0]
    going = np.arange(n)
    for _ in range(_SWEEPS):
        moved = np.zeros(n)
        for j in range(m):
            old = b[going, j]
            pull = slopes[going, j] + diagonal[going, j] * old
            size = np.maximum(np.abs(pull) - l1[going, j], 0.0) * usable[going, j]
            change = np.sign(pull) * size / curvature[going, j] - old
            here = np.flatnonzero(change)
            if not len(here):
                continue
            which, change = going[here], change[here]
            b[which, j] += change
            slopes[which] -= A[which, :, j] * change[:, None]
            moved[which] = np.maximum(moved[which], change**2 * diagonal[which, j])
        # Change of the fitted values, relative to the target.
        going = going[moved[going] > _PRECISION * sums[going]]
        if not len(going):
            break
    losses: Floats = sums - (b * (q + slopes)).sum(axis=1)
    return np.maximum(losses, 0.0)


def _without_intercept(moments: Floats) -> tuple[Floats, Floats, Floats]:
    """Return A, q and s of centered columns and target: the intercept has no penalty."""
    one = moments.shape[1] - 2
    keep = [*range(one), one + 1]
    sums = moments[:, one, keep]
    weights = np.maximum(moments[:, one, one], 1e-300)
    centered = moments[:, keep][:, :, keep] - sums[:, :, None] * (sums / weights[:, None])[:, None]
    return centered[:, :-1, :-1], centered[:, :-1, -1], np.maximum(centered[:, -1, -1], 0.0)

"""Statistical tests of a report: means and distributions, corrected for the number of tests.

The tests use scipy.special alone, because importing scipy.stats takes longer than all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, kolmogorov, stdtr

__all__ = [
    "category_difference",
    "corrected",
    "higher_mean",
    "number_difference",
    "weighted_mean_and_error",
]

Floats = NDArray[np.float64]

#: Fewer expected rows of a category are counted together, as usual for the chi-squared test.
_FEWEST_EXPECTED = 5.0


def weighted_mean_and_error(values: Floats, weights: Floats) -> tuple[float, float, float]:
    """Return the mean, its squared standard error and its degrees of freedom."""
    total = float(weights.sum())
    mean = float((weights * values).sum() / total)
    n = len(values)
    variance = float((weights**2 * (values - mean) ** 2).sum()) / total**2
    return mean, variance * n / max(1, n - 1), float(n - 1)


def higher_mean(inside: tuple[float, float, float], outside: tuple[float, float, float]) -> float:
    """Return the p-value that the first mean is not higher than the second.

    Welch's t-test, one-sided; each argument is a result of :func:`weighted_mean_and_error`.
    """
    (mean, error, free), (other, other_error, other_free) = inside, outside
    total = error + other_error
    if total <= 0.0 or free < 1 or other_free < 1:
        return 1.0
    degrees = total**2 / (error**2 / free + other_error**2 / other_free)
    return float(stdtr(degrees, -(mean - other) / np.sqrt(total)))


def corrected(p_values: Floats) -> Floats:
    """Return p-values for all tests together (Holm): with k tests, the smallest counts k times."""
    n = len(p_values)
    order = np.argsort(p_values, kind="stable")
    scaled = np.maximum.accumulate(p_values[order] * np.arange(n, 0, -1)) if n else p_values
    found = np.empty(n)
    found[order] = np.minimum(1.0, scaled)
    return found


def number_difference(one: Floats, other: Floats) -> tuple[float, float]:
    """Return the largest distance of two distribution functions, and its p-value.

    The two-sample Kolmogorov-Smirnov test; values must be finite or infinite, not missing.
    """
    if not len(one) or not len(other):
        return 0.0, 1.0
    one, other = np.sort(one), np.sort(other)
    every = np.concatenate([one, other])
    below = np.searchsorted(one, every, side="right") / len(one)
    distance = np.abs(below - np.searchsorted(other, every, side="right") / len(other)).max()
    n = len(one) * len(other) / (len(one) + len(other))
    return float(distance), float(kolmogorov(distance * np.sqrt(n)))


def category_difference(one: Floats, other: Floats) -> tuple[float, float]:
    """Return the total variation distance of two tables of counts, and its p-value.

    The chi-squared test of homogeneity.
    """
    totals = one.sum(), other.sum()
    if not totals[0] or not totals[1]:
        return 0.0, 1.0
    distance = 0.5 * float(np.abs(one / totals[0] - other / totals[1]).sum())
    shares = (one + other) / sum(totals)
    rare = shares * min(totals) < _FEWEST_EXPECTED
    if rare.any():
        one, other = (np.append(own[~rare], own[rare].sum()) for own in (one, other))
        shares = np.append(shares[~rare], shares[rare].sum())
    known = shares > 0
    if np.count_nonzero(known) < 2:
        return distance, 1.0
    statistic = sum(
        float(((own[known] - shares[known] * total) ** 2 / (shares[known] * total)).sum())
        for own, total in ((one, totals[0]), (other, totals[1]))
    )
    return distance, float(chdtrc(np.count_nonzero(known) - 1, statistic))

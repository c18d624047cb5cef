"""Links: how raw scores become predictions.

Every objective declares one (``Objective.link``). ``Model.predict`` applies it; exporters write the
same formula in another language; plots name the axis of raw scores by it.

=================  ==============================================================  ===============
name               prediction from the raw scores r [n, K] of a row                objectives
=================  ==============================================================  ===============
identity           max(r, lowest)                                                  squared_error …
log                exp(r), r clipped to [-300, 300]                                poisson …
log1p              max(exp(r) - 1, lowest), r clipped to [-300, 300]               squared_log_error
logit              1 / (1 + exp(-scale * r))                                       logistic …
softmax            exp(r_k) / sum over j of exp(r_j)                               softmax
one_against_rest   sigmoid(r_k) / sum over j of sigmoid(r_j); 1 / K if the sum     one_against_rest
                   is 0
shares             s_k / sum over j of s_j with s = r clipped to [0, 1]; 1 / K if  gini
                   the sum is 0; s itself if K is 1 or the sum is 1 within 1e-12
sorted             r in increasing order                                           quantile
=================  ==============================================================  ===============

The first four are applied to each raw score separately.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ceiba import _core

__all__ = ["IDENTITY", "LARGEST_EXPONENT", "Link", "LinkName", "limit_scores"]

Floats = NDArray[np.float64]
LinkName = Literal[
    "identity", "log", "log1p", "logit", "softmax", "one_against_rest", "shares", "sorted"
]

#: exp is taken of scores clipped to ± this value; the C++ kernels do the same.
LARGEST_EXPONENT = 300.0
#: Shares whose sum is this close to 1 are not divided by it.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Link:
    """How raw scores become predictions. The module docstring has the formulas.

    Parameters
    ----------
    name : str
        Name of the formula.
    scale : float, default=1.0
        Factor of the raw score, with ``logit``.
    lowest : float, default=-inf
        Smallest prediction, with ``identity`` and ``log1p``.
    """

    name: LinkName
    scale: float = 1.0
    lowest: float = -math.inf

    @property
    def is_identity(self) -> bool:
        """Whether raw scores are predictions."""
        return self.name == "identity" and self.lowest == -math.inf

    def predict(self, raw: Floats) -> Floats:
        """Return predictions [n, K] of raw scores [n, K], or [n] if K is 1."""
        predictions = _FORMULAS[self.name](self, raw)
        return predictions[:, 0] if predictions.shape[1] == 1 else predictions


#: Predictions are raw scores.
IDENTITY = Link("identity")


def limit_scores(scores: Floats) -> Floats:
    """Return scores clipped so that exp of them, and its square, are finite."""
    return np.clip(scores, -LARGEST_EXPONENT, LARGEST_EXPONENT)


def _identity(link: Link, raw: Floats) -> Floats:
    return raw if link.lowest == -math.inf else np.maximum(raw, link.lowest)


def _log(_: Link, raw: Floats) -> Floats:
    return _core.exp(limit_scores(raw))


def _log1p(link: Link, raw: Floats) -> Floats:
    return np.maximum(_core.exp(limit_scores(raw)) - 1.0, link.lowest)


def _logit(link: Link, raw: Floats) -> Floats:
    return _core.sigmoid(raw if link.scale == 1.0 else link.scale * raw)


def _softmax(_: Link, raw: Floats) -> Floats:
    return _core.softmax(raw)


def _one_against_rest(_: Link, raw: Floats) -> Floats:
    shares = _core.sigmoid(raw)
    total = _sums(shares)
    some = total > 0.0
    shares[some] = shares[some] / total[some, None]
    shares[~some] = 1.0 / shares.shape[1]
    return shares


def _shares(_: Link, raw: Floats) -> Floats:
    shares: Floats = np.clip(raw, 0.0, 1.0) + 0.0  # turns -0 into 0
    if shares.shape[1] == 1:
        return shares
    total = _sums(shares)
    shares[total == 0.0] = 1.0 / shares.shape[1]
    off = (np.abs(total - 1.0) > _ROUNDING) & (total > 0.0)
    shares[off] /= total[off, None]
    return shares


def _sorted(_: Link, raw: Floats) -> Floats:
    scores = np.array(raw, order="C")
    _core.sort_rows(scores)
    return scores


def _sums(shares: Floats) -> Floats:
    """Return the sum of each row, added in the order of classes whatever the memory layout."""
    total = shares[:, 0].copy()
    for k in range(1, shares.shape[1]):
        total += shares[:, k]
    return total


_FORMULAS: Mapping[LinkName, Callable[[Link, Floats], Floats]] = MappingProxyType(
    {
        "identity": _identity,
        "log": _log,
        "log1p": _log1p,
        "logit": _logit,
        "softmax": _softmax,
        "one_against_rest": _one_against_rest,
        "shares": _shares,
        "sorted": _sorted,
    }
)

"""Turn the scores of logistic models into probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.hybrids.row_sums import row_sums

__all__ = ["softmax"]

Floats = NDArray[np.float64]


def softmax(scores: Floats) -> Floats:
    """Return probabilities [n, classes] from one score (two classes) or one score per class."""
    if scores.shape[1] == 1:
        scores = np.concatenate([np.zeros_like(scores), scores], axis=1)
    shifted = _core.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = shifted / row_sums(shifted)[:, None]
    return shares

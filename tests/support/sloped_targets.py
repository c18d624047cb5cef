"""Targets of every loss for rows in which things go in slopes, for tests of lines in leaves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def sloped_score(rows: Floats, random: np.random.Generator) -> Floats:
    """Return one slope where the first column is above 0, another elsewhere, and noise."""
    slopes = np.where(rows[:, 0] > 0, 2 * rows[:, 1], rows[:, 2])
    return np.nan_to_num(slopes) + 0.3 * random.normal(size=len(rows))


def targets_of(score: Floats) -> dict[str, Floats]:
    """Return what each loss learns of the score."""
    three = np.digitize(score, [-0.7, 0.7]).astype(float)
    return {
        "squared_error": score,
        "logistic": (score > 0).astype(float),
        "softmax": three,
        "poisson": np.exp(np.clip(score, -2, 2)).round(),
        "absolute_error": score,
        "huber": score,
        "quantile": score,
        "lambdarank_ndcg": three,
    }

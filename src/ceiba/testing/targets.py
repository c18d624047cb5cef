"""Example targets for objectives: one kind for each ``domain`` that an objective may declare."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ceiba.objectives import Objective

__all__ = ["N_CLASSES", "example_base_score", "example_target", "numbers_as_target"]

#: Number of classes of multiclass targets.
N_CLASSES = 4

Floats = NDArray[np.float64]


def _binary(random: np.random.Generator, n_rows: int) -> Floats:
    target = (random.random(n_rows) < 0.3).astype(np.float64)
    target[:2] = [0.0, 1.0][:n_rows]
    return target


def _classes(random: np.random.Generator, n_rows: int) -> Floats:
    target = random.integers(0, N_CLASSES, n_rows).astype(np.float64)
    target[:N_CLASSES] = np.arange(N_CLASSES)[:n_rows]
    return target


def _non_negative(random: np.random.Generator, n_rows: int) -> Floats:
    """Zeros, counts and amounts together, for losses with a log link."""
    target = np.where(
        random.random(n_rows) < 0.5, random.poisson(1.0, n_rows), random.gamma(2.0, 1.5, n_rows)
    )
    target[:2] = [0.0, 3.0][:n_rows]
    return target.astype(np.float64)


def _shares(random: np.random.Generator, n_rows: int) -> Floats:
    """Fractions of all sizes, including 0 and 1."""
    certain, target = random.random(n_rows) < 0.2, random.random(n_rows)
    target = np.where(certain, np.round(target), target)
    target[:2] = [0.0, 1.0][:n_rows]
    return target


_EXAMPLES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "real": lambda random, n_rows: random.normal(0.5, 3.0, n_rows),
    "above_minus_one": lambda random, n_rows: _non_negative(random, n_rows) - 0.75,
    "non_negative": _non_negative,
    "positive": lambda random, n_rows: random.gamma(2.0, 1.5, n_rows) + 1e-3,
    "shares": _shares,
    "binary": _binary,
    "classes": _classes,
}


def example_target(objective: Objective, n_rows: int, seed: int = 0) -> Floats:
    """Random target in the domain of the objective. The first four rows contain every class."""
    target = _EXAMPLES[objective.domain](np.random.default_rng(seed), n_rows)
    return np.ascontiguousarray(target, dtype=np.float64)


def numbers_as_target(objective: Objective, numbers: Floats) -> Floats:
    """Map positive numbers to a target in the domain of the objective, in the same order."""
    return numbers / (1.0 + numbers) if objective.domain == "shares" else numbers


def example_base_score(objective: Objective) -> float | list[float]:
    """A valid ``base_score`` for :func:`example_target`."""
    return [0.1, 0.2, 0.3, 0.4] if objective.domain == "classes" else 0.25

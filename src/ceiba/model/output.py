"""Prediction types: raw scores, leaves, probabilities, classes, contributions.

1. :func:`asked_for` reads the arguments of a ``predict`` call, those of other libraries included.
2. The model computes raw scores, leaves or predictions of the requested iterations.
3. The functions below turn them into probabilities, decisions and classes.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidParameterError
from ceiba.messages import listed, shown
from ceiba.parameters.keywords import PREDICT

__all__ = [
    "Asked",
    "LastIteration",
    "Output",
    "asked_for",
    "decision",
    "log_of",
    "predicted_classes",
    "probabilities",
]

Floats = NDArray[np.float64]
Output = Literal[
    "",
    "raw",
    "leaf",
    "probability",
    "log_probability",
    "class",
    "contributions of lightgbm",
    "contributions of xgboost",
    "contributions of interactions",
]


class LastIteration(int):
    """Number of the last iteration of a model, counted from 0.

    As a number of rounds it means all rounds up to this one, so that LightGBM's
    ``predict(X, num_iteration=model.best_iteration)`` works.
    """


class Asked(NamedTuple):
    """Iterations, threads and prediction type of a call; "" is the prediction of the objective."""

    iteration_range: tuple[int, int] | None
    n_jobs: int | None
    output: Output = ""


def asked_for(
    n_iterations: int, iteration_range: Any, n_jobs: int | None, other_names: Mapping[str, Any]
) -> Asked:
    """Read the arguments of ``predict`` and those of other libraries."""
    if not other_names:
        return Asked(iteration_range, n_jobs)
    own = {"iteration_range": iteration_range}
    meant = PREDICT.read(other_names, own)
    begin = _number(meant.get("begin", 0))
    end = _number(meant.get("end", n_iterations))
    if "n_rounds" in meant:
        end = begin + _number(meant["n_rounds"])
    if {"begin", "end", "n_rounds"} & meant.keys():
        if iteration_range is not None:
            raise InvalidParameterError(
                "`iteration_range` and another argument both select the rounds. Got "
                f"iteration_range={shown(iteration_range)} and "
                f"{listed(other_names, show=str)}. Give only iteration_range=(begin, end)."
            )
        iteration_range = (min(begin, n_iterations), min(end, n_iterations))
    threads = meant.get("n_jobs", n_jobs)
    return Asked(iteration_range, n_jobs if threads == 0 else threads, meant.get("output", ""))


def _number(value: Any) -> int:
    if isinstance(value, LastIteration):
        return value + 1
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if number < 0 or isinstance(value, bool):
        raise InvalidParameterError(
            f"A number of rounds must be an integer, 0 or more. Got {shown(value)}."
        )
    return number


def decision(raw: Floats, even_score: float = 0.0) -> Floats:
    """Return decision values: [n] for two classes, positive for class 1, or [n, K] for more."""
    if raw.ndim == 2 and raw.shape[1] == 1:
        raw = raw[:, 0]
    if raw.ndim == 2 and raw.shape[1] == 2:
        difference: Floats = raw[:, 1] - raw[:, 0]
        return difference
    if raw.ndim == 1 and even_score:
        centred: Floats = raw - even_score
        return centred
    return raw


def predicted_classes(raw: Floats, even_score: float = 0.0) -> NDArray[np.intp]:
    """Return the index of the most probable class; ties go to the lower index.

    ``even_score`` is the score at which two classes are equally probable, if there is one score.
    """
    scores = decision(raw, even_score)
    if scores.ndim == 1:
        return (scores > 0).astype(np.intp)
    winners: NDArray[np.intp] = scores.argmax(axis=1)
    return winners


def probabilities(prediction: Floats) -> Floats:
    """Return a column for each class, also for two classes."""
    if prediction.ndim == 2:
        return prediction
    both = np.empty((len(prediction), 2))
    both[:, 1] = prediction
    np.subtract(1.0, prediction, out=both[:, 0])
    return both


def log_of(shares: Floats) -> Floats:
    """Return logarithms of probabilities; the logarithm of 0 is minus infinity."""
    with np.errstate(divide="ignore"):
        logarithms: Floats = np.log(shares)
    return logarithms

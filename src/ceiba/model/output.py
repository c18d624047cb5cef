"""What a prediction is asked for, and the forms in which it is handed out.

1. :func:`asked_for` reads the arguments of a prediction, those of other libraries included;
2. the model finds raw scores, leaves or predictions of the asked rounds;
3. the functions below make of them what a user reads: probabilities, decisions, classes.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidParameterError
from ceiba.messages import shown
from ceiba.parameters.keywords import PREDICT

__all__ = [
    "Asked",
    "LastIteration",
    "Output",
    "asked_for",
    "decision",
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
    """The number, from 0, of the last iteration of a model.

    Where a number of rounds is asked for, as in LightGBM's ``predict(X, num_iteration=
    model.best_iteration)``, it stands for all rounds up to that one, as it does there.
    """


class Asked(NamedTuple):
    """What a prediction is asked for; the output "" is that of the objective."""

    iteration_range: tuple[int, int] | None
    n_jobs: int | None
    output: Output = ""


def asked_for(
    n_iterations: int, iteration_range: Any, n_jobs: int | None, other_names: Mapping[str, Any]
) -> Asked:
    """Return what is asked for by our own arguments and those of other libraries."""
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
                "iteration_range and the rounds of another name are given together. Give "
                "iteration_range=(begin, end) alone."
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
            f"Numbers of rounds must be whole numbers, 0 or more. Got {shown(value)}."
        )
    return number


def decision(raw: Floats, even_score: float = 0.0) -> Floats:
    """Return [n] for two classes, above 0 for the second, and [n, K] for more."""
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
    """Return the index of the most probable class; ties go to the lower one.

    ``even_score`` is that of one score at which two classes are as probable as each other.
    """
    scores = decision(raw, even_score)
    if scores.ndim == 1:
        return (scores > 0).astype(np.intp)
    winners: NDArray[np.intp] = scores.argmax(axis=1)
    return winners


def probabilities(prediction: Floats) -> Floats:
    """Return a column for each class, of two classes too."""
    if prediction.ndim == 2:
        return prediction
    both = np.empty((len(prediction), 2))
    both[:, 1] = prediction
    np.subtract(1.0, prediction, out=both[:, 0])
    return both

"""Targets that hold class indices: what losses of several classes ask of them."""

from __future__ import annotations

import numpy as np

from ceiba.errors import InvalidInputError
from ceiba.objectives._base import Floats, describe_values
from ceiba.reductions import count_rows, extent, summed

__all__ = ["check_class_indices", "indicator"]


def check_class_indices(
    target: Floats, objective: str, n_classes: int | None, n_outputs: int | None
) -> None:
    """Refuse a target that is not made of the indices 0, 1, 2 … of classes.

    Without a number of classes every index up to the largest must occur.
    """
    expected = n_classes if n_outputs is None else n_outputs
    limit = float(count_rows(target)) if expected is None else float(expected)
    wrong = (target < 0.0) | (target != np.floor(target)) | (target >= max(limit, 2.0))
    if wrong.any():
        text = "up to the number of classes less one" if expected is None else f"{limit - 1:g}"
        raise InvalidInputError(
            f"The target of objective {objective} must hold class indices 0, 1, 2, … "
            f"{text}. Got also {describe_values(np.unique(target[wrong]))}. Encode the classes "
            "as consecutive indices, or use CeibaClassifier, which does so."
        )
    if expected is not None:
        return
    n_classes = int(extent(target)[1]) + 1
    rows_of_class = summed(np.bincount(target.astype(np.int64), minlength=n_classes))
    if len(rows_of_class) < 2:
        raise InvalidInputError(
            f"Objective {objective} needs at least two classes in the target. Got only class 0."
        )
    absent = np.flatnonzero(rows_of_class == 0)
    if len(absent):
        raise InvalidInputError(
            f"The target of objective {objective} must hold every class index from 0 to the "
            f"largest, {len(rows_of_class) - 1}. No row has class {describe_values(absent)}. "
            "Encode the classes as consecutive indices, or give n_classes."
        )


def indicator(target: Floats, k: int) -> Floats:
    """Return 1 for the rows of a class and 0 for all others."""
    of_class: Floats = (target == k).astype(np.float64)
    return of_class

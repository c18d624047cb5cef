"""Select the penalty and the forest of an enhanced forest by cross-validation.

Parameters given as lists span a grid of combinations. Folds are hashed from the position of a row
in the canonical order (``rows.py``), so they depend neither on the row order nor on threads. Folds
of classifiers are stratified. Each linear model is fitted once and shared by all forests that use
it. Ties go to the first combination.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.hybrids.base import LEAF_ROWS, OPTIONS
from ceiba.hybrids.rows import TrainingRows
from ceiba.parameters import BY_NAME
from ceiba.parameters.combined_constraints import Several
from ceiba.parameters.constraints import Constraint, Integer
from ceiba.random import unit_numbers

__all__ = ["CHOSEN", "Chosen", "choose", "given_settings"]

Floats = NDArray[np.float64]

_LINEAR = ("penalty", "alpha", "C", "l1_ratio")
_FOREST = ("n_estimators", "max_depth", "min_samples_leaf", "max_features")

#: Parameters that accept one value or a list of values.
CHOSEN: Mapping[str, Constraint] = {
    **{name: Several(OPTIONS[name]) for name in _LINEAR},
    "n_estimators": Several(Integer(1)),
    "max_depth": Several(Integer(1)),
    "min_samples_leaf": Several(LEAF_ROWS),
    "max_features": Several(BY_NAME["colsample_bynode"].constraint),
}


@dataclass(frozen=True)
class Chosen:
    """The selected settings and a table of all cross-validation losses."""

    settings: Mapping[str, Any]
    results: Mapping[str, list[Any]]


def given_settings(options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return every combination of the given values, forest parameters changing fastest."""
    names = [name for name in (*_LINEAR, *_FOREST) if name in options]
    values = [
        options[name] if isinstance(options[name], list) else [options[name]] for name in names
    ]
    return [dict(zip(names, own, strict=True)) for own in product(*values)]


def choose(
    rows: TrainingRows,
    settings: list[dict[str, Any]],
    n_folds: int,
    seed: int,
    linear_of: Callable[[TrainingRows, Mapping[str, Any]], Any],
    learn: Callable[[TrainingRows, Any, Mapping[str, Any]], Any],
    *,
    n_classes: int,
) -> Chosen:
    """Return the settings with the smallest cross-validation loss."""
    folds = fold_numbers(rows, n_folds, seed, n_classes)
    losses = np.zeros((len(settings), n_folds))
    for fold in range(n_folds):
        seen, unseen = rows.take(folds != fold), rows.take(folds == fold)
        linear, known = None, None
        for k, own in enumerate(settings):
            of_linear = tuple((name, own[name]) for name in _LINEAR if name in own)
            if of_linear != known:
                linear, known = linear_of(seen, own), of_linear
            model = learn(seen, linear, own)
            losses[k, fold] = _loss(unseen, model.scores(unseen.values), n_classes)
    means = losses.mean(axis=1)
    best = int(np.argmin(means))
    results: dict[str, list[Any]] = {name: [own[name] for own in settings] for name in settings[0]}
    results["mean_loss"] = means.tolist()
    results["std_loss"] = losses.std(axis=1).tolist()
    results["rank"] = (np.argsort(np.argsort(means, kind="stable"), kind="stable") + 1).tolist()
    return Chosen(settings[best], results)


def fold_numbers(rows: TrainingRows, n_folds: int, seed: int, n_classes: int) -> NDArray[np.int64]:
    """Return the fold of each row."""
    chance = unit_numbers(seed, 0, rows.n_rows)
    folds = np.empty(rows.n_rows, dtype=np.int64)
    strata = [rows.target == k for k in range(n_classes)] or [np.ones(rows.n_rows, dtype=bool)]
    for mask in strata:
        members = np.flatnonzero(mask)
        if len(members) < n_folds:
            what = "rows in the smallest class" if n_classes else "rows"
            raise InvalidInputError(
                f"n_folds={n_folds} needs at least {n_folds} distinct {what}. Got {len(members)}. "
                "Reduce n_folds, or give a single value for each parameter."
            )
        folds[members[np.argsort(chance[members], kind="stable")]] = (
            np.arange(len(members)) % n_folds
        )
    return folds


def _loss(rows: TrainingRows, predicted: Floats, n_classes: int) -> float:
    """Return the mean squared error or, for classes, the mean log loss."""
    if n_classes:
        own = predicted[np.arange(rows.n_rows), rows.target.astype(np.intp)]
        each = -np.log(np.clip(own, 1e-15, 1.0))
    else:
        each = (rows.target - predicted) ** 2
    return _core.exact_sum(each, rows.weights) / _core.exact_sum(rows.weights)

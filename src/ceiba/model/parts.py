"""Build a model from the parts of a model file, and check that they fit each other.

``file.py`` has checked checksum and types; this module checks values. The C++ core checks the trees
when it makes a forest of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.data.missing_values import Reading
from ceiba.data.schema import Schema
from ceiba.data.target_statistics import TargetStatistics
from ceiba.errors import InvalidInputError, ModelFileError
from ceiba.model.correction import objective_and_correction
from ceiba.model.stored_parameters import check_stored
from ceiba.model.tree_weights import TreeWeights
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.model.file import ModelParts
    from ceiba.objectives import Objective

__all__ = ["check_classes", "damaged", "fields_of"]

#: Largest start score that a training can produce.
_LARGEST_START = 1e300


def fields_of(parts: ModelParts) -> dict[str, Any]:
    """Return the fields of the model in a file; raise ModelFileError if it is damaged."""
    check_stored(parts.parameters)
    # Format 1 stores the missing value among the parameters.
    unseen = parts.parameters.get("unseen_category", "missing")
    schema = Schema.from_dict(parts.schema, Reading.of(parts.parameters), unseen)
    if "statistics" in parts.schema:
        own = parts.schema["statistics"]
        found = TargetStatistics.from_parts(own, parts.arrays, schema.n_levels)
        schema = schema.with_statistics(found)
    start = parts.start_scores
    kinds = ("trees", "sets", "linear")
    names = {name for kind in kinds for name in _core.tree_array_types(kind)}
    names |= {"n_parallel", "linear_extrapolates"}
    of_trees = {name: array for name, array in parts.arrays.items() if name in names}
    forest = _core.Forest(schema.engine.n_features, len(start), of_trees)
    trees = Trees.of(forest)
    _check_sets(trees, schema.engine)
    _check_linear_leaves(trees, schema.engine)
    try:
        objective, correction = objective_and_correction(parts.objective, len(start))
        sound = (
            bool((np.abs(start) <= _LARGEST_START).all())
            and -1 <= parts.best_iteration < max(1, forest.n_iterations)
            and bool(np.isfinite(objective.predict(correction.applied(start[None, :]))).all())
        )
    except ModelFileError:
        raise
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise damaged(error) from error
    if not sound:
        raise ModelFileError(
            "The model file is damaged: its start scores, objective and trees are inconsistent. "
            "Load another copy of the model, or train it again."
        )
    return {
        "schema": schema,
        "objective": objective,
        "parameters": parts.parameters,
        "start_scores": start,
        "forest": forest,
        "best_iteration": parts.best_iteration,
        "history": parts.history,
        "classes": parts.classes,
        "tree_weights": TreeWeights.from_arrays(parts.arrays, forest),
        "correction": correction,
        "recorded_decisions": parts.decisions,
    }


def _check_sets(trees: Trees, schema: Schema) -> None:
    """Raise unless exactly the splits by categories have a set, of levels that the column has."""
    if not schema.has_categories and trees.sets is None:
        return
    is_category = np.array([kind == "category" for kind in schema.kinds])
    fits = trees.split_by_set == (is_category[trees.feature] & trees.is_split)
    if trees.sets is not None:
        largest = np.array([*(max(own, default=-1) for own in trees.sets.levels), -1])
        n_levels = np.array(schema.n_levels or [0] * schema.n_features)
        used = trees.sets.set_of_node
        fits &= (used < 0) | (largest[used] < n_levels[trees.feature])
    if not fits.all():
        raise ModelFileError(
            "The model file is damaged: its trees do not fit the levels of its categorical "
            "columns. Load another copy of the model, or train it again."
        )


def _check_linear_leaves(trees: Trees, schema: Schema) -> None:
    """Raise if a linear leaf reads a categorical column."""
    if trees.linear is None:
        return
    if any(schema.kinds[j] == "category" for j in np.unique(trees.linear.feature)):
        raise ModelFileError(
            "The model file is damaged: a linear leaf reads a categorical column. Load another "
            "copy of the model, or train it again."
        )


def check_classes(classes: NDArray[Any], objective: Objective, n_classes: int) -> None:
    """Raise unless the labels are distinct, one per class, and the model is a classifier."""
    labels = classes.tolist() if classes.ndim == 1 else []
    is_classifier = objective.task in ("binary", "multiclass", "custom")
    known = [label for label in labels if label == label]
    if not is_classifier or not len(set(known)) == len(labels) == n_classes:
        expected = f"{n_classes} different labels" if is_classifier else "no labels"
        raise InvalidInputError(
            f"A model with objective {objective.name!r} and these trees must have {expected}. "
            f"Got {classes!r}."
        )


def damaged(error: Exception) -> ModelFileError:
    """Return the error for a file whose parts are inconsistent."""
    return ModelFileError(f"The model file is damaged: {error}")

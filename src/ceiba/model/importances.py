"""Feature importances that are computed from the trees alone, and their names.

    gain, cover             sums of the gains and of the hessians over the splits of a column
    split                   number of splits
    mean_gain, mean_cover   the sums divided by the number of splits
    mean_rows               mean number of training rows at the splits of a column
    mdi                     mean decrease in impurity, as in scikit-learn: shares that sum to 1
    prediction_values_change   CatBoost's importance of symmetric trees

Other libraries have other names for these. XGBoost gives two of the names another meaning: with
recipe ``xgboost`` the names have XGBoost's meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidParameterError
from ceiba.model.trees import Trees

__all__ = ["KINDS", "column_names", "find_kind", "library_of", "tree_importances"]

Floats = NDArray[np.float64]
Sources = Sequence[tuple[int, ...]]

#: The kinds in a table of importances, in the order of its columns.
KINDS = ("gain", "cover", "mean_gain", "mean_cover", "mean_rows", "split", "mdi")
_EVERY = (*KINDS, "prediction_values_change")

#: Names of other libraries that mean the same with every recipe.
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "weight": "split",
        "total_gain": "gain",
        "total_cover": "cover",
        "impurity": "mdi",
        "PredictionValuesChange": "prediction_values_change",
    }
)
#: Names that mean something else with a recipe.
_UNDER_RECIPE: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"xgboost": {"gain": "mean_gain", "cover": "mean_cover"}}
)
#: Column names of a table with a recipe: each is the name that selects this kind.
_COLUMNS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "xgboost": {
            "gain": "total_gain",
            "cover": "total_cover",
            "mean_gain": "gain",
            "mean_cover": "cover",
            "split": "weight",
        }
    }
)


def library_of(parameters: Mapping[str, Any]) -> str:
    """Return the recipe whose names apply to a model with these parameters."""
    return str(parameters.get("recipe", "auto"))


def find_kind(name: Any, recipe: str) -> str:
    """Return the kind that a name means with a recipe."""
    meant = _UNDER_RECIPE.get(recipe, {}).get(name) if isinstance(name, str) else None
    kind = meant or (_NAMES.get(name, name) if isinstance(name, str) else None)
    if kind not in _EVERY:
        known = ", ".join(repr(one) for one in (*KINDS, *_NAMES))
        raise InvalidParameterError(
            f"kind must be one of {known}; `importances` also takes 'permutation' and 'shap'. "
            f"Got {name!r}."
        )
    return str(kind)


def column_names(recipe: str) -> dict[str, str]:
    """Return the column name of each kind in a table of importances."""
    return {kind: _COLUMNS.get(recipe, {}).get(kind, kind) for kind in KINDS}


def tree_importances(
    trees: Trees, kind: str, sources: Sources, *, averaged: bool = False
) -> Floats:
    """Return the importance of each column of the table.

    Parameters
    ----------
    trees : Trees
        The trees of a model.
    kind : str
        A kind as :func:`find_kind` returns it.
    sources : sequence of tuples
        For each column that trees read, the columns of the table that it is made of. A target
        statistic of several columns is shared equally among them.
    averaged : bool, default=False
        Whether the model averages its trees (forests) instead of adding them.
    """
    if kind == "prediction_values_change":
        return _of_sources(_values_change(trees.weighted(), len(sources)), sources)
    is_split = trees.is_split
    features = trees.feature[is_split]

    def total(values: Floats | None) -> Floats:
        sums = np.bincount(features, values, minlength=len(sources))
        return _of_sources(sums.astype(np.float64), sources)

    if kind == "split":
        return total(None)
    if kind == "mdi":
        decrease = _impurity_decrease(trees, averaged)
        return _shares(total(decrease[is_split]))
    of_nodes = {"gain": trees.gain, "cover": trees.cover, "rows": trees.count}
    sums = total(of_nodes[kind.removeprefix("mean_")][is_split])
    if not kind.startswith("mean_"):
        return sums
    splits = total(None)
    return sums / np.where(splits > 0.0, splits, 1.0)


def _of_sources(totals: Floats, sources: Sources) -> Floats:
    """Return totals of the columns of the table from those of the columns that trees read."""
    n_columns = 1 + max((j for own in sources for j in own), default=-1)
    if len(sources) == n_columns and all(own == (j,) for j, own in enumerate(sources)):
        return totals
    shares = np.zeros(n_columns)
    for total, own in zip(totals, sources, strict=True):
        shares[list(own)] += total / len(own)
    return shares


def _impurity_decrease(trees: Trees, averaged: bool) -> Floats:
    """Return the gain of each node as a share of the rows of its tree.

    If trees are averaged, the gains of each tree sum to 1, as in scikit-learn's forests.
    """
    first = trees.offsets[:-1]
    gains = np.where(trees.is_split, trees.gain, 0.0)
    if averaged:
        of_tree = np.add.reduceat(gains, first) if trees.n_trees else gains
    else:
        of_tree = trees.count[first]
    of_tree = np.where(of_tree > 0, of_tree, 1.0)
    decrease: Floats = gains / of_tree[trees.tree_of_node]
    return decrease


def _shares(values: Floats, whole: float = 1.0) -> Floats:
    total = float(values.sum())
    return values * (whole / total) if total > 0 else values


def _values_change(trees: Trees, n_features: int) -> Floats:
    """Return CatBoost's PredictionValuesChange: how much predictions differ across a split.

    For each level of a symmetric tree, every pair of leaves that differ only in that level adds the
    squared distances from their mean, weighted by their rows. The importances sum to 100.
    """
    changes = np.zeros(n_features)
    for first in trees.offsets[:-1].tolist():
        features, leaves = _levels(trees, first)
        values, counts = trees.value[first + leaves], trees.count[first + leaves][:, None]
        for level, feature in enumerate(features):
            shape = (2**level, 2, -1)  # the bit of the level is the second axis
            value = values.reshape(*shape, values.shape[1])
            count = counts.reshape(*shape, 1)
            both = np.maximum(count.sum(axis=1, keepdims=True), 1e-300)
            mean = (value * count).sum(axis=1, keepdims=True) / both
            changes[feature] += ((value - mean) ** 2 * count).sum()
    return _shares(changes, 100.0)


def _levels(trees: Trees, first: int) -> tuple[list[int], NDArray[np.integer[Any]]]:
    """Return the column of each level of a symmetric tree and its leaves from left to right."""
    nodes: NDArray[np.integer[Any]] = np.zeros(1, dtype=np.int64)
    features: list[int] = []
    while (trees.feature[first + nodes] >= 0).any():
        own = first + nodes
        rules: list[NDArray[Any]] = [trees.feature, trees.threshold, trees.missing_left]
        rules += [] if trees.sets is None else [trees.sets.set_of_node]
        if any((rule[own] != rule[own[0]]).any() for rule in rules):
            raise InvalidParameterError(
                "prediction_values_change (CatBoost's PredictionValuesChange) is defined only for "
                "symmetric trees, whose nodes of one level have the same split. This model has a "
                "tree that is not symmetric. Train with grow_policy='symmetric', or use 'gain', "
                "'mdi', 'permutation' or 'shap'."
            )
        features.append(int(trees.feature[own[0]]))
        nodes = np.stack([trees.left[own], trees.right[own]], axis=1).reshape(-1)
    return features, nodes

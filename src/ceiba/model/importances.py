"""How much each column counts in the trees of a forest, and under which names people ask for it.

Everything is read from the arrays of the forest; nothing is trained or predicted here.

    gain, cover             sums over the splits of a column: of gains, of hessians
    split                   how many splits there are
    mean_gain, mean_cover   the sums, divided by the number of splits
    mean_rows               training rows that a split of the column parts, on average
    mdi                     scikit-learn's mean decrease in impurity: shares that add up to 1
    prediction_values_change   CatBoost's, of symmetric trees

Other libraries have other names, and XGBoost means another thing by two of these: under recipe
``xgboost`` names are XGBoost's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import InvalidParameterError

__all__ = ["KINDS", "column_names", "find_kind", "forest_importances", "library_of"]

Floats = NDArray[np.float64]
Arrays = Mapping[str, NDArray[Any]]
Sources = Sequence[tuple[int, ...]]

#: The kinds of a table of importances, in its order.
KINDS = ("gain", "cover", "mean_gain", "mean_cover", "mean_rows", "split", "mdi")
_EVERY = (*KINDS, "prediction_values_change")

#: Other names that mean one thing everywhere.
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "weight": "split",
        "total_gain": "gain",
        "total_cover": "cover",
        "impurity": "mdi",
        "PredictionValuesChange": "prediction_values_change",
    }
)
#: What names mean under a recipe, where that is another thing.
_UNDER_RECIPE: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"xgboost": {"gain": "mean_gain", "cover": "mean_cover"}}
)
#: What the columns of a table are called under a recipe: by the name that asks for them.
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
    """Return the recipe whose names count for a model of these parameters."""
    return str(parameters.get("recipe", "auto"))


def find_kind(name: Any, recipe: str) -> str:
    """Return the kind that a name means under a recipe."""
    meant = _UNDER_RECIPE.get(recipe, {}).get(name) if isinstance(name, str) else None
    kind = meant or (_NAMES.get(name, name) if isinstance(name, str) else None)
    if kind not in _EVERY:
        known = ", ".join(repr(one) for one in (*KINDS, *_NAMES))
        raise InvalidParameterError(
            f"kind must be one of {known}; or, with rows, 'permutation' or 'shap', of which "
            f"importances makes a table. Got {name!r}."
        )
    return str(kind)


def column_names(recipe: str) -> dict[str, str]:
    """Return kind → name of its column in a table, which means that kind under the recipe."""
    return {kind: _COLUMNS.get(recipe, {}).get(kind, kind) for kind in KINDS}


def forest_importances(
    forest: _core.Forest, kind: str, sources: Sources | None = None, *, averaged: bool = False
) -> Floats:
    """Return the importance of each column; ``averaged``: trees are averaged, not added up.

    ``sources`` are the columns of the table that those that trees read are made of. A statistic
    counts for its column; that of several columns is shared equally by them.
    """
    if sources is None:
        sources = [(j,) for j in range(forest.n_features)]
    if kind == "prediction_values_change":
        return _of_sources(_values_change(forest), sources)
    arrays = forest.arrays()
    is_split = arrays["feature"] >= 0
    features = arrays["feature"][is_split]

    def total(values: Floats | None) -> Floats:
        sums = np.bincount(features, values, minlength=forest.n_features)
        return _of_sources(sums.astype(np.float64), sources)

    if kind == "split":
        return total(None)
    if kind == "mdi":
        decrease = _impurity_decrease(arrays, averaged)
        return _shares(total(decrease[is_split]))
    name = {"mean_rows": "count"}.get(kind, kind.removeprefix("mean_"))
    sums = total(arrays[name][is_split])
    if not kind.startswith("mean_"):
        return sums
    splits = total(None)
    return sums / np.where(splits > 0.0, splits, 1.0)


def _of_sources(totals: Floats, sources: Sources) -> Floats:
    """Return totals of the columns of a table from those of the columns that trees read."""
    n_columns = 1 + max((j for own in sources for j in own), default=-1)
    if len(sources) == n_columns and all(own == (j,) for j, own in enumerate(sources)):
        return totals
    shares = np.zeros(n_columns)
    for total, own in zip(totals, sources, strict=True):
        shares[list(own)] += total / len(own)
    return shares


def _impurity_decrease(arrays: Arrays, averaged: bool) -> Floats:
    """Return of each node the gain in its share of the rows of its tree.

    Where trees are averaged, those of a tree add up to 1, as in scikit-learn's forests.
    """
    offsets = arrays["tree_offsets"]
    n_nodes = np.diff(offsets)
    gains = np.where(arrays["feature"] >= 0, arrays["gain"], 0.0)
    if averaged:
        of_tree = np.add.reduceat(gains, offsets[:-1]) if len(n_nodes) else gains
    else:
        of_tree = arrays["count"][offsets[:-1]]
    of_tree = np.where(of_tree > 0, of_tree, 1.0)
    decrease: Floats = gains / np.repeat(of_tree, n_nodes)
    return decrease


def _shares(values: Floats, whole: float = 1.0) -> Floats:
    total = float(values.sum())
    return values * (whole / total) if total > 0 else values


def _values_change(forest: _core.Forest) -> Floats:
    """Return CatBoost's PredictionValuesChange: how far two leaves that one split parts are apart.

    For each level of a symmetric tree, every pair of leaves that differ in that level alone adds
    the squared distances from their mean, weighted by their rows. All together are 100.
    """
    arrays = forest.arrays()
    changes = np.zeros(forest.n_features)
    offsets = arrays["tree_offsets"]
    for first in offsets[:-1].tolist():
        features, leaves = _levels(arrays, first)
        values = arrays["value"][first + leaves].reshape(len(leaves), -1)
        counts = arrays["count"][first + leaves][:, None]
        for level, feature in enumerate(features):
            shape = (2**level, 2, -1)  # the bit of the level is the second axis
            value = values.reshape(*shape, values.shape[1])
            count = counts.reshape(*shape, 1)
            both = np.maximum(count.sum(axis=1, keepdims=True), 1e-300)
            mean = (value * count).sum(axis=1, keepdims=True) / both
            changes[feature] += ((value - mean) ** 2 * count).sum()
    return _shares(changes, 100.0)


def _levels(arrays: Arrays, first: int) -> tuple[list[int], NDArray[np.int64]]:
    """Return the column of each level of a symmetric tree and its leaves from left to right."""
    nodes = np.zeros(1, dtype=np.int64)
    features: list[int] = []
    sets = arrays.get("set_of_node")
    while (arrays["feature"][first + nodes] >= 0).any():
        own = first + nodes
        names = ["feature", "threshold", "missing_left"]
        rules = [arrays[name][own] for name in names] + ([] if sets is None else [sets[own]])
        if any((rule != rule[0]).any() for rule in rules):
            raise InvalidParameterError(
                "prediction_values_change (CatBoost's PredictionValuesChange) is defined for "
                "symmetric trees, all nodes of a level having one split. The model has a tree that "
                "is not symmetric. Train with grow_policy='symmetric', or ask for 'gain', 'mdi', "
                "'permutation' or 'shap'."
            )
        features.append(int(rules[0][0]))
        nodes = np.stack([arrays["left"][own], arrays["right"][own]], axis=1).reshape(-1)
    return features, nodes

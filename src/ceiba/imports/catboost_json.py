"""Read CatBoost's JSON files (``model.save_model(path, format="json")``).

How the rules differ from ceiba's:

- CatBoost rounds values to float32 and tests ``x > border``.
- A one-hot split tests whether a category has a given hash. Files contain the text of categories
  only if they were saved with ``pool=``; without it one-hot splits are refused.
- All splits of one level of a symmetric tree are equal. The last split of a file is at the root.
- Raw scores are multiplied by a scale before the bias is added.

Splits by target statistics (CTRs), text and embeddings are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import LoadError
from ceiba.imports.catboost_columns import CatboostColumns
from ceiba.imports.catboost_objectives import read_classes, read_objective
from ceiba.imports.float32_thresholds import largest_up_to
from ceiba.imports.foreign_model import ForeignModel
from ceiba.imports.raw_trees import (
    RawTrees,
    damaged,
    joined_offsets,
    sets_of_levels,
    with_mean_values,
)

__all__ = ["read_catboost"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: CatBoost grows symmetric trees to depth 16 at most.
_DEEPEST = 16


def read_catboost(model: Mapping[str, Any]) -> ForeignModel:
    """Read the values of a CatBoost JSON file."""
    if "oblivious_trees" not in model:
        raise LoadError(
            "ceiba imports CatBoost's symmetric trees. Got trees of another grow_policy. Train "
            "with grow_policy='SymmetricTree'."
        )
    trees: Sequence[Mapping[str, Any]] = model["oblivious_trees"]
    scale, bias = model["scale_and_bias"]
    start = np.array(bias, dtype=np.float64, ndmin=1)
    if start.ndim != 1:
        raise damaged("its bias is not a list of numbers")
    n_outputs = len(start)
    parameters = _parameters(model)
    columns = CatboostColumns(model["features_info"], [_splits(tree) for tree in trees])
    raw = _raw_trees(trees, columns, n_outputs, float(scale))
    objective = read_objective(parameters.get("loss_function", {}), n_outputs)
    return ForeignModel(
        recipe="catboost",
        columns=columns.columns,
        trees=with_mean_values(raw.to_trees(n_outputs)),
        objective=objective,
        start_scores=start,
        parameters={
            "learning_rate": parameters.get("boosting_options", {}).get("learning_rate"),
            "reg_lambda": parameters.get("tree_learner_options", {}).get("l2_leaf_reg"),
            "max_depth": parameters.get("tree_learner_options", {}).get("depth"),
        },
        classes=read_classes(model.get("model_info", {}), objective, n_outputs),
    )


def _parameters(model: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the parameters of the training; older files store them as text."""
    found = model.get("model_info", {}).get("params", {})
    parsed: Mapping[str, Any] = json.loads(found) if isinstance(found, str) else found
    return parsed


def _splits(tree: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the splits of a tree, from the root down."""
    splits = list(tree.get("splits") or ())
    if len(splits) > _DEEPEST:
        raise damaged(f"a tree has {len(splits)} levels")
    return splits[::-1]


def _raw_trees(
    trees: Sequence[Mapping[str, Any]], columns: CatboostColumns, n_outputs: int, scale: float
) -> RawTrees:
    """Return the nodes of all trees, each as a heap: node i has the children 2i + 1 and 2i + 2."""
    parts: dict[str, list[NDArray[Any]]] = {}
    sizes: list[int] = []
    sets: list[Integers] = []
    for tree in trees:
        splits = _splits(tree)
        n_leaves = 1 << len(splits)
        begin = sum(sizes)
        sizes.append(2 * n_leaves - 1)
        width = n_outputs * n_leaves
        values = np.asarray(tree["leaf_values"], dtype=np.float64)
        if values.shape != (width,):
            raise damaged(f"a tree of {len(splits)} levels has {values.size} leaf values")
        own = _tree(splits, columns, sets)
        own["value"] = np.zeros((sizes[-1], n_outputs))
        own["value"][n_leaves - 1 :] = scale * values.reshape(n_leaves, n_outputs)
        own["count"] = _counts(tree, n_leaves)
        for name in ("left", "right"):
            own[name] = np.where(own[name] >= 0, own[name] + begin, -1)
        for name, array in own.items():
            parts.setdefault(name, []).append(array)
    if not trees:
        own = {**_tree((), columns, sets), "value": np.zeros((1, n_outputs)), "count": np.ones(1)}
        parts = {name: [array[:0]] for name, array in own.items()}
    joined: dict[str, Any] = {name: np.concatenate(own) for name, own in parts.items()}
    set_of_node = joined.pop("set_of_node")
    return RawTrees(
        roots=joined_offsets(sizes)[:-1],
        gain=np.zeros(len(set_of_node)),
        cover=joined["count"],
        sets=sets_of_levels(set_of_node, sets),
        **joined,
    )


def _tree(
    splits: Sequence[Mapping[str, Any]], columns: CatboostColumns, sets: list[Integers]
) -> dict[str, NDArray[Any]]:
    """Return the splits of a tree as a heap; append its category sets."""
    n_splits = (1 << len(splits)) - 1
    n_nodes = 2 * n_splits + 1
    feature, set_of_node = np.zeros(n_nodes, dtype=np.int64), np.full(n_nodes, -1, dtype=np.int64)
    threshold, missing_left = np.zeros(n_nodes), np.zeros(n_nodes, dtype=bool)
    left, right = np.full((2, n_nodes), -1, dtype=np.int64)
    left[:n_splits] = 2 * np.arange(n_splits) + 1
    right[:n_splits] = left[:n_splits] + 1
    for depth, split in enumerate(splits):
        level = slice((1 << depth) - 1, (2 << depth) - 1)
        found = columns.read(split)
        feature[level], missing_left[level] = found.column, found.missing_left
        if found.levels is None:
            threshold[level] = largest_up_to(np.array([found.border], dtype=np.float64))[0]
            continue
        # Rows of the category are those of the right child; ceiba's sets go left.
        left[level], right[level] = right[level].copy(), left[level].copy()
        set_of_node[level] = len(sets)
        sets.append(found.levels)
    return {
        "left": left,
        "right": right,
        "feature": feature,
        "threshold": threshold,
        "missing_left": missing_left,
        "set_of_node": set_of_node,
    }


def _counts(tree: Mapping[str, Any], n_leaves: int) -> Floats:
    """Return the weight of the rows of each node of the heap; 1 for each leaf if unknown."""
    found = np.asarray(tree.get("leaf_weights") or np.ones(n_leaves), dtype=np.float64)
    if found.shape != (n_leaves,):
        raise damaged(f"a tree of {n_leaves} leaves has {found.size} leaf weights")
    levels = [found]
    with np.errstate(over="ignore", invalid="ignore"):
        while len(levels[-1]) > 1:
            levels.append(levels[-1].reshape(-1, 2).sum(axis=1))
    return np.concatenate(levels[::-1])

"""Read XGBoost's model files: JSON and UBJSON have the same content.

How the rules differ from ceiba's:

- XGBoost rounds values to float32 and tests ``x < threshold``. ``float32_thresholds.py`` gives the
  float64 threshold with the same result for every float64 value.
- Categories in the set of a node go right, all others left: the children are exchanged.
- ``base_score`` is on the scale of predictions. Leaf values include the learning rate.
- XGBoost adds leaf values in 32 bits, ceiba in 64. So predictions differ by rounding errors of
  float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import LoadError
from ceiba.imports.float32_thresholds import largest_below
from ceiba.imports.foreign_model import Columns, ForeignModel
from ceiba.imports.raw_trees import (
    RawTrees,
    damaged,
    joined_offsets,
    sets_of_levels,
    with_mean_values,
)
from ceiba.imports.xgboost_columns import category_numbers, read_columns
from ceiba.imports.xgboost_objectives import read_objective, start_scores

__all__ = ["read_xgboost"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def read_xgboost(model: Mapping[str, Any]) -> ForeignModel:
    """Read the values of an XGBoost model file."""
    learner = model["learner"]
    booster = learner["gradient_booster"]
    # Before XGBoost 3.4, dart is a booster around gbtree.
    dropped, booster = booster.get("weight_drop", ()), booster.get("gbtree", booster)
    if booster["name"] != "gbtree":
        raise LoadError(
            f"ceiba imports XGBoost's trees (gbtree, dart). Got booster {booster['name']!r}."
        )
    trees: Sequence[Mapping[str, Any]] = booster["model"]["trees"]
    groups = integers(booster["model"]["tree_info"])
    settings = learner["learner_model_param"]
    n_outputs = max(1, int(settings["num_class"]), int(settings.get("num_target", 1)))
    width = max(1, int(trees[0]["tree_param"]["size_leaf_vector"])) if trees else 1
    if n_outputs > max(width, len(trees), 1):
        raise damaged(f"it has {n_outputs} outputs and {len(trees)} trees")
    if width not in (1, n_outputs) or len(groups) != len(trees):
        raise damaged("its trees do not fit the number of outputs")
    weights = numbers(booster["model"].get("weight_drop", dropped))
    if len(weights) not in (0, len(trees)):
        raise damaged("it has another number of tree weights than of trees")
    n_parallel = max(1, int(booster["model"]["gbtree_model_param"].get("num_parallel_tree", 1)))
    order = _order(groups, n_outputs // width, n_parallel)
    nodes = _Nodes.of([trees[t] for t in order.tolist()], width)
    columns = read_columns(model, nodes.codes_in_sets())
    objective = read_objective(learner["objective"], n_outputs)
    made = nodes.raw_trees(columns).to_trees(n_outputs, n_parallel)
    if len(weights):
        made = replace(made, weight=weights[order]).weighted()
    return ForeignModel(
        recipe="xgboost",
        columns=columns,
        trees=with_mean_values(made),
        objective=objective,
        start_scores=start_scores(objective, settings["base_score"], n_outputs),
    )


def _order(groups: Integers, n_groups: int, n_parallel: int) -> Integers:
    """Return the trees in ceiba's order: by round, then parallel tree, then output."""
    if len(groups) and not 0 <= groups.min() <= groups.max() < n_groups:
        raise damaged("a tree belongs to an output that it does not have")
    counts = np.bincount(groups, minlength=n_groups)
    if (counts != counts[0]).any() or counts[0] % n_parallel:
        raise damaged("its outputs have different numbers of trees")
    by_group = np.argsort(groups, kind="stable").reshape(n_groups, -1, n_parallel)
    return np.ascontiguousarray(by_group.transpose(1, 2, 0)).ravel()


# ---- nodes -----------------------------------------------------------------------------------


@dataclass(eq=False, kw_only=True)
class _Nodes:
    """The nodes of all trees, tree after tree."""

    first: Integers
    left: Integers
    right: Integers
    feature: Integers
    threshold: Floats
    default_left: NDArray[np.bool_]
    value: Floats
    gain: Floats
    cover: Floats
    #: Category codes of each set, and the set of each node, -1 for none.
    sets: list[Integers]
    set_of_node: Integers

    @classmethod
    def of(cls, trees: Sequence[Mapping[str, Any]], width: int) -> _Nodes:
        n_nodes = [len(tree["left_children"]) for tree in trees]
        first = joined_offsets(n_nodes)
        sets: list[Integers] = []
        joined: dict[str, list[Any]] = {}
        for tree, begin, size in zip(trees, first.tolist(), n_nodes, strict=False):
            parts = _read_tree(tree, begin, size, width)
            parts["set_of_node"] = _read_sets(tree, size, sets)
            for name, own in parts.items():
                joined.setdefault(name, []).append(own)
        if not trees:
            no_nodes: dict[str, list[int]] = {"left_children": [], "right_children": []}
            joined = {name: [own] for name, own in _read_tree(no_nodes, 0, 0, width).items()}
            joined["set_of_node"] = [np.zeros(0, dtype=np.int64)]
        arrays = {name: np.concatenate(own) for name, own in joined.items()}
        return cls(first=first[:-1], sets=sets, **arrays)

    def codes_in_sets(self) -> dict[int, Integers]:
        """Return the category codes in the sets of each column."""
        found: dict[int, list[Integers]] = {}
        for node in np.flatnonzero(self.set_of_node >= 0).tolist():
            found.setdefault(int(self.feature[node]), []).append(self.sets[self.set_of_node[node]])
        return {j: np.unique(np.concatenate(own)) for j, own in found.items()}

    def raw_trees(self, columns: Columns) -> RawTrees:
        """Return the nodes with ceiba's rules."""
        is_split = self.left >= 0
        by_set = self.set_of_node >= 0
        never_left = is_split & ~by_set & np.isneginf(self.threshold)
        exchanged = by_set | never_left
        threshold = largest_below(self.threshold)
        threshold[never_left] = np.inf
        sets = list(self.sets)
        numbers_of = {j: category_numbers(columns, j) for j in columns.levels}
        for node in np.flatnonzero(by_set).tolist():
            number = int(self.set_of_node[node])
            sets[number] = numbers_of[int(self.feature[node])](self.sets[number])
        return RawTrees(
            roots=self.first,
            left=np.where(exchanged, self.right, self.left),
            right=np.where(exchanged, self.left, self.right),
            feature=self.feature,
            threshold=threshold,
            missing_left=self.default_left ^ exchanged,
            value=self.value,
            gain=self.gain,
            cover=self.cover,
            count=self.cover,  # the file has no row counts; XGBoost explains with hessians
            sets=sets_of_levels(self.set_of_node, sets),
        )


def _read_tree(
    tree: Mapping[str, Any], begin: int, size: int, width: int
) -> dict[str, NDArray[Any]]:
    """Return the arrays of a tree that starts at node ``begin``."""
    left = _of_size(integers(tree["left_children"]), size)
    right = _of_size(integers(tree["right_children"]), size)
    is_split = left >= 0
    if ((left >= size) | (is_split & ((right < 0) | (right >= size)))).any():
        raise damaged("a node has a child out of range")
    threshold = _of_size(numbers(tree.get("split_conditions", ())), size)
    if width == 1:
        value = threshold[:, None]
    elif len(tree.get("leaf_weights", ())):
        leaves = numbers(tree["leaf_weights"]).reshape(-1, width)
        leaf = np.where(is_split, 0, right)
        if len(leaves) < size - is_split.sum() or ((leaf < 0) | (leaf >= len(leaves))).any():
            raise damaged("a leaf has no values")
        value = leaves[leaf]
    else:
        value = numbers(tree.get("base_weights", ())).reshape(size, width)
    return {
        "left": np.where(is_split, begin + left, -1),
        "right": np.where(is_split, begin + right, -1),
        "feature": _of_size(integers(tree.get("split_indices", ())), size),
        "threshold": np.where(is_split, threshold, 0.0),
        "default_left": _of_size(integers(tree.get("default_left", ())), size) > 0,
        "value": np.where(is_split[:, None], 0.0, value),
        "gain": _of_size(numbers(tree.get("loss_changes", ())), size),
        "cover": _of_size(numbers(tree.get("sum_hessian", ())), size),
    }


def _read_sets(tree: Mapping[str, Any], size: int, sets: list[Integers]) -> Integers:
    """Append the category sets of a tree; return the set of each node, -1 for none."""
    set_of_node = np.full(size, -1, dtype=np.int64)
    nodes = integers(tree.get("categories_nodes", ()))
    if not len(nodes):
        return set_of_node
    begins = _of_size(integers(tree["categories_segments"]), len(nodes))
    sizes = _of_size(integers(tree["categories_sizes"]), len(nodes))
    codes = integers(tree["categories"])
    outside = (begins < 0) | (sizes < 0) | (begins + sizes > len(codes))
    if outside.any() or ((nodes < 0) | (nodes >= size)).any() or sizes.sum() > len(codes):
        raise damaged("its category sets do not fit its categories")
    for node, first, length in zip(nodes.tolist(), begins.tolist(), sizes.tolist(), strict=True):
        set_of_node[node] = len(sets)
        sets.append(np.unique(codes[first : first + length]))
    return set_of_node


def numbers(values: Any) -> Floats:
    """Return a list of numbers, as XGBoost reads it: in 32 bits."""
    with np.errstate(over="ignore"):
        found: Floats = np.asarray(values, dtype=np.float32).astype(np.float64)
    if found.ndim != 1:
        raise damaged("a list holds other values than numbers")
    return found


def integers(values: Any) -> Integers:
    """Return a list of integers."""
    found = np.asarray(values, dtype=np.int64)
    if found.ndim != 1:
        raise damaged("a list holds other values than integers")
    return found


def _of_size(values: NDArray[Any], size: int) -> NDArray[Any]:
    if len(values) != size:
        raise damaged(f"a list has {len(values)} entries and needs {size}")
    return values

"""Trees as operators of ONNX.

- :func:`ensemble` adds TreeEnsemble (ai.onnx.ml 5): thresholds of 64 or 32 bits, category sets. A
  leaf has one target, so trees with vector leaves are repeated for each output.
- :func:`single_ensemble` adds the attributes of TreeEnsembleRegressor and TreeEnsembleClassifier
  (ai.onnx.ml 3), which all runtimes have: 32-bit numbers, several targets per leaf, no sets.
- :func:`linear_scores` finds the leaf of each row in each tree by TreeEnsemble, gathers the terms
  of the leaves from tables, and sums them in 64 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.export.described import Described
from ceiba.export.onnx_builder import ML, Graph
from ceiba.export.onnx_inputs import TreeColumns
from ceiba.export.probe import round_down
from ceiba.model.trees import Trees

__all__ = ["centered", "ensemble", "linear_scores", "single_ensemble"]

Floats = NDArray[np.float64]

_LEQ, _MEMBER = 0, 6
_SUM = 1


def centered(trees: Trees) -> tuple[Floats, Floats]:
    """Return leaf values around 0 in each tree, and the sum of what was subtracted.

    Sums of 32-bit numbers then lose no digits to a large common part.
    """
    leaves, tree = ~trees.is_split, trees.tree_of_node
    low = np.full((trees.n_trees, trees.leaf_width), np.inf)
    high = -low
    np.minimum.at(low, tree[leaves], trees.value[leaves])
    np.maximum.at(high, tree[leaves], trees.value[leaves])
    middle = low / 2 + high / 2
    values = np.where(leaves[:, None], trees.value - middle[tree], 0.0)
    if trees.leaf_width > 1:
        return values, middle.sum(axis=0)
    per_output = [middle[k :: trees.n_outputs].sum() for k in range(trees.n_outputs)]
    return values, np.array(per_output)


# ---- ai.onnx.ml 5 -------------------------------------------------------------------------------


def ensemble(graph: Graph, x: TreeColumns, trees: Trees, values: Floats, dtype: str) -> str:
    """Add the sum of all trees: scores [N, n_outputs] of type ``dtype``."""
    if trees.leaf_width == 1:
        targets = np.arange(trees.n_trees) % trees.n_outputs
        return _ensemble(graph, x, trees, [(values[:, 0], targets)], trees.n_outputs, dtype)
    copies = [(values[:, k], np.full(trees.n_trees, k)) for k in range(trees.leaf_width)]
    return _ensemble(graph, x, trees, copies, trees.n_outputs, dtype)


def _ensemble(
    graph: Graph,
    x: TreeColumns,
    trees: Trees,
    copies: list[tuple[Floats, NDArray[np.int64]]],
    n_targets: int,
    dtype: str,
) -> str:
    """Add TreeEnsemble with copies of the trees: (value of every node, target of every tree)."""
    split, tree = trees.is_split, trees.tree_of_node
    splits, left, right = trees.children()
    roots = trees.offsets[:-1]
    inner = _depth_first(trees)
    number = np.full(trees.n_nodes, -1)
    number[inner] = np.arange(len(inner))
    leaf = np.cumsum(~split) - 1
    is_leaf = ~split
    child = np.tile(np.arange(trees.n_nodes), (2, 1))  # of a lone leaf: itself
    child[:, splits] = left, right
    child = child[:, inner]
    child_number = np.where(is_leaf[child], leaf[child], number[child])
    thresholds = np.where(split, trees.threshold, 0.0)[inner]
    by_set = trees.split_by_set[inner]
    if trees.sets is not None:  # onnxruntime refuses empty sets; no level is at or below 0
        empty = np.diff(trees.sets.offsets)[trees.sets.set_of_node[inner]] == 0
        thresholds[by_set & empty] = 0.0
        by_set &= ~empty
    n_leaves, n_inner = int(is_leaf.sum()), len(inner)
    repeat = range(len(copies))
    shifts = [np.where(is_leaf[child], k * n_leaves, k * n_inner) for k in repeat]
    ids = np.concatenate([child_number + shift for shift in shifts], axis=1)
    flags = np.tile(is_leaf[child], len(copies)).astype(np.int64)
    columns = np.where(split, x.place[trees.feature], 0)[inner]
    weights = np.concatenate([values[is_leaf] for values, _ in copies])
    targets = np.concatenate([own[tree[is_leaf]] for _, own in copies])
    cut = round_down(thresholds) if dtype == "float32" else thresholds
    attributes: dict[str, Any] = {
        "n_targets": n_targets,
        "aggregate_function": _SUM,
        "post_transform": 0,
        "tree_roots": np.concatenate([number[roots] + k * n_inner for k in repeat]).tolist(),
        "nodes_featureids": np.tile(columns, len(copies)).tolist(),
        "nodes_splits": graph.tensor(np.tile(cut, len(copies)).astype(dtype)),
        "nodes_modes": graph.tensor(
            np.tile(np.where(by_set, _MEMBER, _LEQ), len(copies)).astype(np.uint8)
        ),
        "nodes_truenodeids": ids[0].tolist(),
        "nodes_falsenodeids": ids[1].tolist(),
        "nodes_trueleafs": flags[0].tolist(),
        "nodes_falseleafs": flags[1].tolist(),
        "nodes_missing_value_tracks_true": np.tile((trees.missing_left & split)[inner], len(copies))
        .astype(np.int64)
        .tolist(),
        "leaf_targetids": targets.tolist(),
        "leaf_weights": graph.tensor(weights.astype(dtype)),
    }
    if by_set.any():
        assert trees.sets is not None
        levels = trees.sets.levels
        numbers = [np.add(own, 1.0) for own in levels]  # categories are counted from 1
        own = [[*numbers[k], np.nan] for k in trees.sets.set_of_node[inner[by_set]].tolist()]
        members = np.concatenate(own * len(copies)).astype(dtype)
        attributes["membership_values"] = graph.tensor(members)
    return graph.add("TreeEnsemble", x.tensor, domain=ML, **attributes)


def _depth_first(trees: Trees) -> NDArray[np.int64]:
    """Return all splits, and the leaves of trees of one leaf, each before its left subtree.

    Some runtimes read category sets in this order, others in that of the nodes.
    """
    first = trees.offsets[:-1].tolist()
    left, right, order = trees.left.tolist(), trees.right.tolist(), []
    for root in first:
        if left[root] < 0:  # both sides of the "split" are this leaf
            order.append(root)
            continue
        open_nodes = [root]
        while open_nodes:
            node = open_nodes.pop()
            if left[node] >= 0:
                order.append(node)
                open_nodes += [root + right[node], root + left[node]]
    return np.array(order, dtype=np.int64)


# ---- ai.onnx.ml 3 -------------------------------------------------------------------------------


def single_ensemble(x: TreeColumns, trees: Trees, values: Floats, prefix: str) -> dict[str, Any]:
    """Return attributes of 32-bit trees; ``prefix`` is "target", or "class" of a classifier."""
    split, tree = trees.is_split, trees.tree_of_node
    node = np.arange(trees.n_nodes) - trees.offsets[tree]
    width = trees.leaf_width
    leaves = np.flatnonzero(~split)
    if width > 1:
        outputs = np.tile(np.arange(width), len(leaves))
    else:
        outputs = tree[leaves] % trees.n_outputs
    of_leaf = np.repeat(leaves, width)
    return {
        "nodes_treeids": tree.tolist(),
        "nodes_nodeids": node.tolist(),
        "nodes_featureids": np.where(split, x.place[trees.feature], 0).tolist(),
        "nodes_values": round_down(np.where(split, trees.threshold, 0.0)).tolist(),
        "nodes_modes": np.where(split, "BRANCH_LEQ", "LEAF").tolist(),
        "nodes_truenodeids": np.where(split, trees.left, 0).tolist(),
        "nodes_falsenodeids": np.where(split, trees.right, 0).tolist(),
        "nodes_missing_value_tracks_true": (trees.missing_left & split).astype(int).tolist(),
        f"{prefix}_treeids": tree[of_leaf].tolist(),
        f"{prefix}_nodeids": node[of_leaf].tolist(),
        f"{prefix}_ids": outputs.tolist(),
        f"{prefix}_weights": values[leaves].ravel().astype(np.float32).tolist(),
    }


# ---- linear leaves ------------------------------------------------------------------------------


def linear_scores(graph: Graph, model: Described, x: TreeColumns) -> str:
    """Add the sum of trees with linear leaves: scores [N, n_outputs] of type float64.

    Needs memory for rows × trees × terms of the longest leaf.
    """
    trees, linear = model.trees, model.trees.linear
    assert linear is not None
    n_trees, width, n_outputs = trees.n_trees, trees.leaf_width, model.n_outputs
    leaves = np.flatnonzero(~trees.is_split)
    number = np.zeros(trees.n_nodes)
    number[leaves] = np.arange(len(leaves))
    found = _ensemble(graph, x, trees, [(number, np.arange(n_trees))], n_trees, "float64")
    leaf = graph.cast(found, "int64")  # [N, n_trees]
    counts = linear.n_terms[leaves]
    most = max(1, int(counts.max(initial=0)))
    place = np.arange(most)[None, :] < counts[:, None]
    term = (linear.offsets[leaves][:, None] + np.arange(most))[place]

    def table(values: NDArray[Any], other: float, dtype: str) -> str:
        padded = np.full((len(leaves), most, *values.shape[1:]), other)
        padded[place] = values[term]
        return graph.add("Gather", graph.constant(padded, dtype), leaf, axis=0)

    # The value of each term's column: [N, n_trees * most], then [N, n_trees, most].
    columns = table(x.place[linear.feature], 0.0, "int64")
    flat = graph.add("Reshape", columns, graph.constant([0, n_trees * most], "int64"))
    value = graph.add("GatherElements", x.tensor, flat, axis=1)
    value = graph.add("Reshape", value, graph.constant([0, n_trees, most], "int64"))
    if not linear.extrapolates:
        value = graph.add("Max", value, table(linear.low, 0.0, "float64"))
        value = graph.add("Min", value, table(linear.high, 0.0, "float64"))
    away = graph.add("Sub", value, table(linear.mean, 0.0, "float64"))
    infinite = graph.add("Or", graph.add("IsNaN", away), graph.add("IsInf", away))
    zero = graph.constant(0.0, "float64")
    away = graph.add("Where", infinite, zero, away)
    values = graph.constant(trees.value[leaves], "float64")
    if width > 1:  # [N, n_trees, most, 1] times [N, n_trees, most, width]
        away = graph.add("Unsqueeze", away, graph.constant([3], "int64"))
        products = graph.add("Mul", away, table(linear.slope, 0.0, "float64"))
        axes = graph.constant([2], "int64")
        lines = graph.add("ReduceSum", products, axes, keepdims=0)  # [N, n_trees, width]
        total = graph.add("Add", lines, graph.add("Gather", values, leaf, axis=0))
        return graph.add("ReduceSum", total, graph.constant([1], "int64"), keepdims=0)
    products = graph.add("Mul", away, table(linear.slope[:, 0], 0.0, "float64"))
    lines = graph.add("ReduceSum", products, graph.constant([2], "int64"), keepdims=0)
    constants = graph.add("Gather", graph.constant(trees.value[leaves, 0], "float64"), leaf, axis=0)
    total = graph.add("Add", lines, constants)  # [N, n_trees]; tree t adds to output t % n_outputs
    shape = graph.constant([0, n_trees // n_outputs, n_outputs], "int64")
    by_output = graph.add("Reshape", total, shape)
    return graph.add("ReduceSum", by_output, graph.constant([1], "int64"), keepdims=0)

"""One tree of a model, with the predictions of its nodes.

A node predicts what a model of this tree alone predicts: the start score and the value of the
node, on the scale of ``predict``. So the trees of a forest are not divided by their number, and
trees of DART count what they count in the whole model. Rules in text and plots of trees read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError
from ceiba.model.nodes import node_columns
from ceiba.parameters.constraints import Integer, check_value

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["TreeNodes", "read_tree"]

Floats = NDArray[np.float64]
#: Differences this small, compared with the largest value of the tree, are rounding errors.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """The nodes of one tree, parents before their children.

    Attributes
    ----------
    tree : int
        Number of the tree in the model.
    output : int or None
        The output that the tree adds to; None if its leaves add to all outputs.
    column : array of int
        The column that a node splits, of those that trees read; -1 for leaves.
    threshold, left, right, missing_left, count, depth : arrays
        As the forest holds them; left and right are -1 for leaves.
    levels : array of tuple or None
        Levels that go left, where a split is by levels.
    raw : array of shape (n_nodes, n_outputs)
        Raw scores of a model of this tree alone.
    prediction : array of shape (n_nodes,) or (n_nodes, n_outputs)
        The same as predictions; probabilities of two classes have two columns.
    lines : array of tuple or None
        Terms (column, slope, mean, low, high) of linear leaves.
    """

    tree: int
    output: int | None
    column: NDArray[np.int64]
    threshold: Floats
    levels: NDArray[Any]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    missing_left: NDArray[np.bool_]
    count: Floats
    depth: NDArray[np.int64]
    raw: Floats
    prediction: Floats
    lines: NDArray[Any]

    def __len__(self) -> int:
        return len(self.column)

    def leaves_below(self) -> NDArray[np.int64]:
        """Return the number of leaves below each node, 1 for a leaf."""
        n_leaves = np.ones(len(self), dtype=np.int64)
        for i in range(len(self) - 1, -1, -1):
            if self.left[i] >= 0:
                n_leaves[i] = n_leaves[self.left[i]] + n_leaves[self.right[i]]
        return n_leaves

    def depth_below(self, node: int) -> int:
        """Return how many splits lie one below the other from a node on."""
        deepest, branch = 0, [(node, 0)]
        while branch:
            own, depth = branch.pop()
            deepest = max(deepest, depth)
            if self.left[own] >= 0:
                branch += [(int(self.left[own]), depth + 1), (int(self.right[own]), depth + 1)]
        return deepest


def read_tree(model: Model, tree: int) -> TreeNodes:
    """Return the nodes of one tree of a model."""
    if not model.n_trees:
        raise InvalidInputError("The model has no trees.")
    number = check_value("tree", Integer(0, model.n_trees - 1), tree, "The model has no more.")
    per_round = model.forest.trees_per_iteration
    iteration = number // per_round
    whole = model.weighted_forest(None, max(0, model.n_iterations - 1))
    forest = whole.slice(iteration, iteration + 1)
    arrays = forest.arrays()
    columns = node_columns(forest, model.schema)
    own = np.flatnonzero(columns["tree"] == number % per_round)
    rows = {name: values[own] for name, values in columns.items()}
    raw, output = _raw(model, rows, forest.leaf_width)
    none = np.full(len(own), None, dtype=object)
    return TreeNodes(
        tree=number,
        output=output,
        column=arrays["feature"][own].astype(np.int64),
        threshold=rows["threshold"],
        levels=rows.get("levels", none),
        left=rows["left"].astype(np.int64),
        right=rows["right"].astype(np.int64),
        missing_left=rows["missing"] == "left",
        count=rows["count"].astype(np.float64),
        depth=rows["depth"],
        raw=raw,
        prediction=_predicted(model, raw, iteration, output),
        lines=rows.get("line", none),
    )


def _raw(model: Model, rows: dict[str, Any], leaf_width: int) -> tuple[Floats, int | None]:
    n_outputs = len(model.start_scores)
    raw = np.tile(model.start_scores, (len(rows["node"]), 1))
    if leaf_width > 1:
        raw += np.column_stack([rows[f"value_{k}"] for k in range(n_outputs)])
        return raw, None
    output = int(rows["output"][0])
    raw[:, output] += rows["value"]
    return raw, output if n_outputs > 1 else None


def _predicted(model: Model, raw: Floats, iteration: int, output: int | None) -> Floats:
    if model.objective.name == "gini" and output is not None:
        # The trees of a round have a share of one class each; one of them is not to be normalized.
        shares: Floats = np.clip(raw, 0.0, 1.0) + 0.0
        return shares
    prediction = model.objective.predict(model.correction.after(iteration + 1).applied(raw))
    if model.objective.task == "binary" and prediction.ndim == 1:
        prediction = np.column_stack([1.0 - prediction, prediction])
    scale = max(float(np.abs(prediction).max(initial=0.0)), float(np.abs(raw).max(initial=0.0)))
    rounded: Floats = np.where(np.abs(prediction) <= _ROUNDING * scale, 0.0, prediction)
    return rounded

"""One tree of a model with the predictions of its nodes, for tree text and tree plots.

A node predicts what a model of this tree alone would predict: the start score plus the value of
the node, on the scale of ``predict``. Trees of a forest are therefore not divided by their number.
Trees of DART have the weight that they have in the whole model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError
from ceiba.model.nodes import levels_at, terms_of_nodes
from ceiba.model.trees import Trees
from ceiba.parameters.constraints import Integer, check_value

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["TreeNodes", "read_tree"]

Floats = NDArray[np.float64]
#: Differences up to this share of the largest value of the tree are rounding errors.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """The nodes of one tree.

    Attributes
    ----------
    tree : int
        Number of the tree in the model.
    output : int or None
        The output that the tree adds to; None if its leaves add to all outputs.
    nodes : Trees
        The arrays of this tree, with its weight multiplied in.
    levels : array of tuple or None
        Categories that go left; None for nodes without a category set.
    terms : array of tuple or None
        Terms (column, slope, mean, low, high) of linear leaves.
    depth : array of int
        Number of splits above each node.
    raw : array of shape (n_nodes, n_outputs)
        Raw scores of a model of this tree alone.
    prediction : array of shape (n_nodes,) or (n_nodes, n_outputs)
        The same as predictions; the probabilities of two classes have two columns.
    """

    tree: int
    output: int | None
    nodes: Trees
    levels: NDArray[Any]
    terms: NDArray[Any]
    depth: NDArray[np.int64]
    raw: Floats
    prediction: Floats

    def leaves_below(self) -> NDArray[np.int64]:
        """Return the number of leaves below each node, 1 for a leaf."""
        n_leaves = np.ones(self.nodes.n_nodes, dtype=np.int64)
        splits, left, right = self.nodes.children()
        for i, *children in zip(splits[::-1], left[::-1], right[::-1], strict=True):
            n_leaves[i] = n_leaves[children].sum()
        return n_leaves

    def depth_below(self, node: int) -> int:
        """Return the depth of the branch that starts at a node, 0 for a leaf."""
        left, right = self.nodes.left.tolist(), self.nodes.right.tolist()
        deepest, branch = 0, [(node, 0)]
        while branch:
            own, depth = branch.pop()
            deepest = max(deepest, depth)
            if left[own] >= 0:
                branch += [(left[own], depth + 1), (right[own], depth + 1)]
        return deepest


def read_tree(model: Model, tree: int) -> TreeNodes:
    """Return the nodes of one tree of a model."""
    if not model.n_trees:
        raise InvalidInputError("The model has no trees.")
    number = check_value("tree", Integer(0, model.n_trees - 1), tree, "The model has no more.")
    # A mean over one iteration leaves its trees undivided.
    trees = model.trees(begin=max(0, model.n_iterations - 1))
    nodes = trees.one(number).weighted()
    output = trees.output_of(number)
    raw = np.tile(model.start_scores, (nodes.n_nodes, 1))
    if output is None:
        raw += nodes.value
    else:
        raw[:, output] += nodes.value[:, 0]
    output = output if model.n_outputs > 1 else None
    none = np.full(nodes.n_nodes, None, dtype=object)
    return TreeNodes(
        tree=number,
        output=output,
        nodes=nodes,
        levels=levels_at(nodes, model.schema.engine),
        terms=none if nodes.linear is None else terms_of_nodes(nodes.linear, model.schema),
        depth=nodes.depths(),
        raw=raw,
        prediction=_predicted(model, raw, number // trees.trees_per_iteration, output),
    )


def _predicted(model: Model, raw: Floats, iteration: int, output: int | None) -> Floats:
    if model.objective.link.name == "shares" and output is not None:
        # One tree of a round has the share of one class: there is no sum to divide it by.
        shares: Floats = np.clip(raw, 0.0, 1.0) + 0.0
        return shares
    prediction = model.objective.predict(model.correction.after(iteration + 1).applied(raw))
    if model.objective.task == "binary" and prediction.ndim == 1:
        prediction = np.column_stack([1.0 - prediction, prediction])
    scale = max(float(np.abs(prediction).max(initial=0.0)), float(np.abs(raw).max(initial=0.0)))
    rounded: Floats = np.where(np.abs(prediction) <= _ROUNDING * scale, 0.0, prediction)
    return rounded

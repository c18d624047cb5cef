"""Trees in the order of a walk: children are neighbors, and a leaf is its own child.

The C and Python exports share this layout. A walk takes steps of
``node = left[node] + goes_right`` until the node no longer changes::

    tree 0:  root | left right | left right | …     breadth first
    leaf:    left = itself, threshold = inf, missing_right = 0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ceiba.model.trees import Trees

__all__ = ["Layout", "lay_out"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Nodes of all trees in the order of a walk.

    ``node`` is the number of each node in ``Trees``. ``left`` counts over all trees. The right
    child follows the left one.
    """

    roots: Integers
    node: Integers
    left: Integers


def lay_out(trees: Trees) -> Layout:
    """Return the layout of trees."""
    nodes: list[int] = []
    left: list[int] = []
    roots: list[int] = []
    for tree in range(trees.n_trees):
        own = trees.nodes_of(tree)
        first, base = len(nodes), own.start
        lefts, rights = trees.left[own].tolist(), trees.right[own].tolist()
        queue = [0]
        for place, node in enumerate(queue):  # grows while it is read
            nodes.append(base + node)
            if lefts[node] < 0:
                left.append(first + place)
            else:
                left.append(first + len(queue))
                queue += [lefts[node], rights[node]]
        roots.append(first)
    return Layout(*(np.array(own, dtype=np.int64) for own in (roots, nodes, left)))

"""Typed view of the trees of a forest: plain numpy arrays with one entry per node.

Open this file to write anything that reads or makes trees: exporters, importers, plots, rules.
No other module names the arrays of the C++ core (``tools/check_tree_arrays.py``).

Layout: nodes are stored tree after tree, and parents before their children. ``left`` and
``right`` are node numbers within the tree; node 0 is the root::

    offsets     0          5           12       first node of each tree, and the end
    feature     3  1 -1 -1 -1 | 0 ...           column that the node splits by, -1 for a leaf
    left        1  3 -1 -1 -1 | 1 ...           child nodes, -1 for a leaf
    value       leaf_width numbers per node     what a leaf adds to the raw scores

How a row finds its leaf: a missing value goes left where ``missing_left`` is true. Any other
value x goes left if ``x <= threshold`` (float64), or, at a node with a category set, if the level
number x is in the set. Unseen levels are in no set.

How a raw score is made: start score, plus over all trees ``weight[tree]`` times what the leaf
adds. A leaf adds ``value``, and with linear leaves also ``slope * (x - mean)`` for each of its
terms, where x is clipped to [low, high] unless ``linear.extrapolates``; a missing x adds 0. With
``leaf_width == 1`` tree t adds to output ``t % n_outputs``, otherwise to all outputs.
``Objective.link`` turns raw scores into predictions; the start scores are in ``Model``.

Sketches of exporters. All begin with ``trees = model.trees().weighted()``:

- ONNX (TreeEnsemble): ``BRANCH_LEQ`` with ``threshold``, ``missing_left`` as
  ``missing_value_tracks_true``; category sets as ``BRANCH_MEMBER``; children plus ``offsets``;
  ``link`` names the post transform.
- LightGBM text: one block per ``trees.one(t)``. Splits become internal nodes and leaves
  ``~number``; ``decision_type`` is made of ``missing_left`` (missing kind NaN) and
  ``split_by_set``; the words of a set become 32-bit words. Linear leaves have the constant
  ``value - sum(slope * mean)``, which is possible only where ``linear.extrapolates``.
- C and Python: the arrays as constants and the two rules above as code.

Importers are in ``imports/``: they make ``RawTrees``, which become ``Trees``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.model.tree_parts import (
    CategorySets,
    LinearLeaves,
    one_dimensional,
    two_dimensional,
)

__all__ = ["CategorySets", "LinearLeaves", "Trees"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Trees:
    """Trees as arrays. The module docstring has the layout and the rules of prediction.

    Attributes
    ----------
    n_outputs : int
        Raw scores per row.
    n_parallel : int, default=1
        Trees per iteration and output (or per iteration, if leaves add to all outputs).
    offsets : array of int64, shape (n_trees + 1,)
        First node of each tree, and the number of nodes.
    feature, left, right : arrays of int32, shape (n_nodes,)
        Column of a split and its children, -1 for leaves.
    threshold : array of float64, shape (n_nodes,)
        0 for leaves and for nodes with a category set.
    missing_left : array of bool, shape (n_nodes,)
        Default direction.
    value : array of float64, shape (n_nodes, leaf_width)
        What a leaf adds; at a split what the node would add as a leaf.
    gain, cover, count : arrays of float64, shape (n_nodes,)
        Gain of a split; sum of hessians and number of training rows of a node.
    weight : array of float64, shape (n_trees,), or None
        Factor of each tree; None for 1.
    sets : CategorySets or None
        None if all splits are by thresholds.
    linear : LinearLeaves or None
        None if all leaves are constants.
    """

    n_outputs: int
    offsets: Integers
    feature: NDArray[np.int32]
    threshold: Floats
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    missing_left: Flags
    value: Floats
    gain: Floats
    cover: Floats
    count: Floats
    n_parallel: int = 1
    weight: Floats | None = None
    sets: CategorySets | None = None
    linear: LinearLeaves | None = None

    # ---- to and from the C++ core ----------------------------------------------------------------

    @classmethod
    def of(cls, source: _core.Forest | _core.GrownTrees, weight: Floats | None = None) -> Trees:
        """Return the trees of a forest (read-only views), or of a round that was just grown."""
        arrays = source.arrays()
        value = two_dimensional(arrays["value"])
        return cls(
            # The trees of a grown round add to every output once.
            n_outputs=getattr(source, "n_outputs", source.n_trees * value.shape[1]),
            n_parallel=getattr(source, "n_parallel", 1),
            offsets=arrays["tree_offsets"],
            missing_left=arrays["missing_left"].view(np.bool_),
            value=value,
            weight=weight,
            sets=CategorySets.from_arrays(arrays),
            linear=LinearLeaves.from_arrays(arrays),
            **{name: arrays[name] for name in _PER_NODE},
        )

    def to_forest(self, n_features: int) -> _core.Forest:
        """Return a forest of these trees, without their weights.

        Raises
        ------
        ModelFileError
            If the arrays do not describe trees of ``n_features`` columns.
        """
        arrays: dict[str, NDArray[Any]] = {
            "tree_offsets": self.offsets,
            "missing_left": self.missing_left.view(np.uint8),
            "value": one_dimensional(self.value),
            **{name: getattr(self, name) for name in _PER_NODE},
        }
        if self.n_parallel > 1:
            arrays["n_parallel"] = np.array([self.n_parallel], dtype=np.int32)
        if self.sets is not None:
            arrays |= self.sets.to_arrays()
        if self.linear is not None:
            arrays |= self.linear.to_arrays()
        own = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        return _core.Forest(n_features, self.n_outputs, own)

    # ---- sizes -----------------------------------------------------------------------------------

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.offsets) - 1

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all trees."""
        return len(self.feature)

    @property
    def leaf_width(self) -> int:
        """Outputs that a leaf adds to: 1, or all."""
        return int(self.value.shape[1])

    @property
    def trees_per_iteration(self) -> int:
        """Number of trees of one iteration."""
        return self.n_outputs // self.leaf_width * self.n_parallel

    def output_of(self, tree: int) -> int | None:
        """Return the output that a tree adds to; None if it adds to several."""
        return tree % self.n_outputs if self.leaf_width == 1 else None

    # ---- nodes -----------------------------------------------------------------------------------

    @property
    def is_split(self) -> Flags:
        """Whether a node is a split, and not a leaf."""
        return self.feature >= 0

    @property
    def split_by_set(self) -> Flags:
        """Whether a node splits by a set of categories."""
        if self.sets is None:
            return np.zeros(self.n_nodes, dtype=np.bool_)
        return self.sets.set_of_node >= 0

    @property
    def tree_of_node(self) -> Integers:
        """The tree that a node belongs to."""
        return np.repeat(np.arange(self.n_trees), np.diff(self.offsets))

    def nodes_of(self, tree: int) -> slice:
        """Return the nodes of a tree."""
        return slice(int(self.offsets[tree]), int(self.offsets[tree + 1]))

    def levels_at(self, node: int) -> list[int] | None:
        """Return the numbers of the categories that go left; None at a threshold or a leaf."""
        return None if self.sets is None else self.sets.levels_at(node)

    def features_read(self) -> list[int]:
        """Return the columns that splits or linear leaves read."""
        regressors = [] if self.linear is None else self.linear.feature.tolist()
        return sorted({*self.feature[self.is_split].tolist(), *regressors})

    def children(self) -> tuple[Integers, Integers, Integers]:
        """Return all splits, and their left and right children, as positions in the arrays."""
        splits = np.flatnonzero(self.is_split)
        first = self.offsets[self.tree_of_node[splits]]
        return splits, first + self.left[splits], first + self.right[splits]

    def parents(self) -> Integers:
        """Return the position of the parent of each node, -1 for roots."""
        parent = np.full(self.n_nodes, -1, dtype=np.int64)
        splits, left, right = self.children()
        parent[left] = parent[right] = splits
        return parent

    def depths(self) -> Integers:
        """Return the number of splits above each node."""
        depth, first = np.zeros(self.n_nodes, dtype=np.int64), self.offsets[self.tree_of_node]
        level = self.offsets[:-1]
        for number in range(self.n_nodes):
            depth[level] = number
            splits = level[self.feature[level] >= 0]
            if not len(splits):
                break
            children = np.concatenate([self.left[splits], self.right[splits]])
            level = np.tile(first[splits], 2) + children
        return depth

    # ---- other trees -----------------------------------------------------------------------------

    def weighted(self) -> Trees:
        """Return the same trees with their weights multiplied into values and slopes."""
        if self.weight is None:
            return self
        of_node = np.repeat(self.weight, np.diff(self.offsets))
        with np.errstate(over="ignore"):  # the core refuses values that are not finite
            linear = None if self.linear is None else self.linear.scaled(of_node)
            value = self.value * of_node[:, None]
        return replace(self, value=value, linear=linear, weight=None)

    def one(self, tree: int) -> Trees:
        """Return a view of one tree; its outputs are those that its leaves add to."""
        own = self.nodes_of(tree)
        return Trees(
            n_outputs=self.leaf_width,
            offsets=np.array([0, own.stop - own.start]),
            missing_left=self.missing_left[own],
            value=self.value[own],
            weight=None if self.weight is None else self.weight[tree : tree + 1],
            sets=None if self.sets is None else self.sets.of_nodes(own),
            linear=None if self.linear is None else self.linear.of_nodes(own),
            **{name: getattr(self, name)[own] for name in _PER_NODE},
        )

    def take(self, trees: Sequence[int] | Integers, n_parallel: int = 1) -> Trees:
        """Return some of the trees, in any order and any number of times."""
        trees = np.asarray(trees, dtype=np.int64)
        sizes = np.diff(self.offsets)[trees]
        offsets = np.cumsum([0, *sizes], dtype=np.int64)
        nodes = np.arange(offsets[-1]) + np.repeat(self.offsets[trees] - offsets[:-1], sizes)
        return Trees(
            n_outputs=self.n_outputs,
            n_parallel=n_parallel,
            offsets=offsets,
            missing_left=self.missing_left[nodes],
            value=self.value[nodes],
            weight=None if self.weight is None else self.weight[trees],
            sets=None if self.sets is None else self.sets.take(nodes),
            linear=None if self.linear is None else self.linear.take(nodes),
            **{name: getattr(self, name)[nodes] for name in _PER_NODE},
        )

    @classmethod
    def joined(cls, pieces: Sequence[Trees], n_outputs: int, n_parallel: int = 1) -> Trees:
        """Return the trees of all pieces, in their order, with their weights multiplied in."""
        pieces = [piece.weighted() for piece in pieces]
        begins = np.cumsum([0, *(piece.n_nodes for piece in pieces)])
        offsets = [piece.offsets[:-1] + at for piece, at in zip(pieces, begins, strict=False)]
        sizes = [piece.n_nodes for piece in pieces]
        return cls(
            n_outputs=n_outputs,
            n_parallel=n_parallel,
            offsets=np.concatenate([*offsets, begins[-1:]]),
            missing_left=np.concatenate([piece.missing_left for piece in pieces]),
            value=np.concatenate([piece.value for piece in pieces]),
            sets=CategorySets.joined([piece.sets for piece in pieces], sizes),
            linear=LinearLeaves.joined([piece.linear for piece in pieces], sizes),
            **{
                name: np.concatenate([getattr(piece, name) for piece in pieces])
                for name in _PER_NODE
            },
        )


#: Attributes with one number per node that have the name of their array in the core.
_PER_NODE = ("feature", "threshold", "left", "right", "gain", "cover", "count")

"""Trees of another library as flat arrays, in any order, and their conversion to ``Trees``.

The life of :class:`RawTrees`:

1. An importer concatenates the nodes of all trees. Children are positions in these arrays, in any
   order; nodes that no tree reaches are allowed.
2. :meth:`RawTrees.to_trees` numbers the nodes anew, parents before children. It raises
   ModelFileError for children out of range, cycles and nodes with two parents.
3. The C++ core checks everything else when a forest is made of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import ModelFileError
from ceiba.model.trees import CategorySets, LinearLeaves, Trees

__all__ = ["RawTrees", "damaged", "joined_offsets", "sets_of_levels", "with_mean_values"]

#: Words of all category sets together: half a GiB. Real models have a hundredth of it.
_MOST_SET_WORDS = 2**26

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def damaged(what: str) -> ModelFileError:
    """Return the error for a file that contradicts itself."""
    return ModelFileError(f"The model file is damaged: {what}. Load another copy of the model.")


@dataclass(frozen=True, eq=False, kw_only=True)
class RawTrees:
    """Nodes of trees in any order. The attributes mean what they mean in ``Trees``.

    Attributes
    ----------
    roots : array of int64, shape (n_trees,)
        Position of each root.
    left, right : array of int64, shape (n_nodes,)
        Positions of the children; -1 at leaves.
    sets : CategorySets or None
    linear : LinearLeaves or None
    """

    roots: Integers
    left: Integers
    right: Integers
    feature: Integers
    threshold: Floats
    missing_left: NDArray[np.bool_]
    value: Floats
    gain: Floats
    cover: Floats
    count: Floats
    sets: CategorySets | None = None
    linear: LinearLeaves | None = None

    def to_trees(self, n_outputs: int, n_parallel: int = 1) -> Trees:
        """Return the trees, in the order of their roots."""
        nodes, tree = self._breadth_first()
        sizes = np.bincount(tree, minlength=len(self.roots))
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        place = np.full(len(self.left), -1, dtype=np.int64)
        place[nodes] = np.arange(len(nodes)) - offsets[tree]
        is_split = self.left[nodes] >= 0
        left, right = (
            np.where(is_split, place[own[nodes]], -1).astype(np.int32)
            for own in (self.left, self.right)
        )
        sets = None if self.sets is None else self.sets.take(nodes)
        by_set = np.zeros(len(nodes), dtype=bool) if sets is None else sets.set_of_node >= 0
        feature = self.feature[nodes]
        if len(feature) and int(feature.max()) > np.iinfo(np.int32).max:
            raise damaged("a split reads a column that it does not have")
        return Trees(
            n_outputs=n_outputs,
            n_parallel=n_parallel,
            offsets=offsets,
            feature=np.where(is_split, feature, -1).astype(np.int32),
            threshold=np.where(is_split & ~by_set, self.threshold[nodes], 0.0),
            left=left,
            right=right,
            missing_left=self.missing_left[nodes] & is_split,
            value=self.value[nodes],
            gain=np.where(is_split, self.gain[nodes], 0.0),
            cover=self.cover[nodes],
            count=self.count[nodes],
            sets=None if sets is None or not by_set.any() else sets,
            linear=None if self.linear is None else self.linear.take(nodes),
        )

    def _breadth_first(self) -> tuple[Integers, Integers]:
        """Return the nodes that trees reach, tree after tree and level by level, and their tree."""
        n_nodes = len(self.left)
        seen = np.full(n_nodes, -1, dtype=np.int64)
        level, tree = self.roots, np.arange(len(self.roots))
        levels, trees, n_seen = [], [], 0
        while len(level):
            if level.min() < 0 or level.max() >= n_nodes:
                raise damaged("a node has a child out of range")
            numbers = n_seen + np.arange(len(level))
            is_new = (seen[level] < 0).all()
            seen[level] = numbers
            if not is_new or (seen[level] != numbers).any():
                raise damaged("a node is reached twice")
            n_seen += len(level)
            levels.append(level)
            trees.append(tree)
            is_split = self.left[level] >= 0
            splits = level[is_split]
            level = np.column_stack([self.left[splits], self.right[splits]]).ravel()
            tree = np.repeat(tree[is_split], 2)
        if not levels:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        nodes, of_node = np.concatenate(levels), np.concatenate(trees)
        order = np.argsort(of_node, kind="stable")
        return nodes[order], of_node[order]


def with_mean_values(trees: Trees) -> Trees:
    """Return the trees with the mean of the leaves below as the value of each split.

    For files that do not have these values. Plots and texts of trees show them.
    """
    depth = trees.depths()
    splits, left, right = trees.children()
    order = np.argsort(-depth[splits], kind="stable")
    starts = np.flatnonzero(np.diff(depth[splits][order], prepend=-1))
    value = trees.value.copy()
    for own in np.split(order, starts[1:]):
        a, b = left[own], right[own]
        weights = np.column_stack([trees.count[a], trees.count[b]])
        with np.errstate(all="ignore"):
            share = weights[:, 0] / weights.sum(axis=1)
        share = np.where(np.isfinite(share) & (share >= 0.0) & (share <= 1.0), share, 0.5)[:, None]
        with np.errstate(all="ignore"):
            value[splits[own]] = share * value[a] + (1.0 - share) * value[b]
    return replace(trees, value=value)


def sets_of_levels(
    set_of_node: NDArray[Any], levels: Sequence[NDArray[np.int64]]
) -> CategorySets | None:
    """Return category sets from the level numbers of each set; None without sets."""
    if not levels:
        return None
    if sum(int(own.max(initial=-1)) // 64 + 1 for own in levels) > _MOST_SET_WORDS:
        raise damaged("its category sets are too large")
    made = CategorySets.from_levels([own.tolist() for own in levels])
    return replace(made, set_of_node=set_of_node.astype(np.int32))


def joined_offsets(sizes: Sequence[int]) -> Integers:
    """Return the first position of each piece of these sizes, and the end."""
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64))]).astype(np.int64)

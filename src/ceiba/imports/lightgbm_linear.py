"""Linear leaves of LightGBM files (``linear_tree=true``).

A leaf predicts ``leaf_const + sum(coefficient * x)``, and the constant ``leaf_value`` if any of its
regressors is missing. In ceiba a leaf adds ``value + sum(slope * (x - mean))`` and a missing x adds
0. So:

- A leaf with one regressor has the mean at which its line predicts ``leaf_value``, if that is a
  value of the column.
- Other leaves get splits above them that test each regressor for missing values. Their missing side
  is a constant leaf, which no training row reached.

A file does not contain the means of regressors, which explanations need. They are estimated: the
middle of the column's range, moved so that the line predicts ``leaf_value`` there, as a fit does
at the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.imports.raw_trees import RawTrees, damaged, joined_offsets
from ceiba.model.trees import LinearLeaves

if TYPE_CHECKING:
    from ceiba.imports.lightgbm_file import LightgbmText

__all__ = ["with_linear_leaves"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Ranges wider than this count as this wide, so that their squares are finite.
_WIDEST = 1e100


@dataclass(frozen=True, eq=False)
class _Leaf:
    """A linear leaf: columns in increasing order, their coefficients and estimated means."""

    node: int
    columns: Integers
    slope: Floats
    mean: Floats
    constant: float
    #: What it predicts if a regressor is missing.
    fallback: float

    @property
    def value(self) -> float:
        """What it predicts at the means."""
        return self.constant + float(self.slope @ self.mean)


def with_linear_leaves(raw: RawTrees, source: LightgbmText, first_leaf: Integers) -> RawTrees:
    """Return the trees with the linear leaves of the file."""
    low, high = _ranges(source.header["feature_infos"].split(" "))
    leaves = [
        leaf
        for first, tree in zip(first_leaf.tolist(), source.trees, strict=True)
        if tree.get("is_linear", "0").strip() == "1"
        for leaf in _leaves_of(tree, first, raw.value[:, 0], low, high)
    ]
    grown, linear_nodes = _with_missing_tests(raw, leaves)
    order = np.argsort(linear_nodes, kind="stable")
    of_nodes = [leaves[i] for i in order.tolist()]
    sizes = np.zeros(len(grown.left), dtype=np.int64)
    sizes[linear_nodes] = [len(leaf.columns) for leaf in leaves]
    columns = np.concatenate([np.zeros(0, np.int64), *(leaf.columns for leaf in of_nodes)])
    mean = np.concatenate([np.zeros(0), *(leaf.mean for leaf in of_nodes)])
    slope = np.concatenate([np.zeros(0), *(leaf.slope for leaf in of_nodes)])
    if not len(columns):
        return grown
    linear = LinearLeaves(
        offsets=joined_offsets(sizes.tolist()),
        feature=columns.astype(np.int32),
        slope=slope[:, None],
        mean=mean,
        low=np.minimum(low[columns], mean),
        high=np.maximum(high[columns], mean),
        extrapolates=True,
    )
    return replace(grown, linear=linear)


def _ranges(infos: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the smallest and largest value of each column; 0 if the file has none."""
    bounds = []
    for info in infos:
        low, _, high = info[1:-1].partition(":") if info.startswith("[") else ("0", "", "0")
        bounds.append((float(low), float(high)))
    lows, highs = np.array(bounds, dtype=np.float64).reshape(-1, 2).T
    if not (np.isfinite(lows) & np.isfinite(highs) & (lows <= highs)).all():
        raise damaged("the range of a column is not finite")
    return lows, highs


def _leaves_of(
    tree: Mapping[str, str], first: int, values: Floats, low: Floats, high: Floats
) -> list[_Leaf]:
    constants = list(map(float, tree["leaf_const"].split()))
    sizes = list(map(int, tree["num_features"].split()))
    columns = np.array(list(map(int, tree["leaf_features"].split())), dtype=np.int64)
    slopes = np.array(list(map(float, tree["leaf_coeff"].split())), dtype=np.float64)
    if not len(constants) == len(sizes) == int(tree["num_leaves"]) or min(sizes) < 0:
        raise damaged("a tree has another number of linear leaves than of leaves")
    if not sum(sizes) == len(columns) == len(slopes):
        raise damaged("the linear leaves of a tree have other terms than they count")
    if len(columns) and not (columns.min() >= 0 and columns.max() < len(low)):
        raise damaged("a linear leaf reads a column that it does not have")
    if not (np.isfinite(slopes).all() and np.isfinite(constants).all()):
        raise damaged("a linear leaf has a number that is not finite")
    ends = joined_offsets(sizes).tolist()
    found = []
    for leaf, constant in enumerate(constants):
        own = slice(ends[leaf], ends[leaf + 1])
        order = np.argsort(columns[own], kind="stable")
        read, slope = columns[own][order], slopes[own][order]
        fallback = float(values[first + leaf])
        mean = _means(slope, low[read], high[read], fallback - constant)
        found.append(_Leaf(first + leaf, read, slope, mean, constant, fallback))
    return found


def _means(slope: Floats, low: Floats, high: Floats, wanted: float) -> Floats:
    """Return values within the ranges, with ``slope @ means == wanted`` if there are any nearby."""
    middle = low / 2.0 + high / 2.0
    with np.errstate(all="ignore"):
        if len(slope) == 1:
            means = wanted / slope
        else:
            direction = slope * np.minimum(high - low, _WIDEST) ** 2
            means = middle + direction * ((wanted - slope @ middle) / (slope @ direction))
    return means if ((low <= means) & (means <= high)).all() else middle


def _with_missing_tests(raw: RawTrees, leaves: Sequence[_Leaf]) -> tuple[RawTrees, Integers]:
    """Return trees with the tests for missing regressors, and the node of each linear leaf."""
    tested = [len(leaf.columns) > 1 or _misses_fallback(leaf) for leaf in leaves]
    n_tests = sum(len(leaf.columns) for leaf, test in zip(leaves, tested, strict=True) if test)
    grown = _enlarged(raw, 2 * n_tests)
    nodes, at = [], len(raw.left)
    for leaf, test in zip(leaves, tested, strict=True):
        node = leaf.node
        for column in leaf.columns.tolist() if test else ():
            known, missing = at, at + 1
            at += 2
            grown.feature[node], grown.threshold[node] = column, np.inf
            grown.left[node], grown.right[node] = known, missing
            grown.missing_left[node] = False
            grown.value[missing] = leaf.fallback
            for numbers in (grown.count, grown.cover):
                numbers[known], numbers[missing] = numbers[node], 0.0
            node = known
        grown.value[node] = leaf.value if len(leaf.columns) else leaf.constant
        nodes.append(node)
    return grown, np.array(nodes, dtype=np.int64)


def _misses_fallback(leaf: _Leaf) -> bool:
    """Whether a leaf with one regressor does not predict its fallback at the mean."""
    size = abs(leaf.constant) + abs(leaf.fallback)
    return len(leaf.columns) == 1 and abs(leaf.value - leaf.fallback) > 1e-15 * size


def _enlarged(raw: RawTrees, n_new: int) -> RawTrees:
    """Return a copy with more nodes: leaves that no tree reaches yet."""
    fill = {"left": -1, "right": -1}
    names = ("left", "right", "feature", "threshold", "missing_left", "value")
    grown: dict[str, Any] = {}
    for name in (*names, "gain", "cover", "count"):
        own = getattr(raw, name)
        new = np.full((n_new, *own.shape[1:]), fill.get(name, 0), dtype=own.dtype)
        grown[name] = np.concatenate([own, new])
    sets = raw.sets
    if sets is not None:
        more = np.full(n_new, -1, dtype=np.int32)
        sets = replace(sets, set_of_node=np.concatenate([sets.set_of_node, more]))
    return replace(raw, sets=sets, **grown)

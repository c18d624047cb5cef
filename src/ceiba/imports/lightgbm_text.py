"""Read LightGBM's text files, of versions 2 to 4 (``Booster.save_model``, ``model_to_string``).

A file has a header of ``key=value`` lines, a block of such lines for each tree, the parameters of
the training, and the categories of the pandas table.

How the rules differ from ceiba's:

- A missing value at a node of missing kind "none" is read as 0: its direction follows from the
  threshold. Kind "zero" reads 0 as missing: the schema has 0 as its missing value.
- The first tree includes the start score. So the start scores are 0, and the learning rate of the
  first round, which a refit uses, is that tree's own shrinkage of 1.
- A linear leaf with a missing regressor predicts a constant; see ``lightgbm_linear.py``.

``lightgbm_columns.py`` finds the categories, ``lightgbm_objectives.py`` the objective.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.imports.foreign_model import Columns, ForeignModel
from ceiba.imports.lightgbm_columns import MOST_CODES, read_columns, sets_of_thresholds
from ceiba.imports.lightgbm_file import LightgbmText
from ceiba.imports.lightgbm_linear import with_linear_leaves
from ceiba.imports.lightgbm_objectives import read_objective
from ceiba.imports.raw_trees import RawTrees, damaged, joined_offsets, sets_of_levels

__all__ = ["read_lightgbm"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Kinds of missing values, bits 2 and 3 of a decision type.
_ZERO, _NAN = 1, 2
_WORD_BITS = 32

#: Parameters of a training, by their names in the file.
_PARAMETERS = {
    "lambda_l1": "reg_alpha",
    "lambda_l2": "reg_lambda",
    "min_data_in_leaf": "min_samples_leaf",
    "min_sum_hessian_in_leaf": "min_child_weight",
    "min_gain_to_split": "min_split_gain",
    "num_leaves": "max_leaves",
    "max_bin": "max_bins",
}
_WHOLE = frozenset({"min_samples_leaf", "max_leaves", "max_bins"})


def read_lightgbm(text: str, classes: NDArray[Any] | None = None) -> ForeignModel:
    """Read the text of a LightGBM model."""
    source = LightgbmText.parse(text)
    header = source.header
    n_outputs = int(header["num_tree_per_iteration"])
    if not 1 <= n_outputs <= max(1, len(source.trees)):
        raise damaged(f"an iteration has {n_outputs} trees, but the file has {len(source.trees)}")
    nodes = _Nodes.of(source.trees)
    columns = read_columns(source, nodes.codes_in_sets())
    _check_missing_kinds(nodes, columns)
    raw = _raw_trees(nodes, columns)
    if nodes.is_linear:
        raw = with_linear_leaves(raw, source, nodes.first_leaf)
    objective, scale = read_objective(source, n_outputs)
    if scale != 1.0:
        linear = None if raw.linear is None else raw.linear.scaled(np.full(len(raw.left), scale))
        raw = replace(raw, value=raw.value * scale, linear=linear)
    return ForeignModel(
        recipe="lightgbm",
        columns=columns,
        trees=raw.to_trees(n_outputs),
        objective=objective,
        start_scores=np.zeros(n_outputs),
        parameters=_parameters(source, n_outputs),
        classes=classes,
        averages="average_output" in header,
    )


def _parameters(source: LightgbmText, n_outputs: int) -> dict[str, Any]:
    """Return the known parameters; the learning rate is the shrinkage of each round."""
    found: dict[str, Any] = {}
    for name, own in _PARAMETERS.items():
        if name in source.parameters:
            value = float(source.parameters[name])
            found[own] = int(value) if own in _WHOLE and abs(value) < 2**31 else value
    found["learning_rate"] = [
        float(tree.get("shrinkage", 1.0)) for tree in source.trees[::n_outputs]
    ]
    return found


# ---- nodes -----------------------------------------------------------------------------------


@dataclass(eq=False)
class _Nodes:
    """Splits and leaves of all trees: the splits of a tree, then its leaves, then the next tree."""

    first: Integers  # position of the root of each tree
    first_leaf: Integers  # position of leaf 0 of each tree
    left: Integers
    right: Integers
    feature: Integers
    threshold: Floats
    decision: Integers
    value: Floats
    gain: Floats
    cover: Floats
    count: Floats
    #: Category codes of each set, and the set of each node, -1 for none.
    sets: list[Integers]
    set_of_node: Integers
    is_linear: bool

    @property
    def by_category(self) -> NDArray[np.bool_]:
        return self.set_of_node >= 0

    def codes_in_sets(self) -> dict[int, Integers]:
        """Return the category codes in the sets of each column."""
        found: dict[int, list[Integers]] = {}
        for node in np.flatnonzero(self.by_category).tolist():
            found.setdefault(int(self.feature[node]), []).append(self.sets[self.set_of_node[node]])
        return {j: np.unique(np.concatenate(own)) for j, own in found.items()}

    @classmethod
    def of(cls, trees: list[Mapping[str, str]]) -> _Nodes:
        parsed = [_Tree(tree) for tree in trees]
        first = joined_offsets([tree.n_splits + tree.n_leaves for tree in parsed])[:-1]
        splits = np.array([tree.n_splits for tree in parsed], dtype=np.int64)
        first_leaf = first + splits
        sets: list[Integers] = []
        set_of_node = []
        n_codes = 0
        for tree in parsed:
            of_splits = tree.sets()
            n_codes += sum(map(len, of_splits.values()))
            if n_codes > MOST_CODES:
                raise damaged("its category sets are too large")
            numbers = np.full(tree.n_splits + tree.n_leaves, -1, dtype=np.int64)
            for split, codes in of_splits.items():
                numbers[split] = len(sets)
                sets.append(codes)
            set_of_node.append(numbers)
        pairs = list(zip(parsed, first.tolist(), first_leaf.tolist(), strict=True))
        joined = {
            name: np.concatenate([np.zeros(0), *(getattr(tree, name) for tree in parsed)])
            for name in ("threshold", "value", "gain", "cover", "count")
        }
        whole = [np.zeros(0, dtype=np.int64)]
        return cls(
            first=first,
            first_leaf=first_leaf,
            left=np.concatenate([*whole, *(t.children("left_child", a, b) for t, a, b in pairs)]),
            right=np.concatenate([*whole, *(t.children("right_child", a, b) for t, a, b in pairs)]),
            feature=np.concatenate([*whole, *(tree.feature for tree in parsed)]),
            decision=np.concatenate([*whole, *(tree.decision for tree in parsed)]),
            set_of_node=np.concatenate([*whole, *set_of_node]),
            sets=sets,
            is_linear=any(tree.get("is_linear", "0").strip() == "1" for tree in trees),
            **joined,
        )


class _Tree:
    """One tree. Arrays hold the splits first, then the leaves."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given
        leaf_value = floats(given["leaf_value"])
        self.n_leaves = len(leaf_value)
        self.n_splits = self.n_leaves - 1
        if int(given["num_leaves"]) != self.n_leaves or self.n_leaves < 1:
            raise damaged("a tree has another number of leaf values than of leaves")
        no_leaves = np.zeros(self.n_leaves)
        whole = no_leaves.astype(np.int64)
        self.feature = np.concatenate([self._whole("split_feature"), whole])
        self.decision = np.concatenate([self._whole("decision_type"), whole])
        self.threshold = np.concatenate([self._floats("threshold", self.n_splits), no_leaves])
        self.value = np.concatenate([self._inner("internal_value"), leaf_value])
        self.gain = np.concatenate([self._inner("split_gain"), no_leaves])
        count = np.concatenate([self._inner("internal_count"), self._of_leaves("leaf_count")])
        weight = np.concatenate([self._inner("internal_weight"), self._of_leaves("leaf_weight")])
        self.count = count
        self.cover = weight if weight.any() else count  # versions 2 and 3 may lack weights

    def children(self, name: str, first: int, first_leaf: int) -> Integers:
        """Return the positions of the children: ``~leaf`` for a leaf, else a split."""
        own = self._whole(name)
        if ((own >= self.n_splits) | (own < -self.n_leaves)).any():
            raise damaged("a node has a child out of range")
        places = np.where(own < 0, first_leaf + ~own, first + own)
        return np.concatenate([places, np.full(self.n_leaves, -1)])

    def sets(self) -> dict[int, Integers]:
        """Return the category codes of each split by category."""
        splits = np.flatnonzero(self.decision[: self.n_splits] & 1)
        if not len(splits):
            return {}
        bounds = integers(self.given["cat_boundaries"])
        words = integers(self.given["cat_threshold"])
        if ((words < 0) | (words >= 2**_WORD_BITS)).any():
            raise damaged("a category set has a word out of range")
        numbers = self.threshold[splits]
        if not ((numbers >= 0) & (numbers < len(bounds) - 1)).all():
            raise damaged("a split has a category set out of range")
        if (np.diff(bounds) < 0).any() or bounds[0] != 0 or bounds[-1] != len(words):
            raise damaged("the bounds of its category sets do not fit their words")
        bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")
        found = {}
        for split, number in zip(splits.tolist(), numbers.astype(np.int64).tolist(), strict=True):
            begin, end = _WORD_BITS * bounds[number : number + 2]
            found[split] = np.flatnonzero(bits[begin:end])
        return found

    def _whole(self, name: str) -> Integers:
        found: Integers = _of_length(integers(self.given.get(name, "")), self.n_splits, name)
        return found

    def _floats(self, name: str, length: int) -> Floats:
        found: Floats = _of_length(floats(self.given.get(name, "")), length, name)
        return found

    def _inner(self, name: str) -> Floats:
        """Return numbers of the splits, zeros where the file has none."""
        return (
            self._floats(name, self.n_splits) if self.given.get(name) else np.zeros(self.n_splits)
        )

    def _of_leaves(self, name: str) -> Floats:
        return (
            self._floats(name, self.n_leaves) if self.given.get(name) else np.zeros(self.n_leaves)
        )


def floats(text: str) -> Floats:
    """Return the numbers of a line."""
    return np.array(list(map(float, text.split())), dtype=np.float64)


def integers(text: str) -> Integers:
    """Return the integers of a line."""
    return np.array(list(map(int, text.split())), dtype=np.int64)


def _of_length(values: Any, length: int, name: str) -> Any:
    if len(values) != length:
        raise damaged(f"a tree has {len(values)} numbers of {name} and needs {length}")
    return values


# ---- rules -----------------------------------------------------------------------------------


def _check_missing_kinds(nodes: _Nodes, columns: Columns) -> None:
    """Set 0 as the missing value if nodes treat zeros as missing; raise where that is ambiguous."""
    is_split = nodes.left >= 0
    numeric = is_split & ~nodes.by_category
    kinds = nodes.decision[numeric] >> 2
    if ((kinds < 0) | (kinds > _NAN)).any() or (nodes.decision[is_split] < 0).any():
        raise damaged("a split has an unknown kind of missing values")
    if not (kinds == _ZERO).any():
        return
    if (kinds == _NAN).any() or any(0 in own for own in columns.levels.values()):
        raise damaged(
            "zero is missing in some of its columns and a value in others. ceiba has one rule for "
            "all columns; train with the same use_missing and zero_as_missing for all columns"
        )
    columns.missing = 0.0


def _raw_trees(nodes: _Nodes, columns: Columns) -> RawTrees:
    is_none = (nodes.decision >> 2) == 0
    missing_left = np.where(is_none, nodes.threshold >= 0.0, (nodes.decision & 2) > 0)
    missing_left &= ~nodes.by_category  # missing and unknown categories go right
    if nodes.feature.size and nodes.feature.min() < 0:
        raise damaged("a split reads a column that it does not have")
    set_of_node, sets = nodes.set_of_node, nodes.sets
    if columns.levels:
        set_of_node, sets = sets_of_thresholds(
            columns, set_of_node, sets, nodes.feature, nodes.threshold, nodes.left >= 0
        )
    return RawTrees(
        roots=nodes.first,
        left=nodes.left,
        right=nodes.right,
        feature=nodes.feature,
        threshold=nodes.threshold,
        missing_left=missing_left,
        value=nodes.value[:, None],
        gain=nodes.gain,
        cover=nodes.cover,
        count=nodes.count,
        sets=sets_of_levels(set_of_node, sets),
    )

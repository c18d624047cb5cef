"""Trees in the form of LightGBM's text files.

Differences from ceiba, and how they are expressed:

- A leaf adds to one output: a tree with vector leaves becomes one tree per output.
- Categories that are not in a set go right, missing ones included. Where missing values go left,
  the children change places and the set becomes its complement.
- A split by a looked-up number, such as a target mean, becomes a split by the set of the
  categories whose number is at most the threshold. A split by a threshold of inf, above it, tells
  missing from unseen categories.
- A leaf is linear in its columns and constant if one of them is missing: a leaf with several terms
  becomes several trees of one term each. Clipping becomes two splits below the leaf.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import ExportError
from ceiba.export.described import Described, Lookup
from ceiba.messages import listed
from ceiba.model.trees import Trees

__all__ = ["TextTree", "text_trees"]

Floats = NDArray[np.float64]

_CATEGORY, _MISSING_LEFT = 1, 2
#: Kinds of missing values, in bits 2 and 3 of a decision type.
_ZERO, _NAN = 1 << 2, 2 << 2


@dataclass(slots=True)
class TextTree:
    """Lists of a tree block. Children at or above 0 are splits, ``~leaf`` is a leaf."""

    column: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    decision: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    gain: list[float] = field(default_factory=list)
    split_value: list[float] = field(default_factory=list)
    split_cover: list[float] = field(default_factory=list)
    split_count: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    cover: list[float] = field(default_factory=list)
    count: list[float] = field(default_factory=list)
    #: 32-bit words of the category sets, and the first word of each set.
    words: list[int] = field(default_factory=list)
    boundaries: list[int] = field(default_factory=lambda: [0])
    #: Column and slope of each leaf, None for a constant; and the value at x = 0.
    slope: list[tuple[int, float] | None] = field(default_factory=list)
    constant: list[float] = field(default_factory=list)

    @property
    def is_linear(self) -> bool:
        """Whether any leaf has a slope."""
        return any(one is not None for one in self.slope)

    def add_leaf(self, value: float, cover: float, count: float) -> int:
        """Add a constant leaf; return its number as a child."""
        for values, own in (
            (self.value, value), (self.cover, cover), (self.count, count), (self.constant, value)
        ):  # fmt: skip
            values.append(own)
        self.slope.append(None)
        return ~(len(self.value) - 1)

    def add_split(self, column: int, threshold: float, decision: int) -> int:
        """Add a split without children; return its number."""
        self.column.append(column)
        self.threshold.append(threshold)
        self.decision.append(decision)
        for values in (self.gain, self.split_value, self.split_cover, self.split_count):
            values.append(0.0)
        self.left.append(0)
        self.right.append(0)
        return len(self.column) - 1


def text_trees(model: Described) -> list[TextTree]:
    """Return the trees, one iteration after another; the first ones include the start scores."""
    trees = model.trees
    n_outputs, width = model.n_outputs, trees.leaf_width
    source = _Splits(model)
    per_output: list[list[TextTree]] = [[] for _ in range(n_outputs)]
    for tree in range(trees.n_trees):
        for k in range(width):
            output = k if width > 1 else tree % n_outputs
            own = per_output[output]
            own += _pieces(source, tree, k)
    start = model.start + model.shift
    for output, own in enumerate(per_output):
        if not own:
            own.append(TextTree())
            own[0].add_leaf(0.0, 0.0, 0.0)
        own[0].value = [value + float(start[output]) for value in own[0].value]
        own[0].constant = [value + float(start[output]) for value in own[0].constant]
    most = max(map(len, per_output))
    for own in per_output:  # every iteration has a tree for each output
        while len(own) < most:
            own.append(TextTree())
            own[-1].add_leaf(0.0, 0.0, 0.0)
    return [own[i] for i in range(most) for own in per_output]


@dataclass(frozen=True, slots=True)
class _Split:
    """A split of LightGBM: by a threshold, or by the categories that go left.

    ``missing_left`` and ``unseen_left`` say where other categories go.
    """

    column: int
    threshold: float
    levels: frozenset[int] | None
    missing_left: bool
    unseen_left: bool


class _Splits:
    """Splits of a model by columns of the table."""

    def __init__(self, model: Described) -> None:
        self.model, self.trees = model, model.trees
        self.encoded: dict[int, tuple[Lookup, Floats]] = {}
        place = len(model.kept)
        for own in model.lookups:
            for values in own.values:
                self.encoded[place] = (own, values)
                place += 1

    def at(self, node: int) -> _Split:
        """Return the split of a node."""
        column, trees = int(self.trees.feature[node]), self.trees
        threshold, missing_left = float(trees.threshold[node]), bool(trees.missing_left[node])
        if column in self.encoded:
            return self._encoded(threshold, *self.encoded[column])
        levels = trees.levels_at(node)
        own = None if levels is None else frozenset(levels)
        return _Split(self.model.kept[column], threshold, own, missing_left, missing_left)

    def _encoded(self, threshold: float, own: Lookup, values: Floats) -> _Split:
        """Return the split by the categories whose number is at most the threshold."""
        if len(own.sources) > 1:
            names = [self.model.columns[j].name for j in own.sources]
            raise ExportError(
                "LightGBM has no splits by combinations of categories. The model reads the "
                f"combination of {listed(names)}. Use another format, or train with "
                "max_combination=1."
            )
        column = own.sources[0]
        n_levels = len(self.model.columns[column].levels)
        goes_left = np.full(n_levels + 1, values[-1] <= threshold)
        goes_left[own.keys.astype(np.int64)] = values[:-1] <= threshold
        levels = frozenset(np.flatnonzero(goes_left[:-1]).tolist())
        unseen_left = bool(values[-1] <= threshold)
        return _Split(column, threshold, levels, bool(goes_left[-1]), unseen_left)

    def add(self, text: TextTree, split: _Split) -> tuple[int, bool]:
        """Add a split; return its number, and whether its children change places."""
        if split.levels is None:
            kind = _NAN if self.model.missing is None else _ZERO
            decision = kind | (_MISSING_LEFT if split.missing_left else 0)
            return text.add_split(split.column, split.threshold, decision), False
        left = set(split.levels)
        if split.unseen_left:
            left = set(range(len(self.model.columns[split.column].levels))) - left
        number = text.add_split(split.column, float(len(text.boundaries) - 1), _CATEGORY)
        words = [0] * (max(left, default=0) // 32 + 1)
        for level in left:
            words[level // 32] |= 1 << level % 32
        text.words += words
        text.boundaries.append(len(text.words))
        return number, split.unseen_left


def _pieces(source: _Splits, tree: int, k: int) -> Iterator[TextTree]:
    """Yield the trees that together add what one tree adds to output k of its leaves."""
    nodes = source.trees.nodes_of(tree)
    linear = source.trees.linear
    n_terms = 0 if linear is None else int(linear.n_terms[nodes].max(initial=0))
    for piece in range(max(1, n_terms)):
        yield _piece(source, nodes, k, piece)


def _piece(source: _Splits, nodes: slice, k: int, piece: int) -> TextTree:
    """Return a tree with the values of its leaves and their terms number ``piece``.

    Where missing and unseen categories go to different sides, a split by "is missing" stands above
    the split by categories. Below it the column is known to be missing, or known not to be.
    """
    trees, text = source.trees, TextTree()
    known: dict[int, bool] = {}
    # Nodes to add: number, columns known to be missing or not, and the parent's list of children.
    open_nodes: list[tuple[int, dict[int, bool], tuple[list[int], int] | None]] = [
        (nodes.start, known, None)
    ]
    while open_nodes:
        node, known, place = open_nodes.pop()
        if trees.feature[node] < 0:
            number = _leaf(source.model, trees, text, node, k, piece)
        else:
            split = source.at(node)
            left, right = (nodes.start + int(side[node]) for side in (trees.left, trees.right))
            if known.get(split.column) is True:
                open_nodes.append((left if split.missing_left else right, known, place))
                continue
            apart = split.missing_left != split.unseen_left
            if apart and split.column not in known:
                number = text.add_split(split.column, np.inf, _NAN)
                below = [
                    (node, {**known, split.column: is_missing}) for is_missing in (False, True)
                ]
            else:
                number, swapped = source.add(text, split)
                below = [(right if swapped else left, known), (left if swapped else right, known)]
            _describe(text, number, trees, node, k)
            (first, known_left), (second, known_right) = below
            open_nodes.append((second, known_right, (text.right, number)))
            open_nodes.append((first, known_left, (text.left, number)))
        if place is not None:
            place[0][place[1]] = number
    if text.is_linear and not text.column:
        _split_alone(text)
    return text


def _split_alone(text: TextTree) -> None:
    """Split a lone linear leaf by "is missing": lightgbm cannot load linear trees of one leaf."""
    column, _ = text.slope[0] or (0, 0.0)
    number = text.add_split(column, np.inf, _NAN)
    text.left[number] = ~0
    text.right[number] = text.add_leaf(text.value[0], 0.0, 0.0)


def _describe(text: TextTree, number: int, trees: Trees, node: int, k: int) -> None:
    """Copy the statistics of a node to a split."""
    text.gain[number] = float(trees.gain[node])
    text.split_value[number] = float(trees.value[node, k])
    text.split_cover[number] = float(trees.cover[node])
    text.split_count[number] = float(trees.count[node])


def _leaf(model: Described, trees: Trees, text: TextTree, node: int, k: int, piece: int) -> int:
    """Add a leaf with its term number ``piece``; return it as a child."""
    value = float(trees.value[node, k]) if piece == 0 else 0.0
    cover, count = float(trees.cover[node]), float(trees.count[node])
    linear = trees.linear
    terms = slice(0, 0) if linear is None else linear.terms_at(node)
    if linear is None or piece >= terms.stop - terms.start:
        return text.add_leaf(value, cover, count)
    t = terms.start + piece
    place = int(linear.feature[t])
    if place >= len(model.kept) or model.missing is not None:
        raise ExportError(
            "LightGBM's linear leaves read numbers of the table, and only NaN is missing. This "
            "model reads categories in linear leaves, or has missing=0. Use "
            "another format, train with leaf_model='constant', or leave categories out of "
            "linear_features."
        )
    column, slope, mean = model.kept[place], float(linear.slope[t, k]), float(linear.mean[t])
    leaf = text.add_leaf(value, cover, count)
    text.slope[~leaf] = (column, slope)
    text.constant[~leaf] = value - slope * mean
    if linear.extrapolates:
        return leaf
    low, high = float(linear.low[t]), float(linear.high[t])
    above = text.add_split(column, high, _NAN | _MISSING_LEFT)
    below = text.add_split(column, low, _NAN)
    text.left[above] = leaf
    text.right[above] = text.add_leaf(value + slope * (high - mean), 0.0, 0.0)
    text.left[below] = text.add_leaf(value + slope * (low - mean), 0.0, 0.0)
    text.right[below] = above
    for split in (below, above):
        text.split_value[split], text.split_count[split] = value, count
        text.split_cover[split] = cover
    return below

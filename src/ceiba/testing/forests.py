"""Random forests as plain arrays, and a slow predictor that tests compare the fast one with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.schema import Schema
from ceiba.model.model import Model
from ceiba.objectives import find_objective

Arrays = dict[str, NDArray[Any]]
Kind = Literal["general", "symmetric", "chain", "mixed"]

#: dtype of each forest array, including those of category sets and linear leaves.
DTYPES: dict[str, str] = _core.tree_array_types()
SET_DTYPES: dict[str, str] = _core.tree_array_types("sets")
LINEAR_DTYPES: dict[str, str] = _core.tree_array_types("linear")


class _Tree:
    """Nodes of one growing tree: lists with one entry per node."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.nodes: list[list[float]] = []
        self.add_leaf()

    def add_leaf(self) -> int:
        self.nodes.append([-1, 0.0, -1, -1, 0, float(self.random.normal())])
        return len(self.nodes) - 1

    def split(self, node: int, feature: int, threshold: float, missing_left: bool) -> None:
        left, right = self.add_leaf(), self.add_leaf()
        self.nodes[node][:5] = [feature, threshold, left, right, int(missing_left)]


def _random_threshold(random: np.random.Generator, palette: NDArray[np.float64] | None) -> float:
    if random.random() < 0.02:
        return float(random.choice([np.inf, -np.inf, 0.0, -0.0]))
    return float(random.normal() if palette is None else random.choice(palette))


def _grow(
    random: np.random.Generator,
    kind: Kind,
    n_features: int,
    n_leaves: int,
    palette: NDArray[np.float64] | None,
) -> _Tree:
    tree = _Tree(random)
    leaves = [0]
    if n_features == 0:
        return tree
    if kind == "symmetric":
        for _ in range(max(0, n_leaves.bit_length() - 1)):
            feature, missing_left = int(random.integers(n_features)), bool(random.integers(2))
            threshold = _random_threshold(random, palette)
            for node in leaves:
                tree.split(node, feature, threshold, missing_left)
            leaves = [child for node in leaves for child in map(int, tree.nodes[node][2:4])]
        return tree
    while len(leaves) < n_leaves:
        place = len(leaves) - 1 if kind == "chain" else int(random.integers(len(leaves)))
        node = leaves.pop(place)
        feature, missing_left = int(random.integers(n_features)), bool(random.integers(2))
        tree.split(node, feature, _random_threshold(random, palette), missing_left)
        leaves += [int(child) for child in tree.nodes[node][2:4]]
    return tree


def random_forest(
    seed: int,
    *,
    kind: Kind = "general",
    n_trees: int = 10,
    n_features: int = 5,
    n_leaves: int = 31,
    n_thresholds: int | None = None,
    leaf_width: int = 1,
) -> Arrays:
    """Return the arrays of a random forest.

    ``mixed`` draws the kind and the number of leaves (from 1) of each tree. ``n_thresholds`` limits
    the number of distinct thresholds, like bins do. ``leaf_width`` is the number of outputs of a
    leaf.
    """
    random = np.random.default_rng(seed)
    palette = None if n_thresholds is None else random.normal(size=n_thresholds)
    trees: list[list[list[float]]] = []
    for _ in range(n_trees):
        of_tree, size = kind, n_leaves
        if kind == "mixed":
            of_tree = ("general", "symmetric", "chain")[int(random.integers(3))]
            size = int(random.integers(1, n_leaves + 1))
        trees.append(_grow(random, of_tree, n_features, size, palette).nodes)
    columns = np.array([node for tree in trees for node in tree], dtype=np.float64).reshape(-1, 6)
    n_nodes = len(columns)
    arrays: Arrays = {
        "tree_offsets": np.cumsum([0, *(len(tree) for tree in trees)]),
        "feature": columns[:, 0],
        "threshold": columns[:, 1],
        "left": columns[:, 2],
        "right": columns[:, 3],
        "missing_left": columns[:, 4],
        "value": columns[:, 5],
        "gain": random.random(n_nodes),
        "cover": random.random(n_nodes),
        "count": random.integers(1, 100, n_nodes),
    }
    if leaf_width > 1:
        arrays["value"] = random.normal(size=(n_nodes, leaf_width))
    return {name: np.ascontiguousarray(arrays[name], dtype=DTYPES[name]) for name in DTYPES}


def with_sets(
    arrays: Arrays, n_levels: Sequence[int], seed: int = 0, *, thresholds: float = 0.05
) -> Arrays:
    """Return a forest with categorical splits on the columns that have levels.

    ``n_levels`` holds the number of levels of each column, 0 for numeric ones. Some nodes of
    columns with levels keep their thresholds. Nodes of a tree with equal splits stay equal.
    """
    random = np.random.default_rng(seed)
    arrays = {name: array.copy() for name, array in arrays.items()}
    trees = np.repeat(np.arange(len(arrays["tree_offsets"]) - 1), np.diff(arrays["tree_offsets"]))
    set_of_node = np.full(len(trees), -1)
    known: dict[tuple[Any, ...], int] = {}
    sets: list[NDArray[np.int64]] = []
    largest: list[int] = []  # largest level of each set
    for node in np.flatnonzero(arrays["feature"] >= 0):
        count = n_levels[arrays["feature"][node]]
        key = trees[node], arrays["feature"][node], arrays["threshold"][node]
        if key not in known:
            is_set = count > 0 and (not sets or random.random() >= thresholds)
            known[key] = len(sets) if is_set else -1
            others = [k for k, level in enumerate(largest) if level < count]
            if is_set and others and random.random() < 0.1:
                known[key] = int(random.choice(others))  # reuse the set of another node
            elif is_set:
                sets.append(_random_levels(random, count))
                largest.append(int(sets[-1].max(initial=-1)))
        if known[key] >= 0:
            set_of_node[node], arrays["threshold"][node] = known[key], 0.0
    if not sets:
        return arrays
    words = [_words(levels) for levels in sets]
    made = {
        "set_of_node": set_of_node,
        "set_offsets": np.cumsum([0, *map(len, words)]),
        "set_words": np.concatenate(words),
    }
    return arrays | {name: made[name].astype(dtype) for name, dtype in SET_DTYPES.items()}


def with_linear_leaves(
    arrays: Arrays,
    n_features: int,
    seed: int = 0,
    *,
    categories: Sequence[int] = (),
    extrapolates: bool = False,
) -> Arrays:
    """Return a forest with linear models in most leaves, on numeric columns only."""
    random = np.random.default_rng(seed)
    columns = np.setdiff1d(np.arange(n_features), categories)
    is_leaf = arrays["feature"] < 0
    counts = np.where(is_leaf, random.integers(0, min(len(columns), 5) + 1, len(is_leaf)), 0)
    n_terms = int(counts.sum())
    if n_terms == 0:
        return dict(arrays)
    center, reach = random.normal(size=n_terms), np.abs(random.normal(size=(2, n_terms)))
    reach[:, random.random(n_terms) < 0.05] = 0.0
    wide = arrays["value"].shape[1:]
    made: Arrays = {
        "linear_offsets": np.cumsum([0, *counts]),
        "linear_feature": np.concatenate(
            [np.sort(random.choice(columns, n, replace=False)) for n in counts]
        ),
        "linear_slope": random.normal(size=(n_terms, *wide)),
        "linear_mean": center,
        "linear_low": center - reach[0],
        "linear_high": center + reach[1],
    }
    flag = {"linear_extrapolates": np.array([1], dtype=np.int32)} if extrapolates else {}
    return {
        **arrays,
        **{
            name: np.ascontiguousarray(made[name], dtype=LINEAR_DTYPES[name])
            for name in LINEAR_DTYPES
        },
        **flag,
    }


def line_offsets(arrays: Arrays, terms: Any, x: Any) -> NDArray[np.float64]:
    """Return regressors minus term means: x clipped to its range, 0 for missing values."""
    x, mean = np.asarray(x, dtype=np.float64), arrays["linear_mean"][terms]
    if "linear_extrapolates" not in arrays:
        x = np.where(x < arrays["linear_low"][terms], arrays["linear_low"][terms], x)
        x = np.where(x > arrays["linear_high"][terms], arrays["linear_high"][terms], x)
    with np.errstate(invalid="ignore", over="ignore"):
        away = x - mean
    return np.where(np.isfinite(away), away, 0.0)


def leaf_values(arrays: Arrays, nodes: NDArray[Any], X: NDArray[Any]) -> NDArray[np.float64]:
    """Return the contribution of each row's leaf: its value, then its terms in order."""
    added: NDArray[np.float64] = arrays["value"][nodes].copy()
    if "linear_offsets" not in arrays:
        return added
    begin, end = arrays["linear_offsets"][nodes], arrays["linear_offsets"][nodes + 1]
    for k in range(int((end - begin).max(initial=0))):
        rows = np.flatnonzero(begin + k < end)
        terms = begin[rows] + k
        away = line_offsets(arrays, terms, X[rows, arrays["linear_feature"][terms]])
        slopes = arrays["linear_slope"][terms]
        added[rows] += slopes * (away[:, None] if slopes.ndim > 1 else away)
    return added


def _random_levels(random: np.random.Generator, n_levels: int) -> NDArray[np.int64]:
    """Draw no level, one level, all but one, or a random fraction."""
    kind = random.integers(8)
    if kind == 0:
        return np.arange(0)
    if kind < 3:
        one = random.integers(n_levels)
        return np.array([one]) if kind == 1 else np.delete(np.arange(n_levels), one)
    return np.flatnonzero(random.random(n_levels) < random.random())


def _words(levels: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return levels as a bitset, up to the last nonzero word."""
    bits = np.zeros((int(levels.max(initial=-1)) // 64 + 1) * 64, dtype=np.uint8)
    bits[levels] = 1
    return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)


def _are_in_sets(
    arrays: Arrays, sets: NDArray[np.int32], x: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Whether each number is a level of its set."""
    found = np.zeros(len(x), dtype=bool)
    begins, ends = arrays["set_offsets"][sets], arrays["set_offsets"][sets + 1]
    inside = (x >= 0) & (x == np.floor(x)) & (x < 64 * (ends - begins))
    levels = x[inside].astype(np.int64)
    words = arrays["set_words"][begins[inside] + levels // 64]
    found[inside] = (words >> (levels % 64).astype(np.uint64)) & np.uint64(1)
    return found


def leaves_of(arrays: Arrays, X: NDArray[Any]) -> NDArray[np.int32]:
    """Return the leaf of each row in each tree, walking one step at a time."""
    X = np.asarray(X, dtype=np.float64)
    offsets = arrays["tree_offsets"]
    rows = np.arange(len(X))
    leaves = np.zeros((len(X), len(offsets) - 1), dtype=np.int32)
    for tree, first in enumerate(offsets[:-1]):
        at = leaves[:, tree]
        while True:
            node = first + at
            feature = arrays["feature"][node]
            inner = feature >= 0
            if not inner.any():
                break
            x = X[rows, np.maximum(feature, 0)] if X.shape[1] else np.zeros(len(X))
            goes_left = x <= arrays["threshold"][node]
            if "set_of_node" in arrays:
                sets = arrays["set_of_node"][node]
                by_set = inner & (sets >= 0)
                goes_left[by_set] = _are_in_sets(arrays, sets[by_set], x[by_set])
            goes_left = np.where(np.isnan(x), arrays["missing_left"][node] == 1, goes_left)
            child = np.where(goes_left, arrays["left"][node], arrays["right"][node])
            at[inner] = child[inner]
    return leaves


def raw_scores(
    arrays: Arrays, X: NDArray[Any], n_outputs: int, start: NDArray[np.float64] | float = 0.0
) -> NDArray[np.float64]:
    """Return scores [n, n_outputs]: the start scores plus the trees, added in order.

    Leaves have one value (trees cycle through the outputs) or one value per output, and optionally
    a linear model.
    """
    X = np.asarray(X, dtype=np.float64)
    scores = np.zeros((len(X), n_outputs))
    scores += start
    leaves = leaves_of(arrays, X)
    for tree, first in enumerate(arrays["tree_offsets"][:-1]):
        added = leaf_values(arrays, first + leaves[:, tree], X)
        if added.ndim > 1:
            scores += added
        else:
            scores[:, tree % n_outputs] += added
    return scores


def random_model(
    seed: int,
    *,
    objective: str = "squared_error",
    n_outputs: int = 1,
    n_features: int = 5,
    n_iterations: int = 4,
    kind: Kind = "mixed",
    n_leaves: int = 31,
    leaf_width: int = 1,
    n_levels: Sequence[int] = (),
    classes: NDArray[Any] | None = None,
    n_parallel: int = 1,
    lines: bool = False,
) -> Model:
    """Return a model of a random forest, without training.

    ``leaf_width`` is 1, or ``n_outputs`` for vector leaves. Quantile outputs get distinct quantile
    levels. ``n_levels`` is that of :func:`with_sets`: such columns are categories of the whole
    numbers from 0. Each iteration has ``n_parallel`` trees per output. ``lines`` are the linear
    leaves of :func:`with_linear_leaves`.
    """
    arrays = random_forest(
        seed,
        kind=kind,
        n_trees=n_iterations * n_outputs // leaf_width * n_parallel,
        n_features=n_features,
        n_leaves=n_leaves,
        leaf_width=leaf_width,
    )
    if n_levels:
        arrays = with_sets(arrays, n_levels, seed, thresholds=0.0)
    if lines:
        arrays = with_linear_leaves(
            arrays, n_features, seed, categories=np.flatnonzero(n_levels).tolist()
        )
    if n_parallel > 1:
        arrays["n_parallel"] = np.array([n_parallel], dtype=np.int32)
    schema = Schema.of([f"column {j}" for j in range(n_features)], n_features)
    kinds = ["category" if n else "numeric" for n in n_levels] or schema.kinds
    levels = [(k + 1) / (n_outputs + 1) for k in range(n_outputs)]
    options: dict[str, Any] = {"quantile": levels} if objective == "quantile" else {}
    return Model(
        schema=schema.with_columns(kinds, [tuple(range(n)) for n in n_levels]),
        objective=find_objective(objective, **options),
        parameters={"n_estimators": n_iterations, "learning_rate": 0.1, "random_state": seed},
        start_scores=np.random.default_rng(seed).normal(size=n_outputs),
        forest=_core.Forest(n_features, n_outputs, arrays),
        best_iteration=n_iterations - 1,
        history={"valid": {"rmse": [1.0 / (1 + i) for i in range(n_iterations)]}},
        classes=classes,
    )


def random_rows(
    seed: int, n_rows: int, n_features: int, n_levels: Sequence[int] = ()
) -> NDArray[np.float64]:
    """Return rows with missing values, infinities and many ties.

    Columns with ``n_levels`` above 0 hold level codes, some of them unknown.
    """
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_features))
    rounded = random.random(X.shape) < 0.3
    X[rounded] = X[rounded].round(1)
    for value, share in ((np.nan, 0.1), (np.inf, 0.02), (-np.inf, 0.02), (0.0, 0.02)):
        X[random.random(X.shape) < share] = value
    for j, count in enumerate(n_levels):
        if count > 0:
            X[:, j] = random.integers(-1, count + 2, n_rows)
            odd = random.random(n_rows) < 0.15
            X[odd, j] = random.choice([np.nan, np.nan, -0.0, 0.5, -7.0, 1e10, np.inf], odd.sum())
    return X

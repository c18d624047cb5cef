"""Slow reference grower that the C++ core must match split by split and bit by bit.

It starts from the same rounded integers (``ceiba.testing.rounding``) and grows trees in the
simplest way (``ceiba.testing.growth``). Leaf values are sums of Python integers.

The life of a reference tree:

1. :func:`bin_codes` codes a table by the edges of a bin mapper.
2. :func:`grow` grows one tree for each row of gradients and fits its leaves.
3. :func:`predict` walks the trees from the raw table.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.testing.candidates import codes_by_cuts, most_bins, propose_for_tree
from ceiba.testing.columns import hash64, sample_columns
from ceiba.testing.forests import DTYPES, Arrays, leaves_of
from ceiba.testing.forests import raw_scores as predict
from ceiba.testing.gains import score
from ceiba.testing.growth import grow_nodes
from ceiba.testing.growth_limits import make_leaves_monotone, prune
from ceiba.testing.rounding import (
    Rounded,
    are_whole,
    exponent_above,
    fixed_point_scale,
    round_rows,
    weigh_rows,
)
from ceiba.testing.trees import Node, Plan, Reals, Tree

__all__ = [
    "Plan",
    "bin_codes",
    "distinct_values",
    "grow",
    "leaves_of",
    "predict",
    "sample_columns",
    "score",
]


def bin_codes(mapper: _core.BinMapper, X: NDArray[Any]) -> NDArray[np.int64]:
    """Return bin codes: the number of edges below a value, or one past the last bin if missing."""
    X = np.asarray(X, dtype=np.float64)
    codes = np.empty(X.shape, dtype=np.int64)
    for j in range(X.shape[1]):
        if mapper.n_levels(j):  # each level has its own bin
            missing = np.isnan(X[:, j])
            codes[:, j] = np.where(missing, mapper.n_levels(j), np.nan_to_num(X[:, j]))
            continue
        edges = np.asarray(mapper.edges(j))
        codes[:, j] = np.searchsorted(edges, X[:, j], side="left")
        codes[np.isnan(X[:, j]), j] = len(edges) + 1
    return codes


def distinct_values(X: NDArray[Any]) -> list[Reals]:
    """Return the distinct values of each column, ascending."""
    columns = np.asarray(X, dtype=np.float64).T + 0.0
    return [np.unique(column[~np.isnan(column)]) for column in columns]


def best_constant(gradient: float, hessian: float, plan: Plan, extra_l2: float = 0.0) -> float:
    """Return the minimum of the regularized objective of the rows of a leaf."""
    below = hessian + (plan.reg_lambda + extra_l2)
    if not below > 0:
        return 0.0
    step = -math.copysign(max(abs(gradient) - plan.reg_alpha, 0.0), gradient) / below
    limit = plan.max_delta_step if plan.max_delta_step > 0 else math.inf
    return min(max(step, -limit), limit)


def _centers(plan: Plan, values: list[Reals] | None, noise: float) -> bool:
    """Whether gains are invariant to a constant added to all gradients."""
    penalized = plan.category.l2 != 0 and "subset" in plan.kinds
    ranked = plan.score != "newton" or plan.bounded or penalized or noise > 0
    free = plan.reg_lambda == 0 and plan.reg_alpha == 0
    return plan.own_units and values is None and free and not ranked


def _fit_leaves(
    tree: Tree,
    edges: list[Reals],
    gradients: Reals,
    hessians: Reals | None,
    constant_hessian: float,
    weights: Reals | None,
    whole: bool,
    learning_rate: float,
) -> tuple[list[float], list[float]]:
    """Return the value and the hessian of every node, from 63-bit fixed-point sums."""
    n = len(gradients)
    times = [1] * n if weights is None or not whole else [int(weight) for weight in weights]
    before = weights is not None and not whole
    factor = weights if weights is not None and not whole else np.ones(n)
    exact_hessian = hessians is None and not before
    real_gradients = gradients * factor
    real_hessians = (np.full(n, constant_hessian) if hessians is None else hessians) * factor
    bits = 62 - exponent_above(float(sum(times)))

    def integers(values: Reals, largest: float) -> tuple[list[int], float]:
        scale = fixed_point_scale(bits, largest)
        return [int(value) for value in np.rint(values * scale)], 1 / scale

    largest = float(np.abs(real_gradients).max())
    parts = [integers(real_gradients, largest)]
    if any(own.precision == "centered" for own in (tree.rounded, *tree.more_rounded)):
        # Multiples of the unit, and the remainders.
        unit = 1 / fixed_point_scale(bits, largest)
        rest = np.array([math.remainder(value, unit) for value in real_gradients])
        parts = [integers(real_gradients - rest, largest), integers(rest, unit)]
    h, hessian_unit = integers(real_hessians, float(np.abs(real_hessians).max()))
    values: list[float] = []
    covers: list[float] = []
    for node in tree.nodes:
        gradient = 0.0
        for g, unit in parts:
            gradient += float(sum(g[i] * times[i] for i in node.rows)) * unit
        if exact_hessian:
            hessian = float(sum(times[i] for i in node.rows)) * constant_hessian
        else:
            hessian = float(sum(h[i] * times[i] for i in node.rows)) * hessian_unit
        covers.append(hessian)
        share = tree.plan.min_weight_fraction_leaf * covers[0]
        smallest = max(share, tree.plan.min_child_weight)
        light = tree.plan.grow_policy == "symmetric" and hessian < smallest
        follows = node.parent >= 0 and (len(node.rows) == 0 or light)
        value = (
            values[node.parent]
            if follows
            else best_constant(gradient, hessian, tree.plan, node.extra_l2)
        )
        if not tree.plan.unit_hessians:
            value = min(max(value, node.bounds[0]), node.bounds[1])
        values.append(value)
    values = [value * learning_rate for value in values]
    if tree.plan.unit_hessians and tree.plan.monotone:
        splits = [node.split for node in tree.nodes]
        thresholds = [_threshold(tree, edges, node) for node in tree.nodes]
        make_leaves_monotone(
            [-1 if split is None else split.feature for split in splits],
            thresholds,
            [node.children for node in tree.nodes],
            tree.plan.monotone,
            values,
        )
    return values, covers


def _threshold(tree: Tree, edges: list[Reals], node: Node) -> float:
    """Return the edge after the last bin on the left; infinity after the last edge."""
    if node.split is None or node.split.members is not None:
        return 0.0
    if tree.values is not None:
        return node.threshold
    own = edges[node.split.feature]
    return float(own[node.split.bin]) if node.split.bin < len(own) else math.inf


def _arrays_of(
    tree: Tree, edges: list[Reals], values: list[Any], covers: list[float]
) -> list[tuple[Any, ...]]:
    """Return the node rows of the forest arrays; a value is a number or one number per output."""
    rows: list[tuple[Any, ...]] = []
    for node, value, cover in zip(tree.nodes, values, covers, strict=True):
        if node.children is None or node.split is None:
            rows.append((-1, 0.0, -1, -1, 0, value, 0.0, cover, node.sums.count))
            continue
        split, threshold = node.split, _threshold(tree, edges, node)
        rows.append(
            (
                split.feature,
                threshold,
                *node.children,
                split.missing_left,
                value,
                split.gain,
                cover,
                node.sums.count,
            )
        )
    return rows


def _coded_by_cuts(
    codes: NDArray[np.int64],
    values: list[Reals],
    selected: NDArray[np.intp],
    rounded: Rounded,
    room: list[int],
    plan: Plan,
) -> tuple[NDArray[np.int64], list[Reals]]:
    """Return the codes and edges of the candidates that a tree proposes."""
    coded = []
    for j, own in enumerate(values):
        if plan.is_category(j):  # each level has its own bin
            coded.append((codes[:, j], own[1:]))
            continue
        cuts = propose_for_tree(
            codes[:, j], len(own), selected, rounded.hessians, rounded.counts, room[j]
        )
        coded.append(codes_by_cuts(codes[:, j], own, cuts))
    return np.column_stack([of_column for of_column, _ in coded]), [edges for _, edges in coded]


def grow(
    mapper: _core.BinMapper,
    codes: NDArray[np.int64],
    gradients: Reals,
    hessians: Reals | None,
    constant_hessian: float,
    weights: Reals | None,
    rows: NDArray[np.int32] | None,
    plan: Plan,
    round: int,
    learning_rate: float,
    values: list[Reals] | None = None,
    noise: float = 0.0,
) -> Arrays:
    """Grow one tree per row of gradients [K, n], or one tree with vector leaves for all rows.

    Returns the arrays of a forest.

    With ``values`` from :func:`distinct_values`, splits are exact; ``mapper`` and ``codes`` must
    have a bin for each value. If the plan also has ``sketch_eps``, the candidates are only those
    that each tree or node proposes. ``noise`` is the standard deviation of the noise added to
    ranking scores.
    """
    selected = np.arange(codes.shape[0]) if rows is None else np.asarray(rows, dtype=np.intp)
    whole = are_whole(weights)
    chosen_weights = None if weights is None else weights[selected]
    offsets, nodes, members = [0], [], list[frozenset[int] | None]()
    g = gradients[:, selected]
    h = None if hessians is None else hessians[:, selected]
    rounded = _round_outputs(g, h, constant_hessian, chosen_weights, whole, plan, values, noise)

    # The outputs of each tree.
    shares = [range(len(g))] if plan.vector_leaves else [[k] for k in range(len(g))]
    for k, outputs in enumerate(shares):
        first, *more = [rounded[output] for output in outputs]
        heaviness = weigh_rows(weights, selected, first, weighted_counts=plan.weighted_counts)
        key = hash64(plan.seed, round, k)
        tree, edges = _start_tree(mapper, codes, selected, first, heaviness, plan, key, values)
        tree.more_rounded, tree.noise = tuple(more), noise
        grow_nodes(tree)
        prune(tree)
        fit = partial(_fit_leaves, tree, edges, constant_hessian=constant_hessian, whole=whole)
        fit = partial(fit, weights=chosen_weights, learning_rate=learning_rate)
        fitted = [fit(g[output], None if h is None else h[output]) for output in outputs]
        nodes += _arrays_of(tree, edges, *_of_outputs(fitted))
        offsets.append(len(nodes))
        members += _sets_of(tree)
    return _by_name(offsets, nodes) | _set_arrays(members)


def _round_outputs(
    gradients: Reals,
    hessians: Reals | None,
    constant_hessian: float,
    weights: Reals | None,
    whole: bool,
    plan: Plan,
    values: list[Reals] | None,
    noise: float,
) -> list[Rounded]:
    """Round the gradients and hessians [K, n] of the selected rows, output by output."""
    unit = plan.unit_hessians or hessians is None
    exact = values is not None and not plan.sketch_eps > 0
    return [
        round_rows(
            gradients[k],
            None if plan.unit_hessians or hessians is None else hessians[k],
            1.0 if plan.unit_hessians else constant_hessian,
            weights,
            weighted_counts=plan.weighted_counts,
            whole=whole,
            fine=(plan.own_units and unit) or exact,
            penalty=plan.reg_lambda,
            several=plan.vector_leaves and len(gradients) > 1,
            centers=_centers(plan, values, noise),
        )
        for k in range(len(gradients))
    ]


def _start_tree(
    mapper: _core.BinMapper,
    codes: NDArray[np.int64],
    selected: NDArray[np.intp],
    rounded: Rounded,
    heaviness: NDArray[np.int64],
    plan: Plan,
    key: int,
    values: list[Reals] | None,
) -> tuple[Tree, list[Reals]]:
    """Return a tree without nodes and the bin edges of its columns."""
    approx = plan.sketch_eps > 0
    by_node = approx and plan.approx_scope == "node" and plan.grow_policy != "symmetric"
    edges = [np.asarray(mapper.edges(j)) for j in range(mapper.n_features)]
    has_missing = [mapper.has_missing(j) for j in range(mapper.n_features)]
    room = [max(1, most_bins(plan.sketch_eps) - has) for has in has_missing] if approx else None
    if values is not None and room is not None and not by_node:
        codes, edges = _coded_by_cuts(codes, values, selected, rounded, room, plan)
    tree = Tree(
        codes[selected],
        _count_values(mapper, plan, edges),
        has_missing,
        rounded,
        heaviness,
        plan,
        key,
        None if approx and not by_node else values,
        room if by_node else None,
        zero_first=tuple(len(own) == 0 or own[0] >= 0 for own in edges),
    )
    return tree, edges


def _count_values(mapper: _core.BinMapper, plan: Plan, edges: list[Reals]) -> list[int]:
    return [
        mapper.n_levels(j) if plan.is_category(j) else len(own) + 1 for j, own in enumerate(edges)
    ]


def _of_outputs(fitted: list[Any]) -> tuple[list[Any], list[float]]:
    """Return the values of each node, a tuple if there are several outputs, and the covers."""
    values = [each for each, _ in fitted]
    return (values[0] if len(values) == 1 else list(zip(*values, strict=True))), fitted[0][1]


def _by_name(offsets: list[int], nodes: list[tuple[Any, ...]]) -> Arrays:
    arrays: Arrays = {"tree_offsets": np.array(offsets, dtype=np.int64)}
    names = [name for name in DTYPES if name != "tree_offsets" and not name.startswith("set_")]
    for name, column in zip(names, zip(*nodes, strict=True), strict=True):
        arrays[name] = np.array(column, dtype=DTYPES[name])
    return arrays


def _sets_of(tree: Tree) -> list[frozenset[int] | None]:
    """Return the levels that each node sends left; None for numeric splits and leaves."""
    return [
        None
        if node.children is None or node.split is None or node.split.members is None
        else frozenset(node.split.members - {tree.n_values[node.split.feature]})
        for node in tree.nodes
    ]


def _set_arrays(members: list[frozenset[int] | None]) -> Arrays:
    """Return the arrays of category sets, if there are any."""
    if all(each is None for each in members):
        return {}
    of_node, words, offsets = [], [], [0]
    for each in members:
        if each is None:
            of_node.append(-1)
            continue
        of_node.append(len(offsets) - 1)
        own = [0] * (max(each) // 64 + 1 if each else 0)
        for level in each:
            own[level // 64] |= 1 << (level % 64)
        words += own
        offsets.append(len(words))
    return {
        "set_of_node": np.array(of_node, dtype=np.int32),
        "set_offsets": np.array(offsets, dtype=np.int64),
        "set_words": np.array(words, dtype=np.uint64),
    }

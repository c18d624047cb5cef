"""Reference implementation of candidate ranking by cosine score and random noise.

``cpp/split/ranking.hpp`` defines both.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.testing.categories import candidate_sets, extra_l2, gain_of_set, sums_of_set
from ceiba.testing.columns import hash64, mix64
from ceiba.testing.gains import bounded_step, candidate_gains, candidate_sums
from ceiba.testing.trees import Node, Reals, Split, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["best_ranked", "is_worth", "normal_numbers"]

_NEAR = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
    -0.00417768164, 0.246640727, 1.50140941,
)  # fmt: skip
_FAR = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
    0.00943887047, 1.00167406, 2.83297682,
)  # fmt: skip


def normal_numbers(key: int, places: list[int]) -> Reals:
    """Return the normal random numbers of candidates."""
    hashes = [mix64((key + place * 0x9E3779B97F4A7C15) % 2**64) for place in places]
    u = np.array([((each >> 12) + 0.5) * 2.0**-52 for each in hashes])
    w = -_core.log(4 * u * (1 - u))

    def polynomial(coefficients: tuple[float, ...], at: Reals) -> Reals:
        value = np.full(len(at), coefficients[0])
        for coefficient in coefficients[1:]:
            value = coefficient + value * at
        return value

    near, far = polynomial(_NEAR, w - 2.5), polynomial(_FAR, np.sqrt(np.maximum(w, 0.0)) - 3)
    return np.asarray(math.sqrt(2.0) * (np.where(w < 5, near, far) * (2 * u - 1)))


def best_ranked(
    tree: Tree, nodes: list[Node], place: int, columns: list[int], may_split: Callable[[Node], bool]
) -> Split | None:
    """Return the top-ranked candidate of all columns for the nodes that share it.

    ``place`` is the number of the first node. The returned gain is the ranking score.
    """
    best: Split | None = None
    filled = [node for node in nodes if len(node.rows)]
    for feature in columns:
        key = hash64(tree.key, 4, place, feature)
        search = _best_set if tree.plan.is_category(feature) else _best_threshold
        own = search(tree, filled, feature, key, may_split)
        if own is None:
            continue
        merit = own.gain
        if tree.noise > 0:
            merit += tree.noise * float(normal_numbers(hash64(key), [0])[0])
        if best is None or merit > best.gain:
            best = Split(merit, feature, own.bin, own.missing_left, own.members)
    return best


def is_worth(tree: Tree, gain: float, level_score: float, enough: bool) -> bool:
    """Whether to split a level: by its gain or, with cosine scores, by whether gradients remain."""
    if tree.plan.score != "cosine":
        return enough
    smallest = max(
        0.0 if tree.plan.prune_after else tree.plan.min_split_gain,
        tree.plan.min_impurity_decrease * tree.hessian,
    )
    return gain + level_score > 0 and (smallest <= 0 or gain >= smallest)


def _terms(
    tree: Tree, node: Node, sums: NDArray[np.float64], l2: float = 0.0
) -> tuple[Reals, Reals]:
    gradient, hessian = sums[0], sums[1]
    step = bounded_step(gradient, hessian, tree.plan, node.bounds, l2)
    return -(step * gradient), step * step * hessian


def _units(tree: Tree) -> Reals:
    return np.array([tree.rounded.gradient_unit, tree.rounded.hessian_unit, 1.0])


def _total(tree: Tree, node: Node) -> Reals:
    total = [node.sums.gradient, node.sums.hessian, node.sums.count]
    return np.asarray(np.array(total) * _units(tree))


def _cosine(top: Reals, below: Reals) -> Reals:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, top / np.sqrt(below), 0.0)


def _best_threshold(
    tree: Tree, nodes: list[Node], feature: int, key: int, may_split: Callable[[Node], bool]
) -> Split | None:
    n = tree.n_values[feature]
    top, below, splits = np.zeros((3, n, 2))
    some_missing = False
    for node in nodes:
        missing = bool((tree.codes[node.rows, feature] == n).any())
        some_missing |= missing
        whole_top, whole_below = _terms(tree, node, _total(tree, node))
        if not may_split(node):
            top += whole_top
            below += whole_below
            continue
        gains = candidate_gains(tree, node, feature, -math.inf)[0]
        valid = gains > -math.inf
        splits += valid
        if tree.plan.score != "cosine":
            top += np.where(valid, gains, 0.0)
            continue
        for column, (left, right) in enumerate(candidate_sums(tree, node, feature)):
            tops, belows = zip(*(_terms(tree, node, side) for side in (left, right)), strict=True)
            own = valid[:, column]
            top[:, column] += np.where(own, tops[0] + tops[1], whole_top)
            below[:, column] += np.where(own, belows[0] + belows[1], whole_below)
    merits = _cosine(top, below) if tree.plan.score == "cosine" else top
    merits = np.where(splits > 0, merits, -math.inf)
    if not some_missing:
        merits = merits[:, 1:]
    noisy = merits
    if tree.noise > 0:
        per_bin = 2 if some_missing else 1
        places = [2 * b + side for b in range(n) for side in range(per_bin)]
        noisy = merits + tree.noise * normal_numbers(key, places).reshape(n, per_bin)
    at = int(np.argmax(noisy))
    if noisy.flat[at] == -math.inf:
        return None
    bin_, side = divmod(at, noisy.shape[1])
    return Split(float(merits.flat[at]), feature, bin_, side == 0)


def _best_set(
    tree: Tree, nodes: list[Node], feature: int, key: int, may_split: Callable[[Node], bool]
) -> Split | None:
    del key  # a categorical column has one random number, drawn in best_ranked
    cosine, shared = tree.plan.score == "cosine", tree.plan.grow_policy == "symmetric"
    some = [node for node in nodes if may_split(node)]
    rest = [0.0, 0.0]
    for node in nodes if cosine else []:
        if not may_split(node):
            terms = _terms(tree, node, _total(tree, node))
            rest = [rest[0] + float(terms[0]), rest[1] + float(terms[1])]
    best: Split | None = None
    for members in candidate_sets(tree, some, feature, shared=shared) if some else []:
        (top, below), n_splits = rest, 0
        for node in some:
            gain = gain_of_set(tree, node, feature, members, -math.inf)
            n_splits += gain > -math.inf
            if not cosine:
                top += gain if gain > -math.inf else 0.0
                continue
            total = _total(tree, node)
            left = sums_of_set(tree, node, feature, members) * _units(tree)
            own = [_terms(tree, node, total)]
            if gain > -math.inf:
                l2 = extra_l2(tree, feature)
                own = [_terms(tree, node, side, l2) for side in (left, total - left)]
            top += float(sum(terms[0] for terms in own))
            below += float(sum(terms[1] for terms in own))
        merit = float(_cosine(np.array(top), np.array(below))) if cosine else top
        if n_splits and (best is None or merit > best.gain):
            best = Split(merit, feature, 0, tree.n_values[feature] in members, frozenset(members))
    return best

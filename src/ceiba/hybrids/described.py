"""Describe hybrids as trees with linear leaves, so that every export format can write them.

A linear model is a tree of one linear leaf, a rule a tree with the rule's path, and a 0/1 column
of a category a lookup. What is not a sum of trees followed by a link raises ExportError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import ExportError
from ceiba.export.described import UNSEEN, Described, Lookup, input_columns
from ceiba.hybrids.design_matrix import DesignMatrix
from ceiba.hybrids.enhanced_forest import EnhancedForestModel
from ceiba.hybrids.linear_models import Linear
from ceiba.hybrids.linear_tree import LinearTreeModel
from ceiba.hybrids.rule_boosting import BoostedLinearModel
from ceiba.hybrids.rules import Condition, Rule
from ceiba.hybrids.tree_growth import class_probabilities
from ceiba.model.trees import CategorySets, LinearLeaves, Trees
from ceiba.objectives.link import IDENTITY, Link

__all__ = ["described_hybrid"]

Floats = NDArray[np.float64]

#: Half the width of the range that the check of an export tries, in standard deviations.
_TRIED = 3.0
_LARGEST = 1e300


def described_hybrid(model: Any, name: str) -> Described:
    """Return the description of a fitted hybrid."""
    start = np.zeros(1)
    if isinstance(model, LinearTreeModel):
        pieces = [_linear_tree(model, name)]
    elif isinstance(model, BoostedLinearModel):
        pieces = [_tree(model.design, [Rule()], [model.linear])]
        for rule, coefficients in zip(model.rules, model.rule_coefficients.T, strict=True):
            pieces.append(_tree(model.design, [rule], [_constant(coefficients)]))
    elif isinstance(model, EnhancedForestModel) and model.classes is None:
        pieces = [_tree(model.design, [Rule()], [model.linear]), model.forest.trees()]
        start = model.forest.start_scores
    else:
        raise ExportError(
            f"{name} cannot be exported: it clips the sum of two models to probabilities, which "
            "no format can express. Use EnhancedForestRegressor, or another classifier."
        )
    return _described(model, name, pieces, start)


def _described(model: Any, name: str, pieces: Sequence[Trees], start: Floats) -> Described:
    schema, n_outputs = model.schema, pieces[0].leaf_width
    link, task = IDENTITY, "regression"
    if model.classes is not None:
        link = Link("logit") if n_outputs == 1 else Link("softmax")
        task = "binary" if n_outputs == 1 else "multiclass"
    is_category = np.array([kind == "category" for kind in schema.kinds])

    def predict(codes: Floats) -> Floats:
        values = np.where(is_category & (codes == UNSEEN), np.nan, codes)
        # Linear models refuse infinite numbers; the check tries them where all slopes are 0.
        values = np.clip(values, -_LARGEST, _LARGEST)
        scores: Floats = model.scores(values)
        return scores[:, 1:] if task == "binary" else scores.reshape(len(codes), -1)

    return Described(
        title=name,
        columns=input_columns(schema),
        missing=schema.reading.missing,
        refuses_unseen=False,
        kept=tuple(range(schema.n_features)),
        lookups=_indicators(model.design),
        trees=Trees.joined(pieces, n_outputs),
        start=np.resize(start, n_outputs),
        shift=np.zeros(n_outputs),
        link=link,
        task=task,
        classes=model.classes,
        even_score=0.0,
        several=False,
        predict=predict,
    )


# ---- linear models -------------------------------------------------------------------------------


def _indicators(design: DesignMatrix) -> tuple[Lookup, ...]:
    """Return the 0/1 columns of categories; missing and unseen categories have their means."""
    lookups, begin = [], 0
    for j in design.sources:
        n = len(design.schema.levels_of(j)) if design.schema.kinds[j] == "category" else 0
        if n:
            values = np.column_stack([np.eye(n), design.means[begin : begin + n]])
            lookups.append(Lookup((j,), np.arange(n, dtype=np.uint64), values))
        begin += max(n, int(design.schema.kinds[j] != "category"))
    return tuple(lookups)


def _columns(design: DesignMatrix) -> NDArray[np.int32]:
    """Return the place of each design column among the columns that trees read."""
    begin = design.schema.n_features
    places: list[int] = []
    for j in design.sources:
        if design.schema.kinds[j] == "category":
            n = len(design.schema.levels_of(j))
            places += range(begin, begin + n)
            begin += n
        else:
            places.append(j)
    return np.array(places, dtype=np.int32)


def _constant(values: Floats) -> Linear:
    """Return a linear model without slopes."""
    return Linear(np.zeros((len(values), 0)), values)


# ---- trees ---------------------------------------------------------------------------------------


def _linear_tree(model: LinearTreeModel, name: str) -> Trees:
    """Return the tree of a linear tree; its scores are those of the link of its classes."""
    linear = list(model.linear)
    for k, present in enumerate(model.present):
        if model.classes is None or present.all():
            continue
        if linear[k].coefficients.any():
            raise ExportError(
                f"Leaf {k} of this {name} has rows of some classes only. The probability of a "
                "class without rows is constant there, which no format can express. Raise "
                "min_samples_leaf, or use another classifier."
            )
        shares = class_probabilities(linear[k].centers[None, :], present, float(model.weights[k]))[
            0
        ]
        scores = np.log(shares)
        centers = scores[1:] - scores[:1] if len(shares) == 2 else scores
        linear[k] = _constant(centers)
    return _tree(model.design, model.rules, linear)


def _tree(design: DesignMatrix, rules: Sequence[Rule], linear: Sequence[Linear]) -> Trees:
    """Return a tree with a linear leaf for each rule, and 0 where no rule holds."""
    nodes: list[tuple[Condition | None, int]] = []  # the split, or the number of the leaf
    children: list[tuple[int, int]] = []
    queue = [[(rule.conditions, k) for k, rule in enumerate(rules)]]
    for group in queue:  # grows while it is read
        first = group[0] if group else ((), -1)
        if not first[0]:
            nodes.append((None, first[1]))
            children.append((-1, -1))
            continue
        nodes.append((first[0][0], -1))
        children.append((len(queue), len(queue) + 1))
        queue += [
            [(own[1:], k) for own, k in group if own[0].left == left] for left in (True, False)
        ]
    width = len(linear[0].centers)
    values = np.zeros((len(nodes), width))
    for place, (_, leaf) in enumerate(nodes):
        if leaf >= 0:
            values[place] = linear[leaf].centers
    splits = [condition for condition, _ in nodes]
    levels = [list(one.levels) if one is not None and one.levels else None for one in splits]
    sides = np.array(children, dtype=np.int32)
    zero = np.zeros(len(nodes))
    return Trees(
        n_outputs=width,
        offsets=np.array([0, len(nodes)]),
        feature=np.array([-1 if one is None else one.column for one in splits], dtype=np.int32),
        threshold=np.array([0.0 if one is None or one.levels else one.threshold for one in splits]),
        left=sides[:, 0],
        right=sides[:, 1],
        missing_left=np.array([one is not None and one.missing == one.left for one in splits]),
        value=values,
        gain=zero,
        cover=zero,
        count=zero,
        sets=CategorySets.from_levels(levels) if any(own is not None for own in levels) else None,
        linear=_linear_leaves(design, [leaf for _, leaf in nodes], linear),
    )


def _linear_leaves(
    design: DesignMatrix, leaves: Sequence[int], linear: Sequence[Linear]
) -> LinearLeaves:
    """Return the slopes of the leaf of each node, -1 for none."""
    columns = _columns(design)
    order = np.argsort(columns, kind="stable")
    slopes, sizes = [np.zeros((0, len(linear[0].centers)))], []
    for leaf in leaves:
        known = leaf >= 0 and linear[leaf].coefficients.shape[1] > 0
        sizes.append(len(order) if known else 0)
        if known:
            slopes.append(linear[leaf].coefficients[:, order].T)
    times = sum(size > 0 for size in sizes)
    mean, width = design.means[order], _TRIED * design.scales[order]
    return LinearLeaves(
        offsets=np.cumsum([0, *sizes], dtype=np.int64),
        feature=np.tile(columns[order], times),
        slope=np.concatenate(slopes),
        mean=np.tile(mean, times),
        low=np.tile(mean - width, times),
        high=np.tile(mean + width, times),
        extrapolates=True,
    )

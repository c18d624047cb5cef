"""Write a model as a text file of LightGBM (version 4).

Categories are level numbers. ``pandas_categorical`` lists the levels, so that
``lightgbm.Booster.predict`` converts categorical columns of a DataFrame by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ceiba.errors import ExportError
from ceiba.export.c_code import refuse_unseen_errors
from ceiba.export.described import Described
from ceiba.export.lightgbm_trees import TextTree, text_trees

__all__ = ["write"]

#: Characters that LightGBM does not allow in names, and white space.
_SPECIAL = re.compile(r'[\s",:\[\]{}]')
#: Shares whose sum is this close to 1 are probabilities.
_ROUNDING = 1e-9


def write(model: Described) -> bytes:
    """Return the text file of a model."""
    refuse_unseen_errors(model, "LightGBM")
    if model.missing not in (None, 0.0):
        raise ExportError(
            f"LightGBM's missing values are NaN or 0. The model has missing={model.missing:g}. "
            "Use another format, or replace the value by NaN before training."
        )
    objective = _objective(model)
    trees = text_trees(model)
    names = _names([column.name for column in model.columns])
    blocks = [f"Tree={i}\n{_block(tree)}\n\n\n" for i, tree in enumerate(trees)]
    header = [
        "tree",
        "version=v4",
        f"num_class={model.n_outputs}",
        f"num_tree_per_iteration={model.n_outputs}",
        "label_index=0",
        f"max_feature_idx={len(names) - 1}",
        *([f"objective={objective}"] if objective else []),
        "feature_names=" + " ".join(names),
        "feature_infos=" + " ".join(_ranges(model, trees)),
        "tree_sizes=" + " ".join(str(len(block.encode())) for block in blocks),
        "",
    ]
    splits = np.bincount(
        np.array([c for tree in trees for c in tree.column], dtype=np.int64), minlength=len(names)
    )
    footer = [
        "end of trees",
        "",
        "feature_importances:",
        *(f"{names[j]}={splits[j]}" for j in np.argsort(-splits, kind="stable") if splits[j]),
        "",
        "parameters:",
        "[boosting: gbdt]",
        "end of parameters",
        "",
        f"pandas_categorical:{_categories(model)}",
        "",
    ]
    return ("\n".join(header) + "\n" + "".join(blocks) + "\n".join(footer)).encode()


# ---- header -------------------------------------------------------------------------------------


def _objective(model: Described) -> str:
    """Return LightGBM's objective with the same link; "" for raw scores."""
    link, n = model.link, model.n_outputs
    if link.name == "identity" and link.lowest == -np.inf:
        return _LINEAR_TASKS.get(model.task, "regression") if n == 1 else ""
    if link.name == "log" and n == 1:
        return "poisson"
    if link.name == "logit" and (n == 1 or model.task == "multilabel"):
        scale = f"sigmoid:{_number(link.scale)}"
        return f"binary {scale}" if n == 1 else f"multiclassova num_class:{n} {scale}"
    if link.name == "softmax" and n > 1:
        return f"multiclass num_class:{n}"
    if link.name == "shares" and _are_shares(model):
        return "regression" if n == 1 else ""
    raise ExportError(
        f"LightGBM has no objective that converts raw scores as this model does: {model.title} "
        f"({_WORDS.get(link.name, link.name)}). Use another format."
    )


_LINEAR_TASKS = {"ranking": "lambdarank"}
_WORDS = {
    "identity": "predictions have a lower limit",
    "log": "exp of several scores",
    "log1p": "exp(score) - 1",
    "logit": "probabilities of several targets",
    "one_against_rest": "probabilities divided by their sum",
    "shares": "shares that are clipped and divided by their sum",
    "sorted": "sorted quantiles",
}


def _are_shares(model: Described) -> bool:
    """Whether raw scores are always probabilities, so that clipping changes nothing."""
    trees = model.trees
    leaves = ~trees.is_split
    if trees.linear is not None or (trees.leaf_width == 1 and model.n_outputs > 1):
        return False
    values, tree = trees.value[leaves], trees.tree_of_node[leaves]
    low, high = np.full((trees.n_trees, values.shape[1]), np.inf), None
    high = -low
    np.minimum.at(low, tree, values)
    np.maximum.at(high, tree, values)
    lowest, highest = low.sum(axis=0) + model.start, high.sum(axis=0) + model.start
    inside = bool((lowest >= -_ROUNDING).all() and (highest <= 1 + _ROUNDING).all())
    if model.n_outputs == 1:
        return inside
    total = values.sum(axis=1)
    by_tree = [total[tree == t] for t in range(trees.n_trees)]
    equal = all(np.ptp(own) <= _ROUNDING for own in by_tree)
    whole = sum(float(own[0]) for own in by_tree) + float(model.start.sum())
    return inside and equal and abs(whole - 1.0) <= _ROUNDING


def _names(names: Sequence[str]) -> list[str]:
    """Return names without white space and special characters, unique."""
    plain = [_SPECIAL.sub("_", name) or "_" for name in names]
    known: set[str] = set()
    for j, name in enumerate(plain):
        number = 2
        while plain[j] in known:
            plain[j], number = f"{name}_{number}", number + 1
        known.add(plain[j])
    return plain


def _ranges(model: Described, trees: Sequence[TextTree]) -> list[str]:
    """Return the levels of categories, and the range of thresholds of numbers."""
    found: list[list[float]] = [[] for _ in model.columns]
    for tree in trees:
        for j, threshold, decision in zip(tree.column, tree.threshold, tree.decision, strict=True):
            if not decision & 1:
                found[j].append(threshold)
    ranges = []
    for column, own in zip(model.columns, found, strict=True):
        if column.is_category:
            ranges.append(":".join(map(str, range(len(column.levels)))) or "none")
        else:
            finite = [one for one in own if np.isfinite(one)]
            low, high = min(finite, default=0.0), max(finite, default=0.0)
            ranges.append(f"[{_number(low)}:{_number(high)}]" if own else "none")
    return ranges


def _categories(model: Described) -> str:
    levels = [list(column.levels) for column in model.columns if column.is_category]
    return json.dumps(levels, default=str) if levels else "null"


# ---- trees --------------------------------------------------------------------------------------


def _block(tree: TextTree) -> str:
    n_leaves = len(tree.value)
    lines = [f"num_leaves={n_leaves}", f"num_cat={len(tree.boundaries) - 1}"]
    if n_leaves > 1:
        lines += [
            _line("split_feature", tree.column),
            _line("split_gain", tree.gain),
            _line("threshold", tree.threshold),
            _line("decision_type", tree.decision),
            _line("left_child", tree.left),
            _line("right_child", tree.right),
        ]
    lines += [
        _line("leaf_value", tree.value),
        _line("leaf_weight", tree.cover),
        _line("leaf_count", map(round, tree.count)),
    ]
    if n_leaves > 1:
        lines += [
            _line("internal_value", tree.split_value),
            _line("internal_weight", tree.split_cover),
            _line("internal_count", map(round, tree.split_count)),
        ]
        if len(tree.boundaries) > 1:
            lines += [
                _line("cat_boundaries", tree.boundaries),
                _line("cat_threshold", tree.words),
            ]
    # LightGBM evaluates slopes of trees of one leaf too.
    linear = tree.is_linear
    lines.append(f"is_linear={int(linear)}")
    if linear:
        lines += [
            _line("leaf_const", tree.constant),
            _line("num_features", (int(one is not None) for one in tree.slope)),
            "leaf_features=" + _lists(None if s is None else s[0] for s in tree.slope),
            "leaf_coeff=" + _lists(None if s is None else s[1] for s in tree.slope),
        ]
    return "\n".join([*lines, "shrinkage=1"])


def _lists(values: Iterable[Any]) -> str:
    """Return lists of one value or none, in LightGBM's spacing."""
    return "".join(" " if one is None else f"{_number(one)}  " for one in values)


def _line(name: str, values: Iterable[Any]) -> str:
    return f"{name}=" + " ".join(map(_number, values))


def _number(value: Any) -> str:
    """Return a number that reads as the same double."""
    if isinstance(value, float):
        text = repr(value)
        return text.removesuffix(".0")
    return str(value)

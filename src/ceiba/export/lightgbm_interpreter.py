"""Interpreter of LightGBM's text files: predicts rows with numpy, as lightgbm does.

It checks a file where lightgbm is not installed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["interpret"]

Floats = NDArray[np.float64]


def interpret(text: str, rows: Floats) -> Floats:
    """Return the predictions [n, n_outputs] of a text file."""
    head, *blocks = text.split("end of trees")[0].split("Tree=")
    header = dict(line.split("=", 1) for line in head.splitlines() if "=" in line)
    n_outputs = int(header["num_tree_per_iteration"])
    scores = np.zeros((len(rows), n_outputs))
    for number, block in enumerate(blocks):
        fields = dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
        scores[:, number % n_outputs] += _tree(fields, rows)
    return _link(header.get("objective", ""), scores)


def _tree(fields: dict[str, str], rows: Floats) -> Floats:
    """Return what a tree adds to each row."""
    alone = int(fields["num_leaves"]) == 1
    leaf = np.zeros(len(rows), dtype=np.int64) if alone else ~_leaves(fields, rows)
    values: Floats = _numbers(fields, "leaf_value")[leaf]
    if fields["is_linear"] != "1":
        return values
    n_features = _numbers(fields, "num_features").astype(int)
    first = np.cumsum(n_features) - n_features
    columns, slopes = _numbers(fields, "leaf_features").astype(int), _numbers(fields, "leaf_coeff")
    linear = n_features[leaf] > 0
    term = first[leaf[linear]]
    x = rows[linear, columns[term]]
    sloped = _numbers(fields, "leaf_const")[leaf[linear]] + slopes[term] * x
    values[linear] = np.where(np.isnan(x), values[linear], sloped)
    return values


def _numbers(fields: dict[str, str], name: str) -> Floats:
    return np.array(fields.get(name, "").split(), dtype=np.float64)


def _leaves(fields: dict[str, str], rows: Floats) -> NDArray[np.int64]:
    """Return ~leaf of each row."""
    column, threshold = _numbers(fields, "split_feature"), _numbers(fields, "threshold")
    left, right = _numbers(fields, "left_child"), _numbers(fields, "right_child")
    decision = _numbers(fields, "decision_type")
    words = _numbers(fields, "cat_threshold").astype(np.int64)
    first = _numbers(fields, "cat_boundaries").astype(np.int64)
    kinds = decision.astype(int)
    at = np.zeros(len(rows), dtype=np.int64)
    while (at >= 0).any():
        for split in np.unique(at[at >= 0]).tolist():
            here = np.flatnonzero(at == split)
            x, kind = rows[here, int(column[split])], kinds[split]
            if kind & 1:
                own = words[first[int(threshold[split])] : first[int(threshold[split]) + 1]]
                level = np.where(np.isnan(x) | (x < 0), -1, x).astype(np.int64)
                inside = (level >= 0) & (level < 32 * len(own))
                word = own[np.where(inside, level // 32, 0)]
                goes_left = inside & (word >> level % 32 & 1 > 0)
            else:
                missing_kind = kind >> 2
                missing = np.isnan(x) if missing_kind == 2 else np.abs(np.nan_to_num(x)) <= 1e-35
                x = np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf)
                goes_left = np.where(
                    missing & (missing_kind > 0), kind & 2 > 0, x <= threshold[split]
                )
            at[here] = np.where(goes_left, left[split], right[split])
    return at


def _link(objective: str, scores: Floats) -> Floats:
    """Return predictions of raw scores."""
    name, *options = objective.split() or [""]
    values = dict(option.split(":") for option in options)
    if name in ("binary", "multiclassova"):
        probabilities: Floats = 1.0 / (1.0 + np.exp(-float(values["sigmoid"]) * scores))
        return probabilities
    if name == "multiclass":
        shares: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares
    return np.exp(scores) if name == "poisson" else scores

"""Forests and single trees of the engine, on rows of a hybrid.

Trees see the table as it is: missing values stay missing, and categories are split by sets of
levels. Rows of a leaf are counted by weight, which is what a constant hessian adds up to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.dataset import Dataset
from ceiba.hybrids.base import fewest_rows
from ceiba.hybrids.rows import LearnedRows
from ceiba.model.model import Model
from ceiba.training import train

__all__ = ["grow_forest", "grow_tree"]

Floats = NDArray[np.float64]

#: Trees of squared error whose leaves are means of their rows.
_MEANS: Mapping[str, Any] = {
    "objective": "squared_error",
    "learning_rate": 1.0,
    "reg_lambda": 0.0,
    "min_samples_leaf": 1,
    "min_data_in_bin": 1,
    "grow_policy": "depthwise",
    "max_leaves": 0,
    "categorical": "subset",
    "cat_l2": 0.0,
    "cat_smooth": 0.0,
    "min_data_per_group": 1,
    "early_stopping_rounds": 0,
}


def grow_forest(rows: LearnedRows, target: Floats, options: Mapping[str, Any]) -> Model:
    """Return a forest for one target [n] or several [n, K], each tree on a bootstrap of rows."""
    settings = {
        **_MEANS,
        "boosting": "forest",
        "sampling": "bootstrap",
        "n_estimators": options["n_estimators"],
        "max_depth": options["max_depth"] or 0,
        "min_child_weight": fewest_rows(options["min_samples_leaf"], rows.weights),
        "colsample_bynode": options["max_features"],
        "random_state": options["random_state"],
        "n_jobs": options["n_jobs"],
    }
    return train(settings, Dataset(rows.table(), target, weight=rows.weights))


def grow_tree(rows: LearnedRows, target: Floats, options: Mapping[str, Any]) -> Model:
    """Return a single tree, whose leaves are means of the target."""
    settings = {
        **_MEANS,
        "n_estimators": 1,
        "max_depth": options["max_depth"],
        "min_child_weight": fewest_rows(options["min_samples_leaf"], rows.weights),
        "max_bins": options["max_bins"],
        "n_jobs": options["n_jobs"],
    }
    return train(settings, Dataset(rows.table(), target, weight=rows.weights))

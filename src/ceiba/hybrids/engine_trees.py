"""Grow forests and single trees for hybrids.

Trees read the original table, with missing values and with category sets. ``min_samples_leaf``
counts weights, because the sum of constant hessians is the sum of weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.dataset import Dataset
from ceiba.hybrids.base import min_leaf_weight
from ceiba.hybrids.rows import TrainingRows
from ceiba.model.model import Model
from ceiba.training import train

__all__ = ["grow_forest", "grow_tree"]

Floats = NDArray[np.float64]

#: Settings for trees of squared error whose leaves are means.
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


def grow_forest(rows: TrainingRows, target: Floats, options: Mapping[str, Any]) -> Model:
    """Grow a forest for one target [n] or several [n, K], each tree on a bootstrap sample."""
    settings = {
        **_MEANS,
        "boosting": "forest",
        "sampling": "bootstrap",
        "n_estimators": options["n_estimators"],
        "max_depth": options["max_depth"] or 0,
        "min_child_weight": min_leaf_weight(options["min_samples_leaf"], rows.weights),
        "colsample_bynode": options["max_features"],
        "random_state": options["random_state"],
        "n_jobs": options["n_jobs"],
    }
    return train(settings, Dataset(rows.table(), target, weight=rows.weights))


def grow_tree(rows: TrainingRows, target: Floats, options: Mapping[str, Any]) -> Model:
    """Grow a single tree whose leaves are means of the target."""
    settings = {
        **_MEANS,
        "n_estimators": 1,
        "max_depth": options["max_depth"],
        "min_child_weight": min_leaf_weight(options["min_samples_leaf"], rows.weights),
        "max_bins": options["max_bins"],
        "n_jobs": options["n_jobs"],
    }
    return train(settings, Dataset(rows.table(), target, weight=rows.weights))

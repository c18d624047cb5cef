"""Recipes: named sets of default parameters.

The declarations in ``parameters/`` define the recipes; this module lists them. Parameters that the
user sets override the recipe.

>>> from ceiba import RECIPES
>>> RECIPES["xgboost"]["learning_rate"]
0.3
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ceiba.parameters import RECIPE_NAMES
from ceiba.parameters.resolving import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RECIPES", "TEXTS"]

#: Description of each recipe.
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "auto": "ceiba's default. A policy chooses the number of rounds, the kinds of trees and "
        "leaves and the learning rate by held-out rows, and averages the best candidates "
        "(quality). With n_estimators it trains once, like recipe single.",
        "single": "One training of 100 rounds: leafwise trees with 31 leaves and an L2 penalty of "
        "1. Integer weights act like repeated rows.",
        "gbm": "Defaults of scikit-learn's GradientBoosting: exact trees of depth 3 fitted to the "
        "gradients, Friedman's leaf values, no penalty.",
        "histgb": "Defaults of scikit-learn's HistGradientBoosting: leafwise trees with 31 leaves, "
        "no penalty, early stopping on more than 10,000 rows.",
        "xgboost": "Defaults of XGBoost with tree_method='hist': depthwise trees of depth 6, "
        "learning rate 0.3, softmax hessian 2p(1 - p).",
        "lightgbm": "Defaults of LightGBM: leafwise trees with 31 leaves, no penalty, 255 bins of "
        "at least 3 rows, row counts estimated from hessians.",
        "catboost": "Defaults of CatBoost on the CPU: 1000 symmetric trees of depth 6, automatic "
        "learning rate, cosine split score with noise, target statistics for categories, MVS row "
        "sampling, several Newton steps per leaf.",
        "forest": "Defaults of scikit-learn's RandomForest: unlimited trees on bootstrap samples; "
        "each node tries the square root of the number of columns; predictions are averaged.",
        "dart": "Recipe single with dropout of trees (boosting='dart'), with LightGBM's defaults.",
        "plgb": "Piecewise-linear boosting (Shi, Li and Li, 2019): recipe single with linear "
        "leaves of up to 5 columns and splits chosen by the gain of half-additive linear fits.",
        "tree": "Defaults of scikit-learn's DecisionTree: one unlimited tree with exact "
        "thresholds, no shrinkage and no penalty; categories are split by subsets.",
    }
)

#: All parameters of each recipe.
RECIPES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {name: MappingProxyType(dict(resolve({"recipe": name}).items())) for name in RECIPE_NAMES}
)

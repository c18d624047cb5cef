"""Recipes: named starting points.

A recipe is a column of the declaration in ``parameters/``; this module shows the columns. Every
parameter that a user gives wins over the recipe.

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

#: What each recipe is.
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "auto": "ceiba's own first choice: leafwise trees of 31 leaves, a light L2 penalty, and "
        "weights that count as repeated rows everywhere.",
        "gbm": "The defaults of scikit-learn's GradientBoosting, Friedman's machine: trees of "
        "depth 3 fitted to the gradients alone, no penalty, and with K classes (K - 1) / K of a "
        "Newton step.",
        "histgb": "The defaults of scikit-learn's HistGradientBoosting: leafwise trees of 31 "
        "leaves, no penalty, early stopping with more than 10,000 rows.",
        "xgboost": "The defaults of XGBoost with tree_method='hist': depthwise trees of depth 6, "
        "learning rate 0.3, softmax curvature 2p(1 - p).",
        "lightgbm": "The defaults of LightGBM: leafwise trees of 31 leaves, no penalty, 255 bins "
        "of at least 3 rows.",
        "catboost": "The defaults of CatBoost on the CPU: 1000 symmetric trees of depth 6 by its "
        "rule for learning rates, splits ranked by the cosine and with noise, rows sampled by "
        "their gradients for splits and all taken for leaves, several damped Newton steps a leaf.",
        "forest": "The defaults of scikit-learn's RandomForest: trees without a limit, each on rows "
        "drawn with replacement, a node on the square root of the number of columns; the model is "
        "their mean.",
        "dart": "Recipe auto with dropped trees (boosting='dart'), by the defaults of LightGBM's "
        "dart.",
        "plgb": "Piecewise-linear boosting (Shi, Li and Li, 2019): recipe auto with lines in the "
        "leaves of up to 5 columns, whose half-additive fits choose the splits.",
        "tree": "The defaults of scikit-learn's DecisionTree: one tree without a limit, split at "
        "exact values, nothing shrunk or penalised; categories are divided as they are.",
    }
)

#: Every parameter of each recipe.
RECIPES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {name: MappingProxyType(dict(resolve({"recipe": name}).items())) for name in RECIPE_NAMES}
)

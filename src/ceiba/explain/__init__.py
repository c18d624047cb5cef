"""Why a model predicts what it predicts: exact SHAP values, importances by rows."""

from __future__ import annotations

from ceiba.explain.explanation import Explanation
from ceiba.explain.row_importances import permutation_importances, shap_importances
from ceiba.explain.shap_values import contributions, explain
from ceiba.explain.to_shap import to_shap

__all__ = [
    "Explanation",
    "contributions",
    "explain",
    "permutation_importances",
    "shap_importances",
    "to_shap",
]

"""Explanations of predictions: exact SHAP values, importances, partial dependence."""

from __future__ import annotations

from ceiba.explain.dependence import Dependence, partial_dependence
from ceiba.explain.explanation import Explanation
from ceiba.explain.row_importances import permutation_importances, shap_importances
from ceiba.explain.shap_values import contributions, explain
from ceiba.explain.to_shap import to_shap

__all__ = [
    "Dependence",
    "Explanation",
    "contributions",
    "explain",
    "partial_dependence",
    "permutation_importances",
    "shap_importances",
    "to_shap",
]

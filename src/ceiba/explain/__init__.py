"""Why a model predicts what it predicts: importances by rows, dependence on columns."""

from __future__ import annotations

from ceiba.explain.dependence import Dependence, partial_dependence
from ceiba.explain.row_importances import permutation_importances, shap_importances

__all__ = [
    "Dependence",
    "partial_dependence",
    "permutation_importances",
    "shap_importances",
]

"""Why a model predicts what it predicts: importances by rows."""

from __future__ import annotations

from ceiba.explain.row_importances import permutation_importances, shap_importances

__all__ = ["permutation_importances", "shap_importances"]

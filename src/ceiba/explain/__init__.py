"""Why a model predicts what it predicts: exact SHAP values."""

from ceiba.explain.explanation import Explanation
from ceiba.explain.shap_values import contributions, explain
from ceiba.explain.to_shap import to_shap

__all__ = ["Explanation", "contributions", "explain", "to_shap"]

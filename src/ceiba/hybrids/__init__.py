"""Estimators that combine trees with linear models, with the scikit-learn interface.

``base.py`` opens with the life of a hybrid.
"""

from ceiba.hybrids.boosted_linear import BoostedLinearClassifier, BoostedLinearRegressor
from ceiba.hybrids.enhanced_forest import EnhancedForestClassifier, EnhancedForestRegressor
from ceiba.hybrids.linear_tree import LinearTreeClassifier, LinearTreeRegressor

__all__ = [
    "BoostedLinearClassifier",
    "BoostedLinearRegressor",
    "EnhancedForestClassifier",
    "EnhancedForestRegressor",
    "LinearTreeClassifier",
    "LinearTreeRegressor",
]

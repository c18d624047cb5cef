"""Estimators with the scikit-learn interface; ``base.py`` describes the life of an estimator."""

from ceiba.estimators.base import NotFittedError
from ceiba.estimators.classifier import CeibaClassifier
from ceiba.estimators.forest import CeibaForestClassifier, CeibaForestRegressor
from ceiba.estimators.ranker import CeibaRanker
from ceiba.estimators.regressor import CeibaRegressor
from ceiba.estimators.tree import CeibaTreeClassifier, CeibaTreeRegressor

__all__ = [
    "CeibaClassifier",
    "CeibaForestClassifier",
    "CeibaForestRegressor",
    "CeibaRanker",
    "CeibaRegressor",
    "CeibaTreeClassifier",
    "CeibaTreeRegressor",
    "NotFittedError",
]

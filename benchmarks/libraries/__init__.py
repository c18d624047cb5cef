"""`LIBRARIES`: one adapter for each library."""

from benchmarks.libraries._base import Library
from benchmarks.libraries.with_catboost import CatBoost
from benchmarks.libraries.with_ceiba import (
    Ceiba,
    CeibaEstimator,
    CeibaLightGBM,
    CeibaLightGBMAllColumns,
    CeibaXGBoost,
)
from benchmarks.libraries.with_forests import CeibaForest, ScikitLearnForest
from benchmarks.libraries.with_lightgbm import LightGBM, LightGBMQuantized
from benchmarks.libraries.with_scikit_learn import ScikitLearn, ScikitLearnPlain
from benchmarks.libraries.with_xgboost import XGBoost

LIBRARIES: dict[str, Library] = {
    library.name: library
    for library in (
        Ceiba(),
        CeibaEstimator(),
        CeibaXGBoost(),
        CeibaLightGBM(),
        CeibaLightGBMAllColumns(),
        XGBoost(),
        LightGBM(),
        LightGBMQuantized(),
        CatBoost(),
        ScikitLearn(),
        ScikitLearnPlain(),
        CeibaForest(),
        ScikitLearnForest(),
    )
}

__all__ = ["LIBRARIES", "Library"]

"""ceiba through `Dataset` and `train`, and through its estimators."""

from __future__ import annotations

from typing import Any, ClassVar

from benchmarks.libraries._base import Array, Library, class_one
from benchmarks.settings import Settings

OBJECTIVES = {"binary": "logistic", "regression": "squared_error", "multiclass": "softmax"}


def parameters(settings: Settings) -> dict[str, Any]:
    """ceiba parameters."""
    given: dict[str, Any] = {
        "objective": OBJECTIVES[settings.objective],
        "grow_policy": settings.growth,
        "max_leaves": settings.max_leaves,
        "max_depth": settings.max_depth,
        "n_estimators": settings.n_estimators,
        "learning_rate": settings.learning_rate,
        "min_samples_leaf": settings.min_samples_leaf,
        "min_child_weight": settings.min_child_weight,
        "reg_lambda": settings.reg_lambda,
        "n_jobs": settings.threads,
    }
    if settings.method == "hist":
        given["max_bins"] = settings.max_bins
    else:
        given["split_method"] = settings.method
    if settings.method == "approx":
        given["sketch_eps"] = 1 / settings.max_bins
    return given


def _estimator(settings: Settings) -> Any:
    import ceiba

    # The estimator chooses between logistic and softmax by the classes.
    given = {k: v for k, v in parameters(settings).items() if k != "objective"}
    if settings.objective == "regression":
        return ceiba.CeibaRegressor(**given)
    return ceiba.CeibaClassifier(**given)


def _leaves(model: Any) -> int:
    return int((model.forest.arrays()["feature"] < 0).sum())


class Ceiba(Library):
    """`ceiba.train` on a `ceiba.Dataset`."""

    name = "ceiba"
    module = "ceiba"
    estimator_name = "CeibaClassifier"
    ours = True

    def prepare(self) -> None:
        from ceiba import CeibaClassifier, CeibaRegressor, Dataset, train  # noqa: F401

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        import ceiba

        return ceiba.train(parameters(settings), ceiba.Dataset(x, y))

    def predict(self, model: Any, x: Array, settings: Settings) -> Array:
        result: Array = model.predict(x, n_jobs=settings.threads)
        return result

    def predict_batch(self, model: Any, x: Array, settings: Settings) -> Array:
        result: Array = model.predict_raw(x, n_jobs=settings.threads)
        return result

    def count_leaves(self, model: Any) -> int:
        return _leaves(model)

    def estimator(self, settings: Settings) -> Any:
        return _estimator(settings)


class CeibaXGBoost(Ceiba):
    """`ceiba.train` with recipe `xgboost`; uses only rounds and threads of the settings."""

    name = "ceiba_xgboost"
    recipe: ClassVar[dict[str, Any]] = {"recipe": "xgboost"}

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        import ceiba

        keys = ("objective", "n_estimators", "n_jobs")
        given = {key: value for key, value in parameters(settings).items() if key in keys}
        return ceiba.train({**given, **self.recipe}, ceiba.Dataset(x, y))


class CeibaLightGBM(CeibaXGBoost):
    """The same with recipe `lightgbm`."""

    name = "ceiba_lightgbm"
    recipe: ClassVar[dict[str, Any]] = {"recipe": "lightgbm"}


class CeibaLightGBMAllColumns(CeibaXGBoost):
    """The same with recipe `lightgbm` without dropping columns."""

    name = "ceiba_lightgbm_all_columns"
    recipe: ClassVar[dict[str, Any]] = {"recipe": "lightgbm", "drop_hopeless_columns": False}


class CeibaEstimator(Ceiba):
    """`CeibaClassifier` and `CeibaRegressor`, including scikit-learn's checks."""

    name = "ceiba_estimator"

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        return _estimator(settings).fit(x, y)

    def predict(self, model: Any, x: Array, settings: Settings) -> Array:
        if settings.objective == "regression":
            values: Array = model.predict(x)
            return values
        return class_one(model.predict_proba(x), settings)

    def predict_batch(self, model: Any, x: Array, settings: Settings) -> Array:
        if settings.objective == "regression":
            return self.predict(model, x, settings)
        result: Array = model.decision_function(x)
        return result

    def count_leaves(self, model: Any) -> int:
        return _leaves(model.model_)

"""XGBoost through `QuantileDMatrix` and `train`, its faster input.

Tree methods that need the original values use a plain `DMatrix`.
"""

from __future__ import annotations

from typing import Any

from benchmarks.libraries._base import Array, Library
from benchmarks.settings import Settings

OBJECTIVES = {
    "binary": "binary:logistic",
    "regression": "reg:squarederror",
    "multiclass": "multi:softprob",
}


def parameters(settings: Settings) -> dict[str, Any]:
    """XGBoost parameters. It has no symmetric trees; depthwise growth replaces them."""
    leafwise = settings.growth == "leafwise"
    given: dict[str, Any] = {
        "objective": OBJECTIVES[settings.objective],
        "tree_method": settings.method,
        "grow_policy": "lossguide" if leafwise else "depthwise",
        "max_leaves": settings.max_leaves if leafwise else 0,
        "max_depth": settings.max_depth,
        "learning_rate": settings.learning_rate,
        "max_bin": settings.max_bins,
        "min_child_weight": settings.min_child_weight,
        "reg_lambda": settings.reg_lambda,
        "nthread": settings.threads,
    }
    if settings.objective == "multiclass":
        given["num_class"] = settings.n_classes
    return given


class XGBoost(Library):
    """Booster interface."""

    name = "xgboost"
    module = "xgboost"
    estimator_name = "XGBClassifier"

    def prepare(self) -> None:
        import xgboost  # noqa: F401

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        import xgboost

        if settings.method == "hist":
            data = xgboost.QuantileDMatrix(
                x,
                label=y,
                max_bin=settings.max_bins,
                nthread=settings.threads,
                enable_categorical=settings.categories,
            )
        else:
            data = xgboost.DMatrix(x, label=y, nthread=settings.threads)
        return xgboost.train(parameters(settings), data, num_boost_round=settings.n_estimators)

    def predict(self, model: Any, x: Array, settings: Settings) -> Array:
        if settings.categories:
            return self._predict_frame(model, x, settings, output_margin=False)
        result: Array = model.inplace_predict(x)
        return result

    def _predict_frame(
        self, model: Any, x: Any, settings: Settings, *, output_margin: bool
    ) -> Array:
        import xgboost

        data = xgboost.DMatrix(x, nthread=settings.threads, enable_categorical=True)
        result: Array = model.predict(data, output_margin=output_margin)
        return result

    def predict_batch(self, model: Any, x: Array, settings: Settings) -> Array:
        if settings.categories:
            return self._predict_frame(model, x, settings, output_margin=True)
        result: Array = model.inplace_predict(x, predict_type="margin")
        return result

    def count_leaves(self, model: Any) -> int:
        return sum(tree.count("leaf=") for tree in model.get_dump())

    def estimator(self, settings: Settings) -> Any:
        import xgboost

        given = parameters(settings)
        given["n_jobs"] = given.pop("nthread")
        return xgboost.XGBClassifier(
            n_estimators=settings.n_estimators, enable_categorical=settings.categories, **given
        )

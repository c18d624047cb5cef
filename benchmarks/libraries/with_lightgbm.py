"""LightGBM through `Dataset` and `train`, with plain and with quantized gradients."""

from __future__ import annotations

from typing import Any, ClassVar

from benchmarks.libraries._base import Array, Library
from benchmarks.settings import Settings

OBJECTIVES = {"binary": "binary", "regression": "regression", "multiclass": "multiclass"}


def parameters(settings: Settings) -> dict[str, Any]:
    """LightGBM parameters. LightGBM grows leafwise; a depth limit makes other growth policies."""
    given: dict[str, Any] = {
        "objective": OBJECTIVES[settings.objective],
        "num_leaves": settings.max_leaves,
        "max_depth": settings.max_depth or -1,
        "learning_rate": settings.learning_rate,
        "max_bin": settings.max_bins,
        "min_data_in_leaf": settings.min_samples_leaf,
        "min_sum_hessian_in_leaf": settings.min_child_weight,
        "lambda_l2": settings.reg_lambda,
        "num_threads": settings.threads,
        "verbosity": -1,
    }
    if settings.objective == "multiclass":
        given["num_class"] = settings.n_classes
    return given


class LightGBM(Library):
    """Booster interface, float gradients."""

    name = "lightgbm"
    module = "lightgbm"
    estimator_name = "LGBMClassifier"
    extra: ClassVar[dict[str, Any]] = {}

    def prepare(self) -> None:
        import lightgbm  # noqa: F401

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        import lightgbm

        given = parameters(settings) | self.extra
        data = lightgbm.Dataset(x, label=y, params=given)
        return lightgbm.train(given, data, num_boost_round=settings.n_estimators)

    def predict(self, model: Any, x: Array, settings: Settings) -> Array:
        result: Array = model.predict(x, num_threads=settings.threads)
        return result

    def predict_batch(self, model: Any, x: Array, settings: Settings) -> Array:
        result: Array = model.predict(x, raw_score=True, num_threads=settings.threads)
        return result

    def count_leaves(self, model: Any) -> int:
        return sum(tree["num_leaves"] for tree in model.dump_model()["tree_info"])

    def estimator(self, settings: Settings) -> Any:
        import lightgbm

        given = parameters(settings) | self.extra
        given["n_jobs"] = given.pop("num_threads")
        return lightgbm.LGBMClassifier(n_estimators=settings.n_estimators, **given)


class LightGBMQuantized(LightGBM):
    """Booster interface, gradients rounded to a few levels."""

    name = "lightgbm_quantized"
    extra: ClassVar[dict[str, Any]] = {"use_quantized_grad": True}

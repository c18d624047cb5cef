"""CatBoost through `Pool` and `fit`, with all optional work switched off."""

from __future__ import annotations

from typing import Any

from benchmarks.libraries._base import Array, Library, class_one
from benchmarks.settings import Settings

OBJECTIVES = {"binary": "Logloss", "regression": "RMSE", "multiclass": "MultiClass"}
POLICIES = {"leafwise": "Lossguide", "depthwise": "Depthwise", "symmetric": "SymmetricTree"}
DEEPEST = 16  # CatBoost's maximum depth


def parameters(settings: Settings) -> dict[str, Any]:
    """CatBoost parameters: plain boosting, no randomness, one Newton step."""
    given: dict[str, Any] = {
        "loss_function": OBJECTIVES[settings.objective],
        "grow_policy": POLICIES[settings.growth],
        "depth": settings.max_depth or DEEPEST,
        "iterations": settings.n_estimators,
        "learning_rate": settings.learning_rate,
        "border_count": settings.max_bins - 1,
        "l2_leaf_reg": settings.reg_lambda,
        "boosting_type": "Plain",
        "bootstrap_type": "No",
        "random_strength": 0.0,
        "leaf_estimation_iterations": 1,
        "thread_count": settings.threads,
        "allow_writing_files": False,
        "verbose": False,
    }
    if settings.growth == "leafwise":
        given["max_leaves"] = settings.max_leaves
    if settings.growth != "symmetric":
        given["min_data_in_leaf"] = settings.min_samples_leaf
    return given


class CatBoost(Library):
    """The plain `CatBoost` class on a `Pool`."""

    name = "catboost"
    module = "catboost"
    estimator_name = "CatBoostClassifier"

    def prepare(self) -> None:
        import catboost  # noqa: F401

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        import catboost

        pool = catboost.Pool(x, label=y, thread_count=settings.threads)
        return catboost.CatBoost(parameters(settings)).fit(pool)

    def predict(self, model: Any, x: Array, settings: Settings) -> Array:
        if settings.objective == "regression":
            return self.predict_batch(model, x, settings)
        probabilities: Array = model.predict(
            x, prediction_type="Probability", thread_count=settings.threads
        )
        return class_one(probabilities, settings)

    def predict_batch(self, model: Any, x: Array, settings: Settings) -> Array:
        result: Array = model.predict(
            x, prediction_type="RawFormulaVal", thread_count=settings.threads
        )
        return result

    def count_leaves(self, model: Any) -> int:
        # A multiclass tree of CatBoost has vector leaves for all classes. Each counts once: the
        # number of leaves is smaller, and so is the share of allowed leaves.
        return int(sum(model.get_tree_leaf_counts()))

    def estimator(self, settings: Settings) -> Any:
        import catboost

        return catboost.CatBoostClassifier(**parameters(settings))

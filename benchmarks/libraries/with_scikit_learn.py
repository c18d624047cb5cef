"""scikit-learn's gradient boosting, histogram and plain; threads come from OMP_NUM_THREADS."""

from __future__ import annotations

from typing import Any

from benchmarks.libraries._base import Array, Library, class_one
from benchmarks.settings import Settings


def parameters(settings: Settings) -> dict[str, Any]:
    """scikit-learn parameters. It grows leafwise; a depth limit makes other growth policies."""
    return {
        "max_iter": settings.n_estimators,
        "learning_rate": settings.learning_rate,
        "max_leaf_nodes": settings.max_leaves,
        "max_depth": settings.max_depth or None,
        "min_samples_leaf": settings.min_samples_leaf,
        "l2_regularization": settings.reg_lambda,
        "max_bins": settings.max_bins,
        "early_stopping": False,
    }


class ScikitLearn(Library):
    """HistGradientBoosting estimators."""

    name = "scikit-learn"
    module = "sklearn.ensemble"
    estimator_name = "HistGradientBoostingClassifier"

    def prepare(self) -> None:
        import sklearn.ensemble  # noqa: F401

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        if settings.objective == "regression":
            return HistGradientBoostingRegressor(**parameters(settings)).fit(x, y)
        return HistGradientBoostingClassifier(**parameters(settings)).fit(x, y)

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
        return sum(tree.get_n_leaf_nodes() for trees in model._predictors for tree in trees)

    def estimator(self, settings: Settings) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(**parameters(settings))


class ScikitLearnPlain(ScikitLearn):
    """GradientBoosting estimators, which try every value and use one thread."""

    name = "scikit-learn_gbm"
    estimator_name = "GradientBoostingClassifier"

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        return self.estimator(settings).fit(x, y)

    def count_leaves(self, model: Any) -> int:
        return sum(int(tree.get_n_leaves()) for trees in model.estimators_ for tree in trees)

    def estimator(self, settings: Settings) -> Any:
        from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

        kind = GradientBoostingClassifier
        if settings.objective == "regression":
            kind = GradientBoostingRegressor
        return kind(
            n_estimators=settings.n_estimators,
            learning_rate=settings.learning_rate,
            max_depth=settings.max_depth or None,
            max_leaf_nodes=settings.max_leaves if settings.growth == "leafwise" else None,
            min_samples_leaf=settings.min_samples_leaf,
        )

"""Random forests: ceiba's and scikit-learn's."""

from __future__ import annotations

from typing import Any

from benchmarks.libraries._base import Array, Library, class_one
from benchmarks.settings import Settings


def parameters(settings: Settings) -> dict[str, Any]:
    """Parameters of both libraries: ceiba has scikit-learn's names."""
    return {
        "n_estimators": settings.n_estimators,
        "max_features": "sqrt",
        "min_samples_leaf": settings.min_samples_leaf,
        "n_jobs": settings.threads,
        "random_state": 0,
    }


class ScikitLearnForest(Library):
    """RandomForestClassifier."""

    name = "scikit-learn_forest"
    module = "sklearn.ensemble"
    estimator_name = "RandomForestClassifier"

    def prepare(self) -> None:
        import sklearn.ensemble  # noqa: F401

    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        return self.estimator(settings).fit(x, y)

    def predict(self, model: Any, x: Array, settings: Settings) -> Array:
        return class_one(model.predict_proba(x), settings)

    def predict_batch(self, model: Any, x: Array, settings: Settings) -> Array:
        return self.predict(model, x, settings)

    def count_leaves(self, model: Any) -> int:
        return sum(int(tree.get_n_leaves()) for tree in model.estimators_)

    def estimator(self, settings: Settings) -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(**parameters(settings))


class CeibaForest(ScikitLearnForest):
    """CeibaForestClassifier."""

    name = "ceiba_forest"
    module = "ceiba"
    estimator_name = "CeibaForestClassifier"
    ours = True

    def prepare(self) -> None:
        from ceiba import CeibaForestClassifier  # noqa: F401

    def count_leaves(self, model: Any) -> int:
        return int((model.model_.forest.arrays()["feature"] < 0).sum())

    def estimator(self, settings: Settings) -> Any:
        from ceiba import CeibaForestClassifier

        return CeibaForestClassifier(**parameters(settings))

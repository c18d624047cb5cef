"""Methods of fitted estimators: predictions, importances, metrics, files.

They check the columns like scikit-learn (``columns.py``), then call ``model_``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Literal, Self

import numpy as np
from sklearn import exceptions

from ceiba.errors import CeibaError, InvalidInputError
from ceiba.estimators.class_or_instance import loads_model
from ceiba.estimators.columns import check_columns
from ceiba.estimators.inspection import InspectionMixin
from ceiba.estimators.parameters import ParameterHolder
from ceiba.estimators.recorded import recorded_parameters
from ceiba.explain.shap_values import explain
from ceiba.model.load import load_model
from ceiba.model.model import Model
from ceiba.model.output import Asked, asked_for
from ceiba.model.predict import is_plain, table_for
from ceiba.parameters import BY_NAME

if TYPE_CHECKING:
    import os
    from typing import Unpack

    from numpy.typing import NDArray

    from ceiba.explain.explanation import Explanation
    from ceiba.explain.shap_values import ExplainedOutput
    from ceiba.export.formats import ExportCheck, FormatName
    from ceiba.parameters.typed import PredictKeywords

__all__ = ["ESTIMATORS", "FittedEstimator", "NotFittedError"]

#: Estimators for the objectives of each task.
ESTIMATORS = {
    "regression": "CeibaRegressor",
    "binary": "CeibaClassifier",
    "multiclass": "CeibaClassifier",
    "multilabel": "CeibaClassifier",
    "ranking": "CeibaRanker",
    "custom": "CeibaRegressor, CeibaClassifier",
}


class NotFittedError(CeibaError, exceptions.NotFittedError):  # type: ignore[misc]
    """The estimator has not been fitted yet.

    >>> from ceiba import CeibaRegressor, NotFittedError
    >>> try:
    ...     CeibaRegressor().predict([[1.0]])
    ... except NotFittedError as error:
    ...     print(error)
    This CeibaRegressor instance is not fitted yet. Call 'fit' (or 'load_model') first.
    """


class FittedEstimator(InspectionMixin, ParameterHolder):
    """Methods of fitted estimators."""

    #: Tasks of the objectives that the estimator supports.
    _tasks: ClassVar[tuple[str, ...]]

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in vars(self)

    def _set_model(self, model: Model) -> Self:
        """Set the fitted model and the attributes derived from it."""
        self.model_ = model
        self.n_features_in_: int = len(model.schema.names)
        self.best_iteration_: int = model.best_iteration
        self.n_iter_: int = model.best_iteration + 1
        self.evals_result_: dict[str, dict[str, list[float]]] = {
            name: {metric: list(values) for metric, values in metrics.items()}
            for name, metrics in model.history.items()
        }
        self.best_score_: dict[str, dict[str, float]] = {
            name: dict(metrics) for name, metrics in model.best_score.items()
        }
        if model.schema.named:
            self.feature_names_in_: NDArray[Any] = np.array(model.schema.names, dtype=object)
        elif "feature_names_in_" in vars(self):
            del self.feature_names_in_
        return self

    def _fitted(self) -> Model:
        model: Model | None = vars(self).get("model_")
        if model is None:
            name = type(self).__name__
            raise NotFittedError(
                f"This {name} instance is not fitted yet. Call 'fit' (or 'load_model') first."
            )
        return model

    def _ready(self, X: Any) -> tuple[Model, Any]:
        """Check the columns of X; return the model and X."""
        model = self._fitted()
        if is_plain(X, model.schema) and not model.schema.named:
            return model, X
        table = table_for(X, model.schema)
        check_columns(table, model.schema, type(self).__name__)
        return model, table

    # ---- prediction ------------------------------------------------------------------------------

    def predict(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
        **other_names: Unpack[PredictKeywords],
    ) -> NDArray[Any]:
        """Return the prediction of each row.

        ``iteration_range=(begin, end)`` uses the trees of these rounds only, and ``n_jobs`` sets
        the number of threads, by default that of the estimator. Arguments of other libraries, such
        as ``raw_score`` or ``num_iteration``, are accepted too.
        """
        model, X = self._ready(X)
        n_jobs = self._n_jobs() if n_jobs is None else n_jobs
        if not other_names:  # fast path: the overhead matters for single rows
            return self._predicted(model, X, iteration_range, n_jobs)
        asked = asked_for(model.n_iterations, iteration_range, n_jobs, other_names)
        return self._answer(model, X, asked)

    def _predicted(self, model: Model, X: Any, rounds: Any, n_jobs: int | None) -> NDArray[Any]:
        """Return the default prediction of this kind of estimator."""
        return model.predict(X, iteration_range=rounds, n_jobs=n_jobs)

    def _answer(self, model: Model, X: Any, asked: Asked) -> NDArray[Any]:
        return model.answer(X, asked)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the predictions after each round."""
        model, X = self._ready(X)
        yield from model.staged_predict(X, n_jobs=self._n_jobs())

    def apply(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
        **other_names: Unpack[PredictKeywords],
    ) -> NDArray[np.int32]:
        """Return the leaf, as a node number, that each row reaches in each tree.

        ``iteration_range=(begin, end)`` looks at the trees of these rounds only.
        """
        model, X = self._ready(X)
        n_jobs = self._n_jobs() if n_jobs is None else n_jobs
        asked = asked_for(model.n_iterations, iteration_range, n_jobs, other_names)
        return model.apply(X, iteration_range=asked.iteration_range, n_jobs=asked.n_jobs)

    def explain(
        self,
        X: Any,
        *,
        background: Any = None,
        interactions: bool = False,
        iteration_range: tuple[int, int] | None = None,
        output: ExplainedOutput = "raw",
    ) -> Explanation:
        """Explain predictions: what every column adds to the raw score of every row (SHAP).

        :meth:`ceiba.Model.explain` says what the arguments mean. Raw scores are those of
        ``decision_function`` of a classifier; two classes with a score each have values for both.
        """
        model, X = self._ready(X)
        if background is not None:
            background = self._ready(background)[1]
        return explain(
            model,
            X,
            background=background,
            interactions=interactions,
            iteration_range=iteration_range,
            output=output,
            n_jobs=self._n_jobs(),
        )

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Importance of each column, adding up to 1; ``importance_type`` says which kind.

        ``model_.feature_importances(kind)`` returns them unscaled, and ``importances()`` a table
        of all of them by name.
        """
        kind = self._parameter("importance_type") or BY_NAME["importance_type"].default
        values: NDArray[np.float64] = self._fitted().feature_importances(kind)
        total = float(values.sum())
        return values / total if total > 0 else values

    # ---- files -----------------------------------------------------------------------------------

    def save_model(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write the fitted model to a file; see :meth:`ceiba.Model.save`."""
        self._fitted().save(path)

    def export(
        self,
        path: str | os.PathLike[str],
        format: FormatName,
        *,
        inputs: Literal["columns", "matrix"] | None = None,
        dtype: Literal["float64", "float32"] | None = None,
        name: str | None = None,
    ) -> ExportCheck:
        """Write the fitted model as ONNX, LightGBM text, C or Python, and check the file.

        :meth:`ceiba.Model.export` describes the arguments and the returned check.
        """
        model = self._fitted()
        check: ExportCheck = model.export(path, format, inputs=inputs, dtype=dtype, name=name)
        return check

    @loads_model
    def load_model(self, path: str | os.PathLike[str] | BinaryIO) -> Self:
        """Read a model file and predict with it; the parameters stay as they are.

        Also a method of the class: ``CeibaClassifier.load_model(path)`` returns an estimator with
        the parameters of the training, such as ``n_estimators``, where they differ from their
        defaults. It leaves out values that were found from the data or by the race of recipe auto,
        ``n_jobs``, ``verbose``, ``eval_metric`` and functions.
        """
        return self._set_model(self._check_model(load_model(path)))

    def _take_recorded(self) -> None:
        """Set the parameters that the model records."""
        self.set_params(**recorded_parameters(self._fitted(), self._get_param_names()))

    def _check_model(self, model: Model) -> Model:
        if model.objective.task not in self._tasks:
            raise InvalidInputError(
                f"The file holds a model with objective {model.objective.name}. Load it with "
                f"{ESTIMATORS[model.objective.task]} or ceiba.load_model."
            )
        return model

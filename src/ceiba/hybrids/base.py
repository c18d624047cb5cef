"""Base classes of the hybrids: table reading, parameter checks, model files.

The life of a hybrid:

1. The constructor stores the parameters and does nothing else.
2. ``fit`` checks the parameters (:data:`OPTIONS` and those of the class), reads the table and puts
   the rows into canonical order (``rows.py``). ``_learn`` trains on them and returns the fitted
   model: an object with ``scores(values)``, ``stored()`` and the class method ``restored``.
3. Prediction methods check the columns like every estimator, then call ``model_.scores``.
4. ``save_model`` writes the result of ``stored`` to one file with a checksum; ``load_model``
   restores the model from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from ceiba import _core
from ceiba.data.from_sparse import is_sparse
from ceiba.data.named_target import part_target
from ceiba.data.read_table import read_table
from ceiba.data.row_values import read_weights
from ceiba.data.schema import Schema
from ceiba.data.table import Table
from ceiba.errors import (
    CeibaError,
    InvalidInputError,
    InvalidParameterError,
    InvalidTypeError,
    ModelFileError,
)
from ceiba.estimators.class_or_instance import loads_model
from ceiba.estimators.columns import check_columns
from ceiba.estimators.explicit import ChecksNames
from ceiba.estimators.fitted import NotFittedError
from ceiba.estimators.rows import check_lengths
from ceiba.estimators.targets import (
    find_classes,
    has_several,
    read_column,
    read_numbers,
    weigh_classes,
)
from ceiba.export.formats import export_described
from ceiba.hybrids.blas_threads import single_threaded_blas
from ceiba.hybrids.file import Stored, decode_hybrid, digest_of, encode_hybrid
from ceiba.hybrids.inspection import InspectedHybrid
from ceiba.hybrids.linear_models import PENALTIES, Penalty
from ceiba.hybrids.rows import TrainingRows, canonical_rows, values_of
from ceiba.model.checksum import ADVICE, reason
from ceiba.model.file_objects import read_model, write_model
from ceiba.model.lazy_imports import lazy_module
from ceiba.model.predict import table_for
from ceiba.parameters import BY_NAME
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Boolean, Constraint, Integer, OneOf, Real, check_value

if TYPE_CHECKING:
    import os

    from ceiba.export.described import Described
    from ceiba.export.formats import ExportCheck, FormatName
    from ceiba.model.model import Model

__all__ = ["OPTIONS", "BaseHybrid", "HybridClassifier", "HybridRegressor", "columns_of"]

Floats = NDArray[np.float64]

#: Parameters of all hybrids. None is valid where it is the default of the constructor.
OPTIONS: Mapping[str, Constraint] = {
    "penalty": OneOf(
        PENALTIES, {"l2": "ridge", "l1": "lasso", "elastic_net": "elasticnet", "ols": "none"}
    ),
    "alpha": Real(0.0),
    "C": Real(0.0, includes_low=False),
    "l1_ratio": Real(0.0, 1.0),
    "standardize": Boolean(),
    "linear_max_iter": Integer(1),
    "n_jobs": BY_NAME["n_jobs"].constraint,
    "random_state": BY_NAME["random_state"].constraint,
}

#: Minimum size of a leaf: a number of rows, or a fraction of all rows.
LEAF_ROWS = Either(
    (Integer(1), Real(0.0, 1.0, includes_low=False, includes_high=False)),
    "an integer >= 1 or a fraction of the rows between 0 and 1",
)


class FittedHybrid(Protocol):
    """Interface of a fitted model: predict and store."""

    def scores(self, values: Floats) -> Floats:
        """Return the predictions: numbers [n] or probabilities [n, classes]."""
        ...

    def stored(self) -> Stored:
        """Return the content of the model file."""
        ...

    def models(self) -> Mapping[str, Model]:
        """Return the ceiba models that it contains, by the name of their array."""
        ...


class BaseHybrid(InspectedHybrid, ChecksNames):
    """Base class of all hybrids: fitting, model files and parameter checks."""

    #: Parameters of this class besides :data:`OPTIONS`.
    _options: ClassVar[Mapping[str, Constraint]] = {}
    #: The class of the fitted model.
    _model_class: ClassVar[type[Any]]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in vars(self)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            numpy array, pandas, polars or arrow table, or list of rows. NaN means missing.
        y : array of shape (n_rows,) or name of a column of X
            Target: numbers for a regressor, labels for a classifier.
        sample_weight : array of shape (n_rows,), optional
            Weights. A row of weight k counts as k rows; rows of weight 0 are ignored.
        """
        options = self._checked()
        X, y = part_target(X, y)
        self._refuse_sparse(X)
        table = read_table(X, categorical=self._categorical())
        with single_threaded_blas():
            model = self._fit_table(table, y, sample_weight, options)
        return self._set_model(model)

    def _fit_table(
        self, table: Table, y: Any, sample_weight: Any, options: Mapping[str, Any]
    ) -> Any:
        raise NotImplementedError

    def _learn(
        self, rows: TrainingRows, classes: NDArray[Any] | None, options: Mapping[str, Any]
    ) -> Any:
        """Train on rows in canonical order and return the fitted model."""
        raise NotImplementedError

    def save_model(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write the fitted model to one file with a checksum.

        If writing fails, an existing file stays unchanged.

        ``load_model`` of the same class reads it.
        """
        parameters = self.get_params(deep=False)
        write_model(path, encode_hybrid(type(self).__name__, self._fitted().stored(), parameters))

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

        :meth:`ceiba.Model.export` describes the arguments and the returned check. The guide
        "Export" lists what a format cannot express.
        """
        described = lazy_module("hybrids.described").described_hybrid
        model: Described = described(self._fitted(), type(self).__name__)
        options = {"inputs": inputs, "dtype": dtype, "name": name}
        return export_described(model, path, format, options)

    @loads_model
    def load_model(self, path: str | os.PathLike[str] | BinaryIO) -> Self:
        """Load a model file into this estimator. Its parameters do not change.

        Called on the class, ``LinearTreeRegressor.load_model(path)`` returns an estimator with
        default parameters. A damaged file raises :class:`ceiba.errors.ModelFileError`.
        """
        stored = decode_hybrid(read_model(path), type(self).__name__)
        try:
            model = self._model_class.restored(stored)
        except (KeyError, TypeError, ValueError, OverflowError, IndexError) as error:
            if isinstance(error, CeibaError):
                raise
            raise ModelFileError(f"The model file is damaged: {reason(error)}. {ADVICE}") from error
        return self._set_model(model)

    def fingerprint(self) -> str:
        """Return the SHA-256 of everything that predictions depend on.

        The fingerprint depends neither on the number of threads nor on the order of the training
        rows. Saving and loading a model keeps it.
        """
        model = self._fitted()
        return digest_of(type(self).__name__, model.stored(), model.models())

    # ---- shared by the subclasses ----------------------------------------------------------------

    def _checked(self) -> dict[str, Any]:
        """Return the parameters after checking each of them."""
        known = {**OPTIONS, **self._options}
        defaults = type(self)().get_params(deep=False)
        options = {}
        for name, value in self.get_params(deep=False).items():
            if name in known and not (value is None and defaults[name] is None):
                value = check_value(name, known[name], value)
            options[name] = value
        return options

    def _penalty(self, options: Mapping[str, Any]) -> Penalty:
        """Return the penalty of the linear models."""
        strength = options["alpha"] if "alpha" in options else 1.0 / options["C"]
        return Penalty(
            options["penalty"],
            strength,
            options["l1_ratio"],
            options["linear_max_iter"],
            options["standardize"],
        )

    def _categorical(self) -> Any:
        given = self.categorical_features
        if isinstance(given, str) and given not in ("auto", "none"):
            raise InvalidParameterError(
                "categorical_features must be 'auto', 'none' or a list of columns. Got "
                f"{given!r}. Give [{given!r}] for one column."
            )
        return given

    def _refuse_sparse(self, X: Any) -> None:
        if is_sparse(X):
            raise InvalidTypeError(
                f"{type(self).__name__} needs dense data, because its linear models read every "
                "value. Got a sparse matrix. Use X.toarray(), or use CeibaRegressor or "
                "CeibaClassifier, which accept sparse data."
            )

    def _set_model(self, model: Any) -> Self:
        """Set the fitted model and the attributes derived from it."""
        self.model_ = model
        schema: Schema = model.schema
        self.n_features_in_: int = schema.n_features
        if schema.named:
            self.feature_names_in_: NDArray[Any] = np.array(schema.names, dtype=object)
        elif "feature_names_in_" in vars(self):
            del self.feature_names_in_
        return self

    def _fitted(self) -> Any:
        model = vars(self).get("model_")
        if model is None:
            name = type(self).__name__
            raise NotFittedError(
                f"This {name} instance is not fitted yet. Call 'fit' (or 'load_model') first."
            )
        return model

    def _checked_rows(self, X: Any) -> tuple[Any, Floats]:
        """Check the columns of X; return the fitted model and the values of the rows."""
        model = self._fitted()
        self._refuse_sparse(X)
        table = table_for(X, model.schema)
        check_columns(table, model.schema, type(self).__name__)
        return model, values_of(table.arranged(model.schema))


class HybridRegressor(RegressorMixin, BaseHybrid):  # type: ignore[misc]
    """Base class of the hybrid regressors."""

    def _fit_table(
        self, table: Table, y: Any, sample_weight: Any, options: Mapping[str, Any]
    ) -> Any:
        target = read_numbers(_one_column(y), type(self).__name__)
        check_lengths(table, target)
        rows = canonical_rows(table, target, sample_weight)
        return self._learn(rows, None, options)

    def predict(self, X: Any) -> Floats:
        """Return the predicted value of each row."""
        model, values = self._checked_rows(X)
        predicted: Floats = model.scores(values)
        return predicted

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R² of the predictions. ``y`` may be the name of a column of X."""
        X, y = part_target(X, y)
        return float(super().score(X, y, sample_weight))


class HybridClassifier(ClassifierMixin, BaseHybrid):  # type: ignore[misc]
    """Base class of the hybrid classifiers."""

    def _fit_table(
        self, table: Table, y: Any, sample_weight: Any, options: Mapping[str, Any]
    ) -> Any:
        labels = read_column(_one_column(y), type(self).__name__)
        check_lengths(table, labels)
        weights = None
        if sample_weight is not None:
            weights = read_weights(sample_weight, len(labels), "sample_weight")
        classes, target = find_classes(labels, weights)
        weights = weigh_classes(options["class_weight"], classes, target, weights)
        rows = canonical_rows(table, target, weights)
        return self._learn(rows, classes, options)

    def _set_model(self, model: Any) -> Self:
        self.classes_: NDArray[Any] = np.array(model.classes)
        return super()._set_model(model)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, in the order of ``classes_``."""
        model, values = self._checked_rows(X)
        probabilities: Floats = model.scores(values)
        return probabilities

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            logarithms: Floats = _core.log(self.predict_proba(X))
        return logarithms

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row. Ties go to the first class."""
        probabilities = self.predict_proba(X)
        predicted: NDArray[Any] = self.classes_.take(probabilities.argmax(axis=1))
        return predicted

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy of the predictions. ``y`` may be the name of a column of X."""
        X, y = part_target(X, y)
        return float(super().score(X, y, sample_weight))


def columns_of(given: Any, schema: Schema, called: str) -> list[int]:
    """Return the positions of the columns listed by parameter ``called``; None means all."""
    if given is None:
        return list(range(schema.n_features))
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InvalidParameterError(
            f"{called} must be a list of columns, by name or position. Got {given!r}. Use "
            f"[{given!r}] for one column."
        )
    wrong = [
        one for one in given if isinstance(one, bool) or not isinstance(one, str | int | np.integer)
    ]
    if wrong:
        raise InvalidParameterError(
            f"{called} must list columns by name or position. Got {wrong[0]!r} in the list."
        )
    return sorted({schema.position_of(column, called) for column in given})


def min_leaf_weight(min_samples_leaf: float, weights: Floats) -> float:
    """Return ``min_samples_leaf`` as a minimum sum of weights.

    If the mean weight is below 1 (for example weights that sum to 1), one row counts as the mean.
    """
    total = float(weights.sum())
    if isinstance(min_samples_leaf, int):
        return min_samples_leaf * min(1.0, total / len(weights))
    return min_samples_leaf * total


def _one_column(y: Any) -> Any:
    if has_several(y):
        raise InvalidInputError(
            "y must be one column: a hybrid has one target. Got several columns. Fit one "
            "hybrid per column, for example with sklearn.multioutput.MultiOutputRegressor."
        )
    return y

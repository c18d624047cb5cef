"""What the hybrids share: reading tables, checking parameters, files.

The life of a hybrid:

1. the constructor stores what the user wrote, and nothing else;
2. ``fit`` checks the parameters (:data:`OPTIONS` and those of the class), reads the table, puts the
   rows into their canonical order (``rows.py``), and hands them to ``_learn``, which returns the
   fitted model: an object with ``scores(values)``, ``stored()`` and the class method ``restored``;
3. predictions check the columns as every estimator does, and ask the model;
4. ``save_model`` writes what ``stored`` returns to one file with a checksum, and ``load_model``
   makes the model of it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Protocol, Self

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
from ceiba.hybrids.blas_threads import single_threaded_blas
from ceiba.hybrids.file import Stored, decode_hybrid, digest_of, encode_hybrid
from ceiba.hybrids.inspection import InspectedHybrid
from ceiba.hybrids.linear_models import PENALTIES, Penalty
from ceiba.hybrids.rows import LearnedRows, canonical_rows, values_of
from ceiba.model.checksum import ADVICE, reason
from ceiba.model.file_objects import read_model, write_model
from ceiba.model.predict import count_threads, table_for
from ceiba.parameters import BY_NAME
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Boolean, Constraint, Integer, OneOf, Real, check_value

if TYPE_CHECKING:
    import os

    from ceiba.model.model import Model

__all__ = ["OPTIONS", "BaseHybrid", "HybridClassifier", "HybridRegressor", "columns_of"]

Floats = NDArray[np.float64]

#: Parameters that all hybrids have. None is allowed where a constructor has it as its default.
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

#: Rows that a leaf must have: a number of them, or a share of all rows.
LEAF_ROWS = Either(
    (Integer(1), Real(0.0, 1.0, includes_low=False, includes_high=False)),
    "an integer, 1 or more, or a share of the rows between 0 and 1",
)


class FittedHybrid(Protocol):
    """What is left of a training."""

    def scores(self, values: Floats) -> Floats:
        """Return what is predicted of rows: numbers [n], or probabilities [n, classes]."""
        ...

    def stored(self) -> Stored:
        """Return everything that a file must hold."""
        ...

    def models(self) -> Mapping[str, Model]:
        """Return the models of the engine among it, by the name of their array."""
        ...


class BaseHybrid(InspectedHybrid, ChecksNames):
    """What hybrids for numbers and for classes share."""

    #: Parameters of this hybrid besides those that all have.
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
            Target: numbers of a regressor, labels of a classifier.
        sample_weight : array of shape (n_rows,), optional
            Weights; a row of weight k counts as k rows, one of weight 0 as none.
        """
        options = self._checked()
        X, y = part_target(X, y)
        self._refuse_sparse(X)
        table = read_table(X, categorical=self._categorical())
        with single_threaded_blas():
            model = self._fit_table(table, y, sample_weight, options)
        return self._take(model)

    def _fit_table(
        self, table: Table, y: Any, sample_weight: Any, options: Mapping[str, Any]
    ) -> Any:
        raise NotImplementedError

    def _learn(
        self, rows: LearnedRows, classes: NDArray[Any] | None, options: Mapping[str, Any]
    ) -> Any:
        """Return the fitted model of canonical rows."""
        raise NotImplementedError

    def save_model(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write the fitted model to one file, with a checksum; what was there is kept on failure.

        ``load_model`` of the same class reads it.
        """
        parameters = self.get_params(deep=False)
        write_model(path, encode_hybrid(type(self).__name__, self._fitted().stored(), parameters))

    @loads_model
    def load_model(self, path: str | os.PathLike[str] | BinaryIO) -> Self:
        """Read a model file and predict with it; the parameters stay as they are.

        Also a method of the class: ``LinearTreeRegressor.load_model(path)`` returns an estimator
        with default parameters.

        A damaged file never loads: :class:`ceiba.errors.ModelFileError` says what is wrong.
        """
        stored = decode_hybrid(read_model(path), type(self).__name__)
        try:
            model = self._model_class.restored(stored)
        except (KeyError, TypeError, ValueError, OverflowError, IndexError) as error:
            if isinstance(error, CeibaError):
                raise
            raise ModelFileError(f"The model file is damaged: {reason(error)}. {ADVICE}") from error
        return self._take(model)

    def fingerprint(self) -> str:
        """Return the SHA-256 of all that decides a prediction.

        Neither threads nor the order of rows change it, and a loaded model has the same one.
        """
        model = self._fitted()
        return digest_of(type(self).__name__, model.stored(), model.models())

    # ---- what the others need --------------------------------------------------------------------

    def _checked(self) -> dict[str, Any]:
        """Return every parameter, checked."""
        known = {**OPTIONS, **self._options}
        defaults = type(self)().get_params(deep=False)
        options = {}
        for name, value in self.get_params(deep=False).items():
            if name in known and not (value is None and defaults[name] is None):
                value = check_value(name, known[name], value)
            options[name] = value
        return options

    def _penalty(self, options: Mapping[str, Any]) -> Penalty:
        """Return what holds coefficients back."""
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
                f"Sparse data was passed, and {type(self).__name__} needs dense data: its linear "
                "part reads every value. Use X.toarray(), or a CeibaRegressor or CeibaClassifier, "
                "which read sparse rows as they are."
            )

    def _take(self, model: Any) -> Self:
        """Make a model the fitted one."""
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

    def _asked(self, X: Any) -> tuple[Any, Floats]:
        """Return the fitted model, and the values of rows whose columns have been checked."""
        model = self._fitted()
        self._refuse_sparse(X)
        table = table_for(X, model.schema)
        check_columns(table, model.schema, type(self).__name__)
        return model, values_of(table.arranged(model.schema))


class HybridRegressor(RegressorMixin, BaseHybrid):  # type: ignore[misc]
    """What hybrids for numbers share."""

    def _fit_table(
        self, table: Table, y: Any, sample_weight: Any, options: Mapping[str, Any]
    ) -> Any:
        target = read_numbers(_one_column(y), type(self).__name__)
        check_lengths(table, target)
        rows = canonical_rows(table, target, sample_weight)
        return self._learn(rows, None, options)

    def predict(self, X: Any) -> Floats:
        """Return the predicted number of each row."""
        model, values = self._asked(X)
        predicted: Floats = model.scores(values)
        return predicted

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R² of the predictions; ``y`` may be the name of a column of X."""
        X, y = part_target(X, y)
        return float(super().score(X, y, sample_weight))


class HybridClassifier(ClassifierMixin, BaseHybrid):  # type: ignore[misc]
    """What hybrids for classes share."""

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

    def _take(self, model: Any) -> Self:
        self.classes_: NDArray[Any] = np.array(model.classes)
        return super()._take(model)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, in the order of ``classes_``."""
        model, values = self._asked(X)
        probabilities: Floats = model.scores(values)
        return probabilities

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            logarithms: Floats = _core.log(self.predict_proba(X))
        return logarithms

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row; of equal ones, the first."""
        probabilities = self.predict_proba(X)
        predicted: NDArray[Any] = self.classes_.take(probabilities.argmax(axis=1))
        return predicted

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted; ``y`` may name a column of X."""
        X, y = part_target(X, y)
        return float(super().score(X, y, sample_weight))


def columns_of(given: Any, schema: Schema, called: str) -> list[int]:
    """Return the positions of columns that a parameter lists, all of them for None."""
    if given is None:
        return list(range(schema.n_features))
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InvalidParameterError(
            f"{called} must be a list of columns, by name or by position. Got {given!r}. Give "
            f"[{given!r}] for one column."
        )
    wrong = [
        one for one in given if isinstance(one, bool) or not isinstance(one, str | int | np.integer)
    ]
    if wrong:
        raise InvalidParameterError(
            f"{called} must list columns by name or by position. Got {wrong[0]!r} among them."
        )
    return sorted({schema.position_of(column, called) for column in given})


def fewest_rows(min_samples_leaf: float, weights: Floats) -> float:
    """Return the rows, by weight, that a leaf must have.

    Where weights are mostly below 1, such as those that add up to 1, a row counts as their mean.
    """
    total = float(weights.sum())
    if isinstance(min_samples_leaf, int):
        return min_samples_leaf * min(1.0, total / len(weights))
    return min_samples_leaf * total


def threads_of(n_jobs: int | None) -> int:
    """Return the threads that a user means."""
    return count_threads(n_jobs)


def _one_column(y: Any) -> Any:
    if has_several(y):
        raise InvalidInputError(
            "y must be one column: hybrids have one target. Got several. Fit one hybrid for each, "
            "for instance with sklearn.multioutput.MultiOutputRegressor."
        )
    return y

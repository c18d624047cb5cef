"""What CeibaRegressor, CeibaClassifier and CeibaRanker share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn import exceptions

from ceiba.continuing import Earlier, find_earlier
from ceiba.dataset import Dataset
from ceiba.errors import (
    CeibaError,
    InvalidInputError,
    InvalidTypeError,
    TrainingInterrupted,
)
from ceiba.estimator_columns import check_columns
from ceiba.estimator_parameters import ParameterHolder
from ceiba.estimator_targets import (
    Rows,
    check_lengths,
    encode_labels,
    hold_out,
    read_column,
    read_numbers,
    read_weights,
    weigh_classes,
)
from ceiba.missing_values import Reading
from ceiba.model import Model, load_model
from ceiba.parameters import BY_NAME
from ceiba.tables import read_table
from ceiba.training import early_stopping_patience, train_resolved

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from ceiba.resolving import Parameters

__all__ = ["BaseCeiba", "NotFittedError", "eval_pairs"]


class NotFittedError(CeibaError, exceptions.NotFittedError):  # type: ignore[misc]
    """The estimator has not been fitted yet."""


class BaseCeiba(ParameterHolder):
    """What the estimators share."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in vars(self)

    # ---- training --------------------------------------------------------------------------------

    def _train(
        self,
        parameters: Parameters,
        rows: Rows,
        eval_set: Any,
        callbacks: Iterable[Any] | None,
        classes: NDArray[Any] | None = None,
        *,
        earlier: Earlier,
    ) -> Self:
        """Train on checked rows, holding out some where early stopping has no eval set.

        Class weights are for the rows that are learned from; rows that are only scored, held out
        or of an eval set, have the weights that the user gave them and no others.
        """
        held: Rows | None = None
        n_rows = len(rows.target) if rows.weights is None else np.count_nonzero(rows.weights)
        patience = early_stopping_patience(parameters, int(n_rows))
        parameters = parameters.replace(early_stopping_rounds=patience)
        if patience and eval_set is None:
            n_classes = 0 if classes is None else len(classes)
            rows, held = hold_out(
                rows, parameters.validation_fraction, parameters.random_state, n_classes
            )
        elif patience and not eval_pairs(eval_set):
            raise InvalidInputError(
                "Early stopping needs an eval set, and eval_set is empty. Leave eval_set out to "
                "hold out validation_fraction of the rows, or set early_stopping_rounds=0."
            )
        if classes is not None:
            weights = weigh_classes(parameters.class_weight, classes, rows.target, rows.weights)
            rows = Rows(rows.table, rows.target, weights)
        reading = Reading.of(dict(parameters.items()))
        dataset = _dataset(rows, reading)
        evals = {} if held is None else {"validation": _dataset(held, reading)}
        for name, entry in eval_pairs(eval_set).items():
            evals[name] = _dataset(self._read_eval_set(name, entry, dataset, classes), reading)
        try:
            model = train_resolved(
                parameters,
                dataset,
                eval_sets=evals,
                callbacks=callbacks,
                classes=classes,
                earlier=earlier,
            )
        except TrainingInterrupted as interrupted:
            self._take(interrupted.model)
            raise
        return self._take(model)

    def _earlier(self, init_model: Any, resume_from: Any) -> Earlier:
        """Return what to go on from; a warm start goes on from the model of the last fit."""
        warm = init_model is None and resume_from is None and self._only("warm_start")
        if warm and "model_" in vars(self):
            return Earlier(self.model_, counts_all=True)
        return find_earlier(init_model, resume_from)

    def _read_eval_set(
        self, name: str, entry: Any, dataset: Dataset, classes: NDArray[Any] | None
    ) -> Rows:
        if not isinstance(entry, (tuple, list)) or len(entry) not in (2, 3):
            raise InvalidTypeError(
                f"Eval set {name!r} must be a pair (X, y) or a triple (X, y, weights). "
                f"Got {type(entry).__name__}."
            )
        try:
            table = read_table(entry[0], reading=dataset.reading)
            check_columns(table, dataset.schema, type(self).__name__)
            if classes is None:
                target = read_numbers(entry[1], type(self).__name__)
            else:
                target = encode_labels(read_column(entry[1], type(self).__name__), classes)
            check_lengths(table, target)
            weights = read_weights(entry[2] if len(entry) == 3 else None, len(target), "weights")
        except (InvalidInputError, InvalidTypeError) as error:
            raise type(error)(f"Eval set {name!r}: {error}") from None
        return Rows(table, target, weights)

    def _take(self, model: Model) -> Self:
        """Make a model the fitted one."""
        self.model_ = model
        self.n_features_in_: int = len(model.schema.names)
        self.best_iteration_: int = model.best_iteration
        self.n_iter_: int = model.best_iteration + 1
        self.evals_result_: dict[str, dict[str, list[float]]] = {
            name: {metric: list(values) for metric, values in metrics.items()}
            for name, metrics in model.history.items()
        }
        if model.schema.named:
            self.feature_names_in_: NDArray[Any] = np.array(model.schema.names, dtype=object)
        elif "feature_names_in_" in vars(self):
            del self.feature_names_in_
        return self

    # ---- prediction ------------------------------------------------------------------------------

    def _ready(self, X: Any) -> tuple[Model, Any]:
        """Return the model, and X once its columns have been checked."""
        model: Model | None = vars(self).get("model_")
        if model is None:
            name = type(self).__name__
            raise NotFittedError(
                f"This {name} instance is not fitted yet. Call 'fit' (or 'load_model') first."
            )
        # The fast path: a plain array with the right number of columns needs no further look.
        if (
            type(X) is np.ndarray
            and X.ndim == 2
            and X.shape[1] == model.n_features
            and X.dtype.char in "fd"
            and not model.schema.named
        ):
            return model, X
        table = read_table(X, reading=model.reading)
        check_columns(table, model.schema, type(self).__name__)
        return model, table

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf, as a node number, that each row reaches in each tree."""
        model, X = self._ready(X)
        return model.apply(X, n_jobs=self._n_jobs())

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Importance of each column, adding up to 1; ``importance_type`` says which kind.

        The kinds are ``gain``, ``weight`` and ``cover``; ``model_.feature_importances(kind)``
        returns them unscaled.
        """
        if "model_" not in vars(self):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet.")
        kind = self._only("importance_type") or BY_NAME["importance_type"].default
        values: NDArray[np.float64] = self.model_.feature_importances(kind)
        total = float(values.sum())
        return values / total if total > 0 else values

    # ---- files -----------------------------------------------------------------------------------

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file; see :meth:`ceiba.Model.save`."""
        if "model_" not in vars(self):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet.")
        self.model_.save(path)

    def load_model(self, path: str | os.PathLike[str]) -> Self:
        """Read a model file and predict with it; the parameters stay as they are."""
        return self._take(self._check_model(load_model(path)))

    def _check_model(self, model: Model) -> Model:
        return model


def _dataset(rows: Rows, reading: Reading) -> Dataset:
    return Dataset(
        rows.table,
        rows.target,
        weight=rows.weights,
        qid=rows.qid,
        missing=reading.missing,
        zero_as_missing=reading.zero_as_missing,
    )


def eval_pairs(eval_set: Any) -> dict[str, Any]:
    """Return eval sets by name; one pair alone is taken for a list of one."""
    if eval_set is None:
        return {}
    if isinstance(eval_set, Mapping):
        return {str(name): entry for name, entry in eval_set.items()}
    if isinstance(eval_set, tuple) and len(eval_set) in (2, 3):
        if not isinstance(eval_set[0], tuple):
            return {"validation_0": eval_set}
    elif not isinstance(eval_set, (list, tuple)):
        raise InvalidTypeError(
            "eval_set must be a list of pairs (X, y) or triples (X, y, weights). "
            f"Got {type(eval_set).__name__}."
        )
    return {f"validation_{index}": entry for index, entry in enumerate(eval_set)}

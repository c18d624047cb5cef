"""What CeibaRegressor, CeibaClassifier and CeibaRanker share.

The constructor and the docstring are made from the declaration in ``parameters.py``, so a new
parameter is in both as soon as it is declared.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn import exceptions
from sklearn.base import BaseEstimator

from ceiba.constraints import check_value
from ceiba.dataset import Dataset
from ceiba.errors import CeibaError, InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.estimator_columns import check_columns
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
from ceiba.model import Model, load_model
from ceiba.parameters import ALIASES, BY_NAME, DECLARED, Parameters, check_name, describe, resolve
from ceiba.tables import read_table
from ceiba.training import early_stopping_patience, train_resolved

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

__all__ = ["BaseCeiba", "NotFittedError", "document", "eval_pairs", "make_init"]


class NotFittedError(CeibaError, exceptions.NotFittedError):  # type: ignore[misc]
    """The estimator has not been fitted yet."""


def make_init(kind: str) -> Callable[..., None]:
    """Make the constructor of an estimator, with every declared parameter in its signature."""
    names = [parameter.name for parameter in DECLARED if kind in parameter.estimators]
    defaults: dict[str, Any] = {name: "auto" if name == "recipe" else None for name in names}

    def __init__(self: Any, **parameters: Any) -> None:  # noqa: N807
        for name in parameters:
            if check_name(name) not in defaults:
                raise InvalidParameterError(f"{type(self).__name__} has no parameter {name}.")
        for name, value in {**defaults, **parameters}.items():
            setattr(self, name, value)

    shown = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    shown += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
    ]
    __init__.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return __init__


class BaseCeiba(BaseEstimator):  # type: ignore[misc]
    """What the estimators share."""

    # ---- parameters ------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were written, aliases included."""
        params: dict[str, Any] = super().get_params(deep)
        params.update({name: value for name, value in vars(self).items() if name in ALIASES})
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, by name or alias."""
        allowed = self._get_param_names()
        for name, value in params.items():
            if check_name(name) not in allowed:
                raise InvalidParameterError(f"{type(self).__name__} has no parameter {name}.")
            setattr(self, name, value)
        return self

    def _resolve(self) -> Parameters:
        return resolve(self.get_params(deep=False))

    def _only(self, name: str) -> Any:
        """Return one parameter as it is now, checked; None where the user wrote none.

        The others are not looked at: a random generator must not be drawn from to predict.
        """
        parameter, written = BY_NAME[name], vars(self)
        for spelt in (name, *parameter.aliases):
            if written.get(spelt) is not None:
                return check_value(spelt, parameter.constraint, written[spelt], parameter.advice)
        return None

    def _n_jobs(self) -> int | None:
        n_jobs: int | None = self._only("n_jobs")
        return n_jobs

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
        dataset = _dataset(rows)
        evals = {} if held is None else {"validation": _dataset(held)}
        for name, entry in eval_pairs(eval_set).items():
            evals[name] = _dataset(self._read_eval_set(name, entry, dataset, classes))
        model = train_resolved(
            parameters, dataset, eval_sets=evals, callbacks=callbacks, classes=classes
        )
        return self._take(model)

    def _read_eval_set(
        self, name: str, entry: Any, dataset: Dataset, classes: NDArray[Any] | None
    ) -> Rows:
        if not isinstance(entry, (tuple, list)) or len(entry) not in (2, 3):
            raise InvalidTypeError(
                f"Eval set {name!r} must be a pair (X, y) or a triple (X, y, weights). "
                f"Got {type(entry).__name__}."
            )
        try:
            table = read_table(entry[0])
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
        table = read_table(X)
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


def _dataset(rows: Rows) -> Dataset:
    return Dataset(rows.table, rows.target, weight=rows.weights, qid=rows.qid)


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


_DOC = """

{parameters}

    Attributes
    ----------
    model_ : Model
        The trained model.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Names of the columns, where the table had names.
    feature_importances_ : array of shape (n_features,)
        Importance of each column, adding up to 1.
    best_iteration_ : int
        Number, from 0, of the last round of the model: the best one with early stopping.
    n_iter_ : int
        Number of rounds of the model.
    evals_result_ : dict
        Name of eval set → name of metric → one value for each round.{more}
"""


def document(kind: str, estimator: type, more: str = "") -> None:
    """Write the docstring from the declaration of the parameters."""
    head = "\n\n    ``None`` means the value of the recipe.\n\n    Parameters\n    ----------\n"
    estimator.__doc__ = f"{estimator.__doc__}{head}" + _DOC.lstrip("\n").format(
        parameters=describe(kind, indent="    "), more=more
    )

"""Base class of CeibaRegressor, CeibaClassifier and CeibaRanker.

The life of an estimator:

1. The constructor stores the parameters under the names that the user wrote (``parameters.py``).
2. ``fit`` resolves the parameters, reads the data and trains ``model_``.
3. The other methods (``fitted.py``) check the columns and call ``model_``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from ceiba.boosting.continuation.continued import Earlier, find_earlier
from ceiba.data.dataset import Dataset
from ceiba.data.missing_values import Reading
from ceiba.data.named_target import part_target
from ceiba.data.read_table import read_like, read_table
from ceiba.errors import (
    CeibaError,
    InvalidInputError,
    InvalidParameterError,
    InvalidTypeError,
    TrainingInterrupted,
)
from ceiba.estimators.columns import check_columns
from ceiba.estimators.fitted import ESTIMATORS, FittedEstimator, NotFittedError
from ceiba.estimators.rows import Rows, apply_class_weights, eval_pairs, eval_parts, read_rows
from ceiba.estimators.targets import read_numbers
from ceiba.objectives import find_objective
from ceiba.objectives.several import check_n_targets
from ceiba.parameters.keywords import FIT
from ceiba.parameters.resolving import canonical_names, naming_as_written
from ceiba.policy.fit import begin_fit
from ceiba.training import refit

if TYPE_CHECKING:
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from ceiba.data.table import Table
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters
    from ceiba.parameters.typed import FitKeywords

__all__ = ["BaseCeiba", "NotFittedError", "row_arguments", "table_to_learn"]

#: Second part of the message "early_stopping_rounds=n needs an eval set."
_EMPTY_EVAL_SET = (
    "Got an empty eval_set. Leave eval_set out to hold out validation_fraction of the rows, or set "
    "early_stopping_rounds=0."
)


class BaseCeiba(FittedEstimator):
    """Base class of the estimators."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _named_objective(self) -> Objective | None:
        """Return the objective named by the user for tags; None if there is none."""
        try:
            named = self._parameter("objective")
            return None if named is None else find_objective(named)
        except CeibaError:
            return None  # fit raises the error

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        init_score: Any = None,
        eval_set: Any = None,
        folds: Any = None,
        groups: Any = None,
        callbacks: Iterable[Any] | None = None,
        init_model: Any = None,
        resume_from: Any = None,
        **other_names: Unpack[FitKeywords],
    ) -> Self:
        """Train the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            numpy array, pandas, polars or arrow table, scipy sparse matrix, list of rows, or a
            Dataset, which brings its target with it. NaN means missing.
        y : array of shape (n_rows,) or (n_rows, n_outputs), or name of a column of X
            Target: numbers of a regressor, which may have several columns; labels (strings,
            booleans or whole numbers) of a classifier, or several columns of 0 and 1.
        sample_weight : array of shape (n_rows,), optional
            Weights; a row of weight k counts as k rows, one of weight 0 as none.
        init_score : array of shape (n_rows,) or (n_rows, n_classes), optional
            Raw score of each row that boosting starts from, such as the logarithm of an exposure or
            the scores of another model; XGBoost calls it base_margin. Several classes (in the order
            of ``classes_``) or quantiles need a column each. ``predict`` does not know it: add it
            to raw scores, or multiply what has a log link.
        eval_set : list of (X, y), (X, y, weights) or (X, y, weights, init_score), optional
            Scored after every round. The last one decides early stopping. Weights may be None. With
            ``init_score``, every eval set needs its own.
        folds, groups : optional
            Rows that recipe ``auto`` holds out to compare candidates; see :func:`ceiba.train`.
        callbacks : list, optional
            See :mod:`ceiba.callbacks`.
        init_model : Model, fitted estimator or path, optional
            Put ``n_estimators`` further rounds on top of this model; see :func:`ceiba.train`.
        resume_from : path, optional
            Go on with a training that was cut off, from a file of :class:`ceiba.Checkpoint`.
        **other_names
            Arguments that other libraries have, such as verbose, eval_metric,
            early_stopping_rounds, eval_names, X_val and y_val.

        Notes
        -----
        Ctrl-C ends the training after the last complete round. The estimator then has the trees so
        far, and KeyboardInterrupt is raised all the same.
        """
        given = {
            "y": y,
            "sample_weight": sample_weight,
            "init_score": init_score,
            "eval_set": eval_set,
            "folds": folds,
            "groups": groups,
            "callbacks": callbacks,
            "init_model": init_model,
            "resume_from": resume_from,
        }
        given, parameters, earlier = self._translate_fit(X, given, other_names)
        table = table_to_learn(given["X"], parameters)
        rows, classes = self._read_rows(table, given["y"], given["sample_weight"], earlier)
        with FIT.naming(other_names):
            rows = rows.starting_from(given["init_score"]).given_as(X)
        return self._train(
            parameters,
            rows,
            given["eval_set"],
            given["callbacks"],
            classes,
            earlier=earlier,
            folds=given["folds"],
            groups=given["groups"],
        )

    def _translate_fit(
        self, X: Any, given: dict[str, Any], other_names: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Parameters, Earlier]:
        """Translate and check the arguments of fit.

        Returns the arguments of fit, the parameters with a checked objective, and the earlier model
        to continue from.
        """
        of_fit: dict[str, Any] = {}
        if other_names:
            written = {name: entry[1] for name, entry in canonical_names(self._given()).items()}
            meant = FIT.read(other_names, {**written, **given})
            of_fit = {name: value for name, value in meant.items() if name not in given}
            given = {**given, **{name: meant[name] for name in given if name in meant}}
            if "qid" in of_fit:  # of CatBoost's group_id
                FIT.rows["qid"].means("group_id", of_fit["qid"], {})
        parameters = self._resolve(of_fit)
        earlier = self._earlier(given["init_model"], given["resume_from"])
        if parameters.objective is not None:
            called = parameters.called("objective")
            objective = find_objective(parameters.objective, called=called)
            if objective.task not in self._tasks:
                raise InvalidParameterError(
                    f"{called} {objective.name!r} cannot train a {self._kind}. "
                    f"Use {ESTIMATORS[objective.task]}, or leave {called} out."
                )
        return {**given, **row_arguments(X, given)}, parameters, earlier

    def _read_target(self, y: Any, estimator: str) -> NDArray[np.float64]:
        """Return the target of an estimator without classes."""
        return read_numbers(y, estimator)

    def _read_rows(
        self, table: Table, y: Any, sample_weight: Any, earlier: Earlier
    ) -> tuple[Rows, NDArray[Any] | None]:
        """Return the training rows and, for a classifier, the classes."""
        return read_rows(table, y, sample_weight, type(self).__name__, read=self._read_target), None

    def _with_objective(self, parameters: Parameters, classes: NDArray[Any] | None) -> Parameters:
        """Return the parameters with a default objective if the user named none."""
        return parameters

    @naming_as_written
    def _train(
        self,
        parameters: Parameters,
        rows: Rows,
        eval_set: Any,
        callbacks: Iterable[Any] | None,
        classes: NDArray[Any] | None = None,
        *,
        earlier: Earlier,
        folds: Any = None,
        groups: Any = None,
    ) -> Self:
        """Train on checked rows. Early stopping without ``eval_set`` holds out rows."""
        parameters = self._with_objective(parameters, classes)
        pairs = eval_pairs(eval_set)
        fit = begin_fit(
            parameters,
            rows.dataset(),
            callbacks=callbacks,
            folds=folds,
            groups=groups,
            has_eval_sets=bool(pairs),
            refusal=None if eval_set is None else _EMPTY_EVAL_SET,
            classes=classes,
            earlier=earlier,
            weigh=partial(apply_class_weights, parameters.class_weight, classes),
        )
        evals = {
            name: self._read_eval_set(name, entry, fit.dataset, classes).dataset()
            for name, entry in pairs.items()
        }
        try:
            model = fit.run(evals, callbacks)
        except TrainingInterrupted as interrupted:
            self._set_model(interrupted.model)
            raise
        return self._set_model(model)

    def refit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        init_score: Any = None,
        decay_rate: float = 0.9,
    ) -> Self:
        """Return an estimator with the same splits and leaf values fitted to new rows.

        This one stays as it is; :func:`ceiba.refit` says how leaves are fitted.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows with the columns of ``fit``.
        y : array as in ``fit``
            Their target; labels must be among ``classes_`` and need not be all of them.
        sample_weight : array of shape (n_rows,), optional
            Weights, which those of ``class_weight`` are multiplied into, as in ``fit``.
        init_score : array, optional
            Raw scores to start from, as in ``fit``: give them where ``fit`` was given some.
        decay_rate : float, default=0.9
            Weight of the old leaf values, from 0 to 1.

        Returns
        -------
        estimator
            A copy of this one, whose ``model_`` is the refitted one and whose ``evals_result_`` is
            empty.
        """
        return self._refitted(self._known_rows(X, y, sample_weight, init_score), decay_rate)

    def evaluate(self, X: Any, y: Any = None, metric: Any = None, sample_weight: Any = None) -> Any:
        """Return metrics of the predictions for rows whose target is known.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows with the columns of ``fit``.
        y : array as in ``fit``, or name of a column of X
            Their target.
        metric : str, function or list of them, optional
            By default the metrics of the training; a scorer of scikit-learn is taken too.
        sample_weight : array of shape (n_rows,), optional
            Weights.

        Returns
        -------
        float or dict
            The metric, if one was asked for; else name of metric → value.
        """
        rows = self._known_rows(X, y, sample_weight)
        return self.model_.evaluate_rows(rows.dataset(), metric, self._n_jobs())

    def _known_rows(self, X: Any, y: Any, sample_weight: Any, init_score: Any = None) -> Rows:
        """Return rows with the columns of the fitted model and labels among its classes.

        For multilabel models each label is 0 or 1, and ``classes_`` holds the label numbers.
        """
        self._fitted()
        of_rows = {"y": y, "sample_weight": sample_weight, "init_score": init_score}
        given = {**of_rows, **row_arguments(X, of_rows)}
        model, X = self._ready(given["X"])
        table = read_like(X, model.schema)
        is_class = model.objective.task != "multilabel"
        classes = vars(self).get("classes_") if is_class else None
        y, weights, name = given["y"], given["sample_weight"], type(self).__name__
        rows = read_rows(table, y, weights, name, classes, read=self._read_target)
        check_n_targets(model.objective, rows.target)
        return rows.starting_from(given["init_score"])

    def _refitted(self, rows: Rows, decay_rate: float) -> Self:
        """Return a copy of the fitted estimator with leaf values refitted to checked rows."""
        dataset, classes = rows.dataset(), vars(self).get("classes_")
        if classes is not None:
            dataset = apply_class_weights(self._parameter("class_weight"), classes, dataset)
        model = refit(self.model_, dataset, decay_rate=decay_rate, n_jobs=self._n_jobs())
        return copy(self)._set_model(model)

    def _earlier(self, init_model: Any, resume_from: Any) -> Earlier:
        """Return the model to continue from; a warm start continues the last fit."""
        warm = init_model is None and resume_from is None and self._parameter("warm_start")
        if warm and "model_" in vars(self):
            return Earlier(self.model_, counts_all=True)
        return find_earlier(init_model, resume_from)

    def _read_eval_set(
        self, name: str, entry: Any, dataset: Dataset, classes: NDArray[Any] | None
    ) -> Rows:
        X, y, weights, init_score = self._eval_parts(name, entry)
        try:
            X, y = part_target(X, y)
            table = read_like(X, dataset.schema)
            if not table.n_rows:
                raise InvalidInputError("Found array with 0 sample(s). Give rows, or leave it out.")
            check_columns(table, dataset.schema, type(self).__name__)
            rows = self._eval_rows(table, y, weights, classes, entry)
            return rows.starting_from(init_score).given_as(self._eval_source(entry))
        except (InvalidInputError, InvalidTypeError) as error:
            raise type(error)(f"Eval set {name!r}: {error}") from None

    def _eval_parts(self, name: str, entry: Any) -> tuple[Any, Any, Any, Any]:
        """Return X, y, weights and initial scores of an eval set."""
        return eval_parts(name, entry)

    def _eval_source(self, entry: Any) -> Any:
        """Return what the user gave as an eval set."""
        return entry

    def _eval_rows(
        self, table: Table, y: Any, weights: Any, classes: NDArray[Any] | None, entry: Any
    ) -> Rows:
        """Return the rows of an eval set from its table."""
        name = type(self).__name__
        return read_rows(table, y, weights, name, classes, "weights", self._read_target)


def table_to_learn(X: Any, parameters: Parameters) -> Table:
    """Read the training table as the parameters say."""
    reading = Reading.of(parameters.of_stage("data"))
    return read_table(X, reading=reading, categorical=parameters.categorical_features)


def row_arguments(X: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return X and the row arguments that a Dataset, or a target column of X, provides."""
    if not isinstance(X, Dataset):
        X, y = part_target(X, given["y"])
        return {"X": X, "y": y}
    own: dict[str, Any] = {"y": X.target, "sample_weight": X.weight, "init_score": X.init_score}
    if "qid" in given and X.queries is not None:
        own["qid"] = X.queries.numbers
    twice = [name for name in own if given[name] is not None]
    if twice:
        raise InvalidInputError(
            f"A Dataset already has the data of its rows. Got {', '.join(twice)} as well. Pass "
            "them to the Dataset."
        )
    return {"X": X.table, **own}

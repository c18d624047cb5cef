"""What a model tells of itself and of rows: names, importances, metrics, forms of predictions.

A part of :class:`ceiba.Model`; ``model.py`` opens with the life of a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.dataset import Dataset
from ceiba.data.frames import make_frame
from ceiba.data.named_target import part_target
from ceiba.data.read_table import read_like
from ceiba.data.selected_columns import select_columns
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import listed
from ceiba.metrics import Metric, bound_metric, find_metric, is_metric, wished_metrics
from ceiba.model.importances import column_names, find_kind, forest_importances, library_of
from ceiba.model.lazy_imports import lazy_module
from ceiba.model.output import Asked, predicted_classes, probabilities
from ceiba.objectives.several import check_n_targets
from ceiba.parameters import BY_NAME

if TYPE_CHECKING:
    from ceiba import _core
    from ceiba.data.schema import Schema
    from ceiba.model.correction import Correction
    from ceiba.objectives import Objective

__all__ = ["Inspection"]

Floats = NDArray[np.float64]


class Inspection:
    """What can be asked of a model besides its predictions."""

    if TYPE_CHECKING:
        schema: Schema
        objective: Objective
        parameters: Mapping[str, Any]
        forest: _core.Forest
        best_iteration: int
        history: Mapping[str, Mapping[str, Sequence[float]]]
        classes: NDArray[Any] | None
        n_outputs: int
        n_iterations: int
        correction: Correction

        def predict(self, X: Any, *, iteration_range: Any = None, n_jobs: Any = None) -> Floats: ...
        def predict_raw(
            self, X: Any, *, iteration_range: Any = None, n_jobs: Any = None
        ) -> Floats: ...
        def apply(self, X: Any, *, iteration_range: Any = None, n_jobs: Any = None) -> Any: ...
        def weighted_forest(self, n_iterations: int | None = None) -> _core.Forest: ...

    # ---- columns ---------------------------------------------------------------------------------

    @property
    def feature_names(self) -> list[str]:
        """Return the names of the columns, in the order of the training."""
        return list(self.schema.names)

    @property
    def categorical(self) -> dict[str, str]:
        """Return how each category is used: onehot, subset or target (``categorical``)."""
        words = self.parameters.get("categorical")
        return dict(words) if isinstance(words, dict) else {}

    def feature_importances(self, kind: str = "gain") -> Floats:
        """Return the importance of each feature, in the order of the training.

        Parameters
        ----------
        kind : str, default="gain"
            ``gain`` and ``cover`` sum the gains and the hessians of a feature's splits, ``split``
            (or ``weight``) counts them, ``mean_gain``, ``mean_cover`` and ``mean_rows`` are means
            over them; ``mdi`` (or ``impurity``) is scikit-learn's mean decrease in impurity, and
            ``prediction_values_change`` CatBoost's, of symmetric trees. Under recipe ``xgboost``,
            ``gain`` and ``cover`` are means, as they are there, and ``total_gain`` and
            ``total_cover`` the sums.
        """
        kind = find_kind(kind, library_of(self.parameters))
        forest = self.weighted_forest() if kind == "prediction_values_change" else self.forest
        averaged = self.parameters.get("boosting") == "forest"
        return forest_importances(forest, kind, self.schema.engine_sources, averaged=averaged)

    def importances(self, kind: str = "gain", X: Any = None, y: Any = None, **how: Any) -> Any:
        """Return a table of the importances of the columns, the most important first.

        Parameters
        ----------
        kind : str, default="gain"
            What the table is sorted by, see :meth:`feature_importances`; columns that are equal in
            it keep their order. With rows also ``permutation``, how much worse a metric is where
            the values of a column are shuffled, and ``shap``, the mean of the absolute SHAP values.
        X : table or Dataset, optional
            Rows, for ``permutation`` and ``shap``; best those that the model was not trained on.
        y : array or name of a column of X, optional
            Their target, for ``permutation``.
        **how
            Of ``permutation``: metric, n_repeats, random_state, sample_weight, qid, group and
            n_jobs, see :func:`ceiba.explain.permutation_importances`. Of ``shap``: the arguments
            of ``explain``.

        Returns
        -------
        table
            Columns ``feature`` and all kinds that the trees tell; of ``permutation`` columns
            ``feature``, ``permutation`` and ``spread``, the standard deviation over repeats; of
            ``shap`` columns ``feature`` and ``shap``. A DataFrame of pandas, or of polars where
            there is no pandas, or a dictionary of arrays.
        """
        if isinstance(kind, str) and kind in ("permutation", "shap"):
            rows = lazy_module("explain.row_importances")
            return make_frame(rows.row_importances(self, kind, X, y, **how))
        find_kind(kind, library_of(self.parameters))  # what is no kind at all is said first
        if X is not None or y is not None or how:
            raise InvalidParameterError(
                f"Importances of kind {kind!r} are read from the trees and take no rows. Leave X, "
                "y and their options out, or give kind='permutation' or 'shap'."
            )
        order = np.argsort(-self.feature_importances(kind), kind="stable")
        names = np.array(self.schema.names, dtype=object)[order].tolist()
        columns: dict[str, Any] = {"feature": names}
        for name in column_names(library_of(self.parameters)).values():
            columns[name] = self.feature_importances(name)[order]
        return make_frame(columns)

    # ---- metrics ---------------------------------------------------------------------------------

    @property
    def best_score(self) -> dict[str, dict[str, float]]:
        """Return the metrics of every eval set at the best iteration."""
        best = self.best_iteration
        return {
            name: {metric: values[best] for metric, values in metrics.items() if best < len(values)}
            for name, metrics in self.history.items()
        }

    def evaluate(
        self,
        X: Any,
        y: Any = None,
        metric: Any = None,
        *,
        sample_weight: Any = None,
        qid: Any = None,
        group: Any = None,
        n_jobs: int | None = None,
    ) -> Any:
        """Return metrics of the predictions for rows whose target is known.

        Parameters
        ----------
        X : table or Dataset
            Rows; a Dataset brings its target, weights and queries.
        y : array of shape (n_rows,) or name of a column of X
            Their target: labels if the model knows labels, else as ``train`` takes it.
        metric : str, function or list of them, optional
            By default the metrics of the training.
        sample_weight, qid, group : array, optional
            Weights and queries of the rows.
        n_jobs : int, optional
            Threads.

        Returns
        -------
        float or dict
            The metric, if one was asked for; else name of metric → value.
        """
        rows = self.known_rows(X, y, sample_weight=sample_weight, qid=qid, group=group)
        return self.evaluate_rows(rows, metric, n_jobs)

    def known_rows(self, X: Any, y: Any = None, **of_rows: Any) -> Dataset:
        """Return rows whose target is known as a dataset, its target as indices of classes."""
        if isinstance(X, Dataset):
            return X
        X, y = part_target(X, y)
        target = y if self.classes is None or y is None else _indices(y, self.classes)
        weight = of_rows.pop("sample_weight", None)
        return Dataset(read_like(X, self.schema), target, weight=weight, **of_rows)

    def evaluate_rows(self, rows: Dataset, metric: Any = None, n_jobs: int | None = None) -> Any:
        """Return metrics of a dataset, whose target holds indices of classes."""
        entries = self.metrics_of(metric)
        found = self.scored(rows, rows.table, entries, n_jobs)
        one = metric is not None and not isinstance(metric, list | tuple | set | frozenset)
        return next(iter(found.values())) if one else found

    def scored(
        self, rows: Dataset, table: Any, metrics: Sequence[Metric], n_jobs: int | None
    ) -> dict[str, float]:
        """Return the metrics of predictions for a table, whose target is that of the rows."""
        if rows.target is None:
            raise InvalidInputError("Metrics compare predictions with a target. Give y.")
        check_n_targets(self.objective, rows.target)
        raw = self.predict_raw(table, n_jobs=n_jobs)
        raw = raw[:, None] if raw.ndim == 1 else raw
        prediction = self.objective.predict(self.correction.applied(raw))
        scored = (rows.target, self.objective.log_odds(raw), prediction, rows.weight)
        return {metric.name: float(metric.for_queries(rows.queries)(*scored)) for metric in metrics}

    def metrics_of(self, wished: Any) -> list[Metric]:
        """Return the metrics that a user names; None: those of the training."""
        options = {
            name: value
            for name, value in self.parameters.items()
            if name in BY_NAME and BY_NAME[name].stage == "objective" and name != "objective"
        }
        if wished is None:
            wished = self.parameters.get("eval_metric")
            for name in wished if isinstance(wished, list) else []:
                if not is_metric(name):
                    raise InvalidParameterError(
                        f"The model was trained with the metric {name!r}, a function that it does "
                        "not keep. Give metric."
                    )
        if isinstance(wished, tuple | set | frozenset):
            wished = sorted(wished) if isinstance(wished, set | frozenset) else list(wished)
        metrics = [
            bound_metric(find_metric(entry, **options), self.objective, self.classes)
            for entry in wished_metrics(wished, self.objective.default_metric)
        ]
        if not metrics:
            raise InvalidParameterError("The model was trained without a metric. Give metric.")
        return metrics

    # ---- other forms of predictions --------------------------------------------------------------

    def predict_proba(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
    ) -> Floats:
        """Return the probability of each class, [n, n_classes], or of each label.

        The columns are in the order of ``classes``. A model without classes raises
        InvalidParameterError.
        """
        return self.answer(X, Asked(iteration_range, n_jobs, "probability"))

    def select_columns(self, X: Any) -> Any:
        """Return a table with the columns that the model was trained on, and without all others.

        Use it where a table holds more than the model reads, for example the target:
        ``model.predict(model.select_columns(frame))``. The same table serves ``explain``,
        ``evaluate`` and the plots. A warning names the columns that are left out.

        Parameters
        ----------
        X : DataFrame, dictionary or list of dictionaries
            Rows with named columns. Tables without names are returned as they are.

        Returns
        -------
        table
            The same kind of table, with its columns in the order of training.
        """
        return select_columns(X, self.schema)

    def answer(self, X: Any, asked: Asked) -> NDArray[Any]:
        """Return the prediction in the form that is asked for."""
        rounds, n_jobs, output = asked
        if output == "":
            return self.predict(X, iteration_range=rounds, n_jobs=n_jobs)
        how: dict[str, Any] = {"iteration_range": rounds, "n_jobs": n_jobs}
        if asked.output == "leaf":
            leaves: NDArray[np.int32] = self.apply(X, **how)
            return leaves
        if asked.output == "raw":
            return self.predict_raw(X, **how)
        if asked.output.startswith("contributions of "):
            form = asked.output.removeprefix("contributions of ")
            shares: Floats = lazy_module("explain").contributions(self, X, form, rounds, n_jobs)
            return shares
        if self.objective.task not in ("binary", "multiclass", "multilabel"):
            raise InvalidParameterError(
                f"Probabilities and classes need a model of classes. Got one of objective "
                f"{self.objective.name}. Use predict, or prediction_type='RawFormulaVal'."
            )
        if asked.output == "class" and self.objective.task == "multilabel":
            return (self.predict_raw(X, **how) > self.objective.even_score).astype(np.int64)
        if asked.output == "class":
            index = predicted_classes(self.predict_raw(X, **how), self.objective.even_score)
            return index if self.classes is None else self.classes.take(index)
        chances = probabilities(self.predict(X, **how))
        return chances if asked.output == "probability" else log_of(chances)


def log_of(shares: Floats) -> Floats:
    """Return logarithms of probabilities; that of 0 is minus infinity."""
    with np.errstate(divide="ignore"):
        logarithms: Floats = np.log(shares)
    return logarithms


def _indices(y: Any, classes: NDArray[Any]) -> NDArray[np.float64]:
    """Return the class index of each label; one that the model does not know is an error."""
    known = {label: index for index, label in enumerate(classes.tolist())}
    given = np.asarray(y)
    if given.ndim != 1 and given.shape[1:] != (1,):
        raise InvalidInputError(
            f"y must be one column: the label of each row. Got an array of shape {given.shape}."
        )
    labels = given.reshape(-1).tolist()
    unknown = {label for label in labels if label not in known}
    if unknown:
        raise InvalidInputError(
            f"y holds labels that the model does not know: {listed(unknown)}. The classes are "
            f"{listed(known)}."
        )
    return np.array([known[label] for label in labels], dtype=np.float64)

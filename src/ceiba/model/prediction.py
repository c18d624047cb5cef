"""Prediction methods of ``Model``: predictions, raw scores, stages, leaves, probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.selected_columns import select_columns
from ceiba.errors import InvalidParameterError
from ceiba.model.lazy_imports import lazy_module
from ceiba.model.output import Asked, asked_for, log_of, predicted_classes, probabilities
from ceiba.model.predict import (
    count_threads,
    find_leaves,
    iteration_bounds,
    raw_scores,
    staged_raw_scores,
)

if TYPE_CHECKING:
    from typing import Unpack

    from ceiba import _core
    from ceiba.data.schema import Schema
    from ceiba.model.correction import Correction
    from ceiba.model.tree_weights import TreeWeights
    from ceiba.objectives import Objective
    from ceiba.parameters.typed import PredictKeywords

__all__ = ["Prediction"]

Floats = NDArray[np.float64]


class Prediction:
    """Methods of a model that predict rows. See :class:`ceiba.Model`."""

    if TYPE_CHECKING:
        schema: Schema
        objective: Objective
        start_scores: Floats
        forest: _core.Forest
        classes: NDArray[Any] | None
        tree_weights: TreeWeights
        correction: Correction
        n_outputs: int
        n_iterations: int
        counts_once: bool

    def predict(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
        **other_names: Unpack[PredictKeywords],
    ) -> Floats:
        """Predict rows.

        Parameters
        ----------
        X : table or Dataset
            An array, DataFrame, sparse matrix or list of rows. Named columns are matched by name,
            in any order. A single row may be a dictionary, a list of values or a Series.
        iteration_range : tuple (begin, end), default=None
            Use only the trees of these iterations. None uses all.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.
        **other_names
            Arguments of other libraries, such as ``raw_score``, ``output_margin``, ``pred_leaf``,
            ``pred_contrib``, ``num_iteration`` or ``prediction_type``.

        Returns
        -------
        array
            For regression, the predicted values [n_rows]. For two classes, the probability of
            class 1 [n_rows]. For more classes, probabilities [n_rows, n_classes]. For several
            quantiles, values [n_rows, n_levels] in increasing order.

        Raises
        ------
        InvalidInputError
            If the columns of X do not fit those of the training.
        InvalidParameterError
            If ``iteration_range`` or ``n_jobs`` is out of range.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> model.predict(X[:3]).shape
        (3,)
        >>> model.predict(X[:3], iteration_range=(0, 5)).shape
        (3,)
        """
        if other_names:
            asked = asked_for(self.n_iterations, iteration_range, n_jobs, other_names)
            return self.answer(X, asked)
        bounds = (0, self.n_iterations)
        if iteration_range is not None:
            bounds = iteration_bounds(iteration_range, self.n_iterations)
        # No call that is not needed: for a single row, calls take most of the time.
        forest = self.forest if self.counts_once else self._counted_forest(*bounds)
        raw = raw_scores(forest, self.schema, self.start_scores, X, bounds, n_jobs)
        if self.correction.shifts:
            raw = self.correction.after(bounds[1]).applied(raw)
        return self.objective.predict(raw)

    def predict_raw(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
    ) -> Floats:
        """Predict raw scores: the start score plus the values of the leaves.

        ``objective.link`` describes how raw scores become predictions.

        Parameters
        ----------
        X : table or Dataset
            Rows, as ``predict`` takes them.
        iteration_range : tuple (begin, end), default=None
            Use only the trees of these iterations. None uses all.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Returns
        -------
        array of shape (n_rows,) or (n_rows, n_outputs)
            Raw scores; one-dimensional if the model has one output.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"objective": "poisson", "n_estimators": 5}, Dataset(X, X[:, 0]))
        >>> bool(np.allclose(np.exp(model.predict_raw(X)), model.predict(X)))
        True
        """
        bounds = iteration_bounds(iteration_range, self.n_iterations)
        forest = self._counted_forest(*bounds)
        return self._shaped(raw_scores(forest, self.schema, self.start_scores, X, bounds, n_jobs))

    def predict_proba(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
    ) -> Floats:
        """Predict the probability of each class, or of each label of a multilabel model.

        Parameters
        ----------
        X : table or Dataset
            Rows, as ``predict`` takes them.
        iteration_range : tuple (begin, end), default=None
            Use only the trees of these iterations. None uses all.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Returns
        -------
        array of shape (n_rows, n_classes)
            Probabilities; columns are in the order of ``classes``.

        Raises
        ------
        InvalidParameterError
            If the model does not predict classes.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> target = (X[:, 0] > 90).astype(float)
        >>> model = train({"objective": "logistic", "n_estimators": 5}, Dataset(X, target))
        >>> model.predict_proba(X[:3]).shape
        (3, 2)
        """
        return self.answer(X, Asked(iteration_range, n_jobs, "probability"))

    def staged_predict(self, X: Any, *, n_jobs: int | None = None) -> Iterator[Floats]:
        """Yield the predictions after each iteration.

        Parameters
        ----------
        X : table or Dataset
            Rows, as ``predict`` takes them.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Yields
        ------
        array
            Predictions of the model after 1, 2, … iterations.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> stages = list(model.staged_predict(X))
        >>> len(stages), bool((stages[-1] == model.predict(X)).all())
        (20, True)
        """
        for iteration, raw in enumerate(self._staged(X, n_jobs)):
            yield self.objective.predict(self.correction.after(iteration + 1).applied(raw))

    def staged_predict_raw(self, X: Any, *, n_jobs: int | None = None) -> Iterator[Floats]:
        """Yield the raw scores after each iteration.

        Parameters
        ----------
        X : table or Dataset
            Rows, as ``predict`` takes them.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Yields
        ------
        array
            Raw scores of the model after 1, 2, … iterations, in the shape of ``predict_raw``.
        """
        for raw in self._staged(X, n_jobs):
            yield self._shaped(raw)

    def apply(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
    ) -> NDArray[np.int32]:
        """Return the leaf index of each row in every tree.

        Parameters
        ----------
        X : table or Dataset
            Rows, as ``predict`` takes them.
        iteration_range : tuple (begin, end), default=None
            Use only the trees of these iterations. None uses all.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Returns
        -------
        array of int, shape (n_rows, n_trees)
            Node numbers, counted within each tree.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> model.apply(X[:3]).shape
        (3, 20)
        """
        bounds = iteration_bounds(iteration_range, self.n_iterations)
        return find_leaves(self._whole, self.schema, X, bounds, count_threads(n_jobs))

    def select_columns(self, X: Any) -> Any:
        """Return a table with only the columns that the model was trained on.

        Use it for tables that have more columns, for example the target. The result also works in
        ``explain``, ``evaluate`` and the plots. A warning names the columns that are left out.

        Parameters
        ----------
        X : DataFrame, dictionary or list of dictionaries
            Rows with named columns. Tables without names are returned as they are.

        Returns
        -------
        table
            The same kind of table, with its columns in the order of the training.

        Examples
        --------
        >>> import pandas as pd
        >>> from ceiba import Dataset, train
        >>> frame = pd.DataFrame({"size": range(100), "age": 5, "price": range(100)})
        >>> model = train({"n_estimators": 5}, Dataset(frame[["size", "age"]], frame["price"]))
        >>> list(model.select_columns(frame[["age", "size"]]))
        ['size', 'age']
        """
        return select_columns(X, self.schema)

    def answer(self, X: Any, asked: Asked) -> NDArray[Any]:
        """Return predictions of the requested kind.

        Parameters
        ----------
        X : table or Dataset
            Rows, as ``predict`` takes them.
        asked : Asked
            Iterations, threads and kind, as ``asked_for`` reads them from the arguments of a call.

        Returns
        -------
        array
            Predictions, raw scores, leaves, probabilities, classes or contributions.

        Raises
        ------
        InvalidParameterError
            If the model cannot make predictions of this kind.
        """
        rounds, n_jobs, output = asked
        if output == "":
            return self.predict(X, iteration_range=rounds, n_jobs=n_jobs)
        how: dict[str, Any] = {"iteration_range": rounds, "n_jobs": n_jobs}
        if output == "leaf":
            leaves: NDArray[np.int32] = self.apply(X, **how)
            return leaves
        if output == "raw":
            return self.predict_raw(X, **how)
        if output.startswith("contributions of "):
            form = output.removeprefix("contributions of ")
            shares: Floats = lazy_module("explain").contributions(self, X, form, rounds, n_jobs)
            return shares
        if self.objective.task not in ("binary", "multiclass", "multilabel"):
            raise InvalidParameterError(
                "Probabilities and classes need a model that predicts classes. Got a model with "
                f"objective {self.objective.name!r}. Use `predict`, or "
                "prediction_type='RawFormulaVal'."
            )
        even = self.objective.even_score
        if output == "class" and self.objective.task == "multilabel":
            return (self.predict_raw(X, **how) > even).astype(np.int64)
        if output == "class":
            index = predicted_classes(self.predict_raw(X, **how), even)
            return index if self.classes is None else self.classes.take(index)
        chances = probabilities(self.predict(X, **how))
        return chances if output == "probability" else log_of(chances)

    def _counted_forest(self, begin: int, end: int) -> _core.Forest:
        """Return a forest that predicts like ``weighted_forest``, without a copy of the trees."""
        is_whole = (begin, end) == (0, self.n_iterations)
        return self._whole if is_whole else self.tree_weights.counted(self.forest, end, begin)

    @cached_property
    def _whole(self) -> _core.Forest:
        return self.tree_weights.counted(self.forest, self.n_iterations)

    def _staged(self, X: Any, n_jobs: int | None) -> Iterator[Floats]:
        return staged_raw_scores(
            self.forest,
            self.schema,
            self.start_scores,
            self.tree_weights,
            X,
            (0, self.n_iterations),
            count_threads(n_jobs),
        )

    def _shaped(self, raw: Floats) -> Floats:
        return raw[:, 0] if self.n_outputs == 1 else raw

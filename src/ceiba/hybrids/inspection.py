"""Metrics, explanations and plots of fitted hybrids: ``evaluate``, ``explain`` and ``plot``.

Explanations are Shapley values of the predictions, estimated from column permutations:

1. Absent columns take the values of background rows, present columns those of the explained row.
2. A permutation adds one column at a time and credits the change of the prediction to it. Up to
   four columns use all permutations. More columns use random permutations and their reverses,
   which is exact for models without interactions of more than two columns.
3. The values of a row sum to its prediction minus the mean prediction of the background.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.named_target import part_target
from ceiba.data.row_values import read_weights
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.estimators.targets import encode_labels, read_column, read_numbers
from ceiba.explain.explanation import Explanation
from ceiba.metrics import bound_metric, find_metric, wished_metrics
from ceiba.objectives import find_objective
from ceiba.plot.methods import ModelPlots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ceiba.data.schema import Schema

__all__ = ["HybridPlots", "InspectedHybrid", "shapley_values"]

Floats = NDArray[np.float64]

_BACKGROUND_ROWS = 50
_PERMUTATION_PAIRS = 8
_EVERY_ORDER = 4
_SMALLEST_PROBABILITY = float(np.finfo(np.float64).eps)


class HybridPlots(ModelPlots):
    """Plots of a hybrid: predictions and explanations."""

    _of_trees: ClassVar[tuple[str, ...]] = (
        *("importances", "interactions", "tree", "training", "steps", "coverage"),
        *("partial_dependence", "regions"),
    )

    def __getattribute__(self, name: str) -> Any:
        if name in HybridPlots._of_trees:
            raise InvalidTypeError(
                f"A hybrid has no plot.{name}, which needs a boosted model. Use plot."
                f"{', plot.'.join(HybridPlots.names())}, or summary() to read the model."
            )
        return super().__getattribute__(name)

    @staticmethod
    def names() -> list[str]:
        """Return the names of the plots that hybrids support."""
        every = (name for name in vars(ModelPlots) if not name.startswith("_"))
        return [name for name in every if name not in HybridPlots._of_trees]

    def __repr__(self) -> str:
        names = ", ".join(HybridPlots.names())
        return f"<plots of a {type(self._owner).__name__}: {names}>"


class InspectedHybrid:
    """Metrics, explanations and plots of a fitted hybrid."""

    if TYPE_CHECKING:

        def _fitted(self) -> Any: ...
        def _checked_rows(self, X: Any) -> tuple[Any, Floats]: ...

    def evaluate(self, X: Any, y: Any = None, metric: Any = None, sample_weight: Any = None) -> Any:
        """Return metrics of the predictions for rows with a known target.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows with the columns of ``fit``.
        y : array as in ``fit``, or name of a column of X
            Their target.
        metric : str, function or list of them, optional
            RMSE for regressors and log loss for classifiers by default.
        sample_weight : array of shape (n_rows,), optional
            Weights.

        Returns
        -------
        float or dict
            The value if ``metric`` is one metric; otherwise a dict from name to value.
        """
        X, y = part_target(X, y)
        model, values = self._checked_rows(X)
        name, classes = type(self).__name__, model.classes
        column = read_numbers(y, name) if classes is None else read_column(y, name)
        if len(column) != len(values):
            raise InvalidInputError(
                f"X and y must have the same number of rows. Got {len(values)} rows of X and "
                f"{len(column)} of y."
            )
        weights = None
        if sample_weight is not None:
            weights = read_weights(sample_weight, len(column), "sample_weight")
        target = column if classes is None else encode_labels(column, classes, weights)
        raw, loss = _raw_scores(model.scores(values), classes)
        objective = find_objective(loss)
        wished = list(metric) if isinstance(metric, tuple | set | frozenset) else metric
        found = {}
        for entry in wished_metrics(wished, objective.default_metric):
            own = bound_metric(find_metric(entry), objective, classes)
            value = own(target, objective.log_odds(raw), objective.predict(raw), weights)
            found[own.name] = float(value)
        one = metric is not None and not isinstance(metric, list | tuple | set | frozenset)
        return next(iter(found.values())) if one else found

    def explain(self, X: Any, *, background: Any = None) -> Explanation:
        """Explain predictions: the contribution of every column to every row's prediction (SHAP).

        Explains predicted values for regressors and probabilities for classifiers. With two
        classes, it explains the probability of the second one.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows to explain.
        background : table, optional
            Rows that supply the values of absent columns. By default up to 50 evenly spaced rows of
            X. Time is proportional to their number.

        Returns
        -------
        ceiba.explain.Explanation
            ``base_values + values.sum(axis=1)`` are the predictions.
        """
        model, values = self._checked_rows(X)
        others = values if background is None else self._checked_rows(background)[1]
        if not len(others):
            raise InvalidInputError("`background` must have at least one row. Got none.")
        if background is None and len(others) > _BACKGROUND_ROWS:
            others = others[np.linspace(0, len(others) - 1, _BACKGROUND_ROWS).astype(np.intp)]

        def predicted(rows: Floats) -> Floats:
            scores: Floats = model.scores(rows)
            if scores.ndim == 1:
                return scores[:, None]
            return scores[:, 1:] if scores.shape[1] == 2 else scores

        shares, base = shapley_values(predicted, values, others)
        several = shares.shape[2] > 1
        bases = np.tile(base, (len(values), 1))
        return Explanation(
            values=shares if several else shares[:, :, 0],
            base_values=bases if several else bases[:, 0],
            data=_shown_values(values, model.schema),
            feature_names=list(model.schema.names),
            output_names=list(model.classes) if several else [],
            method="interventional",
        )

    @property
    def plot(self) -> HybridPlots:
        """Plots of predictions and explanations from :mod:`ceiba.plot`, e.g. ``plot.roc(X, y)``.

        Needs matplotlib: ``pip install 'ceiba[plot]'``.
        """
        self._fitted()
        return HybridPlots(self)


def shapley_values(
    predicted: Callable[[Floats], Floats], values: Floats, background: Floats
) -> tuple[Floats, Floats]:
    """Return Shapley values [rows, columns, outputs] and the mean prediction of the background."""
    n_rows, n_columns = values.shape
    base = predicted(background).mean(axis=0)
    shares = np.zeros((n_rows, n_columns, len(base)))
    explained = np.repeat(values, len(background), axis=0)
    orders = _orders(n_columns)
    for order in orders:
        rows = np.tile(background, (n_rows, 1))
        before = predicted(rows)
        for j in order:
            rows[:, j] = explained[:, j]
            after = predicted(rows)
            changes = (after - before).reshape(n_rows, len(background), -1)
            shares[:, j] += changes.mean(axis=1)
            before = after
    return shares / len(orders), base


def _orders(n_columns: int) -> Sequence[Sequence[int]]:
    if n_columns <= _EVERY_ORDER:
        return list(itertools.permutations(range(n_columns)))
    random = np.random.default_rng(0)
    pairs = [random.permutation(n_columns).tolist() for _ in range(_PERMUTATION_PAIRS)]
    return [order for one in pairs for order in (one, one[::-1])]


def _raw_scores(scores: Floats, classes: NDArray[Any] | None) -> tuple[Floats, str]:
    """Return the scores [n, K] for metrics and the name of their loss."""
    if classes is None:
        return scores[:, None], "squared_error"
    logarithms: Floats = _core.log(np.clip(scores, _SMALLEST_PROBABILITY, None))
    if scores.shape[1] == 2:
        return logarithms[:, 1:] - logarithms[:, :1], "logistic"
    return logarithms, "softmax"


def _shown_values(values: Floats, schema: Schema) -> NDArray[Any]:
    """Return the values of rows, with the names of categories."""
    if "category" not in schema.kinds:
        return values
    shown = values.astype(object)
    for j, kind in enumerate(schema.kinds):
        if kind == "category":
            levels = schema.levels_of(j)
            shown[:, j] = [levels[int(k)] if 0 <= k < len(levels) else None for k in values[:, j]]
    return shown

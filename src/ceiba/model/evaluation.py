"""Evaluation methods of ``Model``: metrics of the training and of new rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.dataset import Dataset
from ceiba.data.named_target import part_target
from ceiba.data.read_table import read_like
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import listed
from ceiba.metrics import Metric, bound_metric, find_metric, is_metric, wished_metrics
from ceiba.objectives.several import check_n_targets
from ceiba.parameters import BY_NAME

if TYPE_CHECKING:
    from ceiba.data.schema import Schema
    from ceiba.model.correction import Correction
    from ceiba.objectives import Objective

__all__ = ["Evaluation"]

Floats = NDArray[np.float64]


class Evaluation:
    """Methods of a model that compare predictions with targets. See :class:`ceiba.Model`."""

    if TYPE_CHECKING:
        schema: Schema
        objective: Objective
        parameters: Mapping[str, Any]
        best_iteration: int
        history: Mapping[str, Mapping[str, Sequence[float]]]
        classes: NDArray[Any] | None
        correction: Correction

        def predict_raw(
            self, X: Any, *, iteration_range: Any = None, n_jobs: Any = None
        ) -> Floats: ...

    @property
    def best_score(self) -> dict[str, dict[str, float]]:
        """The metrics of every eval set at the best iteration: ``best_score[set][metric]``."""
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
        """Compute metrics of the predictions for rows with a known target.

        Parameters
        ----------
        X : table or Dataset
            Rows. A Dataset has its own target, weights and queries.
        y : array of shape (n_rows,) or str, default=None
            Target of the rows, or the name of its column in X. A model with ``classes`` takes
            their labels; other models take the values that ``train`` takes.
        metric : str, callable or list of them, default=None
            Metrics to compute. None uses the metrics of the training.
        sample_weight, qid, group : array, default=None
            Weights and queries of the rows.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Returns
        -------
        float or dict
            One number if ``metric`` is one metric, otherwise ``{name: value}``.

        Raises
        ------
        InvalidInputError
            If there is no target, or it does not fit the model.
        InvalidParameterError
            If a metric is unknown or does not fit the objective.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> list(model.evaluate(X, X[:, 0], ["rmse", "r2"]))
        ['rmse', 'r2']
        """
        rows = self.known_rows(X, y, sample_weight=sample_weight, qid=qid, group=group)
        return self.evaluate_rows(rows, metric, n_jobs)

    def known_rows(self, X: Any, y: Any = None, **of_rows: Any) -> Dataset:
        """Return rows with a known target as a Dataset; its target holds class indices."""
        if isinstance(X, Dataset):
            return X
        X, y = part_target(X, y)
        target = y if self.classes is None or y is None else _indices(y, self.classes)
        weight = of_rows.pop("sample_weight", None)
        return Dataset(read_like(X, self.schema), target, weight=weight, **of_rows)

    def evaluate_rows(self, rows: Dataset, metric: Any = None, n_jobs: int | None = None) -> Any:
        """Return metrics of a Dataset whose target holds class indices; see ``evaluate``."""
        entries = self.metrics_of(metric)
        found = self.scored(rows, rows.table, entries, n_jobs)
        one = metric is not None and not isinstance(metric, list | tuple | set | frozenset)
        return next(iter(found.values())) if one else found

    def scored(
        self, rows: Dataset, table: Any, metrics: Sequence[Metric], n_jobs: int | None
    ) -> dict[str, float]:
        """Return the metrics of predictions for ``table`` with the target of ``rows``."""
        if rows.target is None:
            raise InvalidInputError("Metrics need a target. Got rows without one. Give `y`.")
        check_n_targets(self.objective, rows.target)
        raw = self.predict_raw(table, n_jobs=n_jobs)
        raw = raw[:, None] if raw.ndim == 1 else raw
        prediction = self.objective.predict(self.correction.applied(raw))
        scored = (rows.target, self.objective.log_odds(raw), prediction, rows.weight)
        return {metric.name: float(metric.for_queries(rows.queries)(*scored)) for metric in metrics}

    def metrics_of(self, wished: Any) -> list[Metric]:
        """Return the metrics that a user names, or those of the training for None."""
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
                        f"The metric {name!r} of the training is a function, which a model does "
                        "not store. Give `metric`."
                    )
        if isinstance(wished, tuple | set | frozenset):
            wished = sorted(wished) if isinstance(wished, set | frozenset) else list(wished)
        metrics = [
            bound_metric(find_metric(entry, **options), self.objective, self.classes)
            for entry in wished_metrics(wished, self.objective.default_metric)
        ]
        if not metrics:
            raise InvalidParameterError("The model was trained without a metric. Give `metric`.")
        return metrics


def _indices(y: Any, classes: NDArray[Any]) -> NDArray[np.float64]:
    """Return the class index of each label; raise if the model does not know the label."""
    known = {label: index for index, label in enumerate(classes.tolist())}
    given = np.asarray(y)
    if given.ndim != 1 and given.shape[1:] != (1,):
        raise InvalidInputError(
            f"`y` must be one column with the label of each row. Got an array of shape "
            f"{given.shape}."
        )
    labels = given.reshape(-1).tolist()
    unknown = {label for label in labels if label not in known}
    if unknown:
        raise InvalidInputError(
            f"`y` must hold only classes of the model, {listed(known)}. Got also {listed(unknown)}."
        )
    return np.array([known[label] for label in labels], dtype=np.float64)

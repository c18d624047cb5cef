"""`Metric`, the base class of metrics.

The life of a metric:

1. ``find_metric("auc")`` makes one. Its fields are options that it shares with an objective, such
   as the variance power of tweedie.
2. ``bound_to`` binds it to the objective and the class labels, and raises if they do not fit.
3. ``for_queries`` binds a ranking metric (``needs_queries``, see ``_ranking.py``) to the queries of
   an eval set.
4. After every round it is called once per eval set with the target, the raw scores [n, K] (log-odds
   for two classes: ``Objective.log_odds``), the predictions (``Objective.predict``) and the
   weights. It returns one number.
5. ``higher_is_better`` gives early stopping the direction.

Early stopping depends on the value, so it must depend neither on row order nor on shards. Use
``weighted_mean`` and ``ceiba.reductions`` instead of numpy reductions, and ``exp`` and ``log`` of
the core.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ceiba.data.queries import Queries
from ceiba.errors import InvalidInputError, InvalidParameterError

if TYPE_CHECKING:
    from ceiba.objectives import Objective

Floats = NDArray[np.float64]


class Metric(ABC):
    """Base class of metrics.

    >>> from ceiba.metrics import METRICS
    >>> sum(kind.higher_is_better for kind in METRICS)
    13
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    higher_is_better: ClassVar[bool]
    #: Whether it is a mean over queries instead of rows.
    needs_queries: ClassVar[bool] = False
    #: Whether raw scores must be log-odds, as those of classification.
    needs_log_odds: ClassVar[bool] = False
    #: Whether the name may have a suffix (``ndcg@10``), which is the first argument.
    takes_suffix: ClassVar[bool] = False
    #: Whether the suffix is required.
    needs_cutoff: ClassVar[bool] = False

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """Return the names of its options. Objectives may have the same options."""
        return tuple(field.name for field in fields(cls)) if is_dataclass(cls) else ()

    def bound_to(self, objective: Objective, classes: NDArray[Any] | None) -> Metric:
        """Return the metric for an objective with these class labels. Raise if they do not fit."""
        if self.needs_log_odds and not objective.has_log_odds:
            raise InvalidParameterError(
                f"Metric {self.name} requires raw scores that are log-odds. Objective "
                f"{objective.name} has other scores. Use CeibaClassifier, a classification "
                "objective, objective 'cross_entropy', or another metric."
            )
        return self

    def for_queries(self, queries: Queries | None) -> Metric:
        """Return the metric for rows of these queries."""
        return self

    @abstractmethod
    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        """Compute the metric of n rows from ``raw`` [n, K] and ``prediction`` [n] or [n, K]."""

    def one_prediction(self, prediction: Floats) -> Floats:
        """Return ``prediction`` as [n]. Raise if there are several predictions per row."""
        if prediction.ndim == 2 and prediction.shape[1] == 1:
            return prediction[:, 0]
        if prediction.ndim != 1:
            raise InvalidInputError(
                f"Metric {self.name} needs one prediction per row. Got {prediction.shape[1]}. For "
                "several classes use multi_logloss, multi_auc, accuracy or error; for several "
                "quantiles use quantile."
            )
        return prediction

    def two_classes(self, target: Floats) -> Floats:
        """Return ``target``. Raise if it contains values other than 0 and 1."""
        if ((target != 0.0) & (target != 1.0)).any():
            raise InvalidInputError(
                f"Metric {self.name} needs a target of 0 and 1. Got other values. For real targets "
                "use rmse, mae or r2; for probabilities cross_entropy; for several classes "
                "multi_logloss."
            )
        return target

    def positive_prediction(self, prediction: Floats) -> Floats:
        """Return ``prediction`` as [n]. Raise if one is not above 0."""
        mean = self.one_prediction(prediction)
        if not (mean > 0.0).all():
            raise InvalidInputError(
                f"Metric {self.name} needs predictions above 0. Got {mean.min():g}. Use it with an "
                "objective whose predictions are positive: poisson, gamma or tweedie."
            )
        return mean

    def target_from_zero(self, target: Floats, zero_too: bool = True) -> Floats:
        """Return ``target``. Raise for values below 0, and for 0 unless ``zero_too``."""
        if not ((target >= 0.0) if zero_too else (target > 0.0)).all():
            allowed = "0 or more" if zero_too else "above 0"
            raise InvalidInputError(
                f"Metric {self.name} needs targets {allowed}. Got {target.min():g}. For other "
                "targets use rmse, mae or r2."
            )
        return target

    def predicted_classes(self, target: Floats, raw: Floats) -> Floats:
        """Return the class with the highest score for each row. Ties go to the lower class."""
        if raw.shape[1] > 1:
            winners: NDArray[np.intp] = np.argmax(raw, axis=1)
            return winners.astype(np.float64)
        self.two_classes(target)
        return (raw[:, 0] > 0.0).astype(np.float64)


def read_only(values: Floats) -> Floats:
    """Return a read-only view, to pass to a function of the user."""
    view = values.view()
    view.flags.writeable = False
    return view

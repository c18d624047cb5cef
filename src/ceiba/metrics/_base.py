"""What a metric is.

The life of a metric:

1. ``find_metric("auc")`` makes one. It is a value; its fields are options that it shares with an
   objective, such as the power of tweedie.
2. ``bound_to`` the objective, and the labels of a classifier, it refuses what it cannot score.
3. After every round it is called once for each eval set, with the target, the raw scores [n, K]
   (log-odds where they are those of two classes: ``Objective.log_odds``), the predictions made of
   them (``Objective.predict``) and the weights, and returns one number. A metric of ranked queries
   (``needs_queries``, see ``_ranking.py``) is first bound to the queries of the eval set by
   ``for_queries``.
4. ``higher_is_better`` tells early stopping which way is up.

The number may decide when training stops, so it must not depend on the order of the rows: every
sum is ``weighted_mean`` or another exact sum, never a numpy reduction, and exp and log are ours.
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
    #: Whether it is a mean over queries and not over rows.
    needs_queries: ClassVar[bool] = False
    #: Whether it reads scores as log-odds, which those of amounts and of ranks are not.
    needs_log_odds: ClassVar[bool] = False
    #: Whether its name may go on, as in ``ndcg@10``; what follows is the first argument.
    takes_suffix: ClassVar[bool] = False
    #: Whether it has no meaning without such a suffix.
    needs_cutoff: ClassVar[bool] = False

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """The parameters, which objectives may have too, that it is made with."""
        return tuple(field.name for field in fields(cls)) if is_dataclass(cls) else ()

    def bound_to(self, objective: Objective, classes: NDArray[Any] | None) -> Metric:
        """The metric for models of an objective, whose classes have these labels."""
        if self.needs_log_odds and not objective.has_log_odds:
            raise InvalidParameterError(
                f"Metric {self.name} reads scores as log-odds of classes. Those of objective "
                f"{objective.name} are none. Use CeibaClassifier or an objective of classes or "
                "shares, or another metric."
            )
        return self

    def for_queries(self, queries: Queries | None) -> Metric:
        """The metric for rows of these queries."""
        return self

    @abstractmethod
    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        """The metric of n rows; ``raw`` has [n, K], ``prediction`` [n] or [n, K]."""

    def one_prediction(self, prediction: Floats) -> Floats:
        """``prediction`` as [n]; an error where the model predicts several numbers for a row."""
        if prediction.ndim == 2 and prediction.shape[1] == 1:
            return prediction[:, 0]
        if prediction.ndim != 1:
            raise InvalidInputError(
                f"Metric {self.name} needs one prediction for each row. Got "
                f"{prediction.shape[1]} for each. Metrics for several classes are multi_logloss, "
                "multi_auc, accuracy and error, and for several quantiles quantile."
            )
        return prediction

    def two_classes(self, target: Floats) -> Floats:
        """``target``; an error where it is not made of 0 and 1."""
        if ((target != 0.0) & (target != 1.0)).any():
            raise InvalidInputError(
                f"Metric {self.name} needs a target of 0 and 1. Got other values. Metrics for "
                "other targets are rmse, mae and r2, for shares cross_entropy, and for several "
                "classes multi_logloss."
            )
        return target

    def positive_prediction(self, prediction: Floats) -> Floats:
        """``prediction`` as [n]; an error where one of them is not above 0."""
        mean = self.one_prediction(prediction)
        if not (mean > 0.0).all():
            raise InvalidInputError(
                f"Metric {self.name} needs predictions above 0. Got {mean.min():g}. Use it with an "
                "objective whose predictions are positive: poisson, gamma or tweedie."
            )
        return mean

    def target_from_zero(self, target: Floats, zero_too: bool = True) -> Floats:
        """``target``; an error where a value is below 0, or 0 where that has no meaning."""
        if not ((target >= 0.0) if zero_too else (target > 0.0)).all():
            allowed = "0 or more" if zero_too else "above 0"
            raise InvalidInputError(
                f"Metric {self.name} needs targets {allowed}. Got {target.min():g}. Metrics for "
                "any number are rmse, mae and r2."
            )
        return target

    def predicted_classes(self, target: Floats, raw: Floats) -> Floats:
        """The class of the highest score of every row; ties go to the lower class."""
        if raw.shape[1] > 1:
            winners: NDArray[np.intp] = np.argmax(raw, axis=1)
            return winners.astype(np.float64)
        self.two_classes(target)
        return (raw[:, 0] > 0.0).astype(np.float64)


def read_only(values: Floats) -> Floats:
    """A view that a user's function cannot write to."""
    view = values.view()
    view.flags.writeable = False
    return view

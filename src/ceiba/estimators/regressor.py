"""CeibaRegressor: gradient boosting regressor with the scikit-learn interface.

``base.py`` describes the life of an estimator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import RegressorMixin

from ceiba.data.named_target import part_target
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.estimators.base import BaseCeiba
from ceiba.estimators.documentation import document
from ceiba.estimators.signatures import RegressorSignature
from ceiba.estimators.targets import has_several, read_numbers, read_several
from ceiba.objectives.several import takes_several

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.model.model import Model
    from ceiba.objectives import Objective

__all__ = ["CeibaRegressor"]


class CeibaRegressor(RegressorSignature, RegressorMixin, BaseCeiba):  # type: ignore[misc]
    """Gradient boosting regressor."""

    _kind = "regressor"
    _tasks = ("regression", "custom")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        objective = self._named_objective()
        tags.target_tags.multi_output = objective is None or takes_several(objective)
        tags.target_tags.positive_only = objective is not None and _refuses_negative(objective)
        return tags

    def _read_target(self, y: Any, estimator: str) -> NDArray[np.float64]:
        return read_several(y, estimator) if has_several(y) else read_numbers(y, estimator)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R² of the predictions, the mean over several targets.

        ``y`` may be the name of a column of X. A model of several quantiles has no such score.
        """
        model: Model | None = vars(self).get("model_")
        n_levels = 0 if model is None else len(model.objective.levels)
        if n_levels > 1:
            raise InvalidInputError(
                "score needs one prediction per row. Got a model of "
                f"{n_levels} quantiles. Use a model of one quantile, or the pinball loss of each: "
                "sklearn.metrics.mean_pinball_loss(y, predict(X)[:, i], alpha=level)."
            )
        X, y = part_target(X, y)
        return float(super().score(X, y, sample_weight))


def _refuses_negative(objective: Objective) -> bool:
    """Return whether an objective raises an error for targets below 0."""
    try:
        objective.check_target(np.array([-2.0, 1.0]), 1)
    except (InvalidInputError, InvalidParameterError):
        return True
    return False


document(
    "regressor",
    CeibaRegressor,
    """
>>> import numpy as np
>>> from ceiba import CeibaRegressor
>>> X = np.arange(200.0).reshape(100, 2)
>>> regressor = CeibaRegressor(n_estimators=50, learning_rate=0.3).fit(X, X[:, 0])
>>> regressor.predict(X[:2]).shape
(2,)
>>> regressor.score(X, X[:, 0]) > 0.9
True
""",
)

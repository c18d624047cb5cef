"""What a fitted estimator tells of its model: importances by trees and by rows.

Every method asks ``model_`` of the same name.
"""

from __future__ import annotations

from typing import Any

from ceiba.model.model import Model

__all__ = ["LookingEstimator"]


class LookingEstimator:
    """Ways to look into the fitted model."""

    def _fitted(self) -> Model:
        raise NotImplementedError

    def importances(self, kind: str = "gain", X: Any = None, y: Any = None, **how: Any) -> Any:
        """Return a table of the importances of the columns; see :meth:`ceiba.Model.importances`."""
        return self._fitted().importances(kind, X, y, **how)

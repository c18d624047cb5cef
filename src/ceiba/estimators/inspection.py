"""Inspection methods of fitted estimators: importances, partial dependence, plots.

Each calls the method of the same name of ``model_``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ceiba.model.decisions import Decisions
    from ceiba.model.model import Model
    from ceiba.plot.methods import ModelPlots

__all__ = ["InspectionMixin"]


class InspectionMixin:
    """Inspection methods of the fitted model."""

    if TYPE_CHECKING:

        def _fitted(self) -> Model: ...
        def _ready(self, X: Any) -> tuple[Model, Any]: ...
        def _n_jobs(self) -> int | None: ...

    def fingerprint(self) -> str:
        """Return the SHA-256 of what the fitted model computes.

        See :meth:`ceiba.Model.fingerprint`. Two estimators with the same fingerprint make the same
        predictions, bit for bit.
        """
        return self._fitted().fingerprint()

    def decisions(self) -> Decisions:
        """Return what recipe auto chose, in words; see :meth:`ceiba.Model.decisions`."""
        return self._fitted().decisions()

    def select_columns(self, X: Any) -> Any:
        """Return X with the columns of ``fit`` only; see :meth:`ceiba.Model.select_columns`."""
        return self._fitted().select_columns(X)

    def importances(self, kind: str = "gain", X: Any = None, y: Any = None, **how: Any) -> Any:
        """Return a table of the importances of the columns; see :meth:`ceiba.Model.importances`."""
        return self._fitted().importances(kind, X, y, **how)

    def partial_dependence(self, X: Any, columns: Any = None, **how: Any) -> Any:
        """Return what is predicted as one column, or two, take other values.

        See :meth:`ceiba.Model.partial_dependence`. Predictions of a classifier are probabilities:
        that of the second class where there are two.
        """
        model, X = (self._fitted(), None) if X is None else self._ready(X)
        how.setdefault("n_jobs", self._n_jobs())
        return model.partial_dependence(X, columns, **how)

    @property
    def plot(self) -> ModelPlots:
        """Plots of the fitted model, the functions of :mod:`ceiba.plot`: ``plot.importances()``.

        Needs matplotlib: ``pip install 'ceiba[plot]'``.
        """
        from ceiba.plot.methods import ModelPlots

        self._fitted()
        return ModelPlots(self)

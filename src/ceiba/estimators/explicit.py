"""Estimators whose constructors name their parameters one by one, as scikit-learn's do.

The life of such parameters:

1. the constructor stores them under its own names, which are those of scikit-learn;
2. ``get_params`` and ``set_params`` are scikit-learn's own;
3. ``fit`` reads them once, as the parameters of a recipe that they stand for (``_given``).
"""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator

from ceiba.estimators.parameters import ParameterHolder

__all__ = ["ExplicitParameters"]


class ExplicitParameters(ParameterHolder):
    """A constructor with its own names instead of all that are declared."""

    # A name of ours, or of another library, is an attribute like any other here.
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were written."""
        params: dict[str, Any] = BaseEstimator.get_params(self, deep)
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by the names of the constructor."""
        BaseEstimator.set_params(self, **params)
        return self

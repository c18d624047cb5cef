"""Estimators whose constructors list their parameters, as scikit-learn's do.

The life of such parameters:

1. The constructor stores them under scikit-learn's names. An unknown name raises an error with the
   nearest name (:class:`ChecksNames`).
2. ``get_params`` and ``set_params`` are scikit-learn's own.
3. ``fit`` translates them once into the parameters of a recipe (``_given``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from sklearn.base import BaseEstimator

from ceiba.errors import UnknownParameterError
from ceiba.estimators.parameters import ParameterHolder
from ceiba.parameters.nearest import nearest_words

__all__ = ["ChecksNames", "ExplicitParameters"]


class ChecksNames(BaseEstimator):  # type: ignore[misc]
    """Suggest the nearest parameter for an unknown name."""

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Check the names before the constructor, whose own error has no suggestion."""
        cls._check_known(given)
        return object.__new__(cls)

    def set_params(self, **params: Any) -> Self:
        """Set parameters by the names of the constructor."""
        self._check_known(params)
        BaseEstimator.set_params(self, **params)
        return self

    @classmethod
    def _check_known(cls, given: Iterable[str]) -> None:
        known = cls._get_param_names()
        for name in given:
            if name.split("__")[0] not in known:
                near = nearest_words(name, dict.fromkeys(known, 1.0))
                raise UnknownParameterError(f"Unknown parameter {name!r} of {cls.__name__}. {near}")


class ExplicitParameters(ChecksNames, ParameterHolder):
    """A constructor with its own names instead of the declared parameters."""

    # Names of other parameters or libraries are ordinary attributes here.
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as the user set them."""
        params: dict[str, Any] = BaseEstimator.get_params(self, deep)
        return params

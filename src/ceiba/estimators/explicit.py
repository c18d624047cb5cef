"""Estimators whose constructors name their parameters one by one, as scikit-learn's do.

The life of such parameters:

1. the constructor stores them under its own names, which are those of scikit-learn; a name that it
   does not have is an error that tells the nearest one (:class:`ChecksNames`);
2. ``get_params`` and ``set_params`` are scikit-learn's own;
3. ``fit`` reads them once, as the parameters of a recipe that they stand for (``_given``).
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
    """Says which parameter is meant where a name is misspelt."""

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Look at the names before the constructor does, which would tell less."""
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
    """A constructor with its own names instead of all that are declared."""

    # A name of ours, or of another library, is an attribute like any other here.
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were written."""
        params: dict[str, Any] = BaseEstimator.get_params(self, deep)
        return params

"""Methods that return a new instance when called on a class: ``CeibaClassifier.load_model``."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, BinaryIO, TypeVar

__all__ = ["loads_model"]

Owner = TypeVar("Owner")
Load = Callable[[str | os.PathLike[str] | BinaryIO], Owner]


class loads_model:  # noqa: N801
    """Make ``load_model(self, path)`` callable on the class as well.

    Called on a class, the method loads into an estimator with default parameters, and then calls
    its method ``_take_recorded`` if it has one.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, instance: Owner | None, owner: type[Owner]) -> Load[Owner]:
        @wraps(self._method)
        def load(path: str | os.PathLike[str] | BinaryIO) -> Owner:
            loaded: Owner = self._method(owner() if instance is None else instance, path)
            if instance is None and hasattr(loaded, "_take_recorded"):
                loaded._take_recorded()
            return loaded

        return load

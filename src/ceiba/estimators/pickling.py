"""Wrap functions among the parameters of an estimator, for clear pickling errors.

Pickle stores a function by module and name, which does not work for a lambda or a nested function.
:func:`wrapped` wraps such functions so that the error names the parameter. Picklers that store
functions by value (cloudpickle, used by joblib and dask) and copies skip the wrapper.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ceiba.errors import UnpicklableError

__all__ = ["unwrapped", "wrapped"]

_BY_VALUE = {"cloudpickle", "dill"}


class _Wrapped:
    """A function and the name of its parameter."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name, self.function = name, function

    def __deepcopy__(self, memo: dict[int, Any]) -> _Wrapped:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        try:
            pickle.dumps(self.function)
        except Exception:
            if not _keeps_by_value():
                raise UnpicklableError(
                    f"{self.name} holds {self.function.__name__}, which pickle cannot store "
                    "because it is not at the top level of a module. Define it there, or save the "
                    "fitted model with save_model."
                ) from None
        return _identity, (self.function,)


def _identity(function: Any) -> Any:
    return function


def _keeps_by_value() -> bool:
    """Whether the calling pickler stores functions by value."""
    frame = sys._getframe(1)
    while frame is not None:
        if _BY_VALUE & set(str(frame.f_globals.get("__name__")).split(".")):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def wrapped(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state with every function wrapped."""

    def wrapped_value(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [wrapped_value(name, entry) for entry in value]
        is_function = callable(value) and not isinstance(value, type)
        return _Wrapped(name, value) if is_function and hasattr(value, "__name__") else value

    return {name: wrapped_value(name, value) for name, value in state.items()}


def unwrapped(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state without wrappers, for a copy that was not pickled."""

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(entry) for entry in value]
        return value.function if isinstance(value, _Wrapped) else value

    return {name: plain(value) for name, value in state.items()}

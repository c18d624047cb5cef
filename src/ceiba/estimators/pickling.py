"""Functions among the parameters of an estimator, on their way into a pickle.

Pickle keeps a function by the name of its module and finds it again there, which a lambda or a
function inside of another one cannot be. :func:`wrapped` puts a note around such functions, so that
the error says which parameter holds it. Picklers that keep functions by value (cloudpickle, as
joblib and dask use it) and copies never see the note.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ceiba.errors import UnpicklableError

__all__ = ["unwrapped", "wrapped"]

_BY_VALUE = {"cloudpickle", "dill"}


class _Noted:
    """A function, and the parameter that holds it."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name, self.function = name, function

    def __deepcopy__(self, memo: dict[int, Any]) -> _Noted:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        try:
            pickle.dumps(self.function)
        except Exception:
            if not _keeps_by_value():
                raise UnpicklableError(
                    f"{self.name} holds {self.function.__name__}, which cannot be pickled: pickle "
                    "keeps functions by their name. Define it at the top of a module, or save the "
                    "fitted model with save_model."
                ) from None
        return _itself, (self.function,)


def _itself(function: Any) -> Any:
    return function


def _keeps_by_value() -> bool:
    """Whether a pickler is at work that keeps functions by value."""
    frame = sys._getframe(1)
    while frame is not None:
        if _BY_VALUE & set(str(frame.f_globals.get("__name__")).split(".")):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def wrapped(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state with a note around every function."""

    def noted(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [noted(name, entry) for entry in value]
        is_function = callable(value) and not isinstance(value, type)
        return _Noted(name, value) if is_function and hasattr(value, "__name__") else value

    return {name: noted(name, value) for name, value in state.items()}


def unwrapped(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state without notes, for a copy that was not pickled."""

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(entry) for entry in value]
        return value.function if isinstance(value, _Noted) else value

    return {name: plain(value) for name, value in state.items()}

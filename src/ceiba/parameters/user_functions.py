"""Functions of the user: their names, and checks of their arguments before the first call."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import partial
from typing import Any

from ceiba.errors import InvalidParameterError

__all__ = ["check_arguments", "name_of", "noting", "unwrapped"]


def name_of(function: Any) -> str:
    """Return the name of a function in messages and in a model's parameters."""
    own = getattr(function, "__name__", None)  # a partial has one if it was given one
    function = unwrapped(function)
    return str(own or getattr(function, "__name__", None) or type(function).__name__)


def unwrapped(function: Any) -> Any:
    """Return the function that ``functools.partial`` binds options of, or ``function`` itself."""
    while isinstance(function, partial):
        function = function.func
    return function


def check_arguments(
    function: Any, what: str, names: Sequence[str], advice: str, keywords: Sequence[str] = ()
) -> None:
    """Raise InvalidParameterError if a function cannot be called with these arguments.

    ``names`` describe the positional arguments, ``keywords`` are passed by name. A function without
    a readable signature, such as a builtin, is accepted.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*names, **dict.fromkeys(keywords))
    except TypeError:
        count = ("no argument", "one argument", "two arguments", "three arguments")[len(names)]
        expected = f", ({', '.join(names)})" if names else ""
        raise InvalidParameterError(
            f"{what} must take {count}{expected}. Got {name_of(function)}{signature}. {advice}"
        ) from None


class noting:  # noqa: N801
    """Context that adds a note to exceptions of a user's function: which function raised."""

    def __init__(self, note: str) -> None:
        self._note = note

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            error.add_note(self._note)

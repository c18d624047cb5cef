"""Text of values in messages (shortened lists and values), and warnings at the caller's line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["listed", "shown", "warn"]

_MOST = 5
_LONGEST = 60


def listed(values: Iterable[Any], most: int = _MOST, show: Callable[[Any], str] = repr) -> str:
    """Return the first values and the number of further ones: ``'a', 'b' and 3 more``."""
    every = list(values)
    text = ", ".join(map(show, every[:most]))
    return f"{text} and {len(every) - most} more" if len(every) > most else text


def shown(value: Any, longest: int = _LONGEST) -> str:
    """Return a value as text that fits a message."""
    try:
        text = repr(value)
    except Exception:  # a class with a broken __repr__, or an integer with too many digits
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def warn(message: str) -> None:
    """Issue a warning that points to the user's line that called the package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("ceiba."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)

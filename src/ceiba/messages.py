"""How errors show values (a few of many, and long ones cut short), and whom warnings point to."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["listed", "shown", "warn"]

_MOST = 5
_LONGEST = 60


def listed(values: Iterable[Any], most: int = _MOST, show: Callable[[Any], str] = repr) -> str:
    """Return the first values and how many there are besides: ``'a', 'b' and 3 more``."""
    every = list(values)
    text = ", ".join(map(show, every[:most]))
    return f"{text} and {len(every) - most} more" if len(every) > most else text


def shown(value: Any, longest: int = _LONGEST) -> str:
    """Return what was given as text that fits a message."""
    text = repr(value)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def warn(message: str) -> None:
    """Warn, and point to the line of the user's that called into the package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("ceiba."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)

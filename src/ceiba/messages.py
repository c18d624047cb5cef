"""How errors show values: a few of many, and long ones cut short."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["listed", "shown"]

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

"""Translate parameter names and values of other libraries.

The life of a foreign name:

1. It is a row of a table (``_foreign_meanings.py``, ``_foreign_harmless.py`` or
   ``_foreign_refused.py``), of one of three kinds: it has an exact equivalent, it does not affect
   the model and is ignored, or it is refused with a reason and advice.
2. ``resolving.py`` calls :meth:`Foreign.means` to translate a value to canonical parameters.
3. Estimators keep what the user wrote for ``get_params``, and errors name it.

A new feature moves its names from the refused ones to its parameter, as aliases or translations.
``keywords.py`` has rows of the same kind for arguments of functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ceiba.errors import InvalidParameterError, UnknownParameterError
from ceiba.messages import shown

__all__ = [
    "Foreign",
    "Kind",
    "Settings",
    "harmless",
    "meaning",
    "off_only",
    "refused",
    "same",
    "assignment",
]

Kind = Literal["meaning", "harmless", "refused"]
#: Values by canonical name.
Settings = Mapping[str, Any]

_LISTS = (list, tuple, set, frozenset, np.ndarray)


@dataclass(frozen=True)
class Foreign:
    """A name of another library: its kind and the translation of its values."""

    name: str
    kind: Kind
    #: Translates a value, given the other settings; None if the value is not supported.
    read: Callable[[Any, Settings], Settings | None]
    #: Why other values are refused, and what to do instead.
    why: str = ""
    #: Whether the translation replaces other settings (which it has read).
    replaces: bool = False

    def means(self, written: str, value: Any, given: Settings) -> Settings:
        """Return the settings that a value stands for; raise if it is not supported."""
        found = self.read(value, given)
        if found is None:
            error = UnknownParameterError if self.kind == "refused" else InvalidParameterError
            raise error(f"{assignment(written, value)} is not supported: {self.why}")
        return found


def meaning(
    names: str,
    values: Mapping[Any, Settings] | Callable[[Any, Settings], Settings | None],
    why: str,
) -> Iterable[Foreign]:
    """Return rows of names with exact equivalents; a function sees the other settings."""
    read = values if callable(values) else _table(tuple(values.items()))
    return _rows(names, "meaning", read, why, callable(values))


def harmless(names: str, values: tuple[Any, ...] | None = None, why: str = "") -> Iterable[Foreign]:
    """Return rows of names that are ignored: for these values, or for any value."""
    read = _nothing if values is None else off_only(values)
    return _rows(names, "harmless", read, why)


def refused(names: str, why: str, off: tuple[Any, ...] = ()) -> Iterable[Foreign]:
    """Return rows of refused names; values in ``off`` switch the feature off and are accepted."""
    return _rows(names, "refused", off_only(off), why)


def off_only(values: tuple[Any, ...]) -> Callable[[Any, Settings], Settings | None]:
    """Return a translation that ignores these values and refuses others."""
    return _table(tuple((value, {}) for value in values))


def _rows(
    names: str,
    kind: Kind,
    read: Callable[[Any, Settings], Settings | None],
    why: str,
    replaces: bool = False,
) -> list[Foreign]:
    return [Foreign(name, kind, read, why, replaces) for name in names.split()]


def _nothing(value: Any, given: Settings) -> Settings:
    return {}


def _table(
    pairs: tuple[tuple[Any, Settings], ...],
) -> Callable[[Any, Settings], Settings | None]:
    def read(value: Any, given: Settings) -> Settings | None:
        return next((meant for known, meant in pairs if same(known, value)), None)

    return read


def assignment(name: str, value: Any) -> str:
    """Return ``name=value`` if the value is short, else the name alone."""
    text = shown(value)
    short = "\n" not in text and not text.endswith("...") and not text.startswith("<")
    return f"{name}={text}" if short else name


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal; strings in any case, lists and arrays by element."""
    if one is other:
        return True
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one.lower() == other.lower()
    if isinstance(one, Mapping) or isinstance(other, Mapping):
        return bool(one == other)
    if isinstance(one, _LISTS) and isinstance(other, _LISTS):
        return len(one) == len(other) and all(map(same, one, other))
    try:
        return bool(one == other)
    except (TypeError, ValueError, ArithmeticError):
        return False

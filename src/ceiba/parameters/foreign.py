"""Names and values of other libraries, and what they mean here.

The life of a foreign name:

1. it is a row of the table (``_foreign_meanings.py``, ``_foreign_harmless.py`` and
   ``_foreign_refused.py``), of one of three kinds: it has an exact meaning here, it asks for
   nothing that would change a model, or it is refused with a sentence that says why and what to
   do;
2. ``resolving.py`` asks :meth:`Foreign.means` what a value sets, in our own names;
3. what a user wrote stays as it was written: estimators keep it for ``get_params``, and errors
   name it.

A feature that lands moves its names from the refused to their parameter, as aliases or meanings.
``keywords.py`` holds rows of the same kind for the arguments of functions.
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
    "told",
]

Kind = Literal["meaning", "harmless", "refused"]
#: Values by our own names.
Settings = Mapping[str, Any]

_LISTS = (list, tuple, set, frozenset, np.ndarray)


@dataclass(frozen=True)
class Foreign:
    """One foreign name: its kind, and what its values mean in our own names."""

    name: str
    kind: Kind
    #: What a value means beside what else is given, or None where it means nothing here.
    read: Callable[[Any, Settings], Settings | None]
    #: Why the other values are refused, and what to do.
    why: str = ""
    #: Whether what it means takes the place of what else is given, which it has read.
    replaces: bool = False

    def means(self, written: str, value: Any, given: Settings) -> Settings:
        """Return what a value sets; raise what the user reads where it has no meaning here."""
        found = self.read(value, given)
        if found is None:
            error = UnknownParameterError if self.kind == "refused" else InvalidParameterError
            raise error(f"{told(written, value)} is not supported: {self.why}")
        return found


def meaning(
    names: str,
    values: Mapping[Any, Settings] | Callable[[Any, Settings], Settings | None],
    why: str,
) -> Iterable[Foreign]:
    """Return rows of names with an exact meaning; a function sees what else is given."""
    read = values if callable(values) else _table(tuple(values.items()))
    return _rows(names, "meaning", read, why, callable(values))


def harmless(names: str, values: tuple[Any, ...] | None = None, why: str = "") -> Iterable[Foreign]:
    """Return rows of names that change nothing here: with these values, or with any."""
    read = _nothing if values is None else off_only(values)
    return _rows(names, "harmless", read, why)


def refused(names: str, why: str, off: tuple[Any, ...] = ()) -> Iterable[Foreign]:
    """Return rows of names that are refused; ``off`` are values that switch the thing off."""
    return _rows(names, "refused", off_only(off), why)


def off_only(values: tuple[Any, ...]) -> Callable[[Any, Settings], Settings | None]:
    """Return a reader to which these values mean nothing that is to be done."""
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


def told(name: str, value: Any) -> str:
    """Return ``name=value`` where the value is short enough to be read, else the name alone."""
    text = shown(value)
    short = "\n" not in text and not text.endswith("...") and not text.startswith("<")
    return f"{name}={text}" if short else name


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal: words in any letter case, lists and arrays by their members."""
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

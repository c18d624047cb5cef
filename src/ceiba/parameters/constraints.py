"""Constraints on parameter values: validation, description and test values.

The life of a constraint:

1. The declaration of a parameter creates it.
2. ``check`` converts a value to a plain Python object or raises :class:`Broken`;
   :func:`check_value` turns that into an error message with the description ``text``.
3. ``valid`` and ``invalid`` return values for tests.
"""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeGuard

import numpy as np

from ceiba.errors import InvalidParameterError
from ceiba.messages import shown
from ceiba.random import seed_of

LARGEST_INT = 2**31 - 1


class Constraint(Protocol):
    """Interface of a constraint."""

    @property
    def text(self) -> str:
        """Return a description that follows "must be"."""
        ...

    @property
    def hint(self) -> str:
        """Return the type of valid values for type checkers."""
        ...

    def check(self, value: object) -> Any:
        """Return the value as a plain Python object; raise Broken if it is invalid."""
        ...

    def valid(self) -> list[Any]:
        """Return a few valid values."""
        ...

    def invalid(self) -> list[Any]:
        """Return a few invalid values."""
        ...


class Broken(ValueError):
    """The value is invalid. The caller writes the message, since it knows the parameter name.

    The argument is an optional sentence for the message about a limit that ``text`` leaves out.
    """


@dataclass(frozen=True)
class Integer:
    """An integer from ``low`` to ``high``, both included. Booleans are not integers here."""

    low: int
    high: int = LARGEST_INT
    hint: str = "int"

    @property
    def text(self) -> str:
        if self.high == LARGEST_INT:
            return f"an integer, {self.low} or more"
        return f"an integer between {self.low} and {self.high}"

    def check(self, value: object) -> int:
        if not is_integer(value):
            raise Broken
        number: int = operator.index(value)  # type: ignore[arg-type]
        if number > self.high == LARGEST_INT:
            raise Broken(f"The largest is {self.high}.")
        if not self.low <= number <= self.high:
            raise Broken
        return number

    def valid(self) -> list[Any]:
        return [self.low, np.int32(min(self.low + 1, self.high)), min(self.low + 7, self.high)]

    def invalid(self) -> list[Any]:
        return [self.low - 1, self.high + 1, self.low + 0.5, True, "many", [self.low], math.nan]


@dataclass(frozen=True)
class Real:
    """A finite number from ``low`` to ``high``, each included or not."""

    low: float
    high: float = math.inf
    includes_low: bool = True
    includes_high: bool = True
    hint: str = "float"

    @property
    def text(self) -> str:
        if self.low == -math.inf:
            return "a finite number"
        if self.high == math.inf:
            words = f"{self.low:g} or more" if self.includes_low else f"above {self.low:g}"
            return f"a finite number, {words}"
        if self.includes_low and self.includes_high:
            return f"a number between {self.low:g} and {self.high:g}"
        low = f"{self.low:g} or more" if self.includes_low else f"above {self.low:g}"
        high = f"at most {self.high:g}" if self.includes_high else f"below {self.high:g}"
        return f"a number {low} and {high}"

    def check(self, value: object) -> float:
        if not isinstance(value, numbers.Real) or isinstance(value, (bool, np.bool_)):
            raise Broken
        try:
            number = float(value)
        except (OverflowError, TypeError):  # a huge integer, or a duration (an Integral in numpy)
            raise Broken from None
        above = number >= self.low if self.includes_low else number > self.low
        below = number <= self.high if self.includes_high else number < self.high
        if not (math.isfinite(number) and above and below):
            raise Broken
        return number

    def valid(self) -> list[Any]:
        if self.low == -math.inf:
            return [0.5, np.float32(0.5), -3]
        middle = self.low + 1 if self.high == math.inf else (self.low + self.high) / 2
        return [middle, np.float32(middle), *([self.low] if self.includes_low else [])]

    def invalid(self) -> list[Any]:
        edge = [] if self.includes_low else [self.low]
        above = [] if self.high == math.inf else [self.high + 1]
        above += [] if self.includes_high else [self.high]
        return [*edge, *above, self.low - 1, math.nan, math.inf, 10**400, "fast", True, [0.5]]


@dataclass(frozen=True)
class OneOf:
    """One of several strings; ``other_words`` maps synonyms of other libraries."""

    words: tuple[str, ...]
    other_words: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        words = ", ".join(repr(word) for word in self.words)
        return words if len(self.words) == 1 else f"one of {words}"

    @property
    def hint(self) -> str:
        words = [*self.words, *self.other_words]
        return "Literal[" + ", ".join(f'"{word}"' for word in words) + "]"

    def check(self, value: object) -> str:
        word = self.other_words.get(value, value) if isinstance(value, str) else value
        if not isinstance(word, str) or word not in self.words:
            raise Broken
        return str(word)

    def valid(self) -> list[Any]:
        return [*self.words, *self.other_words]

    def invalid(self) -> list[Any]:
        return ["", self.words[0] + "x", 1, [self.words[0]]]


@dataclass(frozen=True)
class Boolean:
    """True or False."""

    text: str = "True or False"
    hint: str = "bool"

    def check(self, value: object) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            raise Broken
        return bool(value)

    def valid(self) -> list[Any]:
        return [True, np.False_]

    def invalid(self) -> list[Any]:
        return ["yes", 2, 0.5, [True]]


@dataclass(frozen=True)
class Text:
    """A name; the code that uses it validates it."""

    text: str = "a name (a string)"
    hint: str = "str"

    def check(self, value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            raise Broken
        return str(value)

    def valid(self) -> list[Any]:
        return ["squared_error"]

    def invalid(self) -> list[Any]:
        return ["", 3, ["squared_error"], math.nan]


@dataclass(frozen=True)
class Function:
    """A function or another callable object, but not a class."""

    text: str = "a function"
    hint: str = "Callable[..., Any]"

    def check(self, value: object) -> Any:
        if not callable(value) or isinstance(value, type):
            raise Broken
        return value

    def valid(self) -> list[Any]:
        return [max]

    def invalid(self) -> list[Any]:
        return [float, 3, math.nan]


@dataclass(frozen=True)
class Seed:
    """A random state as in scikit-learn, converted to one integer."""

    text: str = "an integer between 0 and 2^63 - 1 or a numpy random generator"
    hint: str = "int | np.random.RandomState | np.random.Generator"

    def check(self, value: object) -> int:
        try:
            return seed_of(value)
        except InvalidParameterError:
            raise Broken from None

    def valid(self) -> list[Any]:
        return [0, np.int64(7), 2**63 - 1, np.random.RandomState(1), np.random.default_rng(1)]

    def invalid(self) -> list[Any]:
        return [-1, 2**63, 0.5, True, "lucky", [1]]


@dataclass(frozen=True)
class MissingMark:
    """A number that marks missing values. NaN is always missing, so NaN is the same as None."""

    text: str = "a finite number or NaN"
    hint: str = "float"

    def check(self, value: object) -> float | None:
        if isinstance(value, numbers.Real) and value != value:
            return None
        return Real(-math.inf).check(value) + 0.0  # one zero

    def valid(self) -> list[Any]:
        return [-999, 0.5, np.float32(0.5), math.nan]

    def invalid(self) -> list[Any]:
        return [math.inf, -math.inf, 10**400, "none", True, [0.5]]


def is_integer(value: object) -> bool:
    """Return whether a value is an integer; booleans and durations (numpy) are not."""
    if type(value) is int:
        return True
    not_numbers = (bool, np.bool_, np.timedelta64)
    return isinstance(value, numbers.Integral) and not isinstance(value, not_numbers)


def is_iterable(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether a value is iterable; zero-dimensional arrays are not."""
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) != 0


def passes(constraint: Constraint, value: object) -> bool:
    """Return whether a value is valid."""
    try:
        constraint.check(value)
    except Broken:
        return False
    return True


def check_value(name: str, constraint: Constraint, value: object, advice: str = "") -> Any:
    """Return the validated value or raise InvalidParameterError."""
    try:
        return constraint.check(value)
    except Broken as limit:
        given = f"Got {shown(value, longest=80)}."
        sentences = [f"{name} must be {constraint.text}.", given, str(limit), advice]
        raise InvalidParameterError(" ".join(filter(None, sentences))) from None

"""Which values of other parameters give a parameter an effect.

Open this file to learn what ``applies_to`` of a declaration means:

- ``applies_to={"boosting": "dart"}``: the parameter has an effect only with ``boosting='dart'``;
- a value may be ``AnyOf(...)`` or ``NoneOf(...)`` several values;
- a dictionary of several parameters needs all of them, a tuple of dictionaries any one.

The rule: a parameter that a user gives, with another value than that of the recipe, must have an
effect. The value of the recipe may always be given, so that a full dictionary of parameters (for
example ``model.parameters``) trains again. Values that a recipe sets itself are never checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ceiba.errors import InvalidParameterError
from ceiba.messages import shown

__all__ = ["AnyOf", "AppliesTo", "NoneOf", "check_effect", "described", "has_effect"]


@dataclass(frozen=True, init=False)
class AnyOf:
    """Holds for some values."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", values)

    def holds(self, value: Any) -> bool:
        """Return whether the value is one of them; of a dictionary by column, any of its values."""
        if isinstance(value, Mapping):  # columns that it does not name are 'auto'
            return "auto" in self.values or any(word in self.values for word in value.values())
        return any(_equal(value, other) for other in self.values)

    def described(self, name: str) -> str:
        return " or ".join(f"{name}={value!r}" for value in self.values)


@dataclass(frozen=True, init=False)
class NoneOf:
    """Holds for all values but some."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", values)

    def holds(self, value: Any) -> bool:
        """Return whether the value is none of them."""
        return not any(_equal(value, other) for other in self.values)

    def described(self, name: str) -> str:
        if self.values == (None,):
            return name
        return f"{name} other than {' and '.join(map(repr, self.values))}"


#: Values of other parameters; see the top of the file.
AppliesTo = Mapping[str, Any] | tuple[Mapping[str, Any], ...]


def has_effect(applies_to: AppliesTo, values: Mapping[str, Any]) -> bool:
    """Return whether a parameter with this declaration has an effect beside other values."""
    return not applies_to or any(
        all(_condition(wanted).holds(values[name]) for name, wanted in part.items())
        for part in _alternatives(applies_to)
    )


def described(applies_to: AppliesTo, called: Mapping[str, str] | None = None) -> str:
    """Return the condition as text, such as "boosting='dart'"."""
    names = called or {}
    return ", or ".join(
        " and ".join(
            _condition(wanted).described(names.get(name, name)) for name, wanted in part.items()
        )
        for part in _alternatives(applies_to)
    )


def check_effect(
    name: str, applies_to: AppliesTo, values: Mapping[str, Any], called: Mapping[str, str]
) -> None:
    """Raise InvalidParameterError if a parameter that a user gave has no effect."""
    if has_effect(applies_to, values):
        return
    written = called.get(name, name)
    others = dict.fromkeys(other for part in _alternatives(applies_to) for other in part)
    beside = ", ".join(f"{called.get(other, other)}={shown(values[other])}" for other in others)
    raise InvalidParameterError(
        f"{written}={shown(values[name])} has no effect with {beside}. It applies only "
        f"with {described(applies_to, called)}. Change that, or leave {written} out."
    )


def _alternatives(applies_to: AppliesTo) -> tuple[Mapping[str, Any], ...]:
    return applies_to if isinstance(applies_to, tuple) else (applies_to,)


def _condition(wanted: Any) -> AnyOf | NoneOf:
    return wanted if isinstance(wanted, AnyOf | NoneOf) else AnyOf(wanted)


def _equal(value: Any, other: Any) -> bool:
    """Compare values; a list is no number, and 1 column of an integer is not the share 1.0."""
    return type(value) is type(other) and bool(value == other)

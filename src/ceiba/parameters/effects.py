"""Refuse parameters that have no effect beside the others.

Open this file to learn what ``applies_to`` in a declaration means:

- ``applies_to={"boosting": "dart"}``: the parameter has an effect only with ``boosting='dart'``;
- a value may be ``AnyOf(...)`` or ``NoneOf(...)`` several values;
- a dictionary needs all of its conditions, a tuple of dictionaries needs any one of them;
- ``Situation(text, ...)`` gives several dictionaries a short text for messages.

The rule: a parameter that a user sets to another value than the recipe's must have an effect. The
recipe's value is always accepted, so that a full dictionary of parameters (for example
``model.parameters``) trains again; so are values that switch a feature off (``Parameter.off``).
Values that come from a recipe are never checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ceiba.errors import InvalidParameterError
from ceiba.messages import shown

__all__ = [
    "AnyOf",
    "AppliesTo",
    "NoneOf",
    "Situation",
    "alternatives",
    "check_effect",
    "described",
    "has_effect",
]


@dataclass(frozen=True, init=False)
class AnyOf:
    """Condition: the value is one of several."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", values)

    def holds(self, value: Any) -> bool:
        """Return whether the value, or any value of a dictionary by column, is one of several."""
        if isinstance(value, Mapping):  # columns that the dictionary does not name are 'auto'
            return "auto" in self.values or any(own in self.values for own in value.values())
        return any(_equal(value, other) for other in self.values)

    def described(self, name: str) -> str:
        return f"{name}={' or '.join(map(repr, self.values))}"


@dataclass(frozen=True, init=False)
class NoneOf:
    """Condition: the value is none of several."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", values)

    def holds(self, value: Any) -> bool:
        """Return whether the value is none of several."""
        return not any(_equal(value, other) for other in self.values)

    def described(self, name: str) -> str:
        if self.values == (None,):
            return name
        return f"{name} other than {' or '.join(map(repr, self.values))}"


Part = Mapping[str, Any]


@dataclass(frozen=True, init=False)
class Situation:
    """Several alternatives with a short text that describes them in messages."""

    text: str
    parts: tuple[Part, ...]

    def __init__(self, text: str, *parts: Part) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "parts", parts)


#: Conditions on other parameters; see the top of the file.
AppliesTo = Part | tuple[Part, ...] | Situation


def alternatives(applies_to: AppliesTo) -> tuple[Part, ...]:
    """Return the dictionaries of conditions of which one must hold."""
    if isinstance(applies_to, Situation):
        return applies_to.parts
    return applies_to if isinstance(applies_to, tuple) else (applies_to,)


def has_effect(applies_to: AppliesTo, values: Mapping[str, Any]) -> bool:
    """Return whether a parameter with this declaration has an effect beside other values."""
    return not applies_to or any(
        all(_condition(wanted).holds(values[name]) for name, wanted in part.items())
        for part in alternatives(applies_to)
    )


def described(applies_to: AppliesTo, called: Mapping[str, str] | None = None) -> str:
    """Return the condition as text, such as "boosting='dart'"."""
    if isinstance(applies_to, Situation):
        return applies_to.text
    names = called or {}
    return ", or ".join(
        " and ".join(
            _condition(wanted).described(names.get(name, name)) for name, wanted in part.items()
        )
        for part in alternatives(applies_to)
    )


def check_effect(
    name: str, applies_to: AppliesTo, values: Mapping[str, Any], called: Mapping[str, str]
) -> None:
    """Raise InvalidParameterError if a parameter that a user set has no effect."""
    if has_effect(applies_to, values):
        return
    written = called.get(name, name)
    unmet = dict.fromkeys(
        other
        for part in alternatives(applies_to)
        for other, wanted in part.items()
        if not _condition(wanted).holds(values[other])
    )
    beside = ", ".join(f"{called.get(other, other)}={shown(values[other])}" for other in unmet)
    raise InvalidParameterError(
        f"{written}={shown(values[name])} has no effect with {beside}. It applies only "
        f"with {described(applies_to, called)}. Change that, or remove {written}."
    )


def _condition(wanted: Any) -> AnyOf | NoneOf:
    return wanted if isinstance(wanted, AnyOf | NoneOf) else AnyOf(wanted)


def _equal(value: Any, other: Any) -> bool:
    """Compare values of one type: the integer 1 (a number of columns) is not the share 1.0."""
    return type(value) is type(other) and bool(value == other)

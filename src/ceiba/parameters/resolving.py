"""Validate user parameters and resolve aliases, recipes and defaults.

The life of parameters:

1. The user sets some of them by name, alias or a name of another library. ``None`` means the
   recipe's value.
2. :func:`canonical_names` translates names and values of other libraries.
3. :func:`resolve` validates them against the declarations in ``parameters/`` and returns
   :class:`Parameters`: immutable, complete and valid.
4. Each stage reads its own parameters, and the model records them. Errors use the names that the
   user wrote (:meth:`Parameters.called`).
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar, cast

from ceiba.errors import CeibaError, InvalidParameterError, UnknownParameterError
from ceiba.messages import shown
from ceiba.parameters import (
    ALIASES,
    BY_NAME,
    DECLARED,
    FOLLOWS,
    FOREIGN,
    IMPOSSIBLE,
    VALUE_TRANSLATIONS,
    Stage,
    Unless,
)
from ceiba.parameters.constraints import check_value
from ceiba.parameters.effects import check_effect
from ceiba.parameters.foreign import Foreign, same
from ceiba.parameters.nearest import SURE, nearest_names

__all__ = [
    "Parameters",
    "Written",
    "canonical_names",
    "check_name",
    "naming_as_written",
    "nearest",
    "resolve",
]

Function = TypeVar("Function", bound=Callable[..., Any])

#: Canonical name → (the name that the user wrote, the value).
Written = dict[str, tuple[str, Any]]


class Parameters:
    """Immutable, validated values of all parameters, by canonical name."""

    __slots__ = ("_called", "_values")

    def __init__(
        self, values: Mapping[str, Any], called: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_called", dict(called))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"Unknown parameter {name!r}.") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Parameters are immutable. Use replace({name}=...).")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameters) and self._values == other._values

    def __hash__(self) -> int:
        return hash(repr(self._values))

    def __repr__(self) -> str:
        return f"Parameters({', '.join(f'{name}={value!r}' for name, value in self.items())})"

    def __reduce__(self) -> tuple[type[Parameters], tuple[dict[str, Any], dict[str, str]]]:
        return Parameters, (self._values, self._called)

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return (name, value) pairs in the order of declaration."""
        return self._values.items()  # type: ignore[no-any-return]

    def called(self, name: str) -> str:
        """Return the name that the user wrote for a parameter, or its canonical name."""
        return self._called.get(name, name)  # type: ignore[no-any-return]

    def is_given(self, name: str) -> bool:
        """Return whether the user set a parameter, under any of its names."""
        return name in self._called

    def check_effects(self, stage: Stage | None = None) -> None:
        """Raise InvalidParameterError if a parameter that the user set has no effect."""
        for name in self._called:
            parameter = BY_NAME[name]
            accepted = (parameter.default_of(self.recipe), *parameter.off)
            is_accepted = any(same(self._values[name], value) for value in accepted)
            if not is_accepted and stage in (None, parameter.stage):
                check_effect(name, parameter.applies_to, self._values, self._called)

    def as_written(self, text: str) -> str:
        """Return an error message with the parameter names that the user wrote.

        It replaces names at the start of the text and before an equals sign.
        """
        for name, called in self._called.items():
            if called != name:
                text = re.sub(rf"^{name}\b|\b{name}(?==)", called, text)
        return text

    def replace(self, **changes: Any) -> Parameters:
        """Return a copy with some values changed, without validation."""
        return Parameters({**self._values, **changes}, self._called)

    def choosing(self, **settings: Any) -> Parameters:
        """Return a copy with other defaults; parameters that the user set keep their values.

        Raise InvalidParameterError if the settings do not go with those of the user.
        """
        written = {
            name: (called, self._values[name])
            for name, called in self._called.items()
            if self._values[name] is not None  # None means the default
        }
        chosen = _resolved(written, settings)
        # Entry points set these from the labels.
        return chosen.replace(objective=self.objective, n_classes=self.n_classes)

    def of_stage(self, stage: Stage) -> dict[str, Any]:
        """Return the parameters of a stage; for the objective, all but its name."""
        names = (name for name in self if BY_NAME[name].stage == stage and name != stage)
        return {name: self._values[name] for name in names}

    def for_model(self) -> dict[str, Any]:
        """Return the parameters that a model records: all but those of estimators."""
        return {name: value for name, value in self.items() if BY_NAME[name].stage != "estimator"}


def resolve(*given: Mapping[str, Any]) -> Parameters:
    """Validate one or several dictionaries of parameters and fill in the recipe's values.

    ``None`` means the recipe's value, under any name.
    """
    for part in given:
        if not isinstance(part, Mapping):
            raise InvalidParameterError(
                f"Parameters must be a dictionary from name to value. Got {shown(part)}."
            )
    written = canonical_names(*given)
    if _checked("recipe", written, "auto") != "auto":
        return _resolved(written, {})
    # Recipe auto may choose other trees, where a parameter that the user set has an effect.
    first: InvalidParameterError | None = None
    for settings in POLICY_BRANCHES:
        if settings.keys() & written.keys():
            continue
        try:
            return _resolved(written, settings)
        except InvalidParameterError as error:
            first = first or error
    assert first is not None
    raise first


#: Settings by which recipe auto may differ from recipe single; the first that fits is resolved.
POLICY_BRANCHES: tuple[Mapping[str, str], ...] = (
    {},
    {"leaf_model": "linear"},
    {"grow_policy": "symmetric"},
)


def _resolved(written: Written, settings: Mapping[str, Any]) -> Parameters:
    """Return the values of the user, else of ``settings``, else of the recipe."""
    values: dict[str, Any] = {}
    recipe = _checked("recipe", written, "auto")

    def default_of(name: str) -> Any:
        return settings[name] if name in settings else BY_NAME[name].default_of(recipe)

    followed = {kind: _checked(name, written, default_of(name)) for kind, name in FOLLOWS.items()}
    for parameter in DECLARED:
        default = default_of(parameter.name)
        if type(default) in followed:
            words, own, other = default.cases()
            default = own if followed[type(default)] in words else other
        if isinstance(default, Unless):
            is_given = any(name in written for name in default.given)
            default = default.other if is_given else default.value
        values[parameter.name] = _checked(parameter.name, written, default)
    called = {name: written[name][0] if name in written else name for name in values}
    for conflict in IMPOSSIBLE:
        if conflict.holds(values):
            raise InvalidParameterError(conflict.message(values, called))
    parameters = Parameters(values, {name: entry[0] for name, entry in written.items()})
    parameters.check_effects()
    return parameters


def naming_as_written(function: Function) -> Function:
    """Decorate a function so that its errors use the parameter names that the user wrote."""

    @wraps(function)
    def call(*arguments: Any, **more: Any) -> Any:
        try:
            return function(*arguments, **more)
        except CeibaError as error:
            parameters = next(entry for entry in arguments if isinstance(entry, Parameters))
            text = parameters.as_written(str(error))
            if text != str(error):
                raise type(error)(text) from None
            raise

    return cast("Function", call)


def canonical_names(*given: Mapping[str, Any]) -> Written:
    """Map canonical names to (the name that the user wrote, the value), without ``None``.

    Values of other libraries are translated. Two names of one parameter with different values
    raise InvalidParameterError.
    """
    written: Written = {}
    foreign: list[tuple[Foreign, str, Any]] = []
    for name, value in (pair for part in given for pair in part.items()):
        if value is None:
            check_name(name)
        elif name in FOREIGN:
            foreign.append((FOREIGN[name], name, value))
        else:
            canonical = check_name(name)
            row = VALUE_TRANSLATIONS.get(canonical)
            if row is not None and row.replaces:
                foreign.insert(0, (row, name, value))
                continue
            meant = {canonical: value} if row is None else row.means(name, value, {})
            for ours, setting in meant.items():
                _add(written, ours, name, setting)
    for row, name, value in foreign:
        meant = row.means(name, value, {ours: entry[1] for ours, entry in written.items()})
        for ours, setting in meant.items():
            if row.replaces and ours != row.name:
                written.pop(ours, None)
            _add(written, ours, name, setting)
    return written


def _add(written: Written, canonical: str, name: str, value: Any) -> None:
    """Record a value under its canonical name; raise if a different value exists."""
    first, before = written.get(canonical, (name, None))
    if before is None:
        if value is not None:
            written[canonical] = (name, value)
    elif value is None or not same(before, value):
        if first == name:
            raise InvalidParameterError(
                f"{name} is set twice, to {shown(before)} and to {shown(value)}. Set it once."
            )
        raise InvalidParameterError(
            f"{first}={shown(before)} and {name}={shown(value)} are two names of one parameter, "
            f"{canonical}, with different values. Set one of them."
        )


def check_name(name: object) -> str:
    """Return the canonical name of a parameter or alias; keep names of other libraries.

    An unknown name raises UnknownParameterError with the closest names.
    """
    if isinstance(name, str):
        if name in BY_NAME or name in FOREIGN:
            return name
        if name in ALIASES:
            return ALIASES[name]
    raise UnknownParameterError(f"Unknown parameter {name!r}. {nearest(str(name))}")


def nearest(name: str, others: Mapping[str, float] = MappingProxyType({})) -> str:
    """Return a sentence with the parameters (or ``others``) closest to an unknown name."""
    # Prefer our own names over similar names of other libraries.
    known = {**dict.fromkeys(FOREIGN, 0.88), **dict.fromkeys(ALIASES, 0.98)}
    known |= {**dict.fromkeys(BY_NAME, 1.0), **others}
    found = nearest_names(name, known)
    best, closeness = found[0]
    if closeness < SURE:
        # List each parameter once, under its canonical name.
        ours = dict.fromkeys(_listed_as(near) for near, _ in found)
        return f"The closest names are {', '.join(list(ours)[:5])}."
    if best in FOREIGN and FOREIGN[best].kind == "refused":
        return f"If you mean {best!r}: {FOREIGN[best].why}"
    alias = f" (an alias of {ALIASES[best]})" if best in ALIASES else ""
    return f"Did you mean {best!r}{alias}?"


def _listed_as(name: str) -> str:
    """Return the canonical name, or the first of several names refused for the same reason."""
    if name not in FOREIGN:
        return ALIASES.get(name, name)
    why = FOREIGN[name].why
    return next(
        row.name for row in FOREIGN.values() if row.name == name or (why and row.why == why)
    )


def _checked(name: str, written: Written, default: Any) -> Any:
    if name not in written:
        return default
    written_name, value = written[name]
    is_integer = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if written_name == "max_features" and is_integer and value == 1:
        raise InvalidParameterError(
            "max_features=1 is ambiguous: one column, or all of them. Got the integer 1. Set 1.0 "
            "for all columns, or 1e-9 for one column (at least one is always used)."
        )
    return check_value(written_name, BY_NAME[name].constraint, value, BY_NAME[name].advice)

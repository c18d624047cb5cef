"""From what a user wrote to parameters that can be relied on.

The life of parameters:

1. a user writes some of them, by name or alias, with ``None`` for "the recipe's value";
2. :func:`resolve` checks them against the declaration in ``parameters/`` and returns
   :class:`Parameters`: frozen, every name there, every value checked;
3. each stage reads its own, and the model records them.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from ceiba.errors import InvalidParameterError, UnknownParameterError
from ceiba.parameters import ALIASES, BY_NAME, DECLARED, IMPOSSIBLE, REFUSED, ByGrowth, Stage
from ceiba.parameters.constraints import check_value

__all__ = ["Parameters", "canonical_names", "check_name", "resolve"]


class Parameters:
    """Every parameter under its canonical name, checked and concrete; immutable."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_values", dict(values))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"there is no parameter called {name!r}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"parameters cannot be changed; use replace({name}=...)")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameters) and self._values == other._values

    def __hash__(self) -> int:
        return hash(repr(self._values))

    def __repr__(self) -> str:
        return f"Parameters({', '.join(f'{name}={value!r}' for name, value in self.items())})"

    def __reduce__(self) -> tuple[type[Parameters], tuple[dict[str, Any]]]:
        return Parameters, (self._values,)

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return pairs of name and value, in the order of the declaration."""
        return self._values.items()  # type: ignore[no-any-return]

    def replace(self, **changes: Any) -> Parameters:
        """Return a copy with some values changed; they are not checked again."""
        return Parameters({**self._values, **changes})

    def of_stage(self, stage: Stage) -> dict[str, Any]:
        """Return the parameters that one stage reads; of an objective, all but its name."""
        names = (name for name in self if BY_NAME[name].stage == stage and name != stage)
        return {name: self._values[name] for name in names}

    def for_model(self) -> dict[str, Any]:
        """Return what a model records: everything but what only estimators read."""
        return {name: value for name, value in self.items() if BY_NAME[name].stage != "estimator"}


def resolve(given: Mapping[str, Any]) -> Parameters:
    """Turn what a user wrote into checked parameters.

    ``None`` stands for the recipe's value, under a canonical name or an alias.
    """
    if not isinstance(given, Mapping):
        raise InvalidParameterError(
            f"The parameters must be a dictionary from name to value. Got {given!r}."
        )
    written = canonical_names(given)
    values: dict[str, Any] = {}
    recipe = _checked("recipe", written, "auto")
    policy = _checked("grow_policy", written, BY_NAME["grow_policy"].default_of(recipe))
    for parameter in DECLARED:
        default = parameter.default_of(recipe)
        if isinstance(default, ByGrowth):
            default = default.leafwise if policy == "leafwise" else default.other
        values[parameter.name] = _checked(parameter.name, written, default)
    for is_impossible, message in IMPOSSIBLE:
        if is_impossible(values):
            raise InvalidParameterError(message.format_map(values))
    return Parameters(values)


def canonical_names(given: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Map canonical names to (the name that was written, the value), leaving out ``None``."""
    written: dict[str, tuple[str, Any]] = {}
    for name, value in given.items():
        canonical = check_name(name)
        if value is None:
            continue
        if canonical in written:
            first = written[canonical][0]
            raise InvalidParameterError(
                f"{first} and {name} are two names of one parameter, {canonical}. Give one of them."
            )
        written[canonical] = (name, value)
    return written


def check_name(name: object) -> str:
    """Return the canonical name of a parameter or alias; name the nearest one if there is none."""
    if isinstance(name, str):
        if name in BY_NAME:
            return name
        if name in ALIASES:
            return ALIASES[name]
        if name in REFUSED:
            raise UnknownParameterError(REFUSED[name])
    raise UnknownParameterError(f"Unknown parameter {name!r}. {_nearest(str(name))}")


def _nearest(name: str) -> str:
    near = get_close_matches(name.lower(), [*BY_NAME, *ALIASES], n=1, cutoff=0.6)
    if not near:
        return f"The parameters are {', '.join(BY_NAME)}."
    canonical = ALIASES.get(near[0])
    return f"Did you mean {near[0]!r}{f' (an alias of {canonical})' if canonical else ''}?"


def _checked(name: str, written: Mapping[str, tuple[str, Any]], default: Any) -> Any:
    if name not in written:
        return default
    written_name, value = written[name]
    is_integer = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if written_name == "max_features" and is_integer and value == 1:
        raise InvalidParameterError(
            "max_features=1 could mean one column or all of them. Got the integer 1. For all "
            "columns give 1.0; for one give a tiny share such as 1e-9: one is always taken."
        )
    return check_value(written_name, BY_NAME[name].constraint, value, BY_NAME[name].advice)

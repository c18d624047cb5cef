"""Losses: what a model is trained to make small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from ceiba.errors import InvalidParameterError, ModelFileError
from ceiba.objectives._base import Objective
from ceiba.objectives._list import OBJECTIVES
from ceiba.objectives.custom import Custom, Function

__all__ = [
    "OBJECTIVES",
    "Custom",
    "Objective",
    "find_objective",
    "objective_from_state",
    "objective_names",
]

_BY_NAME: dict[str, type[Objective]] = {
    name.lower(): kind for kind in OBJECTIVES for name in (kind.name, *kind.aliases)
}


def objective_names() -> tuple[str, ...]:
    """Canonical names, in the order of the list."""
    return tuple(kind.name for kind in OBJECTIVES)


def find_objective(objective: str | Function | Objective, **options: Any) -> Objective:
    """The objective of this name or alias (letter case does not matter), or of this function.

    Options that the objective does not have are left aside, so that one set of parameters serves
    every objective; an objective that is already made is returned as it is.
    """
    if isinstance(objective, Objective):
        return objective
    if callable(objective):
        return Custom(objective, n_classes=options.get("n_classes"))
    kind = _BY_NAME.get(objective.lower()) if isinstance(objective, str) else None
    if kind is None:
        if str(objective).split(":")[0] == Custom.name:
            raise InvalidParameterError(
                f"objective {objective!r} stands for a function, which a model does not keep. Give "
                "objective=your_function again."
            )
        near = get_close_matches(str(objective).lower(), list(_BY_NAME), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InvalidParameterError(
            f"objective must be one of {', '.join(objective_names())} (or an alias), or a "
            "function (y_true, raw_score) that returns (gradients, hessians). "
            f"Got {objective!r}.{hint}"
        )
    known = {field.name for field in fields(kind)}
    return kind(**{name: value for name, value in options.items() if name in known})


def objective_from_state(state: Mapping[str, Any]) -> Objective:
    """The objective that ``Objective.state`` described, as read from a model file."""
    options = dict(state)
    name = options.pop("name", None)
    kinds: tuple[type[Objective], ...] = (*OBJECTIVES, Custom)
    for kind in kinds:
        if kind.name == name:
            try:
                return kind(**options)
            except TypeError as error:
                raise ModelFileError(
                    f"The model file gives objective {name} options it does not have: "
                    f"{sorted(options)}."
                ) from error
    raise ModelFileError(
        f"The model file names an objective that this version does not know: {name!r}. "
        f"Known are {', '.join(objective_names())}. A newer version of ceiba may load it."
    )

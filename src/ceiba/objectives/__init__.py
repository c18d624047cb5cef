"""Losses: what a model is trained to make small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ceiba.errors import InvalidParameterError, ModelFileError
from ceiba.messages import shown
from ceiba.objectives._base import Objective, ResidualLeaves
from ceiba.objectives._list import OBJECTIVES
from ceiba.objectives.custom import Custom, Function
from ceiba.objectives.several import Several, several_from_state
from ceiba.parameters.nearest import nearest_words

__all__ = [
    "OBJECTIVES",
    "Custom",
    "Objective",
    "ResidualLeaves",
    "Several",
    "find_objective",
    "objective_from_state",
    "objective_names",
]

_BY_NAME: dict[str, type[Objective]] = {
    name.lower(): kind for kind in OBJECTIVES for name in (kind.name, *kind.aliases)
}
_NAMES = {name: kind.name for name, kind in _BY_NAME.items()}


def objective_names() -> tuple[str, ...]:
    """Return the names of all objectives.

    >>> from ceiba.objectives import objective_names
    >>> objective_names()[:3]
    ('squared_error', 'absolute_error', 'huber')
    """
    return tuple(kind.name for kind in OBJECTIVES)


def find_objective(
    objective: str | Function | Objective, *, called: str = "objective", **options: Any
) -> Objective:
    """Return the objective of a name, an alias or a function.

    Parameters
    ----------
    objective : str, function or Objective
        A name or alias in any letter case, or a function ``(y_true, raw_score)`` that returns
        gradients and hessians. An `Objective` is returned as it is.
    called : str, default="objective"
        Name of the parameter in error messages.
    **options
        Options such as ``quantile=0.9``. Options of other objectives are ignored.

    Returns
    -------
    Objective

    Examples
    --------
    >>> from ceiba.objectives import find_objective
    >>> find_objective("reg:squarederror").name
    'squared_error'
    """
    if isinstance(objective, Objective):
        return objective
    if callable(objective):
        return Custom(objective, n_classes=options.get("n_classes"))
    kind = _BY_NAME.get(objective.lower()) if isinstance(objective, str) else None
    if kind is None:
        if str(objective).split(":")[0] == Custom.name:
            raise InvalidParameterError(
                f"{called} {objective!r} stands for a function, which a model does not keep. Give "
                f"{called}=your_function again."
            )
        raise InvalidParameterError(
            f"{called} must be the name of a loss, or a function (y_true, raw_score) that returns "
            f"(gradients, hessians). Got {shown(objective)}. "
            f"{nearest_words(str(objective), dict.fromkeys(_BY_NAME, 1.0), _NAMES)}"
        )
    known = {field.name for field in fields(kind)}
    return kind(**{name: value for name, value in options.items() if name in known})


def objective_from_state(state: Mapping[str, Any]) -> Objective:
    """The objective that ``Objective.state`` described, as read from a model file."""
    options = dict(state)
    name = options.pop("name", None)
    kinds: tuple[type[Objective], ...] = (*OBJECTIVES, Custom, Several)
    for kind in kinds:
        if kind.name == name:
            try:
                if kind is Several:
                    return several_from_state(options, objective_from_state(options["of"]))
                return kind(**options)
            except (TypeError, KeyError, ValueError, AttributeError) as error:
                raise ModelFileError(
                    f"The model file gives objective {name} options it does not have: "
                    f"{sorted(options)}."
                ) from error
    raise ModelFileError(
        f"The model file names an objective that this version does not know: {name!r}. "
        f"Known are {', '.join(objective_names())}. A newer version of ceiba may load it."
    )

"""The parameters of a model file, against their declaration.

A file records what a training settled on, so functions are names there and a schedule is its rates;
whatever else stands there must be a value that a user could give.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ceiba.errors import ModelFileError
from ceiba.messages import shown
from ceiba.parameters import BY_NAME
from ceiba.parameters.constraints import passes

__all__ = ["check_stored"]


def check_stored(parameters: Mapping[str, Any]) -> None:
    """Raise ModelFileError where a stored value is none that its parameter can have.

    Names that this version does not know are those of a later one, and say nothing to it.
    """
    for name, value in parameters.items():
        if name in BY_NAME and not _may_be_stored(name, value):
            raise ModelFileError(
                f"The model file is damaged: its parameter {name} must be "
                f"{BY_NAME[name].constraint.text}. Got {shown(value)}. Load another copy of the "
                "model, or train it again."
            )


def _may_be_stored(name: str, value: Any) -> bool:
    parameter = BY_NAME[name]
    if value is None:
        return parameter.default is None
    return passes(parameter.constraint, value)

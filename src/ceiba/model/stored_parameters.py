"""Check the parameters in a model file against their declarations.

A file stores the resolved parameters of the training: names in place of functions, rates in place
of a schedule. Every other value must be valid for its parameter.
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
    """Raise ModelFileError if a stored value is invalid for its parameter.

    Unknown names are ignored: a newer version may have written them.
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

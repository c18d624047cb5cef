"""Targets given as the name of a column of the table."""

from __future__ import annotations

from typing import Any

from ceiba.data.from_frame import as_frame
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import shown
from ceiba.parameters.nearest import nearest_words

__all__ = ["part_target"]


def part_target(data: Any, target: Any, name: str = "y") -> tuple[Any, Any]:
    """Return the table without the column that ``target`` names, and that column.

    A target that is no string is returned as it is, and so is the table.
    """
    if not isinstance(target, str):
        return data, target
    frame = as_frame(data)
    if frame is None:
        raise InvalidTypeError(
            f"{name}={shown(target)} names a column, and so the table must be a DataFrame. Got "
            f"{type(data).__name__}. Give the target itself."
        )
    if target not in frame.columns:
        known = {str(column): 1.0 for column in frame.columns}
        raise InvalidInputError(
            f"{name}={shown(target)} is not a column of the table. {nearest_words(target, known)}"
        )
    column = frame[target].to_native()
    return frame.drop(target).to_native(), column

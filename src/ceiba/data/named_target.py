"""Read a target that is given as the name of a column."""

from __future__ import annotations

from typing import Any

from ceiba.data.from_frame import as_frame
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import shown
from ceiba.parameters.nearest import nearest_words

__all__ = ["part_target"]


def part_target(data: Any, target: Any, name: str = "y") -> tuple[Any, Any]:
    """Split off the column named ``target``: return the rest of the table and the column.

    If ``target`` is not a string, both are returned unchanged.
    """
    if not isinstance(target, str):
        return data, target
    frame = as_frame(data)
    if frame is None:
        raise InvalidTypeError(
            f"{name}={shown(target)} is a column name, which requires a DataFrame. Got "
            f"{type(data).__name__}. Pass a DataFrame, or the target values."
        )
    if target not in frame.columns:
        known = {str(column): 1.0 for column in frame.columns}
        raise InvalidInputError(
            f"{name}={shown(target)} is not a column of the table. {nearest_words(target, known)}"
        )
    column = frame[target].to_native()
    return frame.drop(target).to_native(), column

"""Select the columns of a schema from a table, for `select_columns`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ceiba.data.from_frame import as_frame
from ceiba.data.from_records import are_records
from ceiba.data.from_sparse import is_sparse
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError
from ceiba.messages import listed, warn

__all__ = ["select_columns"]


def select_columns(data: Any, schema: Schema) -> Any:
    """Select the columns of ``schema``, in its order. Warns about dropped columns.

    Data without column names are returned unchanged.
    """
    if isinstance(data, Mapping) and not is_sparse(data):
        return _of_row(data, _chosen(list(data), schema))
    if are_records(data):
        chosen = _chosen(list(data[0]), schema)
        return [_of_row(row, chosen) for row in data]
    frame = None if isinstance(data, list | tuple) else as_frame(data)
    if frame is None:
        return data
    chosen = _chosen(list(frame.columns), schema)
    return frame.select(chosen).to_native()


def _chosen(labels: list[Any], schema: Schema) -> list[Any]:
    """Return the labels of the columns of a schema. Raise if one is missing."""
    names = schema.names if schema.named else tuple(map(str, range(schema.n_features)))
    by_name = {str(label): label for label in labels}
    if not schema.named and not set(names) <= by_name.keys():
        raise InvalidInputError(
            "select_columns needs column names, but the model was trained on unnamed columns. Pass "
            "a table with exactly the columns of the training table, in the same order."
        )
    missing = [name for name in names if name not in by_name]
    if missing:
        raise InvalidInputError(
            f"Missing columns of the training table: {listed(missing)}. "
            f"The table has {listed(labels, most=10)}."
        )
    extra = [label for label in labels if str(label) not in set(names)]
    if extra:
        warn(f"Dropped columns that the model was not trained on: {listed(extra)}.")
    return [by_name[name] for name in names]


def _of_row(row: Mapping[Any, Any], labels: list[Any]) -> dict[Any, Any]:
    try:
        return {label: row[label] for label in labels}
    except KeyError as error:
        raise InvalidInputError(
            f"Missing column {error} in a row. Pass None for a missing value."
        ) from None

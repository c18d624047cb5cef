"""Leave out the columns of a table that a schema does not know."""

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
    """Return a table with the columns of a schema only, in its order; warn of what is left out.

    What has no named columns is returned as it is.
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
    """Return the labels of the columns of a schema; raise where one is missing."""
    names = schema.names if schema.named else tuple(map(str, range(schema.n_features)))
    by_name = {str(label): label for label in labels}
    if not schema.named and not set(names) <= by_name.keys():
        raise InvalidInputError(
            "The model was trained without names of columns, so none of them can be told from "
            "others. Give a table with its columns in the order of training."
        )
    missing = [name for name in names if name not in by_name]
    if missing:
        raise InvalidInputError(
            f"The table lacks columns that the model was trained on: {listed(missing)}. "
            f"It has {listed(labels, most=10)}."
        )
    extra = [label for label in labels if str(label) not in set(names)]
    if extra:
        warn(f"Columns that the model was not trained on are left out: {listed(extra)}.")
    return [by_name[name] for name in names]


def _of_row(row: Mapping[Any, Any], labels: list[Any]) -> dict[Any, Any]:
    try:
        return {label: row[label] for label in labels}
    except KeyError as error:
        raise InvalidInputError(
            f"A row lacks the column {error}. Give None for a missing value."
        ) from None

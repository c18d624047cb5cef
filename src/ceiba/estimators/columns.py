"""Check the columns at predict against those at fit.

The messages are those of scikit-learn, because its tools and users rely on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba.errors import InvalidInputError
from ceiba.messages import warn

if TYPE_CHECKING:
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table

__all__ = ["check_columns"]


def check_columns(table: Table, schema: Schema, estimator: str) -> None:
    """Check number, names and order of columns. A Model, in contrast, accepts any order."""
    names = schema.names_of(table.schema)
    if names is not None:
        if names != schema.names:
            raise InvalidInputError(_names_differ(list(names), list(schema.names)))
        return
    if table.n_columns != len(schema.names):
        raise InvalidInputError(
            f"X has {table.n_columns} features, but {estimator} is expecting "
            f"{len(schema.names)} features as input."
        )
    if schema.named:
        message = (
            f"X does not have valid feature names, but {estimator} was fitted with feature names"
        )
    elif table.names is not None:
        message = f"X has feature names, but {estimator} was fitted without feature names"
    else:
        return
    warn(message)


def _names_differ(given: list[str], expected: list[str]) -> str:
    def listed(names: set[str]) -> str:
        shown = [f"- {name}\n" for name in sorted(names)]
        return "".join(shown[:5]) + ("- ...\n" if len(shown) > 5 else "")

    unseen, absent = set(given) - set(expected), set(expected) - set(given)
    message = "The feature names should match those that were passed during fit.\n"
    if unseen:
        message += f"Feature names unseen at fit time:\n{listed(unseen)}"
    if absent:
        message += f"Feature names seen at fit time, yet now missing:\n{listed(absent)}"
    if not unseen and not absent:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message

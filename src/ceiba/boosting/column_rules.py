"""What was asked of single columns, by name or by position → rules for the grower.

The life of a rule:

1. ``resolving.py`` checks its form, without knowing the table;
2. :func:`column_rules` finds the columns in the schema of the training table;
3. the grower reads positions only, and the model keeps what the user wrote.
"""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.messages import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ceiba.data.schema import Schema
    from ceiba.parameters.resolving import Parameters

__all__ = ["columns_by_node", "columns_by_path", "column_rules"]

#: Words for interaction_constraints that count columns and name none.
_COLUMNS_BY_PATH = {"no_interactions": 1, "pairwise": 2}


def column_rules(parameters: Parameters, schema: Schema) -> _core.ColumnRules:
    """Return the rules that the parameters have for the columns of a table."""
    directions = _by_position("monotone_constraints", parameters.monotone_constraints, 0, schema)
    weights = _by_position("feature_weights", parameters.feature_weights, 1.0, schema)
    if weights and not any(weights):
        raise InvalidParameterError(
            "feature_weights must hold a weight above 0. Got only zeros. Give larger weights to "
            "the columns that should be drawn more often."
        )
    return _core.ColumnRules(
        monotone=directions if any(directions) else [],
        interactions=_interaction_sets(parameters, schema),
        weights=weights,
        listed_only=parameters.unlisted_interactions == "never",
    )


def columns_by_node(parameters: Parameters, n_features: int) -> int:
    """Return the number of columns that a node may use, 0 where ``colsample_bynode`` is a share."""
    match parameters.colsample_bynode:
        case "sqrt":
            return max(1, math.isqrt(n_features))
        case "log2":
            return max(1, n_features.bit_length() - 1)
        case int(number):
            return number
        case _:
            return 0


def columns_by_path(parameters: Parameters) -> int:
    """Return the number of columns that may meet on the way to a leaf, 0 for any number."""
    given = parameters.interaction_constraints
    return _COLUMNS_BY_PATH[given] if isinstance(given, str) else 0


def _by_position(
    name: str, given: Sequence[Any] | Mapping[str, Any] | None, default: Any, schema: Schema
) -> list[Any]:
    """Return one value for each column, or none at all."""
    if given is None:
        return []
    if isinstance(given, dict):
        values = [default] * schema.n_features
        for column, value in given.items():
            values[_position(name, column, schema)] = value
        return values
    if len(given) != schema.n_features:
        raise InvalidParameterError(
            f"{name} must have one entry for each of the {schema.n_features} columns. Got "
            f"{len(given)}. For some columns only, give a dictionary from name to value."
        )
    return list(given)


def _interaction_sets(parameters: Parameters, schema: Schema) -> list[list[int]]:
    given = parameters.interaction_constraints
    everything = range(schema.n_features)
    if given is None or isinstance(given, str):  # a word is a limit: columns_by_path
        return []
    sets = [
        sorted({_position("interaction_constraints", member, schema) for member in members})
        for members in given
    ]
    unlisted = sorted(set(everything).difference(*sets))
    if unlisted and parameters.unlisted_interactions == "together":
        sets.append(unlisted)
    return sets


def _position(name: str, column: int | str, schema: Schema) -> int:
    """Return the position of a column that was given by name or by position."""
    if isinstance(column, int):
        if 0 <= column < schema.n_features:
            return column
        raise InvalidParameterError(
            f"{name} must name columns of the table by their name or by a position between 0 and "
            f"{schema.n_features - 1}. Got {column}."
        )
    if column in schema.names:
        return schema.names.index(column)
    near = get_close_matches(column, schema.names, n=1)
    known = listed(schema.names, most=10)
    advice = f"Did you mean {near[0]!r}?" if near else f"The columns are {known}."
    raise InvalidParameterError(
        f"{name} must name columns of the table. Got {column!r}, which is none. {advice}"
    )

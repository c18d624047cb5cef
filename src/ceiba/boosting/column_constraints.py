"""Constraints on columns, from names or positions to what the grower reads.

The life of a constraint:

1. ``resolving.py`` checks its form, before the table is known;
2. :func:`column_constraints` finds the columns in the schema of the training table;
3. the grower reads positions; the model records what the user wrote.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ceiba import _core
from ceiba.boosting.encoding.category_choice import category_encodings
from ceiba.errors import InvalidParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ceiba.data.schema import Schema
    from ceiba.parameters.resolving import Parameters

__all__ = [
    "category_kinds",
    "category_rule",
    "columns_by_node",
    "columns_by_path",
    "column_constraints",
]

#: Values of interaction_constraints that limit the number of columns on a path.
_COLUMNS_BY_PATH = {"no_interactions": 1, "pairwise": 2}
#: Search for sets of levels (cpp/split/category.hpp), by cat_rule.
_SEARCHES: dict[str, dict[str, Any]] = {
    "auto": {},
    "lightgbm": {},
    "xgboost": {"halves": False, "by_constant": True},
    "histgb": {"parted": True, "min_levels": 2},
}


def column_constraints(parameters: Parameters, schema: Schema) -> _core.ColumnConstraints:
    """Return the constraints on the columns that trees read."""
    directions = _by_position("monotone_constraints", parameters.monotone_constraints, 0, schema)
    weights = _by_position("feature_weights", parameters.feature_weights, 1.0, schema)
    if weights and not any(weights):
        raise InvalidParameterError(
            "feature_weights must hold a weight above 0. Got only zeros. Give larger weights to "
            "the columns that should be drawn more often."
        )
    kinds = _kinds(parameters, schema)
    for j, direction in enumerate(directions):
        if direction and kinds and kinds[j] != "number":
            raise InvalidParameterError(
                "monotone_constraints needs numeric columns. "
                f"Got {schema.names[j]!r}, which is a category. Leave it out, or give it as "
                "numbers."
            )
    own = schema.engine_sources
    return _core.ColumnConstraints(
        kinds=category_kinds(parameters, schema),
        monotone=[directions[j[0]] for j in own] if any(directions) else [],
        interactions=_interaction_sets(parameters, schema),
        weights=[min(weights[j] for j in sources) for sources in own] if weights else [],
        listed_only=parameters.unlisted_interactions == "never",
    )


def category_rule(parameters: Parameters) -> _core.CategoryRule:
    """Return how splits partition the levels of categories."""
    smooth, support = parameters.cat_smooth, parameters.min_data_per_level
    smooth = parameters.reg_lambda if smooth == "reg_lambda" else smooth
    return _core.CategoryRule(
        smooth=smooth,
        l2=parameters.cat_l2,
        max_levels=parameters.max_cat_threshold,
        min_group=parameters.min_data_per_group,
        support=smooth if support == "cat_smooth" else support,
        missing=parameters.cat_missing,
        **_SEARCHES[parameters.cat_rule],
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
    """Return the most columns on a path to a leaf, 0 for no limit."""
    given = parameters.interaction_constraints
    return _COLUMNS_BY_PATH[given] if isinstance(given, str) else 0


def _kinds(parameters: Parameters, schema: Schema) -> list[str]:
    """Return the encoding of each column of the table; empty if all are numeric."""
    words = category_encodings(parameters, schema)
    return [words.get(name, "number") for name in schema.names] if words else []


def category_kinds(parameters: Parameters, schema: Schema) -> list[str]:
    """Return how each column that trees read is split; empty if all are numeric."""
    kinds = _kinds(parameters, schema)
    found = ["number" if kind == "target" else kind for kind in kinds]
    if schema.statistics is not None:
        pairs = zip(schema.statistics.sources, schema.statistics.statistics, strict=True)
        found = ["number" if word else kinds[sources[0]] for sources, word in pairs]
    return found if any(kind != "number" for kind in found) else []


def _by_position(
    name: str, given: Sequence[Any] | Mapping[str, Any] | None, default: Any, schema: Schema
) -> list[Any]:
    """Return one value per column; empty if the parameter is not given."""
    if given is None:
        return []
    if isinstance(given, dict):
        values = [default] * schema.n_features
        for column, value in given.items():
            values[schema.position_of(column, name)] = value
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
        sorted({schema.position_of(member, "interaction_constraints") for member in members})
        for members in given
    ]
    unlisted = sorted(set(everything).difference(*sets))
    if unlisted and parameters.unlisted_interactions == "together":
        sets.append(unlisted)
    own = [set(sources) for sources in schema.engine_sources]
    return [[k for k, sources in enumerate(own) if sources <= set(members)] for members in sets]

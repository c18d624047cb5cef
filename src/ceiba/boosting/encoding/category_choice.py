"""Choose the encoding of each categorical column: onehot, subset or target.

``categorical`` sets it for all columns or for some. This module resolves ``"auto"`` once per
training. The model records the encoding of every category.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ceiba.data.target_statistics import TargetStatistics
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ceiba.data.schema import Schema
    from ceiba.parameters.resolving import Parameters

__all__ = [
    "category_encodings",
    "columns_by_target",
    "given_encodings",
    "planned_schema",
    "target_columns",
]


def given_encodings(parameters: Parameters, schema: Schema) -> dict[int, str]:
    """Return the encodings that the user set, by column position, without those set to "auto".

    Raise InvalidParameterError if a named column is not categorical.
    """
    given = parameters.categorical
    if not isinstance(given, dict):
        categories = [j for j, kind in enumerate(schema.kinds) if kind == "category"]
        return dict.fromkeys(categories, given) if given != "auto" else {}
    encodings = {schema.position_of(name, "categorical"): own for name, own in given.items()}
    for j in encodings:
        if schema.kinds[j] != "category":
            raise InvalidParameterError(
                f"categorical must name categorical columns. Got {schema.names[j]!r}, a "
                "numeric column. Add it to categorical_features, or remove it from categorical."
            )
    return {j: own for j, own in encodings.items() if own != "auto"}


def columns_by_target(
    parameters: Parameters,
    schema: Schema,
    earlier: Schema | None = None,
    *,
    in_shards: bool = False,
) -> frozenset[int]:
    """Return the positions of the categorical columns to encode by target statistics.

    ``earlier`` is the schema of the model that training continues from: exactly the categories
    that it encodes by the target keep target statistics. ``in_shards`` excludes target statistics
    unless the user sets them, which a later check refuses.
    """
    given = _given_of_levels(parameters, schema)
    if earlier is None:
        return frozenset(
            j
            for j, n_levels in enumerate(schema.n_levels)
            if given.get(j) == "target"
            or (j not in given and not in_shards and _has_many_levels(parameters, n_levels))
        )
    known = set() if earlier.statistics is None else set(earlier.statistics.replaced)
    other = [schema.names[j] for j, own in given.items() if (own == "target") != (j in known)]
    if other:
        raise InvalidInputError(
            "Continued training must encode categories as the existing model does: "
            f"{listed([schema.names[j] for j in sorted(known)]) if known else 'no column'} "
            f"by target statistics. Got another value of categorical for {listed(other)}. "
            "Remove categorical."
        )
    return frozenset(known)


def category_encodings(
    parameters: Parameters, schema: Schema, by_target: Collection[int] | None = None
) -> dict[str, str]:
    """Return 'onehot', 'subset' or 'target' for every category, by column name.

    ``by_target`` is the result of :func:`columns_by_target`.
    """
    if by_target is None:
        by_target = columns_by_target(parameters, schema)
    given = _given_of_levels(parameters, schema)
    if not schema.has_categories:
        return {}
    few = parameters.max_cat_to_onehot
    return {
        name: "target" if j in by_target else given.get(j) or ("onehot" if n < few else "subset")
        for j, (name, kind, n) in enumerate(
            zip(schema.names, schema.kinds, schema.n_levels, strict=True)
        )
        if kind == "category"
    }


def planned_schema(parameters: Parameters, schema: Schema) -> Schema:
    """Return a schema that marks the columns to encode, before any statistic is computed."""
    columns = target_columns(parameters.categorical, schema)
    if not columns:
        return schema
    return schema.with_statistics(TargetStatistics.planned(schema.n_levels, columns))


def target_columns(encodings: Mapping[str, Any] | str, schema: Schema) -> list[int]:
    """Return the positions of the columns that are encoded by target statistics."""
    if not isinstance(encodings, dict):
        return []
    return [j for j, name in enumerate(schema.names) if encodings.get(name) == "target"]


def _given_of_levels(parameters: Parameters, schema: Schema) -> dict[int, str]:
    """Return the encodings that the user set for columns with levels; others have no statistics."""
    given = given_encodings(parameters, schema)
    return {j: own for j, own in given.items() if schema.n_levels[j] > 0}


def _has_many_levels(parameters: Parameters, n_levels: int) -> bool:
    """Return whether "auto" encodes a column by target statistics.

    Single splits separate few levels; sets separate more. With very many levels, sets overfit the
    training rows, while target statistics generalize.
    """
    few, most = parameters.max_cat_to_onehot, parameters.max_cat_to_subset
    return bool(few <= n_levels and 0 < most < n_levels)

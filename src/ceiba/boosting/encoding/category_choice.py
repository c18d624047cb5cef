"""How each category is used: one level against the others, sets of levels, or target statistics.

``categorical`` says it for all columns or for some; "auto" is settled here, once for a training.
The model records the word of every category.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ceiba.data.target_statistics import TargetStatistics
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ceiba.data.schema import Schema
    from ceiba.parameters.resolving import Parameters

__all__ = ["category_encodings", "given_words", "planned_schema", "target_columns"]


def given_words(parameters: Parameters, schema: Schema) -> dict[int, str]:
    """Return what a user says of single columns, by their position; those of "auto" are left out.

    Raise where a column is named that is no category.
    """
    given = parameters.categorical
    if not isinstance(given, dict):
        categories = [j for j, kind in enumerate(schema.kinds) if kind == "category"]
        return dict.fromkeys(categories, given) if given != "auto" else {}
    words = {schema.position_of(name, "categorical"): word for name, word in given.items()}
    for j in words:
        if schema.kinds[j] != "category":
            raise InvalidParameterError(
                f"categorical must name categories. Got {schema.names[j]!r}, which holds "
                "numbers. Name it in categorical_features too, or leave it out."
            )
    return {j: word for j, word in words.items() if word != "auto"}


def category_encodings(
    parameters: Parameters,
    schema: Schema,
    earlier: Schema | None = None,
    *,
    in_shards: bool = False,
) -> dict[str, str]:
    """Return onehot, subset or target for every category, by its name.

    With ``earlier``, the schema of a model that training goes on from, categories that it knows by
    their statistics stay so, and no others become it. Where rows are ``in_shards`` there are no
    statistics, unless a user asks for them (and is refused).
    """
    given = given_words(parameters, schema)
    if not schema.has_categories:
        return {}
    # Without any level there is nothing to sum.
    given = {j: own for j, own in given.items() if schema.n_levels[j] > 0}
    may_replace = earlier is None and not in_shards
    words = {
        j: given.get(j) or _by_levels(parameters, n_levels, may_replace=may_replace)
        for j, n_levels in enumerate(schema.n_levels)
        if schema.kinds[j] == "category"
    }
    if earlier is not None:
        known = set() if earlier.statistics is None else set(earlier.statistics.replaced)
        other = [schema.names[j] for j, word in given.items() if (word == "target") != (j in known)]
        if other:
            raise InvalidInputError(
                "The earlier model has target statistics of "
                f"{listed([schema.names[j] for j in sorted(known)]) if known else 'no category'}, "
                "and its trees know columns by that. Got other values of categorical for "
                f"{listed(other)}. Leave categorical out."
            )
        words |= dict.fromkeys(known, "target")
    return {schema.names[j]: word for j, word in words.items()}


def planned_schema(parameters: Parameters, schema: Schema) -> Schema:
    """Return a schema that knows which columns become statistics, before any row is summed."""
    columns = target_columns(parameters.categorical, schema)
    if not columns:
        return schema
    return schema.with_statistics(TargetStatistics.planned(schema.n_levels, columns))


def target_columns(words: Mapping[str, Any] | str, schema: Schema) -> list[int]:
    """Return the positions of the columns that become statistics."""
    if not isinstance(words, dict):
        return []
    return [j for j, name in enumerate(schema.names) if words.get(name) == "target"]


def _by_levels(parameters: Parameters, n_levels: int, *, may_replace: bool) -> str:
    """Return what "auto" stands for.

    Few levels are told apart by single splits, and more of them by sets. Where there are very many,
    sets fit the rows that they were found on, and statistics hold for others.
    """
    if n_levels < parameters.max_cat_to_onehot:
        return "onehot"
    most = parameters.max_cat_to_subset
    return "target" if may_replace and 0 < most < n_levels else "subset"

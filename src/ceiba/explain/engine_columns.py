"""The columns that trees read: those of the table, or statistics of the target in place of some."""

from __future__ import annotations

from typing import Any

from ceiba.data.schema import Schema
from ceiba.data.table import Table

__all__ = ["read_by_trees", "read_places", "sources_of"]


def sources_of(schema: Schema) -> tuple[tuple[int, ...], ...]:
    """Return, for each column that trees read, the columns of the table that it is made of."""
    plain = tuple((j,) for j in range(schema.n_features))
    found: tuple[tuple[int, ...], ...] = getattr(schema, "engine_sources", plain)
    return found


def read_places(schema: Schema) -> dict[int, int]:
    """Return, for each column that trees read itself and nowhere else, its place among theirs."""
    statistics: Any = getattr(schema, "statistics", None)
    sources = sources_of(schema)
    words = [""] * len(sources) if statistics is None else statistics.statistics
    made = {j for own, word in zip(sources, words, strict=True) if word for j in own}
    pairs = enumerate(zip(sources, words, strict=True))
    return {own[0]: place for place, (own, word) in pairs if not word and own[0] not in made}


def read_by_trees(table: Table, schema: Schema) -> Table:
    """Return the columns that trees read."""
    encoded: Any = getattr(table, "encoded", None)
    return table if encoded is None else encoded(schema)

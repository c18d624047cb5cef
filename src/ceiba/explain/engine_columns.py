"""The columns that trees read: those of the table, or statistics of the target in place of some."""

from __future__ import annotations

from ceiba.data.schema import Schema

__all__ = ["read_places"]


def read_places(schema: Schema) -> dict[int, int]:
    """Return, for each column that trees read itself and nowhere else, its place among theirs."""
    sources, own = schema.engine_sources, schema.statistics
    words = [""] * len(sources) if own is None else list(own.statistics)
    made = {j for columns, word in zip(sources, words, strict=True) if word for j in columns}
    pairs = enumerate(zip(sources, words, strict=True))
    return {cols[0]: place for place, (cols, word) in pairs if not word and cols[0] not in made}

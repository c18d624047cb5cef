"""Positions of table columns among the columns that trees read (target statistics replace some)."""

from __future__ import annotations

from ceiba.data.schema import Schema

__all__ = ["read_places"]


def read_places(schema: Schema) -> dict[int, int]:
    """Return the position among the trees' columns of each column that is read unchanged."""
    sources, own = schema.engine_sources, schema.statistics
    words = [""] * len(sources) if own is None else list(own.statistics)
    made = {j for columns, word in zip(sources, words, strict=True) if word for j in columns}
    pairs = enumerate(zip(sources, words, strict=True))
    return {cols[0]: place for place, (cols, word) in pairs if not word and cols[0] not in made}

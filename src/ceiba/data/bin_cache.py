"""Cache of the bin edges, codes and sorted columns of a dataset.

A ``Dataset`` and its copies under other column names share one :class:`BinCache`. A subset made
with ``share_bins=True`` has its own cache, whose edges come from that of the whole dataset:

    Dataset ──► BinCache: edges, codes of all rows
                   ▲ edges
    subset  ──► BinCache: codes of its rows

The shared edges equal those that the subset would find itself only if every column has at most
``max_bins - 1`` distinct values (without missing ones), ``min_data_in_bin`` is 1, and the subset
contains each of these values. Otherwise edges differ, and the model may differ too. Edges never
depend on targets, so sharing them leaks no held-out target.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.data.binning import apply_bins, find_bins, rank_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.data.table import Table

    Floats = NDArray[np.float64]

__all__ = ["BinCache", "BinSettings"]


@dataclass(frozen=True, slots=True)
class BinSettings:
    """Settings that determine the bins, besides the rows."""

    max_bins: int
    min_data_in_bin: int
    #: Whether nearly constant columns may be stored as lists of their unusual rows.
    lists: bool = True

    @property
    def of_edges(self) -> tuple[int, int]:
        """Return the settings that edges depend on."""
        return self.max_bins, self.min_data_in_bin


@dataclass(slots=True)
class _Kept:
    """Cached edges and codes with their settings and weights."""

    settings: BinSettings
    weight: Floats | None
    mapper: _core.BinMapper
    binned: _core.BinnedMatrix | None = None


class BinCache:
    """The most recent edges, codes and sorted columns of a dataset."""

    def __init__(self, whole: tuple[BinCache, Table, Floats | None] | None = None) -> None:
        #: Cache, table and weights of the dataset whose edges a subset shares.
        self._whole = whole
        self._kept: _Kept | None = None
        self._ranked: _core.RankedColumns | None = None

    def edges(
        self, table: Table, weight: Floats | None, settings: BinSettings, n_threads: int
    ) -> _core.BinMapper:
        """Return the edges of every column."""
        return self._edges(table, None, weight, settings, n_threads)

    def codes(
        self, table: Table, weight: Floats | None, settings: BinSettings, n_threads: int
    ) -> tuple[_core.BinMapper, _core.BinnedMatrix]:
        """Return the edges and the codes of all rows."""
        parts = table.parts
        mapper = self._edges(table, parts, weight, settings, n_threads)
        kept = self._kept
        if kept is None or kept.mapper is not mapper:
            kept = self._kept = _Kept(settings, weight, mapper)
        if kept.binned is None or kept.settings != settings:
            kept.binned = None
            kept.settings = settings
            kept.binned = apply_bins(mapper, table, n_threads, parts=parts, lists=settings.lists)
        return mapper, kept.binned

    def _edges(
        self,
        table: Table,
        parts: list[Any] | None,
        weight: Floats | None,
        settings: BinSettings,
        n_threads: int,
    ) -> _core.BinMapper:
        if self._whole is not None:
            cache, whole, weight = self._whole
            return cache.edges(whole, weight, settings, n_threads)
        kept, of_edges = self._kept, settings.of_edges
        if kept is not None and kept.settings.of_edges == of_edges and _same(kept.weight, weight):
            return kept.mapper
        self._kept = None  # free the old codes before new ones are made
        mapper = find_bins(table, weight, *of_edges, n_threads, parts=parts)
        self._kept = _Kept(settings, weight, mapper)
        return mapper

    def codes_by(self, mapper: _core.BinMapper) -> _core.BinnedMatrix | None:
        """Return the cached codes if ``mapper`` made them, else None."""
        kept = self._kept
        return kept.binned if kept is not None and kept.mapper is mapper else None

    def ranked(self, table: Table, n_threads: int) -> _core.RankedColumns:
        """Return all columns sorted."""
        if self._ranked is None:
            self._ranked = rank_columns(table, n_threads)
        return self._ranked


def _same(one: Floats | None, other: Floats | None) -> bool:
    if one is None or other is None:
        return one is other
    return one is other or np.array_equal(one, other)

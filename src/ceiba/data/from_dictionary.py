"""Convert text and categorical columns of pandas, polars and arrow to codes and their values.

Each library factorizes text with its own fast function. Dictionaries of categorical columns are
reused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ceiba.data.categories import Coded, code_text

__all__ = ["code_series"]


def code_series(series: Any) -> Coded:
    """Convert a narwhals Series of text or of a categorical type to codes."""
    native, library = series.to_native(), series.implementation
    if library.is_pandas():
        return _of_pandas(native)
    if library.is_polars():
        return _of_polars(native)
    if library.is_pyarrow():
        return _of_arrow(native)
    return code_text(np.asarray(series.to_numpy(), dtype=object))


def _of_pandas(series: Any) -> Coded:
    if type(series.dtype).__name__ == "CategoricalDtype":
        return Coded(series.array.codes, series.array.categories)
    codes, values = series.factorize()
    return Coded(codes, values.tolist())


def _of_polars(series: Any) -> Coded:
    import polars as pl

    different = series.unique().drop_nulls()
    if series.dtype == pl.String:
        physical = series.cast(pl.Enum(different)).to_physical()
        places, n_places = np.arange(len(different)), len(different)
    else:
        # Several columns may share one dictionary.
        physical, places = series.to_physical(), different.to_physical().to_numpy()
        n_places = int(places.max()) + 1 if len(places) else 0
    values = different.cast(pl.String).to_list()
    if physical.null_count():
        codes = physical.cast(pl.Int64).fill_null(-1).to_numpy()
    else:
        codes = physical.to_numpy()
    if n_places > 4 * (len(codes) + len(values)):  # a large dictionary with few used values
        order = np.argsort(places)
        found = np.searchsorted(places[order], codes)
        inner = order[np.minimum(found, len(order) - 1)] if len(order) else found
        return Coded(np.where(codes < 0, -1, inner), values)
    by_code: list[Any] = [None] * n_places
    for place, value in zip(places.tolist(), values, strict=True):
        by_code[place] = value
    return Coded(codes, by_code)


def _of_arrow(column: Any) -> Coded:
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if column.num_chunks == 0:
        return Coded(np.zeros(0, dtype=np.int64), [])
    chunk = _one_chunk(column.unify_dictionaries())
    indices = chunk.indices.cast(pa.int64()) if chunk.indices.null_count else chunk.indices
    if indices.null_count:
        indices = indices.fill_null(-1)
    return Coded(indices.to_numpy(zero_copy_only=False), chunk.dictionary.to_pylist())


def _one_chunk(column: Any) -> Any:
    whole = column.combine_chunks()
    return whole.chunk(0) if hasattr(whole, "chunk") else whole

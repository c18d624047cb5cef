"""Open the source that a user named: files, a query or a function."""

from __future__ import annotations

import os
from typing import Any

from ceiba.data.sources.files import FileSource
from ceiba.data.sources.function import FunctionSource
from ceiba.data.sources.query import QuerySource
from ceiba.data.sources.source import Source
from ceiba.errors import InvalidTypeError

__all__ = ["is_source", "open_source"]


def is_source(given: Any) -> bool:
    """Whether ``given`` is a path, paths, a query or a function, and not a table in memory."""
    if isinstance(given, Source | str | os.PathLike) or _is_query(given):
        return True
    if isinstance(given, list | tuple):
        return bool(given) and all(isinstance(path, str | os.PathLike) for path in given)
    return callable(given) and not hasattr(given, "shape") and not hasattr(given, "__array__")


def open_source(given: Any) -> Source:
    """Return the source that a user named.

    Parameters
    ----------
    given : path, list of paths, DuckDB relation or function
        Paths of Parquet, CSV or Arrow files; they may be patterns such as ``"rows/*.parquet"``. A
        function without arguments returns an iterator of tables.
    """
    if isinstance(given, Source):
        return given
    if not is_source(given):
        raise InvalidTypeError(
            "A source must be a path or pattern of Parquet, CSV or Arrow files, a list of paths, a "
            f"relation of DuckDB, or a function that returns an iterator of tables. Got a "
            f"{type(given).__name__}. Pass a table in memory to Dataset(table) itself."
        )
    if isinstance(given, str | os.PathLike):
        return FileSource([given])
    if isinstance(given, list | tuple):
        return FileSource(given)
    return QuerySource(given) if _is_query(given) else FunctionSource(given)


def _is_query(given: Any) -> bool:
    kind = type(given)
    return kind.__name__ == "DuckDBPyRelation" and "duckdb" in kind.__module__

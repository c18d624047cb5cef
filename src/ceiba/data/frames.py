"""Make result tables with pandas or polars, whichever is installed."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

__all__ = ["make_frame"]


def make_frame(columns: Mapping[str, Any]) -> Any:
    """Return a DataFrame of pandas, else of polars, else a dictionary."""
    for library in ("pandas", "polars"):
        try:
            frames = importlib.import_module(library)
        except ImportError:
            continue
        try:
            return frames.DataFrame(dict(columns))
        except TypeError:  # polars stores values of several types as objects
            return frames.DataFrame(
                {name: _series(frames, name, values) for name, values in columns.items()}
            )
    return dict(columns)


def _series(polars: Any, name: str, values: Any) -> Any:
    kinds = {type(value) for value in values if value is not None}
    return polars.Series(name, values, dtype=polars.Object if len(kinds) > 1 else None)

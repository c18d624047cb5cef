"""Columns for people to look at, in the library that they have."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

__all__ = ["make_frame"]


def make_frame(columns: Mapping[str, Any]) -> Any:
    """Return a DataFrame of pandas, or of polars where there is no pandas, or a dictionary."""
    for library in ("pandas", "polars"):
        try:
            return importlib.import_module(library).DataFrame(dict(columns))
        except ImportError:
            continue
    return dict(columns)

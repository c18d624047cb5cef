"""Doors to rooms that come after the model in the order of the house.

A model answers ``model.importances("permutation", X, y)`` and ``model.plot.tree()``, and knows
nothing of how: what explains and draws is built on models, and not the other way round. So it asks
by name, as the front door of the package does, and a room is loaded when it is first entered.
"""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["room"]


def room(name: str) -> Any:
    """Return a module by its name below ceiba, such as ``explain.permutation``."""
    return importlib.import_module(f"ceiba.{name}")

"""Dictionaries of parameters by name, for annotations.

>>> from ceiba import Params
>>> params: Params = {"max_leaves": 63, "learning_rate": 0.05}

Type checkers read ``typed.pyi``, which knows the type of every parameter; tools/make_signatures.py
writes it from the declaration. At run time any dictionary works.
"""

from __future__ import annotations

from typing import Any, TypedDict

from ceiba.parameters import ALIASES, BY_NAME, FOREIGN

__all__ = ["Params"]

_NAMES: dict[str, Any] = dict.fromkeys((*BY_NAME, *ALIASES, *FOREIGN), Any)

Params = TypedDict("Params", _NAMES, total=False)  # type: ignore[misc]

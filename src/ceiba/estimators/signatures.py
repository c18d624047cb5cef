"""Constructors of the estimators, with every declared parameter in their signature.

They are built from the declarations in ``parameters/``, so that a new parameter appears without
further edits. Type checkers and editors read ``signatures.pyi``, which tools/make_signatures.py
writes from the same declarations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ceiba.parameters import DECLARED

__all__ = ["ClassifierSignature", "RankerSignature", "RegressorSignature"]


def make_init(kind: str) -> Callable[..., None]:
    """Make the constructor of an estimator."""
    declared = [parameter for parameter in DECLARED if kind in parameter.estimators]
    defaults = {p.name: "auto" if p.name == "recipe" else None for p in declared}

    def __init__(self: Any, **parameters: Any) -> None:  # noqa: N807
        self._store(defaults, parameters)

    shown = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    shown += [
        inspect.Parameter(
            parameter.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=defaults[parameter.name],
            annotation=f"{parameter.constraint.hint} | None",
        )
        for parameter in declared
    ]
    __init__.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return __init__


class RegressorSignature:
    """The constructor of a regressor."""

    __init__ = make_init("regressor")


class ClassifierSignature:
    """The constructor of a classifier."""

    __init__ = make_init("classifier")


class RankerSignature:
    """The constructor of a ranker."""

    __init__ = make_init("ranker")

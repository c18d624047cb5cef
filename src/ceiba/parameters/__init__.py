"""The one declaration of every parameter.

The life of a parameter:

1. it is declared once, in a list of this folder: name, aliases, constraint, default of each recipe,
   text and the stage that reads it;
2. the signatures and docstrings of the estimators, the reference page and the error messages are
   made from that declaration;
3. ``resolving.py`` checks what a user wrote against it and fills in the recipe's values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ceiba.parameters._base import RECIPE_NAMES, ByGrowth, Parameter, Stage
from ceiba.parameters._learned import LEARNED
from ceiba.parameters._running import RUNNING
from ceiba.parameters._trees import TREES

__all__ = [
    "ALIASES",
    "BEFORE",
    "BY_NAME",
    "DECLARED",
    "IMPOSSIBLE",
    "NOT_IN_SHARDS",
    "RECIPE_NAMES",
    "REFUSED",
    "ByGrowth",
    "Parameter",
    "Stage",
]


#: What was done before a parameter was there, and so by the training of a file without it.
BEFORE: Mapping[str, Any] = MappingProxyType({"leaf_iterations": 1})
DECLARED: tuple[Parameter, ...] = (*LEARNED, *TREES, *RUNNING)
BY_NAME: dict[str, Parameter] = {parameter.name: parameter for parameter in DECLARED}
ALIASES: dict[str, str] = {
    alias: parameter.name for parameter in DECLARED for alias in parameter.aliases
}

#: Names that are refused with a reason of their own.
REFUSED = {
    "alpha": "'alpha' means the L1 penalty in one library and the quantile in another. "
    "For the L1 penalty give reg_alpha, for the quantile give quantile.",
}

#: Combinations that have no meaning: (whether it is one, what to say).
IMPOSSIBLE: tuple[tuple[Callable[[Mapping[str, Any]], bool], str], ...] = (
    (
        lambda p: (
            p["grow_policy"] == "symmetric"
            and not (1 <= p["max_depth"] <= 16 or 2 <= p["max_leaves"] <= 65536)
        ),
        "grow_policy='symmetric' needs max_depth between 1 and 16 (or max_leaves between 2 and "
        "65536), since each level doubles the leaves. Got max_depth={max_depth}, "
        "max_leaves={max_leaves}.",
    ),
)

#: What cannot be done, or would be done otherwise, where the rows are in several places: parameter,
#: value and what to say.
NOT_IN_SHARDS: tuple[tuple[str, Any, str], ...] = (
    (
        "split_method",
        "exact",
        "split_method='exact' needs all rows in one place, to sort every column. "
        "Give split_method='hist'.",
    ),
    (
        "split_method",
        "approx",
        "split_method='approx' needs all rows in one place, to propose exact quantiles; sketches "
        "of shards would make another model. Give split_method='hist'.",
    ),
)

"""Declarations of all parameters.

The life of a parameter:

1. It is declared once, in a list of this folder: name, aliases, constraint, default per recipe,
   text, and the stage that uses it.
2. Signatures and docstrings of the estimators, the reference page and error messages are generated
   from the declaration.
3. ``resolving.py`` validates the user's parameters against it and fills in the recipe's values.

Names and values of other libraries that are not aliases are in one table: ``foreign.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ceiba.parameters._base import (
    FOLLOWS,
    RECIPE_NAMES,
    ByGrowth,
    BySampling,
    Parameter,
    Stage,
    Unless,
    default_text,
)
from ceiba.parameters._boosting import BOOSTING
from ceiba.parameters._categories import CATEGORIES
from ceiba.parameters._conflicts import IMPOSSIBLE
from ceiba.parameters._foreign_harmless import HARMLESS
from ceiba.parameters._foreign_meanings import MEANINGS
from ceiba.parameters._foreign_refused import REFUSED
from ceiba.parameters._foreign_values import VALUE_TRANSLATIONS
from ceiba.parameters._learned import LEARNED
from ceiba.parameters._leaves import LEAVES
from ceiba.parameters._running import RUNNING
from ceiba.parameters._samples import SAMPLES
from ceiba.parameters._trees import TREES
from ceiba.parameters.foreign import Foreign

__all__ = [
    "ALIASES",
    "BEFORE",
    "BY_NAME",
    "DECLARED",
    "FOLLOWS",
    "FOREIGN",
    "IMPOSSIBLE",
    "NOT_IN_SHARDS",
    "RECIPE_NAMES",
    "VALUE_TRANSLATIONS",
    "ByGrowth",
    "BySampling",
    "Parameter",
    "Stage",
    "Unless",
    "default_text",
]


#: Values that reproduce models of files that are older than the parameter.
BEFORE: Mapping[str, Any] = MappingProxyType(
    {
        "leaf_iterations": 1,
        "sampling": "bernoulli",
        "sampling_unit": "row",
        "pos_subsample": 1.0,
        "neg_subsample": 1.0,
        "leaf_model": "constant",
    }
)
DECLARED: tuple[Parameter, ...] = (
    *LEARNED,
    *BOOSTING,
    *TREES,
    *LEAVES,
    *SAMPLES,
    *CATEGORIES,
    *RUNNING,
)
BY_NAME: dict[str, Parameter] = {parameter.name: parameter for parameter in DECLARED}
ALIASES: dict[str, str] = {
    alias: parameter.name for parameter in DECLARED for alias in parameter.aliases
}

#: Names of other libraries that are not aliases: translated, ignored or refused.
FOREIGN: dict[str, Foreign] = {row.name: row for row in (*MEANINGS, *HARMLESS, *REFUSED)}

#: Settings that need all rows in one process, as (parameter, value, message).
NOT_IN_SHARDS: tuple[tuple[str, Any, str], ...] = (
    (
        "categorical",
        "target",
        "categorical='target' does not support sharded rows, because each row's statistic uses "
        "the rows before it in a permutation of all rows. Set categorical='subset'.",
    ),
    (
        "split_method",
        "exact",
        "split_method='exact' does not support sharded rows, because it sorts all values of a "
        "column. Set split_method='hist'.",
    ),
    (
        "split_method",
        "approx",
        "split_method='approx' does not support sharded rows, because it computes exact "
        "quantiles of all rows. Set split_method='hist'.",
    ),
    (
        "boosting",
        "ordered",
        "boosting='ordered' does not support sharded rows, because it scores each row by models "
        "of the rows before it. Set boosting='plain'.",
    ),
    (
        "leaf_rows",
        "all",
        "leaf_rows='all' does not support sharded rows, because it routes rows outside of the "
        "sample to leaves. Set leaf_rows='sampled'.",
    ),
    (
        "leaf_model",
        "linear",
        "leaf_model='linear' does not support sharded rows, because it reads raw feature values. "
        "Set leaf_model='constant'.",
    ),
)

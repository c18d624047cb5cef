"""The one declaration of every parameter.

The life of a parameter:

1. it is declared once, in a list of this folder: name, aliases, constraint, default of each recipe,
   text and the stage that reads it;
2. the signatures and docstrings of the estimators, the reference page and the error messages are
   made from that declaration;
3. ``resolving.py`` checks what a user wrote against it and fills in the recipe's values.

Names and values of other libraries that are no aliases are rows of one table: ``foreign.py``.
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
from ceiba.parameters._foreign_values import OWN_VALUES
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
    "OWN_VALUES",
    "RECIPE_NAMES",
    "ByGrowth",
    "BySampling",
    "Parameter",
    "Stage",
    "Unless",
    "default_text",
]


#: What was done before a parameter was there, and so by the training of a file without it.
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

#: Names of other libraries that are no aliases: with a meaning, harmless or refused.
FOREIGN: dict[str, Foreign] = {row.name: row for row in (*MEANINGS, *HARMLESS, *REFUSED)}

#: What cannot be done, or would be done otherwise, where the rows are in several places: parameter,
#: value and what to say.
NOT_IN_SHARDS: tuple[tuple[str, Any, str], ...] = (
    (
        "categorical",
        "target",
        "categorical='target' needs all rows in one place, since each row's statistic comes from "
        "the rows before it in an order of all rows. Give categorical='subset'.",
    ),
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
    (
        "boosting",
        "ordered",
        "boosting='ordered' needs all rows in one place, to score each by models of those before "
        "it. Give boosting='plain'.",
    ),
    (
        "leaf_rows",
        "all",
        "leaf_rows='all' needs all rows in one place, to find the leaves of rows that no tree was "
        "grown on. Give leaf_rows='sampled'.",
    ),
    (
        "leaf_model",
        "linear",
        "leaf_model='linear' needs all rows in one place, whose columns it reads as they are. Give "
        "leaf_model='constant'.",
    ),
)

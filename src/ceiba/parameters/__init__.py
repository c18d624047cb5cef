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

from collections.abc import Callable, Mapping
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
)
from ceiba.parameters._boosting import BOOSTING
from ceiba.parameters._categories import CATEGORIES
from ceiba.parameters._foreign_harmless import HARMLESS
from ceiba.parameters._foreign_meanings import MEANINGS, OWN_VALUES
from ceiba.parameters._foreign_refused import REFUSED
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

_COLUMN_SHARES = ("colsample_bytree", "colsample_bylevel", "colsample_bynode")

#: Combinations that have no meaning: (whether it is one, what to say). ``called`` are the names
#: that the user wrote.
IMPOSSIBLE: tuple[tuple[Callable[[Mapping[str, Any]], bool], str], ...] = (
    (
        lambda p: (
            p["grow_policy"] == "symmetric"
            and not (1 <= p["max_depth"] <= 16 or 2 <= p["max_leaves"] <= 65536)
        ),
        "{called[grow_policy]}='symmetric' needs {called[max_depth]} between 1 and 16 (or "
        "{called[max_leaves]} between 2 and 65536), since each level doubles the leaves. Got "
        "{called[max_depth]}={max_depth}, {called[max_leaves]}={max_leaves}.",
    ),
    (
        lambda p: (
            p["subsample_freq"] == 0
            and p["subsample"] < 1.0
            and p["sampling"] not in ("goss", "mvs")
        ),
        "{called[subsample_freq]}=0 means that all rows are taken. Got {called[subsample]}="
        "{subsample}. Give {called[subsample_freq]}=1 to draw a sample for each round, or leave "
        "{called[subsample]} out.",
    ),
    (
        lambda p: (
            p["multi_strategy"] == "vector_leaf"
            and (
                p["split_method"] == "approx"
                or p["monotone_constraints"]
                or (p["split_method"] == "exact" and p["grow_policy"] == "symmetric")
            )
        ),
        "{called[multi_strategy]}='vector_leaf' grows trees on bins or on exact values, exact ones "
        "not symmetric, without monotone constraints. Got {called[split_method]}={split_method!r}, "
        "{called[grow_policy]}={grow_policy!r}, {called[monotone_constraints]}="
        "{monotone_constraints!r}. Give {called[multi_strategy]}='one_tree_per_output', or leave "
        "the others out.",
    ),
    (
        lambda p: (
            (p["split_score"] == "cosine" or p["random_strength"] > 0.0)
            and (
                p["split_method"] == "exact"
                or (p["split_method"] == "approx" and p["approx_scope"] == "node")
            )
        ),
        "{called[split_score]}='cosine' and {called[random_strength]} rank the candidates of bins. "
        "Got {called[split_method]}='{split_method}' with {called[split_score]}='{split_score}', "
        "{called[random_strength]}={random_strength}. Give {called[split_method]}='hist', or leave "
        "them out.",
    ),
    (
        lambda p: p["subsample"] < 1.0 and p["sampling"] in ("none", "goss", "bayesian"),
        "{called[sampling]}='{sampling}' takes no share of the rows. Got {called[subsample]}="
        "{subsample}. Leave {called[subsample]} out, or give sampling='bernoulli', 'uniform', "
        "'mvs' or 'bootstrap'.",
    ),
    (
        lambda p: p["sampling"] == "goss" and p["top_rate"] + p["other_rate"] > 1.0,
        "top_rate and other_rate are shares of all rows. Got top_rate={top_rate}, other_rate="
        "{other_rate}. Give two numbers whose sum is at most 1.",
    ),
    (
        lambda p: (
            (p["boosting"] == "forest" or p["num_parallel_tree"] > 1)
            and p["n_estimators"] * p["num_parallel_tree"] > 1
            and p["sampling"] in ("none", "bernoulli", "uniform")
            and p["subsample"] == 1.0
            and all(p[name] == 1.0 for name in _COLUMN_SHARES)
            and not p["extra_trees"]
        ),
        "Trees that do not correct each other ({called[boosting]}={boosting!r}, "
        "{called[num_parallel_tree]}={num_parallel_tree}) would all be the same without samples. "
        "Give {called[subsample]} or {called[colsample_bynode]} below 1, or "
        "{called[extra_trees]}=True.",
    ),
    (
        lambda p: (
            (p["extra_trees"] or (p["leaf_model"] == "linear" and p["linear_fit"] == "gain"))
            and (
                p["split_method"] in ("exact", "approx")
                or p["split_score"] == "cosine"
                or p["random_strength"] > 0.0
            )
        ),
        "{called[extra_trees]}=True draws thresholds among bins, {called[linear_fit]}='gain' tries "
        "lines on both sides of them, and both rank them by their gain. Got "
        "{called[split_method]}={split_method!r}, {called[split_score]}={split_score!r}, "
        "{called[random_strength]}={random_strength}. Give 'hist', 'newton' and 0.",
    ),
    (
        lambda p: (
            p["split_score"] == "entropy"
            and (
                p["random_strength"] > 0.0
                or p["monotone_constraints"]
                or p["split_hessian"] == "unit"
                or p["leaf_model"] == "linear"
            )
        ),
        "{called[split_score]}='entropy' scores counts of classes, without noise, constraints, "
        "lines or other hessians. Got {called[random_strength]}={random_strength}, "
        "{called[monotone_constraints]}={monotone_constraints!r}, {called[split_hessian]}="
        "{split_hessian!r}, {called[leaf_model]}={leaf_model!r}. Leave them out, or give "
        "{called[split_score]}='newton'.",
    ),
    (
        lambda p: (
            p["leaf_model"] == "linear"
            and (p["monotone_constraints"] or p["boosting"] == "ordered")
        ),
        "{called[leaf_model]}='linear' fits lines that may rise and fall, to all rows of a leaf: "
        "not with {called[monotone_constraints]}, nor with {called[boosting]}='ordered'. Got "
        "{called[monotone_constraints]}={monotone_constraints!r}, {called[boosting]}={boosting!r}. "
        "Leave them out, or give {called[leaf_model]}='constant'.",
    ),
)

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

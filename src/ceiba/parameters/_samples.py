"""Parameters of row sampling."""

from __future__ import annotations

from typing import Any

from ceiba.parameters._base import FRACTION, BySampling, Parameter
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Integer, OneOf, Real
from ceiba.parameters.effects import AnyOf, NoneOf, Situation

_RANDOM: tuple[dict[str, Any], ...] = (
    {"sampling": AnyOf("bayesian", "bootstrap", "catboost")},
    *(
        {"sampling": AnyOf("bernoulli", "uniform"), share: NoneOf(1.0)}
        for share in ("subsample", "pos_subsample", "neg_subsample")
    ),
)
#: Rows are drawn at random, independent of gradients.
RANDOM_ROWS = Situation(
    "random sampling of rows: subsample below 1, or sampling='bootstrap' or 'bayesian'", *_RANDOM
)
#: Rows are sampled in any way.
SAMPLED_ROWS = Situation(
    "sampling of rows: subsample below 1, or sampling='bootstrap', 'bayesian', 'goss' or 'mvs'",
    *_RANDOM,
    {"sampling": AnyOf("goss", "mvs")},
)

SAMPLES: tuple[Parameter, ...] = (
    Parameter(
        "sampling",
        OneOf(
            ("none", "bernoulli", "uniform", "goss", "mvs", "bayesian", "bootstrap", "catboost")
        ),
        "bernoulli",
        "How each round samples rows. 'bernoulli': each row with probability subsample. "
        "'uniform': exactly that share of the rows. 'bootstrap': that share, drawn with "
        "replacement. 'bayesian': all rows with random weights (bagging_temperature). 'goss': "
        "rows with large gradients and a sample of the others (top_rate, other_rate). 'mvs': with "
        "probabilities proportional to gradient size, about subsample of the rows. 'none': all "
        "rows. goss and mvs up-weight sampled rows so that sums stay unbiased. 'catboost': "
        "bayesian for softmax without subsample, otherwise mvs.",
        "rows", recipes={"catboost": "catboost", "forest": "bootstrap"},
    ),
    Parameter(
        "subsample", FRACTION, BySampling(0.8, 1.0),
        "Share of the rows that each round samples. Values of 0.5 to 0.9 regularize and save "
        "time.",
        "rows", ("bagging_fraction", "bagging", "sub_row"),
    ),
    Parameter(
        "subsample_freq", Integer(0), 1,
        "Number of rounds that share a sample of rows. 0 disables sampling, as LightGBM's "
        "bagging_freq does. goss and mvs sample in each round.",
        "rows", ("bagging_freq",),
        applies_to=RANDOM_ROWS, off=(0,),
    ),
    Parameter(
        "sampling_unit", OneOf(("row", "query"), {"Object": "row", "Group": "query"}), "row",
        "What is sampled: single rows or, for ranking, whole queries (not with goss and mvs).",
        "rows",
        applies_to=SAMPLED_ROWS,
    ),
    Parameter(
        "pos_subsample", FRACTION, 1.0,
        "Share of the rows of class 1 that each round samples, for binary classification. If it "
        "or neg_subsample is below 1, they replace subsample. Use neg_subsample below 1 to save "
        "time when negatives are plentiful.",
        "rows", ("pos_bagging_fraction", "pos_bagging", "pos_sub_row"),
        applies_to={"sampling": AnyOf("bernoulli", "uniform")},
    ),
    Parameter(
        "neg_subsample", FRACTION, 1.0,
        "Share of the rows of class 0 that each round samples; see pos_subsample.",
        "rows", ("neg_bagging_fraction", "neg_bagging", "neg_sub_row"),
        applies_to={"sampling": AnyOf("bernoulli", "uniform")},
    ),
    Parameter(
        "top_rate", Real(0.0, 1.0), 0.2,
        "Share of all rows with the largest |gradient × hessian| (summed over outputs) that "
        "sampling='goss' keeps with weight 1. The first 1 / learning_rate rounds use all rows.",
        "rows",
        applies_to={"sampling": "goss"},
    ),
    Parameter(
        "other_rate", FRACTION, 0.1,
        "Share of all rows that sampling='goss' draws at random from the rest. They get the "
        "weight (1 - top_rate) / other_rate.",
        "rows",
        applies_to={"sampling": "goss"},
    ),
    Parameter(
        "mvs_reg", Either((Real(0.0), OneOf(("auto",)))), "auto",
        "Constant that sampling='mvs' adds to the squared gradient of a row before taking the "
        "root; larger values make sampling more uniform. 'auto' uses the squared mean absolute "
        "leaf value of the last tree (before the first tree, the squared mean gradient).",
        "rows",
        applies_to={"sampling": AnyOf("mvs", "catboost")},
    ),
    Parameter(
        "bagging_temperature", Real(0.0, 10.0), 1.0,
        "Strength of sampling='bayesian': row weights are (-log u)^bagging_temperature for "
        "uniform random u. 1 is the Bayesian bootstrap; 0 gives equal weights.",
        "rows",
        applies_to={"sampling": AnyOf("bayesian", "catboost")},
    ),
)  # fmt: skip

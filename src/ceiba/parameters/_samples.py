"""Which rows a round is grown on, and how much each of them counts."""

from __future__ import annotations

from ceiba.parameters._base import FRACTION, BySampling, Parameter
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Integer, OneOf, Real
from ceiba.parameters.effects import AnyOf, NoneOf, Situation

_RANDOM = (
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
        "How the rows of a round are sampled. bernoulli: each by a chance of its own (subsample), "
        "uniform: exactly that share of them; goss: those of large gradients and some of the "
        "others (top_rate, other_rate); mvs: by a chance in proportion to the size of their "
        "gradients, about subsample of them; bayesian: all, with random weights "
        "(bagging_temperature); bootstrap: drawn with replacement, as often as subsample of the "
        "rows; none: all. What goss and mvs take is multiplied so that sums stay what they are in "
        "expectation. catboost: mvs or, with objective softmax and no subsample, bayesian.",
        "rows", recipes={"catboost": "catboost", "forest": "bootstrap"},
    ),
    Parameter(
        "subsample", FRACTION, BySampling(0.8, 1.0),
        "Share of the rows that each round is grown on.",
        "rows", ("bagging_fraction", "bagging", "sub_row"),
    ),
    Parameter(
        "subsample_freq", Integer(0), 1,
        "Rounds for which a sample of rows is kept before another is drawn; 0 means that all rows "
        "are taken, and is for subsample=1 only. goss and mvs follow the gradients and draw in "
        "every round.",
        "rows", ("bagging_freq",),
        applies_to=RANDOM_ROWS, off=(0,),
    ),
    Parameter(
        "sampling_unit", OneOf(("row", "query"), {"Object": "row", "Group": "query"}), "row",
        "What is sampled: single rows, or whole queries of a ranking (not with goss and mvs).",
        "rows",
        applies_to=SAMPLED_ROWS,
    ),
    Parameter(
        "pos_subsample", FRACTION, 1.0,
        "Share of the rows of class 1, of two classes, that each round is grown on. Where it or "
        "neg_subsample is below 1, the two take the place of subsample (bernoulli and uniform).",
        "rows", ("pos_bagging_fraction", "pos_bagging", "pos_sub_row"),
        applies_to={"sampling": AnyOf("bernoulli", "uniform")},
    ),
    Parameter(
        "neg_subsample", FRACTION, 1.0,
        "Share of the rows of class 0; see pos_subsample.",
        "rows", ("neg_bagging_fraction", "neg_bagging", "neg_sub_row"),
        applies_to={"sampling": AnyOf("bernoulli", "uniform")},
    ),
    Parameter(
        "top_rate", Real(0.0, 1.0), 0.2,
        "Share of all rows that sampling='goss' takes for their gradients: those with the largest "
        "|gradient times hessian|, summed over the outputs. Each counts once. In the first 1 / "
        "learning_rate rounds all rows are taken.",
        "rows",
        applies_to={"sampling": "goss"},
    ),
    Parameter(
        "other_rate", FRACTION, 0.1,
        "Share of all rows that sampling='goss' takes of the others, each by chance; they count "
        "(1 - top_rate) / other_rate times.",
        "rows",
        applies_to={"sampling": "goss"},
    ),
    Parameter(
        "mvs_reg", Either((Real(0.0), OneOf(("auto",)))), "auto",
        "What sampling='mvs' adds to the squared gradient of a row before it takes the root: the "
        "larger, the more alike are the chances of rows. 'auto' is the squared mean of the leaf "
        "values (their absolute values) of the last tree, and before the first tree the squared "
        "mean of the gradients.",
        "rows",
        applies_to={"sampling": AnyOf("mvs", "catboost")},
    ),
    Parameter(
        "bagging_temperature", Real(0.0, 10.0), 1.0,
        "With sampling='bayesian' a row is multiplied by (-log u) to this power, u being a random "
        "number between 0 and 1. 1 is the Bayesian bootstrap, with 0 all rows count alike.",
        "rows",
        applies_to={"sampling": AnyOf("bayesian", "catboost")},
    ),
)  # fmt: skip

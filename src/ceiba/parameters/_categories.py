"""Which columns are categories, and how their levels are divided."""

from __future__ import annotations

from ceiba.parameters._base import Parameter
from ceiba.parameters.column_values import ColumnList, WordByColumn
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Integer, OneOf, Real
from ceiba.parameters.effects import AnyOf, NoneOf, Situation

_BY_TARGET = (
    {"categorical": "target"},
    {"categorical": "auto", "max_cat_to_subset": NoneOf(0)},
)
_ON_BINS = {"split_method": NoneOf("exact", "approx")}
_TARGET_TEXT = "categorical='target', or 'auto' with max_cat_to_subset above 0"
#: Target statistics are computed for ``"target"``, and by ``"auto"`` for categories of many levels.
BY_TARGET = Situation(_TARGET_TEXT, *_BY_TARGET)
#: The same, where trees grow on bins that are computed once.
BY_TARGET_ON_BINS = Situation(
    f"{_TARGET_TEXT}, and split_method='hist'", *(part | _ON_BINS for part in _BY_TARGET)
)
#: The same with constant leaves.
BY_TARGET_IN_CONSTANT_LEAVES = Situation(
    f"{_TARGET_TEXT}, split_method='hist' and leaf_model='constant'",
    *(part | _ON_BINS | {"leaf_model": "constant"} for part in _BY_TARGET),
)

CATEGORIES: tuple[Parameter, ...] = (
    Parameter(
        "categorical_features",
        Either(
            (OneOf(("auto", "none"), {"from_dtype": "auto"}), ColumnList()),
            "'auto', 'none' or a list of columns, given by name or by position",
        ),
        "auto",
        "Columns that are categories: those of text and with a dictionary (auto), none, so that "
        "such columns are an error, or those and the listed ones, such as whole numbers that are "
        "identifiers.",
        "data",
        ("cat_features", "cat_feature", "cat_column", "categorical_feature", "categorical_column"),
    ),
    Parameter(
        "unseen_category", OneOf(("missing", "error")), "missing",
        "What becomes of levels that the training table did not hold, in eval sets and at predict: "
        "they are missing values, or an error. The model keeps it. Between folds of one table they "
        "are missing values.",
        "data",
    ),
    Parameter(
        "categorical", WordByColumn(("auto", "onehot", "subset", "target")), "auto",
        "How a category is used: one level is split from all others (onehot), a set of levels from "
        "the rest (subset), or every level becomes the mean of the targets of its rows, each row "
        "seeing only those before it in random orders (target). 'auto' is onehot for fewer levels "
        "than max_cat_to_onehot, target for more than max_cat_to_subset, and else subset, which "
        "it is instead of target where rows are in several places. A dictionary says it for single "
        "columns; the others are auto. The model tells what was chosen.",
        "tree",
    ),
    Parameter(
        "max_cat_to_subset", Integer(0), 64,
        "With categorical='auto', a category of more levels is used by target statistics; 0: none "
        "is.",
        "tree", recipes={
            **dict.fromkeys(("gbm", "histgb", "xgboost", "lightgbm", "dart", "tree"), 0),
            "catboost": 2,
        },
        applies_to={"categorical": "auto"},
    ),
    Parameter(
        "target_strength", Real(0.0), 1.0,
        "Rows that the prior counts for in the statistic of a level (target): (sum of targets + "
        "strength * prior) / (rows + strength). The prior is the mean target; of two classes there "
        "is a statistic with prior 0 and one with prior 1.",
        "data",
        applies_to=BY_TARGET,
    ),
    Parameter(
        "target_permutations", Integer(1, 64), 2,
        "Random orders of the rows over which the statistics of the training rows are averaged "
        "(target).",
        "data",
        applies_to=BY_TARGET,
    ),
    Parameter(
        "target_leaves", OneOf(("same", "own")), "same",
        "Random orders of the rows by which leaves get their values (target): the same as those "
        "that choose splits, or orders of their own, so that a leaf does not learn what was chance "
        "in the orders that made it; then gradients are taken at scores of the orders of splits. "
        "With split_method='exact' and 'approx' they are the same.",
        "data", recipes={"catboost": "own"},
        applies_to=BY_TARGET_IN_CONSTANT_LEAVES, off=("same",),
    ),
    Parameter(
        "target_bins",
        Either((Integer(0, 0), Integer(3, 65535)), "0 or an integer between 3 and 65535"), 32,
        "Most bins of a statistic (target); 0: max_bins.",
        "data",
        applies_to=BY_TARGET_ON_BINS,
    ),
    Parameter(
        "max_combination", Integer(1, 8), 2,
        "Most categories that are taken together (target): combinations of categories that meet "
        "on paths of trees get statistics of their own, where trees gain a twentieth more with "
        "them. 1: none are.",
        "data", ("max_ctr_complexity",),
        applies_to=BY_TARGET,
    ),
    Parameter(
        "max_cat_to_onehot", Integer(0), 13,
        "With categorical='auto', a category of fewer levels is split by onehot.",
        "tree", recipes={
            **dict.fromkeys(("gbm", "xgboost", "lightgbm", "dart"), 4),
            **dict.fromkeys(("histgb", "tree"), 0), "catboost": 3,
        },
        applies_to={"categorical": "auto"},
    ),
    Parameter(
        "max_cat_threshold", Integer(1), 32,
        "Most levels of a set by which a category is split (subset).",
        "tree", recipes={"xgboost": 64, "histgb": 65535, "tree": 65535},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "cat_smooth", Either((Real(0.0), OneOf(("reg_lambda",)))), 10.0,
        "Levels are put in order by gradient over hessian, and this is added to the hessian, so "
        "that levels of few rows come to the middle. 'reg_lambda' takes that penalty.",
        "tree", recipes={"xgboost": "reg_lambda", "tree": 0.0},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "cat_l2", Real(0.0), 10.0,
        "L2 penalty on leaf values, besides reg_lambda, of splits by a set of levels (subset).",
        "leaf", recipes={"xgboost": 0.0, "histgb": 0.0, "tree": 0.0},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "min_data_per_group", Integer(1), 100,
        "Rows by which a set of levels must grow before it is looked at again (subset).",
        "tree", recipes={"xgboost": 1, "histgb": 1, "tree": 1},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "min_data_per_level", Either((Real(0.0), OneOf(("cat_smooth",)))), "cat_smooth",
        "Fewest rows of a node that a level needs to be in a set (subset); 'cat_smooth' takes that "
        "number.",
        "tree", recipes={"xgboost": 0.0, "histgb": 10.0, "tree": 0.0},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "cat_rule", OneOf(("auto", "lightgbm", "xgboost", "histgb")), "auto",
        "Details of the search for sets (subset), as a library has them. auto and lightgbm: sets "
        "have at most half of the levels of a node; with lightgbm the rarest levels are missing "
        "values from the start, as they are there. xgboost: sets have any number below "
        "max_cat_threshold, and levels too light for a leaf come to the middle of the order. "
        "histgb: no cut is tried from both ends, and a node needs two levels.",
        "tree", recipes={"lightgbm": "lightgbm", "xgboost": "xgboost", "histgb": "histgb"},
        applies_to={"categorical": AnyOf("auto", "subset", "onehot")},
    ),
    Parameter(
        "cat_missing", OneOf(("level", "right", "either")), "level",
        "Where missing values of a category go: they are a level like any other, or always go to "
        "the right, or are tried on both sides of every set.",
        "tree", recipes={"lightgbm": "right", "xgboost": "either"},
        applies_to={"categorical": AnyOf("auto", "subset", "onehot")},
    ),
)  # fmt: skip

"""Parameters of categorical columns."""

from __future__ import annotations

from ceiba.parameters._base import Parameter
from ceiba.parameters.column_values import ChoiceByColumn, ColumnList
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
        "Categorical columns. 'auto': text columns and columns of a categorical type. 'none': no "
        "column; text columns raise an error. A list of names or positions adds columns to those "
        "of 'auto', for example integer identifiers.",
        "data",
        ("cat_features", "cat_feature", "cat_column", "categorical_feature", "categorical_column"),
    ),
    Parameter(
        "unseen_category", OneOf(("missing", "error")), "missing",
        "What to do with levels that the training data did not contain, in eval sets and at "
        "predict: treat them as 'missing', or raise an 'error'. The model stores the rule. "
        "Between cross-validation folds they are always missing.",
        "data",
    ),
    Parameter(
        "categorical", ChoiceByColumn(("auto", "onehot", "subset", "target")), "auto",
        "How categorical columns are split. 'onehot': one level against all others. 'subset': a "
        "set of levels against the rest. 'target': each category is replaced by the mean target "
        "of its training rows (ordered target statistics: each row uses only the rows before it "
        "in random permutations). 'auto': onehot below max_cat_to_onehot levels, target above "
        "max_cat_to_subset, subset in between; subset instead of target for rows on several "
        "workers. A dictionary sets single columns. model.categorical lists the choice.",
        "tree",
    ),
    Parameter(
        "max_cat_to_subset", Integer(0), 64,
        "Maximum number of levels of a category that categorical='auto' splits by subsets; "
        "categories with more levels use target statistics. 0 disables target statistics.",
        "tree", recipes={
            **dict.fromkeys(("gbm", "histgb", "xgboost", "lightgbm", "dart", "tree"), 0),
            "catboost": 2,
        },
        applies_to={"categorical": "auto"},
    ),
    Parameter(
        "target_strength", Real(0.0), 1.0,
        "Strength of shrinkage towards the prior in target statistics: (sum of targets + strength "
        "× prior) / (rows + strength). Increase it if levels are rare and the target is noisy. "
        "The prior is the mean target; binary classification has two statistics, with priors 0 "
        "and 1.",
        "data",
        applies_to=BY_TARGET,
    ),
    Parameter(
        "target_permutations", Integer(1, 64), 2,
        "Number of random permutations of the rows over which target statistics of training rows "
        "are averaged. More permutations reduce noise and cost time.",
        "data",
        applies_to=BY_TARGET,
    ),
    Parameter(
        "target_leaves", OneOf(("same", "own")), "same",
        "Which permutations route training rows to leaves for leaf values: 'same' uses those that "
        "choose splits; 'own' uses additional permutations, so that leaf values do not fit the "
        "chance of the first ones. 'own' takes longer and overfits less.",
        "data", recipes={"catboost": "own"},
        applies_to=BY_TARGET_IN_CONSTANT_LEAVES, off=("same",),
    ),
    Parameter(
        "target_bins",
        Either((Integer(0, 0), Integer(3, 65535)), "0 or an integer between 3 and 65535"), 32,
        "Maximum number of bins of a target statistic; 0 means max_bins. Few bins reduce "
        "overfitting.",
        "data",
        applies_to=BY_TARGET_ON_BINS,
    ),
    Parameter(
        "max_combination", Integer(1, 8), 2,
        "Maximum number of categories that one target statistic combines. Combinations are added "
        "where trial trees use the categories together and gain at least 5 % more with the "
        "combination. 1 disables combinations.",
        "data", ("max_ctr_complexity",),
        applies_to=BY_TARGET,
    ),
    Parameter(
        "max_cat_to_onehot", Integer(0), 13,
        "Number of levels below which categorical='auto' uses onehot splits.",
        "tree", recipes={
            **dict.fromkeys(("gbm", "xgboost", "lightgbm", "dart"), 4),
            **dict.fromkeys(("histgb", "tree"), 0), "catboost": 3,
        },
        applies_to={"categorical": "auto"},
    ),
    Parameter(
        "max_cat_threshold", Integer(1), 32,
        "Maximum number of levels in the set of a subset split.",
        "tree", recipes={"xgboost": 64, "histgb": 65535, "tree": 65535},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "cat_smooth", Either((Real(0.0), OneOf(("reg_lambda",)))), 10.0,
        "Smoothing of subset splits: levels are sorted by gradient sum / (hessian sum + "
        "cat_smooth), which moves rare levels to the middle. 'reg_lambda' uses that value.",
        "tree", recipes={"xgboost": "reg_lambda", "tree": 0.0},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "cat_l2", Real(0.0), 10.0,
        "Additional L2 penalty, besides reg_lambda, on leaf values of subset splits.",
        "leaf", recipes={"xgboost": 0.0, "histgb": 0.0, "tree": 0.0},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "min_data_per_group", Integer(1), 100,
        "Minimum number of rows by which the set of a subset split must grow before it is "
        "evaluated again. Larger values regularize and save time.",
        "tree", recipes={"xgboost": 1, "histgb": 1, "tree": 1},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "min_data_per_level", Either((Real(0.0), OneOf(("cat_smooth",)))), "cat_smooth",
        "Minimum number of rows of a level in a node for subset splits to consider it; "
        "'cat_smooth' uses that value.",
        "tree", recipes={"xgboost": 0.0, "histgb": 10.0, "tree": 0.0},
        applies_to={"categorical": AnyOf("auto", "subset")},
    ),
    Parameter(
        "cat_rule", OneOf(("auto", "lightgbm", "xgboost", "histgb")), "auto",
        "Details of the search for subsets. 'auto' and 'lightgbm': sets hold at most half of the "
        "levels of a node; 'lightgbm' also treats rare levels as missing values. 'xgboost': sets "
        "hold any number of levels below max_cat_threshold, and levels too light for a leaf are "
        "sorted to the middle. 'histgb': sets are built from one end of the sorted levels only, "
        "and a node needs two levels.",
        "tree", recipes={"lightgbm": "lightgbm", "xgboost": "xgboost", "histgb": "histgb"},
        applies_to={"categorical": AnyOf("auto", "subset", "onehot")},
    ),
    Parameter(
        "cat_missing", OneOf(("level", "right", "either")), "level",
        "Where missing values of a category go: 'level' treats them as a level of their own, "
        "'right' sends them right, 'either' tries both sides of each set.",
        "tree", recipes={"lightgbm": "right", "xgboost": "either"},
        applies_to={"categorical": AnyOf("auto", "subset", "onehot")},
    ),
)  # fmt: skip

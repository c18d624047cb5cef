"""The one declaration of every parameter.

The life of a parameter:

1. it is declared once, in ``DECLARED`` below: name, aliases, constraint, default of each recipe,
   text and the stage that reads it;
2. the signatures and docstrings of the estimators, the reference page and the error messages are
   made from that declaration;
3. ``resolving.py`` checks what a user wrote against it and fills in the recipe's values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from ceiba.column_values import ByColumn, ColumnSets
from ceiba.combined_constraints import Either, Schedule, Several, Weights
from ceiba.constraints import (
    Boolean,
    Constraint,
    Function,
    Integer,
    MissingMark,
    OneOf,
    Real,
    Seed,
    Text,
)

Stage = Literal[
    "recipe", "objective", "boosting", "tree", "leaf", "rows", "data", "stopping", "run",
    "estimator",
]  # fmt: skip

RECIPE_NAMES = ("auto", "gbm", "histgb", "xgboost", "lightgbm")

_FRACTION = Real(0.0, 1.0, includes_low=False)
_LEVEL = Real(0.0, 1.0, includes_low=False, includes_high=False)
_LIMIT = Either((Integer(2), Integer(0, 0)), "0 (unlimited) or an integer, 2 or more")


@dataclass(frozen=True)
class ByGrowth:
    """A default that follows ``grow_policy``: one for leafwise growth, one for the others."""

    leafwise: Any
    other: Any


@dataclass(frozen=True)
class Parameter:
    """One parameter; ``default`` is that of recipe ``auto`` and of recipes that name no other."""

    name: str
    constraint: Constraint
    default: Any
    text: str
    stage: Stage
    aliases: tuple[str, ...] = ()
    recipes: Mapping[str, Any] = field(default_factory=dict)
    advice: str = ""
    #: Estimators that have it; ``train`` takes all but those of stage "estimator".
    estimators: tuple[str, ...] = ("regressor", "classifier", "ranker")

    def default_of(self, recipe: str) -> Any:
        """Return the value that ``None`` stands for under a recipe."""
        return self.recipes.get(recipe, self.default)


#: What was done before a parameter was there, and so by the training of a file without it.
BEFORE: Mapping[str, Any] = MappingProxyType({"leaf_iterations": 1})

DECLARED: tuple[Parameter, ...] = (
    Parameter(
        "recipe", OneOf(RECIPE_NAMES), "auto",
        "Named set of defaults: ceiba's own, or those of the library it is named after.",
        "recipe",
    ),
    # ---- what is learned ------------------------------------------------------------------------
    Parameter(
        "objective", Either((Text(), Function()), "a name (a string) or a function"), None,
        "Loss to make small. By default squared_error; for a classifier logistic with two classes "
        "and softmax with more; for a ranker lambdarank_ndcg. A function (y_true, raw_score) "
        "returns the gradients and hessians of the unweighted loss; the model then predicts raw "
        "scores.",
        "objective", ("loss", "loss_function"),
    ),
    Parameter(
        "n_classes", Integer(2), None,
        "Number of classes of objective softmax, by default the largest class index plus one; "
        "number of scores of a row for an objective given as a function, by default one.",
        "objective", ("num_class", "classes_count"), estimators=(),
    ),
    Parameter(
        "hessian_factor", Either((Real(0.0, includes_low=False), OneOf(("classes",)))), 1.0,
        "Factor of p(1 - p) in the curvature of softmax; 'classes' means K / (K - 1). Other "
        "objectives have no such factor and do not read it.",
        "objective", recipes={"xgboost": 2.0, "lightgbm": "classes"}, estimators=("classifier",),
    ),
    Parameter(
        "quantile", Several(_LEVEL), 0.5,
        "Level of objective and metric quantile, or a list of increasing levels: one model that "
        "predicts all of them, sorted in each row.",
        "objective", ("quantile_alpha",), recipes={"gbm": 0.9, "lightgbm": 0.9},
        estimators=("regressor",),
    ),
    Parameter(
        "calibration_folds",
        Either((Integer(2), Integer(0, 0), OneOf(("auto",))), "0, an integer of 2 or more, 'auto'"),
        0,
        "Folds of rows by which objective quantile is calibrated, so that the level also holds for "
        "new rows: each fold is scored by a model of the others. 0 means not at all, 'auto' means "
        "5 with up to 10,000 rows and no early stopping.",
        "objective", recipes={"auto": "auto"}, estimators=("regressor",),
    ),
    Parameter(
        "huber_delta", Real(0.0, includes_low=False), None,
        "Difference beyond which objectives huber and pseudo_huber, and their metrics, are no "
        "longer squared. By default 1, but each round of objective huber takes the huber_quantile "
        "quantile of the |residuals|.",
        "objective", ("huber_slope",), estimators=("regressor",),
    ),
    Parameter(
        "huber_quantile", _LEVEL, 0.9,
        "Share of the rows that objective huber treats as near where huber_delta is not given.",
        "objective", estimators=("regressor",),
    ),
    Parameter(
        "leaf_rule", OneOf(("exact", "friedman")), "exact",
        "How a leaf gets its value where there is a choice: as exactly as the objective can, or as "
        "Friedman and scikit-learn's GBM have it, (K - 1) / K times the Newton step for softmax of "
        "K classes, and one step from the median for huber. A row that absolute_error or quantile "
        "hits exactly then counts as too low, as it does there, and else as neither.",
        "objective", recipes={"gbm": "friedman"},
    ),
    Parameter(
        "curvature_rule", OneOf(("safe", "plain")), "safe",
        "What objectives pseudo_huber and squared_log_error take for curvature: one with which no "
        "leaf runs away (the scores of squared_log_error are then log(1 + prediction)), or the "
        "second derivative in the prediction, as XGBoost does.",
        "objective", recipes={"xgboost": "plain"}, estimators=("regressor",),
    ),
    Parameter(
        "tweedie_variance_power", Real(1.0, 2.0, includes_low=False, includes_high=False), 1.5,
        "Power p of objective tweedie and its metric, for a variance proportional to mean^p.",
        "objective", estimators=("regressor",),
    ),
    Parameter(
        "poisson_max_delta_step", Real(0.0), 0.0,
        "Hessians of objective poisson are multiplied by exp of this, so that a leaf with many "
        "more events than were predicted does not go too far.",
        "objective", recipes={"xgboost": 0.7, "lightgbm": 0.7}, estimators=("regressor",),
    ),
    Parameter(
        "lambdarank_truncation_level", Integer(0), 30,
        "Objectives lambdarank_ndcg and lambdarank_map look at pairs of documents of which one is "
        "among so many first positions; 0 means all pairs.",
        "objective", ("lambdarank_num_pair_per_sample",), {"xgboost": 32}, estimators=("ranker",),
    ),
    Parameter(
        "lambdarank_norm", Boolean(), True,
        "Whether ranking objectives bring queries of different sizes to comparable totals.",
        "objective", ("lambdarank_normalization",), estimators=("ranker",),
    ),
    Parameter(
        "ndcg_exp_gain", Boolean(), True,
        "Whether a document of relevance l is worth 2^l - 1 in NDCG, in the objective and in the "
        "metrics; otherwise l.",
        "objective", estimators=("ranker",),
    ),
    Parameter(
        "scale_pos_weight", Real(0.0, includes_low=False), 1.0,
        "Multiplies the weights of the training rows of class 1 (two classes only), as if they "
        "were given so; rows of eval sets and rows held out keep theirs.",
        "objective", estimators=("classifier",),
    ),
    Parameter(
        "base_score", Several(Real(float("-inf"))), None,
        "Prediction that boosting starts from, in prediction units: a number for a regressor, the "
        "probability of the second class with objective logistic, that of each class with softmax. "
        "By default the best constant.",
        "objective",
    ),
    # ---- boosting -------------------------------------------------------------------------------
    Parameter(
        "n_estimators", Integer(1), 100,
        "Number of boosting rounds; a round grows one tree, or one for each class of softmax.",
        "boosting", ("num_boost_round", "num_iterations", "iterations", "max_iter"),
    ),
    Parameter(
        "learning_rate",
        Either((Real(0.0, includes_low=False), Schedule(Real(0.0, includes_low=False)))), 0.1,
        "Factor of each tree: a number, or a schedule with the factor of each round. The model "
        "records the factors of a schedule.",
        "boosting", ("eta", "shrinkage"), {"xgboost": 0.3},
    ),
    # ---- trees ----------------------------------------------------------------------------------
    Parameter(
        "grow_policy",
        OneOf(
            ("leafwise", "depthwise", "symmetric"),
            {"lossguide": "leafwise", "Lossguide": "leafwise", "Depthwise": "depthwise",
             "SymmetricTree": "symmetric"},
        ),
        "leafwise",
        "Which node is split next: the best one (leafwise), level by level (depthwise), or level "
        "by level with one split shared by the whole level (symmetric). CeibaRanker of recipe auto "
        "takes symmetric unless max_leaves is given.",
        "tree", recipes={"xgboost": "depthwise"},
    ),
    Parameter(
        "split_method", OneOf(("auto", "hist", "approx", "exact")), "auto",
        "Where thresholds come from: the edges of bins made once (hist), bins made anew for each "
        "tree or node (approx), or every distinct value (exact, which reads neither max_bins nor "
        "min_data_in_bin). auto is hist; a model records the method that grew it.",
        "tree", ("tree_method",), {"gbm": "exact"},
    ),
    Parameter(
        "max_depth", Integer(0), ByGrowth(0, 6),
        "Most splits on the way to a leaf; 0 means unlimited.",
        "tree", ("depth",), {"xgboost": 6, "lightgbm": 0, "histgb": 0, "gbm": 3},
        advice="For no limit give 0.",
    ),
    Parameter(
        "max_leaves", _LIMIT, ByGrowth(31, 0),
        "Most leaves of a tree; 0 means unlimited.",
        "tree", ("num_leaves", "max_leaf_nodes"),
        {"xgboost": 0, "lightgbm": 31, "histgb": 31, "gbm": 0},
    ),
    Parameter(
        "min_samples_leaf", Either((Integer(0), _LEVEL)), 20,
        "Fewest rows of a leaf; a number below 1 is a share of all rows. A symmetric tree splits "
        "all nodes of a level alike: a node whose children have fewer has no say in that split "
        "(so with min_samples_split).",
        "tree", ("min_child_samples", "min_data_in_leaf"), {"xgboost": 0, "gbm": 1},
    ),
    Parameter(
        "min_samples_split", Either((Integer(2), _LEVEL)), 2,
        "Fewest rows of a node that may be split; they are counted as for min_samples_leaf.",
        "tree",
    ),
    Parameter(
        "weighted_counts", Boolean(), True,
        "Whether a row of weight w counts as w rows in min_samples_leaf where all weights are "
        "whole numbers (with a sum below 2^30). Otherwise every row counts once.",
        "tree", recipes={"xgboost": False, "lightgbm": False, "histgb": False, "gbm": False},
    ),
    Parameter(
        "min_child_weight", Real(0.0), 1e-3,
        "Smallest sum of hessians of a leaf. In a symmetric tree, which splits all nodes of a "
        "level alike, a leaf with less takes the value of the node above it.",
        "tree", ("min_sum_hessian_in_leaf",), {"xgboost": 1.0, "gbm": 0.0},
    ),
    Parameter(
        "min_split_gain", Real(0.0), 0.0,
        "Smallest gain of a split.",
        "tree", ("gamma", "min_split_loss", "min_gain_to_split"),
    ),
    Parameter(
        "min_impurity_decrease", Real(0.0), 0.0,
        "Smallest gain of a split, divided by the sum of the hessians of all rows of the tree. "
        "With split_hessian='unit' that is scikit-learn's weighted decrease of the squared error.",
        "tree",
    ),
    Parameter(
        "min_weight_fraction_leaf", Real(0.0, 0.5), 0.0,
        "Smallest share of the sum of the hessians of all rows of the tree that a leaf holds. With "
        "split_hessian='unit' that is scikit-learn's share of the weights.",
        "tree",
    ),
    Parameter(
        "ccp_alpha", Real(0.0), 0.0,
        "Cost-complexity pruning after growth: every split costs this much times the sum of the "
        "hessians of all rows of the tree, and splits that, with all below them, gain no more than "
        "they cost are cut. With split_hessian='unit' as in scikit-learn.",
        "tree",
    ),
    Parameter(
        "prune", OneOf(("auto", "before", "after")), "before",
        "When min_split_gain is looked at: before a node is split, or after the tree has grown, "
        "from its leaves up, so that a poor split above a good one stays. 'auto' is after with "
        "split_method='exact' and before otherwise, as XGBoost does.",
        "tree", recipes={"xgboost": "auto"},
    ),
    Parameter(
        "split_hessian", OneOf(("loss", "unit")), "loss",
        "Hessians by which splits are chosen: those of the loss, or 1 for every row, so that trees "
        "are fitted to the gradients alone. Leaf values always use those of the loss.",
        "tree", recipes={"gbm": "unit"},
    ),
    # ---- columns --------------------------------------------------------------------------------
    Parameter(
        "monotone_constraints", ByColumn(Integer(-1, 1)), None,
        "Columns with which the raw score (of each class) may only rise (1) or only fall (-1). "
        "Missing values have no place in that order.",
        "tree", ("monotonic_cst",),
    ),
    Parameter(
        "interaction_constraints", ColumnSets(("pairwise", "no_interactions")), None,
        "Sets of columns that may be split together on the way to a leaf. 'no_interactions' means "
        "each column alone, 'pairwise' any two columns.",
        "tree", ("interaction_cst",),
    ),
    Parameter(
        "unlisted_interactions", OneOf(("alone", "together")), "alone",
        "Whether columns in no set of interaction_constraints may be split alone only, as in "
        "XGBoost, or are one more set, as in scikit-learn.",
        "tree", recipes={"histgb": "together"},
    ),
    Parameter(
        "feature_weights", ByColumn(Real(0.0)), None,
        "Weights of the columns in column sampling: a column is drawn in proportion to its weight, "
        "one of weight 0 only where the others do not suffice. Columns that a dictionary leaves "
        "out have weight 1.",
        "tree",
    ),
    # ---- penalties ------------------------------------------------------------------------------
    Parameter(
        "reg_lambda", Real(0.0), 1.0,
        "L2 penalty on leaf values.",
        "leaf", ("lambda_l2", "l2_leaf_reg", "l2_regularization"),
        {"lightgbm": 0.0, "histgb": 0.0, "gbm": 0.0},
    ),
    Parameter(
        "reg_alpha", Real(0.0), 0.0,
        "L1 penalty on leaf values.",
        "leaf", ("lambda_l1",),
    ),
    Parameter(
        "max_delta_step", Either((Real(0.0), OneOf(("objective",)))), 0.0,
        "Largest leaf value before the learning rate; 0 means unlimited, 'objective' 0.7 for "
        "poisson and unlimited for the others, as in XGBoost.",
        "leaf", recipes={"xgboost": "objective"},
    ),
    Parameter(
        "leaf_iterations", Either((Integer(1), OneOf(("auto",)))), 1,
        "Newton steps by which a leaf finds its value; each after the first goes on from there, "
        "towards the minimum of the leaf's own loss. 'auto' is 3 for objectives logistic and "
        "cross_entropy with symmetric growth, else 1. Leaves that are exact after one step make no "
        "other; objectives of queries or with several scores a row refuse more than one.",
        "leaf", ("leaf_estimation_iterations",), {"auto": "auto"},
    ),
    Parameter(
        "leaf_guard", Boolean(), True,
        "Whether a leaf of poisson, gamma or tweedie stops at the minimum of its own loss where "
        "the Newton step would go past it; the minimum is the one that its step tells, after "
        "penalties and max_delta_step. With more than one of leaf_iterations it always does.",
        "leaf", recipes={"xgboost": False, "lightgbm": False, "histgb": False},
        estimators=("regressor",),
    ),
    Parameter(
        "penalize_bounded", Boolean(), True,
        "Whether reg_alpha counts in the gain of splits whose values have bounds, by "
        "max_delta_step or by monotone_constraints. XGBoost leaves it out there.",
        "leaf", recipes={"xgboost": False},
    ),
    Parameter(
        "drop_hopeless_columns", Boolean(), False,
        "Whether a column all of whose splits would make a node worse, or gain less than "
        "min_split_gain, is left out below that node, as LightGBM does. Exact splits and "
        "symmetric growth always look at all columns.",
        "tree", recipes={"lightgbm": True},
    ),
    # ---- sampling -------------------------------------------------------------------------------
    Parameter(
        "subsample", _FRACTION, 1.0,
        "Share of the rows that each round is grown on.",
        "rows", ("bagging_fraction",),
    ),
    Parameter(
        "colsample_bytree", _FRACTION, 1.0,
        "Share of the columns that each tree may use.",
        "tree", ("feature_fraction",),
    ),
    Parameter(
        "colsample_bylevel", _FRACTION, 1.0,
        "Share of the tree's columns that each level may use.",
        "tree",
    ),
    Parameter(
        "colsample_bynode",
        Either(
            (_FRACTION, Integer(2), OneOf(("sqrt", "log2"))),
            "a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2'",
        ),
        1.0,
        "Share of the level's columns that each node may use, or the number of them; 'sqrt' and "
        "'log2' are functions of the number of all columns.",
        "tree", ("rsm", "max_features"),
    ),
    # ---- missing values -------------------------------------------------------------------------
    Parameter(
        "missing", MissingMark(), None,
        "A value that means missing, besides NaN, in every table: those to learn from, to be "
        "scored and to predict for. In a column of 32-bit floats it means the nearest of those. "
        "For train give it to the Dataset.",
        "data",
    ),
    Parameter(
        "zero_as_missing", Boolean(), False,
        "Whether entries that a sparse matrix, or a sparse column of pandas filled with 0, does "
        "not hold are missing; otherwise they are 0. A 0 that is written down stays 0. For train "
        "give it to the Dataset.",
        "data",
    ),
    # ---- bins -----------------------------------------------------------------------------------
    Parameter(
        "max_bins", Integer(3, 65535), 256,
        "Most bins of a column, the one for missing values included.",
        "data", ("max_bin", "border_count"), {"lightgbm": 255},
        advice="255 or 256 is a good choice: more bins cost time and rarely gain accuracy.",
    ),
    Parameter(
        "min_data_in_bin", Integer(1), 3,
        "Fewest rows of a bin (a row of weight w counts as w rows).",
        "data", recipes={"xgboost": 1, "histgb": 1, "gbm": 1},
    ),
    Parameter(
        "sketch_eps", Real(1e-4, 0.5), 1 / 256,
        "Error of the candidate thresholds of split_method='approx': about this share of the "
        "weight (hessians) lies between two of them, so a column has at most 1 / sketch_eps bins, "
        "the one for missing values included.",
        "tree",
    ),
    Parameter(
        "approx_scope", OneOf(("tree", "node")), "tree",
        "Whether split_method='approx' proposes candidate thresholds for every tree, or for every "
        "node (with symmetric growth: every level), which is slower.",
        "tree",
    ),
    # ---- when to stop ---------------------------------------------------------------------------
    Parameter(
        "eval_metric",
        Several(Either((Text(), Function()), "a name (a string) or a function")), None,
        "Metric, or list of metrics, of the eval sets. By default that of the objective. The last "
        "one decides early stopping. A function (y_true, y_pred), with sample_weight if it takes "
        "it, returns a number or (name, number, higher_is_better).",
        "stopping", ("metric",),
    ),
    Parameter(
        "early_stopping_rounds", Either((Integer(0), OneOf(("auto",)))), 0,
        "Stop after this many rounds without a better metric on the last eval set, and keep the "
        "best iteration; 0 means never, 'auto' means 10 with more than 10,000 rows. An estimator "
        "without eval_set holds out validation_fraction of the rows.",
        "stopping", ("n_iter_no_change", "od_wait"), {"histgb": "auto"},
    ),
    Parameter(
        "early_stopping_tolerance", Real(0.0), 0.0,
        "A metric must be better than the best so far by more than this to count as better.",
        "stopping", ("tol", "min_delta"), {"histgb": 1e-7, "gbm": 1e-4},
    ),
    Parameter(
        "validation_fraction", Real(0.0, 0.9, includes_low=False), 0.1,
        "Share of the rows held out for early stopping when no eval_set is given (of each class "
        "for a classifier, whole queries for a ranker). They are scored with their sample_weight.",
        "estimator",
    ),
    # ---- estimators and running -----------------------------------------------------------------
    Parameter(
        "warm_start", Boolean(), False,
        "Whether a further call of fit keeps the trees that are there and adds rounds until there "
        "are n_estimators.",
        "estimator",
    ),
    Parameter(
        "class_weight", Either((OneOf(("balanced",)), Weights())), None,
        "Weight of each class, multiplied into sample_weight of the training rows; 'balanced' "
        "gives all classes the same total. Rows of eval sets and rows held out keep their own.",
        "estimator", estimators=("classifier",),
    ),
    Parameter(
        "importance_type", OneOf(("gain", "weight", "cover"), {"split": "weight"}), "gain",
        "What feature_importances_ holds, as shares that add up to 1: sums of gains, numbers of "
        "splits or sums of hessians.",
        "estimator",
    ),
    Parameter(
        "random_state", Seed(), 0,
        "Seed of row and column sampling. The same seed always gives the same model.",
        "run", ("seed",),
    ),
    Parameter(
        "n_jobs",
        Either((Integer(1), Integer(-1024, -1)), "a positive number of threads or -1 for all"),
        -1,
        "Threads. The model does not depend on it.",
        "run", ("nthread", "num_threads", "thread_count"),
    ),
    Parameter(
        "verbose", Either((Boolean(), Integer(0)), "True, False or an integer, 0 or more"), 0,
        "Show a progress bar.",
        "run",
    ),
)  # fmt: skip

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

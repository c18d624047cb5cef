"""How trees grow: their limits, columns and penalties."""

from __future__ import annotations

from ceiba.parameters._base import FRACTION, LEVEL, LIMIT, ByGrowth, Parameter
from ceiba.parameters._samples import SAMPLED_ROWS
from ceiba.parameters.column_values import ByColumn, ColumnSets
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Boolean, Integer, OneOf, Real
from ceiba.parameters.effects import AnyOf, NoneOf

#: Columns are drawn.
COLUMN_SAMPLING = tuple(
    {name: NoneOf(1.0)} for name in ("colsample_bytree", "colsample_bylevel", "colsample_bynode")
)

TREES: tuple[Parameter, ...] = (
    # ---- trees ----------------------------------------------------------------------------------
    Parameter(
        "grow_policy",
        OneOf(
            ("leafwise", "depthwise", "symmetric", "depthfirst"),
            {"lossguide": "leafwise", "Lossguide": "leafwise", "Depthwise": "depthwise",
             "SymmetricTree": "symmetric"},
        ),
        "leafwise",
        "Which node is split next: the best one (leafwise), level by level (depthwise), level by "
        "level with one split shared by the whole level (symmetric), or the deepest one "
        "(depthfirst), which is the fastest way to trees without a limit of leaves. CeibaRanker of "
        "recipe auto takes symmetric unless max_leaves is given.",
        "tree",
        recipes={
            "xgboost": "depthwise", "catboost": "symmetric", "tree": "depthwise",
            "forest": "depthfirst",
        },
    ),
    Parameter(
        "split_method", OneOf(("auto", "hist", "approx", "exact")), "auto",
        "Where thresholds come from: the edges of bins made once (hist), bins made anew for each "
        "tree or node (approx), or every distinct value (exact, which reads neither max_bins nor "
        "min_data_in_bin). auto is hist; a model records the method that grew it.",
        "tree", ("tree_method",), {"gbm": "exact", "tree": "exact"},
    ),
    Parameter(
        "multi_strategy",
        OneOf(
            ("one_tree_per_output", "vector_leaf"),
            {"one_output_per_tree": "one_tree_per_output", "multi_output_tree": "vector_leaf"},
        ),
        "one_tree_per_output",
        "Where a row has several outputs (classes, labels, several targets): a tree for each of "
        "them in every round, or one tree whose leaves have a value for each (vector_leaf), which "
        "is faster and smaller. Several targets of squared error, and classes of gini, are then "
        "split by the gradients of all of them, other classes and labels by a sum with random "
        "signs.",
        "tree", recipes={"tree": "vector_leaf"},
    ),
    Parameter(
        "max_depth", Integer(0), ByGrowth(0, 6),
        "Most splits on the way to a leaf; 0 means unlimited.",
        "tree", ("depth",),
        {"xgboost": 6, "lightgbm": 0, "histgb": 0, "gbm": 3, "tree": 0, "forest": 0},
        advice="For no limit give 0.",
    ),
    Parameter(
        "max_leaves", LIMIT, ByGrowth(31, 0),
        "Most leaves of a tree; 0 means unlimited.",
        "tree", ("num_leaves", "max_leaf_nodes", "num_leaf", "max_leaf"),
        {"xgboost": 0, "lightgbm": 31, "histgb": 31, "gbm": 0, "tree": 0, "forest": 0},
    ),
    Parameter(
        "min_samples_leaf", Either((Integer(0), LEVEL)), 20,
        "Fewest rows of a leaf; a number below 1 is a share of all rows. A symmetric tree splits "
        "all nodes of a level alike: a node whose children have fewer has no say in that split "
        "(so with min_samples_split).",
        "tree", ("min_child_samples", "min_data_in_leaf", "min_data_per_leaf", "min_data"),
        {"xgboost": 0, "gbm": 1, "catboost": 1, "tree": 1, "forest": 1},
    ),
    Parameter(
        "min_samples_split", Either((Integer(2), LEVEL)), 2,
        "Fewest rows of a node that may be split; they are counted as for min_samples_leaf.",
        "tree",
    ),
    Parameter(
        "weighted_counts", Boolean(), True,
        "Whether a row of weight w counts as w rows in min_samples_leaf where all weights are "
        "whole numbers (with a sum below 2^30). Otherwise every row counts once.",
        "tree",
        recipes=dict.fromkeys(
            ("xgboost", "lightgbm", "histgb", "gbm", "catboost", "tree", "forest"), False
        ),
    ),
    Parameter(
        "min_child_weight", Real(0.0), 1e-3,
        "Smallest sum of hessians of a leaf. In a symmetric tree, which splits all nodes of a "
        "level alike, a leaf with less takes the value of the node above it.",
        "tree",
        ("min_sum_hessian_in_leaf", "min_sum_hessian_per_leaf", "min_sum_hessian", "min_hessian"),
        {"xgboost": 1.0, "gbm": 0.0, "catboost": 0.0, "tree": 0.0, "forest": 0.0},
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
        "Smallest share of the sum of the hessians of all rows of the tree that a leaf holds; in a "
        "symmetric tree as with min_child_weight. With split_hessian='unit' that is scikit-learn's "
        "share of the weights.",
        "tree",
    ),
    Parameter(
        "ccp_alpha", Real(0.0), 0.0,
        "Cost-complexity pruning after growth: every split costs this much times the sum of the "
        "hessians of all rows of the tree, and splits that, with all below them, gain no more than "
        "they cost are cut (in a symmetric tree whole levels, where a node without rows on both "
        "sides costs nothing). With split_hessian='unit' as in scikit-learn.",
        "tree",
    ),
    Parameter(
        "prune", OneOf(("auto", "before", "after")), "before",
        "When min_split_gain is looked at: before a node is split, or after the tree has grown, "
        "from its leaves up, so that a poor split above a good one stays. 'auto' is after with "
        "split_method='exact' and before otherwise, as XGBoost does.",
        "tree", recipes={"xgboost": "auto"},
        applies_to={"min_split_gain": NoneOf(0.0)},
    ),
    Parameter(
        "split_hessian", OneOf(("loss", "unit")), "loss",
        "Hessians by which splits are chosen: those of the loss, or 1 for every row, so that trees "
        "are fitted to the gradients alone. Leaf values always use those of the loss.",
        "tree", recipes={"gbm": "unit", "catboost": "unit"},
    ),
    Parameter(
        "split_score", OneOf(("newton", "cosine", "entropy")), "newton",
        "What ranks the candidates of a split: the gain of Newton steps, or the cosine of the "
        "angle between leaf values and gradients, over all leaves of a level in symmetric growth, "
        "as in CatBoost. Splits are recorded by their gain, which a level of a symmetric tree "
        "that the cosine ranks does not need. Candidates of cosine must be those of bins. "
        "'entropy', for objective gini, gains what the entropy of the classes falls by, in natural "
        "logarithms and summed over rows; penalties then count in leaves only.",
        "tree", ("score",), recipes={"catboost": "cosine"},
    ),
    Parameter(
        "random_strength", Real(0.0), 0.0,
        "Normal noise on what ranks the candidates of a split, in units of a typical gradient; it "
        "dies out as the learning rates of the rounds add up, as in CatBoost. Candidates must be "
        "those of bins.",
        "tree", recipes={"catboost": 1.0},
    ),
    Parameter(
        "extra_trees", Boolean(), False,
        "Whether a node tries, for each column, only one threshold, drawn among all bins of the "
        "column (of a category one level, or one number of levels), as LightGBM does. Nodes of a "
        "level of a symmetric tree share it.",
        "tree", ("extra_tree",),
    ),
    # ---- columns --------------------------------------------------------------------------------
    Parameter(
        "monotone_constraints", ByColumn(Integer(-1, 1)), None,
        "Columns with which the raw score (of each class) may only rise (1) or only fall (-1). "
        "Missing values have no place in that order.",
        "tree", ("monotonic_cst", "monotone_constraint", "mc"),
    ),
    Parameter(
        "interaction_constraints", ColumnSets(("pairwise", "no_interactions")), None,
        "Sets of columns that may be split together on the way to a leaf. 'no_interactions' means "
        "each column alone, 'pairwise' any two columns.",
        "tree", ("interaction_cst",),
    ),
    Parameter(
        "unlisted_interactions", OneOf(("alone", "together", "never")), "alone",
        "Whether columns in no set of interaction_constraints may be split alone only, as in "
        "XGBoost, are one more set, as in scikit-learn, or are never split, as in LightGBM.",
        "tree", recipes={"histgb": "together", "lightgbm": "never"},
        applies_to={"interaction_constraints": NoneOf(None)},
    ),
    Parameter(
        "feature_weights", ByColumn(Real(0.0)), None,
        "Weights of the columns in column sampling: a column is drawn in proportion to its weight, "
        "one of weight 0 only where the others do not suffice. Columns that a dictionary leaves "
        "out have weight 1.",
        "tree",
        applies_to=COLUMN_SAMPLING,
    ),
    # ---- penalties ------------------------------------------------------------------------------
    Parameter(
        "reg_lambda", Real(0.0), 1.0,
        "L2 penalty on leaf values.",
        "leaf", ("lambda_l2", "l2_leaf_reg", "l2_regularization", "lambda"),
        {"lightgbm": 0.0, "histgb": 0.0, "gbm": 0.0, "catboost": 3.0, "tree": 0.0, "forest": 0.0},
    ),
    Parameter(
        "reg_alpha", Real(0.0), 0.0,
        "L1 penalty on leaf values.",
        "leaf", ("lambda_l1", "l1_regularization"),
    ),
    Parameter(
        "max_delta_step", Either((Real(0.0), OneOf(("objective",)))), 0.0,
        "Largest leaf value before the learning rate; 0 means unlimited, 'objective' 0.7 for "
        "poisson and unlimited for the others, as in XGBoost.",
        "leaf", ("max_leaf_output", "max_tree_output"), {"xgboost": "objective"},
    ),
    Parameter(
        "leaf_iterations", Either((Integer(1), OneOf(("auto", "catboost")))), 1,
        "Newton steps by which a leaf finds its value; each after the first goes on from there, "
        "towards the minimum of the leaf's own loss. 'auto' is 3 for objectives logistic and "
        "cross_entropy with symmetric growth, else 1; 'catboost' is 10 for those two and for "
        "poisson where n_estimators is 200 or more, else 1. Leaves that are exact after one step "
        "make no other; objectives of queries or with several scores a row refuse more than one.",
        "leaf", ("leaf_estimation_iterations",), {"auto": "auto", "catboost": "catboost"},
        from_data=True,
    ),
    Parameter(
        "leaf_penalty", OneOf(("value", "step")), "value",
        "What reg_lambda holds back where a leaf takes several steps: its value, or each of the "
        "steps, so that many of them come near the minimum without a penalty, as in CatBoost.",
        "leaf", recipes={"catboost": "step"},
        applies_to={"leaf_iterations": NoneOf(1), "reg_lambda": NoneOf(0.0)},
    ),
    Parameter(
        "leaf_backtracking", Boolean(), True,
        "Whether a further step of a leaf that would go past where its minimum is known to be goes "
        "half way there instead.",
        "leaf",
        applies_to={"leaf_iterations": NoneOf(1)},
    ),
    Parameter(
        "leaf_rows", OneOf(("sampled", "all")), "sampled",
        "Rows that leaves get their values from: those that the trees of the round were grown on, "
        "or all of them, so that samples of rows choose splits alone, as in CatBoost.",
        "leaf", recipes={"catboost": "all"},
        applies_to=SAMPLED_ROWS, off=("sampled",),
    ),
    Parameter(
        "leaf_guard", Boolean(), True,
        "Whether a leaf stops at the minimum of its own loss where the Newton step would go past "
        "it. Leaves of poisson, gamma and tweedie stop at the minimum that follows from their "
        "step; with more than one of leaf_iterations they always do. Leaves of logistic, "
        "cross_entropy, exponential, softmax and one_against_rest add at most log(1 + |Newton "
        "step|), a lower bound of the distance to the minimum, except in forests. At a learning "
        "rate of 0.1 that limits Newton steps above 36, at 1 all of them.",
        "leaf", recipes={"xgboost": False, "lightgbm": False, "histgb": False, "gbm": False,
                 "catboost": False},
        estimators=("regressor", "classifier"),
    ),
    Parameter(
        "penalize_bounded", Boolean(), True,
        "Whether reg_alpha counts in the gain of splits whose values have bounds, by "
        "max_delta_step or by monotone_constraints. XGBoost before 3.4 leaves it out there.",
        "leaf",
        applies_to=(
            {"reg_alpha": NoneOf(0.0), "max_delta_step": NoneOf(0.0)},
            {"reg_alpha": NoneOf(0.0), "monotone_constraints": NoneOf(None)},
        ),
    ),
    Parameter(
        "drop_hopeless_columns", Boolean(), False,
        "Whether a column none of whose splits of a node gains anything, or as much as "
        "min_split_gain, is left out below that node, as LightGBM does. Exact splits and "
        "symmetric growth always look at all columns.",
        "tree", recipes={"lightgbm": True},
        applies_to={
            "split_method": NoneOf("exact"), "grow_policy": NoneOf("symmetric"),
            "split_score": NoneOf("cosine"), "random_strength": 0.0,
        },
        off=(False,),
    ),
    Parameter(
        "row_counts", OneOf(("exact", "hessian")), "exact",
        "How candidate splits count the rows of their children for min_samples_leaf, "
        "min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in "
        "LightGBM. An estimate rounds hessian sum × rows / hessian sum of the node in each bin. "
        "Rows with small hessians (predicted well, or with small weights) then count less. Squared "
        "error without weights has the same counts either way. Only histogram splits of trees with "
        "one output, grown leafwise or depthwise, are estimated; split_method 'exact' and "
        "'approx', vector leaves, linear gains, extra_trees, noise and other values of grow_policy "
        "count exactly.",
        "tree", recipes={"lightgbm": "hessian"},
        applies_to={
            "split_method": NoneOf("exact", "approx"),
            "grow_policy": AnyOf("leafwise", "depthwise"), "extra_trees": False,
            "split_score": NoneOf("cosine"), "random_strength": 0.0,
        },
        off=("exact",),
    ),
    # ---- samples of columns ---------------------------------------------------------------------
    Parameter(
        "colsample_bytree", FRACTION, 1.0,
        "Share of the columns that each tree may use.",
        "tree", ("feature_fraction", "sub_feature"),
    ),
    Parameter(
        "colsample_bylevel", FRACTION, 1.0,
        "Share of the tree's columns that each level may use.",
        "tree",
    ),
    Parameter(
        "colsample_bynode",
        Either(
            (FRACTION, Integer(2), OneOf(("sqrt", "log2"))),
            "a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2'",
        ),
        1.0,
        "Share of the level's columns that each node may use, or the number of them; 'sqrt' and "
        "'log2' are functions of the number of all columns.",
        "tree", ("rsm", "max_features", "feature_fraction_bynode", "sub_feature_bynode"),
        {"forest": "sqrt"},
    ),
    Parameter(
        "draw_until_split", Boolean(), False,
        "Whether a node none of whose columns, drawn by colsample_bynode, has a split draws "
        "others, one at a time, until one has, as scikit-learn's trees do. Nodes of a symmetric "
        "tree do not.",
        "tree", recipes={"forest": True, "tree": True},
        applies_to={"colsample_bynode": NoneOf(1.0), "grow_policy": NoneOf("symmetric")},
        off=(False,),
    ),
)  # fmt: skip

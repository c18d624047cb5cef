"""Parameters of tree growth: limits, columns, penalties."""

from __future__ import annotations

from ceiba.parameters._base import FRACTION, LEVEL, LIMIT, ByGrowth, Parameter
from ceiba.parameters._samples import SAMPLED_ROWS
from ceiba.parameters.column_values import ByColumn, ColumnSets
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Boolean, Integer, OneOf, Real
from ceiba.parameters.effects import AnyOf, NoneOf

#: Columns are sampled.
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
        "Order in which nodes are split. 'leafwise': the leaf with the highest gain first. "
        "'depthwise': level by level. 'symmetric': level by level with the same split for all "
        "nodes of a level; predictions are fast and regularization is strong. 'depthfirst': the "
        "deepest leaf first, the fastest policy for unlimited trees. CeibaRanker with recipe auto "
        "uses 'symmetric' unless max_leaves is set.",
        "tree",
        recipes={
            "xgboost": "depthwise", "catboost": "symmetric", "tree": "depthwise",
            "forest": "depthfirst",
        },
    ),
    Parameter(
        "split_method", OneOf(("auto", "hist", "approx", "exact")), "auto",
        "Source of candidate thresholds. 'hist': bin edges that are computed once; fast, and "
        "accurate enough for almost all tables. 'approx': edges recomputed for each tree or node "
        "from hessians. 'exact': all distinct values; slow on large tables, for small tables or "
        "exact reproduction of a tree. 'auto' means 'hist'. The model records the method.",
        "tree", ("tree_method",), {"gbm": "exact", "tree": "exact"},
    ),
    Parameter(
        "multi_strategy",
        OneOf(
            ("one_tree_per_output", "vector_leaf"),
            {"one_output_per_tree": "one_tree_per_output", "multi_output_tree": "vector_leaf"},
        ),
        "one_tree_per_output",
        "How to model several outputs (classes, labels or targets). 'one_tree_per_output' grows a "
        "tree per output and round. 'vector_leaf' grows one tree per round whose leaves hold one "
        "value per output: faster and smaller, often slightly less accurate. Vector leaves choose "
        "splits by the gradients of all outputs for squared error and gini, and by a random "
        "projection of them for other losses.",
        "tree", recipes={"tree": "vector_leaf"},
    ),
    Parameter(
        "max_depth", Integer(0), ByGrowth(0, 6),
        "Maximum number of splits on the path from the root to a leaf; 0 means unlimited. "
        "Decrease it against overfitting. Leafwise trees are usually limited by max_leaves "
        "instead.",
        "tree", ("depth",),
        {"xgboost": 6, "lightgbm": 0, "histgb": 0, "gbm": 3, "tree": 0, "forest": 0},
        advice="Set 0 for no limit.",
    ),
    Parameter(
        "max_leaves", LIMIT, ByGrowth(31, 0),
        "Maximum number of leaves of a tree; 0 means unlimited. The main control of model "
        "complexity for leafwise growth: increase it for large tables, decrease it against "
        "overfitting.",
        "tree", ("num_leaves", "max_leaf_nodes", "num_leaf", "max_leaf"),
        {"xgboost": 0, "lightgbm": 31, "histgb": 31, "gbm": 0, "tree": 0, "forest": 0},
    ),
    Parameter(
        "min_samples_leaf", Either((Integer(0), LEVEL)), 20,
        "Minimum number of rows in a leaf; a number below 1 is a share of all rows. Increase it "
        "for noisy targets. In a symmetric tree, a node whose children would have fewer rows adds "
        "no gain to the split of its level.",
        "tree", ("min_child_samples", "min_data_in_leaf", "min_data_per_leaf", "min_data"),
        {"xgboost": 0, "gbm": 1, "catboost": 1, "tree": 1, "forest": 1},
    ),
    Parameter(
        "min_samples_split", Either((Integer(2), LEVEL)), 2,
        "Minimum number of rows in a node to split it, counted as for min_samples_leaf; a number "
        "below 1 is a share of all rows.",
        "tree",
    ),
    Parameter(
        "weighted_counts", Boolean(), True,
        "Whether a row of weight w counts as w rows in min_samples_leaf and min_samples_split. It "
        "applies if all weights are integers with a sum below 2^30; otherwise each row counts "
        "once. With True, a weight of 2 gives the same model as the row given twice.",
        "tree",
        recipes=dict.fromkeys(
            ("xgboost", "lightgbm", "histgb", "gbm", "catboost", "tree", "forest"), False
        ),
    ),
    Parameter(
        "min_child_weight", Real(0.0), 1e-3,
        "Minimum sum of hessians in a leaf. For squared error this is the sum of weights; for "
        "logistic loss it keeps leaves with confident predictions from splitting further. In a "
        "symmetric tree, a leaf with less takes the value of its parent.",
        "tree",
        ("min_sum_hessian_in_leaf", "min_sum_hessian_per_leaf", "min_sum_hessian", "min_hessian"),
        {"xgboost": 1.0, "gbm": 0.0, "catboost": 0.0, "tree": 0.0, "forest": 0.0},
    ),
    Parameter(
        "min_split_gain", Real(0.0), 0.0,
        "Minimum gain of a split. Its scale depends on the loss and the weights: compare it with "
        "gains of a trained model (trees_to_frame) before you set it.",
        "tree", ("gamma", "min_split_loss", "min_gain_to_split"),
    ),
    Parameter(
        "min_impurity_decrease", Real(0.0), 0.0,
        "Minimum gain of a split divided by the sum of hessians of all rows of the tree. With "
        "split_hessian='unit' it equals scikit-learn's weighted decrease of squared error.",
        "tree",
    ),
    Parameter(
        "min_weight_fraction_leaf", Real(0.0, 0.5), 0.0,
        "Minimum share of the sum of hessians of the tree that a leaf must hold. With "
        "split_hessian='unit' it equals scikit-learn's share of weights. In a symmetric tree it "
        "acts as min_child_weight does.",
        "tree",
    ),
    Parameter(
        "ccp_alpha", Real(0.0), 0.0,
        "Strength of cost-complexity pruning after growth. Each split costs ccp_alpha times the "
        "sum of hessians of the tree; subtrees whose gain does not exceed their cost are removed. "
        "Symmetric trees lose whole levels. With split_hessian='unit' it equals scikit-learn's "
        "parameter.",
        "tree",
    ),
    Parameter(
        "prune", OneOf(("auto", "before", "after")), "before",
        "When min_split_gain applies. 'before': a node with too little gain is not split. "
        "'after': the tree grows fully and is then pruned from its leaves, so that a weak split "
        "above a strong one stays. 'auto' is 'after' with split_method='exact' and 'before' "
        "otherwise, as in XGBoost.",
        "tree", recipes={"xgboost": "auto"},
        applies_to={"min_split_gain": NoneOf(0.0)},
    ),
    Parameter(
        "split_hessian", OneOf(("loss", "unit")), "loss",
        "Hessians that choose splits: 'loss' uses those of the loss (Newton boosting), 'unit' "
        "uses 1 for each row (gradient boosting: trees fit the negative gradients). Leaf values "
        "always use the hessians of the loss.",
        "tree", recipes={"gbm": "unit", "catboost": "unit"},
    ),
    Parameter(
        "split_score", OneOf(("newton", "cosine", "entropy")), "newton",
        "Score that ranks candidate splits. 'newton': the gain of Newton steps. 'cosine': the "
        "cosine between leaf values and gradients, as in CatBoost, over all leaves of a level in "
        "symmetric growth. 'entropy' (objective gini only): the decrease of the entropy of the "
        "classes, in nats summed over rows; penalties then affect leaf values only.",
        "tree", ("score",), recipes={"catboost": "cosine"},
    ),
    Parameter(
        "random_strength", Real(0.0), 0.0,
        "Standard deviation of normal noise on the scores of candidate splits, in units of a "
        "typical gradient. The noise decreases as training proceeds, as in CatBoost. It "
        "regularizes small tables; 0 disables it.",
        "tree", recipes={"catboost": 1.0},
    ),
    Parameter(
        "extra_trees", Boolean(), False,
        "Whether each node tries only one random threshold per column (extremely randomized "
        "trees), or one random level or set size of a category. Faster and more regularized. "
        "Nodes of a level of a symmetric tree share the threshold.",
        "tree", ("extra_tree",),
    ),
    # ---- columns --------------------------------------------------------------------------------
    Parameter(
        "monotone_constraints", ByColumn(Integer(-1, 1)), None,
        "Direction of each column's effect on the raw score (of each class): 1 increasing, -1 "
        "decreasing, 0 none; a list in column order or a dictionary by name. Use it to encode "
        "knowledge about a column. Missing values are not constrained.",
        "tree", ("monotonic_cst", "monotone_constraint", "mc"),
    ),
    Parameter(
        "interaction_constraints", ColumnSets(("pairwise", "no_interactions")), None,
        "Sets of columns that may occur together on a path of a tree. 'no_interactions' allows "
        "each column alone (an additive model), 'pairwise' any two columns.",
        "tree", ("interaction_cst",),
    ),
    Parameter(
        "unlisted_interactions", OneOf(("alone", "together", "never")), "alone",
        "What interaction_constraints means for columns in none of its sets: 'alone' (each is a "
        "set of its own, as in XGBoost), 'together' (all of them form one set, as in "
        "scikit-learn) or 'never' (they are not used, as in LightGBM).",
        "tree", recipes={"histgb": "together", "lightgbm": "never"},
        applies_to={"interaction_constraints": NoneOf(None)},
    ),
    Parameter(
        "feature_weights", ByColumn(Real(0.0)), None,
        "Relative weights of columns in column sampling, as a list in column order or a "
        "dictionary by name (others have weight 1). Columns of weight 0 are drawn only if the "
        "others do not suffice.",
        "tree",
        applies_to=COLUMN_SAMPLING,
    ),
    # ---- penalties ------------------------------------------------------------------------------
    Parameter(
        "reg_lambda", Real(0.0), 1.0,
        "L2 penalty on leaf values. Larger values shrink the values of leaves with few rows or "
        "small hessians. Increase it against overfitting.",
        "leaf", ("lambda_l2", "l2_leaf_reg", "l2_regularization", "lambda"),
        {"lightgbm": 0.0, "histgb": 0.0, "gbm": 0.0, "catboost": 3.0, "tree": 0.0, "forest": 0.0},
    ),
    Parameter(
        "reg_alpha", Real(0.0), 0.0,
        "L1 penalty on leaf values. It sets the values of leaves with small gradient sums to "
        "zero.",
        "leaf", ("lambda_l1", "l1_regularization"),
    ),
    Parameter(
        "max_delta_step", Either((Real(0.0), OneOf(("objective",)))), 0.0,
        "Maximum absolute leaf value before the learning rate; 0 means unlimited. Values of 1 to "
        "10 can stabilize losses with small hessians, for example logistic loss with rare "
        "classes. 'objective' is 0.7 for poisson and unlimited for other objectives, as in "
        "XGBoost.",
        "leaf", ("max_leaf_output", "max_tree_output"), {"xgboost": "objective"},
    ),
    Parameter(
        "leaf_iterations", Either((Integer(1), OneOf(("auto", "catboost")))), 1,
        "Maximum number of Newton steps per leaf value. Further steps bring a leaf closer to the "
        "minimum of its own loss, which helps symmetric trees. 'auto' is 3 for objectives "
        "logistic and cross_entropy with symmetric growth, else 1. 'catboost' is 10 for those two "
        "and for poisson with n_estimators of 200 or more, else 1. Objectives whose first step is "
        "exact take one step; ranking objectives and objectives with several scores per row "
        "refuse more than one.",
        "leaf", ("leaf_estimation_iterations",),
        {"auto": "auto", "single": "auto", "catboost": "catboost"},
        from_data=True,
    ),
    Parameter(
        "leaf_penalty", OneOf(("value", "step")), "value",
        "What reg_lambda penalizes if leaf_iterations allows several steps: 'value' penalizes the "
        "leaf value; 'step' penalizes each step, so that many steps approach the unpenalized "
        "minimum, as in CatBoost.",
        "leaf", recipes={"catboost": "step"},
        applies_to={"leaf_iterations": NoneOf(1), "reg_lambda": NoneOf(0.0)},
    ),
    Parameter(
        "leaf_backtracking", Boolean(), True,
        "Whether Newton steps after the first that would overshoot the known minimum are halved.",
        "leaf",
        applies_to={"leaf_iterations": NoneOf(1)},
    ),
    Parameter(
        "leaf_rows", OneOf(("sampled", "all")), "sampled",
        "Rows that leaf values are computed from: 'sampled' uses the rows that the tree was grown "
        "on; 'all' uses all rows, so that sampling affects splits only, as in CatBoost.",
        "leaf", recipes={"catboost": "all"},
        applies_to=SAMPLED_ROWS, off=("sampled",),
    ),
    Parameter(
        "leaf_guard", Boolean(), True,
        "Whether to shorten Newton steps that overshoot the minimum of a leaf's loss. It prevents "
        "divergence with large learning rates and rare classes. Leaves of poisson, gamma and "
        "tweedie stop at their minimum. Leaves of logistic, cross_entropy, exponential, softmax "
        "and one_against_rest (except in forests) are limited to log(1 + |Newton step|); at a "
        "learning rate of 0.1 this affects steps above 36, at 1 all steps.",
        "leaf", recipes={"xgboost": False, "lightgbm": False, "histgb": False, "gbm": False,
                 "catboost": False},
        estimators=("regressor", "classifier"),
    ),
    Parameter(
        "penalize_bounded", Boolean(), True,
        "Whether reg_alpha counts in the gain of splits whose leaf values are bounded by "
        "max_delta_step or monotone_constraints. Set it to False to reproduce XGBoost before 3.4.",
        "leaf",
        applies_to=(
            {"reg_alpha": NoneOf(0.0), "max_delta_step": NoneOf(0.0)},
            {"reg_alpha": NoneOf(0.0), "monotone_constraints": NoneOf(None)},
        ),
    ),
    Parameter(
        "drop_hopeless_columns", Boolean(), False,
        "Whether a column without a split of positive gain (or of min_split_gain) at a node is "
        "ignored in all nodes below it, as in LightGBM. It saves time, but misses interactions "
        "between columns that have no effect alone.",
        "tree", recipes={"lightgbm": True},
        applies_to={
            "split_method": NoneOf("exact"), "grow_policy": NoneOf("symmetric"),
            "split_score": NoneOf("cosine"), "random_strength": 0.0,
        },
        off=(False,),
    ),
    Parameter(
        "row_counts", OneOf(("exact", "hessian")), "exact",
        "How candidate splits count rows for min_samples_leaf, min_data_per_group and "
        "min_data_per_level: exactly, or estimated from hessians as in LightGBM (hessian sum × "
        "rows / hessian sum of the node, rounded per bin). Estimates count confidently predicted "
        "rows less. Set 'exact' under recipe lightgbm to make limits exact; both agree for "
        "squared error without weights. Vector leaves and linear_fit='gain' always count exactly.",
        "tree", recipes={"lightgbm": "hessian"},
        applies_to={
            "split_method": NoneOf("exact", "approx"),
            "grow_policy": AnyOf("leafwise", "depthwise"), "extra_trees": False,
            "split_score": NoneOf("cosine"), "random_strength": 0.0,
        },
        off=("exact",),
    ),
    # ---- column sampling ---------------------------------------------------------------------
    Parameter(
        "colsample_bytree", FRACTION, 1.0,
        "Share of the columns that each tree may use. Values below 1 decorrelate trees and save "
        "time on wide tables.",
        "tree", ("feature_fraction", "sub_feature"),
    ),
    Parameter(
        "colsample_bylevel", FRACTION, 1.0,
        "Share of the tree's columns (colsample_bytree) that each level may use.",
        "tree",
    ),
    Parameter(
        "colsample_bynode",
        Either(
            (FRACTION, Integer(2), OneOf(("sqrt", "log2"))),
            "a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2'",
        ),
        1.0,
        "Share or number of the level's columns (colsample_bylevel) that each node may use. "
        "'sqrt' and 'log2' are functions of the total number of columns. The usual randomization "
        "of forests.",
        "tree", ("rsm", "max_features", "feature_fraction_bynode", "sub_feature_bynode"),
        {"forest": "sqrt"},
    ),
    Parameter(
        "draw_until_split", Boolean(), False,
        "Whether a node without a valid split among its sampled columns (colsample_bynode) "
        "samples further columns, one at a time, until one has a split, as scikit-learn's trees "
        "do.",
        "tree", recipes={"forest": True, "tree": True},
        applies_to={"colsample_bynode": NoneOf(1.0), "grow_policy": NoneOf("symmetric")},
        off=(False,),
    ),
)  # fmt: skip

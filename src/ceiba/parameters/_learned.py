"""What is learned, and how many rounds of it."""

from __future__ import annotations

from ceiba.parameters._base import LEVEL, RECIPE_NAMES, Parameter, Unless
from ceiba.parameters.combined_constraints import Either, Schedule, Several
from ceiba.parameters.constraints import Boolean, Function, Integer, OneOf, Real, Text

LEARNED: tuple[Parameter, ...] = (
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
        "objective", ("loss", "loss_function", "application", "app", "objective_type"),
        from_data=True,
    ),
    Parameter(
        "n_classes", Integer(2), None,
        "Number of classes of objective softmax, by default the largest class index plus one; "
        "number of scores of a row for an objective given as a function, by default one. A "
        "classifier finds it from the labels, and refuses another number.",
        "objective", ("num_class", "num_classes", "classes_count"), from_data=True,
        estimators=("classifier",),
    ),
    Parameter(
        "hessian_factor", Either((Real(0.0, includes_low=False), OneOf(("classes",)))), 1.0,
        "Factor of p(1 - p) in the curvature of softmax; 'classes' means K / (K - 1). Other "
        "objectives have no such factor and do not read it.",
        "objective", recipes={"xgboost": 2.0, "lightgbm": "classes"}, estimators=("classifier",),
    ),
    Parameter(
        "quantile", Several(LEVEL), 0.5,
        "Level of objective and metric quantile, or a list of increasing levels: one model that "
        "predicts all of them, sorted in each row.",
        "objective", ("quantile_alpha",), recipes={"gbm": 0.9, "lightgbm": 0.9},
        estimators=("regressor",),
    ),
    Parameter(
        "calibration_folds",
        Either((Integer(2), Integer(0, 0), OneOf(("auto",))), "0, an integer >= 2 or 'auto'"),
        0,
        "Folds of rows by which objective quantile is calibrated, so that the level also holds for "
        "new rows: each fold is scored by a model of the others. 0 means not at all, 'auto' means "
        "5 with up to 10,000 rows and no early stopping.",
        "objective", recipes={"auto": "auto"}, from_data=True, estimators=("regressor",),
    ),
    Parameter(
        "huber_delta", Real(0.0, includes_low=False), None,
        "Difference beyond which objectives huber and pseudo_huber, and their metrics, are no "
        "longer squared, in the units of the target. By default each round of objective huber "
        "takes the huber_quantile quantile of the |residuals|; the others take 1, with which "
        "pseudo_huber learns next to nothing where differences are in the thousands.",
        "objective", ("huber_slope",), from_data=True, estimators=("regressor",),
    ),
    Parameter(
        "huber_quantile", LEVEL, 0.9,
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
        "lambdarank_score_normalization", Boolean(), None,
        "Whether objectives lambdarank_ndcg and lambdarank_map divide the weight of a pair by the "
        "difference of its scores, plus 0.01, so that pairs with close scores count more. By "
        "default as lambdarank_norm; XGBoost's two switches are independent of each other.",
        "objective", recipes={"xgboost": True}, from_data=True, estimators=("ranker",),
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
        "By default what boost_from_average says.",
        "objective", from_data=True,
    ),
    Parameter(
        "boost_from_average", Either((Boolean(), OneOf(("catboost",)))), True,
        "Whether boosting starts from the best constant, or else from a raw score of 0. 'catboost' "
        "starts from the best constant with squared_error, absolute_error and quantile only.",
        "boosting", recipes={"catboost": "catboost"},
    ),
    # ---- boosting -------------------------------------------------------------------------------
    Parameter(
        "n_estimators", Integer(1), 100,
        "Number of boosting rounds; a round grows one tree, or one for each class of softmax.",
        "boosting",
        ("num_boost_round", "num_iterations", "num_iteration", "iterations", "max_iter", "n_iter",
         "num_trees", "num_tree", "num_rounds", "num_round", "nrounds"),
        {"catboost": 1000, "tree": 1},
    ),
    Parameter(
        "learning_rate",
        Either(
            (
                Real(0.0, includes_low=False),
                OneOf(("auto",)),
                Schedule(Real(0.0, includes_low=False)),
            ),
            "a number above 0, 'auto', or a schedule: a list with one rate per round, or a "
            "function from round number to rate",
        ),
        0.1,
        "Factor of each tree: a number, or a schedule with the factor of each round. 'auto' is "
        "CatBoost's rule, by loss, rows, n_estimators and whether there are eval sets. The model "
        "records what became of it.",
        "boosting", ("eta", "shrinkage", "shrinkage_rate", "learning_rates"),
        {"xgboost": 0.3, "catboost": Unless("auto", ("reg_lambda", "leaf_iterations"), 0.03)},
        from_data=True,
    ),
)  # fmt: skip

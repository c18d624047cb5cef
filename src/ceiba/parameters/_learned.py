"""Parameters of the recipe, the objective and the boosting rounds."""

from __future__ import annotations

from ceiba.parameters._base import LEVEL, RECIPE_NAMES, Parameter, Unless
from ceiba.parameters.combined_constraints import Either, Schedule, Several
from ceiba.parameters.constraints import Boolean, Function, Integer, OneOf, Real, Text

LEARNED: tuple[Parameter, ...] = (
    Parameter(
        "recipe", OneOf(RECIPE_NAMES), "auto",
        "Named set of defaults: ceiba's own ('auto' and variants of it) or those of the library "
        "that it is named after. Parameters that you set override the recipe. Choose a library's "
        "recipe to reproduce its models, or as a starting point for tuning.",
        "recipe",
    ),
    Parameter(
        "quality", OneOf(("fast", "balanced", "best")), "balanced",
        "How much time recipe auto spends. 'fast' trains once. 'balanced' holds rows out, trains "
        "several kinds of trees until the held-out rows stop improving, and averages the best. "
        "'best' tries more kinds and takes up to ten times as long as 'balanced'. All rows are "
        "used in the end. With n_estimators, recipe auto trains once with that many rounds, and "
        "quality has no effect.",
        "recipe",
        applies_to={"recipe": "auto"},
    ),
    # ---- objective ------------------------------------------------------------------------
    Parameter(
        "objective", Either((Text(), Function()), "a name (a string) or a function"), None,
        "Loss to minimize. Default: squared_error for a regressor; logistic (two classes) or "
        "softmax (more classes) for a classifier; lambdarank_ndcg for a ranker. A function "
        "(y_true, raw_score) must return the gradients and hessians of the unweighted loss; the "
        "model then predicts raw scores.",
        "objective", ("loss", "loss_function", "application", "app", "objective_type"),
        from_data=True,
    ),
    Parameter(
        "n_classes", Integer(2), None,
        "Number of classes of objective softmax; by default the largest class index plus one. For "
        "an objective given as a function: number of scores per row, by default one. A classifier "
        "counts the classes in the labels and refuses another number.",
        "objective", ("num_class", "num_classes", "classes_count"), from_data=True,
        estimators=("classifier",),
    ),
    Parameter(
        "hessian_factor", Either((Real(0.0, includes_low=False), OneOf(("classes",)))), 1.0,
        "Factor of p(1 - p) in the softmax hessian; 'classes' means K / (K - 1) for K classes, as "
        "in LightGBM. Larger factors make smaller steps. Only softmax uses it.",
        "objective", recipes={"xgboost": 2.0, "lightgbm": "classes"}, estimators=("classifier",),
    ),
    Parameter(
        "quantile", Several(LEVEL), 0.5,
        "Quantile level of the objective and the metric quantile. A list of increasing levels "
        "trains one model that predicts all of them, sorted in each row, for example [0.05, 0.5, "
        "0.95] for a 90 % interval with median.",
        "objective", ("quantile_alpha",), recipes={"gbm": 0.9, "lightgbm": 0.9},
        estimators=("regressor",),
    ),
    Parameter(
        "calibration_folds",
        Either((Integer(2), Integer(0, 0), OneOf(("auto",))), "0, an integer >= 2 or 'auto'"),
        0,
        "Number of folds that calibrate objective quantile, so that predicted quantiles keep "
        "their level on new rows. Each fold is scored by a model of the other folds, which "
        "multiplies the training time. 0 disables calibration; 'auto' uses 5 folds for up to "
        "10,000 rows without early stopping, and none otherwise.",
        "objective", recipes={"auto": "auto", "single": "auto"}, from_data=True,
        estimators=("regressor",),
    ),
    Parameter(
        "huber_delta", Real(0.0, includes_low=False), None,
        "Absolute residual beyond which objectives huber and pseudo_huber (and their metrics) are "
        "linear instead of squared, in units of the target. By default, objective huber uses the "
        "huber_quantile quantile of the absolute residuals of each round; the others use 1. Set "
        "it for pseudo_huber if typical residuals are far from 1.",
        "objective", ("huber_slope",), from_data=True, estimators=("regressor",),
    ),
    Parameter(
        "huber_quantile", LEVEL, 0.9,
        "Share of rows that objective huber treats with the squared loss if huber_delta is not "
        "set.",
        "objective", estimators=("regressor",),
    ),
    Parameter(
        "leaf_rule", OneOf(("exact", "friedman")), "exact",
        "How leaf values are computed where an objective has a choice. 'exact' minimizes the loss "
        "as exactly as the objective can. 'friedman' follows Friedman and scikit-learn's "
        "GradientBoosting: (K - 1) / K times the Newton step for softmax of K classes, and one "
        "step from the median for huber. With 'friedman', rows with zero residual of "
        "absolute_error or quantile count as negative residuals; with 'exact' they count as zero.",
        "objective", recipes={"gbm": "friedman"},
    ),
    Parameter(
        "curvature_rule", OneOf(("safe", "plain")), "safe",
        "Second derivative of objectives pseudo_huber and squared_log_error. 'safe' uses an upper "
        "bound so that no step overshoots; the raw scores of squared_log_error are then log(1 + "
        "prediction). 'plain' uses the second derivative, as XGBoost does.",
        "objective", recipes={"xgboost": "plain"}, estimators=("regressor",),
    ),
    Parameter(
        "tweedie_variance_power", Real(1.0, 2.0, includes_low=False, includes_high=False), 1.5,
        "Power p of objective tweedie and its metric: the variance is proportional to mean^p. "
        "Values near 1 resemble Poisson, values near 2 resemble gamma.",
        "objective", estimators=("regressor",),
    ),
    Parameter(
        "poisson_max_delta_step", Real(0.0), 0.0,
        "Multiplies the hessians of objective poisson by exp of this value, which shortens steps. "
        "Increase it if training diverges on counts much larger than predicted.",
        "objective", recipes={"xgboost": 0.7, "lightgbm": 0.7}, estimators=("regressor",),
    ),
    Parameter(
        "lambdarank_truncation_level", Integer(0), 30,
        "Objectives lambdarank_ndcg and lambdarank_map use pairs in which at least one document "
        "is among this many top positions; 0 means all pairs. Choose a value slightly above "
        "the k of the NDCG@k that you report.",
        "objective", ("lambdarank_num_pair_per_sample",), {"xgboost": 32}, estimators=("ranker",),
    ),
    Parameter(
        "lambdarank_norm", Boolean(), True,
        "Whether ranking objectives normalize the gradients of each query, so that long queries "
        "do not dominate.",
        "objective", ("lambdarank_normalization",), estimators=("ranker",),
    ),
    Parameter(
        "lambdarank_score_normalization", Boolean(), None,
        "Whether objectives lambdarank_ndcg and lambdarank_map divide the weight of a pair by its "
        "score difference plus 0.01, which emphasizes pairs with close scores. By default it "
        "follows lambdarank_norm; under recipe xgboost the two are independent.",
        "objective", recipes={"xgboost": True}, from_data=True, estimators=("ranker",),
    ),
    Parameter(
        "ndcg_exp_gain", Boolean(), True,
        "Whether the gain of a document with relevance l is 2^l - 1 in NDCG (objective and "
        "metrics). False means a gain of l; use it for relevances above about 30.",
        "objective", estimators=("ranker",),
    ),
    Parameter(
        "scale_pos_weight", Real(0.0, includes_low=False), 1.0,
        "Factor on the weights of training rows of class 1, for binary classification. Use the "
        "ratio of negative to positive rows for imbalanced classes if you need a better ranking "
        "of rows; predicted probabilities are then no longer calibrated. Weights of eval sets and "
        "held-out rows do not change.",
        "objective", estimators=("classifier",),
    ),
    Parameter(
        "base_score", Several(Real(float("-inf"))), None,
        "Initial prediction, in prediction units: a number for a regressor, the probability of "
        "the second class for objective logistic, a probability per class for softmax. By default "
        "it follows boost_from_average.",
        "objective", from_data=True,
    ),
    Parameter(
        "boost_from_average", Either((Boolean(), OneOf(("catboost",)))), True,
        "Whether boosting starts from the constant with the lowest loss. False starts from a raw "
        "score of 0. 'catboost' starts from the best constant for squared_error, absolute_error "
        "and quantile only.",
        "boosting", recipes={"catboost": "catboost"},
    ),
    # ---- boosting -------------------------------------------------------------------------------
    Parameter(
        "n_estimators", Integer(1), 100,
        "Number of boosting rounds. A round grows one tree, or one tree per class for softmax. "
        "More rounds need a smaller learning_rate; with early_stopping_rounds, set it generously.",
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
        "Factor of each tree's predictions. Smaller values need more rounds (n_estimators) and "
        "usually generalize better. A list or a function from round number to rate makes a "
        "schedule. 'auto' is CatBoost's rule, which depends on the objective, the number of rows "
        "and n_estimators; the model records the result.",
        "boosting", ("eta", "shrinkage", "shrinkage_rate", "learning_rates"),
        {"xgboost": 0.3, "catboost": Unless("auto", ("reg_lambda", "leaf_iterations"), 0.03)},
        from_data=True,
    ),
)  # fmt: skip

"""Parameters of missing values, bins, early stopping, estimators and execution."""

from __future__ import annotations

from ceiba.parameters._base import Parameter
from ceiba.parameters.combined_constraints import Either, Several, Weights
from ceiba.parameters.constraints import (
    Boolean,
    Function,
    Integer,
    MissingMark,
    OneOf,
    Real,
    Seed,
    Text,
)
from ceiba.parameters.effects import AnyOf, NoneOf, Situation

#: Columns are binned once before training, or cat_rule drops rare levels.
BINNED = Situation(
    "split_method='hist'",
    {"split_method": NoneOf("exact", "approx")},
    {"cat_rule": "lightgbm", "split_method": AnyOf("exact", "approx")},
)

RUNNING: tuple[Parameter, ...] = (
    # ---- missing values -------------------------------------------------------------------------
    Parameter(
        "missing", MissingMark(), None,
        "Value that marks a missing entry in addition to NaN, for example -999, in training, "
        "evaluation and prediction. In 32-bit float columns the nearest 32-bit value counts. With "
        "train, pass it to Dataset.",
        "data",
    ),
    Parameter(
        "zero_as_missing", Boolean(), False,
        "Whether entries that a sparse matrix (or a pandas sparse column with fill value 0) does "
        "not store are missing values; otherwise they are 0. Stored zeros remain 0. With train, "
        "pass it to Dataset.",
        "data",
    ),
    # ---- bins -----------------------------------------------------------------------------------
    Parameter(
        "max_bins", Integer(3, 65535), 256,
        "Maximum number of bins of a column, including the bin for missing values. Fewer bins are "
        "faster and regularize; more than 256 bins take more time and memory and rarely gain "
        "accuracy.",
        "data", ("max_bin", "border_count"), {"lightgbm": 255, "catboost": 255},
        advice="255 or 256 is a good choice: more bins cost time and rarely gain accuracy.",
        applies_to=BINNED,
    ),
    Parameter(
        "min_data_in_bin", Integer(1), 3,
        "Minimum number of rows in a bin (a row of weight w counts as w rows).",
        "data", recipes=dict.fromkeys(
            ("xgboost", "histgb", "gbm", "catboost", "forest", "tree"), 1
        ),
        applies_to=BINNED,
    ),
    Parameter(
        "sketch_eps", Real(1e-4, 0.5), 1 / 256,
        "Resolution of split_method='approx': candidate thresholds lie about this share of the "
        "total hessian apart, so a column has at most 1 / sketch_eps bins, including the one for "
        "missing values.",
        "tree",
        applies_to={"split_method": "approx"},
    ),
    Parameter(
        "approx_scope", OneOf(("tree", "node")), "tree",
        "How often split_method='approx' computes candidate thresholds: once per 'tree', or once "
        "per 'node' (per level in symmetric growth), which is slower.",
        "tree",
        applies_to={"split_method": "approx"},
    ),
    # ---- when to stop ---------------------------------------------------------------------------
    Parameter(
        "eval_metric",
        Several(Either((Text(), Function()), "a name (a string) or a function"), at_least=0), None,
        "Metric or list of metrics for eval sets; the last one decides early stopping. Default: "
        "the metric of the objective, also named 'loss'; an empty list disables metrics. A "
        "function (y_true, y_pred), with an optional argument sample_weight, returns a number or "
        "(name, number, higher_is_better). Scorers of scikit-learn and their names are accepted.",
        "stopping", ("metric", "metrics", "metric_types", "scoring"), from_data=True,
    ),
    Parameter(
        "early_stopping_rounds", Either((Integer(0), OneOf(("auto",)))), 0,
        "Stop after this many rounds without improvement on the last eval set and keep the best "
        "iteration. 0 disables early stopping; 'auto' waits 10 rounds on more than 10,000 rows "
        "and is 0 otherwise. Without an eval set, estimators hold out validation_fraction of the "
        "rows.",
        "stopping", ("n_iter_no_change", "od_wait", "early_stopping_round"), {"histgb": "auto"},
        from_data=True,
    ),
    Parameter(
        "early_stopping_tolerance", Real(0.0), 0.0,
        "Minimum improvement of the metric over the best value so far to count as an improvement.",
        "stopping", ("tol", "min_delta", "early_stopping_min_delta"), {"histgb": 1e-7, "gbm": 1e-4},
        off=(1e-4, 1e-7),  # defaults of scikit-learn, which pasted parameters contain
        applies_to={"early_stopping_rounds": NoneOf(0)},
    ),
    Parameter(
        "validation_fraction", Real(0.0, 0.9, includes_low=False), 0.1,
        "Share of the training rows held out for early stopping if there is no eval set: "
        "stratified by class for a classifier, whole queries for a ranker. Held-out rows are "
        "scored with their sample weights. train holds rows out only if you set this parameter "
        "(or early_stopping_rounds='auto').",
        "stopping",
        applies_to={"early_stopping_rounds": NoneOf(0)},
    ),
    # ---- estimators and running -----------------------------------------------------------------
    Parameter(
        "warm_start", Boolean(), False,
        "Whether a repeated call of fit keeps the existing trees and adds rounds up to "
        "n_estimators.",
        "estimator",
    ),
    Parameter(
        "class_weight",
        Either((OneOf(
            ("balanced", "balanced_subsample", "balanced_up", "sqrt_balanced_up")
        ), Weights())), None,
        "Weight of each class, multiplied with sample_weight of training rows. A dictionary sets "
        "weights by label. 'balanced' gives all classes the same total weight and keeps the "
        "overall total; 'balanced_subsample' does so in each row sample, by row counts; "
        "'balanced_up' raises all classes to the total of the largest, as LightGBM's is_unbalance "
        "and CatBoost's auto_class_weights do; 'sqrt_balanced_up' uses square roots of these "
        "weights. Weights of eval sets and held-out rows do not change.",
        "estimator", estimators=("classifier",),
    ),
    Parameter(
        "importance_type",
        OneOf(
            (
                "gain", "cover", "split", "mean_gain", "mean_cover", "mean_rows", "mdi",
                "total_gain", "total_cover", "prediction_values_change",
            ),
            {
                "weight": "split", "impurity": "mdi",
                "PredictionValuesChange": "prediction_values_change",
            },
        ),
        "gain",
        "Kind of feature_importances_, normalized to a sum of 1: total gain, total cover "
        "(hessians), number of splits, means per split, or mean decrease in impurity. Under "
        "recipe xgboost, gain and cover are means per split, as in XGBoost, and total_gain and "
        "total_cover are sums.",
        "estimator",
    ),
    Parameter(
        "random_state", Seed(), 0,
        "Seed of all random choices: sampling of rows and columns, permutations, noise. The same "
        "seed gives the same model, on any number of threads.",
        "run", ("seed", "random_seed"),
    ),
    Parameter(
        "n_jobs",
        Either(
            (Integer(1), Integer(-1024, -1)),
            "a number of threads, 1 or more, or -1 for all of them, -2 for all but one and so on",
        ),
        -1,
        "Number of threads; -1 means all cores available to the process, -2 all but one, as in "
        "scikit-learn. The model does not depend on it.",
        "run", ("nthread", "nthreads", "num_threads", "num_thread", "thread_count"),
    ),
    Parameter(
        "verbose", Either((Boolean(), Integer(0)), "True, False or an integer, 0 or more"), 0,
        "Progress output: True shows a progress bar (a few lines if rich is not installed), n "
        "prints metrics every n rounds, 0 is silent.",
        "run",
    ),
)  # fmt: skip

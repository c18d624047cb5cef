"""What tables mean, when a training stops, and what estimators add."""

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
        "data", ("max_bin", "border_count"), {"lightgbm": 255, "catboost": 255},
        advice="255 or 256 is a good choice: more bins cost time and rarely gain accuracy.",
        applies_to=BINNED,
    ),
    Parameter(
        "min_data_in_bin", Integer(1), 3,
        "Fewest rows of a bin (a row of weight w counts as w rows).",
        "data", recipes=dict.fromkeys(
            ("xgboost", "histgb", "gbm", "catboost", "forest", "tree"), 1
        ),
        applies_to=BINNED,
    ),
    Parameter(
        "sketch_eps", Real(1e-4, 0.5), 1 / 256,
        "Error of the candidate thresholds of split_method='approx': about this share of the "
        "weight (hessians) lies between two of them, so a column has at most 1 / sketch_eps bins, "
        "the one for missing values included.",
        "tree",
        applies_to={"split_method": "approx"},
    ),
    Parameter(
        "approx_scope", OneOf(("tree", "node")), "tree",
        "Whether split_method='approx' proposes candidate thresholds for every tree, or for every "
        "node (with symmetric growth: every level), which is slower.",
        "tree",
        applies_to={"split_method": "approx"},
    ),
    # ---- when to stop ---------------------------------------------------------------------------
    Parameter(
        "eval_metric",
        Several(Either((Text(), Function()), "a name (a string) or a function"), at_least=0), None,
        "Metric, or list of metrics, of the eval sets. By default that of the objective, which is "
        "also called 'loss'; an empty list means none. The last one decides early stopping. A "
        "function (y_true, y_pred), with sample_weight if it takes it, returns a number or (name, "
        "number, higher_is_better); a scorer of scikit-learn, or the name of one, is taken too.",
        "stopping", ("metric", "metrics", "metric_types", "scoring"), from_data=True,
    ),
    Parameter(
        "early_stopping_rounds", Either((Integer(0), OneOf(("auto",)))), 0,
        "Stop after this many rounds without a better metric on the last eval set, and keep the "
        "best iteration; 0 means never, 'auto' means 10 with more than 10,000 rows. An estimator "
        "without eval_set holds out validation_fraction of the rows.",
        "stopping", ("n_iter_no_change", "od_wait", "early_stopping_round"), {"histgb": "auto"},
        from_data=True,
    ),
    Parameter(
        "early_stopping_tolerance", Real(0.0), 0.0,
        "A metric must be better than the best so far by more than this to count as better.",
        "stopping", ("tol", "min_delta", "early_stopping_min_delta"), {"histgb": 1e-7, "gbm": 1e-4},
        applies_to={"early_stopping_rounds": NoneOf(0)},
    ),
    Parameter(
        "validation_fraction", Real(0.0, 0.9, includes_low=False), 0.1,
        "Share of the rows held out for early stopping when no eval_set is given (of each class "
        "for a classifier, whole queries for a ranker). They are scored with their sample_weight. "
        "train needs it given for a number of early_stopping_rounds without eval_sets.",
        "stopping",
        applies_to={"early_stopping_rounds": NoneOf(0)},
    ),
    # ---- estimators and running -----------------------------------------------------------------
    Parameter(
        "warm_start", Boolean(), False,
        "Whether a further call of fit keeps the trees that are there and adds rounds until there "
        "are n_estimators.",
        "estimator",
    ),
    Parameter(
        "class_weight",
        Either((OneOf(
            ("balanced", "balanced_subsample", "balanced_up", "sqrt_balanced_up")
        ), Weights())), None,
        "Weight of each class, multiplied into sample_weight of the training rows; 'balanced' "
        "gives all classes the same total, and all rows together the one that they had; "
        "'balanced_subsample' does so in each sample of rows, by the number of rows; "
        "'balanced_up' gives all classes the total of the largest, as LightGBM (is_unbalance) and "
        "CatBoost (auto_class_weights) do, 'sqrt_balanced_up' takes the square roots of those "
        "weights. Rows of eval sets and rows held out keep their own.",
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
        "What feature_importances_ holds, as shares that add up to 1: sums of gains or hessians, "
        "numbers of splits, means over splits, or the mean decrease in impurity. Under recipe "
        "xgboost gain and cover are means, as they are there, and total_gain and total_cover sums.",
        "estimator",
    ),
    Parameter(
        "random_state", Seed(), 0,
        "Seed of row and column sampling. The same seed always gives the same model.",
        "run", ("seed", "random_seed"),
    ),
    Parameter(
        "n_jobs",
        Either(
            (Integer(1), Integer(-1024, -1)),
            "a number of threads, 1 or more, or -1 for all of them, -2 for all but one and so on",
        ),
        -1,
        "Threads; -1 means every core that this process may use, -2 all but one, as scikit-learn "
        "counts, and at least one is taken. The model does not depend on it.",
        "run", ("nthread", "nthreads", "num_threads", "num_thread", "thread_count"),
    ),
    Parameter(
        "verbose", Either((Boolean(), Integer(0)), "True, False or an integer, 0 or more"), 0,
        "Show how far a training is: True for a progress bar (some lines where rich is not "
        "installed), n for a line with the metrics after every n rounds, 0 for nothing.",
        "run",
    ),
)  # fmt: skip

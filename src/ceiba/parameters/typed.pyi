"""Parameters and keywords by their names, for type checkers and editors.

Written from src/ceiba/parameters by tools/make_signatures.py. Run `make generated`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

class OtherNames(TypedDict, total=False):
    """Names of other libraries."""

    loss: str | Callable[..., Any] | None
    """Another name of objective."""
    loss_function: str | Callable[..., Any] | None
    """Another name of objective."""
    application: str | Callable[..., Any] | None
    """Another name of objective."""
    app: str | Callable[..., Any] | None
    """Another name of objective."""
    objective_type: str | Callable[..., Any] | None
    """Another name of objective."""
    num_class: int | None
    """Another name of n_classes."""
    num_classes: int | None
    """Another name of n_classes."""
    classes_count: int | None
    """Another name of n_classes."""
    quantile_alpha: float | Collection[float] | None
    """Another name of quantile."""
    huber_slope: float | None
    """Another name of huber_delta."""
    lambdarank_num_pair_per_sample: int | None
    """Another name of lambdarank_truncation_level."""
    lambdarank_normalization: bool | None
    """Another name of lambdarank_norm."""
    num_boost_round: int | None
    """Another name of n_estimators."""
    num_iterations: int | None
    """Another name of n_estimators."""
    num_iteration: int | None
    """Another name of n_estimators."""
    iterations: int | None
    """Another name of n_estimators."""
    max_iter: int | None
    """Another name of n_estimators."""
    n_iter: int | None
    """Another name of n_estimators."""
    num_trees: int | None
    """Another name of n_estimators."""
    num_tree: int | None
    """Another name of n_estimators."""
    num_rounds: int | None
    """Another name of n_estimators."""
    num_round: int | None
    """Another name of n_estimators."""
    nrounds: int | None
    """Another name of n_estimators."""
    eta: float | Literal["auto"] | Collection[float] | Callable[[int], float] | None
    """Another name of learning_rate."""
    shrinkage: float | Literal["auto"] | Collection[float] | Callable[[int], float] | None
    """Another name of learning_rate."""
    shrinkage_rate: float | Literal["auto"] | Collection[float] | Callable[[int], float] | None
    """Another name of learning_rate."""
    learning_rates: float | Literal["auto"] | Collection[float] | Callable[[int], float] | None
    """Another name of learning_rate."""
    boosting_type: (
        Literal[
            "plain", "ordered", "dart", "forest", "gbdt", "gbrt", "gbtree", "Plain", "Ordered", "rf"
        ]
        | None
    )
    """Another name of boosting."""
    boost: (
        Literal[
            "plain", "ordered", "dart", "forest", "gbdt", "gbrt", "gbtree", "Plain", "Ordered", "rf"
        ]
        | None
    )
    """Another name of boosting."""
    rate_drop: float | None
    """Another name of drop_rate."""
    sample_type: Literal["weighted", "uniform"] | None
    """Another name of drop_sampling."""
    normalize_type: Literal["lightgbm", "tree", "forest"] | None
    """Another name of normalize."""
    tree_method: Literal["auto", "hist", "approx", "exact"] | None
    """Another name of split_method."""
    depth: int | None
    """Another name of max_depth."""
    num_leaves: int | None
    """Another name of max_leaves."""
    max_leaf_nodes: int | None
    """Another name of max_leaves."""
    num_leaf: int | None
    """Another name of max_leaves."""
    max_leaf: int | None
    """Another name of max_leaves."""
    min_child_samples: int | float | None
    """Another name of min_samples_leaf."""
    min_data_in_leaf: int | float | None
    """Another name of min_samples_leaf."""
    min_data_per_leaf: int | float | None
    """Another name of min_samples_leaf."""
    min_data: int | float | None
    """Another name of min_samples_leaf."""
    min_sum_hessian_in_leaf: float | None
    """Another name of min_child_weight."""
    min_sum_hessian_per_leaf: float | None
    """Another name of min_child_weight."""
    min_sum_hessian: float | None
    """Another name of min_child_weight."""
    min_hessian: float | None
    """Another name of min_child_weight."""
    gamma: float | None
    """Another name of min_split_gain."""
    min_split_loss: float | None
    """Another name of min_split_gain."""
    min_gain_to_split: float | None
    """Another name of min_split_gain."""
    score: Literal["newton", "cosine", "entropy"] | None
    """Another name of split_score."""
    extra_tree: bool | None
    """Another name of extra_trees."""
    monotonic_cst: Collection[int] | Mapping[str, int] | str | None
    """Another name of monotone_constraints."""
    monotone_constraint: Collection[int] | Mapping[str, int] | str | None
    """Another name of monotone_constraints."""
    mc: Collection[int] | Mapping[str, int] | str | None
    """Another name of monotone_constraints."""
    interaction_cst: Collection[Collection[int | str]] | str | None
    """Another name of interaction_constraints."""
    lambda_l2: float | None
    """Another name of reg_lambda."""
    l2_leaf_reg: float | None
    """Another name of reg_lambda."""
    l2_regularization: float | None
    """Another name of reg_lambda."""
    lambda_l1: float | None
    """Another name of reg_alpha."""
    l1_regularization: float | None
    """Another name of reg_alpha."""
    max_leaf_output: float | Literal["objective"] | None
    """Another name of max_delta_step."""
    max_tree_output: float | Literal["objective"] | None
    """Another name of max_delta_step."""
    leaf_estimation_iterations: int | Literal["auto", "catboost"] | None
    """Another name of leaf_iterations."""
    feature_fraction: float | None
    """Another name of colsample_bytree."""
    sub_feature: float | None
    """Another name of colsample_bytree."""
    rsm: float | int | Literal["sqrt", "log2"] | None
    """Another name of colsample_bynode."""
    max_features: float | int | Literal["sqrt", "log2"] | None
    """Another name of colsample_bynode."""
    feature_fraction_bynode: float | int | Literal["sqrt", "log2"] | None
    """Another name of colsample_bynode."""
    sub_feature_bynode: float | int | Literal["sqrt", "log2"] | None
    """Another name of colsample_bynode."""
    bagging_fraction: float | None
    """Another name of subsample."""
    bagging: float | None
    """Another name of subsample."""
    sub_row: float | None
    """Another name of subsample."""
    bagging_freq: int | None
    """Another name of subsample_freq."""
    pos_bagging_fraction: float | None
    """Another name of pos_subsample."""
    pos_bagging: float | None
    """Another name of pos_subsample."""
    pos_sub_row: float | None
    """Another name of pos_subsample."""
    neg_bagging_fraction: float | None
    """Another name of neg_subsample."""
    neg_bagging: float | None
    """Another name of neg_subsample."""
    neg_sub_row: float | None
    """Another name of neg_subsample."""
    cat_features: Literal["auto", "none", "from_dtype"] | Collection[int | str] | str | None
    """Another name of categorical_features."""
    cat_feature: Literal["auto", "none", "from_dtype"] | Collection[int | str] | str | None
    """Another name of categorical_features."""
    cat_column: Literal["auto", "none", "from_dtype"] | Collection[int | str] | str | None
    """Another name of categorical_features."""
    categorical_feature: Literal["auto", "none", "from_dtype"] | Collection[int | str] | str | None
    """Another name of categorical_features."""
    categorical_column: Literal["auto", "none", "from_dtype"] | Collection[int | str] | str | None
    """Another name of categorical_features."""
    max_ctr_complexity: int | None
    """Another name of max_combination."""
    max_bin: int | None
    """Another name of max_bins."""
    border_count: int | None
    """Another name of max_bins."""
    metric: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None
    """Another name of eval_metric."""
    metrics: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None
    """Another name of eval_metric."""
    metric_types: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None
    """Another name of eval_metric."""
    scoring: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None
    """Another name of eval_metric."""
    n_iter_no_change: int | Literal["auto"] | None
    """Another name of early_stopping_rounds."""
    od_wait: int | Literal["auto"] | None
    """Another name of early_stopping_rounds."""
    early_stopping_round: int | Literal["auto"] | None
    """Another name of early_stopping_rounds."""
    tol: float | None
    """Another name of early_stopping_tolerance."""
    min_delta: float | None
    """Another name of early_stopping_tolerance."""
    early_stopping_min_delta: float | None
    """Another name of early_stopping_tolerance."""
    seed: int | np.random.RandomState | np.random.Generator | None
    """Another name of random_state."""
    random_seed: int | np.random.RandomState | np.random.Generator | None
    """Another name of random_state."""
    nthread: int | None
    """Another name of n_jobs."""
    nthreads: int | None
    """Another name of n_jobs."""
    num_threads: int | None
    """Another name of n_jobs."""
    num_thread: int | None
    """Another name of n_jobs."""
    thread_count: int | None
    """Another name of n_jobs."""
    silent: Any
    """Of another library; meaning here."""
    logging_level: Any
    """Of another library; meaning here."""
    alpha: Any
    """Of another library; meaning here."""
    early_stopping: Any
    """Of another library; meaning here."""
    od_type: Any
    """Of another library; meaning here."""
    use_best_model: Any
    """Of another library; meaning here."""
    eval_fraction: Any
    """Of another library; meaning here."""
    custom_metric: Any
    """Of another library; meaning here."""
    custom_loss: Any
    """Of another library; meaning here."""
    eval_at: Any
    """Of another library; meaning here."""
    map_at: Any
    """Of another library; meaning here."""
    ndcg_at: Any
    """Of another library; meaning here."""
    map_eval_at: Any
    """Of another library; meaning here."""
    ndcg_eval_at: Any
    """Of another library; meaning here."""
    disable_default_eval_metric: Any
    """Of another library; meaning here."""
    is_unbalance: Any
    """Of another library; meaning here."""
    unbalance: Any
    """Of another library; meaning here."""
    unbalanced_sets: Any
    """Of another library; meaning here."""
    auto_class_weights: Any
    """Of another library; meaning here."""
    class_weights: Any
    """Of another library; meaning here."""
    booster: Any
    """Of another library; meaning here."""
    uniform_drop: Any
    """Of another library; meaning here."""
    xgboost_dart_mode: Any
    """Of another library; meaning here."""
    drop_seed: Any
    """Of another library; meaning here."""
    extra_seed: Any
    """Of another library; meaning here."""
    linear_tree: Any
    """Of another library; meaning here."""
    linear_trees: Any
    """Of another library; meaning here."""
    criterion: Any
    """Of another library; meaning here."""
    score_function: Any
    """Of another library; meaning here."""
    leaf_estimation_method: Any
    """Of another library; meaning here."""
    leaf_estimation_backtracking: Any
    """Of another library; meaning here."""
    random_score_type: Any
    """Of another library; meaning here."""
    one_hot_max_size: Any
    """Of another library; meaning here."""
    counter_calc_method: Any
    """Of another library; meaning here."""
    final_ctr_computation_mode: Any
    """Of another library; meaning here."""
    store_all_simple_ctr: Any
    """Of another library; meaning here."""
    model_size_reg: Any
    """Of another library; meaning here."""
    feature_types: Any
    """Of another library; meaning here."""
    lambdarank_pair_method: Any
    """Of another library; meaning here."""
    data_sample_strategy: Any
    """Of another library; meaning here."""
    sampling_method: Any
    """Of another library; meaning here."""
    bootstrap_type: Any
    """Of another library; meaning here."""
    sampling_frequency: Any
    """Of another library; meaning here."""
    bagging_by_query: Any
    """Of another library; meaning here."""
    bagging_seed: Any
    """Of another library; meaning here."""
    bagging_fraction_seed: Any
    """Of another library; meaning here."""
    feature_fraction_seed: Any
    """Of another library; meaning here."""
    device: Any
    """Of another library; harmless here."""
    device_type: Any
    """Of another library; harmless here."""
    task_type: Any
    """Of another library; harmless here."""
    gpu_platform_id: Any
    """Of another library; harmless here."""
    gpu_device_id: Any
    """Of another library; harmless here."""
    gpu_device_id_list: Any
    """Of another library; harmless here."""
    gpu_use_dp: Any
    """Of another library; harmless here."""
    num_gpu: Any
    """Of another library; harmless here."""
    gpu_ram_part: Any
    """Of another library; harmless here."""
    pinned_memory_size: Any
    """Of another library; harmless here."""
    gpu_cat_features_storage: Any
    """Of another library; harmless here."""
    data_partition: Any
    """Of another library; harmless here."""
    fail_on_invalid_gpu_id: Any
    """Of another library; harmless here."""
    debug_synchronize: Any
    """Of another library; harmless here."""
    use_rmm: Any
    """Of another library; harmless here."""
    force_col_wise: Any
    """Of another library; harmless here."""
    force_row_wise: Any
    """Of another library; harmless here."""
    histogram_pool_size: Any
    """Of another library; harmless here."""
    hist_pool_size: Any
    """Of another library; harmless here."""
    max_cached_hist_node: Any
    """Of another library; harmless here."""
    dev_score_calc_obj_block_size: Any
    """Of another library; harmless here."""
    dev_efb_max_buckets: Any
    """Of another library; harmless here."""
    opt_dense_col: Any
    """Of another library; harmless here."""
    sparse_threshold: Any
    """Of another library; harmless here."""
    max_row_perbatch: Any
    """Of another library; harmless here."""
    deterministic: Any
    """Of another library; harmless here."""
    seed_per_iteration: Any
    """Of another library; harmless here."""
    data_random_seed: Any
    """Of another library; harmless here."""
    data_seed: Any
    """Of another library; harmless here."""
    objective_seed: Any
    """Of another library; harmless here."""
    subsample_for_bin: Any
    """Of another library; harmless here."""
    bin_construct_sample_cnt: Any
    """Of another library; harmless here."""
    enable_categorical: Any
    """Of another library; harmless here."""
    enable_bundle: Any
    """Of another library; harmless here."""
    bundle: Any
    """Of another library; harmless here."""
    is_enable_bundle: Any
    """Of another library; harmless here."""
    is_enable_sparse: Any
    """Of another library; harmless here."""
    is_sparse: Any
    """Of another library; harmless here."""
    enable_sparse: Any
    """Of another library; harmless here."""
    sparse: Any
    """Of another library; harmless here."""
    feature_pre_filter: Any
    """Of another library; harmless here."""
    pre_partition: Any
    """Of another library; harmless here."""
    is_pre_partition: Any
    """Of another library; harmless here."""
    two_round: Any
    """Of another library; harmless here."""
    two_round_loading: Any
    """Of another library; harmless here."""
    use_two_round_loading: Any
    """Of another library; harmless here."""
    precise_float_parser: Any
    """Of another library; harmless here."""
    allow_const_label: Any
    """Of another library; harmless here."""
    use_label_encoder: Any
    """Of another library; harmless here."""
    use_missing: Any
    """Of another library; harmless here."""
    use_quantized_grad: Any
    """Of another library; harmless here."""
    num_grad_quant_bins: Any
    """Of another library; harmless here."""
    quant_train_renew_leaf: Any
    """Of another library; harmless here."""
    stochastic_rounding: Any
    """Of another library; harmless here."""
    verbosity: Any
    """Of another library; harmless here."""
    validate_parameters: Any
    """Of another library; harmless here."""
    name: Any
    """Of another library; harmless here."""
    train_dir: Any
    """Of another library; harmless here."""
    allow_writing_files: Any
    """Of another library; harmless here."""
    metric_freq: Any
    """Of another library; harmless here."""
    output_freq: Any
    """Of another library; harmless here."""
    save_binary: Any
    """Of another library; harmless here."""
    is_save_binary: Any
    """Of another library; harmless here."""
    is_save_binary_file: Any
    """Of another library; harmless here."""
    metric_period: Any
    """Of another library; harmless here."""
    save_snapshot: Any
    """Of another library; harmless here."""
    task: Any
    """Of another library; harmless here."""
    tree_learner: Any
    """Of another library; harmless here."""
    tree: Any
    """Of another library; harmless here."""
    tree_type: Any
    """Of another library; harmless here."""
    tree_learner_type: Any
    """Of another library; harmless here."""
    num_machines: Any
    """Of another library; harmless here."""
    num_machine: Any
    """Of another library; harmless here."""
    time_out: Any
    """Of another library; harmless here."""
    local_listen_port: Any
    """Of another library; harmless here."""
    local_port: Any
    """Of another library; harmless here."""
    port: Any
    """Of another library; harmless here."""
    process_type: Any
    """Of another library; harmless here."""
    default_direction: Any
    """Of another library; harmless here."""
    refresh_leaf: Any
    """Of another library; harmless here."""
    model_shrink_mode: Any
    """Of another library; harmless here."""
    sigmoid: Any
    """Of another library; harmless here."""
    first_metric_only: Any
    """Of another library; harmless here."""
    is_provide_training_metric: Any
    """Of another library; harmless here."""
    train_metric: Any
    """Of another library; harmless here."""
    training_metric: Any
    """Of another library; harmless here."""
    is_training_metric: Any
    """Of another library; harmless here."""

class Settings(OtherNames, total=False):
    """Every parameter but n_estimators."""

    recipe: (
        Literal[
            "auto",
            "single",
            "gbm",
            "histgb",
            "xgboost",
            "lightgbm",
            "catboost",
            "forest",
            "dart",
            "plgb",
            "tree",
        ]
        | None
    )
    """Named set of defaults: ceiba's own ('auto' and variants of it) or those of the library that it is named after. Parameters that you set override the recipe. Choose a library's recipe to reproduce its models, or as a starting point for tuning. Default: 'auto'."""
    quality: Literal["fast", "balanced", "best"] | None
    """How much time recipe auto spends. 'fast' trains once. 'balanced' holds rows out, trains several kinds of trees until the held-out rows stop improving, and averages the best. 'best' tries more kinds and takes up to ten times as long as 'balanced'. All rows are used in the end. With n_estimators, recipe auto trains once with that many rounds, and quality has no effect. Default: 'balanced'."""
    objective: str | Callable[..., Any] | None
    """Loss to minimize. Default: squared_error for a regressor; logistic (two classes) or softmax (more classes) for a classifier; lambdarank_ndcg for a ranker. A function (y_true, raw_score) must return the gradients and hessians of the unweighted loss; the model then predicts raw scores. Default: found from the data."""
    n_classes: int | None
    """Number of classes of objective softmax; by default the largest class index plus one. For an objective given as a function: number of scores per row, by default one. A classifier counts the classes in the labels and refuses another number. Default: found from the data."""
    hessian_factor: float | Literal["classes"] | None
    """Factor of p(1 - p) in the softmax hessian; 'classes' means K / (K - 1) for K classes, as in LightGBM. Larger factors make smaller steps. Only softmax uses it. Default: 1.0."""
    quantile: float | Collection[float] | None
    """Quantile level of the objective and the metric quantile. A list of increasing levels trains one model that predicts all of them, sorted in each row, for example [0.05, 0.5, 0.95] for a 90 % interval with median. Default: 0.5."""
    calibration_folds: int | Literal["auto"] | None
    """Number of folds that calibrate objective quantile, so that predicted quantiles keep their level on new rows. Each fold is scored by a model of the other folds, which multiplies the training time. 0 disables calibration; 'auto' uses 5 folds for up to 10,000 rows without early stopping, and none otherwise. Default: 0."""
    huber_delta: float | None
    """Absolute residual beyond which objectives huber and pseudo_huber (and their metrics) are linear instead of squared, in units of the target. By default, objective huber uses the huber_quantile quantile of the absolute residuals of each round; the others use 1. Set it for pseudo_huber if typical residuals are far from 1. Default: found from the data."""
    huber_quantile: float | None
    """Share of rows that objective huber treats with the squared loss if huber_delta is not set. Default: 0.9."""
    leaf_rule: Literal["exact", "friedman"] | None
    """How leaf values are computed where an objective has a choice. 'exact' minimizes the loss as exactly as the objective can. 'friedman' follows Friedman and scikit-learn's GradientBoosting: (K - 1) / K times the Newton step for softmax of K classes, and one step from the median for huber. With 'friedman', rows with zero residual of absolute_error or quantile count as negative residuals; with 'exact' they count as zero. Default: 'exact'."""
    curvature_rule: Literal["safe", "plain"] | None
    """Second derivative of objectives pseudo_huber and squared_log_error. 'safe' uses an upper bound so that no step overshoots; the raw scores of squared_log_error are then log(1 + prediction). 'plain' uses the second derivative, as XGBoost does. Default: 'safe'."""
    tweedie_variance_power: float | None
    """Power p of objective tweedie and its metric: the variance is proportional to mean^p. Values near 1 resemble Poisson, values near 2 resemble gamma. Default: 1.5."""
    poisson_max_delta_step: float | None
    """Multiplies the hessians of objective poisson by exp of this value, which shortens steps. Increase it if training diverges on counts much larger than predicted. Default: 0.0."""
    lambdarank_truncation_level: int | None
    """Objectives lambdarank_ndcg and lambdarank_map use pairs in which at least one document is among this many top positions; 0 means all pairs. Choose a value slightly above the k of the NDCG@k that you report. Default: 30."""
    lambdarank_norm: bool | None
    """Whether ranking objectives normalize the gradients of each query, so that long queries do not dominate. Default: True."""
    lambdarank_score_normalization: bool | None
    """Whether objectives lambdarank_ndcg and lambdarank_map divide the weight of a pair by its score difference plus 0.01, which emphasizes pairs with close scores. By default it follows lambdarank_norm; under recipe xgboost the two are independent. Default: found from the data."""
    ndcg_exp_gain: bool | None
    """Whether the gain of a document with relevance l is 2^l - 1 in NDCG (objective and metrics). False means a gain of l; use it for relevances above about 30. Default: True."""
    scale_pos_weight: float | None
    """Factor on the weights of training rows of class 1, for binary classification. Use the ratio of negative to positive rows for imbalanced classes if you need a better ranking of rows; predicted probabilities are then no longer calibrated. Weights of eval sets and held-out rows do not change. Default: 1.0."""
    base_score: float | Collection[float] | None
    """Initial prediction, in prediction units: a number for a regressor, the probability of the second class for objective logistic, a probability per class for softmax. By default it follows boost_from_average. Default: found from the data."""
    boost_from_average: bool | Literal["catboost"] | None
    """Whether boosting starts from the constant with the lowest loss. False starts from a raw score of 0. 'catboost' starts from the best constant for squared_error, absolute_error and quantile only. Default: True."""
    learning_rate: float | Literal["auto"] | Collection[float] | Callable[[int], float] | None
    """Factor of each tree's predictions. Smaller values need more rounds (n_estimators) and usually generalize better. A list or a function from round number to rate makes a schedule. 'auto' is CatBoost's rule, which depends on the objective, the number of rows and n_estimators; the model records the result. Default: 0.1."""
    boosting: (
        Literal[
            "plain", "ordered", "dart", "forest", "gbdt", "gbrt", "gbtree", "Plain", "Ordered", "rf"
        ]
        | None
    )
    """How trees are combined. 'plain': each tree corrects the sum of the trees before it. 'ordered': plain, with gradients at scores that do not depend on a row's own target, as CatBoost's Ordered; for small tables, losses of single rows and Newton leaves. 'dart': each round ignores a random set of earlier trees (dropout). 'forest': trees are independent, each grown on a sample, and predictions are their mean; there is no learning rate. Default: 'plain'."""
    ordered_permutations: int | None
    """Number of random permutations of the rows for boosting='ordered'. Each round uses one of them. More permutations reduce variance and cost time and memory. Default: 3."""
    num_parallel_tree: int | None
    """Number of trees (per class) that a round grows on different samples of rows and columns. Each is scaled by learning_rate / num_parallel_tree, as in XGBoost. n_estimators still counts rounds. It needs some sampling, or all trees of a round are equal. Default: 1."""
    drop_rate: float | None
    """Probability that boosting='dart' drops the trees of an earlier round. Default: 0.1."""
    skip_drop: float | None
    """Probability that a round of boosting='dart' drops no trees. Default: 0.5."""
    max_drop: int | None
    """Maximum number of rounds whose trees boosting='dart' drops at a time; 0 means unlimited. Default: 50."""
    one_drop: bool | None
    """Whether boosting='dart' drops the trees of at least one round, unless skip_drop skips dropping. Default: False."""
    drop_sampling: Literal["weighted", "uniform"] | None
    """How boosting='dart' chooses the trees to drop: 'weighted' in proportion to their current weight, or 'uniform' with equal probabilities. Default: 'weighted'."""
    normalize: Literal["lightgbm", "tree", "forest"] | None
    """How boosting='dart' rescales trees after a round with learning rate r that dropped the trees of k rounds. 'lightgbm': new trees get the weight r / (k + 1), dropped ones are multiplied by k / (k + 1). 'tree': r / (k + r) and k / (k + r). 'forest': r / (1 + r) and 1 / (1 + r). The last two are XGBoost's. Default: 'lightgbm'."""
    grow_policy: (
        Literal[
            "leafwise",
            "depthwise",
            "symmetric",
            "depthfirst",
            "lossguide",
            "Lossguide",
            "Depthwise",
            "SymmetricTree",
        ]
        | None
    )
    """Order in which nodes are split. 'leafwise': the leaf with the highest gain first. 'depthwise': level by level. 'symmetric': level by level with the same split for all nodes of a level; predictions are fast and regularization is strong. 'depthfirst': the deepest leaf first, the fastest policy for unlimited trees. CeibaRanker with recipe auto uses 'symmetric' unless max_leaves is set. Default: 'leafwise'."""
    split_method: Literal["auto", "hist", "approx", "exact"] | None
    """Source of candidate thresholds. 'hist': bin edges that are computed once; fast, and accurate enough for almost all tables. 'approx': edges recomputed for each tree or node from hessians. 'exact': all distinct values; slow on large tables, for small tables or exact reproduction of a tree. 'auto' means 'hist'. The model records the method. Default: 'auto'."""
    multi_strategy: (
        Literal["one_tree_per_output", "vector_leaf", "one_output_per_tree", "multi_output_tree"]
        | None
    )
    """How to model several outputs (classes, labels or targets). 'one_tree_per_output' grows a tree per output and round. 'vector_leaf' grows one tree per round whose leaves hold one value per output: faster and smaller, often slightly less accurate. Vector leaves choose splits by the gradients of all outputs for squared error and gini, and by a random projection of them for other losses. Default: 'one_tree_per_output'."""
    max_depth: int | None
    """Maximum number of splits on the path from the root to a leaf; 0 means unlimited. Decrease it against overfitting. Leafwise trees are usually limited by max_leaves instead. Default: 0 if leafwise, else 6."""
    max_leaves: int | None
    """Maximum number of leaves of a tree; 0 means unlimited. The main control of model complexity for leafwise growth: increase it for large tables, decrease it against overfitting. Default: 31 if leafwise, else 0."""
    min_samples_leaf: int | float | None
    """Minimum number of rows in a leaf; a number below 1 is a share of all rows. Increase it for noisy targets. In a symmetric tree, a node whose children would have fewer rows adds no gain to the split of its level. Default: 20."""
    min_samples_split: int | float | None
    """Minimum number of rows in a node to split it, counted as for min_samples_leaf; a number below 1 is a share of all rows. Default: 2."""
    weighted_counts: bool | None
    """Whether a row of weight w counts as w rows in min_samples_leaf and min_samples_split. It applies if all weights are integers with a sum below 2^30; otherwise each row counts once. With True, a weight of 2 gives the same model as the row given twice. Default: True."""
    min_child_weight: float | None
    """Minimum sum of hessians in a leaf. For squared error this is the sum of weights; for logistic loss it keeps leaves with confident predictions from splitting further. In a symmetric tree, a leaf with less takes the value of its parent. Default: 0.001."""
    min_split_gain: float | None
    """Minimum gain of a split. Its scale depends on the loss and the weights: compare it with gains of a trained model (trees_to_frame) before you set it. Default: 0.0."""
    min_impurity_decrease: float | None
    """Minimum gain of a split divided by the sum of hessians of all rows of the tree. With split_hessian='unit' it equals scikit-learn's weighted decrease of squared error. Default: 0.0."""
    min_weight_fraction_leaf: float | None
    """Minimum share of the sum of hessians of the tree that a leaf must hold. With split_hessian='unit' it equals scikit-learn's share of weights. In a symmetric tree it acts as min_child_weight does. Default: 0.0."""
    ccp_alpha: float | None
    """Strength of cost-complexity pruning after growth. Each split costs ccp_alpha times the sum of hessians of the tree; subtrees whose gain does not exceed their cost are removed. Symmetric trees lose whole levels. With split_hessian='unit' it equals scikit-learn's parameter. Default: 0.0."""
    prune: Literal["auto", "before", "after"] | None
    """When min_split_gain applies. 'before': a node with too little gain is not split. 'after': the tree grows fully and is then pruned from its leaves, so that a weak split above a strong one stays. 'auto' is 'after' with split_method='exact' and 'before' otherwise, as in XGBoost. Default: 'before'."""
    split_hessian: Literal["loss", "unit"] | None
    """Hessians that choose splits: 'loss' uses those of the loss (Newton boosting), 'unit' uses 1 for each row (gradient boosting: trees fit the negative gradients). Leaf values always use the hessians of the loss. Default: 'loss'."""
    split_score: Literal["newton", "cosine", "entropy"] | None
    """Score that ranks candidate splits. 'newton': the gain of Newton steps. 'cosine': the cosine between leaf values and gradients, as in CatBoost, over all leaves of a level in symmetric growth. 'entropy' (objective gini only): the decrease of the entropy of the classes, in nats summed over rows; penalties then affect leaf values only. Default: 'newton'."""
    random_strength: float | None
    """Standard deviation of normal noise on the scores of candidate splits, in units of a typical gradient. The noise decreases as training proceeds, as in CatBoost. It regularizes small tables; 0 disables it. Default: 0.0."""
    extra_trees: bool | None
    """Whether each node tries only one random threshold per column (extremely randomized trees), or one random level or set size of a category. Faster and more regularized. Nodes of a level of a symmetric tree share the threshold. Default: False."""
    monotone_constraints: Collection[int] | Mapping[str, int] | str | None
    """Direction of each column's effect on the raw score (of each class): 1 increasing, -1 decreasing, 0 none; a list in column order or a dictionary by name. Use it to encode knowledge about a column. Missing values are not constrained. Default: None."""
    interaction_constraints: Collection[Collection[int | str]] | str | None
    """Sets of columns that may occur together on a path of a tree. 'no_interactions' allows each column alone (an additive model), 'pairwise' any two columns. Default: None."""
    unlisted_interactions: Literal["alone", "together", "never"] | None
    """What interaction_constraints means for columns in none of its sets: 'alone' (each is a set of its own, as in XGBoost), 'together' (all of them form one set, as in scikit-learn) or 'never' (they are not used, as in LightGBM). Default: 'alone'."""
    feature_weights: Collection[float] | Mapping[str, float] | str | None
    """Relative weights of columns in column sampling, as a list in column order or a dictionary by name (others have weight 1). Columns of weight 0 are drawn only if the others do not suffice. Default: None."""
    reg_lambda: float | None
    """L2 penalty on leaf values. Larger values shrink the values of leaves with few rows or small hessians. Increase it against overfitting. Default: 1.0."""
    reg_alpha: float | None
    """L1 penalty on leaf values. It sets the values of leaves with small gradient sums to zero. Default: 0.0."""
    max_delta_step: float | Literal["objective"] | None
    """Maximum absolute leaf value before the learning rate; 0 means unlimited. Values of 1 to 10 can stabilize losses with small hessians, for example logistic loss with rare classes. 'objective' is 0.7 for poisson and unlimited for other objectives, as in XGBoost. Default: 0.0."""
    leaf_iterations: int | Literal["auto", "catboost"] | None
    """Maximum number of Newton steps per leaf value. Further steps bring a leaf closer to the minimum of its own loss, which helps symmetric trees. 'auto' is 3 for objectives logistic and cross_entropy with symmetric growth, else 1. 'catboost' is 10 for those two and for poisson with n_estimators of 200 or more, else 1. Objectives whose first step is exact take one step; ranking objectives and objectives with several scores per row refuse more than one. Default: 1."""
    leaf_penalty: Literal["value", "step"] | None
    """What reg_lambda penalizes if leaf_iterations allows several steps: 'value' penalizes the leaf value; 'step' penalizes each step, so that many steps approach the unpenalized minimum, as in CatBoost. Default: 'value'."""
    leaf_backtracking: bool | None
    """Whether Newton steps after the first that would overshoot the known minimum are halved. Default: True."""
    leaf_rows: Literal["sampled", "all"] | None
    """Rows that leaf values are computed from: 'sampled' uses the rows that the tree was grown on; 'all' uses all rows, so that sampling affects splits only, as in CatBoost. Default: 'sampled'."""
    leaf_guard: bool | None
    """Whether to shorten Newton steps that overshoot the minimum of a leaf's loss. It prevents divergence with large learning rates and rare classes. Leaves of poisson, gamma and tweedie stop at their minimum. Leaves of logistic, cross_entropy, exponential, softmax and one_against_rest (except in forests) are limited to log(1 + |Newton step|); at a learning rate of 0.1 this affects steps above 36, at 1 all steps. Default: True."""
    penalize_bounded: bool | None
    """Whether reg_alpha counts in the gain of splits whose leaf values are bounded by max_delta_step or monotone_constraints. Set it to False to reproduce XGBoost before 3.4. Default: True."""
    drop_hopeless_columns: bool | None
    """Whether a column without a split of positive gain (or of min_split_gain) at a node is ignored in all nodes below it, as in LightGBM. It saves time, but misses interactions between columns that have no effect alone. Default: False."""
    row_counts: Literal["exact", "hessian"] | None
    """How candidate splits count rows for min_samples_leaf, min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in LightGBM (hessian sum × rows / hessian sum of the node, rounded per bin). Estimates count confidently predicted rows less. Set 'exact' under recipe lightgbm to make limits exact; both agree for squared error without weights. Vector leaves and linear_fit='gain' always count exactly. Default: 'exact'."""
    colsample_bytree: float | None
    """Share of the columns that each tree may use. Values below 1 decorrelate trees and save time on wide tables. Default: 1.0."""
    colsample_bylevel: float | None
    """Share of the tree's columns (colsample_bytree) that each level may use. Default: 1.0."""
    colsample_bynode: float | int | Literal["sqrt", "log2"] | None
    """Share or number of the level's columns (colsample_bylevel) that each node may use. 'sqrt' and 'log2' are functions of the total number of columns. The usual randomization of forests. Default: 1.0."""
    draw_until_split: bool | None
    """Whether a node without a valid split among its sampled columns (colsample_bynode) samples further columns, one at a time, until one has a split, as scikit-learn's trees do. Default: False."""
    leaf_model: Literal["constant", "linear"] | None
    """Content of leaves: 'constant' is one number; 'linear' adds slopes for a few numeric columns, which needs fewer trees when the target changes linearly with a feature. Missing values of these columns add 0. Linear leaves do not use categories and do not support monotone constraints. Default: 'constant'."""
    linear_fit: Literal["after", "gain"] | None
    """How linear leaves are found. 'after': trees grow as with constant leaves, then each leaf is fitted, as LightGBM's linear_tree does; fast. 'gain': each split is chosen by the gain of linear fits in its children (piecewise-linear boosting); slower, often more accurate. Default: 'after'."""
    linear_regression: Literal["additive", "half_additive", "full"] | None
    """What linear_fit='gain' refits in the children of a candidate split. 'additive': a constant and the slope of the split column. 'half_additive': also a factor of the parent's linear function. 'full': all slopes, with at most 8 columns; slow. Default: 'half_additive'."""
    linear_features: Literal["tree"] | Collection[int | str] | str | None
    """Columns of linear leaves: None uses the split columns on the path to the leaf, 'tree' the split columns of the whole tree. A list of names or positions uses exactly these columns. Default: None."""
    max_linear_features: int | None
    """Maximum number of columns of a linear leaf: the first ones on the path from the root, or those with the largest gain in the tree (linear_features='tree'). Default: 5."""
    linear_lambda: float | Literal["auto"] | None
    """L2 penalty on the slopes of linear leaves, for columns scaled to unit standard deviation within the leaf; for squared error, 1 acts like one additional row. 'auto' applies a penalty of 1 and then shrinks the slopes of each leaf by their estimated noise (James-Stein): slopes with an F statistic below 2 become 0. reg_lambda penalizes the constant. Default: 0.1."""
    extrapolate: Literal["clip", "linear"] | None
    """Value of a linear leaf outside the range of its training rows: 'clip' uses the nearest value inside the range, 'linear' continues the line. 'clip' is safer; use 'linear' for trends. Default: 'clip'."""
    sampling: (
        Literal["none", "bernoulli", "uniform", "goss", "mvs", "bayesian", "bootstrap", "catboost"]
        | None
    )
    """How each round samples rows. 'bernoulli': each row with probability subsample. 'uniform': exactly that share of the rows. 'bootstrap': that share, drawn with replacement. 'bayesian': all rows with random weights (bagging_temperature). 'goss': rows with large gradients and a sample of the others (top_rate, other_rate). 'mvs': with probabilities proportional to gradient size, about subsample of the rows. 'none': all rows. goss and mvs up-weight sampled rows so that sums stay unbiased. 'catboost': bayesian for softmax without subsample, otherwise mvs. Default: 'bernoulli'."""
    subsample: float | None
    """Share of the rows that each round samples. Values of 0.5 to 0.9 regularize and save time. Default: 0.8 if mvs or catboost, else 1.0."""
    subsample_freq: int | None
    """Number of rounds that share a sample of rows. 0 disables sampling, as LightGBM's bagging_freq does. goss and mvs sample in each round. Default: 1."""
    sampling_unit: Literal["row", "query", "Object", "Group"] | None
    """What is sampled: single rows or, for ranking, whole queries (not with goss and mvs). Default: 'row'."""
    pos_subsample: float | None
    """Share of the rows of class 1 that each round samples, for binary classification. If it or neg_subsample is below 1, they replace subsample. Use neg_subsample below 1 to save time when negatives are plentiful. Default: 1.0."""
    neg_subsample: float | None
    """Share of the rows of class 0 that each round samples; see pos_subsample. Default: 1.0."""
    top_rate: float | None
    """Share of all rows with the largest |gradient × hessian| (summed over outputs) that sampling='goss' keeps with weight 1. The first 1 / learning_rate rounds use all rows. Default: 0.2."""
    other_rate: float | None
    """Share of all rows that sampling='goss' draws at random from the rest. They get the weight (1 - top_rate) / other_rate. Default: 0.1."""
    mvs_reg: float | Literal["auto"] | None
    """Constant that sampling='mvs' adds to the squared gradient of a row before taking the root; larger values make sampling more uniform. 'auto' uses the squared mean absolute leaf value of the last tree (before the first tree, the squared mean gradient). Default: 'auto'."""
    bagging_temperature: float | None
    """Strength of sampling='bayesian': row weights are (-log u)^bagging_temperature for uniform random u. 1 is the Bayesian bootstrap; 0 gives equal weights. Default: 1.0."""
    categorical_features: Literal["auto", "none", "from_dtype"] | Collection[int | str] | str | None
    """Categorical columns. 'auto': text columns and columns of a categorical type. 'none': no column; text columns raise an error. A list of names or positions adds columns to those of 'auto', for example integer identifiers. Default: 'auto'."""
    unseen_category: Literal["missing", "error"] | None
    """What to do with levels that the training data did not contain, in eval sets and at predict: treat them as 'missing', or raise an 'error'. The model stores the rule. Between cross-validation folds they are always missing. Default: 'missing'."""
    categorical: (
        Literal["auto", "onehot", "subset", "target"]
        | Mapping[str, Literal["auto", "onehot", "subset", "target"]]
        | None
    )
    """How categorical columns are split. 'onehot': one level against all others. 'subset': a set of levels against the rest. 'target': each category is replaced by the mean target of its training rows (ordered target statistics: each row uses only the rows before it in random permutations). 'auto': onehot below max_cat_to_onehot levels, target above max_cat_to_subset, subset in between; subset instead of target for rows on several workers. A dictionary sets single columns. model.categorical lists the choice. Default: 'auto'."""
    max_cat_to_subset: int | None
    """Maximum number of levels of a category that categorical='auto' splits by subsets; categories with more levels use target statistics. 0 disables target statistics. Default: 64."""
    target_strength: float | None
    """Strength of shrinkage towards the prior in target statistics: (sum of targets + strength × prior) / (rows + strength). Increase it if levels are rare and the target is noisy. The prior is the mean target; binary classification has two statistics, with priors 0 and 1. Default: 1.0."""
    target_permutations: int | None
    """Number of random permutations of the rows over which target statistics of training rows are averaged. More permutations reduce noise and cost time. Default: 2."""
    target_leaves: Literal["same", "own"] | None
    """Which permutations route training rows to leaves for leaf values: 'same' uses those that choose splits; 'own' uses additional permutations, so that leaf values do not fit the chance of the first ones. 'own' takes longer and overfits less. Default: 'same'."""
    target_bins: int | None
    """Maximum number of bins of a target statistic; 0 means max_bins. Few bins reduce overfitting. Default: 32."""
    max_combination: int | None
    """Maximum number of categories that one target statistic combines. Combinations are added where trial trees use the categories together and gain at least 5 % more with the combination. 1 disables combinations. Default: 2."""
    max_cat_to_onehot: int | None
    """Number of levels below which categorical='auto' uses onehot splits. Default: 13."""
    max_cat_threshold: int | None
    """Maximum number of levels in the set of a subset split. Default: 32."""
    cat_smooth: float | Literal["reg_lambda"] | None
    """Smoothing of subset splits: levels are sorted by gradient sum / (hessian sum + cat_smooth), which moves rare levels to the middle. 'reg_lambda' uses that value. Default: 10.0."""
    cat_l2: float | None
    """Additional L2 penalty, besides reg_lambda, on leaf values of subset splits. Default: 10.0."""
    min_data_per_group: int | None
    """Minimum number of rows by which the set of a subset split must grow before it is evaluated again. Larger values regularize and save time. Default: 100."""
    min_data_per_level: float | Literal["cat_smooth"] | None
    """Minimum number of rows of a level in a node for subset splits to consider it; 'cat_smooth' uses that value. Default: 'cat_smooth'."""
    cat_rule: Literal["auto", "lightgbm", "xgboost", "histgb"] | None
    """Details of the search for subsets. 'auto' and 'lightgbm': sets hold at most half of the levels of a node; 'lightgbm' also treats rare levels as missing values. 'xgboost': sets hold any number of levels below max_cat_threshold, and levels too light for a leaf are sorted to the middle. 'histgb': sets are built from one end of the sorted levels only, and a node needs two levels. Default: 'auto'."""
    cat_missing: Literal["level", "right", "either"] | None
    """Where missing values of a category go: 'level' treats them as a level of their own, 'right' sends them right, 'either' tries both sides of each set. Default: 'level'."""
    missing: float | None
    """Value that marks a missing entry in addition to NaN, for example -999, in training, evaluation and prediction. In 32-bit float columns the nearest 32-bit value counts. With train, pass it to Dataset. Default: None."""
    zero_as_missing: bool | None
    """Whether entries that a sparse matrix (or a pandas sparse column with fill value 0) does not store are missing values; otherwise they are 0. Stored zeros remain 0. With train, pass it to Dataset. Default: False."""
    max_bins: int | None
    """Maximum number of bins of a column, including the bin for missing values. Fewer bins are faster and regularize; more than 256 bins take more time and memory and rarely gain accuracy. Default: 256."""
    min_data_in_bin: int | None
    """Minimum number of rows in a bin (a row of weight w counts as w rows). Default: 3."""
    sketch_eps: float | None
    """Resolution of split_method='approx': candidate thresholds lie about this share of the total hessian apart, so a column has at most 1 / sketch_eps bins, including the one for missing values. Default: 0.00390625."""
    approx_scope: Literal["tree", "node"] | None
    """How often split_method='approx' computes candidate thresholds: once per 'tree', or once per 'node' (per level in symmetric growth), which is slower. Default: 'tree'."""
    eval_metric: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None
    """Metric or list of metrics for eval sets; the last one decides early stopping. Default: the metric of the objective, also named 'loss'; an empty list disables metrics. A function (y_true, y_pred), with an optional argument sample_weight, returns a number or (name, number, higher_is_better). Scorers of scikit-learn and their names are accepted. Default: found from the data."""
    early_stopping_rounds: int | Literal["auto"] | None
    """Stop after this many rounds without improvement on the last eval set and keep the best iteration. 0 disables early stopping; 'auto' waits 10 rounds on more than 10,000 rows and is 0 otherwise. Without an eval set, estimators hold out validation_fraction of the rows. Default: 0."""
    early_stopping_tolerance: float | None
    """Minimum improvement of the metric over the best value so far to count as an improvement. Default: 0.0."""
    validation_fraction: float | None
    """Share of the training rows held out for early stopping if there is no eval set: stratified by class for a classifier, whole queries for a ranker. Held-out rows are scored with their sample weights. train holds rows out only if you set this parameter (or early_stopping_rounds='auto'). Default: 0.1."""
    warm_start: bool | None
    """Whether a repeated call of fit keeps the existing trees and adds rounds up to n_estimators. Default: False."""
    class_weight: (
        Literal["balanced", "balanced_subsample", "balanced_up", "sqrt_balanced_up"]
        | Mapping[Any, float]
        | None
    )
    """Weight of each class, multiplied with sample_weight of training rows. A dictionary sets weights by label. 'balanced' gives all classes the same total weight and keeps the overall total; 'balanced_subsample' does so in each row sample, by row counts; 'balanced_up' raises all classes to the total of the largest, as LightGBM's is_unbalance and CatBoost's auto_class_weights do; 'sqrt_balanced_up' uses square roots of these weights. Weights of eval sets and held-out rows do not change. Default: None."""
    importance_type: (
        Literal[
            "gain",
            "cover",
            "split",
            "mean_gain",
            "mean_cover",
            "mean_rows",
            "mdi",
            "total_gain",
            "total_cover",
            "prediction_values_change",
            "weight",
            "impurity",
            "PredictionValuesChange",
        ]
        | None
    )
    """Kind of feature_importances_, normalized to a sum of 1: total gain, total cover (hessians), number of splits, means per split, or mean decrease in impurity. Under recipe xgboost, gain and cover are means per split, as in XGBoost, and total_gain and total_cover are sums. Default: 'gain'."""
    random_state: int | np.random.RandomState | np.random.Generator | None
    """Seed of all random choices: sampling of rows and columns, permutations, noise. The same seed gives the same model, on any number of threads. Default: 0."""
    n_jobs: int | None
    """Number of threads; -1 means all cores available to the process, -2 all but one, as in scikit-learn. The model does not depend on it. Default: -1."""
    verbose: bool | int | None
    """Progress output: True shows a progress bar (a few lines if rich is not installed), n prints metrics every n rounds, 0 is silent. Default: 0."""

class Params(Settings, total=False):
    """Every parameter, by its name or that of another library."""

    n_estimators: int | None
    """Number of boosting rounds. A round grows one tree, or one tree per class for softmax. More rounds need a smaller learning_rate; with early_stopping_rounds, set it generously. Default: 100."""

class FitKeywords(TypedDict, total=False):
    """Keywords of fit."""

    X_val: Any
    """Of another library; meaning here."""
    y_val: Any
    """Of another library; meaning here."""
    sample_weight_val: Any
    """Of another library; meaning here."""
    eval_X: Any
    """Of another library; meaning here."""
    eval_y: Any
    """Of another library; meaning here."""
    sample_weight_eval_set: Any
    """Of another library; meaning here."""
    eval_sample_weight: Any
    """Of another library; meaning here."""
    base_margin_eval_set: Any
    """Of another library; meaning here."""
    eval_init_score: Any
    """Of another library; meaning here."""
    eval_names: Any
    """Of another library; meaning here."""
    base_margin: Any
    """Of another library; meaning here."""
    baseline: Any
    """Of another library; meaning here."""
    xgb_model: Any
    """Of another library; meaning here."""
    group_id: Any
    """Of another library; meaning here."""
    verbose: Any
    """Of another library; meaning here."""
    eval_metric: Any
    """Of another library; meaning here."""
    early_stopping_rounds: Any
    """Of another library; meaning here."""
    eval_at: Any
    """Of another library; meaning here."""
    feature_weights: Any
    """Of another library; meaning here."""
    silent: Any
    """Of another library; meaning here."""
    logging_level: Any
    """Of another library; meaning here."""
    metric_period: Any
    """Of another library; meaning here."""
    save_snapshot: Any
    """Of another library; meaning here."""
    snapshot_file: Any
    """Of another library; meaning here."""
    snapshot_interval: Any
    """Of another library; meaning here."""
    verbose_eval: Any
    """Of another library; meaning here."""
    use_best_model: Any
    """Of another library; meaning here."""
    log_cout: Any
    """Of another library; harmless here."""
    log_cerr: Any
    """Of another library; harmless here."""
    plot: Any
    """Of another library; harmless here."""
    categorical_feature: Any
    """Of another library; meaning here."""
    cat_features: Any
    """Of another library; meaning here."""

class TrainKeywords(Settings, total=False):
    """Keywords of train."""

    evals: Any
    """Of another library; meaning here."""
    valid_sets: Any
    """Of another library; meaning here."""
    valid_names: Any
    """Of another library; meaning here."""
    eval_set: Any
    """Of another library; meaning here."""
    evals_result: Any
    """Of another library; meaning here."""
    xgb_model: Any
    """Of another library; meaning here."""
    keep_training_booster: Any
    """Of another library; harmless here."""
    feval: Any
    """Of another library; meaning here."""
    obj: Any
    """Of another library; meaning here."""
    fobj: Any
    """Of another library; meaning here."""
    maximize: Any
    """Of another library; meaning here."""
    dtrain: Any
    """Of another library; meaning here."""
    train_set: Any
    """Of another library; meaning here."""
    pool: Any
    """Of another library; meaning here."""
    verbose_eval: Any
    """Of another library; meaning here."""
    log_cout: Any
    """Of another library; harmless here."""
    log_cerr: Any
    """Of another library; harmless here."""
    metric_update_interval: Any
    """Of another library; harmless here."""
    plot: Any
    """Of another library; harmless here."""

class CvKeywords(Settings, total=False):
    """Keywords of cv."""

    nfold: Any
    """Of another library; meaning here."""
    fold_count: Any
    """Of another library; meaning here."""
    cv: Any
    """Of another library; meaning here."""
    return_cvbooster: Any
    """Of another library; meaning here."""
    return_estimator: Any
    """Of another library; meaning here."""
    partition_random_seed: Any
    """Of another library; meaning here."""
    show_stdv: Any
    """Of another library; harmless here."""
    eval_train_metric: Any
    """Of another library; harmless here."""
    return_train_score: Any
    """Of another library; harmless here."""
    as_pandas: Any
    """Of another library; harmless here."""
    type: Any
    """Of another library; harmless here."""
    inverted: Any
    """Of another library; harmless here."""
    feval: Any
    """Of another library; meaning here."""
    obj: Any
    """Of another library; meaning here."""
    fobj: Any
    """Of another library; meaning here."""
    maximize: Any
    """Of another library; meaning here."""
    dtrain: Any
    """Of another library; meaning here."""
    train_set: Any
    """Of another library; meaning here."""
    pool: Any
    """Of another library; meaning here."""
    verbose_eval: Any
    """Of another library; meaning here."""
    log_cout: Any
    """Of another library; harmless here."""
    log_cerr: Any
    """Of another library; harmless here."""
    metric_update_interval: Any
    """Of another library; harmless here."""
    plot: Any
    """Of another library; harmless here."""

class DatasetKeywords(TypedDict, total=False):
    """Keywords of Dataset."""

    label: Any
    """Of another library; meaning here."""
    base_margin: Any
    """Of another library; meaning here."""
    baseline: Any
    """Of another library; meaning here."""
    group_id: Any
    """Of another library; meaning here."""
    feature_name: Any
    """Of another library; meaning here."""
    categorical_feature: Any
    """Of another library; meaning here."""
    cat_features: Any
    """Of another library; meaning here."""
    feature_types: Any
    """Of another library; meaning here."""
    reference: Any
    """Of another library; harmless here."""
    ref: Any
    """Of another library; harmless here."""
    free_raw_data: Any
    """Of another library; harmless here."""
    nthread: Any
    """Of another library; harmless here."""
    thread_count: Any
    """Of another library; harmless here."""
    n_jobs: Any
    """Of another library; harmless here."""
    silent: Any
    """Of another library; harmless here."""
    enable_categorical: Any
    """Of another library; harmless here."""
    data_split_mode: Any
    """Of another library; harmless here."""
    max_quantile_batches: Any
    """Of another library; harmless here."""
    log_cout: Any
    """Of another library; harmless here."""
    log_cerr: Any
    """Of another library; harmless here."""
    data_can_be_none: Any
    """Of another library; harmless here."""
    has_header: Any
    """Of another library; harmless here."""
    ignore_csv_quoting: Any
    """Of another library; harmless here."""
    delimiter: Any
    """Of another library; harmless here."""

class PredictKeywords(TypedDict, total=False):
    """Keywords of predict."""

    raw_score: Any
    """Of another library; meaning here."""
    output_margin: Any
    """Of another library; meaning here."""
    pred_leaf: Any
    """Of another library; meaning here."""
    pred_contrib: Any
    """Of another library; meaning here."""
    pred_contribs: Any
    """Of another library; meaning here."""
    pred_interactions: Any
    """Of another library; meaning here."""
    prediction_type: Any
    """Of another library; meaning here."""
    num_iteration: Any
    """Of another library; meaning here."""
    ntree_limit: Any
    """Of another library; meaning here."""
    ntree_end: Any
    """Of another library; meaning here."""
    start_iteration: Any
    """Of another library; meaning here."""
    ntree_start: Any
    """Of another library; meaning here."""
    thread_count: Any
    """Of another library; meaning here."""
    nthread: Any
    """Of another library; meaning here."""
    num_threads: Any
    """Of another library; meaning here."""
    validate_features: Any
    """Of another library; harmless here."""
    verbose: Any
    """Of another library; harmless here."""
    data_has_header: Any
    """Of another library; harmless here."""
    training: Any
    """Of another library; harmless here."""
    strict_shape: Any
    """Of another library; harmless here."""
    predict_disable_shape_check: Any
    """Of another library; harmless here."""
    pred_early_stop: Any
    """Of another library; harmless here."""
    task_type: Any
    """Of another library; harmless here."""

class EarlyStoppingKeywords(TypedDict, total=False):
    """Keywords of EarlyStopping."""

    stopping_rounds: Any
    """Of another library; meaning here."""
    min_delta: Any
    """Of another library; meaning here."""
    metric_name: Any
    """Of another library; meaning here."""
    data_name: Any
    """Of another library; meaning here."""
    save_best: Any
    """Of another library; meaning here."""
    verbose: Any
    """Of another library; harmless here."""
    first_metric_only: Any
    """Of another library; harmless here."""

class LogKeywords(TypedDict, total=False):
    """Keywords of LogRounds."""

    period: Any
    """Of another library; meaning here."""
    show_stdv: Any
    """Of another library; harmless here."""
    rank: Any
    """Of another library; harmless here."""

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
    """Named set of defaults: ceiba's own, or those of the library it is named after. Default: 'auto'."""
    objective: str | Callable[..., Any] | None
    """Loss to make small. By default squared_error; for a classifier logistic with two classes and softmax with more; for a ranker lambdarank_ndcg. A function (y_true, raw_score) returns the gradients and hessians of the unweighted loss; the model then predicts raw scores. Default: found from the data."""
    n_classes: int | None
    """Number of classes of objective softmax, by default the largest class index plus one; number of scores of a row for an objective given as a function, by default one. A classifier finds it from the labels, and refuses another number. Default: found from the data."""
    hessian_factor: float | Literal["classes"] | None
    """Factor of p(1 - p) in the curvature of softmax; 'classes' means K / (K - 1). Other objectives have no such factor and do not read it. Default: 1.0."""
    quantile: float | Collection[float] | None
    """Level of objective and metric quantile, or a list of increasing levels: one model that predicts all of them, sorted in each row. Default: 0.5."""
    calibration_folds: int | Literal["auto"] | None
    """Folds of rows by which objective quantile is calibrated, so that the level also holds for new rows: each fold is scored by a model of the others. 0 means not at all, 'auto' means 5 with up to 10,000 rows and no early stopping. Default: 0."""
    huber_delta: float | None
    """Difference beyond which objectives huber and pseudo_huber, and their metrics, are no longer squared, in the units of the target. By default each round of objective huber takes the huber_quantile quantile of the |residuals|; the others take 1, with which pseudo_huber learns next to nothing where differences are in the thousands. Default: found from the data."""
    huber_quantile: float | None
    """Share of the rows that objective huber treats as near where huber_delta is not given. Default: 0.9."""
    leaf_rule: Literal["exact", "friedman"] | None
    """How a leaf gets its value where there is a choice: as exactly as the objective can, or as Friedman and scikit-learn's GBM have it, (K - 1) / K times the Newton step for softmax of K classes, and one step from the median for huber. A row that absolute_error or quantile hits exactly then counts as too low, as it does there, and else as neither. Default: 'exact'."""
    curvature_rule: Literal["safe", "plain"] | None
    """What objectives pseudo_huber and squared_log_error take for curvature: one with which no leaf runs away (the scores of squared_log_error are then log(1 + prediction)), or the second derivative in the prediction, as XGBoost does. Default: 'safe'."""
    tweedie_variance_power: float | None
    """Power p of objective tweedie and its metric, for a variance proportional to mean^p. Default: 1.5."""
    poisson_max_delta_step: float | None
    """Hessians of objective poisson are multiplied by exp of this, so that a leaf with many more events than were predicted does not go too far. Default: 0.0."""
    lambdarank_truncation_level: int | None
    """Objectives lambdarank_ndcg and lambdarank_map look at pairs of documents of which one is among so many first positions; 0 means all pairs. Default: 30."""
    lambdarank_norm: bool | None
    """Whether ranking objectives bring queries of different sizes to comparable totals. Default: True."""
    lambdarank_score_normalization: bool | None
    """Whether objectives lambdarank_ndcg and lambdarank_map divide the weight of a pair by the difference of its scores, plus 0.01, so that pairs with close scores count more. By default as lambdarank_norm; XGBoost's two switches are independent of each other. Default: found from the data."""
    ndcg_exp_gain: bool | None
    """Whether a document of relevance l is worth 2^l - 1 in NDCG, in the objective and in the metrics; otherwise l. Default: True."""
    scale_pos_weight: float | None
    """Multiplies the weights of the training rows of class 1 (two classes only), as if they were given so; rows of eval sets and rows held out keep theirs. Default: 1.0."""
    base_score: float | Collection[float] | None
    """Prediction that boosting starts from, in prediction units: a number for a regressor, the probability of the second class with objective logistic, that of each class with softmax. By default what boost_from_average says. Default: found from the data."""
    boost_from_average: bool | Literal["catboost"] | None
    """Whether boosting starts from the best constant, or else from a raw score of 0. 'catboost' starts from the best constant with squared_error, absolute_error and quantile only. Default: True."""
    learning_rate: float | Literal["auto"] | Collection[float] | Callable[[int], float] | None
    """Factor of each tree: a number, or a schedule with the factor of each round. 'auto' is CatBoost's rule, by loss, rows, n_estimators and whether there are eval sets. The model records what became of it. Default: 0.1."""
    boosting: (
        Literal[
            "plain", "ordered", "dart", "forest", "gbdt", "gbrt", "gbtree", "Plain", "Ordered", "rf"
        ]
        | None
    )
    """How trees are put together: each corrects the sum of those before it (plain), the same with gradients at scores that do not know the target of their row, as CatBoost's Ordered (ordered; for losses of single rows with Newton leaves), or the sum without some that are dropped for the round (dart), or each is grown alone, on a sample, and the model is their mean (forest, which has no learning rate). Default: 'plain'."""
    ordered_permutations: int | None
    """Permutations of the rows of boosting='ordered'; each round draws one. Default: 3."""
    num_parallel_tree: int | None
    """Trees (of each class) that a round grows, each on rows and columns of its own. Each counts the learning rate divided by their number, as in XGBoost. Iterations count rounds. Default: 1."""
    drop_rate: float | None
    """Chance of the trees of an earlier round to be dropped, with boosting='dart'. Default: 0.1."""
    skip_drop: float | None
    """Chance of a round to drop nothing, with boosting='dart'. Default: 0.5."""
    max_drop: int | None
    """Most rounds whose trees are dropped at a time, with boosting='dart'; 0 means unlimited. Default: 50."""
    one_drop: bool | None
    """Whether a round of boosting='dart' that would drop nothing, and is not skipped by skip_drop, drops the trees of one round. Default: False."""
    drop_sampling: Literal["weighted", "uniform"] | None
    """Whether, with boosting='dart', trees are dropped in proportion to what they count, or all with the same chance. Default: 'weighted'."""
    normalize: Literal["lightgbm", "tree", "forest"] | None
    """What trees count after a round of boosting='dart' with learning rate r that dropped k rounds. lightgbm: new ones r / (k + 1), dropped ones k / (k + 1) of before; tree: r / (k + r) and k / (k + r); forest: r / (1 + r) and 1 / (1 + r). The last two are XGBoost's. Default: 'lightgbm'."""
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
    """Which node is split next: the best one (leafwise), level by level (depthwise), level by level with one split shared by the whole level (symmetric), or the deepest one (depthfirst), which is the fastest way to trees without a limit of leaves. CeibaRanker of recipe auto takes symmetric unless max_leaves is given. Default: 'leafwise'."""
    split_method: Literal["auto", "hist", "approx", "exact"] | None
    """Where thresholds come from: the edges of bins made once (hist), bins made anew for each tree or node (approx), or every distinct value (exact, which reads neither max_bins nor min_data_in_bin). auto is hist; a model records the method that grew it. Default: 'auto'."""
    multi_strategy: (
        Literal["one_tree_per_output", "vector_leaf", "one_output_per_tree", "multi_output_tree"]
        | None
    )
    """Where a row has several outputs (classes, labels, several targets): a tree for each of them in every round, or one tree whose leaves have a value for each (vector_leaf), which is faster and smaller. Several targets of squared error, and classes of gini, are then split by the gradients of all of them, other classes and labels by a sum with random signs. Default: 'one_tree_per_output'."""
    max_depth: int | None
    """Most splits on the way to a leaf; 0 means unlimited. Default: 0 if leafwise, else 6."""
    max_leaves: int | None
    """Most leaves of a tree; 0 means unlimited. Default: 31 if leafwise, else 0."""
    min_samples_leaf: int | float | None
    """Fewest rows of a leaf; a number below 1 is a share of all rows. A symmetric tree splits all nodes of a level alike: a node whose children have fewer has no say in that split (so with min_samples_split). Default: 20."""
    min_samples_split: int | float | None
    """Fewest rows of a node that may be split; they are counted as for min_samples_leaf. Default: 2."""
    weighted_counts: bool | None
    """Whether a row of weight w counts as w rows in min_samples_leaf where all weights are whole numbers (with a sum below 2^30). Otherwise every row counts once. Default: True."""
    min_child_weight: float | None
    """Smallest sum of hessians of a leaf. In a symmetric tree, which splits all nodes of a level alike, a leaf with less takes the value of the node above it. Default: 0.001."""
    min_split_gain: float | None
    """Smallest gain of a split. Default: 0.0."""
    min_impurity_decrease: float | None
    """Smallest gain of a split, divided by the sum of the hessians of all rows of the tree. With split_hessian='unit' that is scikit-learn's weighted decrease of the squared error. Default: 0.0."""
    min_weight_fraction_leaf: float | None
    """Smallest share of the sum of the hessians of all rows of the tree that a leaf holds; in a symmetric tree as with min_child_weight. With split_hessian='unit' that is scikit-learn's share of the weights. Default: 0.0."""
    ccp_alpha: float | None
    """Cost-complexity pruning after growth: every split costs this much times the sum of the hessians of all rows of the tree, and splits that, with all below them, gain no more than they cost are cut (in a symmetric tree whole levels, where a node without rows on both sides costs nothing). With split_hessian='unit' as in scikit-learn. Default: 0.0."""
    prune: Literal["auto", "before", "after"] | None
    """When min_split_gain is looked at: before a node is split, or after the tree has grown, from its leaves up, so that a poor split above a good one stays. 'auto' is after with split_method='exact' and before otherwise, as XGBoost does. Default: 'before'."""
    split_hessian: Literal["loss", "unit"] | None
    """Hessians by which splits are chosen: those of the loss, or 1 for every row, so that trees are fitted to the gradients alone. Leaf values always use those of the loss. Default: 'loss'."""
    split_score: Literal["newton", "cosine", "entropy"] | None
    """What ranks the candidates of a split: the gain of Newton steps, or the cosine of the angle between leaf values and gradients, over all leaves of a level in symmetric growth, as in CatBoost. Splits are recorded by their gain, which a level of a symmetric tree that the cosine ranks does not need. Candidates of cosine must be those of bins. 'entropy', for objective gini, gains what the entropy of the classes falls by, in natural logarithms and summed over rows; penalties then count in leaves only. Default: 'newton'."""
    random_strength: float | None
    """Normal noise on what ranks the candidates of a split, in units of a typical gradient; it dies out as the learning rates of the rounds add up, as in CatBoost. Candidates must be those of bins. Default: 0.0."""
    extra_trees: bool | None
    """Whether a node tries, for each column, only one threshold, drawn among all bins of the column (of a category one level, or one number of levels), as LightGBM does. Nodes of a level of a symmetric tree share it. Default: False."""
    monotone_constraints: Collection[int] | Mapping[str, int] | str | None
    """Columns with which the raw score (of each class) may only rise (1) or only fall (-1). Missing values have no place in that order. Default: None."""
    interaction_constraints: Collection[Collection[int | str]] | str | None
    """Sets of columns that may be split together on the way to a leaf. 'no_interactions' means each column alone, 'pairwise' any two columns. Default: None."""
    unlisted_interactions: Literal["alone", "together", "never"] | None
    """Whether columns in no set of interaction_constraints may be split alone only, as in XGBoost, are one more set, as in scikit-learn, or are never split, as in LightGBM. Default: 'alone'."""
    feature_weights: Collection[float] | Mapping[str, float] | str | None
    """Weights of the columns in column sampling: a column is drawn in proportion to its weight, one of weight 0 only where the others do not suffice. Columns that a dictionary leaves out have weight 1. Default: None."""
    reg_lambda: float | None
    """L2 penalty on leaf values. Default: 1.0."""
    reg_alpha: float | None
    """L1 penalty on leaf values. Default: 0.0."""
    max_delta_step: float | Literal["objective"] | None
    """Largest leaf value before the learning rate; 0 means unlimited, 'objective' 0.7 for poisson and unlimited for the others, as in XGBoost. Default: 0.0."""
    leaf_iterations: int | Literal["auto", "catboost"] | None
    """Newton steps by which a leaf finds its value; each after the first goes on from there, towards the minimum of the leaf's own loss. 'auto' is 3 for objectives logistic and cross_entropy with symmetric growth, else 1; 'catboost' is 10 for those two and for poisson where n_estimators is 200 or more, else 1. Leaves that are exact after one step make no other; objectives of queries or with several scores a row refuse more than one. Default: 1."""
    leaf_penalty: Literal["value", "step"] | None
    """What reg_lambda holds back where a leaf takes several steps: its value, or each of the steps, so that many of them come near the minimum without a penalty, as in CatBoost. Default: 'value'."""
    leaf_backtracking: bool | None
    """Whether a further step of a leaf that would go past where its minimum is known to be goes half way there instead. Default: True."""
    leaf_rows: Literal["sampled", "all"] | None
    """Rows that leaves get their values from: those that the trees of the round were grown on, or all of them, so that samples of rows choose splits alone, as in CatBoost. Default: 'sampled'."""
    leaf_guard: bool | None
    """Whether a leaf stops at the minimum of its own loss where the Newton step would go past it. Leaves of poisson, gamma and tweedie stop at the minimum that follows from their step; with more than one of leaf_iterations they always do. Leaves of logistic, cross_entropy, exponential, softmax and one_against_rest add at most log(1 + |Newton step|), a lower bound of the distance to the minimum, except in forests. At a learning rate of 0.1 that limits Newton steps above 36, at 1 all of them. Default: True."""
    penalize_bounded: bool | None
    """Whether reg_alpha counts in the gain of splits whose values have bounds, by max_delta_step or by monotone_constraints. XGBoost before 3.4 leaves it out there. Default: True."""
    drop_hopeless_columns: bool | None
    """Whether a column none of whose splits of a node gains anything, or as much as min_split_gain, is left out below that node, as LightGBM does. Exact splits and symmetric growth always look at all columns. Default: False."""
    row_counts: Literal["exact", "hessian"] | None
    """How candidate splits count the rows of their children for min_samples_leaf, min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in LightGBM. An estimate rounds hessian sum × rows / hessian sum of the node in each bin. Rows with small hessians (predicted well, or with small weights) then count less. Squared error without weights has the same counts either way. Only histogram splits of trees with one output, grown leafwise or depthwise, are estimated; split_method 'exact' and 'approx', vector leaves, linear gains, extra_trees, noise and other values of grow_policy count exactly. Default: 'exact'."""
    colsample_bytree: float | None
    """Share of the columns that each tree may use. Default: 1.0."""
    colsample_bylevel: float | None
    """Share of the tree's columns that each level may use. Default: 1.0."""
    colsample_bynode: float | int | Literal["sqrt", "log2"] | None
    """Share of the level's columns that each node may use, or the number of them; 'sqrt' and 'log2' are functions of the number of all columns. Default: 1.0."""
    draw_until_split: bool | None
    """Whether a node none of whose columns, drawn by colsample_bynode, has a split draws others, one at a time, until one has, as scikit-learn's trees do. Nodes of a symmetric tree do not. Default: False."""
    leaf_model: Literal["constant", "linear"] | None
    """What a leaf adds to the score: one number, or a line: a number and a slope for each of a few columns of numbers (linear). A missing value of such a column adds nothing. Categories are never among them, and monotone constraints have no lines. Default: 'constant'."""
    linear_fit: Literal["after", "gain"] | None
    """How lines are found: trees grow as with constants, then the leaves get their lines (after), as with LightGBM's linear_tree; or splits are chosen by what lines gain in their children (gain), as in piecewise-linear boosting. The leaves are fitted alike. Default: 'after'."""
    linear_regression: Literal["additive", "half_additive", "full"] | None
    """What linear_fit='gain' fits anew in the children of a split: a constant and the slope of the column that is split (additive), a factor of the node's line as well (half_additive), or all slopes (full: slow, with at most 8 columns). Default: 'half_additive'."""
    linear_features: Literal["tree"] | Collection[int | str] | str | None
    """Columns of lines: those by which the nodes above a leaf are split (None), those by which its tree is, or given ones, by name or by position, all of which are then used. Default: None."""
    max_linear_features: int | None
    """Most columns of a line, where they are not given: the first on the path from the root, or those with the largest gains in the tree. Default: 5."""
    linear_lambda: float | Literal["auto"] | None
    """L2 penalty on the slopes of lines, each in units of the deviation of its column over the rows of the leaf: it counts like so many rows (of squared error). 'auto' is a penalty of 1 and shrinks the slopes of a leaf by its noise (James-Stein): slopes with an F statistic below 2 are dropped, large ones are kept. reg_lambda is for the constant. Default: 0.1."""
    extrapolate: Literal["clip", "linear"] | None
    """What a line does with a value beyond those that the rows of its leaf had: it takes the nearest of those (clip), or goes on (linear). Default: 'clip'."""
    sampling: (
        Literal["none", "bernoulli", "uniform", "goss", "mvs", "bayesian", "bootstrap", "catboost"]
        | None
    )
    """How the rows of a round are sampled. bernoulli: each by a chance of its own (subsample), uniform: exactly that share of them; goss: those of large gradients and some of the others (top_rate, other_rate); mvs: by a chance in proportion to the size of their gradients, about subsample of them; bayesian: all, with random weights (bagging_temperature); bootstrap: drawn with replacement, as often as subsample of the rows; none: all. What goss and mvs take is multiplied so that sums stay what they are in expectation. catboost: mvs or, with objective softmax and no subsample, bayesian. Default: 'bernoulli'."""
    subsample: float | None
    """Share of the rows that each round is grown on. Default: 0.8 if mvs or catboost, else 1.0."""
    subsample_freq: int | None
    """Rounds for which a sample of rows is kept before another is drawn; 0 means that all rows are taken, and is for subsample=1 only. goss and mvs follow the gradients and draw in every round. Default: 1."""
    sampling_unit: Literal["row", "query", "Object", "Group"] | None
    """What is sampled: single rows, or whole queries of a ranking (not with goss and mvs). Default: 'row'."""
    pos_subsample: float | None
    """Share of the rows of class 1, of two classes, that each round is grown on. Where it or neg_subsample is below 1, the two take the place of subsample (bernoulli and uniform). Default: 1.0."""
    neg_subsample: float | None
    """Share of the rows of class 0; see pos_subsample. Default: 1.0."""
    top_rate: float | None
    """Share of all rows that sampling='goss' takes for their gradients: those with the largest |gradient times hessian|, summed over the outputs. Each counts once. In the first 1 / learning_rate rounds all rows are taken. Default: 0.2."""
    other_rate: float | None
    """Share of all rows that sampling='goss' takes of the others, each by chance; they count (1 - top_rate) / other_rate times. Default: 0.1."""
    mvs_reg: float | Literal["auto"] | None
    """What sampling='mvs' adds to the squared gradient of a row before it takes the root: the larger, the more alike are the chances of rows. 'auto' is the squared mean of the leaf values (their absolute values) of the last tree, and before the first tree the squared mean of the gradients. Default: 'auto'."""
    bagging_temperature: float | None
    """With sampling='bayesian' a row is multiplied by (-log u) to this power, u being a random number between 0 and 1. 1 is the Bayesian bootstrap, with 0 all rows count alike. Default: 1.0."""
    categorical_features: Literal["auto", "none", "from_dtype"] | Collection[int | str] | str | None
    """Columns that are categories: those of text and with a dictionary (auto), none, so that such columns are an error, or those and the listed ones, such as whole numbers that are identifiers. Default: 'auto'."""
    unseen_category: Literal["missing", "error"] | None
    """What becomes of levels that the training table did not hold, in eval sets and at predict: they are missing values, or an error. The model keeps it. Between folds of one table they are missing values. Default: 'missing'."""
    categorical: (
        Literal["auto", "onehot", "subset", "target"]
        | Mapping[str, Literal["auto", "onehot", "subset", "target"]]
        | None
    )
    """How a category is used: one level is split from all others (onehot), a set of levels from the rest (subset), or every level becomes the mean of the targets of its rows, each row seeing only those before it in random orders (target). 'auto' is onehot for fewer levels than max_cat_to_onehot, target for more than max_cat_to_subset, and else subset, which it is instead of target where rows are in several places. A dictionary says it for single columns; the others are auto. The model tells what was chosen. Default: 'auto'."""
    max_cat_to_subset: int | None
    """With categorical='auto', a category of more levels is used by target statistics; 0: none is. Default: 64."""
    target_strength: float | None
    """Rows that the prior counts for in the statistic of a level (target): (sum of targets + strength * prior) / (rows + strength). The prior is the mean target; of two classes there is a statistic with prior 0 and one with prior 1. Default: 1.0."""
    target_permutations: int | None
    """Random orders of the rows over which the statistics of the training rows are averaged (target). Default: 2."""
    target_leaves: Literal["same", "own"] | None
    """Random orders of the rows by which leaves get their values (target): the same as those that choose splits, or orders of their own, so that a leaf does not learn what was chance in the orders that made it; then gradients are taken at scores of the orders of splits. With split_method='exact' and 'approx' they are the same. Default: 'same'."""
    target_bins: int | None
    """Most bins of a statistic (target); 0: max_bins. Default: 32."""
    max_combination: int | None
    """Most categories that are taken together (target): combinations of categories that meet on paths of trees get statistics of their own, where trees gain a twentieth more with them. 1: none are. Default: 2."""
    max_cat_to_onehot: int | None
    """With categorical='auto', a category of fewer levels is split by onehot. Default: 13."""
    max_cat_threshold: int | None
    """Most levels of a set by which a category is split (subset). Default: 32."""
    cat_smooth: float | Literal["reg_lambda"] | None
    """Levels are put in order by gradient over hessian, and this is added to the hessian, so that levels of few rows come to the middle. 'reg_lambda' takes that penalty. Default: 10.0."""
    cat_l2: float | None
    """L2 penalty on leaf values, besides reg_lambda, of splits by a set of levels (subset). Default: 10.0."""
    min_data_per_group: int | None
    """Rows by which a set of levels must grow before it is looked at again (subset). Default: 100."""
    min_data_per_level: float | Literal["cat_smooth"] | None
    """Fewest rows of a node that a level needs to be in a set (subset); 'cat_smooth' takes that number. Default: 'cat_smooth'."""
    cat_rule: Literal["auto", "lightgbm", "xgboost", "histgb"] | None
    """Details of the search for sets (subset), as a library has them. auto and lightgbm: sets have at most half of the levels of a node; with lightgbm the rarest levels are missing values from the start, as they are there. xgboost: sets have any number below max_cat_threshold, and levels too light for a leaf come to the middle of the order. histgb: no cut is tried from both ends, and a node needs two levels. Default: 'auto'."""
    cat_missing: Literal["level", "right", "either"] | None
    """Where missing values of a category go: they are a level like any other, or always go to the right, or are tried on both sides of every set. Default: 'level'."""
    missing: float | None
    """A value that means missing, besides NaN, in every table: those to learn from, to be scored and to predict for. In a column of 32-bit floats it means the nearest of those. For train give it to the Dataset. Default: None."""
    zero_as_missing: bool | None
    """Whether entries that a sparse matrix, or a sparse column of pandas filled with 0, does not hold are missing; otherwise they are 0. A 0 that is written down stays 0. For train give it to the Dataset. Default: False."""
    max_bins: int | None
    """Most bins of a column, the one for missing values included. Default: 256."""
    min_data_in_bin: int | None
    """Fewest rows of a bin (a row of weight w counts as w rows). Default: 3."""
    sketch_eps: float | None
    """Error of the candidate thresholds of split_method='approx': about this share of the weight (hessians) lies between two of them, so a column has at most 1 / sketch_eps bins, the one for missing values included. Default: 0.00390625."""
    approx_scope: Literal["tree", "node"] | None
    """Whether split_method='approx' proposes candidate thresholds for every tree, or for every node (with symmetric growth: every level), which is slower. Default: 'tree'."""
    eval_metric: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None
    """Metric, or list of metrics, of the eval sets. By default that of the objective, which is also called 'loss'; an empty list means none. The last one decides early stopping. A function (y_true, y_pred), with sample_weight if it takes it, returns a number or (name, number, higher_is_better); a scorer of scikit-learn, or the name of one, is taken too. Default: found from the data."""
    early_stopping_rounds: int | Literal["auto"] | None
    """Stop after this many rounds without a better metric on the last eval set, and keep the best iteration; 0 means never, 'auto' means 10 with more than 10,000 rows. An estimator without eval_set holds out validation_fraction of the rows. Default: 0."""
    early_stopping_tolerance: float | None
    """A metric must be better than the best so far by more than this to count as better. Default: 0.0."""
    validation_fraction: float | None
    """Share of the rows held out for early stopping when no eval_set is given (of each class for a classifier, whole queries for a ranker). They are scored with their sample_weight. train needs it given for a number of early_stopping_rounds without eval_sets. Default: 0.1."""
    warm_start: bool | None
    """Whether a further call of fit keeps the trees that are there and adds rounds until there are n_estimators. Default: False."""
    class_weight: (
        Literal["balanced", "balanced_subsample", "balanced_up", "sqrt_balanced_up"]
        | Mapping[Any, float]
        | None
    )
    """Weight of each class, multiplied into sample_weight of the training rows; 'balanced' gives all classes the same total, and all rows together the one that they had; 'balanced_subsample' does so in each sample of rows, by the number of rows; 'balanced_up' gives all classes the total of the largest, as LightGBM (is_unbalance) and CatBoost (auto_class_weights) do, 'sqrt_balanced_up' takes the square roots of those weights. Rows of eval sets and rows held out keep their own. Default: None."""
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
    """What feature_importances_ holds, as shares that add up to 1: sums of gains or hessians, numbers of splits, means over splits, or the mean decrease in impurity. Under recipe xgboost gain and cover are means, as they are there, and total_gain and total_cover sums. Default: 'gain'."""
    random_state: int | np.random.RandomState | np.random.Generator | None
    """Seed of row and column sampling. The same seed always gives the same model. Default: 0."""
    n_jobs: int | None
    """Threads; -1 means every core that this process may use, -2 all but one, as scikit-learn counts, and at least one is taken. The model does not depend on it. Default: -1."""
    verbose: bool | int | None
    """Show how far a training is: True for a progress bar (some lines where rich is not installed), n for a line with the metrics after every n rounds, 0 for nothing. Default: 0."""

class Params(Settings, total=False):
    """Every parameter, by its name or that of another library."""

    n_estimators: int | None
    """Number of boosting rounds; a round grows one tree, or one for each class of softmax. Default: 100."""

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
    return_cvbooster: Any
    """Of another library; meaning here."""
    partition_random_seed: Any
    """Of another library; meaning here."""
    show_stdv: Any
    """Of another library; harmless here."""
    eval_train_metric: Any
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

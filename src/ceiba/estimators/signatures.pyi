"""The constructors of the estimators, for type checkers and editors.

Written from src/ceiba/parameters by tools/make_signatures.py. Run `make generated`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

from ceiba.parameters.typed import OtherNames

class RegressorSignature:
    def __init__(
        self,
        *,
        recipe: Literal[
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
        | None = "auto",
        quality: Literal["fast", "balanced", "best"] | None = None,
        objective: str | Callable[..., Any] | None = None,
        quantile: float | Collection[float] | None = None,
        calibration_folds: int | Literal["auto"] | None = None,
        huber_delta: float | None = None,
        huber_quantile: float | None = None,
        leaf_rule: Literal["exact", "friedman"] | None = None,
        curvature_rule: Literal["safe", "plain"] | None = None,
        tweedie_variance_power: float | None = None,
        poisson_max_delta_step: float | None = None,
        base_score: float | Collection[float] | None = None,
        boost_from_average: bool | Literal["catboost"] | None = None,
        n_estimators: int | None = None,
        learning_rate: float
        | Literal["auto"]
        | Collection[float]
        | Callable[[int], float]
        | None = None,
        boosting: Literal[
            "plain", "ordered", "dart", "forest", "gbdt", "gbrt", "gbtree", "Plain", "Ordered", "rf"
        ]
        | None = None,
        ordered_permutations: int | None = None,
        num_parallel_tree: int | None = None,
        drop_rate: float | None = None,
        skip_drop: float | None = None,
        max_drop: int | None = None,
        one_drop: bool | None = None,
        drop_sampling: Literal["weighted", "uniform"] | None = None,
        normalize: Literal["lightgbm", "tree", "forest"] | None = None,
        grow_policy: Literal[
            "leafwise",
            "depthwise",
            "symmetric",
            "depthfirst",
            "lossguide",
            "Lossguide",
            "Depthwise",
            "SymmetricTree",
        ]
        | None = None,
        split_method: Literal["auto", "hist", "approx", "exact"] | None = None,
        multi_strategy: Literal[
            "one_tree_per_output", "vector_leaf", "one_output_per_tree", "multi_output_tree"
        ]
        | None = None,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_samples_leaf: int | float | None = None,
        min_samples_split: int | float | None = None,
        weighted_counts: bool | None = None,
        min_child_weight: float | None = None,
        min_split_gain: float | None = None,
        min_impurity_decrease: float | None = None,
        min_weight_fraction_leaf: float | None = None,
        ccp_alpha: float | None = None,
        prune: Literal["auto", "before", "after"] | None = None,
        split_hessian: Literal["loss", "unit"] | None = None,
        split_score: Literal["newton", "cosine", "entropy"] | None = None,
        random_strength: float | None = None,
        extra_trees: bool | None = None,
        monotone_constraints: Collection[int] | Mapping[str, int] | str | None = None,
        interaction_constraints: Collection[Collection[int | str]] | str | None = None,
        unlisted_interactions: Literal["alone", "together", "never"] | None = None,
        feature_weights: Collection[float] | Mapping[str, float] | str | None = None,
        reg_lambda: float | None = None,
        reg_alpha: float | None = None,
        max_delta_step: float | Literal["objective"] | None = None,
        leaf_iterations: int | Literal["auto", "catboost"] | None = None,
        leaf_penalty: Literal["value", "step"] | None = None,
        leaf_backtracking: bool | None = None,
        leaf_rows: Literal["sampled", "all"] | None = None,
        leaf_guard: bool | None = None,
        penalize_bounded: bool | None = None,
        drop_hopeless_columns: bool | None = None,
        row_counts: Literal["exact", "hessian"] | None = None,
        colsample_bytree: float | None = None,
        colsample_bylevel: float | None = None,
        colsample_bynode: float | int | Literal["sqrt", "log2"] | None = None,
        draw_until_split: bool | None = None,
        leaf_model: Literal["constant", "linear"] | None = None,
        linear_fit: Literal["after", "gain"] | None = None,
        linear_regression: Literal["additive", "half_additive", "full"] | None = None,
        linear_features: Literal["tree"] | Collection[int | str] | str | None = None,
        max_linear_features: int | None = None,
        linear_lambda: float | Literal["auto"] | None = None,
        extrapolate: Literal["clip", "linear"] | None = None,
        sampling: Literal[
            "none", "bernoulli", "uniform", "goss", "mvs", "bayesian", "bootstrap", "catboost"
        ]
        | None = None,
        subsample: float | None = None,
        subsample_freq: int | None = None,
        sampling_unit: Literal["row", "query", "Object", "Group"] | None = None,
        pos_subsample: float | None = None,
        neg_subsample: float | None = None,
        top_rate: float | None = None,
        other_rate: float | None = None,
        mvs_reg: float | Literal["auto"] | None = None,
        bagging_temperature: float | None = None,
        categorical_features: Literal["auto", "none", "from_dtype"]
        | Collection[int | str]
        | str
        | None = None,
        unseen_category: Literal["missing", "error"] | None = None,
        categorical: Literal["auto", "onehot", "subset", "target"]
        | Mapping[str, Literal["auto", "onehot", "subset", "target"]]
        | None = None,
        max_cat_to_subset: int | None = None,
        target_strength: float | None = None,
        target_permutations: int | None = None,
        target_leaves: Literal["same", "own"] | None = None,
        target_bins: int | None = None,
        max_combination: int | None = None,
        max_cat_to_onehot: int | None = None,
        max_cat_threshold: int | None = None,
        cat_smooth: float | Literal["reg_lambda"] | None = None,
        cat_l2: float | None = None,
        min_data_per_group: int | None = None,
        min_data_per_level: float | Literal["cat_smooth"] | None = None,
        cat_rule: Literal["auto", "lightgbm", "xgboost", "histgb"] | None = None,
        cat_missing: Literal["level", "right", "either"] | None = None,
        missing: float | None = None,
        zero_as_missing: bool | None = None,
        max_bins: int | None = None,
        min_data_in_bin: int | None = None,
        sketch_eps: float | None = None,
        approx_scope: Literal["tree", "node"] | None = None,
        eval_metric: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None = None,
        early_stopping_rounds: int | Literal["auto"] | None = None,
        early_stopping_tolerance: float | None = None,
        validation_fraction: float | None = None,
        warm_start: bool | None = None,
        importance_type: Literal[
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
        | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool | int | None = None,
        **other_names: Unpack[OtherNames],
    ) -> None:
        """Make an estimator; ``None`` means the value of the recipe.

        Parameters
        ----------
        recipe : one of 'auto', 'single', 'gbm', 'histgb', 'xgboost', 'lightgbm', 'catboost', 'forest', 'dart', 'plgb', 'tree', default='auto'
            Named set of defaults: ceiba's own ('auto' and variants of it) or those of the library that it is named after. Parameters that you set override the recipe. Choose a library's recipe to reproduce its models, or as a starting point for tuning.
        quality : one of 'fast', 'balanced', 'best', default='balanced'
            How much time recipe auto spends. 'fast' trains once. 'balanced' holds rows out, trains several kinds of trees until the held-out rows stop improving, and averages the best. 'best' tries more kinds and takes up to ten times as long as 'balanced'. All rows are used in the end. With n_estimators, recipe auto trains once with that many rounds, and quality has no effect.
            Only with recipe='auto'.
        objective : a name (a string) or a function, default=None
            Loss to minimize. Default: squared_error for a regressor; logistic (two classes) or softmax (more classes) for a classifier; lambdarank_ndcg for a ranker. A function (y_true, raw_score) must return the gradients and hessians of the unweighted loss; the model then predicts raw scores.
            Also called loss, loss_function, application, app, objective_type.
        quantile : a number above 0 and below 1, or a list of such values, default=0.5 (gbm: 0.9; lightgbm: 0.9)
            Quantile level of the objective and the metric quantile. A list of increasing levels trains one model that predicts all of them, sorted in each row, for example [0.05, 0.5, 0.95] for a 90 % interval with median.
            Also called quantile_alpha.
        calibration_folds : 0, an integer >= 2 or 'auto', default=0 (auto: 'auto'; single: 'auto')
            Number of folds that calibrate objective quantile, so that predicted quantiles keep their level on new rows. Each fold is scored by a model of the other folds, which multiplies the training time. 0 disables calibration; 'auto' uses 5 folds for up to 10,000 rows without early stopping, and none otherwise.
        huber_delta : a finite number, above 0, default=None
            Absolute residual beyond which objectives huber and pseudo_huber (and their metrics) are linear instead of squared, in units of the target. By default, objective huber uses the huber_quantile quantile of the absolute residuals of each round; the others use 1. Set it for pseudo_huber if typical residuals are far from 1.
            Also called huber_slope.
        huber_quantile : a number above 0 and below 1, default=0.9
            Share of rows that objective huber treats with the squared loss if huber_delta is not set.
        leaf_rule : one of 'exact', 'friedman', default='exact' (gbm: 'friedman')
            How leaf values are computed where an objective has a choice. 'exact' minimizes the loss as exactly as the objective can. 'friedman' follows Friedman and scikit-learn's GradientBoosting: (K - 1) / K times the Newton step for softmax of K classes, and one step from the median for huber. With 'friedman', rows with zero residual of absolute_error or quantile count as negative residuals; with 'exact' they count as zero.
        curvature_rule : one of 'safe', 'plain', default='safe' (xgboost: 'plain')
            Second derivative of objectives pseudo_huber and squared_log_error. 'safe' uses an upper bound so that no step overshoots; the raw scores of squared_log_error are then log(1 + prediction). 'plain' uses the second derivative, as XGBoost does.
        tweedie_variance_power : a number above 1 and below 2, default=1.5
            Power p of objective tweedie and its metric: the variance is proportional to mean^p. Values near 1 resemble Poisson, values near 2 resemble gamma.
        poisson_max_delta_step : a finite number, 0 or more, default=0.0 (xgboost: 0.7; lightgbm: 0.7)
            Multiplies the hessians of objective poisson by exp of this value, which shortens steps. Increase it if training diverges on counts much larger than predicted.
        base_score : a finite number, or a list of such values, default=None
            Initial prediction, in prediction units: a number for a regressor, the probability of the second class for objective logistic, a probability per class for softmax. By default it follows boost_from_average.
        boost_from_average : True or False, or 'catboost', default=True (catboost: 'catboost')
            Whether boosting starts from the constant with the lowest loss. False starts from a raw score of 0. 'catboost' starts from the best constant for squared_error, absolute_error and quantile only.
        n_estimators : an integer, 1 or more, default=100 (catboost: 1000; tree: 1)
            Number of boosting rounds. A round grows one tree, or one tree per class for softmax. More rounds need a smaller learning_rate; with early_stopping_rounds, set it generously.
            Also called num_boost_round, num_iterations, num_iteration, iterations, max_iter, n_iter, num_trees, num_tree, num_rounds, num_round, nrounds.
        learning_rate : a number above 0, 'auto', or a schedule: a list with one rate per round, or a function from round number to rate, default=0.1 (xgboost: 0.3; catboost: 'auto', or 0.03 if reg_lambda or leaf_iterations is given)
            Factor of each tree's predictions. Smaller values need more rounds (n_estimators) and usually generalize better. A list or a function from round number to rate makes a schedule. 'auto' is CatBoost's rule, which depends on the objective, the number of rows and n_estimators; the model records the result.
            Also called eta, shrinkage, shrinkage_rate, learning_rates.
        boosting : one of 'plain', 'ordered', 'dart', 'forest', default='plain' (dart: 'dart'; tree: 'forest'; forest: 'forest')
            How trees are combined. 'plain': each tree corrects the sum of the trees before it. 'ordered': plain, with gradients at scores that do not depend on a row's own target, as CatBoost's Ordered; for small tables, losses of single rows and Newton leaves. 'dart': each round ignores a random set of earlier trees (dropout). 'forest': trees are independent, each grown on a sample, and predictions are their mean; there is no learning rate.
            Also called boosting_type, boost.
        ordered_permutations : an integer, 1 or more, default=3
            Number of random permutations of the rows for boosting='ordered'. Each round uses one of them. More permutations reduce variance and cost time and memory.
            Only with boosting='ordered'.
        num_parallel_tree : an integer, 1 or more, default=1
            Number of trees (per class) that a round grows on different samples of rows and columns. Each is scaled by learning_rate / num_parallel_tree, as in XGBoost. n_estimators still counts rounds. It needs some sampling, or all trees of a round are equal.
        drop_rate : a number between 0 and 1, default=0.1 (xgboost: 0.0)
            Probability that boosting='dart' drops the trees of an earlier round.
            Only with boosting='dart'.
            Also called rate_drop.
        skip_drop : a number between 0 and 1, default=0.5 (xgboost: 0.0)
            Probability that a round of boosting='dart' drops no trees.
            Only with boosting='dart'.
        max_drop : an integer, 0 or more, default=50 (xgboost: 0)
            Maximum number of rounds whose trees boosting='dart' drops at a time; 0 means unlimited.
            Only with boosting='dart'.
        one_drop : True or False, default=False
            Whether boosting='dart' drops the trees of at least one round, unless skip_drop skips dropping.
            Only with boosting='dart'.
        drop_sampling : one of 'weighted', 'uniform', default='weighted' (xgboost: 'uniform')
            How boosting='dart' chooses the trees to drop: 'weighted' in proportion to their current weight, or 'uniform' with equal probabilities.
            Only with boosting='dart'.
            Also called sample_type.
        normalize : one of 'lightgbm', 'tree', 'forest', default='lightgbm' (xgboost: 'tree')
            How boosting='dart' rescales trees after a round with learning rate r that dropped the trees of k rounds. 'lightgbm': new trees get the weight r / (k + 1), dropped ones are multiplied by k / (k + 1). 'tree': r / (k + r) and k / (k + r). 'forest': r / (1 + r) and 1 / (1 + r). The last two are XGBoost's.
            Only with boosting='dart'.
            Also called normalize_type.
        grow_policy : one of 'leafwise', 'depthwise', 'symmetric', 'depthfirst', default='leafwise' (xgboost: 'depthwise'; catboost: 'symmetric'; tree: 'depthwise'; forest: 'depthfirst')
            Order in which nodes are split. 'leafwise': the leaf with the highest gain first. 'depthwise': level by level. 'symmetric': level by level with the same split for all nodes of a level; predictions are fast and regularization is strong. 'depthfirst': the deepest leaf first, the fastest policy for unlimited trees. CeibaRanker with recipe auto uses 'symmetric' unless max_leaves is set.
        split_method : one of 'auto', 'hist', 'approx', 'exact', default='auto' (gbm: 'exact'; tree: 'exact')
            Source of candidate thresholds. 'hist': bin edges that are computed once; fast, and accurate enough for almost all tables. 'approx': edges recomputed for each tree or node from hessians. 'exact': all distinct values; slow on large tables, for small tables or exact reproduction of a tree. 'auto' means 'hist'. The model records the method.
            Also called tree_method.
        multi_strategy : one of 'one_tree_per_output', 'vector_leaf', default='one_tree_per_output' (tree: 'vector_leaf')
            How to model several outputs (classes, labels or targets). 'one_tree_per_output' grows a tree per output and round. 'vector_leaf' grows one tree per round whose leaves hold one value per output: faster and smaller, often slightly less accurate. Vector leaves choose splits by the gradients of all outputs for squared error and gini, and by a random projection of them for other losses.
        max_depth : an integer, 0 or more, default=0 if grow_policy is 'leafwise', else 6 (xgboost: 6; lightgbm: 0; histgb: 0; gbm: 3; tree: 0; forest: 0)
            Maximum number of splits on the path from the root to a leaf; 0 means unlimited. Decrease it against overfitting. Leafwise trees are usually limited by max_leaves instead.
            Also called depth.
        max_leaves : 0 (unlimited) or an integer, 2 or more, default=31 if grow_policy is 'leafwise', else 0 (xgboost: 0; lightgbm: 31; histgb: 31; gbm: 0; tree: 0; forest: 0)
            Maximum number of leaves of a tree; 0 means unlimited. The main control of model complexity for leafwise growth: increase it for large tables, decrease it against overfitting.
            Also called num_leaves, max_leaf_nodes, num_leaf, max_leaf.
        min_samples_leaf : an integer, 0 or more, or a number above 0 and below 1, default=20 (xgboost: 0; gbm: 1; catboost: 1; tree: 1; forest: 1)
            Minimum number of rows in a leaf; a number below 1 is a share of all rows. Increase it for noisy targets. In a symmetric tree, a node whose children would have fewer rows adds no gain to the split of its level.
            Also called min_child_samples, min_data_in_leaf, min_data_per_leaf, min_data.
        min_samples_split : an integer, 2 or more, or a number above 0 and below 1, default=2
            Minimum number of rows in a node to split it, counted as for min_samples_leaf; a number below 1 is a share of all rows.
        weighted_counts : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False; tree: False; forest: False)
            Whether a row of weight w counts as w rows in min_samples_leaf and min_samples_split. It applies if all weights are integers with a sum below 2^30; otherwise each row counts once. With True, a weight of 2 gives the same model as the row given twice.
        min_child_weight : a finite number, 0 or more, default=0.001 (xgboost: 1.0; gbm: 0.0; catboost: 0.0; tree: 0.0; forest: 0.0)
            Minimum sum of hessians in a leaf. For squared error this is the sum of weights; for logistic loss it keeps leaves with confident predictions from splitting further. In a symmetric tree, a leaf with less takes the value of its parent.
            Also called min_sum_hessian_in_leaf, min_sum_hessian_per_leaf, min_sum_hessian, min_hessian.
        min_split_gain : a finite number, 0 or more, default=0.0
            Minimum gain of a split. Its scale depends on the loss and the weights: compare it with gains of a trained model (trees_to_frame) before you set it.
            Also called gamma, min_split_loss, min_gain_to_split.
        min_impurity_decrease : a finite number, 0 or more, default=0.0
            Minimum gain of a split divided by the sum of hessians of all rows of the tree. With split_hessian='unit' it equals scikit-learn's weighted decrease of squared error.
        min_weight_fraction_leaf : a number between 0 and 0.5, default=0.0
            Minimum share of the sum of hessians of the tree that a leaf must hold. With split_hessian='unit' it equals scikit-learn's share of weights. In a symmetric tree it acts as min_child_weight does.
        ccp_alpha : a finite number, 0 or more, default=0.0
            Strength of cost-complexity pruning after growth. Each split costs ccp_alpha times the sum of hessians of the tree; subtrees whose gain does not exceed their cost are removed. Symmetric trees lose whole levels. With split_hessian='unit' it equals scikit-learn's parameter.
        prune : one of 'auto', 'before', 'after', default='before' (xgboost: 'auto')
            When min_split_gain applies. 'before': a node with too little gain is not split. 'after': the tree grows fully and is then pruned from its leaves, so that a weak split above a strong one stays. 'auto' is 'after' with split_method='exact' and 'before' otherwise, as in XGBoost.
            Only with min_split_gain other than 0.0.
        split_hessian : one of 'loss', 'unit', default='loss' (gbm: 'unit'; catboost: 'unit')
            Hessians that choose splits: 'loss' uses those of the loss (Newton boosting), 'unit' uses 1 for each row (gradient boosting: trees fit the negative gradients). Leaf values always use the hessians of the loss.
        split_score : one of 'newton', 'cosine', 'entropy', default='newton' (catboost: 'cosine')
            Score that ranks candidate splits. 'newton': the gain of Newton steps. 'cosine': the cosine between leaf values and gradients, as in CatBoost, over all leaves of a level in symmetric growth. 'entropy' (objective gini only): the decrease of the entropy of the classes, in nats summed over rows; penalties then affect leaf values only.
            Also called score.
        random_strength : a finite number, 0 or more, default=0.0 (catboost: 1.0)
            Standard deviation of normal noise on the scores of candidate splits, in units of a typical gradient. The noise decreases as training proceeds, as in CatBoost. It regularizes small tables; 0 disables it.
        extra_trees : True or False, default=False
            Whether each node tries only one random threshold per column (extremely randomized trees), or one random level or set size of a category. Faster and more regularized. Nodes of a level of a symmetric tree share the threshold.
            Also called extra_tree.
        monotone_constraints : a list with one value per column, or a dictionary from column name to value; each value must be an integer between -1 and 1, default=None
            Direction of each column's effect on the raw score (of each class): 1 increasing, -1 decreasing, 0 none; a list in column order or a dictionary by name. Use it to encode knowledge about a column. Missing values are not constrained.
            Also called monotonic_cst, monotone_constraint, mc.
        interaction_constraints : a list of lists of columns, given by name or by position, or 'pairwise', or 'no_interactions', default=None
            Sets of columns that may occur together on a path of a tree. 'no_interactions' allows each column alone (an additive model), 'pairwise' any two columns.
            Also called interaction_cst.
        unlisted_interactions : one of 'alone', 'together', 'never', default='alone' (histgb: 'together'; lightgbm: 'never')
            What interaction_constraints means for columns in none of its sets: 'alone' (each is a set of its own, as in XGBoost), 'together' (all of them form one set, as in scikit-learn) or 'never' (they are not used, as in LightGBM).
            Only with interaction_constraints.
        feature_weights : a list with one value per column, or a dictionary from column name to value; each value must be a finite number, 0 or more, default=None
            Relative weights of columns in column sampling, as a list in column order or a dictionary by name (others have weight 1). Columns of weight 0 are drawn only if the others do not suffice.
            Only with colsample_bytree other than 1.0, or colsample_bylevel other than 1.0, or colsample_bynode other than 1.0.
        reg_lambda : a finite number, 0 or more, default=1.0 (lightgbm: 0.0; histgb: 0.0; gbm: 0.0; catboost: 3.0; tree: 0.0; forest: 0.0)
            L2 penalty on leaf values. Larger values shrink the values of leaves with few rows or small hessians. Increase it against overfitting.
            Also called lambda_l2, l2_leaf_reg, l2_regularization, lambda.
        reg_alpha : a finite number, 0 or more, default=0.0
            L1 penalty on leaf values. It sets the values of leaves with small gradient sums to zero.
            Also called lambda_l1, l1_regularization.
        max_delta_step : a finite number, 0 or more, or 'objective', default=0.0 (xgboost: 'objective')
            Maximum absolute leaf value before the learning rate; 0 means unlimited. Values of 1 to 10 can stabilize losses with small hessians, for example logistic loss with rare classes. 'objective' is 0.7 for poisson and unlimited for other objectives, as in XGBoost.
            Also called max_leaf_output, max_tree_output.
        leaf_iterations : an integer, 1 or more, or one of 'auto', 'catboost', default=1 (auto: 'auto'; single: 'auto'; catboost: 'catboost')
            Maximum number of Newton steps per leaf value. Further steps bring a leaf closer to the minimum of its own loss, which helps symmetric trees. 'auto' is 3 for objectives logistic and cross_entropy with symmetric growth, else 1. 'catboost' is 10 for those two and for poisson with n_estimators of 200 or more, else 1. Objectives whose first step is exact take one step; ranking objectives and objectives with several scores per row refuse more than one.
            Also called leaf_estimation_iterations.
        leaf_penalty : one of 'value', 'step', default='value' (catboost: 'step')
            What reg_lambda penalizes if leaf_iterations allows several steps: 'value' penalizes the leaf value; 'step' penalizes each step, so that many steps approach the unpenalized minimum, as in CatBoost.
            Only with leaf_iterations other than 1 and reg_lambda other than 0.0.
        leaf_backtracking : True or False, default=True
            Whether Newton steps after the first that would overshoot the known minimum are halved.
            Only with leaf_iterations other than 1.
        leaf_rows : one of 'sampled', 'all', default='sampled' (catboost: 'all')
            Rows that leaf values are computed from: 'sampled' uses the rows that the tree was grown on; 'all' uses all rows, so that sampling affects splits only, as in CatBoost.
            Only with sampling of rows: subsample below 1, or sampling='bootstrap', 'bayesian', 'goss' or 'mvs'.
        leaf_guard : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False)
            Whether to shorten Newton steps that overshoot the minimum of a leaf's loss. It prevents divergence with large learning rates and rare classes. Leaves of poisson, gamma and tweedie stop at their minimum. Leaves of logistic, cross_entropy, exponential, softmax and one_against_rest (except in forests) are limited to log(1 + |Newton step|); at a learning rate of 0.1 this affects steps above 36, at 1 all steps.
        penalize_bounded : True or False, default=True
            Whether reg_alpha counts in the gain of splits whose leaf values are bounded by max_delta_step or monotone_constraints. Set it to False to reproduce XGBoost before 3.4.
            Only with reg_alpha other than 0.0 and max_delta_step other than 0.0, or reg_alpha other than 0.0 and monotone_constraints.
        drop_hopeless_columns : True or False, default=False (lightgbm: True)
            Whether a column without a split of positive gain (or of min_split_gain) at a node is ignored in all nodes below it, as in LightGBM. It saves time, but misses interactions between columns that have no effect alone.
            Only with split_method other than 'exact' and grow_policy other than 'symmetric' and split_score other than 'cosine' and random_strength=0.0.
        row_counts : one of 'exact', 'hessian', default='exact' (lightgbm: 'hessian')
            How candidate splits count rows for min_samples_leaf, min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in LightGBM (hessian sum × rows / hessian sum of the node, rounded per bin). Estimates count confidently predicted rows less. Set 'exact' under recipe lightgbm to make limits exact; both agree for squared error without weights. Vector leaves and linear_fit='gain' always count exactly.
            Only with split_method other than 'exact' or 'approx' and grow_policy='leafwise' or 'depthwise' and extra_trees=False and split_score other than 'cosine' and random_strength=0.0.
        colsample_bytree : a number above 0 and at most 1, default=1.0
            Share of the columns that each tree may use. Values below 1 decorrelate trees and save time on wide tables.
            Also called feature_fraction, sub_feature.
        colsample_bylevel : a number above 0 and at most 1, default=1.0
            Share of the tree's columns (colsample_bytree) that each level may use.
        colsample_bynode : a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2', default=1.0 (forest: 'sqrt')
            Share or number of the level's columns (colsample_bylevel) that each node may use. 'sqrt' and 'log2' are functions of the total number of columns. The usual randomization of forests.
            Also called rsm, max_features, feature_fraction_bynode, sub_feature_bynode.
        draw_until_split : True or False, default=False (forest: True; tree: True)
            Whether a node without a valid split among its sampled columns (colsample_bynode) samples further columns, one at a time, until one has a split, as scikit-learn's trees do.
            Only with colsample_bynode other than 1.0 and grow_policy other than 'symmetric'.
        leaf_model : one of 'constant', 'linear', default='constant' (plgb: 'linear')
            Content of leaves: 'constant' is one number; 'linear' adds slopes for a few numeric columns, which needs fewer trees when the target changes linearly with a feature. Missing values of these columns add 0. Linear leaves do not use categories and do not support monotone constraints.
        linear_fit : one of 'after', 'gain', default='after' (plgb: 'gain')
            How linear leaves are found. 'after': trees grow as with constant leaves, then each leaf is fitted, as LightGBM's linear_tree does; fast. 'gain': each split is chosen by the gain of linear fits in its children (piecewise-linear boosting); slower, often more accurate.
            Only with leaf_model='linear'.
        linear_regression : one of 'additive', 'half_additive', 'full', default='half_additive'
            What linear_fit='gain' refits in the children of a candidate split. 'additive': a constant and the slope of the split column. 'half_additive': also a factor of the parent's linear function. 'full': all slopes, with at most 8 columns; slow.
            Only with leaf_model='linear' and linear_fit='gain'.
        linear_features : 'tree', or a list of columns, given by name or by position, default=None
            Columns of linear leaves: None uses the split columns on the path to the leaf, 'tree' the split columns of the whole tree. A list of names or positions uses exactly these columns.
            Only with leaf_model='linear'.
        max_linear_features : an integer, 1 or more, default=5
            Maximum number of columns of a linear leaf: the first ones on the path from the root, or those with the largest gain in the tree (linear_features='tree').
            Only with leaf_model='linear' and linear_features=None or 'tree'.
        linear_lambda : a finite number, 0 or more, or 'auto', default=0.1 (lightgbm: 0.0; plgb: 'auto')
            L2 penalty on the slopes of linear leaves, for columns scaled to unit standard deviation within the leaf; for squared error, 1 acts like one additional row. 'auto' applies a penalty of 1 and then shrinks the slopes of each leaf by their estimated noise (James-Stein): slopes with an F statistic below 2 become 0. reg_lambda penalizes the constant.
            Only with leaf_model='linear'.
        extrapolate : one of 'clip', 'linear', default='clip'
            Value of a linear leaf outside the range of its training rows: 'clip' uses the nearest value inside the range, 'linear' continues the line. 'clip' is safer; use 'linear' for trends.
            Only with leaf_model='linear'.
        sampling : one of 'none', 'bernoulli', 'uniform', 'goss', 'mvs', 'bayesian', 'bootstrap', 'catboost', default='bernoulli' (catboost: 'catboost'; forest: 'bootstrap')
            How each round samples rows. 'bernoulli': each row with probability subsample. 'uniform': exactly that share of the rows. 'bootstrap': that share, drawn with replacement. 'bayesian': all rows with random weights (bagging_temperature). 'goss': rows with large gradients and a sample of the others (top_rate, other_rate). 'mvs': with probabilities proportional to gradient size, about subsample of the rows. 'none': all rows. goss and mvs up-weight sampled rows so that sums stay unbiased. 'catboost': bayesian for softmax without subsample, otherwise mvs.
        subsample : a number above 0 and at most 1, default=0.8 if sampling is 'mvs' or 'catboost', else 1.0
            Share of the rows that each round samples. Values of 0.5 to 0.9 regularize and save time.
            Also called bagging_fraction, bagging, sub_row.
        subsample_freq : an integer, 0 or more, default=1
            Number of rounds that share a sample of rows. 0 disables sampling, as LightGBM's bagging_freq does. goss and mvs sample in each round.
            Only with random sampling of rows: subsample below 1, or sampling='bootstrap' or 'bayesian'.
            Also called bagging_freq.
        sampling_unit : one of 'row', 'query', default='row'
            What is sampled: single rows or, for ranking, whole queries (not with goss and mvs).
            Only with sampling of rows: subsample below 1, or sampling='bootstrap', 'bayesian', 'goss' or 'mvs'.
        pos_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 1 that each round samples, for binary classification. If it or neg_subsample is below 1, they replace subsample. Use neg_subsample below 1 to save time when negatives are plentiful.
            Only with sampling='bernoulli' or 'uniform'.
            Also called pos_bagging_fraction, pos_bagging, pos_sub_row.
        neg_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 0 that each round samples; see pos_subsample.
            Only with sampling='bernoulli' or 'uniform'.
            Also called neg_bagging_fraction, neg_bagging, neg_sub_row.
        top_rate : a number between 0 and 1, default=0.2
            Share of all rows with the largest |gradient × hessian| (summed over outputs) that sampling='goss' keeps with weight 1. The first 1 / learning_rate rounds use all rows.
            Only with sampling='goss'.
        other_rate : a number above 0 and at most 1, default=0.1
            Share of all rows that sampling='goss' draws at random from the rest. They get the weight (1 - top_rate) / other_rate.
            Only with sampling='goss'.
        mvs_reg : a finite number, 0 or more, or 'auto', default='auto'
            Constant that sampling='mvs' adds to the squared gradient of a row before taking the root; larger values make sampling more uniform. 'auto' uses the squared mean absolute leaf value of the last tree (before the first tree, the squared mean gradient).
            Only with sampling='mvs' or 'catboost'.
        bagging_temperature : a number between 0 and 10, default=1.0
            Strength of sampling='bayesian': row weights are (-log u)^bagging_temperature for uniform random u. 1 is the Bayesian bootstrap; 0 gives equal weights.
            Only with sampling='bayesian' or 'catboost'.
        categorical_features : 'auto', 'none' or a list of columns, given by name or by position, default='auto'
            Categorical columns. 'auto': text columns and columns of a categorical type. 'none': no column; text columns raise an error. A list of names or positions adds columns to those of 'auto', for example integer identifiers.
            Also called cat_features, cat_feature, cat_column, categorical_feature, categorical_column.
        unseen_category : one of 'missing', 'error', default='missing'
            What to do with levels that the training data did not contain, in eval sets and at predict: treat them as 'missing', or raise an 'error'. The model stores the rule. Between cross-validation folds they are always missing.
        categorical : one of 'auto', 'onehot', 'subset', 'target', or a dictionary from column name to one of these, default='auto'
            How categorical columns are split. 'onehot': one level against all others. 'subset': a set of levels against the rest. 'target': each category is replaced by the mean target of its training rows (ordered target statistics: each row uses only the rows before it in random permutations). 'auto': onehot below max_cat_to_onehot levels, target above max_cat_to_subset, subset in between; subset instead of target for rows on several workers. A dictionary sets single columns. model.categorical lists the choice.
        max_cat_to_subset : an integer, 0 or more, default=64 (gbm: 0; histgb: 0; xgboost: 0; lightgbm: 0; dart: 0; tree: 0; catboost: 2)
            Maximum number of levels of a category that categorical='auto' splits by subsets; categories with more levels use target statistics. 0 disables target statistics.
            Only with categorical='auto'.
        target_strength : a finite number, 0 or more, default=1.0
            Strength of shrinkage towards the prior in target statistics: (sum of targets + strength × prior) / (rows + strength). Increase it if levels are rare and the target is noisy. The prior is the mean target; binary classification has two statistics, with priors 0 and 1.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
        target_permutations : an integer between 1 and 64, default=2
            Number of random permutations of the rows over which target statistics of training rows are averaged. More permutations reduce noise and cost time.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
        target_leaves : one of 'same', 'own', default='same' (catboost: 'own')
            Which permutations route training rows to leaves for leaf values: 'same' uses those that choose splits; 'own' uses additional permutations, so that leaf values do not fit the chance of the first ones. 'own' takes longer and overfits less.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0, split_method='hist' and leaf_model='constant'.
        target_bins : 0 or an integer between 3 and 65535, default=32
            Maximum number of bins of a target statistic; 0 means max_bins. Few bins reduce overfitting.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0, and split_method='hist'.
        max_combination : an integer between 1 and 8, default=2
            Maximum number of categories that one target statistic combines. Combinations are added where trial trees use the categories together and gain at least 5 % more with the combination. 1 disables combinations.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
            Also called max_ctr_complexity.
        max_cat_to_onehot : an integer, 0 or more, default=13 (gbm: 4; xgboost: 4; lightgbm: 4; dart: 4; histgb: 0; tree: 0; catboost: 3)
            Number of levels below which categorical='auto' uses onehot splits.
            Only with categorical='auto'.
        max_cat_threshold : an integer, 1 or more, default=32 (xgboost: 64; histgb: 65535; tree: 65535)
            Maximum number of levels in the set of a subset split.
            Only with categorical='auto' or 'subset'.
        cat_smooth : a finite number, 0 or more, or 'reg_lambda', default=10.0 (xgboost: 'reg_lambda'; tree: 0.0)
            Smoothing of subset splits: levels are sorted by gradient sum / (hessian sum + cat_smooth), which moves rare levels to the middle. 'reg_lambda' uses that value.
            Only with categorical='auto' or 'subset'.
        cat_l2 : a finite number, 0 or more, default=10.0 (xgboost: 0.0; histgb: 0.0; tree: 0.0)
            Additional L2 penalty, besides reg_lambda, on leaf values of subset splits.
            Only with categorical='auto' or 'subset'.
        min_data_per_group : an integer, 1 or more, default=100 (xgboost: 1; histgb: 1; tree: 1)
            Minimum number of rows by which the set of a subset split must grow before it is evaluated again. Larger values regularize and save time.
            Only with categorical='auto' or 'subset'.
        min_data_per_level : a finite number, 0 or more, or 'cat_smooth', default='cat_smooth' (xgboost: 0.0; histgb: 10.0; tree: 0.0)
            Minimum number of rows of a level in a node for subset splits to consider it; 'cat_smooth' uses that value.
            Only with categorical='auto' or 'subset'.
        cat_rule : one of 'auto', 'lightgbm', 'xgboost', 'histgb', default='auto' (lightgbm: 'lightgbm'; xgboost: 'xgboost'; histgb: 'histgb')
            Details of the search for subsets. 'auto' and 'lightgbm': sets hold at most half of the levels of a node; 'lightgbm' also treats rare levels as missing values. 'xgboost': sets hold any number of levels below max_cat_threshold, and levels too light for a leaf are sorted to the middle. 'histgb': sets are built from one end of the sorted levels only, and a node needs two levels.
            Only with categorical='auto' or 'subset' or 'onehot'.
        cat_missing : one of 'level', 'right', 'either', default='level' (lightgbm: 'right'; xgboost: 'either')
            Where missing values of a category go: 'level' treats them as a level of their own, 'right' sends them right, 'either' tries both sides of each set.
            Only with categorical='auto' or 'subset' or 'onehot'.
        missing : a finite number or NaN, default=None
            Value that marks a missing entry in addition to NaN, for example -999, in training, evaluation and prediction. In 32-bit float columns the nearest 32-bit value counts. With train, pass it to Dataset.
        zero_as_missing : True or False, default=False
            Whether entries that a sparse matrix (or a pandas sparse column with fill value 0) does not store are missing values; otherwise they are 0. Stored zeros remain 0. With train, pass it to Dataset.
        max_bins : an integer between 3 and 65535, default=256 (lightgbm: 255; catboost: 255)
            Maximum number of bins of a column, including the bin for missing values. Fewer bins are faster and regularize; more than 256 bins take more time and memory and rarely gain accuracy.
            Only with split_method='hist'.
            Also called max_bin, border_count.
        min_data_in_bin : an integer, 1 or more, default=3 (xgboost: 1; histgb: 1; gbm: 1; catboost: 1; forest: 1; tree: 1)
            Minimum number of rows in a bin (a row of weight w counts as w rows).
            Only with split_method='hist'.
        sketch_eps : a number between 0.0001 and 0.5, default=0.00390625
            Resolution of split_method='approx': candidate thresholds lie about this share of the total hessian apart, so a column has at most 1 / sketch_eps bins, including the one for missing values.
            Only with split_method='approx'.
        approx_scope : one of 'tree', 'node', default='tree'
            How often split_method='approx' computes candidate thresholds: once per 'tree', or once per 'node' (per level in symmetric growth), which is slower.
            Only with split_method='approx'.
        eval_metric : a name (a string) or a function, or a list of such values, default=None
            Metric or list of metrics for eval sets; the last one decides early stopping. Default: the metric of the objective, also named 'loss'; an empty list disables metrics. A function (y_true, y_pred), with an optional argument sample_weight, returns a number or (name, number, higher_is_better). Scorers of scikit-learn and their names are accepted.
            Also called metric, metrics, metric_types, scoring.
        early_stopping_rounds : an integer, 0 or more, or 'auto', default=0 (histgb: 'auto')
            Stop after this many rounds without improvement on the last eval set and keep the best iteration. 0 disables early stopping; 'auto' waits 10 rounds on more than 10,000 rows and is 0 otherwise. Without an eval set, estimators hold out validation_fraction of the rows.
            Also called n_iter_no_change, od_wait, early_stopping_round.
        early_stopping_tolerance : a finite number, 0 or more, default=0.0 (histgb: 1e-07; gbm: 0.0001)
            Minimum improvement of the metric over the best value so far to count as an improvement.
            Only with early_stopping_rounds other than 0.
            Also called tol, min_delta, early_stopping_min_delta.
        validation_fraction : a number above 0 and at most 0.9, default=0.1
            Share of the training rows held out for early stopping if there is no eval set: stratified by class for a classifier, whole queries for a ranker. Held-out rows are scored with their sample weights. train holds rows out only if you set this parameter (or early_stopping_rounds='auto').
            Only with early_stopping_rounds other than 0.
        warm_start : True or False, default=False
            Whether a repeated call of fit keeps the existing trees and adds rounds up to n_estimators.
        importance_type : one of 'gain', 'cover', 'split', 'mean_gain', 'mean_cover', 'mean_rows', 'mdi', 'total_gain', 'total_cover', 'prediction_values_change', default='gain'
            Kind of feature_importances_, normalized to a sum of 1: total gain, total cover (hessians), number of splits, means per split, or mean decrease in impurity. Under recipe xgboost, gain and cover are means per split, as in XGBoost, and total_gain and total_cover are sums.
        random_state : an integer between 0 and 2^63 - 1 or a numpy random generator, default=0
            Seed of all random choices: sampling of rows and columns, permutations, noise. The same seed gives the same model, on any number of threads.
            Also called seed, random_seed.
        n_jobs : a number of threads, 1 or more, or -1 for all of them, -2 for all but one and so on, default=-1
            Number of threads; -1 means all cores available to the process, -2 all but one, as in scikit-learn. The model does not depend on it.
            Also called nthread, nthreads, num_threads, num_thread, thread_count.
        verbose : True, False or an integer, 0 or more, default=0
            Progress output: True shows a progress bar (a few lines if rich is not installed), n prints metrics every n rounds, 0 is silent.
        """

class ClassifierSignature:
    def __init__(
        self,
        *,
        recipe: Literal[
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
        | None = "auto",
        quality: Literal["fast", "balanced", "best"] | None = None,
        objective: str | Callable[..., Any] | None = None,
        n_classes: int | None = None,
        hessian_factor: float | Literal["classes"] | None = None,
        leaf_rule: Literal["exact", "friedman"] | None = None,
        scale_pos_weight: float | None = None,
        base_score: float | Collection[float] | None = None,
        boost_from_average: bool | Literal["catboost"] | None = None,
        n_estimators: int | None = None,
        learning_rate: float
        | Literal["auto"]
        | Collection[float]
        | Callable[[int], float]
        | None = None,
        boosting: Literal[
            "plain", "ordered", "dart", "forest", "gbdt", "gbrt", "gbtree", "Plain", "Ordered", "rf"
        ]
        | None = None,
        ordered_permutations: int | None = None,
        num_parallel_tree: int | None = None,
        drop_rate: float | None = None,
        skip_drop: float | None = None,
        max_drop: int | None = None,
        one_drop: bool | None = None,
        drop_sampling: Literal["weighted", "uniform"] | None = None,
        normalize: Literal["lightgbm", "tree", "forest"] | None = None,
        grow_policy: Literal[
            "leafwise",
            "depthwise",
            "symmetric",
            "depthfirst",
            "lossguide",
            "Lossguide",
            "Depthwise",
            "SymmetricTree",
        ]
        | None = None,
        split_method: Literal["auto", "hist", "approx", "exact"] | None = None,
        multi_strategy: Literal[
            "one_tree_per_output", "vector_leaf", "one_output_per_tree", "multi_output_tree"
        ]
        | None = None,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_samples_leaf: int | float | None = None,
        min_samples_split: int | float | None = None,
        weighted_counts: bool | None = None,
        min_child_weight: float | None = None,
        min_split_gain: float | None = None,
        min_impurity_decrease: float | None = None,
        min_weight_fraction_leaf: float | None = None,
        ccp_alpha: float | None = None,
        prune: Literal["auto", "before", "after"] | None = None,
        split_hessian: Literal["loss", "unit"] | None = None,
        split_score: Literal["newton", "cosine", "entropy"] | None = None,
        random_strength: float | None = None,
        extra_trees: bool | None = None,
        monotone_constraints: Collection[int] | Mapping[str, int] | str | None = None,
        interaction_constraints: Collection[Collection[int | str]] | str | None = None,
        unlisted_interactions: Literal["alone", "together", "never"] | None = None,
        feature_weights: Collection[float] | Mapping[str, float] | str | None = None,
        reg_lambda: float | None = None,
        reg_alpha: float | None = None,
        max_delta_step: float | Literal["objective"] | None = None,
        leaf_iterations: int | Literal["auto", "catboost"] | None = None,
        leaf_penalty: Literal["value", "step"] | None = None,
        leaf_backtracking: bool | None = None,
        leaf_rows: Literal["sampled", "all"] | None = None,
        leaf_guard: bool | None = None,
        penalize_bounded: bool | None = None,
        drop_hopeless_columns: bool | None = None,
        row_counts: Literal["exact", "hessian"] | None = None,
        colsample_bytree: float | None = None,
        colsample_bylevel: float | None = None,
        colsample_bynode: float | int | Literal["sqrt", "log2"] | None = None,
        draw_until_split: bool | None = None,
        leaf_model: Literal["constant", "linear"] | None = None,
        linear_fit: Literal["after", "gain"] | None = None,
        linear_regression: Literal["additive", "half_additive", "full"] | None = None,
        linear_features: Literal["tree"] | Collection[int | str] | str | None = None,
        max_linear_features: int | None = None,
        linear_lambda: float | Literal["auto"] | None = None,
        extrapolate: Literal["clip", "linear"] | None = None,
        sampling: Literal[
            "none", "bernoulli", "uniform", "goss", "mvs", "bayesian", "bootstrap", "catboost"
        ]
        | None = None,
        subsample: float | None = None,
        subsample_freq: int | None = None,
        sampling_unit: Literal["row", "query", "Object", "Group"] | None = None,
        pos_subsample: float | None = None,
        neg_subsample: float | None = None,
        top_rate: float | None = None,
        other_rate: float | None = None,
        mvs_reg: float | Literal["auto"] | None = None,
        bagging_temperature: float | None = None,
        categorical_features: Literal["auto", "none", "from_dtype"]
        | Collection[int | str]
        | str
        | None = None,
        unseen_category: Literal["missing", "error"] | None = None,
        categorical: Literal["auto", "onehot", "subset", "target"]
        | Mapping[str, Literal["auto", "onehot", "subset", "target"]]
        | None = None,
        max_cat_to_subset: int | None = None,
        target_strength: float | None = None,
        target_permutations: int | None = None,
        target_leaves: Literal["same", "own"] | None = None,
        target_bins: int | None = None,
        max_combination: int | None = None,
        max_cat_to_onehot: int | None = None,
        max_cat_threshold: int | None = None,
        cat_smooth: float | Literal["reg_lambda"] | None = None,
        cat_l2: float | None = None,
        min_data_per_group: int | None = None,
        min_data_per_level: float | Literal["cat_smooth"] | None = None,
        cat_rule: Literal["auto", "lightgbm", "xgboost", "histgb"] | None = None,
        cat_missing: Literal["level", "right", "either"] | None = None,
        missing: float | None = None,
        zero_as_missing: bool | None = None,
        max_bins: int | None = None,
        min_data_in_bin: int | None = None,
        sketch_eps: float | None = None,
        approx_scope: Literal["tree", "node"] | None = None,
        eval_metric: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None = None,
        early_stopping_rounds: int | Literal["auto"] | None = None,
        early_stopping_tolerance: float | None = None,
        validation_fraction: float | None = None,
        warm_start: bool | None = None,
        class_weight: Literal["balanced", "balanced_subsample", "balanced_up", "sqrt_balanced_up"]
        | Mapping[Any, float]
        | None = None,
        importance_type: Literal[
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
        | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool | int | None = None,
        **other_names: Unpack[OtherNames],
    ) -> None:
        """Make an estimator; ``None`` means the value of the recipe.

        Parameters
        ----------
        recipe : one of 'auto', 'single', 'gbm', 'histgb', 'xgboost', 'lightgbm', 'catboost', 'forest', 'dart', 'plgb', 'tree', default='auto'
            Named set of defaults: ceiba's own ('auto' and variants of it) or those of the library that it is named after. Parameters that you set override the recipe. Choose a library's recipe to reproduce its models, or as a starting point for tuning.
        quality : one of 'fast', 'balanced', 'best', default='balanced'
            How much time recipe auto spends. 'fast' trains once. 'balanced' holds rows out, trains several kinds of trees until the held-out rows stop improving, and averages the best. 'best' tries more kinds and takes up to ten times as long as 'balanced'. All rows are used in the end. With n_estimators, recipe auto trains once with that many rounds, and quality has no effect.
            Only with recipe='auto'.
        objective : a name (a string) or a function, default=None
            Loss to minimize. Default: squared_error for a regressor; logistic (two classes) or softmax (more classes) for a classifier; lambdarank_ndcg for a ranker. A function (y_true, raw_score) must return the gradients and hessians of the unweighted loss; the model then predicts raw scores.
            Also called loss, loss_function, application, app, objective_type.
        n_classes : an integer, 2 or more, default=None
            Number of classes of objective softmax; by default the largest class index plus one. For an objective given as a function: number of scores per row, by default one. A classifier counts the classes in the labels and refuses another number.
            Also called num_class, num_classes, classes_count.
        hessian_factor : a finite number, above 0, or 'classes', default=1.0 (xgboost: 2.0; lightgbm: 'classes')
            Factor of p(1 - p) in the softmax hessian; 'classes' means K / (K - 1) for K classes, as in LightGBM. Larger factors make smaller steps. Only softmax uses it.
        leaf_rule : one of 'exact', 'friedman', default='exact' (gbm: 'friedman')
            How leaf values are computed where an objective has a choice. 'exact' minimizes the loss as exactly as the objective can. 'friedman' follows Friedman and scikit-learn's GradientBoosting: (K - 1) / K times the Newton step for softmax of K classes, and one step from the median for huber. With 'friedman', rows with zero residual of absolute_error or quantile count as negative residuals; with 'exact' they count as zero.
        scale_pos_weight : a finite number, above 0, default=1.0
            Factor on the weights of training rows of class 1, for binary classification. Use the ratio of negative to positive rows for imbalanced classes if you need a better ranking of rows; predicted probabilities are then no longer calibrated. Weights of eval sets and held-out rows do not change.
        base_score : a finite number, or a list of such values, default=None
            Initial prediction, in prediction units: a number for a regressor, the probability of the second class for objective logistic, a probability per class for softmax. By default it follows boost_from_average.
        boost_from_average : True or False, or 'catboost', default=True (catboost: 'catboost')
            Whether boosting starts from the constant with the lowest loss. False starts from a raw score of 0. 'catboost' starts from the best constant for squared_error, absolute_error and quantile only.
        n_estimators : an integer, 1 or more, default=100 (catboost: 1000; tree: 1)
            Number of boosting rounds. A round grows one tree, or one tree per class for softmax. More rounds need a smaller learning_rate; with early_stopping_rounds, set it generously.
            Also called num_boost_round, num_iterations, num_iteration, iterations, max_iter, n_iter, num_trees, num_tree, num_rounds, num_round, nrounds.
        learning_rate : a number above 0, 'auto', or a schedule: a list with one rate per round, or a function from round number to rate, default=0.1 (xgboost: 0.3; catboost: 'auto', or 0.03 if reg_lambda or leaf_iterations is given)
            Factor of each tree's predictions. Smaller values need more rounds (n_estimators) and usually generalize better. A list or a function from round number to rate makes a schedule. 'auto' is CatBoost's rule, which depends on the objective, the number of rows and n_estimators; the model records the result.
            Also called eta, shrinkage, shrinkage_rate, learning_rates.
        boosting : one of 'plain', 'ordered', 'dart', 'forest', default='plain' (dart: 'dart'; tree: 'forest'; forest: 'forest')
            How trees are combined. 'plain': each tree corrects the sum of the trees before it. 'ordered': plain, with gradients at scores that do not depend on a row's own target, as CatBoost's Ordered; for small tables, losses of single rows and Newton leaves. 'dart': each round ignores a random set of earlier trees (dropout). 'forest': trees are independent, each grown on a sample, and predictions are their mean; there is no learning rate.
            Also called boosting_type, boost.
        ordered_permutations : an integer, 1 or more, default=3
            Number of random permutations of the rows for boosting='ordered'. Each round uses one of them. More permutations reduce variance and cost time and memory.
            Only with boosting='ordered'.
        num_parallel_tree : an integer, 1 or more, default=1
            Number of trees (per class) that a round grows on different samples of rows and columns. Each is scaled by learning_rate / num_parallel_tree, as in XGBoost. n_estimators still counts rounds. It needs some sampling, or all trees of a round are equal.
        drop_rate : a number between 0 and 1, default=0.1 (xgboost: 0.0)
            Probability that boosting='dart' drops the trees of an earlier round.
            Only with boosting='dart'.
            Also called rate_drop.
        skip_drop : a number between 0 and 1, default=0.5 (xgboost: 0.0)
            Probability that a round of boosting='dart' drops no trees.
            Only with boosting='dart'.
        max_drop : an integer, 0 or more, default=50 (xgboost: 0)
            Maximum number of rounds whose trees boosting='dart' drops at a time; 0 means unlimited.
            Only with boosting='dart'.
        one_drop : True or False, default=False
            Whether boosting='dart' drops the trees of at least one round, unless skip_drop skips dropping.
            Only with boosting='dart'.
        drop_sampling : one of 'weighted', 'uniform', default='weighted' (xgboost: 'uniform')
            How boosting='dart' chooses the trees to drop: 'weighted' in proportion to their current weight, or 'uniform' with equal probabilities.
            Only with boosting='dart'.
            Also called sample_type.
        normalize : one of 'lightgbm', 'tree', 'forest', default='lightgbm' (xgboost: 'tree')
            How boosting='dart' rescales trees after a round with learning rate r that dropped the trees of k rounds. 'lightgbm': new trees get the weight r / (k + 1), dropped ones are multiplied by k / (k + 1). 'tree': r / (k + r) and k / (k + r). 'forest': r / (1 + r) and 1 / (1 + r). The last two are XGBoost's.
            Only with boosting='dart'.
            Also called normalize_type.
        grow_policy : one of 'leafwise', 'depthwise', 'symmetric', 'depthfirst', default='leafwise' (xgboost: 'depthwise'; catboost: 'symmetric'; tree: 'depthwise'; forest: 'depthfirst')
            Order in which nodes are split. 'leafwise': the leaf with the highest gain first. 'depthwise': level by level. 'symmetric': level by level with the same split for all nodes of a level; predictions are fast and regularization is strong. 'depthfirst': the deepest leaf first, the fastest policy for unlimited trees. CeibaRanker with recipe auto uses 'symmetric' unless max_leaves is set.
        split_method : one of 'auto', 'hist', 'approx', 'exact', default='auto' (gbm: 'exact'; tree: 'exact')
            Source of candidate thresholds. 'hist': bin edges that are computed once; fast, and accurate enough for almost all tables. 'approx': edges recomputed for each tree or node from hessians. 'exact': all distinct values; slow on large tables, for small tables or exact reproduction of a tree. 'auto' means 'hist'. The model records the method.
            Also called tree_method.
        multi_strategy : one of 'one_tree_per_output', 'vector_leaf', default='one_tree_per_output' (tree: 'vector_leaf')
            How to model several outputs (classes, labels or targets). 'one_tree_per_output' grows a tree per output and round. 'vector_leaf' grows one tree per round whose leaves hold one value per output: faster and smaller, often slightly less accurate. Vector leaves choose splits by the gradients of all outputs for squared error and gini, and by a random projection of them for other losses.
        max_depth : an integer, 0 or more, default=0 if grow_policy is 'leafwise', else 6 (xgboost: 6; lightgbm: 0; histgb: 0; gbm: 3; tree: 0; forest: 0)
            Maximum number of splits on the path from the root to a leaf; 0 means unlimited. Decrease it against overfitting. Leafwise trees are usually limited by max_leaves instead.
            Also called depth.
        max_leaves : 0 (unlimited) or an integer, 2 or more, default=31 if grow_policy is 'leafwise', else 0 (xgboost: 0; lightgbm: 31; histgb: 31; gbm: 0; tree: 0; forest: 0)
            Maximum number of leaves of a tree; 0 means unlimited. The main control of model complexity for leafwise growth: increase it for large tables, decrease it against overfitting.
            Also called num_leaves, max_leaf_nodes, num_leaf, max_leaf.
        min_samples_leaf : an integer, 0 or more, or a number above 0 and below 1, default=20 (xgboost: 0; gbm: 1; catboost: 1; tree: 1; forest: 1)
            Minimum number of rows in a leaf; a number below 1 is a share of all rows. Increase it for noisy targets. In a symmetric tree, a node whose children would have fewer rows adds no gain to the split of its level.
            Also called min_child_samples, min_data_in_leaf, min_data_per_leaf, min_data.
        min_samples_split : an integer, 2 or more, or a number above 0 and below 1, default=2
            Minimum number of rows in a node to split it, counted as for min_samples_leaf; a number below 1 is a share of all rows.
        weighted_counts : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False; tree: False; forest: False)
            Whether a row of weight w counts as w rows in min_samples_leaf and min_samples_split. It applies if all weights are integers with a sum below 2^30; otherwise each row counts once. With True, a weight of 2 gives the same model as the row given twice.
        min_child_weight : a finite number, 0 or more, default=0.001 (xgboost: 1.0; gbm: 0.0; catboost: 0.0; tree: 0.0; forest: 0.0)
            Minimum sum of hessians in a leaf. For squared error this is the sum of weights; for logistic loss it keeps leaves with confident predictions from splitting further. In a symmetric tree, a leaf with less takes the value of its parent.
            Also called min_sum_hessian_in_leaf, min_sum_hessian_per_leaf, min_sum_hessian, min_hessian.
        min_split_gain : a finite number, 0 or more, default=0.0
            Minimum gain of a split. Its scale depends on the loss and the weights: compare it with gains of a trained model (trees_to_frame) before you set it.
            Also called gamma, min_split_loss, min_gain_to_split.
        min_impurity_decrease : a finite number, 0 or more, default=0.0
            Minimum gain of a split divided by the sum of hessians of all rows of the tree. With split_hessian='unit' it equals scikit-learn's weighted decrease of squared error.
        min_weight_fraction_leaf : a number between 0 and 0.5, default=0.0
            Minimum share of the sum of hessians of the tree that a leaf must hold. With split_hessian='unit' it equals scikit-learn's share of weights. In a symmetric tree it acts as min_child_weight does.
        ccp_alpha : a finite number, 0 or more, default=0.0
            Strength of cost-complexity pruning after growth. Each split costs ccp_alpha times the sum of hessians of the tree; subtrees whose gain does not exceed their cost are removed. Symmetric trees lose whole levels. With split_hessian='unit' it equals scikit-learn's parameter.
        prune : one of 'auto', 'before', 'after', default='before' (xgboost: 'auto')
            When min_split_gain applies. 'before': a node with too little gain is not split. 'after': the tree grows fully and is then pruned from its leaves, so that a weak split above a strong one stays. 'auto' is 'after' with split_method='exact' and 'before' otherwise, as in XGBoost.
            Only with min_split_gain other than 0.0.
        split_hessian : one of 'loss', 'unit', default='loss' (gbm: 'unit'; catboost: 'unit')
            Hessians that choose splits: 'loss' uses those of the loss (Newton boosting), 'unit' uses 1 for each row (gradient boosting: trees fit the negative gradients). Leaf values always use the hessians of the loss.
        split_score : one of 'newton', 'cosine', 'entropy', default='newton' (catboost: 'cosine')
            Score that ranks candidate splits. 'newton': the gain of Newton steps. 'cosine': the cosine between leaf values and gradients, as in CatBoost, over all leaves of a level in symmetric growth. 'entropy' (objective gini only): the decrease of the entropy of the classes, in nats summed over rows; penalties then affect leaf values only.
            Also called score.
        random_strength : a finite number, 0 or more, default=0.0 (catboost: 1.0)
            Standard deviation of normal noise on the scores of candidate splits, in units of a typical gradient. The noise decreases as training proceeds, as in CatBoost. It regularizes small tables; 0 disables it.
        extra_trees : True or False, default=False
            Whether each node tries only one random threshold per column (extremely randomized trees), or one random level or set size of a category. Faster and more regularized. Nodes of a level of a symmetric tree share the threshold.
            Also called extra_tree.
        monotone_constraints : a list with one value per column, or a dictionary from column name to value; each value must be an integer between -1 and 1, default=None
            Direction of each column's effect on the raw score (of each class): 1 increasing, -1 decreasing, 0 none; a list in column order or a dictionary by name. Use it to encode knowledge about a column. Missing values are not constrained.
            Also called monotonic_cst, monotone_constraint, mc.
        interaction_constraints : a list of lists of columns, given by name or by position, or 'pairwise', or 'no_interactions', default=None
            Sets of columns that may occur together on a path of a tree. 'no_interactions' allows each column alone (an additive model), 'pairwise' any two columns.
            Also called interaction_cst.
        unlisted_interactions : one of 'alone', 'together', 'never', default='alone' (histgb: 'together'; lightgbm: 'never')
            What interaction_constraints means for columns in none of its sets: 'alone' (each is a set of its own, as in XGBoost), 'together' (all of them form one set, as in scikit-learn) or 'never' (they are not used, as in LightGBM).
            Only with interaction_constraints.
        feature_weights : a list with one value per column, or a dictionary from column name to value; each value must be a finite number, 0 or more, default=None
            Relative weights of columns in column sampling, as a list in column order or a dictionary by name (others have weight 1). Columns of weight 0 are drawn only if the others do not suffice.
            Only with colsample_bytree other than 1.0, or colsample_bylevel other than 1.0, or colsample_bynode other than 1.0.
        reg_lambda : a finite number, 0 or more, default=1.0 (lightgbm: 0.0; histgb: 0.0; gbm: 0.0; catboost: 3.0; tree: 0.0; forest: 0.0)
            L2 penalty on leaf values. Larger values shrink the values of leaves with few rows or small hessians. Increase it against overfitting.
            Also called lambda_l2, l2_leaf_reg, l2_regularization, lambda.
        reg_alpha : a finite number, 0 or more, default=0.0
            L1 penalty on leaf values. It sets the values of leaves with small gradient sums to zero.
            Also called lambda_l1, l1_regularization.
        max_delta_step : a finite number, 0 or more, or 'objective', default=0.0 (xgboost: 'objective')
            Maximum absolute leaf value before the learning rate; 0 means unlimited. Values of 1 to 10 can stabilize losses with small hessians, for example logistic loss with rare classes. 'objective' is 0.7 for poisson and unlimited for other objectives, as in XGBoost.
            Also called max_leaf_output, max_tree_output.
        leaf_iterations : an integer, 1 or more, or one of 'auto', 'catboost', default=1 (auto: 'auto'; single: 'auto'; catboost: 'catboost')
            Maximum number of Newton steps per leaf value. Further steps bring a leaf closer to the minimum of its own loss, which helps symmetric trees. 'auto' is 3 for objectives logistic and cross_entropy with symmetric growth, else 1. 'catboost' is 10 for those two and for poisson with n_estimators of 200 or more, else 1. Objectives whose first step is exact take one step; ranking objectives and objectives with several scores per row refuse more than one.
            Also called leaf_estimation_iterations.
        leaf_penalty : one of 'value', 'step', default='value' (catboost: 'step')
            What reg_lambda penalizes if leaf_iterations allows several steps: 'value' penalizes the leaf value; 'step' penalizes each step, so that many steps approach the unpenalized minimum, as in CatBoost.
            Only with leaf_iterations other than 1 and reg_lambda other than 0.0.
        leaf_backtracking : True or False, default=True
            Whether Newton steps after the first that would overshoot the known minimum are halved.
            Only with leaf_iterations other than 1.
        leaf_rows : one of 'sampled', 'all', default='sampled' (catboost: 'all')
            Rows that leaf values are computed from: 'sampled' uses the rows that the tree was grown on; 'all' uses all rows, so that sampling affects splits only, as in CatBoost.
            Only with sampling of rows: subsample below 1, or sampling='bootstrap', 'bayesian', 'goss' or 'mvs'.
        leaf_guard : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False)
            Whether to shorten Newton steps that overshoot the minimum of a leaf's loss. It prevents divergence with large learning rates and rare classes. Leaves of poisson, gamma and tweedie stop at their minimum. Leaves of logistic, cross_entropy, exponential, softmax and one_against_rest (except in forests) are limited to log(1 + |Newton step|); at a learning rate of 0.1 this affects steps above 36, at 1 all steps.
        penalize_bounded : True or False, default=True
            Whether reg_alpha counts in the gain of splits whose leaf values are bounded by max_delta_step or monotone_constraints. Set it to False to reproduce XGBoost before 3.4.
            Only with reg_alpha other than 0.0 and max_delta_step other than 0.0, or reg_alpha other than 0.0 and monotone_constraints.
        drop_hopeless_columns : True or False, default=False (lightgbm: True)
            Whether a column without a split of positive gain (or of min_split_gain) at a node is ignored in all nodes below it, as in LightGBM. It saves time, but misses interactions between columns that have no effect alone.
            Only with split_method other than 'exact' and grow_policy other than 'symmetric' and split_score other than 'cosine' and random_strength=0.0.
        row_counts : one of 'exact', 'hessian', default='exact' (lightgbm: 'hessian')
            How candidate splits count rows for min_samples_leaf, min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in LightGBM (hessian sum × rows / hessian sum of the node, rounded per bin). Estimates count confidently predicted rows less. Set 'exact' under recipe lightgbm to make limits exact; both agree for squared error without weights. Vector leaves and linear_fit='gain' always count exactly.
            Only with split_method other than 'exact' or 'approx' and grow_policy='leafwise' or 'depthwise' and extra_trees=False and split_score other than 'cosine' and random_strength=0.0.
        colsample_bytree : a number above 0 and at most 1, default=1.0
            Share of the columns that each tree may use. Values below 1 decorrelate trees and save time on wide tables.
            Also called feature_fraction, sub_feature.
        colsample_bylevel : a number above 0 and at most 1, default=1.0
            Share of the tree's columns (colsample_bytree) that each level may use.
        colsample_bynode : a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2', default=1.0 (forest: 'sqrt')
            Share or number of the level's columns (colsample_bylevel) that each node may use. 'sqrt' and 'log2' are functions of the total number of columns. The usual randomization of forests.
            Also called rsm, max_features, feature_fraction_bynode, sub_feature_bynode.
        draw_until_split : True or False, default=False (forest: True; tree: True)
            Whether a node without a valid split among its sampled columns (colsample_bynode) samples further columns, one at a time, until one has a split, as scikit-learn's trees do.
            Only with colsample_bynode other than 1.0 and grow_policy other than 'symmetric'.
        leaf_model : one of 'constant', 'linear', default='constant' (plgb: 'linear')
            Content of leaves: 'constant' is one number; 'linear' adds slopes for a few numeric columns, which needs fewer trees when the target changes linearly with a feature. Missing values of these columns add 0. Linear leaves do not use categories and do not support monotone constraints.
        linear_fit : one of 'after', 'gain', default='after' (plgb: 'gain')
            How linear leaves are found. 'after': trees grow as with constant leaves, then each leaf is fitted, as LightGBM's linear_tree does; fast. 'gain': each split is chosen by the gain of linear fits in its children (piecewise-linear boosting); slower, often more accurate.
            Only with leaf_model='linear'.
        linear_regression : one of 'additive', 'half_additive', 'full', default='half_additive'
            What linear_fit='gain' refits in the children of a candidate split. 'additive': a constant and the slope of the split column. 'half_additive': also a factor of the parent's linear function. 'full': all slopes, with at most 8 columns; slow.
            Only with leaf_model='linear' and linear_fit='gain'.
        linear_features : 'tree', or a list of columns, given by name or by position, default=None
            Columns of linear leaves: None uses the split columns on the path to the leaf, 'tree' the split columns of the whole tree. A list of names or positions uses exactly these columns.
            Only with leaf_model='linear'.
        max_linear_features : an integer, 1 or more, default=5
            Maximum number of columns of a linear leaf: the first ones on the path from the root, or those with the largest gain in the tree (linear_features='tree').
            Only with leaf_model='linear' and linear_features=None or 'tree'.
        linear_lambda : a finite number, 0 or more, or 'auto', default=0.1 (lightgbm: 0.0; plgb: 'auto')
            L2 penalty on the slopes of linear leaves, for columns scaled to unit standard deviation within the leaf; for squared error, 1 acts like one additional row. 'auto' applies a penalty of 1 and then shrinks the slopes of each leaf by their estimated noise (James-Stein): slopes with an F statistic below 2 become 0. reg_lambda penalizes the constant.
            Only with leaf_model='linear'.
        extrapolate : one of 'clip', 'linear', default='clip'
            Value of a linear leaf outside the range of its training rows: 'clip' uses the nearest value inside the range, 'linear' continues the line. 'clip' is safer; use 'linear' for trends.
            Only with leaf_model='linear'.
        sampling : one of 'none', 'bernoulli', 'uniform', 'goss', 'mvs', 'bayesian', 'bootstrap', 'catboost', default='bernoulli' (catboost: 'catboost'; forest: 'bootstrap')
            How each round samples rows. 'bernoulli': each row with probability subsample. 'uniform': exactly that share of the rows. 'bootstrap': that share, drawn with replacement. 'bayesian': all rows with random weights (bagging_temperature). 'goss': rows with large gradients and a sample of the others (top_rate, other_rate). 'mvs': with probabilities proportional to gradient size, about subsample of the rows. 'none': all rows. goss and mvs up-weight sampled rows so that sums stay unbiased. 'catboost': bayesian for softmax without subsample, otherwise mvs.
        subsample : a number above 0 and at most 1, default=0.8 if sampling is 'mvs' or 'catboost', else 1.0
            Share of the rows that each round samples. Values of 0.5 to 0.9 regularize and save time.
            Also called bagging_fraction, bagging, sub_row.
        subsample_freq : an integer, 0 or more, default=1
            Number of rounds that share a sample of rows. 0 disables sampling, as LightGBM's bagging_freq does. goss and mvs sample in each round.
            Only with random sampling of rows: subsample below 1, or sampling='bootstrap' or 'bayesian'.
            Also called bagging_freq.
        sampling_unit : one of 'row', 'query', default='row'
            What is sampled: single rows or, for ranking, whole queries (not with goss and mvs).
            Only with sampling of rows: subsample below 1, or sampling='bootstrap', 'bayesian', 'goss' or 'mvs'.
        pos_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 1 that each round samples, for binary classification. If it or neg_subsample is below 1, they replace subsample. Use neg_subsample below 1 to save time when negatives are plentiful.
            Only with sampling='bernoulli' or 'uniform'.
            Also called pos_bagging_fraction, pos_bagging, pos_sub_row.
        neg_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 0 that each round samples; see pos_subsample.
            Only with sampling='bernoulli' or 'uniform'.
            Also called neg_bagging_fraction, neg_bagging, neg_sub_row.
        top_rate : a number between 0 and 1, default=0.2
            Share of all rows with the largest |gradient × hessian| (summed over outputs) that sampling='goss' keeps with weight 1. The first 1 / learning_rate rounds use all rows.
            Only with sampling='goss'.
        other_rate : a number above 0 and at most 1, default=0.1
            Share of all rows that sampling='goss' draws at random from the rest. They get the weight (1 - top_rate) / other_rate.
            Only with sampling='goss'.
        mvs_reg : a finite number, 0 or more, or 'auto', default='auto'
            Constant that sampling='mvs' adds to the squared gradient of a row before taking the root; larger values make sampling more uniform. 'auto' uses the squared mean absolute leaf value of the last tree (before the first tree, the squared mean gradient).
            Only with sampling='mvs' or 'catboost'.
        bagging_temperature : a number between 0 and 10, default=1.0
            Strength of sampling='bayesian': row weights are (-log u)^bagging_temperature for uniform random u. 1 is the Bayesian bootstrap; 0 gives equal weights.
            Only with sampling='bayesian' or 'catboost'.
        categorical_features : 'auto', 'none' or a list of columns, given by name or by position, default='auto'
            Categorical columns. 'auto': text columns and columns of a categorical type. 'none': no column; text columns raise an error. A list of names or positions adds columns to those of 'auto', for example integer identifiers.
            Also called cat_features, cat_feature, cat_column, categorical_feature, categorical_column.
        unseen_category : one of 'missing', 'error', default='missing'
            What to do with levels that the training data did not contain, in eval sets and at predict: treat them as 'missing', or raise an 'error'. The model stores the rule. Between cross-validation folds they are always missing.
        categorical : one of 'auto', 'onehot', 'subset', 'target', or a dictionary from column name to one of these, default='auto'
            How categorical columns are split. 'onehot': one level against all others. 'subset': a set of levels against the rest. 'target': each category is replaced by the mean target of its training rows (ordered target statistics: each row uses only the rows before it in random permutations). 'auto': onehot below max_cat_to_onehot levels, target above max_cat_to_subset, subset in between; subset instead of target for rows on several workers. A dictionary sets single columns. model.categorical lists the choice.
        max_cat_to_subset : an integer, 0 or more, default=64 (gbm: 0; histgb: 0; xgboost: 0; lightgbm: 0; dart: 0; tree: 0; catboost: 2)
            Maximum number of levels of a category that categorical='auto' splits by subsets; categories with more levels use target statistics. 0 disables target statistics.
            Only with categorical='auto'.
        target_strength : a finite number, 0 or more, default=1.0
            Strength of shrinkage towards the prior in target statistics: (sum of targets + strength × prior) / (rows + strength). Increase it if levels are rare and the target is noisy. The prior is the mean target; binary classification has two statistics, with priors 0 and 1.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
        target_permutations : an integer between 1 and 64, default=2
            Number of random permutations of the rows over which target statistics of training rows are averaged. More permutations reduce noise and cost time.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
        target_leaves : one of 'same', 'own', default='same' (catboost: 'own')
            Which permutations route training rows to leaves for leaf values: 'same' uses those that choose splits; 'own' uses additional permutations, so that leaf values do not fit the chance of the first ones. 'own' takes longer and overfits less.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0, split_method='hist' and leaf_model='constant'.
        target_bins : 0 or an integer between 3 and 65535, default=32
            Maximum number of bins of a target statistic; 0 means max_bins. Few bins reduce overfitting.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0, and split_method='hist'.
        max_combination : an integer between 1 and 8, default=2
            Maximum number of categories that one target statistic combines. Combinations are added where trial trees use the categories together and gain at least 5 % more with the combination. 1 disables combinations.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
            Also called max_ctr_complexity.
        max_cat_to_onehot : an integer, 0 or more, default=13 (gbm: 4; xgboost: 4; lightgbm: 4; dart: 4; histgb: 0; tree: 0; catboost: 3)
            Number of levels below which categorical='auto' uses onehot splits.
            Only with categorical='auto'.
        max_cat_threshold : an integer, 1 or more, default=32 (xgboost: 64; histgb: 65535; tree: 65535)
            Maximum number of levels in the set of a subset split.
            Only with categorical='auto' or 'subset'.
        cat_smooth : a finite number, 0 or more, or 'reg_lambda', default=10.0 (xgboost: 'reg_lambda'; tree: 0.0)
            Smoothing of subset splits: levels are sorted by gradient sum / (hessian sum + cat_smooth), which moves rare levels to the middle. 'reg_lambda' uses that value.
            Only with categorical='auto' or 'subset'.
        cat_l2 : a finite number, 0 or more, default=10.0 (xgboost: 0.0; histgb: 0.0; tree: 0.0)
            Additional L2 penalty, besides reg_lambda, on leaf values of subset splits.
            Only with categorical='auto' or 'subset'.
        min_data_per_group : an integer, 1 or more, default=100 (xgboost: 1; histgb: 1; tree: 1)
            Minimum number of rows by which the set of a subset split must grow before it is evaluated again. Larger values regularize and save time.
            Only with categorical='auto' or 'subset'.
        min_data_per_level : a finite number, 0 or more, or 'cat_smooth', default='cat_smooth' (xgboost: 0.0; histgb: 10.0; tree: 0.0)
            Minimum number of rows of a level in a node for subset splits to consider it; 'cat_smooth' uses that value.
            Only with categorical='auto' or 'subset'.
        cat_rule : one of 'auto', 'lightgbm', 'xgboost', 'histgb', default='auto' (lightgbm: 'lightgbm'; xgboost: 'xgboost'; histgb: 'histgb')
            Details of the search for subsets. 'auto' and 'lightgbm': sets hold at most half of the levels of a node; 'lightgbm' also treats rare levels as missing values. 'xgboost': sets hold any number of levels below max_cat_threshold, and levels too light for a leaf are sorted to the middle. 'histgb': sets are built from one end of the sorted levels only, and a node needs two levels.
            Only with categorical='auto' or 'subset' or 'onehot'.
        cat_missing : one of 'level', 'right', 'either', default='level' (lightgbm: 'right'; xgboost: 'either')
            Where missing values of a category go: 'level' treats them as a level of their own, 'right' sends them right, 'either' tries both sides of each set.
            Only with categorical='auto' or 'subset' or 'onehot'.
        missing : a finite number or NaN, default=None
            Value that marks a missing entry in addition to NaN, for example -999, in training, evaluation and prediction. In 32-bit float columns the nearest 32-bit value counts. With train, pass it to Dataset.
        zero_as_missing : True or False, default=False
            Whether entries that a sparse matrix (or a pandas sparse column with fill value 0) does not store are missing values; otherwise they are 0. Stored zeros remain 0. With train, pass it to Dataset.
        max_bins : an integer between 3 and 65535, default=256 (lightgbm: 255; catboost: 255)
            Maximum number of bins of a column, including the bin for missing values. Fewer bins are faster and regularize; more than 256 bins take more time and memory and rarely gain accuracy.
            Only with split_method='hist'.
            Also called max_bin, border_count.
        min_data_in_bin : an integer, 1 or more, default=3 (xgboost: 1; histgb: 1; gbm: 1; catboost: 1; forest: 1; tree: 1)
            Minimum number of rows in a bin (a row of weight w counts as w rows).
            Only with split_method='hist'.
        sketch_eps : a number between 0.0001 and 0.5, default=0.00390625
            Resolution of split_method='approx': candidate thresholds lie about this share of the total hessian apart, so a column has at most 1 / sketch_eps bins, including the one for missing values.
            Only with split_method='approx'.
        approx_scope : one of 'tree', 'node', default='tree'
            How often split_method='approx' computes candidate thresholds: once per 'tree', or once per 'node' (per level in symmetric growth), which is slower.
            Only with split_method='approx'.
        eval_metric : a name (a string) or a function, or a list of such values, default=None
            Metric or list of metrics for eval sets; the last one decides early stopping. Default: the metric of the objective, also named 'loss'; an empty list disables metrics. A function (y_true, y_pred), with an optional argument sample_weight, returns a number or (name, number, higher_is_better). Scorers of scikit-learn and their names are accepted.
            Also called metric, metrics, metric_types, scoring.
        early_stopping_rounds : an integer, 0 or more, or 'auto', default=0 (histgb: 'auto')
            Stop after this many rounds without improvement on the last eval set and keep the best iteration. 0 disables early stopping; 'auto' waits 10 rounds on more than 10,000 rows and is 0 otherwise. Without an eval set, estimators hold out validation_fraction of the rows.
            Also called n_iter_no_change, od_wait, early_stopping_round.
        early_stopping_tolerance : a finite number, 0 or more, default=0.0 (histgb: 1e-07; gbm: 0.0001)
            Minimum improvement of the metric over the best value so far to count as an improvement.
            Only with early_stopping_rounds other than 0.
            Also called tol, min_delta, early_stopping_min_delta.
        validation_fraction : a number above 0 and at most 0.9, default=0.1
            Share of the training rows held out for early stopping if there is no eval set: stratified by class for a classifier, whole queries for a ranker. Held-out rows are scored with their sample weights. train holds rows out only if you set this parameter (or early_stopping_rounds='auto').
            Only with early_stopping_rounds other than 0.
        warm_start : True or False, default=False
            Whether a repeated call of fit keeps the existing trees and adds rounds up to n_estimators.
        class_weight : one of 'balanced', 'balanced_subsample', 'balanced_up', 'sqrt_balanced_up', or a dictionary from each class to its weight, 0 or more, default=None
            Weight of each class, multiplied with sample_weight of training rows. A dictionary sets weights by label. 'balanced' gives all classes the same total weight and keeps the overall total; 'balanced_subsample' does so in each row sample, by row counts; 'balanced_up' raises all classes to the total of the largest, as LightGBM's is_unbalance and CatBoost's auto_class_weights do; 'sqrt_balanced_up' uses square roots of these weights. Weights of eval sets and held-out rows do not change.
        importance_type : one of 'gain', 'cover', 'split', 'mean_gain', 'mean_cover', 'mean_rows', 'mdi', 'total_gain', 'total_cover', 'prediction_values_change', default='gain'
            Kind of feature_importances_, normalized to a sum of 1: total gain, total cover (hessians), number of splits, means per split, or mean decrease in impurity. Under recipe xgboost, gain and cover are means per split, as in XGBoost, and total_gain and total_cover are sums.
        random_state : an integer between 0 and 2^63 - 1 or a numpy random generator, default=0
            Seed of all random choices: sampling of rows and columns, permutations, noise. The same seed gives the same model, on any number of threads.
            Also called seed, random_seed.
        n_jobs : a number of threads, 1 or more, or -1 for all of them, -2 for all but one and so on, default=-1
            Number of threads; -1 means all cores available to the process, -2 all but one, as in scikit-learn. The model does not depend on it.
            Also called nthread, nthreads, num_threads, num_thread, thread_count.
        verbose : True, False or an integer, 0 or more, default=0
            Progress output: True shows a progress bar (a few lines if rich is not installed), n prints metrics every n rounds, 0 is silent.
        """

class RankerSignature:
    def __init__(
        self,
        *,
        recipe: Literal[
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
        | None = "auto",
        quality: Literal["fast", "balanced", "best"] | None = None,
        objective: str | Callable[..., Any] | None = None,
        leaf_rule: Literal["exact", "friedman"] | None = None,
        lambdarank_truncation_level: int | None = None,
        lambdarank_norm: bool | None = None,
        lambdarank_score_normalization: bool | None = None,
        ndcg_exp_gain: bool | None = None,
        base_score: float | Collection[float] | None = None,
        boost_from_average: bool | Literal["catboost"] | None = None,
        n_estimators: int | None = None,
        learning_rate: float
        | Literal["auto"]
        | Collection[float]
        | Callable[[int], float]
        | None = None,
        boosting: Literal[
            "plain", "ordered", "dart", "forest", "gbdt", "gbrt", "gbtree", "Plain", "Ordered", "rf"
        ]
        | None = None,
        ordered_permutations: int | None = None,
        num_parallel_tree: int | None = None,
        drop_rate: float | None = None,
        skip_drop: float | None = None,
        max_drop: int | None = None,
        one_drop: bool | None = None,
        drop_sampling: Literal["weighted", "uniform"] | None = None,
        normalize: Literal["lightgbm", "tree", "forest"] | None = None,
        grow_policy: Literal[
            "leafwise",
            "depthwise",
            "symmetric",
            "depthfirst",
            "lossguide",
            "Lossguide",
            "Depthwise",
            "SymmetricTree",
        ]
        | None = None,
        split_method: Literal["auto", "hist", "approx", "exact"] | None = None,
        multi_strategy: Literal[
            "one_tree_per_output", "vector_leaf", "one_output_per_tree", "multi_output_tree"
        ]
        | None = None,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_samples_leaf: int | float | None = None,
        min_samples_split: int | float | None = None,
        weighted_counts: bool | None = None,
        min_child_weight: float | None = None,
        min_split_gain: float | None = None,
        min_impurity_decrease: float | None = None,
        min_weight_fraction_leaf: float | None = None,
        ccp_alpha: float | None = None,
        prune: Literal["auto", "before", "after"] | None = None,
        split_hessian: Literal["loss", "unit"] | None = None,
        split_score: Literal["newton", "cosine", "entropy"] | None = None,
        random_strength: float | None = None,
        extra_trees: bool | None = None,
        monotone_constraints: Collection[int] | Mapping[str, int] | str | None = None,
        interaction_constraints: Collection[Collection[int | str]] | str | None = None,
        unlisted_interactions: Literal["alone", "together", "never"] | None = None,
        feature_weights: Collection[float] | Mapping[str, float] | str | None = None,
        reg_lambda: float | None = None,
        reg_alpha: float | None = None,
        max_delta_step: float | Literal["objective"] | None = None,
        leaf_iterations: int | Literal["auto", "catboost"] | None = None,
        leaf_penalty: Literal["value", "step"] | None = None,
        leaf_backtracking: bool | None = None,
        leaf_rows: Literal["sampled", "all"] | None = None,
        penalize_bounded: bool | None = None,
        drop_hopeless_columns: bool | None = None,
        row_counts: Literal["exact", "hessian"] | None = None,
        colsample_bytree: float | None = None,
        colsample_bylevel: float | None = None,
        colsample_bynode: float | int | Literal["sqrt", "log2"] | None = None,
        draw_until_split: bool | None = None,
        leaf_model: Literal["constant", "linear"] | None = None,
        linear_fit: Literal["after", "gain"] | None = None,
        linear_regression: Literal["additive", "half_additive", "full"] | None = None,
        linear_features: Literal["tree"] | Collection[int | str] | str | None = None,
        max_linear_features: int | None = None,
        linear_lambda: float | Literal["auto"] | None = None,
        extrapolate: Literal["clip", "linear"] | None = None,
        sampling: Literal[
            "none", "bernoulli", "uniform", "goss", "mvs", "bayesian", "bootstrap", "catboost"
        ]
        | None = None,
        subsample: float | None = None,
        subsample_freq: int | None = None,
        sampling_unit: Literal["row", "query", "Object", "Group"] | None = None,
        pos_subsample: float | None = None,
        neg_subsample: float | None = None,
        top_rate: float | None = None,
        other_rate: float | None = None,
        mvs_reg: float | Literal["auto"] | None = None,
        bagging_temperature: float | None = None,
        categorical_features: Literal["auto", "none", "from_dtype"]
        | Collection[int | str]
        | str
        | None = None,
        unseen_category: Literal["missing", "error"] | None = None,
        categorical: Literal["auto", "onehot", "subset", "target"]
        | Mapping[str, Literal["auto", "onehot", "subset", "target"]]
        | None = None,
        max_cat_to_subset: int | None = None,
        target_strength: float | None = None,
        target_permutations: int | None = None,
        target_leaves: Literal["same", "own"] | None = None,
        target_bins: int | None = None,
        max_combination: int | None = None,
        max_cat_to_onehot: int | None = None,
        max_cat_threshold: int | None = None,
        cat_smooth: float | Literal["reg_lambda"] | None = None,
        cat_l2: float | None = None,
        min_data_per_group: int | None = None,
        min_data_per_level: float | Literal["cat_smooth"] | None = None,
        cat_rule: Literal["auto", "lightgbm", "xgboost", "histgb"] | None = None,
        cat_missing: Literal["level", "right", "either"] | None = None,
        missing: float | None = None,
        zero_as_missing: bool | None = None,
        max_bins: int | None = None,
        min_data_in_bin: int | None = None,
        sketch_eps: float | None = None,
        approx_scope: Literal["tree", "node"] | None = None,
        eval_metric: str | Callable[..., Any] | Collection[str | Callable[..., Any]] | None = None,
        early_stopping_rounds: int | Literal["auto"] | None = None,
        early_stopping_tolerance: float | None = None,
        validation_fraction: float | None = None,
        warm_start: bool | None = None,
        importance_type: Literal[
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
        | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool | int | None = None,
        **other_names: Unpack[OtherNames],
    ) -> None:
        """Make an estimator; ``None`` means the value of the recipe.

        Parameters
        ----------
        recipe : one of 'auto', 'single', 'gbm', 'histgb', 'xgboost', 'lightgbm', 'catboost', 'forest', 'dart', 'plgb', 'tree', default='auto'
            Named set of defaults: ceiba's own ('auto' and variants of it) or those of the library that it is named after. Parameters that you set override the recipe. Choose a library's recipe to reproduce its models, or as a starting point for tuning.
        quality : one of 'fast', 'balanced', 'best', default='balanced'
            How much time recipe auto spends. 'fast' trains once. 'balanced' holds rows out, trains several kinds of trees until the held-out rows stop improving, and averages the best. 'best' tries more kinds and takes up to ten times as long as 'balanced'. All rows are used in the end. With n_estimators, recipe auto trains once with that many rounds, and quality has no effect.
            Only with recipe='auto'.
        objective : a name (a string) or a function, default=None
            Loss to minimize. Default: squared_error for a regressor; logistic (two classes) or softmax (more classes) for a classifier; lambdarank_ndcg for a ranker. A function (y_true, raw_score) must return the gradients and hessians of the unweighted loss; the model then predicts raw scores.
            Also called loss, loss_function, application, app, objective_type.
        leaf_rule : one of 'exact', 'friedman', default='exact' (gbm: 'friedman')
            How leaf values are computed where an objective has a choice. 'exact' minimizes the loss as exactly as the objective can. 'friedman' follows Friedman and scikit-learn's GradientBoosting: (K - 1) / K times the Newton step for softmax of K classes, and one step from the median for huber. With 'friedman', rows with zero residual of absolute_error or quantile count as negative residuals; with 'exact' they count as zero.
        lambdarank_truncation_level : an integer, 0 or more, default=30 (xgboost: 32)
            Objectives lambdarank_ndcg and lambdarank_map use pairs in which at least one document is among this many top positions; 0 means all pairs. Choose a value slightly above the k of the NDCG@k that you report.
            Also called lambdarank_num_pair_per_sample.
        lambdarank_norm : True or False, default=True
            Whether ranking objectives normalize the gradients of each query, so that long queries do not dominate.
            Also called lambdarank_normalization.
        lambdarank_score_normalization : True or False, default=None (xgboost: True)
            Whether objectives lambdarank_ndcg and lambdarank_map divide the weight of a pair by its score difference plus 0.01, which emphasizes pairs with close scores. By default it follows lambdarank_norm; under recipe xgboost the two are independent.
        ndcg_exp_gain : True or False, default=True
            Whether the gain of a document with relevance l is 2^l - 1 in NDCG (objective and metrics). False means a gain of l; use it for relevances above about 30.
        base_score : a finite number, or a list of such values, default=None
            Initial prediction, in prediction units: a number for a regressor, the probability of the second class for objective logistic, a probability per class for softmax. By default it follows boost_from_average.
        boost_from_average : True or False, or 'catboost', default=True (catboost: 'catboost')
            Whether boosting starts from the constant with the lowest loss. False starts from a raw score of 0. 'catboost' starts from the best constant for squared_error, absolute_error and quantile only.
        n_estimators : an integer, 1 or more, default=100 (catboost: 1000; tree: 1)
            Number of boosting rounds. A round grows one tree, or one tree per class for softmax. More rounds need a smaller learning_rate; with early_stopping_rounds, set it generously.
            Also called num_boost_round, num_iterations, num_iteration, iterations, max_iter, n_iter, num_trees, num_tree, num_rounds, num_round, nrounds.
        learning_rate : a number above 0, 'auto', or a schedule: a list with one rate per round, or a function from round number to rate, default=0.1 (xgboost: 0.3; catboost: 'auto', or 0.03 if reg_lambda or leaf_iterations is given)
            Factor of each tree's predictions. Smaller values need more rounds (n_estimators) and usually generalize better. A list or a function from round number to rate makes a schedule. 'auto' is CatBoost's rule, which depends on the objective, the number of rows and n_estimators; the model records the result.
            Also called eta, shrinkage, shrinkage_rate, learning_rates.
        boosting : one of 'plain', 'ordered', 'dart', 'forest', default='plain' (dart: 'dart'; tree: 'forest'; forest: 'forest')
            How trees are combined. 'plain': each tree corrects the sum of the trees before it. 'ordered': plain, with gradients at scores that do not depend on a row's own target, as CatBoost's Ordered; for small tables, losses of single rows and Newton leaves. 'dart': each round ignores a random set of earlier trees (dropout). 'forest': trees are independent, each grown on a sample, and predictions are their mean; there is no learning rate.
            Also called boosting_type, boost.
        ordered_permutations : an integer, 1 or more, default=3
            Number of random permutations of the rows for boosting='ordered'. Each round uses one of them. More permutations reduce variance and cost time and memory.
            Only with boosting='ordered'.
        num_parallel_tree : an integer, 1 or more, default=1
            Number of trees (per class) that a round grows on different samples of rows and columns. Each is scaled by learning_rate / num_parallel_tree, as in XGBoost. n_estimators still counts rounds. It needs some sampling, or all trees of a round are equal.
        drop_rate : a number between 0 and 1, default=0.1 (xgboost: 0.0)
            Probability that boosting='dart' drops the trees of an earlier round.
            Only with boosting='dart'.
            Also called rate_drop.
        skip_drop : a number between 0 and 1, default=0.5 (xgboost: 0.0)
            Probability that a round of boosting='dart' drops no trees.
            Only with boosting='dart'.
        max_drop : an integer, 0 or more, default=50 (xgboost: 0)
            Maximum number of rounds whose trees boosting='dart' drops at a time; 0 means unlimited.
            Only with boosting='dart'.
        one_drop : True or False, default=False
            Whether boosting='dart' drops the trees of at least one round, unless skip_drop skips dropping.
            Only with boosting='dart'.
        drop_sampling : one of 'weighted', 'uniform', default='weighted' (xgboost: 'uniform')
            How boosting='dart' chooses the trees to drop: 'weighted' in proportion to their current weight, or 'uniform' with equal probabilities.
            Only with boosting='dart'.
            Also called sample_type.
        normalize : one of 'lightgbm', 'tree', 'forest', default='lightgbm' (xgboost: 'tree')
            How boosting='dart' rescales trees after a round with learning rate r that dropped the trees of k rounds. 'lightgbm': new trees get the weight r / (k + 1), dropped ones are multiplied by k / (k + 1). 'tree': r / (k + r) and k / (k + r). 'forest': r / (1 + r) and 1 / (1 + r). The last two are XGBoost's.
            Only with boosting='dart'.
            Also called normalize_type.
        grow_policy : one of 'leafwise', 'depthwise', 'symmetric', 'depthfirst', default='leafwise' (xgboost: 'depthwise'; catboost: 'symmetric'; tree: 'depthwise'; forest: 'depthfirst')
            Order in which nodes are split. 'leafwise': the leaf with the highest gain first. 'depthwise': level by level. 'symmetric': level by level with the same split for all nodes of a level; predictions are fast and regularization is strong. 'depthfirst': the deepest leaf first, the fastest policy for unlimited trees. CeibaRanker with recipe auto uses 'symmetric' unless max_leaves is set.
        split_method : one of 'auto', 'hist', 'approx', 'exact', default='auto' (gbm: 'exact'; tree: 'exact')
            Source of candidate thresholds. 'hist': bin edges that are computed once; fast, and accurate enough for almost all tables. 'approx': edges recomputed for each tree or node from hessians. 'exact': all distinct values; slow on large tables, for small tables or exact reproduction of a tree. 'auto' means 'hist'. The model records the method.
            Also called tree_method.
        multi_strategy : one of 'one_tree_per_output', 'vector_leaf', default='one_tree_per_output' (tree: 'vector_leaf')
            How to model several outputs (classes, labels or targets). 'one_tree_per_output' grows a tree per output and round. 'vector_leaf' grows one tree per round whose leaves hold one value per output: faster and smaller, often slightly less accurate. Vector leaves choose splits by the gradients of all outputs for squared error and gini, and by a random projection of them for other losses.
        max_depth : an integer, 0 or more, default=0 if grow_policy is 'leafwise', else 6 (xgboost: 6; lightgbm: 0; histgb: 0; gbm: 3; tree: 0; forest: 0)
            Maximum number of splits on the path from the root to a leaf; 0 means unlimited. Decrease it against overfitting. Leafwise trees are usually limited by max_leaves instead.
            Also called depth.
        max_leaves : 0 (unlimited) or an integer, 2 or more, default=31 if grow_policy is 'leafwise', else 0 (xgboost: 0; lightgbm: 31; histgb: 31; gbm: 0; tree: 0; forest: 0)
            Maximum number of leaves of a tree; 0 means unlimited. The main control of model complexity for leafwise growth: increase it for large tables, decrease it against overfitting.
            Also called num_leaves, max_leaf_nodes, num_leaf, max_leaf.
        min_samples_leaf : an integer, 0 or more, or a number above 0 and below 1, default=20 (xgboost: 0; gbm: 1; catboost: 1; tree: 1; forest: 1)
            Minimum number of rows in a leaf; a number below 1 is a share of all rows. Increase it for noisy targets. In a symmetric tree, a node whose children would have fewer rows adds no gain to the split of its level.
            Also called min_child_samples, min_data_in_leaf, min_data_per_leaf, min_data.
        min_samples_split : an integer, 2 or more, or a number above 0 and below 1, default=2
            Minimum number of rows in a node to split it, counted as for min_samples_leaf; a number below 1 is a share of all rows.
        weighted_counts : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False; tree: False; forest: False)
            Whether a row of weight w counts as w rows in min_samples_leaf and min_samples_split. It applies if all weights are integers with a sum below 2^30; otherwise each row counts once. With True, a weight of 2 gives the same model as the row given twice.
        min_child_weight : a finite number, 0 or more, default=0.001 (xgboost: 1.0; gbm: 0.0; catboost: 0.0; tree: 0.0; forest: 0.0)
            Minimum sum of hessians in a leaf. For squared error this is the sum of weights; for logistic loss it keeps leaves with confident predictions from splitting further. In a symmetric tree, a leaf with less takes the value of its parent.
            Also called min_sum_hessian_in_leaf, min_sum_hessian_per_leaf, min_sum_hessian, min_hessian.
        min_split_gain : a finite number, 0 or more, default=0.0
            Minimum gain of a split. Its scale depends on the loss and the weights: compare it with gains of a trained model (trees_to_frame) before you set it.
            Also called gamma, min_split_loss, min_gain_to_split.
        min_impurity_decrease : a finite number, 0 or more, default=0.0
            Minimum gain of a split divided by the sum of hessians of all rows of the tree. With split_hessian='unit' it equals scikit-learn's weighted decrease of squared error.
        min_weight_fraction_leaf : a number between 0 and 0.5, default=0.0
            Minimum share of the sum of hessians of the tree that a leaf must hold. With split_hessian='unit' it equals scikit-learn's share of weights. In a symmetric tree it acts as min_child_weight does.
        ccp_alpha : a finite number, 0 or more, default=0.0
            Strength of cost-complexity pruning after growth. Each split costs ccp_alpha times the sum of hessians of the tree; subtrees whose gain does not exceed their cost are removed. Symmetric trees lose whole levels. With split_hessian='unit' it equals scikit-learn's parameter.
        prune : one of 'auto', 'before', 'after', default='before' (xgboost: 'auto')
            When min_split_gain applies. 'before': a node with too little gain is not split. 'after': the tree grows fully and is then pruned from its leaves, so that a weak split above a strong one stays. 'auto' is 'after' with split_method='exact' and 'before' otherwise, as in XGBoost.
            Only with min_split_gain other than 0.0.
        split_hessian : one of 'loss', 'unit', default='loss' (gbm: 'unit'; catboost: 'unit')
            Hessians that choose splits: 'loss' uses those of the loss (Newton boosting), 'unit' uses 1 for each row (gradient boosting: trees fit the negative gradients). Leaf values always use the hessians of the loss.
        split_score : one of 'newton', 'cosine', 'entropy', default='newton' (catboost: 'cosine')
            Score that ranks candidate splits. 'newton': the gain of Newton steps. 'cosine': the cosine between leaf values and gradients, as in CatBoost, over all leaves of a level in symmetric growth. 'entropy' (objective gini only): the decrease of the entropy of the classes, in nats summed over rows; penalties then affect leaf values only.
            Also called score.
        random_strength : a finite number, 0 or more, default=0.0 (catboost: 1.0)
            Standard deviation of normal noise on the scores of candidate splits, in units of a typical gradient. The noise decreases as training proceeds, as in CatBoost. It regularizes small tables; 0 disables it.
        extra_trees : True or False, default=False
            Whether each node tries only one random threshold per column (extremely randomized trees), or one random level or set size of a category. Faster and more regularized. Nodes of a level of a symmetric tree share the threshold.
            Also called extra_tree.
        monotone_constraints : a list with one value per column, or a dictionary from column name to value; each value must be an integer between -1 and 1, default=None
            Direction of each column's effect on the raw score (of each class): 1 increasing, -1 decreasing, 0 none; a list in column order or a dictionary by name. Use it to encode knowledge about a column. Missing values are not constrained.
            Also called monotonic_cst, monotone_constraint, mc.
        interaction_constraints : a list of lists of columns, given by name or by position, or 'pairwise', or 'no_interactions', default=None
            Sets of columns that may occur together on a path of a tree. 'no_interactions' allows each column alone (an additive model), 'pairwise' any two columns.
            Also called interaction_cst.
        unlisted_interactions : one of 'alone', 'together', 'never', default='alone' (histgb: 'together'; lightgbm: 'never')
            What interaction_constraints means for columns in none of its sets: 'alone' (each is a set of its own, as in XGBoost), 'together' (all of them form one set, as in scikit-learn) or 'never' (they are not used, as in LightGBM).
            Only with interaction_constraints.
        feature_weights : a list with one value per column, or a dictionary from column name to value; each value must be a finite number, 0 or more, default=None
            Relative weights of columns in column sampling, as a list in column order or a dictionary by name (others have weight 1). Columns of weight 0 are drawn only if the others do not suffice.
            Only with colsample_bytree other than 1.0, or colsample_bylevel other than 1.0, or colsample_bynode other than 1.0.
        reg_lambda : a finite number, 0 or more, default=1.0 (lightgbm: 0.0; histgb: 0.0; gbm: 0.0; catboost: 3.0; tree: 0.0; forest: 0.0)
            L2 penalty on leaf values. Larger values shrink the values of leaves with few rows or small hessians. Increase it against overfitting.
            Also called lambda_l2, l2_leaf_reg, l2_regularization, lambda.
        reg_alpha : a finite number, 0 or more, default=0.0
            L1 penalty on leaf values. It sets the values of leaves with small gradient sums to zero.
            Also called lambda_l1, l1_regularization.
        max_delta_step : a finite number, 0 or more, or 'objective', default=0.0 (xgboost: 'objective')
            Maximum absolute leaf value before the learning rate; 0 means unlimited. Values of 1 to 10 can stabilize losses with small hessians, for example logistic loss with rare classes. 'objective' is 0.7 for poisson and unlimited for other objectives, as in XGBoost.
            Also called max_leaf_output, max_tree_output.
        leaf_iterations : an integer, 1 or more, or one of 'auto', 'catboost', default=1 (auto: 'auto'; single: 'auto'; catboost: 'catboost')
            Maximum number of Newton steps per leaf value. Further steps bring a leaf closer to the minimum of its own loss, which helps symmetric trees. 'auto' is 3 for objectives logistic and cross_entropy with symmetric growth, else 1. 'catboost' is 10 for those two and for poisson with n_estimators of 200 or more, else 1. Objectives whose first step is exact take one step; ranking objectives and objectives with several scores per row refuse more than one.
            Also called leaf_estimation_iterations.
        leaf_penalty : one of 'value', 'step', default='value' (catboost: 'step')
            What reg_lambda penalizes if leaf_iterations allows several steps: 'value' penalizes the leaf value; 'step' penalizes each step, so that many steps approach the unpenalized minimum, as in CatBoost.
            Only with leaf_iterations other than 1 and reg_lambda other than 0.0.
        leaf_backtracking : True or False, default=True
            Whether Newton steps after the first that would overshoot the known minimum are halved.
            Only with leaf_iterations other than 1.
        leaf_rows : one of 'sampled', 'all', default='sampled' (catboost: 'all')
            Rows that leaf values are computed from: 'sampled' uses the rows that the tree was grown on; 'all' uses all rows, so that sampling affects splits only, as in CatBoost.
            Only with sampling of rows: subsample below 1, or sampling='bootstrap', 'bayesian', 'goss' or 'mvs'.
        penalize_bounded : True or False, default=True
            Whether reg_alpha counts in the gain of splits whose leaf values are bounded by max_delta_step or monotone_constraints. Set it to False to reproduce XGBoost before 3.4.
            Only with reg_alpha other than 0.0 and max_delta_step other than 0.0, or reg_alpha other than 0.0 and monotone_constraints.
        drop_hopeless_columns : True or False, default=False (lightgbm: True)
            Whether a column without a split of positive gain (or of min_split_gain) at a node is ignored in all nodes below it, as in LightGBM. It saves time, but misses interactions between columns that have no effect alone.
            Only with split_method other than 'exact' and grow_policy other than 'symmetric' and split_score other than 'cosine' and random_strength=0.0.
        row_counts : one of 'exact', 'hessian', default='exact' (lightgbm: 'hessian')
            How candidate splits count rows for min_samples_leaf, min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in LightGBM (hessian sum × rows / hessian sum of the node, rounded per bin). Estimates count confidently predicted rows less. Set 'exact' under recipe lightgbm to make limits exact; both agree for squared error without weights. Vector leaves and linear_fit='gain' always count exactly.
            Only with split_method other than 'exact' or 'approx' and grow_policy='leafwise' or 'depthwise' and extra_trees=False and split_score other than 'cosine' and random_strength=0.0.
        colsample_bytree : a number above 0 and at most 1, default=1.0
            Share of the columns that each tree may use. Values below 1 decorrelate trees and save time on wide tables.
            Also called feature_fraction, sub_feature.
        colsample_bylevel : a number above 0 and at most 1, default=1.0
            Share of the tree's columns (colsample_bytree) that each level may use.
        colsample_bynode : a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2', default=1.0 (forest: 'sqrt')
            Share or number of the level's columns (colsample_bylevel) that each node may use. 'sqrt' and 'log2' are functions of the total number of columns. The usual randomization of forests.
            Also called rsm, max_features, feature_fraction_bynode, sub_feature_bynode.
        draw_until_split : True or False, default=False (forest: True; tree: True)
            Whether a node without a valid split among its sampled columns (colsample_bynode) samples further columns, one at a time, until one has a split, as scikit-learn's trees do.
            Only with colsample_bynode other than 1.0 and grow_policy other than 'symmetric'.
        leaf_model : one of 'constant', 'linear', default='constant' (plgb: 'linear')
            Content of leaves: 'constant' is one number; 'linear' adds slopes for a few numeric columns, which needs fewer trees when the target changes linearly with a feature. Missing values of these columns add 0. Linear leaves do not use categories and do not support monotone constraints.
        linear_fit : one of 'after', 'gain', default='after' (plgb: 'gain')
            How linear leaves are found. 'after': trees grow as with constant leaves, then each leaf is fitted, as LightGBM's linear_tree does; fast. 'gain': each split is chosen by the gain of linear fits in its children (piecewise-linear boosting); slower, often more accurate.
            Only with leaf_model='linear'.
        linear_regression : one of 'additive', 'half_additive', 'full', default='half_additive'
            What linear_fit='gain' refits in the children of a candidate split. 'additive': a constant and the slope of the split column. 'half_additive': also a factor of the parent's linear function. 'full': all slopes, with at most 8 columns; slow.
            Only with leaf_model='linear' and linear_fit='gain'.
        linear_features : 'tree', or a list of columns, given by name or by position, default=None
            Columns of linear leaves: None uses the split columns on the path to the leaf, 'tree' the split columns of the whole tree. A list of names or positions uses exactly these columns.
            Only with leaf_model='linear'.
        max_linear_features : an integer, 1 or more, default=5
            Maximum number of columns of a linear leaf: the first ones on the path from the root, or those with the largest gain in the tree (linear_features='tree').
            Only with leaf_model='linear' and linear_features=None or 'tree'.
        linear_lambda : a finite number, 0 or more, or 'auto', default=0.1 (lightgbm: 0.0; plgb: 'auto')
            L2 penalty on the slopes of linear leaves, for columns scaled to unit standard deviation within the leaf; for squared error, 1 acts like one additional row. 'auto' applies a penalty of 1 and then shrinks the slopes of each leaf by their estimated noise (James-Stein): slopes with an F statistic below 2 become 0. reg_lambda penalizes the constant.
            Only with leaf_model='linear'.
        extrapolate : one of 'clip', 'linear', default='clip'
            Value of a linear leaf outside the range of its training rows: 'clip' uses the nearest value inside the range, 'linear' continues the line. 'clip' is safer; use 'linear' for trends.
            Only with leaf_model='linear'.
        sampling : one of 'none', 'bernoulli', 'uniform', 'goss', 'mvs', 'bayesian', 'bootstrap', 'catboost', default='bernoulli' (catboost: 'catboost'; forest: 'bootstrap')
            How each round samples rows. 'bernoulli': each row with probability subsample. 'uniform': exactly that share of the rows. 'bootstrap': that share, drawn with replacement. 'bayesian': all rows with random weights (bagging_temperature). 'goss': rows with large gradients and a sample of the others (top_rate, other_rate). 'mvs': with probabilities proportional to gradient size, about subsample of the rows. 'none': all rows. goss and mvs up-weight sampled rows so that sums stay unbiased. 'catboost': bayesian for softmax without subsample, otherwise mvs.
        subsample : a number above 0 and at most 1, default=0.8 if sampling is 'mvs' or 'catboost', else 1.0
            Share of the rows that each round samples. Values of 0.5 to 0.9 regularize and save time.
            Also called bagging_fraction, bagging, sub_row.
        subsample_freq : an integer, 0 or more, default=1
            Number of rounds that share a sample of rows. 0 disables sampling, as LightGBM's bagging_freq does. goss and mvs sample in each round.
            Only with random sampling of rows: subsample below 1, or sampling='bootstrap' or 'bayesian'.
            Also called bagging_freq.
        sampling_unit : one of 'row', 'query', default='row'
            What is sampled: single rows or, for ranking, whole queries (not with goss and mvs).
            Only with sampling of rows: subsample below 1, or sampling='bootstrap', 'bayesian', 'goss' or 'mvs'.
        pos_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 1 that each round samples, for binary classification. If it or neg_subsample is below 1, they replace subsample. Use neg_subsample below 1 to save time when negatives are plentiful.
            Only with sampling='bernoulli' or 'uniform'.
            Also called pos_bagging_fraction, pos_bagging, pos_sub_row.
        neg_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 0 that each round samples; see pos_subsample.
            Only with sampling='bernoulli' or 'uniform'.
            Also called neg_bagging_fraction, neg_bagging, neg_sub_row.
        top_rate : a number between 0 and 1, default=0.2
            Share of all rows with the largest |gradient × hessian| (summed over outputs) that sampling='goss' keeps with weight 1. The first 1 / learning_rate rounds use all rows.
            Only with sampling='goss'.
        other_rate : a number above 0 and at most 1, default=0.1
            Share of all rows that sampling='goss' draws at random from the rest. They get the weight (1 - top_rate) / other_rate.
            Only with sampling='goss'.
        mvs_reg : a finite number, 0 or more, or 'auto', default='auto'
            Constant that sampling='mvs' adds to the squared gradient of a row before taking the root; larger values make sampling more uniform. 'auto' uses the squared mean absolute leaf value of the last tree (before the first tree, the squared mean gradient).
            Only with sampling='mvs' or 'catboost'.
        bagging_temperature : a number between 0 and 10, default=1.0
            Strength of sampling='bayesian': row weights are (-log u)^bagging_temperature for uniform random u. 1 is the Bayesian bootstrap; 0 gives equal weights.
            Only with sampling='bayesian' or 'catboost'.
        categorical_features : 'auto', 'none' or a list of columns, given by name or by position, default='auto'
            Categorical columns. 'auto': text columns and columns of a categorical type. 'none': no column; text columns raise an error. A list of names or positions adds columns to those of 'auto', for example integer identifiers.
            Also called cat_features, cat_feature, cat_column, categorical_feature, categorical_column.
        unseen_category : one of 'missing', 'error', default='missing'
            What to do with levels that the training data did not contain, in eval sets and at predict: treat them as 'missing', or raise an 'error'. The model stores the rule. Between cross-validation folds they are always missing.
        categorical : one of 'auto', 'onehot', 'subset', 'target', or a dictionary from column name to one of these, default='auto'
            How categorical columns are split. 'onehot': one level against all others. 'subset': a set of levels against the rest. 'target': each category is replaced by the mean target of its training rows (ordered target statistics: each row uses only the rows before it in random permutations). 'auto': onehot below max_cat_to_onehot levels, target above max_cat_to_subset, subset in between; subset instead of target for rows on several workers. A dictionary sets single columns. model.categorical lists the choice.
        max_cat_to_subset : an integer, 0 or more, default=64 (gbm: 0; histgb: 0; xgboost: 0; lightgbm: 0; dart: 0; tree: 0; catboost: 2)
            Maximum number of levels of a category that categorical='auto' splits by subsets; categories with more levels use target statistics. 0 disables target statistics.
            Only with categorical='auto'.
        target_strength : a finite number, 0 or more, default=1.0
            Strength of shrinkage towards the prior in target statistics: (sum of targets + strength × prior) / (rows + strength). Increase it if levels are rare and the target is noisy. The prior is the mean target; binary classification has two statistics, with priors 0 and 1.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
        target_permutations : an integer between 1 and 64, default=2
            Number of random permutations of the rows over which target statistics of training rows are averaged. More permutations reduce noise and cost time.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
        target_leaves : one of 'same', 'own', default='same' (catboost: 'own')
            Which permutations route training rows to leaves for leaf values: 'same' uses those that choose splits; 'own' uses additional permutations, so that leaf values do not fit the chance of the first ones. 'own' takes longer and overfits less.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0, split_method='hist' and leaf_model='constant'.
        target_bins : 0 or an integer between 3 and 65535, default=32
            Maximum number of bins of a target statistic; 0 means max_bins. Few bins reduce overfitting.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0, and split_method='hist'.
        max_combination : an integer between 1 and 8, default=2
            Maximum number of categories that one target statistic combines. Combinations are added where trial trees use the categories together and gain at least 5 % more with the combination. 1 disables combinations.
            Only with categorical='target', or 'auto' with max_cat_to_subset above 0.
            Also called max_ctr_complexity.
        max_cat_to_onehot : an integer, 0 or more, default=13 (gbm: 4; xgboost: 4; lightgbm: 4; dart: 4; histgb: 0; tree: 0; catboost: 3)
            Number of levels below which categorical='auto' uses onehot splits.
            Only with categorical='auto'.
        max_cat_threshold : an integer, 1 or more, default=32 (xgboost: 64; histgb: 65535; tree: 65535)
            Maximum number of levels in the set of a subset split.
            Only with categorical='auto' or 'subset'.
        cat_smooth : a finite number, 0 or more, or 'reg_lambda', default=10.0 (xgboost: 'reg_lambda'; tree: 0.0)
            Smoothing of subset splits: levels are sorted by gradient sum / (hessian sum + cat_smooth), which moves rare levels to the middle. 'reg_lambda' uses that value.
            Only with categorical='auto' or 'subset'.
        cat_l2 : a finite number, 0 or more, default=10.0 (xgboost: 0.0; histgb: 0.0; tree: 0.0)
            Additional L2 penalty, besides reg_lambda, on leaf values of subset splits.
            Only with categorical='auto' or 'subset'.
        min_data_per_group : an integer, 1 or more, default=100 (xgboost: 1; histgb: 1; tree: 1)
            Minimum number of rows by which the set of a subset split must grow before it is evaluated again. Larger values regularize and save time.
            Only with categorical='auto' or 'subset'.
        min_data_per_level : a finite number, 0 or more, or 'cat_smooth', default='cat_smooth' (xgboost: 0.0; histgb: 10.0; tree: 0.0)
            Minimum number of rows of a level in a node for subset splits to consider it; 'cat_smooth' uses that value.
            Only with categorical='auto' or 'subset'.
        cat_rule : one of 'auto', 'lightgbm', 'xgboost', 'histgb', default='auto' (lightgbm: 'lightgbm'; xgboost: 'xgboost'; histgb: 'histgb')
            Details of the search for subsets. 'auto' and 'lightgbm': sets hold at most half of the levels of a node; 'lightgbm' also treats rare levels as missing values. 'xgboost': sets hold any number of levels below max_cat_threshold, and levels too light for a leaf are sorted to the middle. 'histgb': sets are built from one end of the sorted levels only, and a node needs two levels.
            Only with categorical='auto' or 'subset' or 'onehot'.
        cat_missing : one of 'level', 'right', 'either', default='level' (lightgbm: 'right'; xgboost: 'either')
            Where missing values of a category go: 'level' treats them as a level of their own, 'right' sends them right, 'either' tries both sides of each set.
            Only with categorical='auto' or 'subset' or 'onehot'.
        missing : a finite number or NaN, default=None
            Value that marks a missing entry in addition to NaN, for example -999, in training, evaluation and prediction. In 32-bit float columns the nearest 32-bit value counts. With train, pass it to Dataset.
        zero_as_missing : True or False, default=False
            Whether entries that a sparse matrix (or a pandas sparse column with fill value 0) does not store are missing values; otherwise they are 0. Stored zeros remain 0. With train, pass it to Dataset.
        max_bins : an integer between 3 and 65535, default=256 (lightgbm: 255; catboost: 255)
            Maximum number of bins of a column, including the bin for missing values. Fewer bins are faster and regularize; more than 256 bins take more time and memory and rarely gain accuracy.
            Only with split_method='hist'.
            Also called max_bin, border_count.
        min_data_in_bin : an integer, 1 or more, default=3 (xgboost: 1; histgb: 1; gbm: 1; catboost: 1; forest: 1; tree: 1)
            Minimum number of rows in a bin (a row of weight w counts as w rows).
            Only with split_method='hist'.
        sketch_eps : a number between 0.0001 and 0.5, default=0.00390625
            Resolution of split_method='approx': candidate thresholds lie about this share of the total hessian apart, so a column has at most 1 / sketch_eps bins, including the one for missing values.
            Only with split_method='approx'.
        approx_scope : one of 'tree', 'node', default='tree'
            How often split_method='approx' computes candidate thresholds: once per 'tree', or once per 'node' (per level in symmetric growth), which is slower.
            Only with split_method='approx'.
        eval_metric : a name (a string) or a function, or a list of such values, default=None
            Metric or list of metrics for eval sets; the last one decides early stopping. Default: the metric of the objective, also named 'loss'; an empty list disables metrics. A function (y_true, y_pred), with an optional argument sample_weight, returns a number or (name, number, higher_is_better). Scorers of scikit-learn and their names are accepted.
            Also called metric, metrics, metric_types, scoring.
        early_stopping_rounds : an integer, 0 or more, or 'auto', default=0 (histgb: 'auto')
            Stop after this many rounds without improvement on the last eval set and keep the best iteration. 0 disables early stopping; 'auto' waits 10 rounds on more than 10,000 rows and is 0 otherwise. Without an eval set, estimators hold out validation_fraction of the rows.
            Also called n_iter_no_change, od_wait, early_stopping_round.
        early_stopping_tolerance : a finite number, 0 or more, default=0.0 (histgb: 1e-07; gbm: 0.0001)
            Minimum improvement of the metric over the best value so far to count as an improvement.
            Only with early_stopping_rounds other than 0.
            Also called tol, min_delta, early_stopping_min_delta.
        validation_fraction : a number above 0 and at most 0.9, default=0.1
            Share of the training rows held out for early stopping if there is no eval set: stratified by class for a classifier, whole queries for a ranker. Held-out rows are scored with their sample weights. train holds rows out only if you set this parameter (or early_stopping_rounds='auto').
            Only with early_stopping_rounds other than 0.
        warm_start : True or False, default=False
            Whether a repeated call of fit keeps the existing trees and adds rounds up to n_estimators.
        importance_type : one of 'gain', 'cover', 'split', 'mean_gain', 'mean_cover', 'mean_rows', 'mdi', 'total_gain', 'total_cover', 'prediction_values_change', default='gain'
            Kind of feature_importances_, normalized to a sum of 1: total gain, total cover (hessians), number of splits, means per split, or mean decrease in impurity. Under recipe xgboost, gain and cover are means per split, as in XGBoost, and total_gain and total_cover are sums.
        random_state : an integer between 0 and 2^63 - 1 or a numpy random generator, default=0
            Seed of all random choices: sampling of rows and columns, permutations, noise. The same seed gives the same model, on any number of threads.
            Also called seed, random_seed.
        n_jobs : a number of threads, 1 or more, or -1 for all of them, -2 for all but one and so on, default=-1
            Number of threads; -1 means all cores available to the process, -2 all but one, as in scikit-learn. The model does not depend on it.
            Also called nthread, nthreads, num_threads, num_thread, thread_count.
        verbose : True, False or an integer, 0 or more, default=0
            Progress output: True shows a progress bar (a few lines if rich is not installed), n prints metrics every n rounds, 0 is silent.
        """

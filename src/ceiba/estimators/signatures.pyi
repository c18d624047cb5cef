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
        recipe : one of 'auto', 'gbm', 'histgb', 'xgboost', 'lightgbm', 'catboost', 'forest', 'dart', 'plgb', 'tree', default='auto'
            Named set of defaults: ceiba's own, or those of the library it is named after.
        objective : a name (a string) or a function, default=None
            Loss to make small. By default squared_error; for a classifier logistic with two classes and softmax with more; for a ranker lambdarank_ndcg. A function (y_true, raw_score) returns the gradients and hessians of the unweighted loss; the model then predicts raw scores.
            Also called loss, loss_function, application, app, objective_type.
        quantile : a number above 0 and below 1, or a list of such values, default=0.5 (gbm: 0.9; lightgbm: 0.9)
            Level of objective and metric quantile, or a list of increasing levels: one model that predicts all of them, sorted in each row.
            Also called quantile_alpha.
        calibration_folds : 0, an integer >= 2 or 'auto', default=0 (auto: 'auto')
            Folds of rows by which objective quantile is calibrated, so that the level also holds for new rows: each fold is scored by a model of the others. 0 means not at all, 'auto' means 5 with up to 10,000 rows and no early stopping.
        huber_delta : a finite number, above 0, default=None
            Difference beyond which objectives huber and pseudo_huber, and their metrics, are no longer squared, in the units of the target. By default each round of objective huber takes the huber_quantile quantile of the |residuals|; the others take 1, with which pseudo_huber learns next to nothing where differences are in the thousands.
            Also called huber_slope.
        huber_quantile : a number above 0 and below 1, default=0.9
            Share of the rows that objective huber treats as near where huber_delta is not given.
        leaf_rule : one of 'exact', 'friedman', default='exact' (gbm: 'friedman')
            How a leaf gets its value where there is a choice: as exactly as the objective can, or as Friedman and scikit-learn's GBM have it, (K - 1) / K times the Newton step for softmax of K classes, and one step from the median for huber. A row that absolute_error or quantile hits exactly then counts as too low, as it does there, and else as neither.
        curvature_rule : one of 'safe', 'plain', default='safe' (xgboost: 'plain')
            What objectives pseudo_huber and squared_log_error take for curvature: one with which no leaf runs away (the scores of squared_log_error are then log(1 + prediction)), or the second derivative in the prediction, as XGBoost does.
        tweedie_variance_power : a number above 1 and below 2, default=1.5
            Power p of objective tweedie and its metric, for a variance proportional to mean^p.
        poisson_max_delta_step : a finite number, 0 or more, default=0.0 (xgboost: 0.7; lightgbm: 0.7)
            Hessians of objective poisson are multiplied by exp of this, so that a leaf with many more events than were predicted does not go too far.
        base_score : a finite number, or a list of such values, default=None
            Prediction that boosting starts from, in prediction units: a number for a regressor, the probability of the second class with objective logistic, that of each class with softmax. By default what boost_from_average says.
        boost_from_average : True or False, or 'catboost', default=True (catboost: 'catboost')
            Whether boosting starts from the best constant, or else from a raw score of 0. 'catboost' starts from the best constant with squared_error, absolute_error and quantile only.
        n_estimators : an integer, 1 or more, default=100 (catboost: 1000; tree: 1)
            Number of boosting rounds; a round grows one tree, or one for each class of softmax.
            Also called num_boost_round, num_iterations, num_iteration, iterations, max_iter, n_iter, num_trees, num_tree, num_rounds, num_round, nrounds.
        learning_rate : a number above 0, 'auto', or a schedule: a list with one rate per round, or a function from round number to rate, default=0.1 (xgboost: 0.3; catboost: 'auto', or 0.03 if reg_lambda or leaf_iterations is given)
            Factor of each tree: a number, or a schedule with the factor of each round. 'auto' is CatBoost's rule, by loss, rows, n_estimators and whether there are eval sets. The model records what became of it.
            Also called eta, shrinkage, shrinkage_rate, learning_rates.
        boosting : one of 'plain', 'ordered', 'dart', 'forest', default='plain' (dart: 'dart'; tree: 'forest'; forest: 'forest')
            How trees are put together: each corrects the sum of those before it (plain), the same with gradients at scores that do not know the target of their row, as CatBoost's Ordered (ordered; for losses of single rows with Newton leaves), or the sum without some that are dropped for the round (dart), or each is grown alone, on a sample, and the model is their mean (forest, which has no learning rate).
            Also called boosting_type, boost.
        ordered_permutations : an integer, 1 or more, default=3
            Permutations of the rows of boosting='ordered'; each round draws one.
            Only with boosting='ordered'.
        num_parallel_tree : an integer, 1 or more, default=1
            Trees (of each class) that a round grows, each on rows and columns of its own. Each counts the learning rate divided by their number, as in XGBoost. Iterations count rounds.
        drop_rate : a number between 0 and 1, default=0.1 (xgboost: 0.0)
            Chance of the trees of an earlier round to be dropped, with boosting='dart'.
            Only with boosting='dart'.
            Also called rate_drop.
        skip_drop : a number between 0 and 1, default=0.5 (xgboost: 0.0)
            Chance of a round to drop nothing, with boosting='dart'.
            Only with boosting='dart'.
        max_drop : an integer, 0 or more, default=50 (xgboost: 0)
            Most rounds whose trees are dropped at a time, with boosting='dart'; 0 means unlimited.
            Only with boosting='dart'.
        one_drop : True or False, default=False
            Whether a round of boosting='dart' that would drop nothing, and is not skipped by skip_drop, drops the trees of one round.
            Only with boosting='dart'.
        drop_sampling : one of 'weighted', 'uniform', default='weighted' (xgboost: 'uniform')
            Whether, with boosting='dart', trees are dropped in proportion to what they count, or all with the same chance.
            Only with boosting='dart'.
            Also called sample_type.
        normalize : one of 'lightgbm', 'tree', 'forest', default='lightgbm' (xgboost: 'tree')
            What trees count after a round of boosting='dart' with learning rate r that dropped k rounds. lightgbm: new ones r / (k + 1), dropped ones k / (k + 1) of before; tree: r / (k + r) and k / (k + r); forest: r / (1 + r) and 1 / (1 + r). The last two are XGBoost's.
            Only with boosting='dart'.
            Also called normalize_type.
        grow_policy : one of 'leafwise', 'depthwise', 'symmetric', 'depthfirst', default='leafwise' (xgboost: 'depthwise'; catboost: 'symmetric'; tree: 'depthwise'; forest: 'depthfirst')
            Which node is split next: the best one (leafwise), level by level (depthwise), level by level with one split shared by the whole level (symmetric), or the deepest one (depthfirst), which is the fastest way to trees without a limit of leaves. CeibaRanker of recipe auto takes symmetric unless max_leaves is given.
        split_method : one of 'auto', 'hist', 'approx', 'exact', default='auto' (gbm: 'exact'; tree: 'exact')
            Where thresholds come from: the edges of bins made once (hist), bins made anew for each tree or node (approx), or every distinct value (exact, which reads neither max_bins nor min_data_in_bin). auto is hist; a model records the method that grew it.
            Also called tree_method.
        multi_strategy : one of 'one_tree_per_output', 'vector_leaf', default='one_tree_per_output' (tree: 'vector_leaf')
            Where a row has several outputs (classes, labels, several targets): a tree for each of them in every round, or one tree whose leaves have a value for each (vector_leaf), which is faster and smaller. Several targets of squared error, and classes of gini, are then split by the gradients of all of them, other classes and labels by a sum with random signs.
        max_depth : an integer, 0 or more, default=0 if grow_policy is 'leafwise', else 6 (xgboost: 6; lightgbm: 0; histgb: 0; gbm: 3; tree: 0; forest: 0)
            Most splits on the way to a leaf; 0 means unlimited.
            Also called depth.
        max_leaves : 0 (unlimited) or an integer, 2 or more, default=31 if grow_policy is 'leafwise', else 0 (xgboost: 0; lightgbm: 31; histgb: 31; gbm: 0; tree: 0; forest: 0)
            Most leaves of a tree; 0 means unlimited.
            Also called num_leaves, max_leaf_nodes, num_leaf, max_leaf.
        min_samples_leaf : an integer, 0 or more, or a number above 0 and below 1, default=20 (xgboost: 0; gbm: 1; catboost: 1; tree: 1; forest: 1)
            Fewest rows of a leaf; a number below 1 is a share of all rows. A symmetric tree splits all nodes of a level alike: a node whose children have fewer has no say in that split (so with min_samples_split).
            Also called min_child_samples, min_data_in_leaf, min_data_per_leaf, min_data.
        min_samples_split : an integer, 2 or more, or a number above 0 and below 1, default=2
            Fewest rows of a node that may be split; they are counted as for min_samples_leaf.
        weighted_counts : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False; tree: False; forest: False)
            Whether a row of weight w counts as w rows in min_samples_leaf where all weights are whole numbers (with a sum below 2^30). Otherwise every row counts once.
        min_child_weight : a finite number, 0 or more, default=0.001 (xgboost: 1.0; gbm: 0.0; catboost: 0.0; tree: 0.0; forest: 0.0)
            Smallest sum of hessians of a leaf. In a symmetric tree, which splits all nodes of a level alike, a leaf with less takes the value of the node above it.
            Also called min_sum_hessian_in_leaf, min_sum_hessian_per_leaf, min_sum_hessian, min_hessian.
        min_split_gain : a finite number, 0 or more, default=0.0
            Smallest gain of a split.
            Also called gamma, min_split_loss, min_gain_to_split.
        min_impurity_decrease : a finite number, 0 or more, default=0.0
            Smallest gain of a split, divided by the sum of the hessians of all rows of the tree. With split_hessian='unit' that is scikit-learn's weighted decrease of the squared error.
        min_weight_fraction_leaf : a number between 0 and 0.5, default=0.0
            Smallest share of the sum of the hessians of all rows of the tree that a leaf holds; in a symmetric tree as with min_child_weight. With split_hessian='unit' that is scikit-learn's share of the weights.
        ccp_alpha : a finite number, 0 or more, default=0.0
            Cost-complexity pruning after growth: every split costs this much times the sum of the hessians of all rows of the tree, and splits that, with all below them, gain no more than they cost are cut (in a symmetric tree whole levels, where a node without rows on both sides costs nothing). With split_hessian='unit' as in scikit-learn.
        prune : one of 'auto', 'before', 'after', default='before' (xgboost: 'auto')
            When min_split_gain is looked at: before a node is split, or after the tree has grown, from its leaves up, so that a poor split above a good one stays. 'auto' is after with split_method='exact' and before otherwise, as XGBoost does.
            Only with min_split_gain other than 0.0.
        split_hessian : one of 'loss', 'unit', default='loss' (gbm: 'unit'; catboost: 'unit')
            Hessians by which splits are chosen: those of the loss, or 1 for every row, so that trees are fitted to the gradients alone. Leaf values always use those of the loss.
        split_score : one of 'newton', 'cosine', 'entropy', default='newton' (catboost: 'cosine')
            What ranks the candidates of a split: the gain of Newton steps, or the cosine of the angle between leaf values and gradients, over all leaves of a level in symmetric growth, as in CatBoost. Splits are recorded by their gain, which a level of a symmetric tree that the cosine ranks does not need. Candidates of cosine must be those of bins. 'entropy', for objective gini, gains what the entropy of the classes falls by, in natural logarithms and summed over rows; penalties then count in leaves only.
            Also called score.
        random_strength : a finite number, 0 or more, default=0.0 (catboost: 1.0)
            Normal noise on what ranks the candidates of a split, in units of a typical gradient; it dies out as the learning rates of the rounds add up, as in CatBoost. Candidates must be those of bins.
        extra_trees : True or False, default=False
            Whether a node tries, for each column, only one threshold, drawn among all bins of the column (of a category one level, or one number of levels), as LightGBM does. Nodes of a level of a symmetric tree share it.
            Also called extra_tree.
        monotone_constraints : a list with one value per column, or a dictionary from column name to value; each value must be an integer between -1 and 1, default=None
            Columns with which the raw score (of each class) may only rise (1) or only fall (-1). Missing values have no place in that order.
            Also called monotonic_cst, monotone_constraint, mc.
        interaction_constraints : a list of lists of columns, given by name or by position, or 'pairwise', or 'no_interactions', default=None
            Sets of columns that may be split together on the way to a leaf. 'no_interactions' means each column alone, 'pairwise' any two columns.
            Also called interaction_cst.
        unlisted_interactions : one of 'alone', 'together', 'never', default='alone' (histgb: 'together'; lightgbm: 'never')
            Whether columns in no set of interaction_constraints may be split alone only, as in XGBoost, are one more set, as in scikit-learn, or are never split, as in LightGBM.
            Only with interaction_constraints.
        feature_weights : a list with one value per column, or a dictionary from column name to value; each value must be a finite number, 0 or more, default=None
            Weights of the columns in column sampling: a column is drawn in proportion to its weight, one of weight 0 only where the others do not suffice. Columns that a dictionary leaves out have weight 1.
            Only with colsample_bytree other than 1.0, or colsample_bylevel other than 1.0, or colsample_bynode other than 1.0.
        reg_lambda : a finite number, 0 or more, default=1.0 (lightgbm: 0.0; histgb: 0.0; gbm: 0.0; catboost: 3.0; tree: 0.0; forest: 0.0)
            L2 penalty on leaf values.
            Also called lambda_l2, l2_leaf_reg, l2_regularization, lambda.
        reg_alpha : a finite number, 0 or more, default=0.0
            L1 penalty on leaf values.
            Also called lambda_l1, l1_regularization.
        max_delta_step : a finite number, 0 or more, or 'objective', default=0.0 (xgboost: 'objective')
            Largest leaf value before the learning rate; 0 means unlimited, 'objective' 0.7 for poisson and unlimited for the others, as in XGBoost.
            Also called max_leaf_output, max_tree_output.
        leaf_iterations : an integer, 1 or more, or one of 'auto', 'catboost', default=1 (auto: 'auto'; catboost: 'catboost')
            Newton steps by which a leaf finds its value; each after the first goes on from there, towards the minimum of the leaf's own loss. 'auto' is 3 for objectives logistic and cross_entropy with symmetric growth, else 1; 'catboost' is 10 for those two and for poisson where n_estimators is 200 or more, else 1. Leaves that are exact after one step make no other; objectives of queries or with several scores a row refuse more than one.
            Also called leaf_estimation_iterations.
        leaf_penalty : one of 'value', 'step', default='value' (catboost: 'step')
            What reg_lambda holds back where a leaf takes several steps: its value, or each of the steps, so that many of them come near the minimum without a penalty, as in CatBoost.
        leaf_backtracking : True or False, default=True
            Whether a further step of a leaf that would go past where its minimum is known to be goes half way there instead.
        leaf_rows : one of 'sampled', 'all', default='sampled' (catboost: 'all')
            Rows that leaves get their values from: those that the trees of the round were grown on, or all of them, so that samples of rows choose splits alone, as in CatBoost.
        leaf_guard : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False)
            Whether a leaf stops at the minimum of its own loss where the Newton step would go past it. Leaves of poisson, gamma and tweedie stop at the minimum that follows from their step; with more than one of leaf_iterations they always do. Leaves of logistic, cross_entropy, exponential, softmax and one_against_rest add at most log(1 + |Newton step|), a lower bound of the distance to the minimum, except in forests. At a learning rate of 0.1 that limits Newton steps above 36, at 1 all of them.
        penalize_bounded : True or False, default=True
            Whether reg_alpha counts in the gain of splits whose values have bounds, by max_delta_step or by monotone_constraints. XGBoost before 3.4 leaves it out there.
        drop_hopeless_columns : True or False, default=False (lightgbm: True)
            Whether a column none of whose splits of a node gains anything, or as much as min_split_gain, is left out below that node, as LightGBM does. Exact splits and symmetric growth always look at all columns.
        row_counts : one of 'exact', 'hessian', default='exact' (lightgbm: 'hessian')
            How candidate splits count the rows of their children for min_samples_leaf, min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in LightGBM. An estimate rounds hessian sum × rows / hessian sum of the node in each bin. Rows with small hessians (predicted well, or with small weights) then count less. Squared error without weights has the same counts either way. Only histogram splits of trees with one output, grown leafwise or depthwise, are estimated; split_method 'exact' and 'approx', vector leaves, linear gains, extra_trees, noise and other values of grow_policy count exactly.
        colsample_bytree : a number above 0 and at most 1, default=1.0
            Share of the columns that each tree may use.
            Also called feature_fraction, sub_feature.
        colsample_bylevel : a number above 0 and at most 1, default=1.0
            Share of the tree's columns that each level may use.
        colsample_bynode : a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2', default=1.0 (forest: 'sqrt')
            Share of the level's columns that each node may use, or the number of them; 'sqrt' and 'log2' are functions of the number of all columns.
            Also called rsm, max_features, feature_fraction_bynode, sub_feature_bynode.
        draw_until_split : True or False, default=False (forest: True; tree: True)
            Whether a node none of whose columns, drawn by colsample_bynode, has a split draws others, one at a time, until one has, as scikit-learn's trees do. Nodes of a symmetric tree do not.
        leaf_model : one of 'constant', 'linear', default='constant' (plgb: 'linear')
            What a leaf adds to the score: one number, or a line: a number and a slope for each of a few columns of numbers (linear). A missing value of such a column adds nothing. Categories are never among them, and monotone constraints have no lines.
        linear_fit : one of 'after', 'gain', default='after' (plgb: 'gain')
            How lines are found: trees grow as with constants, then the leaves get their lines (after), as with LightGBM's linear_tree; or splits are chosen by what lines gain in their children (gain), as in piecewise-linear boosting. The leaves are fitted alike.
            Only with leaf_model='linear'.
        linear_regression : one of 'additive', 'half_additive', 'full', default='half_additive'
            What linear_fit='gain' fits anew in the children of a split: a constant and the slope of the column that is split (additive), a factor of the node's line as well (half_additive), or all slopes (full: slow, with at most 8 columns).
            Only with leaf_model='linear' and linear_fit='gain'.
        linear_features : 'tree', or a list of columns, given by name or by position, default=None
            Columns of lines: those by which the nodes above a leaf are split (None), those by which its tree is, or given ones, by name or by position, all of which are then used.
            Only with leaf_model='linear'.
        max_linear_features : an integer, 1 or more, default=5
            Most columns of a line, where they are not given: the first on the path from the root, or those with the largest gains in the tree.
            Only with leaf_model='linear' and linear_features=None or linear_features='tree'.
        linear_lambda : a finite number, 0 or more, or 'auto', default=0.1 (lightgbm: 0.0; plgb: 'auto')
            L2 penalty on the slopes of lines, each in units of the deviation of its column over the rows of the leaf: it counts like so many rows (of squared error). 'auto' is a penalty of 1 and shrinks the slopes of a leaf by its noise (James-Stein): slopes with an F statistic below 2 are dropped, large ones are kept. reg_lambda is for the constant.
            Only with leaf_model='linear'.
        extrapolate : one of 'clip', 'linear', default='clip'
            What a line does with a value beyond those that the rows of its leaf had: it takes the nearest of those (clip), or goes on (linear).
            Only with leaf_model='linear'.
        sampling : one of 'none', 'bernoulli', 'uniform', 'goss', 'mvs', 'bayesian', 'bootstrap', 'catboost', default='bernoulli' (catboost: 'catboost'; forest: 'bootstrap')
            How the rows of a round are sampled. bernoulli: each by a chance of its own (subsample), uniform: exactly that share of them; goss: those of large gradients and some of the others (top_rate, other_rate); mvs: by a chance in proportion to the size of their gradients, about subsample of them; bayesian: all, with random weights (bagging_temperature); bootstrap: drawn with replacement, as often as subsample of the rows; none: all. What goss and mvs take is multiplied so that sums stay what they are in expectation. catboost: mvs or, with objective softmax and no subsample, bayesian.
        subsample : a number above 0 and at most 1, default=0.8 if sampling is 'mvs' or 'catboost', else 1.0
            Share of the rows that each round is grown on.
            Also called bagging_fraction, bagging, sub_row.
        subsample_freq : an integer, 0 or more, default=1
            Rounds for which a sample of rows is kept before another is drawn; 0 means that all rows are taken, and is for subsample=1 only. goss and mvs follow the gradients and draw in every round.
            Also called bagging_freq.
        sampling_unit : one of 'row', 'query', default='row'
            What is sampled: single rows, or whole queries of a ranking (not with goss and mvs).
        pos_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 1, of two classes, that each round is grown on. Where it or neg_subsample is below 1, the two take the place of subsample (bernoulli and uniform).
            Only with sampling='bernoulli' or sampling='uniform'.
            Also called pos_bagging_fraction, pos_bagging, pos_sub_row.
        neg_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 0; see pos_subsample.
            Only with sampling='bernoulli' or sampling='uniform'.
            Also called neg_bagging_fraction, neg_bagging, neg_sub_row.
        top_rate : a number between 0 and 1, default=0.2
            Share of all rows that sampling='goss' takes for their gradients: those with the largest |gradient times hessian|, summed over the outputs. Each counts once. In the first 1 / learning_rate rounds all rows are taken.
            Only with sampling='goss'.
        other_rate : a number above 0 and at most 1, default=0.1
            Share of all rows that sampling='goss' takes of the others, each by chance; they count (1 - top_rate) / other_rate times.
            Only with sampling='goss'.
        mvs_reg : a finite number, 0 or more, or 'auto', default='auto'
            What sampling='mvs' adds to the squared gradient of a row before it takes the root: the larger, the more alike are the chances of rows. 'auto' is the squared mean of the leaf values (their absolute values) of the last tree, and before the first tree the squared mean of the gradients.
            Only with sampling='mvs' or sampling='catboost'.
        bagging_temperature : a number between 0 and 10, default=1.0
            With sampling='bayesian' a row is multiplied by (-log u) to this power, u being a random number between 0 and 1. 1 is the Bayesian bootstrap, with 0 all rows count alike.
            Only with sampling='bayesian' or sampling='catboost'.
        categorical_features : 'auto', 'none' or a list of columns, given by name or by position, default='auto'
            Columns that are categories: those of text and with a dictionary (auto), none, so that such columns are an error, or those and the listed ones, such as whole numbers that are identifiers.
            Also called cat_features, cat_feature, cat_column, categorical_feature, categorical_column.
        unseen_category : one of 'missing', 'error', default='missing'
            What becomes of levels that the training table did not hold, in eval sets and at predict: they are missing values, or an error. The model keeps it. Between folds of one table they are missing values.
        categorical : one of 'auto', 'onehot', 'subset', 'target', or a dictionary from column name to one of these, default='auto'
            How a category is used: one level is split from all others (onehot), a set of levels from the rest (subset), or every level becomes the mean of the targets of its rows, each row seeing only those before it in random orders (target). 'auto' is onehot for fewer levels than max_cat_to_onehot, target for more than max_cat_to_subset, and else subset, which it is instead of target where rows are in several places. A dictionary says it for single columns; the others are auto. The model tells what was chosen.
        max_cat_to_subset : an integer, 0 or more, default=64 (gbm: 0; histgb: 0; xgboost: 0; lightgbm: 0; dart: 0; tree: 0; catboost: 2)
            With categorical='auto', a category of more levels is used by target statistics; 0: none is.
            Only with categorical='auto'.
        target_strength : a finite number, 0 or more, default=1.0
            Rows that the prior counts for in the statistic of a level (target): (sum of targets + strength * prior) / (rows + strength). The prior is the mean target; of two classes there is a statistic with prior 0 and one with prior 1.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_permutations : an integer between 1 and 64, default=2
            Random orders of the rows over which the statistics of the training rows are averaged (target).
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_leaves : one of 'same', 'own', default='same' (catboost: 'own')
            Random orders of the rows by which leaves get their values (target): the same as those that choose splits, or orders of their own, so that a leaf does not learn what was chance in the orders that made it; then gradients are taken at scores of the orders of splits. With split_method='exact' and 'approx' they are the same.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_bins : 0 or an integer between 3 and 65535, default=32
            Most bins of a statistic (target); 0: max_bins.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        max_combination : an integer between 1 and 8, default=2
            Most categories that are taken together (target): combinations of categories that meet on paths of trees get statistics of their own, where trees gain a twentieth more with them. 1: none are.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
            Also called max_ctr_complexity.
        max_cat_to_onehot : an integer, 0 or more, default=13 (gbm: 4; xgboost: 4; lightgbm: 4; dart: 4; histgb: 0; tree: 0; catboost: 3)
            With categorical='auto', a category of fewer levels is split by onehot.
            Only with categorical='auto'.
        max_cat_threshold : an integer, 1 or more, default=32 (xgboost: 64; histgb: 65535; tree: 65535)
            Most levels of a set by which a category is split (subset).
            Only with categorical='auto' or categorical='subset'.
        cat_smooth : a finite number, 0 or more, or 'reg_lambda', default=10.0 (xgboost: 'reg_lambda'; tree: 0.0)
            Levels are put in order by gradient over hessian, and this is added to the hessian, so that levels of few rows come to the middle. 'reg_lambda' takes that penalty.
            Only with categorical='auto' or categorical='subset'.
        cat_l2 : a finite number, 0 or more, default=10.0 (xgboost: 0.0; histgb: 0.0; tree: 0.0)
            L2 penalty on leaf values, besides reg_lambda, of splits by a set of levels (subset).
            Only with categorical='auto' or categorical='subset'.
        min_data_per_group : an integer, 1 or more, default=100 (xgboost: 1; histgb: 1; tree: 1)
            Rows by which a set of levels must grow before it is looked at again (subset).
            Only with categorical='auto' or categorical='subset'.
        min_data_per_level : a finite number, 0 or more, or 'cat_smooth', default='cat_smooth' (xgboost: 0.0; histgb: 10.0; tree: 0.0)
            Fewest rows of a node that a level needs to be in a set (subset); 'cat_smooth' takes that number.
            Only with categorical='auto' or categorical='subset'.
        cat_rule : one of 'auto', 'lightgbm', 'xgboost', 'histgb', default='auto' (lightgbm: 'lightgbm'; xgboost: 'xgboost'; histgb: 'histgb')
            Details of the search for sets (subset), as a library has them. auto and lightgbm: sets have at most half of the levels of a node; with lightgbm the rarest levels are missing values from the start, as they are there. xgboost: sets have any number below max_cat_threshold, and levels too light for a leaf come to the middle of the order. histgb: no cut is tried from both ends, and a node needs two levels.
            Only with categorical='auto' or categorical='subset' or categorical='onehot'.
        cat_missing : one of 'level', 'right', 'either', default='level' (lightgbm: 'right'; xgboost: 'either')
            Where missing values of a category go: they are a level like any other, or always go to the right, or are tried on both sides of every set.
            Only with categorical='auto' or categorical='subset' or categorical='onehot'.
        missing : a finite number or NaN, default=None
            A value that means missing, besides NaN, in every table: those to learn from, to be scored and to predict for. In a column of 32-bit floats it means the nearest of those. For train give it to the Dataset.
        zero_as_missing : True or False, default=False
            Whether entries that a sparse matrix, or a sparse column of pandas filled with 0, does not hold are missing; otherwise they are 0. A 0 that is written down stays 0. For train give it to the Dataset.
        max_bins : an integer between 3 and 65535, default=256 (lightgbm: 255; catboost: 255)
            Most bins of a column, the one for missing values included.
            Only with split_method other than 'exact' and 'approx'.
            Also called max_bin, border_count.
        min_data_in_bin : an integer, 1 or more, default=3 (xgboost: 1; histgb: 1; gbm: 1; catboost: 1; forest: 1; tree: 1)
            Fewest rows of a bin (a row of weight w counts as w rows).
        sketch_eps : a number between 0.0001 and 0.5, default=0.00390625
            Error of the candidate thresholds of split_method='approx': about this share of the weight (hessians) lies between two of them, so a column has at most 1 / sketch_eps bins, the one for missing values included.
            Only with split_method='approx'.
        approx_scope : one of 'tree', 'node', default='tree'
            Whether split_method='approx' proposes candidate thresholds for every tree, or for every node (with symmetric growth: every level), which is slower.
            Only with split_method='approx'.
        eval_metric : a name (a string) or a function, or a list of such values, default=None
            Metric, or list of metrics, of the eval sets. By default that of the objective, which is also called 'loss'; an empty list means none. The last one decides early stopping. A function (y_true, y_pred), with sample_weight if it takes it, returns a number or (name, number, higher_is_better); a scorer of scikit-learn, or the name of one, is taken too.
            Also called metric, metrics, metric_types, scoring.
        early_stopping_rounds : an integer, 0 or more, or 'auto', default=0 (histgb: 'auto')
            Stop after this many rounds without a better metric on the last eval set, and keep the best iteration; 0 means never, 'auto' means 10 with more than 10,000 rows. An estimator without eval_set holds out validation_fraction of the rows.
            Also called n_iter_no_change, od_wait, early_stopping_round.
        early_stopping_tolerance : a finite number, 0 or more, default=0.0 (histgb: 1e-07; gbm: 0.0001)
            A metric must be better than the best so far by more than this to count as better.
            Also called tol, min_delta, early_stopping_min_delta.
        validation_fraction : a number above 0 and at most 0.9, default=0.1
            Share of the rows held out for early stopping when no eval_set is given (of each class for a classifier, whole queries for a ranker). They are scored with their sample_weight. train needs it given for a number of early_stopping_rounds without eval_sets.
        warm_start : True or False, default=False
            Whether a further call of fit keeps the trees that are there and adds rounds until there are n_estimators.
        importance_type : one of 'gain', 'cover', 'split', 'mean_gain', 'mean_cover', 'mean_rows', 'mdi', 'total_gain', 'total_cover', 'prediction_values_change', default='gain'
            What feature_importances_ holds, as shares that add up to 1: sums of gains or hessians, numbers of splits, means over splits, or the mean decrease in impurity. Under recipe xgboost gain and cover are means, as they are there, and total_gain and total_cover sums.
        random_state : an integer between 0 and 2^63 - 1 or a numpy random generator, default=0
            Seed of row and column sampling. The same seed always gives the same model.
            Also called seed, random_seed.
        n_jobs : a number of threads, 1 or more, or -1 for all of them, -2 for all but one and so on, default=-1
            Threads; -1 means every core that this process may use, -2 all but one, as scikit-learn counts, and at least one is taken. The model does not depend on it.
            Also called nthread, nthreads, num_threads, num_thread, thread_count.
        verbose : True, False or an integer, 0 or more, default=0
            Show how far a training is: True for a progress bar (some lines where rich is not installed), n for a line with the metrics after every n rounds, 0 for nothing.
        """

class ClassifierSignature:
    def __init__(
        self,
        *,
        recipe: Literal[
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
        | None = "auto",
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
        recipe : one of 'auto', 'gbm', 'histgb', 'xgboost', 'lightgbm', 'catboost', 'forest', 'dart', 'plgb', 'tree', default='auto'
            Named set of defaults: ceiba's own, or those of the library it is named after.
        objective : a name (a string) or a function, default=None
            Loss to make small. By default squared_error; for a classifier logistic with two classes and softmax with more; for a ranker lambdarank_ndcg. A function (y_true, raw_score) returns the gradients and hessians of the unweighted loss; the model then predicts raw scores.
            Also called loss, loss_function, application, app, objective_type.
        n_classes : an integer, 2 or more, default=None
            Number of classes of objective softmax, by default the largest class index plus one; number of scores of a row for an objective given as a function, by default one. A classifier finds it from the labels, and refuses another number.
            Also called num_class, num_classes, classes_count.
        hessian_factor : a finite number, above 0, or 'classes', default=1.0 (xgboost: 2.0; lightgbm: 'classes')
            Factor of p(1 - p) in the curvature of softmax; 'classes' means K / (K - 1). Other objectives have no such factor and do not read it.
        leaf_rule : one of 'exact', 'friedman', default='exact' (gbm: 'friedman')
            How a leaf gets its value where there is a choice: as exactly as the objective can, or as Friedman and scikit-learn's GBM have it, (K - 1) / K times the Newton step for softmax of K classes, and one step from the median for huber. A row that absolute_error or quantile hits exactly then counts as too low, as it does there, and else as neither.
        scale_pos_weight : a finite number, above 0, default=1.0
            Multiplies the weights of the training rows of class 1 (two classes only), as if they were given so; rows of eval sets and rows held out keep theirs.
        base_score : a finite number, or a list of such values, default=None
            Prediction that boosting starts from, in prediction units: a number for a regressor, the probability of the second class with objective logistic, that of each class with softmax. By default what boost_from_average says.
        boost_from_average : True or False, or 'catboost', default=True (catboost: 'catboost')
            Whether boosting starts from the best constant, or else from a raw score of 0. 'catboost' starts from the best constant with squared_error, absolute_error and quantile only.
        n_estimators : an integer, 1 or more, default=100 (catboost: 1000; tree: 1)
            Number of boosting rounds; a round grows one tree, or one for each class of softmax.
            Also called num_boost_round, num_iterations, num_iteration, iterations, max_iter, n_iter, num_trees, num_tree, num_rounds, num_round, nrounds.
        learning_rate : a number above 0, 'auto', or a schedule: a list with one rate per round, or a function from round number to rate, default=0.1 (xgboost: 0.3; catboost: 'auto', or 0.03 if reg_lambda or leaf_iterations is given)
            Factor of each tree: a number, or a schedule with the factor of each round. 'auto' is CatBoost's rule, by loss, rows, n_estimators and whether there are eval sets. The model records what became of it.
            Also called eta, shrinkage, shrinkage_rate, learning_rates.
        boosting : one of 'plain', 'ordered', 'dart', 'forest', default='plain' (dart: 'dart'; tree: 'forest'; forest: 'forest')
            How trees are put together: each corrects the sum of those before it (plain), the same with gradients at scores that do not know the target of their row, as CatBoost's Ordered (ordered; for losses of single rows with Newton leaves), or the sum without some that are dropped for the round (dart), or each is grown alone, on a sample, and the model is their mean (forest, which has no learning rate).
            Also called boosting_type, boost.
        ordered_permutations : an integer, 1 or more, default=3
            Permutations of the rows of boosting='ordered'; each round draws one.
            Only with boosting='ordered'.
        num_parallel_tree : an integer, 1 or more, default=1
            Trees (of each class) that a round grows, each on rows and columns of its own. Each counts the learning rate divided by their number, as in XGBoost. Iterations count rounds.
        drop_rate : a number between 0 and 1, default=0.1 (xgboost: 0.0)
            Chance of the trees of an earlier round to be dropped, with boosting='dart'.
            Only with boosting='dart'.
            Also called rate_drop.
        skip_drop : a number between 0 and 1, default=0.5 (xgboost: 0.0)
            Chance of a round to drop nothing, with boosting='dart'.
            Only with boosting='dart'.
        max_drop : an integer, 0 or more, default=50 (xgboost: 0)
            Most rounds whose trees are dropped at a time, with boosting='dart'; 0 means unlimited.
            Only with boosting='dart'.
        one_drop : True or False, default=False
            Whether a round of boosting='dart' that would drop nothing, and is not skipped by skip_drop, drops the trees of one round.
            Only with boosting='dart'.
        drop_sampling : one of 'weighted', 'uniform', default='weighted' (xgboost: 'uniform')
            Whether, with boosting='dart', trees are dropped in proportion to what they count, or all with the same chance.
            Only with boosting='dart'.
            Also called sample_type.
        normalize : one of 'lightgbm', 'tree', 'forest', default='lightgbm' (xgboost: 'tree')
            What trees count after a round of boosting='dart' with learning rate r that dropped k rounds. lightgbm: new ones r / (k + 1), dropped ones k / (k + 1) of before; tree: r / (k + r) and k / (k + r); forest: r / (1 + r) and 1 / (1 + r). The last two are XGBoost's.
            Only with boosting='dart'.
            Also called normalize_type.
        grow_policy : one of 'leafwise', 'depthwise', 'symmetric', 'depthfirst', default='leafwise' (xgboost: 'depthwise'; catboost: 'symmetric'; tree: 'depthwise'; forest: 'depthfirst')
            Which node is split next: the best one (leafwise), level by level (depthwise), level by level with one split shared by the whole level (symmetric), or the deepest one (depthfirst), which is the fastest way to trees without a limit of leaves. CeibaRanker of recipe auto takes symmetric unless max_leaves is given.
        split_method : one of 'auto', 'hist', 'approx', 'exact', default='auto' (gbm: 'exact'; tree: 'exact')
            Where thresholds come from: the edges of bins made once (hist), bins made anew for each tree or node (approx), or every distinct value (exact, which reads neither max_bins nor min_data_in_bin). auto is hist; a model records the method that grew it.
            Also called tree_method.
        multi_strategy : one of 'one_tree_per_output', 'vector_leaf', default='one_tree_per_output' (tree: 'vector_leaf')
            Where a row has several outputs (classes, labels, several targets): a tree for each of them in every round, or one tree whose leaves have a value for each (vector_leaf), which is faster and smaller. Several targets of squared error, and classes of gini, are then split by the gradients of all of them, other classes and labels by a sum with random signs.
        max_depth : an integer, 0 or more, default=0 if grow_policy is 'leafwise', else 6 (xgboost: 6; lightgbm: 0; histgb: 0; gbm: 3; tree: 0; forest: 0)
            Most splits on the way to a leaf; 0 means unlimited.
            Also called depth.
        max_leaves : 0 (unlimited) or an integer, 2 or more, default=31 if grow_policy is 'leafwise', else 0 (xgboost: 0; lightgbm: 31; histgb: 31; gbm: 0; tree: 0; forest: 0)
            Most leaves of a tree; 0 means unlimited.
            Also called num_leaves, max_leaf_nodes, num_leaf, max_leaf.
        min_samples_leaf : an integer, 0 or more, or a number above 0 and below 1, default=20 (xgboost: 0; gbm: 1; catboost: 1; tree: 1; forest: 1)
            Fewest rows of a leaf; a number below 1 is a share of all rows. A symmetric tree splits all nodes of a level alike: a node whose children have fewer has no say in that split (so with min_samples_split).
            Also called min_child_samples, min_data_in_leaf, min_data_per_leaf, min_data.
        min_samples_split : an integer, 2 or more, or a number above 0 and below 1, default=2
            Fewest rows of a node that may be split; they are counted as for min_samples_leaf.
        weighted_counts : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False; tree: False; forest: False)
            Whether a row of weight w counts as w rows in min_samples_leaf where all weights are whole numbers (with a sum below 2^30). Otherwise every row counts once.
        min_child_weight : a finite number, 0 or more, default=0.001 (xgboost: 1.0; gbm: 0.0; catboost: 0.0; tree: 0.0; forest: 0.0)
            Smallest sum of hessians of a leaf. In a symmetric tree, which splits all nodes of a level alike, a leaf with less takes the value of the node above it.
            Also called min_sum_hessian_in_leaf, min_sum_hessian_per_leaf, min_sum_hessian, min_hessian.
        min_split_gain : a finite number, 0 or more, default=0.0
            Smallest gain of a split.
            Also called gamma, min_split_loss, min_gain_to_split.
        min_impurity_decrease : a finite number, 0 or more, default=0.0
            Smallest gain of a split, divided by the sum of the hessians of all rows of the tree. With split_hessian='unit' that is scikit-learn's weighted decrease of the squared error.
        min_weight_fraction_leaf : a number between 0 and 0.5, default=0.0
            Smallest share of the sum of the hessians of all rows of the tree that a leaf holds; in a symmetric tree as with min_child_weight. With split_hessian='unit' that is scikit-learn's share of the weights.
        ccp_alpha : a finite number, 0 or more, default=0.0
            Cost-complexity pruning after growth: every split costs this much times the sum of the hessians of all rows of the tree, and splits that, with all below them, gain no more than they cost are cut (in a symmetric tree whole levels, where a node without rows on both sides costs nothing). With split_hessian='unit' as in scikit-learn.
        prune : one of 'auto', 'before', 'after', default='before' (xgboost: 'auto')
            When min_split_gain is looked at: before a node is split, or after the tree has grown, from its leaves up, so that a poor split above a good one stays. 'auto' is after with split_method='exact' and before otherwise, as XGBoost does.
            Only with min_split_gain other than 0.0.
        split_hessian : one of 'loss', 'unit', default='loss' (gbm: 'unit'; catboost: 'unit')
            Hessians by which splits are chosen: those of the loss, or 1 for every row, so that trees are fitted to the gradients alone. Leaf values always use those of the loss.
        split_score : one of 'newton', 'cosine', 'entropy', default='newton' (catboost: 'cosine')
            What ranks the candidates of a split: the gain of Newton steps, or the cosine of the angle between leaf values and gradients, over all leaves of a level in symmetric growth, as in CatBoost. Splits are recorded by their gain, which a level of a symmetric tree that the cosine ranks does not need. Candidates of cosine must be those of bins. 'entropy', for objective gini, gains what the entropy of the classes falls by, in natural logarithms and summed over rows; penalties then count in leaves only.
            Also called score.
        random_strength : a finite number, 0 or more, default=0.0 (catboost: 1.0)
            Normal noise on what ranks the candidates of a split, in units of a typical gradient; it dies out as the learning rates of the rounds add up, as in CatBoost. Candidates must be those of bins.
        extra_trees : True or False, default=False
            Whether a node tries, for each column, only one threshold, drawn among all bins of the column (of a category one level, or one number of levels), as LightGBM does. Nodes of a level of a symmetric tree share it.
            Also called extra_tree.
        monotone_constraints : a list with one value per column, or a dictionary from column name to value; each value must be an integer between -1 and 1, default=None
            Columns with which the raw score (of each class) may only rise (1) or only fall (-1). Missing values have no place in that order.
            Also called monotonic_cst, monotone_constraint, mc.
        interaction_constraints : a list of lists of columns, given by name or by position, or 'pairwise', or 'no_interactions', default=None
            Sets of columns that may be split together on the way to a leaf. 'no_interactions' means each column alone, 'pairwise' any two columns.
            Also called interaction_cst.
        unlisted_interactions : one of 'alone', 'together', 'never', default='alone' (histgb: 'together'; lightgbm: 'never')
            Whether columns in no set of interaction_constraints may be split alone only, as in XGBoost, are one more set, as in scikit-learn, or are never split, as in LightGBM.
            Only with interaction_constraints.
        feature_weights : a list with one value per column, or a dictionary from column name to value; each value must be a finite number, 0 or more, default=None
            Weights of the columns in column sampling: a column is drawn in proportion to its weight, one of weight 0 only where the others do not suffice. Columns that a dictionary leaves out have weight 1.
            Only with colsample_bytree other than 1.0, or colsample_bylevel other than 1.0, or colsample_bynode other than 1.0.
        reg_lambda : a finite number, 0 or more, default=1.0 (lightgbm: 0.0; histgb: 0.0; gbm: 0.0; catboost: 3.0; tree: 0.0; forest: 0.0)
            L2 penalty on leaf values.
            Also called lambda_l2, l2_leaf_reg, l2_regularization, lambda.
        reg_alpha : a finite number, 0 or more, default=0.0
            L1 penalty on leaf values.
            Also called lambda_l1, l1_regularization.
        max_delta_step : a finite number, 0 or more, or 'objective', default=0.0 (xgboost: 'objective')
            Largest leaf value before the learning rate; 0 means unlimited, 'objective' 0.7 for poisson and unlimited for the others, as in XGBoost.
            Also called max_leaf_output, max_tree_output.
        leaf_iterations : an integer, 1 or more, or one of 'auto', 'catboost', default=1 (auto: 'auto'; catboost: 'catboost')
            Newton steps by which a leaf finds its value; each after the first goes on from there, towards the minimum of the leaf's own loss. 'auto' is 3 for objectives logistic and cross_entropy with symmetric growth, else 1; 'catboost' is 10 for those two and for poisson where n_estimators is 200 or more, else 1. Leaves that are exact after one step make no other; objectives of queries or with several scores a row refuse more than one.
            Also called leaf_estimation_iterations.
        leaf_penalty : one of 'value', 'step', default='value' (catboost: 'step')
            What reg_lambda holds back where a leaf takes several steps: its value, or each of the steps, so that many of them come near the minimum without a penalty, as in CatBoost.
        leaf_backtracking : True or False, default=True
            Whether a further step of a leaf that would go past where its minimum is known to be goes half way there instead.
        leaf_rows : one of 'sampled', 'all', default='sampled' (catboost: 'all')
            Rows that leaves get their values from: those that the trees of the round were grown on, or all of them, so that samples of rows choose splits alone, as in CatBoost.
        leaf_guard : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False)
            Whether a leaf stops at the minimum of its own loss where the Newton step would go past it. Leaves of poisson, gamma and tweedie stop at the minimum that follows from their step; with more than one of leaf_iterations they always do. Leaves of logistic, cross_entropy, exponential, softmax and one_against_rest add at most log(1 + |Newton step|), a lower bound of the distance to the minimum, except in forests. At a learning rate of 0.1 that limits Newton steps above 36, at 1 all of them.
        penalize_bounded : True or False, default=True
            Whether reg_alpha counts in the gain of splits whose values have bounds, by max_delta_step or by monotone_constraints. XGBoost before 3.4 leaves it out there.
        drop_hopeless_columns : True or False, default=False (lightgbm: True)
            Whether a column none of whose splits of a node gains anything, or as much as min_split_gain, is left out below that node, as LightGBM does. Exact splits and symmetric growth always look at all columns.
        row_counts : one of 'exact', 'hessian', default='exact' (lightgbm: 'hessian')
            How candidate splits count the rows of their children for min_samples_leaf, min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in LightGBM. An estimate rounds hessian sum × rows / hessian sum of the node in each bin. Rows with small hessians (predicted well, or with small weights) then count less. Squared error without weights has the same counts either way. Only histogram splits of trees with one output, grown leafwise or depthwise, are estimated; split_method 'exact' and 'approx', vector leaves, linear gains, extra_trees, noise and other values of grow_policy count exactly.
        colsample_bytree : a number above 0 and at most 1, default=1.0
            Share of the columns that each tree may use.
            Also called feature_fraction, sub_feature.
        colsample_bylevel : a number above 0 and at most 1, default=1.0
            Share of the tree's columns that each level may use.
        colsample_bynode : a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2', default=1.0 (forest: 'sqrt')
            Share of the level's columns that each node may use, or the number of them; 'sqrt' and 'log2' are functions of the number of all columns.
            Also called rsm, max_features, feature_fraction_bynode, sub_feature_bynode.
        draw_until_split : True or False, default=False (forest: True; tree: True)
            Whether a node none of whose columns, drawn by colsample_bynode, has a split draws others, one at a time, until one has, as scikit-learn's trees do. Nodes of a symmetric tree do not.
        leaf_model : one of 'constant', 'linear', default='constant' (plgb: 'linear')
            What a leaf adds to the score: one number, or a line: a number and a slope for each of a few columns of numbers (linear). A missing value of such a column adds nothing. Categories are never among them, and monotone constraints have no lines.
        linear_fit : one of 'after', 'gain', default='after' (plgb: 'gain')
            How lines are found: trees grow as with constants, then the leaves get their lines (after), as with LightGBM's linear_tree; or splits are chosen by what lines gain in their children (gain), as in piecewise-linear boosting. The leaves are fitted alike.
            Only with leaf_model='linear'.
        linear_regression : one of 'additive', 'half_additive', 'full', default='half_additive'
            What linear_fit='gain' fits anew in the children of a split: a constant and the slope of the column that is split (additive), a factor of the node's line as well (half_additive), or all slopes (full: slow, with at most 8 columns).
            Only with leaf_model='linear' and linear_fit='gain'.
        linear_features : 'tree', or a list of columns, given by name or by position, default=None
            Columns of lines: those by which the nodes above a leaf are split (None), those by which its tree is, or given ones, by name or by position, all of which are then used.
            Only with leaf_model='linear'.
        max_linear_features : an integer, 1 or more, default=5
            Most columns of a line, where they are not given: the first on the path from the root, or those with the largest gains in the tree.
            Only with leaf_model='linear' and linear_features=None or linear_features='tree'.
        linear_lambda : a finite number, 0 or more, or 'auto', default=0.1 (lightgbm: 0.0; plgb: 'auto')
            L2 penalty on the slopes of lines, each in units of the deviation of its column over the rows of the leaf: it counts like so many rows (of squared error). 'auto' is a penalty of 1 and shrinks the slopes of a leaf by its noise (James-Stein): slopes with an F statistic below 2 are dropped, large ones are kept. reg_lambda is for the constant.
            Only with leaf_model='linear'.
        extrapolate : one of 'clip', 'linear', default='clip'
            What a line does with a value beyond those that the rows of its leaf had: it takes the nearest of those (clip), or goes on (linear).
            Only with leaf_model='linear'.
        sampling : one of 'none', 'bernoulli', 'uniform', 'goss', 'mvs', 'bayesian', 'bootstrap', 'catboost', default='bernoulli' (catboost: 'catboost'; forest: 'bootstrap')
            How the rows of a round are sampled. bernoulli: each by a chance of its own (subsample), uniform: exactly that share of them; goss: those of large gradients and some of the others (top_rate, other_rate); mvs: by a chance in proportion to the size of their gradients, about subsample of them; bayesian: all, with random weights (bagging_temperature); bootstrap: drawn with replacement, as often as subsample of the rows; none: all. What goss and mvs take is multiplied so that sums stay what they are in expectation. catboost: mvs or, with objective softmax and no subsample, bayesian.
        subsample : a number above 0 and at most 1, default=0.8 if sampling is 'mvs' or 'catboost', else 1.0
            Share of the rows that each round is grown on.
            Also called bagging_fraction, bagging, sub_row.
        subsample_freq : an integer, 0 or more, default=1
            Rounds for which a sample of rows is kept before another is drawn; 0 means that all rows are taken, and is for subsample=1 only. goss and mvs follow the gradients and draw in every round.
            Also called bagging_freq.
        sampling_unit : one of 'row', 'query', default='row'
            What is sampled: single rows, or whole queries of a ranking (not with goss and mvs).
        pos_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 1, of two classes, that each round is grown on. Where it or neg_subsample is below 1, the two take the place of subsample (bernoulli and uniform).
            Only with sampling='bernoulli' or sampling='uniform'.
            Also called pos_bagging_fraction, pos_bagging, pos_sub_row.
        neg_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 0; see pos_subsample.
            Only with sampling='bernoulli' or sampling='uniform'.
            Also called neg_bagging_fraction, neg_bagging, neg_sub_row.
        top_rate : a number between 0 and 1, default=0.2
            Share of all rows that sampling='goss' takes for their gradients: those with the largest |gradient times hessian|, summed over the outputs. Each counts once. In the first 1 / learning_rate rounds all rows are taken.
            Only with sampling='goss'.
        other_rate : a number above 0 and at most 1, default=0.1
            Share of all rows that sampling='goss' takes of the others, each by chance; they count (1 - top_rate) / other_rate times.
            Only with sampling='goss'.
        mvs_reg : a finite number, 0 or more, or 'auto', default='auto'
            What sampling='mvs' adds to the squared gradient of a row before it takes the root: the larger, the more alike are the chances of rows. 'auto' is the squared mean of the leaf values (their absolute values) of the last tree, and before the first tree the squared mean of the gradients.
            Only with sampling='mvs' or sampling='catboost'.
        bagging_temperature : a number between 0 and 10, default=1.0
            With sampling='bayesian' a row is multiplied by (-log u) to this power, u being a random number between 0 and 1. 1 is the Bayesian bootstrap, with 0 all rows count alike.
            Only with sampling='bayesian' or sampling='catboost'.
        categorical_features : 'auto', 'none' or a list of columns, given by name or by position, default='auto'
            Columns that are categories: those of text and with a dictionary (auto), none, so that such columns are an error, or those and the listed ones, such as whole numbers that are identifiers.
            Also called cat_features, cat_feature, cat_column, categorical_feature, categorical_column.
        unseen_category : one of 'missing', 'error', default='missing'
            What becomes of levels that the training table did not hold, in eval sets and at predict: they are missing values, or an error. The model keeps it. Between folds of one table they are missing values.
        categorical : one of 'auto', 'onehot', 'subset', 'target', or a dictionary from column name to one of these, default='auto'
            How a category is used: one level is split from all others (onehot), a set of levels from the rest (subset), or every level becomes the mean of the targets of its rows, each row seeing only those before it in random orders (target). 'auto' is onehot for fewer levels than max_cat_to_onehot, target for more than max_cat_to_subset, and else subset, which it is instead of target where rows are in several places. A dictionary says it for single columns; the others are auto. The model tells what was chosen.
        max_cat_to_subset : an integer, 0 or more, default=64 (gbm: 0; histgb: 0; xgboost: 0; lightgbm: 0; dart: 0; tree: 0; catboost: 2)
            With categorical='auto', a category of more levels is used by target statistics; 0: none is.
            Only with categorical='auto'.
        target_strength : a finite number, 0 or more, default=1.0
            Rows that the prior counts for in the statistic of a level (target): (sum of targets + strength * prior) / (rows + strength). The prior is the mean target; of two classes there is a statistic with prior 0 and one with prior 1.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_permutations : an integer between 1 and 64, default=2
            Random orders of the rows over which the statistics of the training rows are averaged (target).
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_leaves : one of 'same', 'own', default='same' (catboost: 'own')
            Random orders of the rows by which leaves get their values (target): the same as those that choose splits, or orders of their own, so that a leaf does not learn what was chance in the orders that made it; then gradients are taken at scores of the orders of splits. With split_method='exact' and 'approx' they are the same.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_bins : 0 or an integer between 3 and 65535, default=32
            Most bins of a statistic (target); 0: max_bins.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        max_combination : an integer between 1 and 8, default=2
            Most categories that are taken together (target): combinations of categories that meet on paths of trees get statistics of their own, where trees gain a twentieth more with them. 1: none are.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
            Also called max_ctr_complexity.
        max_cat_to_onehot : an integer, 0 or more, default=13 (gbm: 4; xgboost: 4; lightgbm: 4; dart: 4; histgb: 0; tree: 0; catboost: 3)
            With categorical='auto', a category of fewer levels is split by onehot.
            Only with categorical='auto'.
        max_cat_threshold : an integer, 1 or more, default=32 (xgboost: 64; histgb: 65535; tree: 65535)
            Most levels of a set by which a category is split (subset).
            Only with categorical='auto' or categorical='subset'.
        cat_smooth : a finite number, 0 or more, or 'reg_lambda', default=10.0 (xgboost: 'reg_lambda'; tree: 0.0)
            Levels are put in order by gradient over hessian, and this is added to the hessian, so that levels of few rows come to the middle. 'reg_lambda' takes that penalty.
            Only with categorical='auto' or categorical='subset'.
        cat_l2 : a finite number, 0 or more, default=10.0 (xgboost: 0.0; histgb: 0.0; tree: 0.0)
            L2 penalty on leaf values, besides reg_lambda, of splits by a set of levels (subset).
            Only with categorical='auto' or categorical='subset'.
        min_data_per_group : an integer, 1 or more, default=100 (xgboost: 1; histgb: 1; tree: 1)
            Rows by which a set of levels must grow before it is looked at again (subset).
            Only with categorical='auto' or categorical='subset'.
        min_data_per_level : a finite number, 0 or more, or 'cat_smooth', default='cat_smooth' (xgboost: 0.0; histgb: 10.0; tree: 0.0)
            Fewest rows of a node that a level needs to be in a set (subset); 'cat_smooth' takes that number.
            Only with categorical='auto' or categorical='subset'.
        cat_rule : one of 'auto', 'lightgbm', 'xgboost', 'histgb', default='auto' (lightgbm: 'lightgbm'; xgboost: 'xgboost'; histgb: 'histgb')
            Details of the search for sets (subset), as a library has them. auto and lightgbm: sets have at most half of the levels of a node; with lightgbm the rarest levels are missing values from the start, as they are there. xgboost: sets have any number below max_cat_threshold, and levels too light for a leaf come to the middle of the order. histgb: no cut is tried from both ends, and a node needs two levels.
            Only with categorical='auto' or categorical='subset' or categorical='onehot'.
        cat_missing : one of 'level', 'right', 'either', default='level' (lightgbm: 'right'; xgboost: 'either')
            Where missing values of a category go: they are a level like any other, or always go to the right, or are tried on both sides of every set.
            Only with categorical='auto' or categorical='subset' or categorical='onehot'.
        missing : a finite number or NaN, default=None
            A value that means missing, besides NaN, in every table: those to learn from, to be scored and to predict for. In a column of 32-bit floats it means the nearest of those. For train give it to the Dataset.
        zero_as_missing : True or False, default=False
            Whether entries that a sparse matrix, or a sparse column of pandas filled with 0, does not hold are missing; otherwise they are 0. A 0 that is written down stays 0. For train give it to the Dataset.
        max_bins : an integer between 3 and 65535, default=256 (lightgbm: 255; catboost: 255)
            Most bins of a column, the one for missing values included.
            Only with split_method other than 'exact' and 'approx'.
            Also called max_bin, border_count.
        min_data_in_bin : an integer, 1 or more, default=3 (xgboost: 1; histgb: 1; gbm: 1; catboost: 1; forest: 1; tree: 1)
            Fewest rows of a bin (a row of weight w counts as w rows).
        sketch_eps : a number between 0.0001 and 0.5, default=0.00390625
            Error of the candidate thresholds of split_method='approx': about this share of the weight (hessians) lies between two of them, so a column has at most 1 / sketch_eps bins, the one for missing values included.
            Only with split_method='approx'.
        approx_scope : one of 'tree', 'node', default='tree'
            Whether split_method='approx' proposes candidate thresholds for every tree, or for every node (with symmetric growth: every level), which is slower.
            Only with split_method='approx'.
        eval_metric : a name (a string) or a function, or a list of such values, default=None
            Metric, or list of metrics, of the eval sets. By default that of the objective, which is also called 'loss'; an empty list means none. The last one decides early stopping. A function (y_true, y_pred), with sample_weight if it takes it, returns a number or (name, number, higher_is_better); a scorer of scikit-learn, or the name of one, is taken too.
            Also called metric, metrics, metric_types, scoring.
        early_stopping_rounds : an integer, 0 or more, or 'auto', default=0 (histgb: 'auto')
            Stop after this many rounds without a better metric on the last eval set, and keep the best iteration; 0 means never, 'auto' means 10 with more than 10,000 rows. An estimator without eval_set holds out validation_fraction of the rows.
            Also called n_iter_no_change, od_wait, early_stopping_round.
        early_stopping_tolerance : a finite number, 0 or more, default=0.0 (histgb: 1e-07; gbm: 0.0001)
            A metric must be better than the best so far by more than this to count as better.
            Also called tol, min_delta, early_stopping_min_delta.
        validation_fraction : a number above 0 and at most 0.9, default=0.1
            Share of the rows held out for early stopping when no eval_set is given (of each class for a classifier, whole queries for a ranker). They are scored with their sample_weight. train needs it given for a number of early_stopping_rounds without eval_sets.
        warm_start : True or False, default=False
            Whether a further call of fit keeps the trees that are there and adds rounds until there are n_estimators.
        class_weight : one of 'balanced', 'balanced_subsample', 'balanced_up', 'sqrt_balanced_up', or a dictionary from each class to its weight, 0 or more, default=None
            Weight of each class, multiplied into sample_weight of the training rows; 'balanced' gives all classes the same total, and all rows together the one that they had; 'balanced_subsample' does so in each sample of rows, by the number of rows; 'balanced_up' gives all classes the total of the largest, as LightGBM (is_unbalance) and CatBoost (auto_class_weights) do, 'sqrt_balanced_up' takes the square roots of those weights. Rows of eval sets and rows held out keep their own.
        importance_type : one of 'gain', 'cover', 'split', 'mean_gain', 'mean_cover', 'mean_rows', 'mdi', 'total_gain', 'total_cover', 'prediction_values_change', default='gain'
            What feature_importances_ holds, as shares that add up to 1: sums of gains or hessians, numbers of splits, means over splits, or the mean decrease in impurity. Under recipe xgboost gain and cover are means, as they are there, and total_gain and total_cover sums.
        random_state : an integer between 0 and 2^63 - 1 or a numpy random generator, default=0
            Seed of row and column sampling. The same seed always gives the same model.
            Also called seed, random_seed.
        n_jobs : a number of threads, 1 or more, or -1 for all of them, -2 for all but one and so on, default=-1
            Threads; -1 means every core that this process may use, -2 all but one, as scikit-learn counts, and at least one is taken. The model does not depend on it.
            Also called nthread, nthreads, num_threads, num_thread, thread_count.
        verbose : True, False or an integer, 0 or more, default=0
            Show how far a training is: True for a progress bar (some lines where rich is not installed), n for a line with the metrics after every n rounds, 0 for nothing.
        """

class RankerSignature:
    def __init__(
        self,
        *,
        recipe: Literal[
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
        | None = "auto",
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
        recipe : one of 'auto', 'gbm', 'histgb', 'xgboost', 'lightgbm', 'catboost', 'forest', 'dart', 'plgb', 'tree', default='auto'
            Named set of defaults: ceiba's own, or those of the library it is named after.
        objective : a name (a string) or a function, default=None
            Loss to make small. By default squared_error; for a classifier logistic with two classes and softmax with more; for a ranker lambdarank_ndcg. A function (y_true, raw_score) returns the gradients and hessians of the unweighted loss; the model then predicts raw scores.
            Also called loss, loss_function, application, app, objective_type.
        leaf_rule : one of 'exact', 'friedman', default='exact' (gbm: 'friedman')
            How a leaf gets its value where there is a choice: as exactly as the objective can, or as Friedman and scikit-learn's GBM have it, (K - 1) / K times the Newton step for softmax of K classes, and one step from the median for huber. A row that absolute_error or quantile hits exactly then counts as too low, as it does there, and else as neither.
        lambdarank_truncation_level : an integer, 0 or more, default=30 (xgboost: 32)
            Objectives lambdarank_ndcg and lambdarank_map look at pairs of documents of which one is among so many first positions; 0 means all pairs.
            Also called lambdarank_num_pair_per_sample.
        lambdarank_norm : True or False, default=True
            Whether ranking objectives bring queries of different sizes to comparable totals.
            Also called lambdarank_normalization.
        lambdarank_score_normalization : True or False, default=None (xgboost: True)
            Whether objectives lambdarank_ndcg and lambdarank_map divide the weight of a pair by the difference of its scores, plus 0.01, so that pairs with close scores count more. By default as lambdarank_norm; XGBoost's two switches are independent of each other.
        ndcg_exp_gain : True or False, default=True
            Whether a document of relevance l is worth 2^l - 1 in NDCG, in the objective and in the metrics; otherwise l.
        base_score : a finite number, or a list of such values, default=None
            Prediction that boosting starts from, in prediction units: a number for a regressor, the probability of the second class with objective logistic, that of each class with softmax. By default what boost_from_average says.
        boost_from_average : True or False, or 'catboost', default=True (catboost: 'catboost')
            Whether boosting starts from the best constant, or else from a raw score of 0. 'catboost' starts from the best constant with squared_error, absolute_error and quantile only.
        n_estimators : an integer, 1 or more, default=100 (catboost: 1000; tree: 1)
            Number of boosting rounds; a round grows one tree, or one for each class of softmax.
            Also called num_boost_round, num_iterations, num_iteration, iterations, max_iter, n_iter, num_trees, num_tree, num_rounds, num_round, nrounds.
        learning_rate : a number above 0, 'auto', or a schedule: a list with one rate per round, or a function from round number to rate, default=0.1 (xgboost: 0.3; catboost: 'auto', or 0.03 if reg_lambda or leaf_iterations is given)
            Factor of each tree: a number, or a schedule with the factor of each round. 'auto' is CatBoost's rule, by loss, rows, n_estimators and whether there are eval sets. The model records what became of it.
            Also called eta, shrinkage, shrinkage_rate, learning_rates.
        boosting : one of 'plain', 'ordered', 'dart', 'forest', default='plain' (dart: 'dart'; tree: 'forest'; forest: 'forest')
            How trees are put together: each corrects the sum of those before it (plain), the same with gradients at scores that do not know the target of their row, as CatBoost's Ordered (ordered; for losses of single rows with Newton leaves), or the sum without some that are dropped for the round (dart), or each is grown alone, on a sample, and the model is their mean (forest, which has no learning rate).
            Also called boosting_type, boost.
        ordered_permutations : an integer, 1 or more, default=3
            Permutations of the rows of boosting='ordered'; each round draws one.
            Only with boosting='ordered'.
        num_parallel_tree : an integer, 1 or more, default=1
            Trees (of each class) that a round grows, each on rows and columns of its own. Each counts the learning rate divided by their number, as in XGBoost. Iterations count rounds.
        drop_rate : a number between 0 and 1, default=0.1 (xgboost: 0.0)
            Chance of the trees of an earlier round to be dropped, with boosting='dart'.
            Only with boosting='dart'.
            Also called rate_drop.
        skip_drop : a number between 0 and 1, default=0.5 (xgboost: 0.0)
            Chance of a round to drop nothing, with boosting='dart'.
            Only with boosting='dart'.
        max_drop : an integer, 0 or more, default=50 (xgboost: 0)
            Most rounds whose trees are dropped at a time, with boosting='dart'; 0 means unlimited.
            Only with boosting='dart'.
        one_drop : True or False, default=False
            Whether a round of boosting='dart' that would drop nothing, and is not skipped by skip_drop, drops the trees of one round.
            Only with boosting='dart'.
        drop_sampling : one of 'weighted', 'uniform', default='weighted' (xgboost: 'uniform')
            Whether, with boosting='dart', trees are dropped in proportion to what they count, or all with the same chance.
            Only with boosting='dart'.
            Also called sample_type.
        normalize : one of 'lightgbm', 'tree', 'forest', default='lightgbm' (xgboost: 'tree')
            What trees count after a round of boosting='dart' with learning rate r that dropped k rounds. lightgbm: new ones r / (k + 1), dropped ones k / (k + 1) of before; tree: r / (k + r) and k / (k + r); forest: r / (1 + r) and 1 / (1 + r). The last two are XGBoost's.
            Only with boosting='dart'.
            Also called normalize_type.
        grow_policy : one of 'leafwise', 'depthwise', 'symmetric', 'depthfirst', default='leafwise' (xgboost: 'depthwise'; catboost: 'symmetric'; tree: 'depthwise'; forest: 'depthfirst')
            Which node is split next: the best one (leafwise), level by level (depthwise), level by level with one split shared by the whole level (symmetric), or the deepest one (depthfirst), which is the fastest way to trees without a limit of leaves. CeibaRanker of recipe auto takes symmetric unless max_leaves is given.
        split_method : one of 'auto', 'hist', 'approx', 'exact', default='auto' (gbm: 'exact'; tree: 'exact')
            Where thresholds come from: the edges of bins made once (hist), bins made anew for each tree or node (approx), or every distinct value (exact, which reads neither max_bins nor min_data_in_bin). auto is hist; a model records the method that grew it.
            Also called tree_method.
        multi_strategy : one of 'one_tree_per_output', 'vector_leaf', default='one_tree_per_output' (tree: 'vector_leaf')
            Where a row has several outputs (classes, labels, several targets): a tree for each of them in every round, or one tree whose leaves have a value for each (vector_leaf), which is faster and smaller. Several targets of squared error, and classes of gini, are then split by the gradients of all of them, other classes and labels by a sum with random signs.
        max_depth : an integer, 0 or more, default=0 if grow_policy is 'leafwise', else 6 (xgboost: 6; lightgbm: 0; histgb: 0; gbm: 3; tree: 0; forest: 0)
            Most splits on the way to a leaf; 0 means unlimited.
            Also called depth.
        max_leaves : 0 (unlimited) or an integer, 2 or more, default=31 if grow_policy is 'leafwise', else 0 (xgboost: 0; lightgbm: 31; histgb: 31; gbm: 0; tree: 0; forest: 0)
            Most leaves of a tree; 0 means unlimited.
            Also called num_leaves, max_leaf_nodes, num_leaf, max_leaf.
        min_samples_leaf : an integer, 0 or more, or a number above 0 and below 1, default=20 (xgboost: 0; gbm: 1; catboost: 1; tree: 1; forest: 1)
            Fewest rows of a leaf; a number below 1 is a share of all rows. A symmetric tree splits all nodes of a level alike: a node whose children have fewer has no say in that split (so with min_samples_split).
            Also called min_child_samples, min_data_in_leaf, min_data_per_leaf, min_data.
        min_samples_split : an integer, 2 or more, or a number above 0 and below 1, default=2
            Fewest rows of a node that may be split; they are counted as for min_samples_leaf.
        weighted_counts : True or False, default=True (xgboost: False; lightgbm: False; histgb: False; gbm: False; catboost: False; tree: False; forest: False)
            Whether a row of weight w counts as w rows in min_samples_leaf where all weights are whole numbers (with a sum below 2^30). Otherwise every row counts once.
        min_child_weight : a finite number, 0 or more, default=0.001 (xgboost: 1.0; gbm: 0.0; catboost: 0.0; tree: 0.0; forest: 0.0)
            Smallest sum of hessians of a leaf. In a symmetric tree, which splits all nodes of a level alike, a leaf with less takes the value of the node above it.
            Also called min_sum_hessian_in_leaf, min_sum_hessian_per_leaf, min_sum_hessian, min_hessian.
        min_split_gain : a finite number, 0 or more, default=0.0
            Smallest gain of a split.
            Also called gamma, min_split_loss, min_gain_to_split.
        min_impurity_decrease : a finite number, 0 or more, default=0.0
            Smallest gain of a split, divided by the sum of the hessians of all rows of the tree. With split_hessian='unit' that is scikit-learn's weighted decrease of the squared error.
        min_weight_fraction_leaf : a number between 0 and 0.5, default=0.0
            Smallest share of the sum of the hessians of all rows of the tree that a leaf holds; in a symmetric tree as with min_child_weight. With split_hessian='unit' that is scikit-learn's share of the weights.
        ccp_alpha : a finite number, 0 or more, default=0.0
            Cost-complexity pruning after growth: every split costs this much times the sum of the hessians of all rows of the tree, and splits that, with all below them, gain no more than they cost are cut (in a symmetric tree whole levels, where a node without rows on both sides costs nothing). With split_hessian='unit' as in scikit-learn.
        prune : one of 'auto', 'before', 'after', default='before' (xgboost: 'auto')
            When min_split_gain is looked at: before a node is split, or after the tree has grown, from its leaves up, so that a poor split above a good one stays. 'auto' is after with split_method='exact' and before otherwise, as XGBoost does.
            Only with min_split_gain other than 0.0.
        split_hessian : one of 'loss', 'unit', default='loss' (gbm: 'unit'; catboost: 'unit')
            Hessians by which splits are chosen: those of the loss, or 1 for every row, so that trees are fitted to the gradients alone. Leaf values always use those of the loss.
        split_score : one of 'newton', 'cosine', 'entropy', default='newton' (catboost: 'cosine')
            What ranks the candidates of a split: the gain of Newton steps, or the cosine of the angle between leaf values and gradients, over all leaves of a level in symmetric growth, as in CatBoost. Splits are recorded by their gain, which a level of a symmetric tree that the cosine ranks does not need. Candidates of cosine must be those of bins. 'entropy', for objective gini, gains what the entropy of the classes falls by, in natural logarithms and summed over rows; penalties then count in leaves only.
            Also called score.
        random_strength : a finite number, 0 or more, default=0.0 (catboost: 1.0)
            Normal noise on what ranks the candidates of a split, in units of a typical gradient; it dies out as the learning rates of the rounds add up, as in CatBoost. Candidates must be those of bins.
        extra_trees : True or False, default=False
            Whether a node tries, for each column, only one threshold, drawn among all bins of the column (of a category one level, or one number of levels), as LightGBM does. Nodes of a level of a symmetric tree share it.
            Also called extra_tree.
        monotone_constraints : a list with one value per column, or a dictionary from column name to value; each value must be an integer between -1 and 1, default=None
            Columns with which the raw score (of each class) may only rise (1) or only fall (-1). Missing values have no place in that order.
            Also called monotonic_cst, monotone_constraint, mc.
        interaction_constraints : a list of lists of columns, given by name or by position, or 'pairwise', or 'no_interactions', default=None
            Sets of columns that may be split together on the way to a leaf. 'no_interactions' means each column alone, 'pairwise' any two columns.
            Also called interaction_cst.
        unlisted_interactions : one of 'alone', 'together', 'never', default='alone' (histgb: 'together'; lightgbm: 'never')
            Whether columns in no set of interaction_constraints may be split alone only, as in XGBoost, are one more set, as in scikit-learn, or are never split, as in LightGBM.
            Only with interaction_constraints.
        feature_weights : a list with one value per column, or a dictionary from column name to value; each value must be a finite number, 0 or more, default=None
            Weights of the columns in column sampling: a column is drawn in proportion to its weight, one of weight 0 only where the others do not suffice. Columns that a dictionary leaves out have weight 1.
            Only with colsample_bytree other than 1.0, or colsample_bylevel other than 1.0, or colsample_bynode other than 1.0.
        reg_lambda : a finite number, 0 or more, default=1.0 (lightgbm: 0.0; histgb: 0.0; gbm: 0.0; catboost: 3.0; tree: 0.0; forest: 0.0)
            L2 penalty on leaf values.
            Also called lambda_l2, l2_leaf_reg, l2_regularization, lambda.
        reg_alpha : a finite number, 0 or more, default=0.0
            L1 penalty on leaf values.
            Also called lambda_l1, l1_regularization.
        max_delta_step : a finite number, 0 or more, or 'objective', default=0.0 (xgboost: 'objective')
            Largest leaf value before the learning rate; 0 means unlimited, 'objective' 0.7 for poisson and unlimited for the others, as in XGBoost.
            Also called max_leaf_output, max_tree_output.
        leaf_iterations : an integer, 1 or more, or one of 'auto', 'catboost', default=1 (auto: 'auto'; catboost: 'catboost')
            Newton steps by which a leaf finds its value; each after the first goes on from there, towards the minimum of the leaf's own loss. 'auto' is 3 for objectives logistic and cross_entropy with symmetric growth, else 1; 'catboost' is 10 for those two and for poisson where n_estimators is 200 or more, else 1. Leaves that are exact after one step make no other; objectives of queries or with several scores a row refuse more than one.
            Also called leaf_estimation_iterations.
        leaf_penalty : one of 'value', 'step', default='value' (catboost: 'step')
            What reg_lambda holds back where a leaf takes several steps: its value, or each of the steps, so that many of them come near the minimum without a penalty, as in CatBoost.
        leaf_backtracking : True or False, default=True
            Whether a further step of a leaf that would go past where its minimum is known to be goes half way there instead.
        leaf_rows : one of 'sampled', 'all', default='sampled' (catboost: 'all')
            Rows that leaves get their values from: those that the trees of the round were grown on, or all of them, so that samples of rows choose splits alone, as in CatBoost.
        penalize_bounded : True or False, default=True
            Whether reg_alpha counts in the gain of splits whose values have bounds, by max_delta_step or by monotone_constraints. XGBoost before 3.4 leaves it out there.
        drop_hopeless_columns : True or False, default=False (lightgbm: True)
            Whether a column none of whose splits of a node gains anything, or as much as min_split_gain, is left out below that node, as LightGBM does. Exact splits and symmetric growth always look at all columns.
        row_counts : one of 'exact', 'hessian', default='exact' (lightgbm: 'hessian')
            How candidate splits count the rows of their children for min_samples_leaf, min_data_per_group and min_data_per_level: exactly, or estimated from hessians as in LightGBM. An estimate rounds hessian sum × rows / hessian sum of the node in each bin. Rows with small hessians (predicted well, or with small weights) then count less. Squared error without weights has the same counts either way. Only histogram splits of trees with one output, grown leafwise or depthwise, are estimated; split_method 'exact' and 'approx', vector leaves, linear gains, extra_trees, noise and other values of grow_policy count exactly.
        colsample_bytree : a number above 0 and at most 1, default=1.0
            Share of the columns that each tree may use.
            Also called feature_fraction, sub_feature.
        colsample_bylevel : a number above 0 and at most 1, default=1.0
            Share of the tree's columns that each level may use.
        colsample_bynode : a number above 0 and at most 1, a number of columns (2 or more), 'sqrt' or 'log2', default=1.0 (forest: 'sqrt')
            Share of the level's columns that each node may use, or the number of them; 'sqrt' and 'log2' are functions of the number of all columns.
            Also called rsm, max_features, feature_fraction_bynode, sub_feature_bynode.
        draw_until_split : True or False, default=False (forest: True; tree: True)
            Whether a node none of whose columns, drawn by colsample_bynode, has a split draws others, one at a time, until one has, as scikit-learn's trees do. Nodes of a symmetric tree do not.
        leaf_model : one of 'constant', 'linear', default='constant' (plgb: 'linear')
            What a leaf adds to the score: one number, or a line: a number and a slope for each of a few columns of numbers (linear). A missing value of such a column adds nothing. Categories are never among them, and monotone constraints have no lines.
        linear_fit : one of 'after', 'gain', default='after' (plgb: 'gain')
            How lines are found: trees grow as with constants, then the leaves get their lines (after), as with LightGBM's linear_tree; or splits are chosen by what lines gain in their children (gain), as in piecewise-linear boosting. The leaves are fitted alike.
            Only with leaf_model='linear'.
        linear_regression : one of 'additive', 'half_additive', 'full', default='half_additive'
            What linear_fit='gain' fits anew in the children of a split: a constant and the slope of the column that is split (additive), a factor of the node's line as well (half_additive), or all slopes (full: slow, with at most 8 columns).
            Only with leaf_model='linear' and linear_fit='gain'.
        linear_features : 'tree', or a list of columns, given by name or by position, default=None
            Columns of lines: those by which the nodes above a leaf are split (None), those by which its tree is, or given ones, by name or by position, all of which are then used.
            Only with leaf_model='linear'.
        max_linear_features : an integer, 1 or more, default=5
            Most columns of a line, where they are not given: the first on the path from the root, or those with the largest gains in the tree.
            Only with leaf_model='linear' and linear_features=None or linear_features='tree'.
        linear_lambda : a finite number, 0 or more, or 'auto', default=0.1 (lightgbm: 0.0; plgb: 'auto')
            L2 penalty on the slopes of lines, each in units of the deviation of its column over the rows of the leaf: it counts like so many rows (of squared error). 'auto' is a penalty of 1 and shrinks the slopes of a leaf by its noise (James-Stein): slopes with an F statistic below 2 are dropped, large ones are kept. reg_lambda is for the constant.
            Only with leaf_model='linear'.
        extrapolate : one of 'clip', 'linear', default='clip'
            What a line does with a value beyond those that the rows of its leaf had: it takes the nearest of those (clip), or goes on (linear).
            Only with leaf_model='linear'.
        sampling : one of 'none', 'bernoulli', 'uniform', 'goss', 'mvs', 'bayesian', 'bootstrap', 'catboost', default='bernoulli' (catboost: 'catboost'; forest: 'bootstrap')
            How the rows of a round are sampled. bernoulli: each by a chance of its own (subsample), uniform: exactly that share of them; goss: those of large gradients and some of the others (top_rate, other_rate); mvs: by a chance in proportion to the size of their gradients, about subsample of them; bayesian: all, with random weights (bagging_temperature); bootstrap: drawn with replacement, as often as subsample of the rows; none: all. What goss and mvs take is multiplied so that sums stay what they are in expectation. catboost: mvs or, with objective softmax and no subsample, bayesian.
        subsample : a number above 0 and at most 1, default=0.8 if sampling is 'mvs' or 'catboost', else 1.0
            Share of the rows that each round is grown on.
            Also called bagging_fraction, bagging, sub_row.
        subsample_freq : an integer, 0 or more, default=1
            Rounds for which a sample of rows is kept before another is drawn; 0 means that all rows are taken, and is for subsample=1 only. goss and mvs follow the gradients and draw in every round.
            Also called bagging_freq.
        sampling_unit : one of 'row', 'query', default='row'
            What is sampled: single rows, or whole queries of a ranking (not with goss and mvs).
        pos_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 1, of two classes, that each round is grown on. Where it or neg_subsample is below 1, the two take the place of subsample (bernoulli and uniform).
            Only with sampling='bernoulli' or sampling='uniform'.
            Also called pos_bagging_fraction, pos_bagging, pos_sub_row.
        neg_subsample : a number above 0 and at most 1, default=1.0
            Share of the rows of class 0; see pos_subsample.
            Only with sampling='bernoulli' or sampling='uniform'.
            Also called neg_bagging_fraction, neg_bagging, neg_sub_row.
        top_rate : a number between 0 and 1, default=0.2
            Share of all rows that sampling='goss' takes for their gradients: those with the largest |gradient times hessian|, summed over the outputs. Each counts once. In the first 1 / learning_rate rounds all rows are taken.
            Only with sampling='goss'.
        other_rate : a number above 0 and at most 1, default=0.1
            Share of all rows that sampling='goss' takes of the others, each by chance; they count (1 - top_rate) / other_rate times.
            Only with sampling='goss'.
        mvs_reg : a finite number, 0 or more, or 'auto', default='auto'
            What sampling='mvs' adds to the squared gradient of a row before it takes the root: the larger, the more alike are the chances of rows. 'auto' is the squared mean of the leaf values (their absolute values) of the last tree, and before the first tree the squared mean of the gradients.
            Only with sampling='mvs' or sampling='catboost'.
        bagging_temperature : a number between 0 and 10, default=1.0
            With sampling='bayesian' a row is multiplied by (-log u) to this power, u being a random number between 0 and 1. 1 is the Bayesian bootstrap, with 0 all rows count alike.
            Only with sampling='bayesian' or sampling='catboost'.
        categorical_features : 'auto', 'none' or a list of columns, given by name or by position, default='auto'
            Columns that are categories: those of text and with a dictionary (auto), none, so that such columns are an error, or those and the listed ones, such as whole numbers that are identifiers.
            Also called cat_features, cat_feature, cat_column, categorical_feature, categorical_column.
        unseen_category : one of 'missing', 'error', default='missing'
            What becomes of levels that the training table did not hold, in eval sets and at predict: they are missing values, or an error. The model keeps it. Between folds of one table they are missing values.
        categorical : one of 'auto', 'onehot', 'subset', 'target', or a dictionary from column name to one of these, default='auto'
            How a category is used: one level is split from all others (onehot), a set of levels from the rest (subset), or every level becomes the mean of the targets of its rows, each row seeing only those before it in random orders (target). 'auto' is onehot for fewer levels than max_cat_to_onehot, target for more than max_cat_to_subset, and else subset, which it is instead of target where rows are in several places. A dictionary says it for single columns; the others are auto. The model tells what was chosen.
        max_cat_to_subset : an integer, 0 or more, default=64 (gbm: 0; histgb: 0; xgboost: 0; lightgbm: 0; dart: 0; tree: 0; catboost: 2)
            With categorical='auto', a category of more levels is used by target statistics; 0: none is.
            Only with categorical='auto'.
        target_strength : a finite number, 0 or more, default=1.0
            Rows that the prior counts for in the statistic of a level (target): (sum of targets + strength * prior) / (rows + strength). The prior is the mean target; of two classes there is a statistic with prior 0 and one with prior 1.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_permutations : an integer between 1 and 64, default=2
            Random orders of the rows over which the statistics of the training rows are averaged (target).
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_leaves : one of 'same', 'own', default='same' (catboost: 'own')
            Random orders of the rows by which leaves get their values (target): the same as those that choose splits, or orders of their own, so that a leaf does not learn what was chance in the orders that made it; then gradients are taken at scores of the orders of splits. With split_method='exact' and 'approx' they are the same.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        target_bins : 0 or an integer between 3 and 65535, default=32
            Most bins of a statistic (target); 0: max_bins.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
        max_combination : an integer between 1 and 8, default=2
            Most categories that are taken together (target): combinations of categories that meet on paths of trees get statistics of their own, where trees gain a twentieth more with them. 1: none are.
            Only with categorical='target', or categorical='auto' and max_cat_to_subset other than 0.
            Also called max_ctr_complexity.
        max_cat_to_onehot : an integer, 0 or more, default=13 (gbm: 4; xgboost: 4; lightgbm: 4; dart: 4; histgb: 0; tree: 0; catboost: 3)
            With categorical='auto', a category of fewer levels is split by onehot.
            Only with categorical='auto'.
        max_cat_threshold : an integer, 1 or more, default=32 (xgboost: 64; histgb: 65535; tree: 65535)
            Most levels of a set by which a category is split (subset).
            Only with categorical='auto' or categorical='subset'.
        cat_smooth : a finite number, 0 or more, or 'reg_lambda', default=10.0 (xgboost: 'reg_lambda'; tree: 0.0)
            Levels are put in order by gradient over hessian, and this is added to the hessian, so that levels of few rows come to the middle. 'reg_lambda' takes that penalty.
            Only with categorical='auto' or categorical='subset'.
        cat_l2 : a finite number, 0 or more, default=10.0 (xgboost: 0.0; histgb: 0.0; tree: 0.0)
            L2 penalty on leaf values, besides reg_lambda, of splits by a set of levels (subset).
            Only with categorical='auto' or categorical='subset'.
        min_data_per_group : an integer, 1 or more, default=100 (xgboost: 1; histgb: 1; tree: 1)
            Rows by which a set of levels must grow before it is looked at again (subset).
            Only with categorical='auto' or categorical='subset'.
        min_data_per_level : a finite number, 0 or more, or 'cat_smooth', default='cat_smooth' (xgboost: 0.0; histgb: 10.0; tree: 0.0)
            Fewest rows of a node that a level needs to be in a set (subset); 'cat_smooth' takes that number.
            Only with categorical='auto' or categorical='subset'.
        cat_rule : one of 'auto', 'lightgbm', 'xgboost', 'histgb', default='auto' (lightgbm: 'lightgbm'; xgboost: 'xgboost'; histgb: 'histgb')
            Details of the search for sets (subset), as a library has them. auto and lightgbm: sets have at most half of the levels of a node; with lightgbm the rarest levels are missing values from the start, as they are there. xgboost: sets have any number below max_cat_threshold, and levels too light for a leaf come to the middle of the order. histgb: no cut is tried from both ends, and a node needs two levels.
            Only with categorical='auto' or categorical='subset' or categorical='onehot'.
        cat_missing : one of 'level', 'right', 'either', default='level' (lightgbm: 'right'; xgboost: 'either')
            Where missing values of a category go: they are a level like any other, or always go to the right, or are tried on both sides of every set.
            Only with categorical='auto' or categorical='subset' or categorical='onehot'.
        missing : a finite number or NaN, default=None
            A value that means missing, besides NaN, in every table: those to learn from, to be scored and to predict for. In a column of 32-bit floats it means the nearest of those. For train give it to the Dataset.
        zero_as_missing : True or False, default=False
            Whether entries that a sparse matrix, or a sparse column of pandas filled with 0, does not hold are missing; otherwise they are 0. A 0 that is written down stays 0. For train give it to the Dataset.
        max_bins : an integer between 3 and 65535, default=256 (lightgbm: 255; catboost: 255)
            Most bins of a column, the one for missing values included.
            Only with split_method other than 'exact' and 'approx'.
            Also called max_bin, border_count.
        min_data_in_bin : an integer, 1 or more, default=3 (xgboost: 1; histgb: 1; gbm: 1; catboost: 1; forest: 1; tree: 1)
            Fewest rows of a bin (a row of weight w counts as w rows).
        sketch_eps : a number between 0.0001 and 0.5, default=0.00390625
            Error of the candidate thresholds of split_method='approx': about this share of the weight (hessians) lies between two of them, so a column has at most 1 / sketch_eps bins, the one for missing values included.
            Only with split_method='approx'.
        approx_scope : one of 'tree', 'node', default='tree'
            Whether split_method='approx' proposes candidate thresholds for every tree, or for every node (with symmetric growth: every level), which is slower.
            Only with split_method='approx'.
        eval_metric : a name (a string) or a function, or a list of such values, default=None
            Metric, or list of metrics, of the eval sets. By default that of the objective, which is also called 'loss'; an empty list means none. The last one decides early stopping. A function (y_true, y_pred), with sample_weight if it takes it, returns a number or (name, number, higher_is_better); a scorer of scikit-learn, or the name of one, is taken too.
            Also called metric, metrics, metric_types, scoring.
        early_stopping_rounds : an integer, 0 or more, or 'auto', default=0 (histgb: 'auto')
            Stop after this many rounds without a better metric on the last eval set, and keep the best iteration; 0 means never, 'auto' means 10 with more than 10,000 rows. An estimator without eval_set holds out validation_fraction of the rows.
            Also called n_iter_no_change, od_wait, early_stopping_round.
        early_stopping_tolerance : a finite number, 0 or more, default=0.0 (histgb: 1e-07; gbm: 0.0001)
            A metric must be better than the best so far by more than this to count as better.
            Also called tol, min_delta, early_stopping_min_delta.
        validation_fraction : a number above 0 and at most 0.9, default=0.1
            Share of the rows held out for early stopping when no eval_set is given (of each class for a classifier, whole queries for a ranker). They are scored with their sample_weight. train needs it given for a number of early_stopping_rounds without eval_sets.
        warm_start : True or False, default=False
            Whether a further call of fit keeps the trees that are there and adds rounds until there are n_estimators.
        importance_type : one of 'gain', 'cover', 'split', 'mean_gain', 'mean_cover', 'mean_rows', 'mdi', 'total_gain', 'total_cover', 'prediction_values_change', default='gain'
            What feature_importances_ holds, as shares that add up to 1: sums of gains or hessians, numbers of splits, means over splits, or the mean decrease in impurity. Under recipe xgboost gain and cover are means, as they are there, and total_gain and total_cover sums.
        random_state : an integer between 0 and 2^63 - 1 or a numpy random generator, default=0
            Seed of row and column sampling. The same seed always gives the same model.
            Also called seed, random_seed.
        n_jobs : a number of threads, 1 or more, or -1 for all of them, -2 for all but one and so on, default=-1
            Threads; -1 means every core that this process may use, -2 all but one, as scikit-learn counts, and at least one is taken. The model does not depend on it.
            Also called nthread, nthreads, num_threads, num_thread, thread_count.
        verbose : True, False or an integer, 0 or more, default=0
            Show how far a training is: True for a progress bar (some lines where rich is not installed), n for a line with the metrics after every n rounds, 0 for nothing.
        """

"""Names of other libraries that are refused, each with a reason and advice.

Values that switch the feature off (``off``) are accepted.
"""

from __future__ import annotations

from ceiba.parameters._foreign_meanings import RUNS_ON_CPU
from ceiba.parameters.foreign import Foreign, refused

__all__ = ["REFUSED"]

_STATISTICS = (
    "target statistics are means of the target and row counts. Remove it, and see "
    "target_strength, target_bins, target_permutations and max_combination."
)
_ALL_LEVELS = "all levels of the training rows are kept. Remove it."
_ROW_ORDER = "target statistics use random permutations of the rows. Remove it."
_NUMBERS_ONLY = (
    "columns must contain numbers, booleans, dates or categories. Convert free text and "
    "embeddings to numbers, and remove it."
)
_ORDERED = (
    "boosting='ordered' permutes single rows, and its prefixes double in length. Remove it, and "
    "set ordered_permutations if needed."
)
_COMMAND_LINE = (
    "it is an option of a command line. Pass tables to ceiba.Dataset or fit, and paths to "
    "save_model and load_model."
)
_AT_PREDICT = "it is an argument of predict. Pass it there."
_CLUSTER = "training runs on one machine. Remove it."
_BINS = "bin edges are quantiles of the rows. Remove it, and set max_bins."
_CHECKPOINT = "use callbacks=[ceiba.Checkpoint(path)] in fit or train."
_FORCED = "forced splits are not available. Remove it."
_PENALIZED = "penalties of single columns are not available. Remove it, or set feature_weights."
_LINEAR = "linear boosters are not available. Remove it."
_NOISE = (
    "noise on gradients is not available. Remove it, or set random_strength for noise on split "
    "scores."
)

REFUSED: tuple[Foreign, ...] = (
    *refused("devices device_config", RUNS_ON_CPU),
    *refused(
        "max_conflict_rate max_conflict",
        "only columns without conflicts share a bundle, so that bundling does not change the "
        "model. Remove it.",
        off=(0, 0.0),
    ),
    # ---- categories, text -----------------------------------------------------------------------
    *refused("ctr_leaf_count_limit", _ALL_LEVELS),
    *refused("has_time", _ROW_ORDER, (False,)),
    *refused(
        "simple_ctr combinations_ctr per_feature_ctr ctr_description ctr_target_border_count "
        "ctr_history_unit",
        _STATISTICS,
    ),
    *refused(
        "text_features embedding_features", _NUMBERS_ONLY, ((),),
    ),
    *refused("tokenizers dictionaries feature_calcers text_processing", _NUMBERS_ONLY),
    # ---- boosting -------------------------------------------------------------------------------
    *refused(
        "fold_permutation_block fold_len_multiplier approx_on_full_history", _ORDERED, (False,)
    ),
    *refused("langevin posterior_sampling diffusion_temperature", _NOISE, (False, 0)),
    *refused(
        "model_shrink_rate", "earlier trees keep their values. Remove it.", (0,)
    ),
    *refused("callbacks callback", "it is an argument of fit and train. Pass it there."),
    *refused(
        "init", "training starts from a constant. Set base_score, or pass init_score to fit."
    ),
    # ---- trees ----------------------------------------------------------------------------------
    *refused(
        "path_smooth",
        "leaf values are not smoothed towards their parent. Remove it, and set reg_lambda.",
        (0,),
    ),
    *refused(
        "forcedsplits_filename fs forced_splits forced_splits_file forced_splits_filename "
        "fixed_binary_splits",
        _FORCED, ("", ()),
    ),
    *refused(
        "cegb_tradeoff cegb_penalty_split cegb_penalty_feature_lazy cegb_penalty_feature_coupled "
        "feature_contri feature_contrib fc fp feature_penalty penalties_coefficient "
        "first_feature_use_penalties per_object_feature_penalties",
        _PENALIZED, ((),),
    ),
    *refused(
        "monotone_penalty monotone_splits_penalty ms_penalty mc_penalty",
        "penalties of monotone splits are not available. Remove it.", (0,),
    ),
    *refused(
        "monotone_constraints_method monotone_constraining_method mc_method",
        "monotone constraints are enforced by bounds of each node. Remove it.", ("basic",),
    ),
    *refused("updater", "set split_method to 'hist', 'approx' or 'exact'."),
    *refused("feature_selector top_k topk tolerance", _LINEAR),
    # ---- losses and metrics ---------------------------------------------------------------------
    *refused(
        "fair_c", "objective 'fair' is not available. Set objective='huber' or 'pseudo_huber'.",
    ),
    *refused(
        "reg_sqrt",
        "targets are not transformed. Train on their square root, and square predictions.",
        (False,),
    ),
    *refused(
        "expectile_alpha", "expectile objectives are not available. Set objective='quantile'.",
    ),
    *refused(
        "aft_loss_distribution aft_loss_distribution_scale",
        "survival objectives are not available. Remove it.",
    ),
    *refused(
        "label_gain",
        "the gain of relevance l is 2^l - 1, or l with ndcg_exp_gain=False. Remove it.",
    ),
    *refused(
        "lambdarank_unbiased lambdarank_bias_norm lambdarank_position_bias_regularization",
        "position debiasing is not available. Remove it.", (False, 0),
    ),
    *refused(
        "auc_mu_weights multi_error_top_k", "this metric is not available. Remove it.", (1, ())
    ),
    *refused(
        "od_pval", "early stopping waits for a number of rounds. Set early_stopping_rounds.", (0,),
    ),
    *refused(
        "best_model_min_trees", "the best iteration has no minimum. Remove it.",
        (0, 1),
    ),
    *refused(
        "target_border",
        "classes are the labels of y. Binarize them: y = numpy.asarray(y) > border.",
    ),
    *refused("class_names", "classes are the sorted labels of y. Remove it."),
    # ---- rows and columns -----------------------------------------------------------------------
    *refused(
        "ignored_features ignore_column ignore_feature blacklist",
        "all columns of the table are used. Remove the columns from the table.", ("", ()),
    ),
    *refused(
        "max_bin_by_feature feature_border_type per_float_feature_quantization input_borders "
        "output_borders forcedbins_filename",
        _BINS, ("", ()),
    ),
    *refused("sparse_features_conflict_fraction", _BINS, (0,)),
    *refused("nan_mode", "splits learn the default direction of missing values. Remove it.", ()),
    # ---- files, memory, machines ----------------------------------------------------------------
    *refused("snapshot_file snapshot_interval snapshot_freq save_period", _CHECKPOINT, (-1,)),
    *refused("metadata", "model files do not store metadata. Remove it."),
    *refused("used_ram_limit", "memory limits are not available. Remove it."),
    *refused(
        "machines nodes workers machine_list_filename mlist machine_list machine_list_file",
        _CLUSTER, ("",),
    ),
    *refused(
        "config config_file convert_model convert_model_file convert_model_language data train "
        "train_data data_filename train_data_file valid test test_data valid_data test_data_file "
        "valid_data_file valid_filenames header has_header label label_column weight weight_column "
        "group group_column group_id query query_id query_column input_model model_in model_input "
        "output_model model_out model_output output_result name_pred pred_name predict_name "
        "predict_result prediction_name prediction_result parser_config_file "
        "saved_feature_importance_type params",
        _COMMAND_LINE, ("", False, 0),
    ),
    *refused(
        "predict_raw_score raw_score predict_rawscore is_predict_raw_score predict_leaf_index "
        "leaf_index is_predict_leaf_index predict_contrib contrib is_predict_contrib "
        "num_iteration_predict start_iteration_predict pred_early_stop pred_early_stop_freq "
        "pred_early_stop_margin predict_disable_shape_check",
        _AT_PREDICT, (False,),
    ),
    *refused("refit_decay_rate", "it is an option of refit. Pass decay_rate there."),
)  # fmt: skip

"""Foreign names that are refused, each with a sentence that says why and what to do.

Values that switch the thing off (``off``) ask for nothing and are accepted. A feature that is built
moves its names to its parameter.
"""

from __future__ import annotations

from ceiba.parameters._foreign_meanings import RUNS_ON_CPU
from ceiba.parameters.foreign import Foreign, refused

__all__ = ["REFUSED"]

_STATISTICS = (
    "statistics of categories are means of the target and numbers of rows. Leave it out; "
    "target_strength, target_bins, target_permutations and max_combination say how they are made."
)
_ALL_LEVELS = "every level of the training rows is kept. Leave it out."
_ROW_ORDER = "statistics of categories see the rows in random orders. Leave it out."
_NUMBERS_ONLY = (
    "columns hold numbers, booleans, dates or categories. Convert free text and embeddings to "
    "numbers, and leave it out."
)
_ORDERED = (
    "boosting='ordered' permutes single rows, and its prefixes double in length. Leave it out; "
    "ordered_permutations sets the number of permutations."
)
_COMMAND_LINE = (
    "it belongs to a command line. Give tables to ceiba.Dataset or fit, and paths to save_model "
    "and load_model."
)
_AT_PREDICT = "it belongs to a prediction. Give it to predict."
_CLUSTER = "a training runs on one machine. Leave it out."
_BINS = "bins are quantiles of the rows. Leave it out, and give max_bins."
_CHECKPOINT = "give callbacks=[ceiba.Checkpoint(path)] to fit or train."
_FORCED = "trees choose their own splits. Leave it out."
_PENALIZED = "columns are not penalized. Leave it out; feature_weights samples some more often."
_LINEAR = "boosters are trees, not linear models. Leave it out."
_NOISE = (
    "gradients have no noise added. Leave it out; random_strength adds noise to the ranks of "
    "splits."
)

REFUSED: tuple[Foreign, ...] = (
    *refused("devices device_config", RUNS_ON_CPU),
    *refused(
        "max_conflict_rate max_conflict",
        "columns share a bundle only where no row needs two of them: one that lost values would "
        "make another model. Leave it out; bundles are found without it.",
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
        "model_shrink_rate", "the trees of earlier rounds stay as they are. Leave it out.", (0,)
    ),
    *refused("callbacks callback", "callbacks belong to a training. Give them to fit or train."),
    *refused(
        "init", "training starts from the best constant. Give base_score, or init_score to fit."
    ),
    # ---- trees ----------------------------------------------------------------------------------
    *refused(
        "path_smooth",
        "leaves are not drawn towards the node above them. Leave it out, and give reg_lambda.",
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
        "monotone columns are not penalized. Leave it out.", (0,),
    ),
    *refused(
        "monotone_constraints_method monotone_constraining_method mc_method",
        "monotone constraints hold exactly by bounds of every node. Leave it out.", ("basic",),
    ),
    *refused("updater", "give split_method: 'hist', 'approx' or 'exact'."),
    *refused("feature_selector top_k topk tolerance", _LINEAR),
    # ---- losses and metrics ---------------------------------------------------------------------
    *refused(
        "fair_c", "there is no objective fair. Give objective='huber' or 'pseudo_huber'.",
    ),
    *refused(
        "reg_sqrt", "targets stay as they are. Train on their square root, and square predictions.",
        (False,),
    ),
    *refused(
        "expectile_alpha", "there is no objective of expectiles. Give objective='quantile'.",
    ),
    *refused(
        "aft_loss_distribution aft_loss_distribution_scale",
        "there is no objective of survival times. Leave it out.",
    ),
    *refused(
        "label_gain",
        "a document of relevance l is worth 2^l - 1, or l with ndcg_exp_gain=False. Leave it out.",
    ),
    *refused(
        "lambdarank_unbiased lambdarank_bias_norm lambdarank_position_bias_regularization",
        "clicks are not freed from the bias of positions. Leave it out.", (False, 0),
    ),
    *refused("auc_mu_weights multi_error_top_k", "there is no such metric. Leave it out.", (1, ())),
    *refused(
        "od_pval", "early stopping waits a number of rounds. Give early_stopping_rounds.", (0,),
    ),
    *refused(
        "best_model_min_trees", "the best iteration is kept, whatever its number. Leave it out.",
        (0, 1),
    ),
    *refused(
        "target_border",
        "classes are the labels of y. Make two of them: y = numpy.asarray(y) > border.",
    ),
    *refused("class_names", "classes are the labels of y, sorted. Leave it out."),
    # ---- rows and columns -----------------------------------------------------------------------
    *refused(
        "ignored_features ignore_column ignore_feature blacklist",
        "every column of the table is used. Leave the columns out of the table.", ("", ()),
    ),
    *refused(
        "max_bin_by_feature feature_border_type per_float_feature_quantization input_borders "
        "output_borders forcedbins_filename",
        _BINS, ("", ()),
    ),
    *refused("sparse_features_conflict_fraction", _BINS, (0,)),
    *refused("nan_mode", "splits learn where missing values go. Leave it out.", ()),
    # ---- files, memory, machines ----------------------------------------------------------------
    *refused("snapshot_file snapshot_interval snapshot_freq save_period", _CHECKPOINT, (-1,)),
    *refused("metadata", "model files hold no notes of their user. Leave it out."),
    *refused("used_ram_limit", "there is no limit of memory. Leave it out."),
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
    *refused("refit_decay_rate", "it belongs to a refit. Give decay_rate to refit."),
)  # fmt: skip

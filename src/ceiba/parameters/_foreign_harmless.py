"""Names of other libraries that do not affect the model and are ignored.

They configure how another library works (processor, sampling for bins, files), or switch off
features that ceiba does not have. Other values are refused with the reason given.
"""

from __future__ import annotations

from ceiba.parameters._foreign_meanings import RUNS_ON_CPU
from ceiba.parameters.foreign import Foreign, harmless

__all__ = ["HARMLESS"]

_ONE_MACHINE = "training runs on one machine. Remove it."

HARMLESS: tuple[Foreign, ...] = (
    # ---- processors and memory ------------------------------------------------------------------
    *harmless("device device_type", ("cpu",), RUNS_ON_CPU),
    *harmless("task_type", ("CPU", "train"), RUNS_ON_CPU),
    *harmless(
        "gpu_platform_id gpu_device_id gpu_device_id_list gpu_use_dp num_gpu gpu_ram_part "
        "pinned_memory_size gpu_cat_features_storage data_partition fail_on_invalid_gpu_id "
        "debug_synchronize use_rmm"
    ),
    *harmless(
        "force_col_wise force_row_wise histogram_pool_size hist_pool_size max_cached_hist_node "
        "dev_score_calc_obj_block_size dev_efb_max_buckets opt_dense_col sparse_threshold "
        "max_row_perbatch"
    ),
    # ---- determinism: always given ---------------------------------------------
    *harmless("deterministic seed_per_iteration"),
    *harmless("data_random_seed data_seed objective_seed"),
    # ---- how tables are read and binned ---------------------------------------------------------
    *harmless(
        "subsample_for_bin bin_construct_sample_cnt enable_categorical enable_bundle bundle "
        "is_enable_bundle is_enable_sparse is_sparse enable_sparse sparse feature_pre_filter "
        "pre_partition is_pre_partition two_round two_round_loading use_two_round_loading "
        "precise_float_parser allow_const_label"
    ),
    *harmless("use_label_encoder"),  # removed from XGBoost, still in pasted code
    *harmless("use_missing", (True,), "NaN is always missing. Replace NaN in the table."),
    # ---- quantized gradients: always used -------------------------------------------------
    *harmless(
        "use_quantized_grad num_grad_quant_bins quant_train_renew_leaf stochastic_rounding"
    ),
    # ---- names, messages and files --------------------------------------------------------------
    *harmless("verbosity validate_parameters name train_dir allow_writing_files metric_freq"),
    *harmless("output_freq save_binary is_save_binary is_save_binary_file"),
    *harmless(
        "metric_period", (1,),
        "metrics are computed after each round. Remove it; verbose=n prints every n rounds.",
    ),
    *harmless(
        "save_snapshot", (False,), "use callbacks=[ceiba.Checkpoint(path)] in fit or train."
    ),
    *harmless("task", ("train", "training"), "use the functions train, predict and refit."),
    # ---- one machine ----------------------------------------------------------------------------
    *harmless("tree_learner tree tree_type tree_learner_type", ("serial",), _ONE_MACHINE),
    *harmless("num_machines num_machine", (1,), _ONE_MACHINE),
    *harmless("time_out local_listen_port local_port port"),
    # ---- default behavior ------------------------------------------------------------
    *harmless("process_type", ("default",), "use ceiba.refit to refit leaf values."),
    *harmless(
        "default_direction", ("learn",),
        "splits learn the default direction of missing values. Remove it."
    ),
    *harmless("refresh_leaf model_shrink_mode"),
    *harmless("sigmoid", (1.0,), "raw scores are log-odds. Remove it."),
    *harmless(
        "first_metric_only", (False,),
        "the last metric of eval_metric decides early stopping. Reorder the metrics.",
    ),
    *harmless(
        "is_provide_training_metric train_metric training_metric is_training_metric", (False,),
        "pass the training rows as an eval set too.",
    ),
)  # fmt: skip

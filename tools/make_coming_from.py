"""Write the parameter tables of docs/coming_from; with --check only compare.

The table of a library is between two markers on its page: the parameter names of the library, the
ceiba name, and the default with the library's recipe and with recipe auto.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from ceiba.parameters import DECLARED, FOREIGN, Parameter, default_text

FOLDER = Path(__file__).parents[1] / "docs" / "coming_from"
BEGIN, END = "<!-- parameters:begin -->", "<!-- parameters:end -->"

#: Page, library, recipe, and the parameter names of the library.
LIBRARIES: tuple[tuple[str, str, str, str], ...] = (
    (
        "xgboost",
        "XGBoost",
        "xgboost",
        "objective n_estimators num_boost_round learning_rate eta max_depth max_leaves grow_policy "
        "tree_method max_bin min_child_weight gamma min_split_loss max_delta_step reg_lambda "
        "lambda reg_alpha alpha subsample sampling_method colsample_bytree colsample_bylevel "
        "colsample_bynode scale_pos_weight base_score booster rate_drop skip_drop one_drop "
        "sample_type normalize_type num_parallel_tree monotone_constraints interaction_constraints "
        "feature_weights max_cat_to_onehot max_cat_threshold feature_types enable_categorical "
        "multi_strategy missing eval_metric early_stopping_rounds random_state seed n_jobs nthread "
        "device verbosity quantile_alpha huber_slope tweedie_variance_power num_class",
    ),
    (
        "lightgbm",
        "LightGBM",
        "lightgbm",
        "objective boosting_type boosting n_estimators num_iterations learning_rate num_leaves "
        "max_depth min_child_samples min_data_in_leaf min_child_weight min_sum_hessian_in_leaf "
        "min_split_gain min_gain_to_split reg_lambda lambda_l2 reg_alpha lambda_l1 max_delta_step "
        "subsample bagging_fraction subsample_freq bagging_freq pos_bagging_fraction "
        "neg_bagging_fraction data_sample_strategy top_rate other_rate colsample_bytree "
        "feature_fraction feature_fraction_bynode extra_trees max_bin min_data_in_bin "
        "categorical_feature max_cat_to_onehot max_cat_threshold cat_smooth cat_l2 "
        "min_data_per_group linear_tree linear_lambda drop_rate max_drop skip_drop "
        "monotone_constraints interaction_constraints path_smooth class_weight is_unbalance "
        "scale_pos_weight boost_from_average early_stopping_round metric "
        "lambdarank_truncation_level lambdarank_norm random_state seed n_jobs num_threads device "
        "verbosity",
    ),
    (
        "catboost",
        "CatBoost",
        "catboost",
        "loss_function iterations learning_rate depth grow_policy num_leaves min_data_in_leaf "
        "l2_leaf_reg random_strength bootstrap_type bagging_temperature subsample mvs_reg rsm "
        "sampling_frequency boosting_type score_function leaf_estimation_iterations "
        "leaf_estimation_method leaf_estimation_backtracking border_count nan_mode cat_features "
        "one_hot_max_size max_ctr_complexity monotone_constraints feature_weights class_weights "
        "auto_class_weights scale_pos_weight boost_from_average eval_metric custom_metric od_type "
        "od_wait use_best_model random_seed thread_count task_type logging_level verbose "
        "text_features langevin",
    ),
    (
        "scikit_learn",
        "scikit-learn",
        "histgb",
        "loss max_iter n_estimators learning_rate max_leaf_nodes max_depth min_samples_leaf "
        "min_samples_split min_weight_fraction_leaf min_impurity_decrease ccp_alpha "
        "l2_regularization max_features subsample max_bins quantile monotonic_cst interaction_cst "
        "categorical_features class_weight criterion early_stopping n_iter_no_change "
        "validation_fraction tol scoring warm_start random_state verbose init",
    ),
)


def named(name: str) -> Parameter | None:
    """Return the parameter with this name or alias."""
    return next((p for p in DECLARED if name == p.name or name in p.aliases), None)


def default(parameter: Parameter, recipe: str) -> str:
    value: Any = parameter.recipes.get(recipe, parameter.default)
    return default_text(value, lambda plain: "–" if plain is None else f"`{plain!r}`")


def line(name: str, recipe: str) -> str:
    """Return the table row of a parameter name of a library."""
    parameter = named(name)
    if parameter is not None:
        link = f"[`{parameter.name}`](../parameters.md#{parameter.name})"
        cells = [link, default(parameter, recipe), default(parameter, "auto")]
    elif name in FOREIGN:
        row = FOREIGN[name]
        note = {
            "meaning": "translated value by value",
            "harmless": "accepted, changes no model",
            "refused": f"refused: {row.why}",
        }[row.kind]
        cells = [note, "", ""]
    else:
        sys.exit(f"{name!r} is not a parameter. Correct LIBRARIES in tools/make_coming_from.py.")
    return f"| `{name}` | " + " | ".join(cells) + " |"


def table(library: str, recipe: str, names: str) -> str:
    """Return the parameter table of a library."""
    lines = "\n".join(line(name, recipe) for name in names.split())
    return (
        f"| {library} | ceiba | default with recipe `{recipe}` | default with recipe `auto` |\n"
        f"| --- | --- | --- | --- |\n{lines}"
    )


def page(text: str, shown: str) -> str:
    """Return the text of a page with the table between its markers."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{shown}\n{END}{rest.split(END)[1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a page is stale")
    check = parser.parse_args().check
    stale = 0
    for name, library, recipe, names in LIBRARIES:
        path = FOLDER / f"{name}.md"
        text = page(path.read_text(), table(library, recipe, names))
        if not check:
            path.write_text(text)
        elif path.read_text() != text:
            stale = 1
            print(f"{path.relative_to(FOLDER.parents[1])} is stale: run `make generated`.")
    return stale


if __name__ == "__main__":
    sys.exit(main())

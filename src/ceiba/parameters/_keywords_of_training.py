"""Rows of the keywords of train, cv and the callbacks; ``keywords.py`` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ceiba.parameters import BY_NAME, FOREIGN
from ceiba.parameters._foreign_meanings import several
from ceiba.parameters._keywords_of_data import every_round, renamed
from ceiba.parameters.constraints import is_iterable
from ceiba.parameters.foreign import Foreign, Settings, harmless, meaning, refused
from ceiba.parameters.swapped import SwappedMetric, SwappedObjective

__all__ = ["CV_ROWS", "EARLY_STOPPING_ROWS", "LOG_ROWS", "TRAIN_ROWS"]


def _evals(value: Any, given: Settings) -> Settings | None:
    """Read a list of (Dataset, name)."""
    pairs = list(value) if is_iterable(value) else [value]
    if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs):
        return None
    return {"eval_sets": {name: dataset for dataset, name in pairs}}


def _valid_sets(value: Any, given: Settings) -> Settings | None:
    sets = list(value) if isinstance(value, list | tuple) else [value]
    names = given.get("valid_names")
    if names is None:
        return {"eval_sets": sets}
    names = [names] if isinstance(names, str) or not is_iterable(names) else list(names)
    if not all(isinstance(name, str) for name in names):
        return None
    return {"eval_sets": dict(zip(names, sets, strict=True))} if len(names) == len(sets) else None


def _valid_names(value: Any, given: Settings) -> Settings | None:
    return {} if given.get("valid_sets") is not None else None


def _function_of_predictions(value: Any, given: Settings) -> Settings | None:
    """Read metrics that are functions (predictions, dataset), besides those that are named."""
    functions = list(value) if isinstance(value, list | tuple) else [value]
    if not functions or not all(map(callable, functions)):
        return None
    swapped = [SwappedMetric(function, bool(given.get("maximize"))) for function in functions]
    names = ("eval_metric", *BY_NAME["eval_metric"].aliases)
    named = next((given[name] for name in names if given.get(name) is not None), "loss")
    return {"eval_metric": [*several(named), *swapped]}


def _custom_metric(value: Any, given: Settings) -> Settings | None:
    """Read XGBoost's function, or else CatBoost's names."""
    found = _function_of_predictions(value, given)
    return {"custom_metric": value} if found is None else found


def _objective(value: Any, given: Settings) -> Settings | None:
    return {"objective": SwappedObjective(value)} if callable(value) else None


def _direction(value: Any, given: Settings) -> Settings | None:
    """Whether more is better is told with the function that it belongs to."""
    has_function = any(name in given for name in ("feval", "custom_metric"))
    return {} if has_function or not value else None


_FUNCTIONS: tuple[Foreign, ...] = (
    *meaning("feval", _function_of_predictions, "it must be a function (predictions, dataset)."),
    *meaning("custom_metric", _custom_metric, ""),
    *meaning("obj fobj", _objective, "it must be a function (scores, dataset)."),
    *meaning(
        "maximize", _direction, "metrics say whether more is better. Leave it out.",
    ),
    *renamed("dtrain train_set pool", "dataset"),
    *meaning("verbose_eval", every_round, ""),
    *harmless("log_cout log_cerr metric_update_interval"),
    *harmless("plot", (False,), "nothing is drawn while training. Leave it out."),
    *refused("plot_file", "nothing is drawn while training. Leave it out."),
    *refused("feature_name", "give feature_names to the Dataset.", ("auto",)),
)  # fmt: skip

TRAIN_ROWS: tuple[Foreign, ...] = (
    *meaning("evals", _evals, "it must be a list of pairs (Dataset, name). Give eval_sets."),
    *meaning("valid_sets", _valid_sets, "valid_names must name each of them. Give eval_sets."),
    *meaning("valid_names", _valid_names, "it names valid_sets. Give eval_sets={name: Dataset}."),
    *renamed("eval_set", "eval_sets"),
    *renamed("evals_result", "evals_result"),
    *renamed("xgb_model", "init_model"),
    *harmless("keep_training_booster"),
    *_FUNCTIONS,
)


def _seed_of_folds(value: Any, given: Settings) -> Settings:
    """Read a seed for the folds alone: one seed is for all, and that of the training counts."""
    names = ("random_state", *BY_NAME["random_state"].aliases)
    has_seed = any(given.get(name) is not None for name in names)
    return {} if has_seed else {"random_state": value}


CV_ROWS: tuple[Foreign, ...] = (
    *renamed("nfold fold_count", "folds"),
    *renamed("return_cvbooster", "return_models"),
    *meaning("partition_random_seed", _seed_of_folds, ""),
    *harmless("show_stdv eval_train_metric"),
    *harmless("as_pandas", (True,), "the table is a DataFrame. Make a dictionary: dict(table)."),
    *harmless("type", ("Classical",), "every row is scored once. Give folds, pairs of rows."),
    *harmless("inverted", (False,), "each fold is scored by a model of the others. Give folds."),
    *refused("fpreproc", "rows are those of the Dataset. Prepare them before."),
    *refused("init_model", "folds start from nothing. Leave it out."),
    *_FUNCTIONS,
)


def _first_of(value: Any, given: Settings) -> Settings | None:
    """Read LightGBM's tolerance, which may be one for each metric."""
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    if not listed:
        return {"tolerance": value}
    return {"tolerance": value[0]} if len(set(value)) == 1 else None


EARLY_STOPPING_ROWS: tuple[Foreign, ...] = (
    *renamed("stopping_rounds", "rounds"),
    *meaning(
        "min_delta", _first_of, "the tolerance is one number. Give a callback for each metric."
    ),
    *renamed("metric_name", "metric"),
    *renamed("data_name", "eval_set"),
    *renamed("save_best", "keep_best"),
    *harmless("verbose"),
    FOREIGN["first_metric_only"],
    *refused("maximize", "metrics say whether more is better. Leave it out."),
)

LOG_ROWS: tuple[Foreign, ...] = (
    *renamed("period", "every"),
    *harmless("show_stdv rank"),
)

"""Keywords of other libraries for train, cv and callbacks; see ``keywords.py``."""

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
    """Translate a list of (Dataset, name)."""
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
    """Add metrics that are functions (predictions, dataset) to the named ones."""
    functions = list(value) if isinstance(value, list | tuple) else [value]
    if not functions or not all(map(callable, functions)):
        return None
    swapped = [SwappedMetric(function, bool(given.get("maximize"))) for function in functions]
    names = ("eval_metric", *BY_NAME["eval_metric"].aliases)
    named = next((given[name] for name in names if given.get(name) is not None), "loss")
    return {"eval_metric": [*several(named), *swapped]}


def _custom_metric(value: Any, given: Settings) -> Settings | None:
    """Translate XGBoost's function or CatBoost's names."""
    found = _function_of_predictions(value, given)
    return {"custom_metric": value} if found is None else found


def _objective(value: Any, given: Settings) -> Settings | None:
    return {"objective": SwappedObjective(value)} if callable(value) else None


def _direction(value: Any, given: Settings) -> Settings | None:
    """Accept the direction only beside the function that it describes."""
    has_function = any(name in given for name in ("feval", "custom_metric"))
    return {} if has_function or not value else None


_FUNCTIONS: tuple[Foreign, ...] = (
    *meaning("feval", _function_of_predictions, "it must be a function (predictions, dataset)."),
    *meaning("custom_metric", _custom_metric, ""),
    *meaning("obj fobj", _objective, "it must be a function (scores, dataset)."),
    *meaning(
        "maximize", _direction, "each metric declares its direction. Remove it.",
    ),
    *renamed("dtrain train_set pool", "dataset"),
    *meaning("verbose_eval", every_round, ""),
    *harmless("log_cout log_cerr metric_update_interval"),
    *harmless("plot", (False,), "plots during training are not available. Remove it."),
    *refused("plot_file", "plots during training are not available. Remove it."),
    *refused("feature_name", "pass feature_names to the Dataset.", ("auto",)),
    *refused("X y", "pass dataset=ceiba.Dataset(X, y)."),
)  # fmt: skip

TRAIN_ROWS: tuple[Foreign, ...] = (
    *meaning("evals", _evals, "it must be a list of pairs (Dataset, name). Pass eval_sets."),
    *meaning("valid_sets", _valid_sets, "valid_names must name each of them. Pass eval_sets."),
    *meaning("valid_names", _valid_names, "it needs valid_sets. Pass eval_sets={name: Dataset}."),
    *renamed("eval_set", "eval_sets"),
    *renamed("evals_result", "evals_result"),
    *renamed("xgb_model", "init_model"),
    *harmless("keep_training_booster"),
    *_FUNCTIONS,
)


def _seed_of_folds(value: Any, given: Settings) -> Settings:
    """Use the seed of the folds for everything, unless random_state is set."""
    names = ("random_state", *BY_NAME["random_state"].aliases)
    has_seed = any(given.get(name) is not None for name in names)
    return {} if has_seed else {"random_state": value}


CV_ROWS: tuple[Foreign, ...] = (
    *renamed("nfold fold_count cv", "folds"),
    *renamed("return_cvbooster return_estimator", "return_models"),
    *meaning("partition_random_seed", _seed_of_folds, ""),
    *harmless("show_stdv eval_train_metric return_train_score"),
    *refused("return_indices", "pass folds as pairs of row lists, which you then know.", (False,)),
    *harmless("as_pandas", (True,), "the result is a DataFrame. Convert it: dict(table)."),
    *harmless("type", ("Classical",), "each row is scored once. Pass folds as pairs of row lists."),
    *harmless("inverted", (False,), "each fold is scored by a model of the others. Pass folds."),
    *refused("fpreproc", "preprocessing per fold is not available. Preprocess the rows before."),
    *refused("init_model", "folds train from scratch. Remove it."),
    *_FUNCTIONS,
)


def _first_of(value: Any, given: Settings) -> Settings | None:
    """Translate LightGBM's tolerance, which may be a list with one value per metric."""
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    if not listed:
        return {"tolerance": value}
    return {"tolerance": value[0]} if len(set(value)) == 1 else None


EARLY_STOPPING_ROWS: tuple[Foreign, ...] = (
    *renamed("stopping_rounds", "rounds"),
    *meaning("min_delta", _first_of, "the tolerance is one number. Use one callback per metric."),
    *renamed("metric_name", "metric"),
    *renamed("data_name", "eval_set"),
    *renamed("save_best", "keep_best"),
    *harmless("verbose"),
    FOREIGN["first_metric_only"],
    *refused("maximize", "each metric declares its direction. Remove it."),
)

LOG_ROWS: tuple[Foreign, ...] = (
    *renamed("period", "every"),
    *harmless("show_stdv rank"),
)

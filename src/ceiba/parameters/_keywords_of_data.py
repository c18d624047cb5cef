"""Keywords of other libraries for fit, Dataset and predict; see ``keywords.py``."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ceiba.parameters import FOREIGN
from ceiba.parameters.constraints import LARGEST_INT
from ceiba.parameters.foreign import Foreign, Settings, harmless, meaning, refused

__all__ = ["DATASET_ROWS", "FIT_ROWS", "PREDICT_ROWS", "as_parameters", "renamed"]

_QUERIES = "queries are for CeibaRanker. Remove it, or train a ranker."
_PLOTS = "plots during training are not available. Remove it, and plot evals_result_ afterwards."
_PAIRS = "pairs come from the relevance within a query. Remove it."
_APPROXIMATE = "SHAP values are always exact. Remove it."
_NAMES = "pass a DataFrame, or a ceiba.Dataset with feature_names."


def renamed(names: str, ours: str) -> Iterable[Foreign]:
    """Return rows of names that are aliases of an argument."""

    def read(value: Any, given: Settings) -> Settings:
        return {ours: value}

    return [Foreign(name, "meaning", read) for name in names.split()]


def as_parameters(names: str) -> Iterable[Foreign]:
    """Return rows of arguments that are parameters, under the name that the user wrote."""
    return [row for name in names.split() for row in renamed(name, name)]


def as_before(names: str) -> Iterable[Foreign]:
    """Return the rows that these names have as parameters."""
    return [FOREIGN[name] for name in names.split()]


# ---- eval sets -----------------------------------------------------------------------------------


def _pairs(names: tuple[str, str, str]) -> Callable[[Any, Settings], Settings | None]:
    """Return a translation of eval sets passed as separate tables, targets and weights."""

    def read(value: Any, given: Settings) -> Settings | None:
        parts = [given.get(name) for name in names]
        if parts[1] is None or given.get("eval_set") is not None:
            return None
        if not isinstance(parts[0], tuple):
            parts = [None if part is None else (part,) for part in parts]
        sets = zip(*(part for part in parts if part is not None), strict=True)
        return {"eval_set": list(sets)}

    return read


def _beside(name: str) -> Callable[[Any, Settings], Settings | None]:
    """Return a translation for an argument that another argument has consumed."""
    return lambda value, given: None if given.get(name) is None else {}


def _eval_part(place: int) -> Callable[[Any, Settings], Settings | None]:
    """Return a translation of weights (2) or initial scores (3), one for each eval set."""

    def read(value: Any, given: Settings) -> Settings | None:
        sets = _listed_sets(given.get("eval_set"))
        parts = list(value.values() if isinstance(value, Mapping) else value)
        if sets is None or len(parts) != len(sets):
            return None
        with_part = []
        for entry, part in zip(sets.values(), parts, strict=True):
            whole = [*entry, None, None][:4]
            whole[place] = part
            with_part.append(tuple(whole))
        named = isinstance(given["eval_set"], Mapping)
        return {"eval_set": dict(zip(sets, with_part, strict=True)) if named else with_part}

    return read


def _eval_names(value: Any, given: Settings) -> Settings | None:
    sets = _listed_sets(given.get("eval_set"))
    names = [value] if isinstance(value, str) else list(value)
    if sets is None or len(names) != len(sets):
        return None
    return {"eval_set": dict(zip(names, sets.values(), strict=True))}


def _listed_sets(eval_set: Any) -> dict[Any, Any] | None:
    """Return eval sets by name or number; a single pair is a list of one."""
    if isinstance(eval_set, Mapping):
        return dict(eval_set)
    if isinstance(eval_set, tuple) and eval_set and not isinstance(eval_set[0], tuple):
        eval_set = [eval_set]
    return dict(enumerate(eval_set)) if isinstance(eval_set, Sequence) else None


def _best_of_eval_set(value: Any, given: Settings) -> Settings | None:
    """Keep the best iteration; train all rounds unless early stopping is set."""
    if not value:
        return {} if not given.get("early_stopping_rounds") else None
    patience = given.get("early_stopping_rounds") or LARGEST_INT
    return {"early_stopping_rounds": patience} if given.get("eval_set") is not None else None


def every_round(value: Any, given: Settings) -> Settings:
    """Translate how often metrics are printed; True means after every round."""
    return {"verbose": int(value) if isinstance(value, bool) else value}


_EVAL_PAIRS = "each eval set needs a table and a target. Pass eval_set=[(X, y)]."
_EACH_SET = "it must contain one entry for each eval set. Pass eval_set=[(X, y, weights)]."

FIT_ROWS: tuple[Foreign, ...] = (
    *meaning("X_val", _pairs(("X_val", "y_val", "sample_weight_val")), _EVAL_PAIRS),
    *meaning("y_val sample_weight_val", _beside("X_val"), _EVAL_PAIRS),
    *meaning("eval_X", _pairs(("eval_X", "eval_y", "")), _EVAL_PAIRS),
    *meaning("eval_y", _beside("eval_X"), _EVAL_PAIRS),
    *meaning("sample_weight_eval_set eval_sample_weight", _eval_part(2), _EACH_SET),
    *meaning("base_margin_eval_set eval_init_score", _eval_part(3), _EACH_SET),
    *meaning("eval_names", _eval_names, "it must contain one name for each eval set in eval_set."),
    *renamed("base_margin baseline", "init_score"),
    *renamed("xgb_model", "init_model"),
    *renamed("group_id", "qid"),
    *as_parameters("verbose eval_metric early_stopping_rounds eval_at feature_weights silent"),
    *as_parameters("logging_level metric_period save_snapshot snapshot_file snapshot_interval"),
    *meaning("verbose_eval", every_round, ""),
    *meaning(
        "use_best_model", _best_of_eval_set,
        "it needs early_stopping_rounds and an eval_set. Pass both.",
    ),
    *harmless("log_cout log_cerr"),
    *harmless("plot", (False,), _PLOTS),
    *refused("plot_file", _PLOTS),
    *refused("monitor", "pass callbacks: functions that take a ceiba.Round."),
    *refused("eval_class_weight", "eval sets have their own weights. " + _EACH_SET),
    *refused("feature_name", _NAMES, ("auto",)),
    *as_parameters("categorical_feature cat_features"),
    *as_before("text_features embedding_features"),
    *refused("column_description", "columns come from the table. Remove it."),
    *refused("qid group eval_qid eval_group", _QUERIES),
    *refused("graph pairs pairs_weight group_weight subgroup_id", _PAIRS),
)  # fmt: skip


# ---- Dataset -------------------------------------------------------------------------------------


def _names(value: Any, given: Settings) -> Settings:
    return {} if isinstance(value, str) and value == "auto" else {"feature_names": value}


DATASET_ROWS: tuple[Foreign, ...] = (
    *renamed("label", "target"),
    *renamed("base_margin baseline", "init_score"),
    *renamed("group_id", "qid"),
    *meaning("feature_name", _names, ""),
    *renamed("categorical_feature cat_features", "categorical_features"),
    *as_before("feature_types"),
    *harmless(
        "reference ref free_raw_data nthread thread_count n_jobs silent enable_categorical "
        "data_split_mode max_quantile_batches log_cout log_cerr data_can_be_none has_header "
        "ignore_csv_quoting delimiter"
    ),
    *refused("params max_bin", "a Dataset has no parameters. Pass them to train.", ({},)),
    *refused("feature_weights", "it is a parameter of training. Pass it to train."),
    *refused(
        "label_lower_bound label_upper_bound", "survival objectives are not available. Remove it.",
    ),
    *refused("position", FOREIGN["lambdarank_unbiased"].why),
    *refused("timestamp", "rows keep their order. Remove it."),
    *refused("feature_tags", "columns have no tags. Remove it."),
    *refused("column_description", "columns come from the table. Remove it."),
    *refused("graph pairs pairs_weight group_weight subgroup_id", _PAIRS),
    *refused("embedding_features_data", FOREIGN["embedding_features"].why),
    *as_before("text_features embedding_features"),
)  # fmt: skip


# ---- predict -------------------------------------------------------------------------------------


def _output(kind: str) -> Mapping[Any, Settings]:
    return {True: {"output": kind}, False: {}}


def _all_for_zero(ours: str) -> Callable[[Any, Settings], Settings]:
    """Return a translation of a number of rounds, where 0 and less mean all."""

    def read(value: Any, given: Settings) -> Settings:
        return {} if isinstance(value, numbers.Real) and value <= 0 else {ours: value}

    return read


_TRUE_OR_FALSE = "it must be True or False."

PREDICT_ROWS: tuple[Foreign, ...] = (
    *meaning("raw_score output_margin", _output("raw"), _TRUE_OR_FALSE),
    *meaning("pred_leaf", _output("leaf"), _TRUE_OR_FALSE),
    *meaning("pred_contrib", _output("contributions of lightgbm"), _TRUE_OR_FALSE),
    *meaning("pred_contribs", _output("contributions of xgboost"), _TRUE_OR_FALSE),
    *meaning("pred_interactions", _output("contributions of interactions"), _TRUE_OR_FALSE),
    *meaning(
        "prediction_type",
        {
            "RawFormulaVal": {"output": "raw"},
            "Probability": {"output": "probability"},
            "LogProbability": {"output": "log_probability"},
            "Class": {"output": "class"},
        },
        "it must be 'RawFormulaVal', 'Probability', 'LogProbability' or 'Class'.",
    ),
    *meaning("num_iteration ntree_limit", _all_for_zero("n_rounds"), ""),
    *meaning("ntree_end", _all_for_zero("end"), ""),
    *renamed("start_iteration ntree_start", "begin"),
    *renamed("thread_count nthread num_threads", "n_jobs"),
    *harmless("validate_features verbose data_has_header"),
    *harmless("training strict_shape predict_disable_shape_check pred_early_stop", (False,),
              "it has no equivalent. Remove it."),
    *as_before("task_type"),
    *refused("approx_contribs", _APPROXIMATE, (False,)),
    *refused(
        "base_margin",
        "predict does not take initial scores. Add them to the result of predict_raw or "
        "decision_function.",
    ),
)  # fmt: skip

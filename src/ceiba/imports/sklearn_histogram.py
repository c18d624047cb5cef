"""scikit-learn's ``HistGradientBoostingRegressor`` and ``HistGradientBoostingClassifier``.

Their trees compare float64 values, like ceiba's. Tables with categories pass through an ordinal
encoder that puts the categorical columns first; the trees read its columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.levels import plain_level
from ceiba.errors import InvalidInputError
from ceiba.imports.foreign_model import Columns, ForeignModel
from ceiba.imports.raw_trees import RawTrees, joined_offsets, sets_of_levels, with_mean_values
from ceiba.imports.sklearn_trees import columns_of
from ceiba.objectives import Objective, find_objective

__all__ = ["read_histogram_boosting"]

Integers = NDArray[np.int64]

_LOSSES = {
    "squared_error": "squared_error",
    "absolute_error": "absolute_error",
    "gamma": "gamma",
    "poisson": "poisson",
    "quantile": "quantile",
    "log_loss": "logistic",
}


def read_histogram_boosting(model: Any) -> ForeignModel:
    """Read a fitted estimator."""
    predictors = [predictor for of_round in model._predictors for predictor in of_round]
    n_outputs = int(model.n_trees_per_iteration_)
    columns, place, known = _columns(model)
    raw = _raw_trees(predictors, columns, place, known)
    return ForeignModel(
        recipe="histgb",
        columns=columns,
        trees=with_mean_values(raw.to_trees(n_outputs)),
        objective=_objective(model, n_outputs),
        start_scores=np.asarray(model._baseline_prediction, dtype=np.float64).ravel(),
        parameters={
            "learning_rate": float(model.learning_rate),
            "reg_lambda": float(model.l2_regularization),
        },
        classes=np.asarray(model.classes_) if hasattr(model, "classes_") else None,
    )


def _objective(model: Any, n_outputs: int) -> Objective:
    if not isinstance(model.loss, str) or model.loss not in _LOSSES:
        raise InvalidInputError(
            f"ceiba imports the losses {', '.join(_LOSSES)}. Got loss={model.loss!r}."
        )
    if n_outputs > 1:
        return find_objective("softmax", n_classes=n_outputs)
    options: dict[str, Any] = (
        {"quantile": float(model.quantile)} if model.loss == "quantile" else {}
    )
    return find_objective(_LOSSES[model.loss], **options)


def _columns(model: Any) -> tuple[Columns, Integers, dict[int, Integers]]:
    """Return the columns, the place of each column that trees read, and known category codes."""
    columns = columns_of(model)
    if model._preprocessor is None:
        return columns, np.arange(columns.n_columns), {}
    is_category = np.asarray(model.is_categorical_, dtype=bool)
    place = np.concatenate([np.flatnonzero(is_category), np.flatnonzero(~is_category)])
    encoder = model._preprocessor.named_transformers_["encoder"]
    bitsets, rows = model._bin_mapper.make_known_categories_bitsets()
    known = {}
    for k, categories in enumerate(encoder.categories_):
        column = int(place[k])
        codes = _codes(bitsets[rows[k]])
        known[column] = codes
        columns.levels[column] = [plain_level(categories[code]) for code in codes.tolist()]
    return columns, place, known


def _codes(bitset: NDArray[np.uint32]) -> Integers:
    """Return the category codes of a bit set of 256 bits."""
    bits = np.unpackbits(bitset.astype("<u4").view(np.uint8), bitorder="little")
    return np.flatnonzero(bits)


def _raw_trees(
    predictors: list[Any], columns: Columns, place: Integers, known: dict[int, Integers]
) -> RawTrees:
    first = joined_offsets([len(predictor.nodes) for predictor in predictors])
    nodes = np.concatenate([predictor.nodes for predictor in predictors])
    begin = np.repeat(first[:-1], np.diff(first))
    is_split = nodes["is_leaf"] == 0
    feature = place[np.where(is_split, nodes["feature_idx"], 0)]
    set_of_node = np.full(len(nodes), -1, dtype=np.int64)
    sets: list[Integers] = []
    numbers = {j: columns.level_numbers(j) for j in columns.levels}
    for node in np.flatnonzero(is_split & (nodes["is_categorical"] == 1)).tolist():
        column = int(feature[node])
        tree = int(np.searchsorted(first, node, side="right")) - 1
        codes = _codes(predictors[tree].raw_left_cat_bitsets[nodes["bitset_idx"][node]])
        set_of_node[node] = len(sets)
        sets.append(np.sort(numbers[column][np.isin(known[column], codes)]))
    count = nodes["count"].astype(np.float64)
    return RawTrees(
        roots=first[:-1],
        left=np.where(is_split, begin + nodes["left"].astype(np.int64), -1),
        right=np.where(is_split, begin + nodes["right"].astype(np.int64), -1),
        feature=feature,
        threshold=nodes["num_threshold"].astype(np.float64),
        missing_left=nodes["missing_go_to_left"] == 1,
        value=nodes["value"].astype(np.float64)[:, None],
        gain=np.where(is_split, nodes["gain"], 0.0),
        cover=count,
        count=count,
        sets=sets_of_levels(set_of_node, sets),
    )

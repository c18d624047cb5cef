"""The forms of the library shap, which is imported only when one is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError, MissingDependencyError

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["import_shap", "to_shap"]

_NEXT_TO_NOTHING = 1e-30


def import_shap(asked_by: str) -> Any:
    """Return the library, or say how to install it."""
    try:
        return importlib.import_module("shap")
    except ImportError as error:
        raise MissingDependencyError(
            f"{asked_by} needs shap. Install it with: pip install 'ceiba[shap]'"
        ) from error


def to_shap(model: Model) -> dict[str, Any]:
    """Return what ``shap.TreeExplainer`` takes for a model."""
    forest = model.weighted_forest()
    arrays = forest.arrays()
    if (arrays.get("set_of_node", np.zeros(0)) >= 0).any():
        raise InvalidInputError(
            "shap.TreeExplainer knows thresholds only, and this model splits by sets of levels. "
            "Use model.explain(X), and its to_shap() for the plots of shap."
        )
    if "linear_offsets" in arrays:
        raise InvalidInputError(
            "shap.TreeExplainer knows leaves that add one number, and those of this model hold "
            "lines (leaf_model='linear'). Use model.explain(X), and its to_shap() for the plots of "
            "shap."
        )
    if list(model.schema.engine_sources) != [(j,) for j in range(model.n_features)]:
        raise InvalidInputError(
            "shap.TreeExplainer reads the columns of the table, and this model also reads "
            "statistics of the target. Use model.explain(X), and its to_shap() for the plots of "
            "shap."
        )
    n_outputs = forest.n_outputs
    trees = []
    for tree, (begin, end) in enumerate(
        zip(arrays["tree_offsets"][:-1], arrays["tree_offsets"][1:], strict=True)
    ):
        own = {name: array[begin:end] for name, array in arrays.items() if len(array) >= end}
        values = own["value"]
        if values.ndim == 1:
            values = np.zeros((end - begin, n_outputs))
            values[:, tree % n_outputs] = own["value"]
        is_split = own["feature"] >= 0
        trees.append(
            {
                "children_left": own["left"].copy(),
                "children_right": own["right"].copy(),
                "children_default": np.where(own["missing_left"] == 1, own["left"], own["right"]),
                "features": np.where(is_split, own["feature"], -2),
                "thresholds": own["threshold"].copy(),
                "values": values.copy(),
                "node_sample_weight": _weights(own),
            }
        )
    return {
        "trees": trees,
        "base_offset": model.start_scores.copy() if n_outputs > 1 else float(model.start_scores[0]),
        "tree_output": "log_odds" if model.objective.name == "logistic" else "raw_value",
        "objective": {"logistic": "binary_crossentropy", "squared_error": "squared_error"}.get(
            model.objective.name
        ),
        "input_dtype": np.float64,
        "internal_dtype": np.float64,
    }


def _weights(tree: dict[str, NDArray[Any]]) -> NDArray[np.float64]:
    """Return the rows of each node, where nodes without any have next to none.

    shap takes no weights of 0. Symmetric trees have such nodes: a child of one counts half of it.
    """
    counts = tree["count"]
    weights = np.array(counts, dtype=np.float64)
    weights[0] = max(weights[0], 1.0)
    for node in np.flatnonzero(tree["feature"] >= 0):
        children = np.array([tree["left"][node], tree["right"][node]])
        rows = counts[children]
        shares = rows / rows.sum() if rows.sum() > 0 else np.full(2, 0.5)
        weights[children] = weights[node] * np.maximum(shares, _NEXT_TO_NOTHING)
    return weights

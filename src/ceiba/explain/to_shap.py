"""Conversion of trees to the input of ``shap.TreeExplainer``; shap is a lazy import."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError, MissingDependencyError
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from ceiba.model.model import Model
    from ceiba.objectives import Objective

__all__ = ["import_shap", "to_shap"]

_TINY_SHARE = 1e-30
_ADVICE = "Use model.explain(X), and to_shap() of its result for the plots of shap."


def import_shap(asked_by: str) -> Any:
    """Import shap; raise MissingDependencyError if it is not installed."""
    try:
        return importlib.import_module("shap")
    except ImportError as error:
        raise MissingDependencyError(
            f"{asked_by} needs shap. Install it with: pip install 'ceiba[shap]'"
        ) from error


def to_shap(model: Model) -> dict[str, Any]:
    """Return a model in the form that ``shap.TreeExplainer`` takes.

    Raises
    ------
    InvalidInputError
        If the model has category sets, linear leaves or target statistics.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> from ceiba.explain import to_shap
    >>> described = to_shap(model.model_)
    """
    trees = model.trees().weighted()
    if trees.split_by_set.any():
        raise InvalidInputError(
            "shap.TreeExplainer supports only thresholds, and this model splits by sets of levels. "
            + _ADVICE
        )
    if trees.linear is not None:
        raise InvalidInputError(
            "shap.TreeExplainer supports only constant leaves, and this model has linear leaves "
            f"(leaf_model='linear'). {_ADVICE}"
        )
    if list(model.schema.engine_sources) != [(j,) for j in range(model.n_features)]:
        raise InvalidInputError(
            "shap.TreeExplainer reads the columns of the table, and this model also reads "
            f"statistics of the target. {_ADVICE}"
        )
    n_outputs = trees.n_outputs
    link = model.objective.link
    is_log_odds = link.name == "logit" and link.scale == 1.0 and n_outputs == 1
    return {
        "trees": [_tree(trees, tree) for tree in range(trees.n_trees)],
        "base_offset": model.start_scores.copy() if n_outputs > 1 else float(model.start_scores[0]),
        "tree_output": "log_odds" if is_log_odds else "raw_value",
        "objective": _loss(model.objective) if n_outputs == 1 else None,
        "input_dtype": np.float64,
        "internal_dtype": np.float64,
    }


def _tree(trees: Trees, number: int) -> dict[str, NDArray[Any]]:
    """Return the arrays of one tree as shap names them."""
    tree, output = trees.one(number), trees.output_of(number)
    values = tree.value.copy()
    if output is not None:
        values = np.zeros((tree.n_nodes, trees.n_outputs))
        values[:, output] = tree.value[:, 0]
    return {
        "children_left": tree.left.copy(),
        "children_right": tree.right.copy(),
        "children_default": np.where(tree.missing_left, tree.left, tree.right),
        "features": np.where(tree.is_split, tree.feature, -2),
        "thresholds": tree.threshold.copy(),
        "values": values,
        "node_sample_weight": _weights(tree),
    }


def _loss(objective: Objective) -> str | None:
    """Return shap's name of the loss, if it has one."""
    link = objective.link
    if objective.task == "binary" and link.name == "logit" and link.scale == 1.0:
        return "binary_crossentropy"
    # The squared error is the only loss of raw scores whose second derivative is constant.
    is_quadratic = objective.curvature == "exact" and objective.constant_hessian is not None
    return "squared_error" if is_quadratic and link.is_identity else None


def _weights(tree: Trees) -> NDArray[np.float64]:
    """Return the rows of each node, and a tiny positive number for nodes without rows.

    shap requires positive weights. Symmetric trees may have empty nodes; two empty children share
    the weight of their parent equally.
    """
    weights = np.array(tree.count, dtype=np.float64)
    weights[0] = max(weights[0], 1.0)
    for node, *children in zip(*tree.children(), strict=True):
        rows = tree.count[children]
        shares = rows / rows.sum() if rows.sum() > 0 else np.full(2, 0.5)
        weights[children] = weights[node] * np.maximum(shares, _TINY_SHARE)
    return weights

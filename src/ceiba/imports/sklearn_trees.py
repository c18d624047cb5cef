"""Trees, forests and gradient boosting of scikit-learn that use its ``Tree`` objects.

How the rules differ from ceiba's: scikit-learn rounds values to float32 and tests
``x <= threshold`` with a float64 threshold.

- Trees and forests average their trees; classifiers average class shares.
- ``GradientBoosting*`` multiplies leaf values by the learning rate and starts from the predictions
  of ``init``, which must be constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError
from ceiba.imports.float32_thresholds import largest_up_to
from ceiba.imports.foreign_model import Columns, ForeignModel
from ceiba.imports.raw_trees import RawTrees, joined_offsets
from ceiba.objectives import Objective, Several, find_objective

__all__ = ["read_forest", "read_gradient_boosting"]

Floats = NDArray[np.float64]

_LOSSES = {
    "squared_error": "squared_error",
    "absolute_error": "absolute_error",
    "quantile": "quantile",
    "huber": "huber",
    "log_loss": "logistic",
    "exponential": "exponential",
}
#: Strategies of dummy estimators that predict the same for every row.
_CONSTANT = frozenset({"mean", "median", "quantile", "constant", "prior", "most_frequent"})


def read_forest(model: Any) -> ForeignModel:
    """Read a fitted decision tree, extra tree, random forest or forest of extra trees."""
    single = hasattr(model, "tree_")
    estimators = [model] if single else list(model.estimators_)
    is_classifier = hasattr(model, "classes_")
    trees = [estimator.tree_ for estimator in estimators]
    classes: NDArray[Any] | None = None
    objective: Objective
    if is_classifier:
        if int(model.n_outputs_) > 1:
            raise InvalidInputError(
                "ceiba imports classifiers with one target. Got a model with "
                f"{model.n_outputs_} targets. Train one model for each target."
            )
        classes = np.asarray(model.classes_)
        n_classes = len(classes)
        if n_classes < 2:
            raise InvalidInputError("A classifier must have two classes. Got a model with one.")
        objective = find_objective("gini", n_classes=n_classes)
        values = [
            tree.value[:, 0, 1:2] if n_classes == 2 else tree.value[:, 0, :] for tree in trees
        ]
    else:
        name = "absolute_error" if model.criterion == "absolute_error" else "squared_error"
        objective = find_objective(name)
        values = [tree.value[:, :, 0] for tree in trees]
        if int(model.n_outputs_) > 1:
            objective = Several(find_objective("squared_error"), int(model.n_outputs_))
    n_outputs = values[0].shape[1]
    return ForeignModel(
        recipe="tree" if single else "forest",
        columns=columns_of(model),
        trees=_raw_trees(trees, values).to_trees(n_outputs),
        objective=objective,
        start_scores=np.zeros(n_outputs),
        classes=classes,
        averages=True,
    )


def read_gradient_boosting(model: Any) -> ForeignModel:
    """Read a fitted ``GradientBoostingRegressor`` or ``GradientBoostingClassifier``."""
    estimators = model.estimators_  # [n_rounds, n_outputs]
    n_outputs = estimators.shape[1]
    trees = [estimator.tree_ for estimator in estimators.ravel()]
    rate = float(model.learning_rate)
    options: dict[str, Any] = {"leaf_rule": "friedman"}
    if model.loss == "quantile":
        options["quantile"] = float(model.alpha)
    elif model.loss == "huber":
        options["huber_quantile"] = float(model.alpha)
    name = _LOSSES[model.loss]
    if n_outputs > 1:
        name, options = "softmax", {"n_classes": n_outputs}
    values = [rate * tree.value[:, 0, :1] for tree in trees]
    return ForeignModel(
        recipe="gbm",
        columns=columns_of(model),
        trees=_raw_trees(trees, values).to_trees(n_outputs),
        objective=find_objective(name, **options),
        start_scores=_start(model, n_outputs),
        parameters={"learning_rate": rate},
        classes=np.asarray(model.classes_) if hasattr(model, "classes_") else None,
    )


def _start(model: Any, n_outputs: int) -> Floats:
    """Return the constant that ``init`` predicts, as raw scores."""
    init = model.init_
    if isinstance(init, str) and init == "zero":
        return np.zeros(n_outputs)
    is_dummy = type(init).__module__ == "sklearn.dummy"
    if not is_dummy or init.strategy not in _CONSTANT:
        raise InvalidInputError(
            f"ceiba imports gradient boosting that starts from a constant. Got init={init!r}. "
            "Train with init=None or init='zero'."
        )
    row = np.zeros((1, model.n_features_in_), dtype=np.float32)
    start: Floats = np.asarray(model._raw_predict_init(row), dtype=np.float64)[0]
    return start


def columns_of(model: Any) -> Columns:
    """Return the columns of an estimator without categories."""
    names = getattr(model, "feature_names_in_", None)
    return Columns(int(model.n_features_in_), None if names is None else [str(n) for n in names])


def _raw_trees(trees: Sequence[Any], values: Sequence[Floats]) -> RawTrees:
    first = joined_offsets([tree.node_count for tree in trees])
    left, right = (
        np.concatenate(
            [np.where(own >= 0, own + a, -1) for own, a in zip(side, first, strict=False)]
        )
        for side in (
            [tree.children_left for tree in trees],
            [tree.children_right for tree in trees],
        )
    )
    count = np.concatenate([tree.weighted_n_node_samples for tree in trees])
    impurity = count * np.concatenate([tree.impurity for tree in trees])
    is_split = left >= 0
    gain = np.zeros(len(left))
    gain[is_split] = impurity[is_split] - impurity[left[is_split]] - impurity[right[is_split]]
    missing_left = [
        getattr(tree, "missing_go_to_left", np.zeros(tree.node_count)) for tree in trees
    ]
    return RawTrees(
        roots=first[:-1],
        left=left,
        right=right,
        feature=np.concatenate([tree.feature for tree in trees]).astype(np.int64),
        threshold=largest_up_to(np.concatenate([tree.threshold for tree in trees])),
        missing_left=np.concatenate(missing_left).astype(bool),
        value=np.concatenate(values).astype(np.float64),
        gain=gain,
        cover=count,
        count=count,
    )

"""Models from fitted objects of other libraries: :func:`from_model`.

Boosters of LightGBM, XGBoost and CatBoost write their own file format, which the readers of files
read. Estimators of scikit-learn are read attribute by attribute.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.imports.catboost_json import read_catboost
from ceiba.imports.files import reading
from ceiba.imports.foreign_model import ForeignModel
from ceiba.imports.lightgbm_text import read_lightgbm
from ceiba.imports.sklearn_histogram import read_histogram_boosting
from ceiba.imports.sklearn_trees import read_forest, read_gradient_boosting
from ceiba.imports.ubjson import decode_ubjson
from ceiba.imports.xgboost_json import read_xgboost
from ceiba.messages import shown
from ceiba.model.model import Model

__all__ = ["from_model"]


def from_model(model: Any, X: Any = None) -> Model:
    """Convert a fitted model of another library.

    The result predicts what the original predicts, and explains, plots, saves and continues like
    any model of ceiba.

    Parameters
    ----------
    model : object
        A fitted ``Booster`` or estimator of LightGBM, XGBoost or CatBoost, or a
        ``HistGradientBoosting*``, ``GradientBoosting*``, ``RandomForest*``, ``ExtraTrees*``,
        ``DecisionTree*`` or ``ExtraTree*`` of scikit-learn. A model of ceiba is returned as it is.
    X : table, default=None
        Rows with all categories of the training. Only CatBoost models with categorical features
        need them, because they store hashes of the categories.

    Returns
    -------
    Model
        For estimators with early stopping, the rounds that their ``predict`` uses.

    Raises
    ------
    InvalidTypeError
        If the type is not supported.
    InvalidInputError
        If the model is not fitted, or has parts that ceiba does not support.
    LoadError
        If the model has an objective or splits that ceiba does not support.

    Examples
    --------
    >>> import numpy as np
    >>> import ceiba
    >>> from sklearn.ensemble import HistGradientBoostingRegressor
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> original = HistGradientBoostingRegressor(max_iter=5).fit(X, X[:, 0])
    >>> model = ceiba.from_model(original)
    >>> bool((model.predict(X) == original.predict(X)).all())
    True
    >>> model.explain(X).values.shape
    (100, 2)
    """
    if isinstance(model, Model):
        return model
    name = f"The {type(model).__name__}"
    for kind in type(model).__mro__:
        library = kind.__module__.split(".")[0]
        if library == "ceiba" and isinstance(getattr(model, "model_", None), Model):
            return model.model_  # type: ignore[no-any-return]
        read = _LIBRARIES.get(library)
        if read is not None:
            with reading(name):
                return read(model, X).to_model()
    raise _unsupported(model)


def _unsupported(model: Any) -> InvalidTypeError:
    return InvalidTypeError(
        "from_model takes fitted models of LightGBM, XGBoost, CatBoost and scikit-learn "
        "(HistGradientBoosting, GradientBoosting, RandomForest, ExtraTrees and trees). Got "
        f"{shown(model)}. Take the last step out of a pipeline, and give predict transformed rows."
    )


def _fitted(model: Any, attribute: str) -> Any:
    """Return an attribute that only fitted estimators have."""
    try:
        return getattr(model, attribute)
    except (AttributeError, ValueError) as error:  # NotFittedError is both
        raise InvalidInputError(
            f"The {type(model).__name__} is not fitted. Call fit before from_model."
        ) from error


def _from_lightgbm(model: Any, _: Any) -> ForeignModel:
    if not hasattr(model, "model_to_string") and not hasattr(type(model), "booster_"):
        raise _unsupported(model)
    is_estimator = hasattr(type(model), "booster_")
    booster = _fitted(model, "booster_") if is_estimator else model
    classes = np.asarray(model.classes_) if hasattr(type(model), "classes_") else None
    return read_lightgbm(booster.model_to_string(), classes)


def _from_xgboost(model: Any, _: Any) -> ForeignModel:
    is_estimator = hasattr(model, "get_booster")
    if is_estimator:
        _fitted(model, "n_features_in_")
    elif not hasattr(model, "save_raw"):
        raise _unsupported(model)
    booster = model.get_booster() if is_estimator else model
    found = read_xgboost(decode_ubjson(bytes(booster.save_raw("ubj"))))
    if not is_estimator:
        return found
    given = model.get_params()
    names = ("learning_rate", "reg_lambda", "reg_alpha")
    found.parameters = {name: given[name] for name in names if given.get(name) is not None}
    best = booster.attr("best_iteration")  # predict of an estimator stops there
    found.n_rounds = None if best is None else int(best) + 1
    if hasattr(type(model), "classes_") and found.objective.task in ("binary", "multiclass"):
        found.classes = np.asarray(model.classes_)
    return found


def _from_catboost(model: Any, X: Any) -> ForeignModel:
    import json

    import catboost

    if not hasattr(model, "save_model") or not hasattr(model, "is_fitted"):
        raise _unsupported(model)
    if not model.is_fitted():
        raise InvalidInputError(
            f"The {type(model).__name__} is not fitted. Call fit before from_model."
        )
    categorical = model.get_cat_feature_indices()
    pool = None
    if X is not None:
        pool = X if isinstance(X, catboost.Pool) else catboost.Pool(X, cat_features=categorical)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        try:
            model.save_model(str(path), format="json", pool=pool)
        except catboost.CatBoostError as error:
            raise InvalidInputError(f"CatBoost cannot write the model: {error}") from error
        return read_catboost(json.loads(path.read_bytes()))


def _from_sklearn(model: Any, _: Any) -> ForeignModel:
    for kind in type(model).__mro__:
        row = _ESTIMATORS.get(kind.__name__)
        if row is not None:
            attribute, read = row
            _fitted(model, attribute)
            return read(model)
    raise _unsupported(model)


_LIBRARIES: Mapping[str, Callable[[Any, Any], ForeignModel]] = MappingProxyType(
    {
        "lightgbm": _from_lightgbm,
        "xgboost": _from_xgboost,
        "catboost": _from_catboost,
        "sklearn": _from_sklearn,
    }
)

#: Base classes of scikit-learn: the attribute of fitted ones, and the reader.
_ESTIMATORS: Mapping[str, tuple[str, Callable[[Any], ForeignModel]]] = MappingProxyType(
    {
        "BaseHistGradientBoosting": ("_predictors", read_histogram_boosting),
        "BaseGradientBoosting": ("estimators_", read_gradient_boosting),
        "BaseForest": ("estimators_", read_forest),
        "BaseDecisionTree": ("tree_", read_forest),
    }
)

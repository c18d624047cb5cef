"""Models of other libraries on the public tables, with the predictions of those libraries.

A case trains one model. ``tests/parity/test_imported_models.py`` imports it and compares.
``tests/model_files/make_foreign.py`` writes the XGBoost cases as fixtures with another release.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

#: Rows of a table that a case uses.
N_ROWS = 1500


@dataclass(frozen=True)
class Rows:
    """Rows of a public table: features as a frame, target, and query of each row."""

    X: pd.DataFrame
    y: Any
    query: Any = None


@dataclass(frozen=True)
class Original:
    """A model of another library, and what it says of its rows.

    ``contributions`` are SHAP values as ``predict(pred_contrib=True)`` of ceiba returns them in the
    form of the library; None if the library cannot explain the model.
    """

    model: Any
    X: Any
    prediction: Any
    contributions: Any = None
    form: str = "pred_contrib"


def table(folder: Path, name: str, n_rows: int = N_ROWS) -> Rows:
    """Return rows of a table; categorical columns are categories of pandas."""
    known = json.loads((folder / "datasets.json").read_text())["datasets"]
    entries = known if isinstance(known, list) else [{"name": k, **v} for k, v in known.items()]
    entry = next(own for own in entries if own["name"] == name)
    path = folder / f"{name}.parquet"
    frame = pd.read_parquet(path if path.is_file() else folder / name / "train.parquet")
    frame = (
        frame.iloc[:n_rows]
        if entry["group"]
        else frame.sample(min(n_rows, len(frame)), random_state=0)
    )
    frame = frame.reset_index(drop=True)
    left_out = {entry["target"], entry["group"], *(entry.get("ignore_columns") or ())}
    X = frame[[column for column in frame if column not in left_out]].copy()
    for column in X:
        if column in entry["categorical"]:
            X[column] = X[column].astype(str).where(X[column].notna(), None).astype("category")
        elif X[column].dtype == bool or X[column].dtype.kind in "iu":
            X[column] = X[column].astype(np.float64)
    target = frame[entry["target"]]
    y = pd.factorize(target, sort=True)[0] if entry["task"] in ("binary", "multiclass") else target
    query = None if not entry["group"] else pd.factorize(frame[entry["group"]])[0]
    return Rows(X, np.asarray(y, dtype=np.float64), query)


def sizes(query: Any) -> Any:
    """Return the number of rows of each query, in order."""
    return np.bincount(query)


# ---- XGBoost -----------------------------------------------------------------------------------

#: Name of a case: table, rounds, parameters and what differs.
XGBOOST: dict[str, tuple[str, int, dict[str, Any]]] = {
    "squared error, categories": ("california_housing", 20, {"objective": "reg:squarederror"}),
    "logistic, categories, missing": (
        "adult", 20, {"objective": "binary:logistic", "max_cat_to_onehot": 1},
    ),
    "softmax of 26 classes": (
        "letter", 2, {"objective": "multi:softprob", "num_class": 26, "max_depth": 3},
    ),
    "dart": (
        "telco_churn", 20, {"objective": "binary:logistic", "booster": "dart", "rate_drop": 0.3},
    ),
    "boosted forests": (
        "protein_casp", 5,
        {"objective": "reg:squarederror", "num_parallel_tree": 4, "subsample": 0.5},
    ),
    "poisson": ("fremtpl2_freq", 20, {"objective": "count:poisson", "max_depth": 4}),
    "ranking": ("mq2008", 20, {"objective": "rank:ndcg", "max_depth": 4}),
    "quantiles": (
        "diamonds", 10, {"objective": "reg:quantileerror", "quantile_alpha": [0.2, 0.5]},
    ),
    "absolute error, monotone": (
        "electricity_transformer", 20,
        {"objective": "reg:absoluteerror", "monotone_constraints": "(1,-1)"},
    ),
    "vector leaves": (
        "superconductivity", 10,
        {"objective": "reg:squarederror", "multi_strategy": "multi_output_tree", "max_depth": 4},
    ),
    "tweedie, leafwise": (
        "fremtpl2_freq", 20,
        {"objective": "reg:tweedie", "grow_policy": "lossguide", "max_leaves": 12, "max_depth": 0},
    ),
    "gamma, exact": (
        "superconductivity", 10, {"objective": "reg:gamma", "tree_method": "exact", "max_depth": 4},
    ),
    "pseudo-Huber, several targets": (
        "protein_casp", 10, {"objective": "reg:pseudohubererror", "huber_slope": 2.0},
    ),
}  # fmt: skip


def xgboost_original(name: str, folder: Path) -> Original:
    """Train a case of ``XGBOOST`` with the installed release."""
    import xgboost

    source, n_rounds, given = XGBOOST[name]
    rows = table(folder, source)
    given = {"max_depth": 5, "eta": 0.3, "seed": 0, "nthread": 1, "verbosity": 0, **given}
    y = rows.y
    if name == "vector leaves" or "several targets" in name:
        y = np.column_stack([y, y**2 / y.max()])
    elif given["objective"] == "reg:gamma":
        y = y + 1.0
    if "monotone_constraints" in given:
        given["monotone_constraints"] = str((1, -1, *[0] * (rows.X.shape[1] - 2)))
    matrix = xgboost.DMatrix(rows.X, y, enable_categorical=True)
    if rows.query is not None:
        matrix.set_group(sizes(rows.query))
    booster = xgboost.train(given, matrix, n_rounds)
    contributions = None
    if name != "vector leaves":
        contributions = booster.predict(matrix, pred_contribs=True)
    return Original(booster, rows.X, booster.predict(matrix), contributions, "pred_contribs")


# ---- LightGBM ----------------------------------------------------------------------------------

LIGHTGBM: dict[str, tuple[str, int, dict[str, Any]]] = {
    "regression, categories": ("california_housing", 30, {"objective": "regression"}),
    "binary, categories, missing": ("adult", 30, {"objective": "binary", "min_data_per_group": 5}),
    "26 classes": ("letter", 3, {"objective": "multiclass", "num_class": 26}),
    "one against rest": ("covertype", 5, {"objective": "multiclassova", "num_class": 7}),
    "dart": ("telco_churn", 30, {"objective": "binary", "boosting": "dart", "sigmoid": 0.7}),
    "random forest": (
        "protein_casp", 20, {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6},
    ),
    "linear trees, missing": ("house_prices_raw", 10, {"linear_tree": True}),
    "quantile": ("diamonds", 20, {"objective": "quantile", "alpha": 0.3}),
    "poisson": ("fremtpl2_freq", 20, {"objective": "poisson"}),
    "tweedie, goss": (
        "fremtpl2_freq", 20, {"objective": "tweedie", "data_sample_strategy": "goss"},
    ),
    "lambdarank": ("mq2008", 20, {"objective": "lambdarank"}),
    "zero as missing": ("superconductivity", 20, {"zero_as_missing": True}),
    "cross-entropy, no missing": (
        "higgs_7k", 20, {"objective": "cross_entropy", "use_missing": False},
    ),
    "huber, extra trees": (
        "electricity_transformer", 20, {"objective": "huber", "extra_trees": True},
    ),
}  # fmt: skip


def lightgbm_original(name: str, folder: Path) -> Original:
    """Train a case of ``LIGHTGBM``."""
    import lightgbm

    source, n_rounds, given = LIGHTGBM[name]
    rows = table(folder, source)
    X = rows.X
    if given.get("linear_tree"):
        X = X[[column for column in X if X[column].dtype.kind == "f"]].copy()
        X.iloc[::9, 2:5] = np.nan
    given = {"num_leaves": 15, "verbose": -1, "num_threads": 1, "seed": 0, **given}
    group = None if rows.query is None else sizes(rows.query)
    booster = lightgbm.train(given, lightgbm.Dataset(X, rows.y, group=group), n_rounds)
    contributions = None
    if not given.get("linear_tree"):
        contributions = np.asarray(booster.predict(X, pred_contrib=True))
    if given.get("boosting") == "rf":
        contributions = contributions / n_rounds  # LightGBM sums them over the trees
    if name == "dart":
        contributions = contributions * given["sigmoid"]  # ceiba's scores are log-odds
    return Original(booster, X, booster.predict(X), contributions)


# ---- scikit-learn and CatBoost -----------------------------------------------------------------


def _sklearn(name: str, source: str, columns: str = "numeric", **given: Any) -> Callable[..., Any]:
    def make(folder: Path) -> Original:
        import sklearn.ensemble
        import sklearn.tree

        rows = table(folder, source)
        X = rows.X if columns == "all" else rows.X.select_dtypes("number")
        X = X.fillna(-1.0) if columns == "numeric" else X
        module = sklearn.ensemble if hasattr(sklearn.ensemble, name) else sklearn.tree
        model = getattr(module, name)(random_state=0, **given).fit(X, rows.y)
        is_classifier = hasattr(model, "classes_")
        prediction = model.predict_proba(X) if is_classifier else model.predict(X)
        return Original(model, X, prediction, None if columns != "numeric" else "shap")

    return make


SKLEARN: dict[str, Callable[[Path], Original]] = {
    "histogram regression": _sklearn("HistGradientBoostingRegressor", "protein_casp", max_iter=30),
    "histogram classes, categories, missing": _sklearn(
        "HistGradientBoostingClassifier", "adult", "all", max_iter=30
    ),
    "histogram of 26 classes": _sklearn("HistGradientBoostingClassifier", "letter", max_iter=3),
    "gradient boosting": _sklearn("GradientBoostingRegressor", "california_housing"),
    "gradient boosting of two classes": _sklearn("GradientBoostingClassifier", "higgs_7k"),
    "gradient boosting of 26 classes": _sklearn(
        "GradientBoostingClassifier", "letter", n_estimators=3
    ),
    "random forest": _sklearn("RandomForestRegressor", "diamonds", n_estimators=20),
    "random forest of classes": _sklearn(
        "RandomForestClassifier", "letter", n_estimators=10, max_depth=8
    ),
    "random forest, missing": _sklearn(
        "RandomForestClassifier", "titanic", "missing", n_estimators=10
    ),
    "extra trees of two classes": _sklearn(
        "ExtraTreesClassifier", "bank_marketing", n_estimators=10, max_depth=8
    ),
    "tree": _sklearn("DecisionTreeRegressor", "electricity_transformer"),
    "tree of classes": _sklearn("DecisionTreeClassifier", "covertype"),
}


def _catboost(name: str, source: str, loss: str, **given: Any) -> Callable[[Path], Original]:
    def make(folder: Path) -> Original:
        import catboost

        rows = table(folder, source)
        X = rows.X.copy()
        categorical = X.select_dtypes("category").columns.tolist()
        for column in categorical:
            X[column] = X[column].astype(object).fillna("missing").astype(str)
        y = np.column_stack([rows.y, rows.y**2]) if loss == "MultiRMSE" else rows.y
        pool = catboost.Pool(X, y, cat_features=categorical)
        model = getattr(catboost, name)(
            loss_function=loss, iterations=30, depth=5, random_seed=0, thread_count=1,
            one_hot_max_size=100, verbose=0, allow_writing_files=False, **given,
        ).fit(pool)  # fmt: skip
        is_classifier = name == "CatBoostClassifier"
        prediction = model.predict_proba(X) if is_classifier else model.predict(X)
        shares = model.get_feature_importance(pool, type="ShapValues")
        return Original(model, X, prediction, shares)

    return make


CATBOOST: dict[str, Callable[[Path], Original]] = {
    "squared error, one-hot": _catboost("CatBoostRegressor", "california_housing", "RMSE"),
    "logistic, one-hot": _catboost("CatBoostClassifier", "telco_churn", "Logloss"),
    "seven classes": _catboost("CatBoostClassifier", "covertype", "MultiClass"),
    "two targets, missing as largest": _catboost(
        "CatBoostRegressor", "california_housing", "MultiRMSE", nan_mode="Max"
    ),
    "poisson": _catboost("CatBoostRegressor", "fremtpl2_freq", "Poisson"),
    "one against rest": _catboost("CatBoostClassifier", "letter", "MultiClassOneVsAll"),
}

"""Models of the scoreboard: ceiba with any parameters, and the defaults of the peers.

Every library receives categorical columns natively, as its documentation recommends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["fit", "predict"]


def fit(name: str, task: str, X: Any, y: Any, queries: Any, threads: int = 2) -> Any:
    """Train ``ceiba``, ``ceiba:key=value;key=value`` or a peer's short name; return the model."""
    if name.partition(":")[0] == "ceiba":
        return _ceiba(name, task, threads).fit(X, y, **_queries_of("ceiba", queries))
    model = _MAKERS[name](task, threads, X)
    return model.fit(_table_for(name, X), y, **_queries_of(name, queries))


def predict(name: str, task: str, model: Any, X: Any) -> Any:
    """Return class probabilities or predicted values."""
    rows = _table_for(name, X)
    if task in ("binary", "multiclass"):
        return np.asarray(model.predict_proba(rows))
    return np.asarray(model.predict(rows)).ravel()


def read_value(text: str) -> Any:
    """Return the value of a parameter from the command line."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _ceiba(name: str, task: str, threads: int) -> Any:
    import ceiba

    kinds = {"regression": ceiba.CeibaRegressor, "ranking": ceiba.CeibaRanker}
    settings = dict(item.split("=") for item in name.partition(":")[2].split(";") if item)
    given = {key: read_value(text) for key, text in settings.items()}
    return kinds.get(task, ceiba.CeibaClassifier)(n_jobs=threads, **given)


def _lightgbm(task: str, threads: int, _: Any) -> Any:
    import lightgbm

    kinds = {"regression": lightgbm.LGBMRegressor, "ranking": lightgbm.LGBMRanker}
    return kinds.get(task, lightgbm.LGBMClassifier)(n_jobs=threads, verbose=-1)


def _xgboost(task: str, threads: int, _: Any) -> Any:
    import xgboost

    kinds = {"regression": xgboost.XGBRegressor, "ranking": xgboost.XGBRanker}
    return kinds.get(task, xgboost.XGBClassifier)(n_jobs=threads, enable_categorical=True)


def _catboost(task: str, threads: int, X: Any) -> Any:
    import catboost

    kinds = {"regression": catboost.CatBoostRegressor, "ranking": catboost.CatBoostRanker}
    return kinds.get(task, catboost.CatBoostClassifier)(
        thread_count=threads, verbose=0, allow_writing_files=False, cat_features=_categorical(X)
    )


def _histogram_boosting(task: str, _threads: int, _: Any) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    if task == "ranking":
        raise ValueError("scikit-learn does not rank.")
    kind = HistGradientBoostingRegressor if task == "regression" else HistGradientBoostingClassifier
    return kind(categorical_features="from_dtype")


def _chimeraboost(task: str, _threads: int, X: Any) -> Any:
    import chimeraboost

    if task == "ranking":
        raise ValueError("ChimeraBoost does not rank.")
    if task == "regression":
        return chimeraboost.ChimeraBoostRegressor(cat_features=_categorical(X))
    return chimeraboost.ChimeraBoostClassifier(cat_features=_categorical(X))


_MAKERS = {
    "lgb": _lightgbm,
    "xgb": _xgboost,
    "cat": _catboost,
    "hgb": _histogram_boosting,
    "chi": _chimeraboost,
}


def _categorical(X: Any) -> list[int]:
    return [i for i, kind in enumerate(X.dtypes) if str(kind) == "category"]


def _table_for(name: str, X: Any) -> Any:
    """Return the table in the form that a library reads."""
    if name == "lgb":  # refuses some characters in names
        return X.set_axis([f"f{i}" for i in range(X.shape[1])], axis=1)
    if name in ("cat", "chi"):  # text without missing values
        text = {c: X[c].astype(object).where(X[c].notna(), "missing").astype(str)
                for c in X.columns if str(X[c].dtype) == "category"}  # fmt: skip
        return X.assign(**text)
    return X


def _queries_of(name: str, queries: Any) -> dict[str, Any]:
    if queries is None:
        return {}
    if name == "lgb":  # rows per query; queries are contiguous
        _, first, counts = np.unique(queries, return_index=True, return_counts=True)
        return {"group": counts[np.argsort(first)]}
    return {"group_id" if name == "cat" else "qid": queries}

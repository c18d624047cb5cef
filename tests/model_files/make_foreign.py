"""Write the files of other libraries that tests read, with what those libraries predict::

    python tests/model_files/make_foreign.py

``foreign/`` gets small models on a table that :func:`small_table` makes, for the tests of damaged
files and for tests without these libraries. With an XGBoost of another release, run::

    python tests/model_files/make_foreign.py xgboost ../shared/data

It writes the cases of ``tests/support/foreign_cases.py`` on the public tables to
``foreign/xgboost_<release>/``: the UBJSON file, and the predictions and SHAP values of some rows.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent / "foreign"
#: Rows of a public table whose predictions are stored.
N_STORED = 40


def small_table() -> tuple[pd.DataFrame, np.ndarray]:
    """Return numbers, missing values and two kinds of categories, with a target."""
    random = np.random.default_rng(0)
    n_rows = 300
    frame = pd.DataFrame(
        {
            "size": random.normal(size=n_rows),
            "color": pd.Categorical(random.choice(["blue", "green", "red"], n_rows)),
            "age": random.integers(0, 9, n_rows).astype(float),
            "code": pd.Categorical(random.choice([3, 7, 11, 80], n_rows)),
        }
    )
    frame.loc[::7, "size"] = np.nan
    target = frame["size"].fillna(0.3) + frame["age"] * (frame["color"] == "red")
    return frame, (target + random.normal(size=n_rows)).to_numpy()


def write_small() -> None:
    """Write one small model of each format and kind of tree."""
    import catboost
    import lightgbm
    import xgboost

    X, y = small_table()
    classes = np.digitize(y, np.quantile(y, [0.3, 0.7]))
    shape = {"num_leaves": 6, "verbose": -1, "num_threads": 1, "min_data_per_group": 5}
    for name, columns, target, given in (
        ("categories", list(X), y, {}),
        ("classes", list(X), classes, {"objective": "multiclass", "num_class": 3}),
        ("linear", ["size", "age"], y, {"linear_tree": True}),
        ("forest", ["size", "age"], y, {"boosting": "rf", "bagging_freq": 1, "subsample": 0.5}),
    ):
        rows = lightgbm.Dataset(X[columns], target)
        lightgbm.train(shape | given, rows, 4).save_model(FOLDER / f"lightgbm_{name}.txt")
    for name, target, given in (
        ("categories", y, {"objective": "reg:squarederror", "max_cat_to_onehot": 1}),
        ("classes", classes, {"objective": "multi:softprob", "num_class": 3}),
        ("dart", y, {"booster": "dart", "rate_drop": 0.5}),
    ):
        rows = xgboost.DMatrix(X, target, enable_categorical=True)
        booster = xgboost.train({"max_depth": 3, "nthread": 1, **given}, rows, 4)
        for extension in ("json", "ubj"):
            booster.save_model(FOLDER / f"xgboost_{name}.{extension}")
    X = X.astype({"color": object, "code": object})
    pool = catboost.Pool(X, y, cat_features=["color", "code"])
    for name, loss in (("onehot", "RMSE"), ("quantile", "Quantile:alpha=0.3")):
        model = catboost.CatBoostRegressor(
            iterations=4, depth=3, loss_function=loss, one_hot_max_size=10, thread_count=1,
            verbose=0, allow_writing_files=False,
        ).fit(pool)  # fmt: skip
        model.save_model(str(FOLDER / f"catboost_{name}.json"), format="json", pool=pool)


def write_xgboost(tables: Path) -> None:
    """Write the XGBoost cases on the public tables with the installed release."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
    import xgboost
    from foreign_cases import XGBOOST, xgboost_original

    release = "_".join(xgboost.__version__.split(".")[:2])
    folder = FOLDER / f"xgboost_{release}"
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(XGBOOST):
        original = xgboost_original(name, tables)
        file = np.frombuffer(original.model.save_raw("ubj"), dtype=np.uint8)
        stored = {"model": file, "prediction": original.prediction[:N_STORED]}
        if original.contributions is not None:
            stored["contributions"] = original.contributions[:N_STORED]
        np.savez_compressed(folder / f"{number:02}.npz", **stored)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_xgboost(Path(sys.argv[2]))
    else:
        FOLDER.mkdir(exist_ok=True)
        write_small()

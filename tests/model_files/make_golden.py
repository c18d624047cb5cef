"""Writes golden files: model files of a format version, with what they must predict for ever.

    python make_golden.py

Files that exist are never touched: once released, a golden file is a promise. Run it after a new
format version, and commit what it adds. A file has the lowest format that can express its model.

v1_quantiles was written when several quantiles had a tree each (commit 040cbbb); the same model is
v2_quantiles now. Rows of models with categories are kept as the values that they have.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from ceiba.data.dataset import Dataset
from ceiba.model.tree_weights import TreeWeights
from ceiba.testing.forests import random_model, random_rows
from ceiba.training import train

FOLDER = Path(__file__).parent / "golden"


def trained_model():
    X = random_rows(7, 400, 4)
    y = (np.nan_to_num(X[:, 0], posinf=1.0, neginf=-1.0) + 0.1 * np.arange(400) % 1 > 0.3) * 1.0
    parameters = {"objective": "logistic", "n_estimators": 5, "max_leaves": 8, "n_jobs": 1}
    return train(parameters, Dataset(X, y, feature_names=["age", "ünï", "a b", "x"]))


def quantile_model():
    X = random_rows(17, 400, 4)
    y = np.nan_to_num(X[:, 0], posinf=1.0, neginf=-1.0) * (1 + (np.arange(400) * 7 % 11) / 11)
    parameters = {
        "objective": "quantile",
        "quantile": [0.1, 0.5, 0.9],
        "n_estimators": 6,
        "max_leaves": 7,
        "n_jobs": 1,
    }
    return train(parameters, Dataset(X, y, feature_names=["age", "ünï", "a b", "x"]))


def statistics_model(objective, classes=None):
    """A model that knows two categories by what the target is on average where they stand."""
    random = np.random.default_rng(23)
    X = np.column_stack([random.normal(size=400), *random.integers(0, 12, size=(2, 400))])
    X[::9, 1] = np.nan
    score = np.nan_to_num(X[:, 1]) % 3 + X[:, 2] % 2 + X[:, 0]
    y = {"logistic": score > 1.5, "softmax": np.digitize(score, [1, 2])}.get(objective, score)
    parameters = {
        "objective": objective,
        "n_estimators": 5,
        "max_leaves": 8,
        "n_jobs": 1,
        "categorical_features": [1, 2],
        "categorical": "target",
    }
    rows = Dataset(X, y.astype(float), weight=random.integers(1, 3, 400))
    return replace(train(parameters, rows), classes=classes)


def linear_leaf_model():
    """A model whose leaves hold lines that go on beyond the training rows."""
    X = random_rows(29, 400, 4)
    y = np.nan_to_num(X[:, 0], posinf=1.0, neginf=-1.0) * (1 + (np.arange(400) * 7 % 11) / 11)
    parameters = {"leaf_model": "linear", "extrapolate": "linear", "n_estimators": 5, "n_jobs": 1}
    return train({**parameters, "max_leaves": 6, "linear_lambda": 0.1}, Dataset(X, y))


def table_of_levels(n_rows, seed):
    """A frame of text, identifiers beyond 2^53, booleans, dates and numbers, with holes."""
    random = np.random.default_rng(seed)
    cities = np.array([f"city {k}" for k in range(70)] + ["São Paulo", "", "東京", "a\nb"])
    frame = pd.DataFrame(
        {
            "city": random.choice(cities, n_rows),
            "id": 2**60 + random.integers(0, 9, n_rows),
            "flag": random.random(n_rows) < 0.4,
            "mixed": pd.Categorical(random.choice([1, 2, 30], n_rows)),
            "day": pd.Timestamp("2020-02-28")
            + pd.to_timedelta(random.integers(0, 99, n_rows), "h"),
            "x": random.normal(size=n_rows).round(2),
        }
    ).astype({"city": object})
    for name in ("city", "mixed", "x"):
        frame.loc[random.random(n_rows) < 0.1, name] = None
    return frame


def levels_model(**given):
    frame = table_of_levels(900, 3)
    y = frame["city"].str.len().fillna(3) % 5 + frame["flag"] * (frame["id"] % 3) + frame["x"] ** 2
    parameters = {"n_estimators": 6, "max_leaves": 9, "n_jobs": 1, "cat_smooth": 2.0, **given}
    parameters |= {"min_data_per_group": 5, "categorical": {"flag": "onehot", "city": "subset"}}
    dataset = Dataset(frame, y.fillna(0.0), categorical_features=["id", "flag"])
    return train(parameters, dataset)


#: Levels of the columns of models that split by sets, or know levels by statistics.
LEVELS = {
    "sets": (0, 3, 300, 64, 0),
    "symmetric_sets": (7, 65, 0, 2, 1000),
    "lines": (0, 9, 0, 0, 0),
    "statistics_of_two_classes": (0, 12, 12),
    "statistics_of_classes": (0, 12, 12),
    "statistics_of_numbers": (0, 12, 12),
}
MODELS = {
    "regression": lambda: random_model(11, n_features=6, n_iterations=8),
    "symmetric": lambda: random_model(
        12, objective="logistic", kind="symmetric", n_leaves=16, classes=np.array([False, True])
    ),
    "softmax": lambda: random_model(
        13, objective="softmax", n_outputs=3, n_leaves=9, classes=np.array(["a", "ü", "c d"])
    ),
    "large_tree": lambda: random_model(14, kind="general", n_leaves=300, n_iterations=1),
    "single_leaf": lambda: random_model(15, n_leaves=1, n_iterations=2),
    "trained": trained_model,
    "quantiles": quantile_model,
    "vectors": lambda: random_model(
        16, objective="softmax", n_outputs=3, leaf_width=3, classes=np.array([2, 3, 5])
    ),
    "weighted": lambda: replace(
        random_model(18, n_iterations=5, n_leaves=9),
        tree_weights=TreeWeights().changed(2, [0, 1], [0.5, 0.75]).changed(4, [0], [0.25]),
    ),
    "mean": lambda: replace(
        random_model(20, n_iterations=5, n_leaves=9), tree_weights=TreeWeights(mean=True)
    ),
    "parallel": lambda: random_model(
        21,
        objective="softmax",
        n_outputs=3,
        n_leaves=9,
        n_iterations=2,
        n_parallel=4,
        classes=np.array([1, 2, 3]),
    ),
    "mean_of_vectors": lambda: replace(
        random_model(
            22, objective="quantile", n_outputs=3, leaf_width=3, n_iterations=3, n_parallel=2
        ),
        tree_weights=TreeWeights(mean=True).changed(1, [0], [0.5]),
    ),
    "sets": lambda: random_model(
        18, objective="logistic", n_levels=LEVELS["sets"], classes=np.array(["no", "yes"])
    ),
    "symmetric_sets": lambda: random_model(
        19,
        objective="quantile",
        kind="symmetric",
        n_outputs=2,
        leaf_width=2,
        n_levels=LEVELS["symmetric_sets"],
    ),
    "statistics_of_two_classes": lambda: statistics_model("logistic", np.array(["no", "yes"])),
    "statistics_of_classes": lambda: statistics_model("softmax", np.array([1, 2, 3])),
    "statistics_of_numbers": lambda: statistics_model("squared_error"),
    "levels": levels_model,
    "symmetric_levels": lambda: levels_model(grow_policy="symmetric", unseen_category="error"),
    "lines": lambda: random_model(23, n_levels=LEVELS["lines"], lines=True),
    "linear_leaves_of_vectors": lambda: random_model(
        24, objective="softmax", n_outputs=3, leaf_width=3, n_leaves=9, lines=True
    ),
    "linear_leaves_that_extrapolate": linear_leaf_model,
    "large_vectors": lambda: random_model(
        17, objective="quantile", n_outputs=7, leaf_width=7, n_leaves=300, n_iterations=1
    ),
}


def texts(values):
    """Floats as text that gives back every bit, nan and infinities too."""
    return [[float(value).hex() for value in row] for row in np.atleast_2d(values)]


def plain_rows(frame):
    """Values of any kind as JSON has them; dates as days."""
    days = (frame["day"] - pd.Timestamp(0)) / pd.Timedelta(days=1)
    rows = frame.assign(day=days).astype(object).to_numpy()
    return [[None if pd.isna(value) else value for value in row] for row in rows.tolist()]


def version_of(model):
    data = model.to_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return json.loads(header["__metadata__"]["ceiba"])["format_version"]


def main():
    for name, make in MODELS.items():
        model = make()
        path = FOLDER / f"v{version_of(model)}_{name}.ceiba"
        if path.exists():
            continue
        if "levels" in name:
            X = table_of_levels(40, 4)
            rows = plain_rows(X)
        else:
            X = random_rows(99, 40, model.n_features, LEVELS.get(name, ()))
            rows = texts(X)
        expected = {
            "fingerprint": model.fingerprint(),
            "objective": model.objective.name,
            "classes": None if model.classes is None else model.classes.tolist(),
            "rows": rows,
            "predictions": texts(model.predict(X)),
        }
        model.save(path)
        path.with_suffix(".json").write_text(json.dumps(expected, ensure_ascii=False, indent=0))
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()

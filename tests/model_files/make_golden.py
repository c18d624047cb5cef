"""Writes golden files: model files of a format version, with what they must predict for ever.

    python make_golden.py

Files that exist are never touched: once released, a golden file is a promise. Run it after a new
format version, and commit what it adds.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ceiba.model.file import FORMAT_VERSION
from ceiba.testing.forests import random_model, random_rows
from ceiba.training import train

FOLDER = Path(__file__).parent / "golden"


def trained_model():
    from ceiba.data.dataset import Dataset

    X = random_rows(7, 400, 4)
    y = (np.nan_to_num(X[:, 0], posinf=1.0, neginf=-1.0) + 0.1 * np.arange(400) % 1 > 0.3) * 1.0
    parameters = {"objective": "logistic", "n_estimators": 5, "max_leaves": 8, "n_jobs": 1}
    return train(parameters, Dataset(X, y, feature_names=["age", "ünï", "a b", "x"]))


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
}


def texts(values):
    """Floats as text that gives back every bit, nan and infinities too."""
    return [[float(value).hex() for value in row] for row in np.atleast_2d(values)]


def main():
    for name, make in MODELS.items():
        path = FOLDER / f"v{FORMAT_VERSION}_{name}.ceiba"
        if path.exists():
            continue
        model = make()
        X = random_rows(99, 40, model.n_features)
        expected = {
            "fingerprint": model.fingerprint(),
            "objective": model.objective.name,
            "classes": None if model.classes is None else model.classes.tolist(),
            "rows": texts(X),
            "predictions": texts(model.predict(X)),
        }
        model.save(path)
        path.with_suffix(".json").write_text(json.dumps(expected, ensure_ascii=False, indent=0))
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()

"""Pictures of a model, written to a folder: what it learned, why it predicts, how good it is.

Needs matplotlib (pip install 'ceiba[plot]').
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ceiba
from ceiba import CeibaClassifier, CeibaRegressor
from ceiba.demo import load_heart_failure

FOLDER = Path("pictures")


def main() -> None:
    mpl.use("Agg")  # no window: only files
    FOLDER.mkdir(exist_ok=True)
    records = load_heart_failure()
    frame = pd.DataFrame(records.features, columns=records.feature_names)
    outcome = np.where(records.target == 1, "dead", "alive")
    X, X_test, y, y_test = train_test_split(frame, outcome, test_size=0.4, random_state=0)
    classifier = CeibaClassifier(n_estimators=100, learning_rate=0.05)
    classifier.fit(X, y, eval_set=[(X, y), (X_test, y_test)])

    # Several pictures in one figure: every function draws on the axes that it is given.
    figure, axes = plt.subplots(2, 3, figsize=(12, 6.4), layout="constrained")
    explanation = classifier.explain(X_test)
    ceiba.plot.beeswarm(explanation, max_columns=8, ax=axes[0, 0])
    ceiba.plot.waterfall(explanation, row=3, max_columns=7, ax=axes[0, 1])
    classifier.plot.partial_dependence(X, "serum_creatinine", ax=axes[0, 2])
    classifier.plot.training("logloss", axes=axes[1, 0])
    linear = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    models = {"ceiba": classifier, "logistic regression": linear}
    ceiba.plot.roc(models, X_test, y_test, ax=axes[1, 1])
    classifier.plot.regions(X, y, columns=("time", "ejection_fraction"), ax=axes[1, 2])
    figure.savefig(FOLDER / "model.png", dpi=100)

    # Those that need room make a figure of their own size.
    classifier.plot.importances(X=X_test, y=y_test)[0].figure.savefig(FOLDER / "importances.png")
    classifier.plot.tree(0, X, max_depth=3).figure.savefig(FOLDER / "tree.svg")
    classifier.plot.calibration(X_test, y_test, n_bins=5).figure.savefig(FOLDER / "calibration.png")
    classifier.plot.confusion(X_test, y_test).figure.savefig(FOLDER / "confusion.png")

    # Boosting step by step on one column.
    x = np.linspace(0, 10, 300)[:, None]
    wave = np.sin(x[:, 0]) + 0.2 * np.random.default_rng(0).normal(size=300)
    regressor = CeibaRegressor(n_estimators=60, max_leaves=4, learning_rate=0.3).fit(x, wave)
    regressor.plot.steps(x, wave)[0].figure.savefig(FOLDER / "steps.png")

    for file in sorted(FOLDER.iterdir()):
        print(f"{file}  {file.stat().st_size / 1024:.0f} kB")
    plt.close("all")


if __name__ == "__main__":
    main()

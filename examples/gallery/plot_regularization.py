"""
Regularization
==============

Three ways to make trees simpler: fewer leaves (`max_leaves`), more rows in each leaf
(`min_samples_leaf`) and an L2 penalty on leaf values (`reg_lambda`). Training error only rises
with more regularization. Validation error has a minimum in between.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1

from ceiba import CeibaRegressor

X, y = make_friedman1(500, noise=2.0, random_state=0)
X_valid, y_valid = make_friedman1(2000, noise=2.0, random_state=1)
values = {
    "max_leaves": [2, 3, 4, 6, 8, 16, 32, 64],
    "min_samples_leaf": [1, 3, 10, 20, 40, 80, 160],
    "reg_lambda": [0.0, 1.0, 10.0, 100.0, 1000.0],
}


def rmse(model: CeibaRegressor, X: np.ndarray, y: np.ndarray) -> float:
    return float(np.sqrt(np.mean((model.predict(X) - y) ** 2)))


figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True, layout="constrained")
for ax, (name, choices) in zip(axes, values.items(), strict=True):
    settings = {"n_estimators": 150, "max_leaves": 31, "min_samples_leaf": 1, "learning_rate": 0.1}
    models = [CeibaRegressor(**{**settings, name: choice}).fit(X, y) for choice in choices]
    valid = [rmse(model, X_valid, y_valid) for model in models]
    places = range(len(choices))
    ax.plot(places, [rmse(model, X, y) for model in models], "o--", label="training")
    ax.plot(places, valid, "o-", label="validation")
    ax.set_xticks(places, [f"{choice:g}" for choice in choices])
    ax.set(xlabel=name, title=f"best: {choices[int(np.argmin(valid))]:g}")
axes[0].set_ylabel("RMSE")
axes[0].legend()
plt.show()

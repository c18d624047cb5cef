"""
Monotone constraints
====================

`monotone_constraints={"column": 1}` makes the prediction non-decreasing in a column, whatever the
noise in the training rows; `-1` makes it non-increasing.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ceiba import CeibaRegressor

random = np.random.default_rng(0)
X = pd.DataFrame({"size": random.uniform(20, 150, 300), "age": random.uniform(0, 60, 300)})
y = 400 * np.log(X["size"]) - 4 * X["age"] + random.normal(0, 120, 300)

free = CeibaRegressor(n_estimators=150).fit(X, y)
constrained = CeibaRegressor(n_estimators=150, monotone_constraints={"size": 1, "age": -1})
constrained.fit(X, y)

figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
for ax, column in zip(axes, X.columns, strict=True):
    for name, model in {"free": free, "monotone": constrained}.items():
        grid = pd.DataFrame({c: np.full(200, X[c].median()) for c in X.columns})
        grid[column] = np.linspace(X[column].min(), X[column].max(), 200)
        predicted = model.predict(grid)
        ax.plot(grid[column], predicted, label=name, drawstyle="steps-mid")
        steps = np.diff(predicted)
        print(f"{name:8} {column:4}: {np.sum(steps > 0):2} steps up, {np.sum(steps < 0):2} down")
    ax.set_xlabel(column)
axes[0].set_ylabel("predicted rent")
axes[0].legend()
plt.show()

"""
Custom objective
================

An objective of your own is a function of `(y_true, raw_score)` that returns gradients and
hessians of the loss. This one punishes predictions that are too low four times as much as those
that are too high.
"""

import matplotlib.pyplot as plt
import numpy as np

from ceiba import CeibaRegressor

FACTOR = 4.0


def asymmetric(y_true: np.ndarray, raw_score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Squared error, multiplied by `FACTOR` where the prediction is too low."""
    residual = raw_score - y_true
    weight = np.where(residual < 0, FACTOR, 1.0)
    return 2 * weight * residual, 2 * weight


random = np.random.default_rng(0)
x = np.sort(random.uniform(0, 10, 800))[:, None]
y = np.sin(x[:, 0]) + 0.4 * random.normal(size=800)

figure, ax = plt.subplots(figsize=(9, 4.5), layout="constrained")
ax.plot(x, y, ".", color="0.75", markersize=4)
for name, objective in {"squared_error": "squared_error", "asymmetric": asymmetric}.items():
    model = CeibaRegressor(n_estimators=60, max_leaves=8, objective=objective).fit(x, y)
    predicted = model.predict(x)
    ax.plot(x, predicted, label=f"{name}: {np.mean(predicted < y):.0%} of the rows above")
    print(f"{name:14} mean residual (prediction - target) {np.mean(predicted - y):+.3f}")
ax.set(xlabel="x", ylabel="y")
ax.legend()
plt.show()

"""
Extrapolation with linear leaves
================================

Beyond the training range, constant leaves predict a constant. With `leaf_model="linear"` each leaf
is a small linear regression. Beyond the range of its training rows it predicts a constant
(`extrapolate="clip"`, the default) or continues its slope (`"linear"`).
"""

import matplotlib.pyplot as plt
import numpy as np

from ceiba import CeibaRegressor

random = np.random.default_rng(0)
x = np.sort(random.uniform(0, 10, 400))[:, None]
y = np.abs(x[:, 0] - 4) + 0.2 * random.normal(size=400)
grid = np.linspace(-2, 14, 600)[:, None]
models = {
    "constant leaves": {},
    "linear leaves, clip": {"leaf_model": "linear"},
    "linear leaves, linear": {"leaf_model": "linear", "extrapolate": "linear"},
}

figure, ax = plt.subplots(figsize=(9, 4.5), layout="constrained")
ax.plot(x, y, ".", color="0.75", label="training rows")
for name, params in models.items():
    model = CeibaRegressor(n_estimators=20, max_leaves=4, learning_rate=0.3, **params).fit(x, y)
    ax.plot(grid, model.predict(grid), label=name)
    print(f"{name:22} at x = 14: {model.predict([[14.0]])[0]:5.2f}   (true: 10.00)")
ax.axvspan(0, 10, color="0.95", zorder=0)
ax.set(xlabel="x", ylabel="y", title="training range: 0 to 10")
ax.legend()
plt.show()

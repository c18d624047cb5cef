"""
Forests that extrapolate: RERF
==============================

A random forest predicts means of training rows, so it cannot leave their range.
`EnhancedForestRegressor` fits a linear model first and grows the forest on its residuals (RERF):
the linear part continues the trend.
"""

import matplotlib.pyplot as plt
import numpy as np

from ceiba import CeibaForestRegressor, EnhancedForestRegressor

random = np.random.default_rng(0)
x = np.sort(random.uniform(0, 10, 500))[:, None]
y = 2 * x[:, 0] + 3 * np.sin(2 * x[:, 0]) + random.normal(0, 0.5, 500)
grid = np.linspace(0, 14, 500)[:, None]

forest = CeibaForestRegressor(100, min_samples_leaf=5, random_state=0).fit(x, y)
enhanced = EnhancedForestRegressor(n_estimators=100, min_samples_leaf=5, random_state=0).fit(x, y)
print(enhanced.summary())

figure, ax = plt.subplots(figsize=(9, 4.5), layout="constrained")
ax.plot(x, y, ".", color="0.75", label="training rows")
ax.plot(grid, forest.predict(grid), label="forest")
ax.plot(grid, enhanced.predict(grid), label="regression-enhanced forest")
ax.axvspan(0, 10, color="0.95", zorder=0)
ax.set(xlabel="x", ylabel="y", title="training range: 0 to 10")
ax.legend()
plt.show()

"""
Quantile bands
==============

One model predicts several quantiles. They share their trees, and never cross. The band between
the 5 % and the 95 % quantile should contain 90 % of new rows.
"""

import matplotlib.pyplot as plt
import numpy as np

from ceiba import CeibaRegressor


def draw(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    x = np.sort(random.uniform(0, 10, n_rows))
    return x[:, None], x * np.sin(x) + random.normal(0, 0.3 + 0.3 * x)


X, y = draw(2000, 0)
X_test, y_test = draw(5000, 1)
model = CeibaRegressor(objective="quantile", quantile=[0.05, 0.5, 0.95], n_estimators=100)
model.fit(X, y)
low, median, high = model.predict(X_test).T

inside = np.mean((low <= y_test) & (y_test <= high))
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
left.plot(X_test[::5], y_test[::5], ".", color="0.7", markersize=3, label="new rows")
left.fill_between(X_test[:, 0], low, high, alpha=0.35, label="5 % to 95 %")
left.plot(X_test, median, label="median")
left.set(xlabel="x", ylabel="y", title=f"{inside:.1%} of new rows are inside the band")
left.legend()
model.plot.coverage(X_test, y_test, ax=right)
plt.show()

"""
Boosting step by step
=====================

Each tree is fitted to the residuals of the trees before it. The upper row shows the sum of all
trees after some rounds; the lower row shows the residuals, which the next tree is fitted to.
"""

import matplotlib.pyplot as plt
import numpy as np

from ceiba import CeibaRegressor

random = np.random.default_rng(0)
x = np.sort(random.uniform(0, 10, 300))[:, None]
y = np.sin(x[:, 0]) + 0.2 * random.normal(size=300)

model = CeibaRegressor(n_estimators=60, max_leaves=4, learning_rate=0.3).fit(x, y)
model.plot.steps(x, y, rounds=[0, 1, 3, 10, 60])
plt.show()

# %%
# The training error falls with every round:

for rounds, predicted in enumerate(model.staged_predict(x), start=1):
    if rounds in {1, 3, 10, 60}:
        print(f"{rounds:2} rounds: RMSE {np.sqrt(np.mean((predicted - y) ** 2)):.3f}")

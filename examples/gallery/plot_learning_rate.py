"""
Learning rates
==============

A smaller learning rate needs more trees and usually reaches a lower validation error. The dot
marks the best round of each model. With `early_stopping_rounds` training stops soon after it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1

from ceiba import CeibaRegressor

X, y = make_friedman1(1000, noise=2.0, random_state=0)
X_valid, y_valid = make_friedman1(2000, noise=2.0, random_state=1)

figure, ax = plt.subplots(layout="constrained")
for rate in (0.5, 0.2, 0.05, 0.02):
    model = CeibaRegressor(n_estimators=600, learning_rate=rate, max_leaves=8)
    model.fit(X, y)
    errors = [np.sqrt(np.mean((p - y_valid) ** 2)) for p in model.staged_predict(X_valid)]
    best = int(np.argmin(errors))
    (line,) = ax.plot(errors, label=f"{rate}")
    ax.plot(best, errors[best], "o", color=line.get_color())
    print(f"learning rate {rate:4}: best RMSE {errors[best]:.3f} in round {best}")
ax.set(xlabel="round", ylabel="validation RMSE", ylim=(2.1, 3.2))
ax.legend(title="learning_rate")
plt.show()

"""
Calibration
===========

A classifier is calibrated if, among rows with a predicted probability of 30 %, 30 % belong to the
class. The plot shows the observed share by predicted probability. A model that is trained for too
long is overconfident: its curve is flatter than the diagonal.
"""

import matplotlib.pyplot as plt
import numpy as np

import ceiba
from ceiba import CeibaClassifier


def draw(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 8))
    log_odds = 1.5 * X[:, 0] + X[:, 1] * X[:, 2] - 1
    return X, (random.random(n_rows) < 1 / (1 + np.exp(-log_odds))).astype(int)


X, y = draw(2000, 0)
X_test, y_test = draw(10_000, 1)
models = {
    "early stopping": CeibaClassifier(n_estimators=1000, early_stopping_rounds=20),
    "1,000 rounds": CeibaClassifier(n_estimators=1000, learning_rate=0.1, early_stopping_rounds=0),
    "balanced classes": CeibaClassifier(n_estimators=60, class_weight={0: 1, 1: 4}),
}
for name, model in models.items():
    model.fit(X, y)
    brier = model.evaluate(X_test, y_test, "brier")
    mean = model.predict_proba(X_test)[:, 1].mean()
    print(f"{name:17} Brier score {brier:.4f}, mean probability {mean:.3f}")
print(f"share of class 1 in the test rows: {y_test.mean():.3f}")

ceiba.plot.calibration(models, X_test, y_test)
plt.show()

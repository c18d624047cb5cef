"""
Cost-sensitive threshold
========================

`predict` uses the threshold 0.5, which is right only if both errors cost the same. If a missed
case costs 10 times as much as a false alarm, the best threshold for calibrated probabilities is 1
/ (1 + 10) = 0.09.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from ceiba import CeibaClassifier

MISSED, FALSE_ALARM = 10.0, 1.0
X, y = make_classification(
    12_000, n_features=10, n_informative=5, weights=[0.9], class_sep=0.8, random_state=0
)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
model = CeibaClassifier(n_estimators=100, learning_rate=0.05).fit(X_train, y_train)
probability = model.predict_proba(X_test)[:, 1]


def cost(threshold: float) -> float:
    """Return the mean cost of a test row."""
    alarm = probability >= threshold
    missed, false = (y_test == 1) & ~alarm, (y_test == 0) & alarm
    return float(np.mean(MISSED * missed + FALSE_ALARM * false))


thresholds = np.linspace(0.005, 0.95, 190)
costs = [cost(threshold) for threshold in thresholds]
theory = FALSE_ALARM / (FALSE_ALARM + MISSED)
best = thresholds[int(np.argmin(costs))]
for threshold in (0.5, theory, best):
    print(f"threshold {threshold:.3f}: mean cost {cost(threshold):.3f}")

figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax.plot(thresholds, costs)
for place, name, color in ((0.5, "default 0.5", "C3"), (theory, f"theory {theory:.2f}", "C2")):
    ax.axvline(place, color=color, linestyle="--", label=f"{name}: cost {cost(place):.3f}")
ax.plot(best, min(costs), "ko", label=f"best on test rows, {best:.2f}: cost {min(costs):.3f}")
ax.set(xlabel="threshold", ylabel="mean cost of a row", ylim=(0, None))
ax.legend()
plt.show()

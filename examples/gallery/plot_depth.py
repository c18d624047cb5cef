"""
Decision regions by depth
=========================

A single tree divides the plane into rectangles. Each additional level can double their number.
Boosting adds many small trees and so approximates a curved boundary.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from ceiba import CeibaClassifier, CeibaTreeClassifier

X, y = make_moons(600, noise=0.25, random_state=0)
X_test, y_test = make_moons(2000, noise=0.25, random_state=1)

models = {f"tree, depth {depth}": CeibaTreeClassifier(max_depth=depth) for depth in (1, 2, 4, 12)}
models["100 boosted trees, depth 2"] = CeibaClassifier(n_estimators=100, max_depth=2)
models["100 boosted trees, depth 6"] = CeibaClassifier(n_estimators=100, max_depth=6)

figure, axes = plt.subplots(2, 3, figsize=(11, 7), layout="constrained")
for ax, (name, model) in zip(axes.flat, models.items(), strict=True):
    model.fit(X, y)
    model.plot.regions(X, y, columns=(0, 1), ax=ax)
    ax.set_title(f"{name}\ntest accuracy {model.score(X_test, y_test):.3f}")
plt.show()

"""
Linear tree with its formulas
=============================

`LinearTreeRegressor` grows a small tree and fits a linear model in each leaf. `summary()` prints
the leaves as rules with their formulas.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ceiba import LinearTreeRegressor

random = np.random.default_rng(0)
X = pd.DataFrame({"size": random.uniform(20, 140, 1500), "distance": random.gamma(2.0, 3.0, 1500)})
slope = np.where(X["distance"] < 4, 22.0, 12.0)
rent = 150 + slope * X["size"] + random.normal(0, 80, 1500)

model = LinearTreeRegressor(max_depth=1).fit(X, rent)
print(model.summary())
print(f"R² {model.score(X, rent):.3f}")

# %%
# The split is near the true distance of 4, and the slopes of the two leaves are near the true
# values of 22 and 12:

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
ax.scatter(X["size"], rent, c=np.where(X["distance"] < 4, "C0", "C1"), s=5, alpha=0.4)
for distance, color, name in ((2.0, "C0", "distance 2"), (8.0, "C1", "distance 8")):
    line = pd.DataFrame({"size": np.linspace(20, 140, 50), "distance": distance})
    ax.plot(line["size"], model.predict(line), color=color, linewidth=3, label=name)
ax.set(xlabel="size", ylabel="rent")
ax.legend()
plt.show()

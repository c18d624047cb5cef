"""
SHAP values
===========

A SHAP value is what one column adds to the prediction of one row. The base value and the SHAP
values of a row sum to its raw score, here the log-odds of death.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import ceiba
from ceiba import CeibaClassifier
from ceiba.demo import load_heart_failure

records = load_heart_failure()
X = pd.DataFrame(records.features, columns=records.feature_names)
model = CeibaClassifier(n_estimators=80, learning_rate=0.05).fit(X, records.target)
explanation = model.explain(X)

total = explanation.base_values + explanation.values.sum(axis=1)
print("largest difference from the log-odds:", np.abs(total - model.decision_function(X)).max())

# %%
# Beeswarm: all rows
# ------------------
# A point is a row. Its color is the value of the column, its position the SHAP value.

ceiba.plot.beeswarm(explanation)
plt.show()

# %%
# Waterfall: one row
# ------------------

ceiba.plot.waterfall(explanation, row=0)
plt.show()

# %%
# Dependence: one column
# ----------------------
# The SHAP values of a column over its values. The color is the column that it interacts with
# most.

figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
ceiba.plot.dependence(explanation, "ejection_fraction", ax=axes[0])
ceiba.plot.dependence(explanation, "serum_creatinine", ax=axes[1])
plt.show()

# %%
# Interactions: pairs of columns
# ------------------------------
# With `interactions=True` the SHAP value of a column is divided into a main effect and one part
# for each other column.

pairs = model.explain(X, interactions=True)
print("parts sum to the SHAP values:", np.allclose(pairs.values.sum(axis=2), explanation.values))
ceiba.plot.interactions(pairs, max_columns=6)
plt.show()

"""
Importances side by side
========================

*Gain* adds up how much the splits of a column reduced the loss, *split* counts them. Both are
measured on the training rows. *SHAP* is the mean absolute contribution to predictions.
*Permutation* is how much the score on new rows drops when the column is shuffled. The column
`noise` is random: gain and split counts give it weight, permutation does not.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from ceiba import CeibaClassifier
from ceiba.demo import load_heart_failure

records = load_heart_failure()
X = pd.DataFrame(records.features, columns=records.feature_names)
X["noise"] = np.random.default_rng(0).normal(size=len(X))
X_train, X_test, y_train, y_test = train_test_split(
    X, records.target, test_size=0.4, random_state=0
)

model = CeibaClassifier(n_estimators=60, learning_rate=0.05, max_leaves=6)
model.fit(X_train, y_train)
kinds = ["gain", "split", "shap", "permutation"]
figure, axes = plt.subplots(1, 4, figsize=(13, 4.5), layout="constrained")
model.plot.importances(kinds, X_test, y_test, axes=axes)
plt.show()

# %%
# The same numbers as a table:

print(model.importances()[["feature", "gain", "split"]].head(5).to_string(index=False))

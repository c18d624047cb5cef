"""
Early stopping
==============

Training stops when the metric of the last eval set has not improved for `early_stopping_rounds`
rounds. The model keeps the trees up to the best round.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from ceiba import CeibaClassifier

X, y = make_classification(3000, n_features=20, n_informative=6, flip_y=0.15, random_state=0)
X_train, X_valid, y_train, y_valid = train_test_split(X, y, random_state=0)

model = CeibaClassifier(
    n_estimators=1000, early_stopping_rounds=30, eval_metric="logloss", learning_rate=0.1
)
model.fit(X_train, y_train, eval_set=[(X_train, y_train), (X_valid, y_valid)])
print(f"best round {model.best_iteration_}, {model.n_iter_} trees are kept")
model.plot.training("logloss")
plt.show()

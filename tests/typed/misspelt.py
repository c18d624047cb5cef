"""Every line that ends in "wrong" is an error to pyright and to mypy, both strict."""

from __future__ import annotations

import numpy as np

from ceiba import CeibaClassifier, CeibaRanker, CeibaRegressor, Dataset, Params, cv, train

X, y = np.zeros((10, 2)), np.zeros(10)
rows = Dataset(X, y)

CeibaRegressor(learning_rat=0.1)  # wrong
CeibaClassifier(max_dept=3)  # wrong
CeibaRanker(n_estimator=10)  # wrong
CeibaRegressor(forcedsplits_filename="splits.json")  # wrong
CeibaRegressor(class_weight="balanced")  # wrong
CeibaRegressor(learning_rate="fast")  # wrong
CeibaRegressor(max_leaves=3.5)  # wrong
CeibaRegressor(grow_policy="leaf-wise")  # wrong
CeibaRegressor(num_leaves="many")  # wrong
CeibaRegressor().fit(X, y, eval_sett=[(X, y)])  # wrong
CeibaRegressor().predict(X, raw_scores=True)  # wrong
Dataset(X, lable=y)  # wrong
train({}, rows, learning_rat=0.1)  # wrong
train({}, rows, learning_rate="fast")  # wrong
cv({}, rows, n_fold=3)  # wrong
cv({}, rows, max_leafs=31)  # wrong
params: Params = {"learning_rat": 0.1}  # wrong
CeibaRegressor(learning_rate=0.1, max_leaves=31, num_leaves=31, eta=0.1).fit(X, y)

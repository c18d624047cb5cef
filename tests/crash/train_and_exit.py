"""Train, predict, keep everything in globals and exit, as scripts do; the core reports leaks."""

import numpy as np

import ceiba
from ceiba import _core

_core.report_leaks(True)
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(500, 4))
Y = X[:, 0] + RANDOM.normal(size=500)
DATASET = ceiba.Dataset(X, Y)
MODELS = [
    ceiba.train({"n_estimators": 3, **given}, DATASET, eval_sets=[DATASET])
    for given in (
        {},
        {"split_method": "exact"},
        {"split_method": "approx"},
        {"objective": "quantile", "quantile": [0.1, 0.9]},
    )
]
STAGES = MODELS[0].staged_predict(X)
next(STAGES)  # one that is left in the middle
ESTIMATOR = ceiba.CeibaClassifier(n_estimators=3).fit(X, Y > 0)
ESTIMATOR.predict_proba(X)
CV = ceiba.cv({"n_estimators": 3}, DATASET, folds=3, return_models=True)
print("done")

"""Pickles of estimators that hold functions."""

from __future__ import annotations

import copy
import io
import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from small_table import X, Y, regressor

from ceiba import CeibaError
from ceiba.errors import UnpicklableError


def rate(number: int) -> float:
    return 0.3 * 0.9**number


def metric(y_true: np.ndarray, y_pred: np.ndarray) -> float:
    return float(np.abs(y_true - y_pred).max())


@pytest.mark.parametrize("name", ["learning_rate", "eta"])
def test_the_parameter_that_cannot_be_pickled_is_named(name: str) -> None:
    fitted = regressor(**{name: lambda number: 0.1}).fit(X, Y)
    with pytest.raises(UnpicklableError, match=rf"^{name} holds <lambda>, which .* save_model"):
        pickle.dumps(fitted)
    with pytest.raises(CeibaError, match=name):
        joblib.dump(fitted, io.BytesIO())
    with pytest.raises(UnpicklableError, match="eval_metric holds"):
        pickle.dumps(regressor(eval_metric=["mae", lambda y_true, y_pred: 0.0]))


def test_functions_of_a_module_are_pickled() -> None:
    given = regressor(learning_rate=rate, eval_metric=[metric, "rmse"]).fit(
        X, Y, eval_set=[(X, Y)], eval_names=["all"]
    )
    for same in (pickle.loads(pickle.dumps(given)), copy.copy(given), copy.deepcopy(given)):
        assert same.learning_rate is rate
        assert same.eval_metric[0] is metric
        assert same.model_.fingerprint() == given.model_.fingerprint()


def test_copies_and_picklers_by_value_keep_lambdas() -> None:
    given = regressor(eta=lambda number: 0.1, n_estimators=3).fit(X, Y)
    for same in (copy.copy(given), copy.deepcopy(given), clone(given)):
        assert same.eta is given.eta
    cloudpickle = pytest.importorskip("cloudpickle")
    kept = pickle.loads(cloudpickle.dumps(given))
    assert kept.eta(0) == 0.1
    search = GridSearchCV(given, {"max_leaves": [3, 5]}, cv=2, n_jobs=2).fit(X, Y)
    assert search.best_estimator_.eta(0) == 0.1

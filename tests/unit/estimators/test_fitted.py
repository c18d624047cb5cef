"""What a fitted estimator answers besides its predictions."""

from __future__ import annotations

import numpy as np
import pytest
from small_table import BINARY, FRAME, THREE, X, Y, classifier, regressor

from ceiba import CeibaRegressor, Dataset, NotFittedError
from ceiba.errors import InvalidInputError
from ceiba.model.output import LastIteration


def test_logarithms_of_probabilities() -> None:
    for labels in (BINARY, THREE):
        fitted = classifier().fit(X, labels)
        np.testing.assert_array_equal(fitted.predict_log_proba(X), np.log(fitted.predict_proba(X)))
        few = fitted.predict_log_proba(X, iteration_range=(0, 2))
        np.testing.assert_array_equal(few, np.log(fitted.predict_proba(X, iteration_range=(0, 2))))


def test_the_best_iteration_stands_for_all_rounds_up_to_it() -> None:
    fitted = regressor(n_estimators=300, early_stopping_rounds=3).fit(X, Y)
    best = fitted.best_iteration_
    assert isinstance(best, LastIteration)
    assert best + 1 == fitted.n_iter_ == fitted.model_.n_iterations
    everything = fitted.predict(X)
    np.testing.assert_array_equal(fitted.predict(X, num_iteration=best), everything)
    np.testing.assert_array_equal(fitted.predict(X, iteration_range=(0, best + 1)), everything)
    one_less = fitted.predict(X, num_iteration=int(best))
    np.testing.assert_array_equal(one_less, fitted.predict(X, iteration_range=(0, int(best))))


def test_nothing_is_told_before_fit() -> None:
    for ask in (
        lambda: CeibaRegressor().evaluate(X, Y),
        lambda: CeibaRegressor().save_model("a.ceiba"),
        lambda: CeibaRegressor().feature_importances_,
    ):
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            ask()


def test_a_dataset_must_have_the_columns_of_fit() -> None:
    fitted = regressor().fit(FRAME, Y)
    assert fitted.predict(Dataset(FRAME)).tolist() == fitted.predict(FRAME).tolist()
    with pytest.raises(InvalidInputError, match="same order"):
        fitted.predict(Dataset(FRAME[["b", "a", "c", "d"]]))
    with pytest.raises(InvalidInputError, match=r"A Dataset already has .* Got y as well"):
        regressor().fit(Dataset(X, Y), Y)

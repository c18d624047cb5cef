"""scikit-learn's own checks of the hybrids: no failure, and no failure that is expected."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from ceiba import (
    BoostedLinearClassifier,
    BoostedLinearRegressor,
    EnhancedForestClassifier,
    EnhancedForestRegressor,
    LinearTreeClassifier,
    LinearTreeRegressor,
)

# n_jobs=1: the checks run on many workers, and the model does not depend on it.
ESTIMATORS = [
    LinearTreeRegressor(n_jobs=1),
    LinearTreeClassifier(n_jobs=1),
    EnhancedForestRegressor(n_jobs=1, n_estimators=10),
    EnhancedForestClassifier(n_jobs=1, n_estimators=10),
    BoostedLinearRegressor(n_jobs=1, n_estimators=3),
    BoostedLinearClassifier(n_jobs=1, n_estimators=3),
]


@parametrize_with_checks(ESTIMATORS)
def test_check_estimator(estimator: Any, check: Any) -> None:
    with warnings.catch_warnings():
        # The checks feed columns without names to estimators that saw names, and the like.
        warnings.simplefilter("ignore")
        check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_no_check_is_expected_to_fail(estimator: Any) -> None:
    tags = estimator.__sklearn_tags__()
    assert tags.input_tags.allow_nan
    assert not tags.no_validation
    assert not tags.non_deterministic
    assert not hasattr(estimator, "_xfail_checks")

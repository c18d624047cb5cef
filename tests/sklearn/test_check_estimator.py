"""scikit-learn's own checks: no failure, and no failure that is expected."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from ceiba import (
    CeibaClassifier,
    CeibaForestClassifier,
    CeibaForestRegressor,
    CeibaRegressor,
    CeibaTreeClassifier,
    CeibaTreeRegressor,
)

# n_jobs=1: the checks run on many workers, and the model does not depend on it.
ESTIMATORS = [
    CeibaRegressor(n_jobs=1),
    CeibaClassifier(n_jobs=1),
    # Tables of ten rows split too, so that the equivalence of weights and repeats has splits in it.
    CeibaRegressor(n_jobs=1, min_samples_leaf=1, n_estimators=10),
    CeibaClassifier(n_jobs=1, min_samples_leaf=1, n_estimators=10),
    # Built with the names of other libraries.
    CeibaRegressor(nthread=1, num_leaves=7, seed=3, iterations=10),
    CeibaClassifier(thread_count=1, eta=0.2, seed=3, max_iter=10),
    # Pasted, with names that only other libraries have.
    CeibaRegressor(n_jobs=1, boosting_type="gbdt", max_depth=-1, verbose=-1, device="cpu"),
    CeibaClassifier(thread_count=1, iterations=10, silent=True, auto_class_weights="Balanced"),
    # Other modes of boosting.
    CeibaRegressor(n_jobs=1, recipe="dart", min_samples_leaf=1, n_estimators=30),
    CeibaClassifier(n_jobs=1, boosting="dart", drop_rate=0.5, normalize="tree", n_estimators=10),
    CeibaRegressor(n_jobs=1, boosting="forest", max_features=0.7, n_estimators=10),
    CeibaClassifier(n_jobs=1, boosting="forest", extra_trees=True, n_estimators=10),
    CeibaRegressor(n_jobs=1, num_parallel_tree=2, extra_trees=True, n_estimators=30),
    # Objectives that take fewer kinds of targets, as their tags say.
    CeibaClassifier(n_jobs=1, objective="exponential", n_estimators=10),
    CeibaClassifier(n_jobs=1, objective="one_against_rest", n_estimators=10),
    CeibaClassifier(n_jobs=1, loss_function="MultiClass", n_estimators=10),
    CeibaRegressor(n_jobs=1, objective="absolute_error", min_samples_leaf=1, n_estimators=30),
    # Single trees.
    CeibaTreeRegressor(n_jobs=1),
    CeibaTreeClassifier(n_jobs=1),
    CeibaTreeClassifier(n_jobs=1, criterion="entropy", split_method="hist", max_depth=8),
    # Forests. Columns alone are drawn here; bootstraps are below.
    CeibaForestRegressor(n_jobs=1, n_estimators=10, bootstrap=False, max_features=0.7),
    CeibaForestClassifier(n_jobs=1, n_estimators=10, bootstrap=False, criterion="entropy"),
]
# Rows are drawn by their number, so a row of weight 2 is not a row that is there twice: the one
# thing that these checks ask and a bootstrap cannot give, ours or scikit-learn's.
BOOTSTRAPS = [
    CeibaForestRegressor(n_jobs=1, n_estimators=20),
    CeibaForestClassifier(n_jobs=1, n_estimators=20),
]
_OF_REPEATS = "check_sample_weight_equivalence_on_"


@parametrize_with_checks(ESTIMATORS)
def test_check_estimator(estimator: Any, check: Any) -> None:
    with warnings.catch_warnings():
        # The checks feed columns without names to estimators that saw names, and the like.
        warnings.simplefilter("ignore")
        check(estimator)


@parametrize_with_checks(BOOTSTRAPS)
def test_bootstraps(estimator: Any, check: Any) -> None:
    if check.func.__name__.startswith(_OF_REPEATS):
        pytest.skip("rows are drawn by their number")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_nothing_is_skipped_for_a_reason_of_ours() -> None:
    tags = CeibaClassifier().__sklearn_tags__()
    assert tags.input_tags.allow_nan
    assert tags.input_tags.sparse
    assert not tags.no_validation
    assert not tags.non_deterministic
    assert not tags.classifier_tags.poor_score
    assert not CeibaRegressor().__sklearn_tags__().regressor_tags.poor_score


@pytest.mark.parametrize(
    ("objective", "several_classes", "several_labels"),
    [
        (None, True, True),
        ("logistic", False, True),
        ("exponential", False, True),
        ("softmax", True, False),
        ("one_against_rest", True, False),
        ("no objective", True, True),
        (lambda y, raw: (raw - y, np.ones_like(y)), True, True),
    ],
)
def test_tags_follow_the_objective(
    objective: Any, several_classes: bool, several_labels: bool
) -> None:
    tags = CeibaClassifier(objective=objective).__sklearn_tags__()
    assert tags.classifier_tags.multi_class == several_classes
    assert tags.classifier_tags.multi_label == tags.target_tags.multi_output == several_labels


@pytest.mark.parametrize(
    ("objective", "several", "positive"),
    [
        (None, True, False),
        ("squared_error", True, False),
        ("absolute_error", False, False),
        ("quantile", False, False),
        ("poisson", True, True),
        ("reg:gamma", True, True),
        ("no objective", True, False),
    ],
)
def test_tags_of_regressors_follow_the_objective(
    objective: str | None, several: bool, positive: bool
) -> None:
    tags = CeibaRegressor(objective=objective).__sklearn_tags__()
    assert tags.target_tags.multi_output == several
    assert tags.target_tags.positive_only == positive


@pytest.mark.parametrize("estimator", ESTIMATORS[:2], ids=repr)
def test_no_check_is_expected_to_fail(estimator: Any) -> None:
    assert not hasattr(estimator, "_xfail_checks")
    assert not hasattr(estimator, "_more_tags")

"""Targets that a loss has no meaning for, and the documented meaning of odd ones."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import CeibaRegressor, Dataset, train
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives import find_objective
from ceiba.objectives.huber import Huber
from ceiba.objectives.softmax import Softmax


def test_logistic_takes_only_zero_and_one() -> None:
    objective = find_objective("logistic")
    objective.check_target(np.array([0.0, 1.0, 1.0]))
    objective.check_target(np.array([1.0, 1.0]))
    with pytest.raises(InvalidInputError, match=r"only 0 and 1. Got also -1, 2\."):
        objective.check_target(np.array([0.0, 1.0, 2.0, -1.0]))


def test_cross_entropy_takes_shares() -> None:
    objective = find_objective("reg:logistic")
    assert objective.name == "cross_entropy"
    objective.check_target(np.array([0.0, 0.3, 1.0]))
    with pytest.raises(InvalidInputError, match=r"from 0 to 1\. Got also -0\.1, 1\.5\."):
        objective.check_target(np.array([0.5, 1.5, -0.1]))


def test_a_share_is_a_row_of_each_class() -> None:
    random = np.random.default_rng(0)
    X, shares = random.normal(size=(200, 3)), random.random(200)
    given = {"n_estimators": 10, "learning_rate": 0.3, "min_samples_leaf": 1, "n_jobs": 1}
    given["min_data_in_bin"] = 1
    soft = train({"objective": "cross_entropy", **given}, Dataset(X, shares))
    both = Dataset(
        np.vstack([X, X]),
        np.repeat([1.0, 0.0], 200),
        weight=np.concatenate([shares, 1.0 - shares]),
    )
    hard = train({"objective": "logistic", **given}, both)
    np.testing.assert_allclose(soft.predict(X), hard.predict(X), rtol=1e-6)


def test_huber_learns_where_most_rows_are_hit_exactly() -> None:
    """The quantile of |residuals| is then 0; it is that of the rows that are not hit."""
    random = np.random.default_rng(0)
    X = random.normal(size=(500, 2))
    y = np.where(X[:, 0] > 1.5, 100.0 + X[:, 1], 0.0)
    assert CeibaRegressor(objective="huber", n_jobs=1).fit(X, y).score(X, y) > 0.9
    loss = Huber().for_round(np.zeros((1, 500)), y, np.ones(500))
    assert loss.huber_delta == np.sort(y[y > 0])[int(np.ceil(0.9 * (y > 0).sum())) - 1]
    # As scikit-learn has it.
    friedman = Huber(leaf_rule="friedman")
    assert friedman.for_round(np.zeros((1, 500)), y, None).huber_delta == 0.0
    assert Huber().for_round(y[None], y, None).huber_delta == 0.0


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_logistic_of_one_class_starts_finite(label: float) -> None:
    objective = find_objective("logistic")
    start = objective.start_scores(np.full(10, label), None)
    assert abs(start[0]) == pytest.approx(34.538776, abs=1e-6)
    assert objective.predict(start[None, :])[0] == pytest.approx(label, abs=2e-15)


def test_logistic_start_is_precise_where_one_class_is_rare() -> None:
    target = np.zeros(100_000)
    target[7] = 1.0
    start = find_objective("logistic").start_scores(target, None)
    opposite = find_objective("logistic").start_scores(1.0 - target, None)
    assert start[0] == pytest.approx(np.log(1.0 / 99_999.0), rel=1e-14)
    assert opposite[0] == -start[0]


def test_constant_regression_target_starts_at_it() -> None:
    assert find_objective("squared_error").start_scores(np.full(7, 0.1), None)[0] == 0.1


def test_softmax_takes_consecutive_class_indices() -> None:
    objective = find_objective("softmax")
    objective.check_target(np.array([2.0, 0.0, 1.0]))
    for wrong, message in [
        ([0.0, 1.5, 1.0], "Got also 1.5"),
        ([0.0, -1.0, 1.0], "Got also -1"),
        ([0.0, 1.0, 1e18], "Got also 1e.18"),
        ([0.0, 1.0, 3.0, 3.0], "No row has class 2"),
        ([0.0, 0.0], "at least two classes"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            objective.check_target(np.array(wrong))


def test_softmax_eval_set_may_lack_classes_but_not_add_one() -> None:
    objective = find_objective("softmax")
    objective.check_target(np.array([2.0, 2.0]), n_outputs=3)
    with pytest.raises(InvalidInputError, match=r"2\. Got also 3"):
        objective.check_target(np.array([0.0, 3.0]), n_outputs=3)


def test_softmax_with_given_classes_allows_an_empty_one() -> None:
    objective = find_objective("softmax", n_classes=4, other_option=1)
    target = np.array([0.0, 1.0, 3.0])
    objective.check_target(target)
    assert objective.n_outputs(target) == 4
    start = objective.start_scores(target, None)
    np.testing.assert_allclose(start[[0, 1, 3]], np.log(1 / 3), rtol=1e-15)
    assert start[2] == pytest.approx(np.log(1e-15))


def test_softmax_hessians_are_the_factor_times_the_diagonal() -> None:
    scores = np.random.default_rng(0).normal(size=(3, 50))
    target = np.random.default_rng(1).integers(0, 3, 50).astype(np.float64)
    filled = []
    for factor in (1.0, 2.0):
        gradients, hessians = np.empty_like(scores), np.empty_like(scores)
        Softmax(hessian_factor=factor).gradients(scores, target, gradients, hessians, 1)
        filled.append(hessians)
    p = np.exp(scores) / np.exp(scores).sum(axis=0)
    np.testing.assert_allclose(filled[0], p * (1 - p), rtol=1e-13)
    np.testing.assert_array_equal(filled[1], 2.0 * filled[0])


@pytest.mark.parametrize(("name", "n_outputs"), [("logistic", 1), ("softmax", 3)])
@pytest.mark.parametrize("base_score", [0.0, -0.5, 1.5])
def test_base_score_of_a_classifier_is_a_probability(
    name: str, n_outputs: int, base_score: float
) -> None:
    with pytest.raises(InvalidParameterError, match="probabilit"):
        find_objective(name).to_raw(base_score, n_outputs)


def test_exponential_takes_only_zero_and_one_and_says_its_name() -> None:
    with pytest.raises(InvalidInputError, match=r"objective exponential must hold only 0 and 1"):
        find_objective("exponential").check_target(np.array([0.0, 2.0]))


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_exponential_of_one_class_starts_finite(label: float) -> None:
    objective = find_objective("exponential")
    start = objective.start_scores(np.full(10, label), None)
    assert abs(start[0]) == pytest.approx(34.538776 / 2, abs=1e-6)
    assert objective.predict(start[None, :])[0] == pytest.approx(label, abs=2e-15)


@pytest.mark.parametrize("name", ["poisson", "tweedie"])
def test_rates_are_zero_or_more_and_not_all_zero(name: str) -> None:
    objective = find_objective(name)
    objective.check_target(np.array([0.0, 0.5, 7.0]))
    with pytest.raises(InvalidInputError, match=r"0 or more. Got also -2, -1 \(first in row 1\)"):
        objective.check_target(np.array([0.0, -1.0, -2.0]))
    with pytest.raises(InvalidInputError, match=r"at least one value above 0\. Got only zeros"):
        objective.check_target(np.zeros(5))
    objective.check_target(np.zeros(5), n_outputs=1)


def test_gamma_takes_only_positive_amounts() -> None:
    objective = find_objective("gamma")
    objective.check_target(np.array([1e-6, 3.0]))
    for n_outputs in (None, 1):
        with pytest.raises(InvalidInputError, match=r"above 0. Got also 0 .*tweedie"):
            objective.check_target(np.array([1.0, 0.0]), n_outputs)


@pytest.mark.parametrize("name", ["poisson", "gamma", "tweedie"])
@pytest.mark.parametrize("value", [1e200, 1e-200])
def test_log_link_refuses_targets_that_overflow(name: str, value: float) -> None:
    with pytest.raises(InvalidInputError, match="divide the target by a constant"):
        find_objective(name).check_target(np.array([1.0, value]))


@pytest.mark.parametrize("name", ["poisson", "gamma", "tweedie"])
def test_log_link_stays_finite_for_any_score(name: str) -> None:
    objective = find_objective(name)
    raw = np.array([[1e300], [5000.0], [301.0], [300.0], [-5000.0]])
    prediction = objective.predict(raw)
    assert prediction[0] == prediction[1] == prediction[2] == prediction[3]
    assert np.isfinite(prediction).all()
    assert (prediction > 0.0).all()
    target = np.full(5, 2.0)
    gradients, hessians = np.empty((1, 5)), np.empty((1, 5))
    objective.gradients(np.ascontiguousarray(raw.T), target, gradients, hessians, 1)
    assert np.isfinite(gradients * gradients).all()
    assert np.isfinite(objective.losses(np.ascontiguousarray(raw.T), target)).all()
    for wrong in (0.0, -1.0, 1e200):
        with pytest.raises(InvalidParameterError, match="is a mean and must be above 0"):
            objective.to_raw(wrong, 1)


def test_poisson_safeguard_multiplies_the_hessians() -> None:
    scores = np.random.default_rng(0).normal(size=(1, 50))
    target = np.random.default_rng(1).poisson(1.0, 50).astype(np.float64)
    filled = []
    for step in (0.0, 0.7):
        gradients, hessians = np.empty_like(scores), np.empty_like(scores)
        find_objective("poisson", poisson_max_delta_step=step).gradients(
            scores, target, gradients, hessians, 1
        )
        filled.append(hessians)
    np.testing.assert_allclose(filled[1], filled[0] * np.exp(0.7), rtol=1e-14)


@pytest.mark.parametrize("power", [1.0, 2.0, 0.0, 2.5])
def test_tweedie_power_is_between_one_and_two(power: float) -> None:
    with pytest.raises(InvalidParameterError, match="above 1 and below 2"):
        find_objective("tweedie", tweedie_variance_power=power)


def test_base_score_errors_have_the_right_number_of_outputs() -> None:
    with pytest.raises(InvalidParameterError) as caught:
        find_objective("logistic").to_raw([0.2, 0.8], 1)
    assert str(caught.value) == (
        "base_score must be one finite number. Got [0.2, 0.8]. With objective logistic give the "
        "probability of class 1 alone."
    )
    with pytest.raises(InvalidParameterError, match="or one for each of the 3 outputs"):
        find_objective("softmax").to_raw([0.2, 0.8], 3)

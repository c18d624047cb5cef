"""Targets that a loss has no meaning for, and the documented meaning of odd ones."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives import find_objective
from ceiba.objectives.softmax import Softmax


def test_logistic_takes_only_zero_and_one() -> None:
    objective = find_objective("logistic")
    objective.check_target(np.array([0.0, 1.0, 1.0]))
    objective.check_target(np.array([1.0, 1.0]))
    with pytest.raises(InvalidInputError, match=r"only 0 and 1. Got also -1, 2\."):
        objective.check_target(np.array([0.0, 1.0, 2.0, -1.0]))


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

"""What a training starts from."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import Dataset
from ceiba.boosting.row_statistics import empty_statistics
from ceiba.boosting.start import (
    checked_target,
    first_scores,
    make_objective,
    start_scores,
    training_weights,
)
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.parameters.resolving import resolve

X = np.arange(12.0).reshape(6, 2)
BINARY = np.array([0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
THREE = np.array([0.0, 0.0, 1.0, 1.0, 2.0, 2.0])


def test_a_dataset_without_target() -> None:
    with pytest.raises(InvalidInputError, match="has no target"):
        checked_target(Dataset(X))


@pytest.mark.parametrize(
    ("given", "factor"),
    [
        ({}, 1.0),
        ({"recipe": "xgboost"}, 2.0),
        ({"recipe": "lightgbm"}, 1.5),
        ({"hessian_factor": 3}, 3),
    ],
)
def test_the_recipe_sets_the_curvature_of_softmax(given: dict[str, object], factor: float) -> None:
    objective = make_objective(resolve({"objective": "softmax", **given}), THREE)
    assert objective.hessian_factor == factor  # type: ignore[attr-defined]
    assert make_objective(resolve(given), THREE).name == "squared_error"


def test_scale_pos_weight() -> None:
    parameters = resolve({"objective": "binary", "scale_pos_weight": 3.0, "min_samples_leaf": 1})
    objective = make_objective(parameters, BINARY)
    assert training_weights(resolve({}), objective, Dataset(X, BINARY)) is None
    alone = training_weights(parameters, objective, Dataset(X, BINARY))
    assert alone is not None
    assert alone.tolist() == [1, 1, 3, 3, 3, 3]
    both = training_weights(parameters, objective, Dataset(X, BINARY, weight=np.full(6, 2.0)))
    assert both is not None
    assert both.tolist() == [2, 2, 6, 6, 6, 6]
    with pytest.raises(InvalidParameterError, match="two classes"):
        training_weights(parameters, make_objective(resolve({}), BINARY), Dataset(X, BINARY))


def test_start_scores() -> None:
    parameters = resolve({"objective": "binary"})
    objective = make_objective(parameters, BINARY)
    np.testing.assert_allclose(
        start_scores(parameters, objective, 1, False, BINARY, None), np.log(2)
    )
    assert start_scores(parameters, objective, 1, True, BINARY, None).tolist() == [0.0]
    given = parameters.replace(base_score=0.5)
    assert start_scores(given, objective, 1, True, BINARY, None).tolist() == [0.0]


@pytest.mark.parametrize(
    ("given", "objective", "from_average"),
    [
        ({"boost_from_average": False}, "squared_error", False),
        ({"boost_from_average": False}, "binary", False),
        ({"recipe": "catboost"}, "squared_error", True),
        ({"recipe": "catboost"}, "absolute_error", True),
        ({"recipe": "catboost"}, "quantile", True),
        ({"recipe": "catboost"}, "binary", False),
        ({"recipe": "catboost"}, "poisson", False),
        ({"recipe": "catboost", "boost_from_average": True}, "poisson", True),
    ],
)
def test_boosting_from_the_average(
    given: dict[str, object], objective: str, from_average: bool
) -> None:
    parameters = resolve({"objective": objective, **given})
    made = make_objective(parameters, BINARY)
    start = start_scores(parameters, made, 1, False, BINARY, None)
    best = made.start_scores(BINARY, None) if from_average else np.zeros(1)
    assert start.tolist() == best.tolist()
    # What is given in units of predictions wins.
    own = parameters.replace(base_score=0.75)
    expected = made.to_raw(0.75, 1).tolist()
    assert start_scores(own, made, 1, False, BINARY, None).tolist() == expected


@pytest.mark.parametrize("objective", ["squared_error", "absolute_error", "huber", "quantile"])
def test_targets_whose_models_could_not_be_saved(objective: str) -> None:
    target = np.array([1.0, 1.0, -1e300, 1.0, 1.0, 1.0])
    with pytest.raises(InvalidInputError, match=r"-1e\+250 and 1e\+250\. Got -1e\+300 in row 2"):
        make_objective(resolve({"objective": objective}), target)


def test_starts_that_are_not_finite() -> None:
    parameters = resolve({"objective": "gamma"})
    target, weights = np.full(6, 1e-12), np.full(6, 1e-320)  # whose products are 0
    gamma = make_objective(parameters, target)
    with pytest.raises(InvalidInputError, match=r"must be finite .* Got \[-inf\]"):
        start_scores(parameters, gamma, 1, False, target, weights)
    far, squared = resolve({"base_score": 1e301}), make_objective(resolve({}), target)
    with pytest.raises(InvalidInputError, match=r"Got \[1e\+301\]"):
        start_scores(far, squared, 1, False, target, None)


def test_first_scores() -> None:
    start = np.array([1.0, 2.0])
    plain = first_scores(start, 6, None)
    assert plain.tolist() == [[1.0] * 6, [2.0] * 6]
    init = np.arange(12.0).reshape(6, 2)
    assert first_scores(start, 6, init)[1, 2] == 2.0 + 5.0
    with pytest.raises(InvalidInputError, match=r"init_score must hold .* \(6, 2\)\. Got \(6, 1\)"):
        first_scores(start, 6, np.arange(6.0))


def test_statistics() -> None:
    squared = empty_statistics(make_objective(resolve({}), BINARY), 1, 6)
    assert squared.hessians is None
    assert squared.constant_hessian == 1.0
    softmax = empty_statistics(make_objective(resolve({"objective": "softmax"}), THREE), 3, 6)
    assert softmax.hessians is not None
    assert softmax.hessians.shape == softmax.gradients.shape == (3, 6)

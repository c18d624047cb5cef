"""What a prediction is asked for, and the forms in which it is handed out."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest

from ceiba.errors import InvalidParameterError
from ceiba.model.output import (
    LastIteration,
    asked_for,
    decision,
    predicted_classes,
    probabilities,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, None),
        ({"num_iteration": 3}, (0, 3)),
        ({"num_iteration": 30}, (0, 10)),
        ({"num_iteration": LastIteration(9)}, (0, 10)),
        ({"num_iteration": np.int64(4), "start_iteration": 2}, (2, 6)),
        ({"ntree_start": 2, "ntree_end": 0}, (2, 10)),
        ({"num_iteration": -1}, None),
    ],
)
def test_rounds(given: dict[str, Any], expected: tuple[int, int] | None) -> None:
    assert asked_for(10, None, 1, given).iteration_range == expected


def test_threads_and_outputs() -> None:
    assert asked_for(10, (0, 2), 3, {}) == ((0, 2), 3, "")
    assert asked_for(10, None, 3, {"thread_count": -1}).n_jobs == -1
    assert asked_for(10, None, 3, {"raw_score": True, "pred_leaf": False}).output == "raw"
    with pytest.raises(InvalidParameterError, match="two names of one argument"):
        asked_for(10, None, 3, {"raw_score": True, "pred_leaf": True})
    with pytest.raises(InvalidParameterError, match="must be an integer, 0 or more"):
        asked_for(10, None, 3, {"num_iteration": 2.5})


def test_the_last_iteration_is_a_number_like_any_other() -> None:
    last = LastIteration(7)
    assert (last, last + 1, repr(last), json.dumps(last)) == (7, 8, "7", "7")
    assert type(last + 1) is int
    assert isinstance(pickle.loads(pickle.dumps(last)), LastIteration)


def test_forms() -> None:
    one, two = np.array([[-1.0], [2.0]]), np.array([[0.0, 1.0], [3.0, 1.0]])
    three = np.array([[0.0, 1.0, 1.0], [3.0, 1.0, 2.0]])
    assert decision(one).tolist() == [-1.0, 2.0]
    assert decision(two).tolist() == [1.0, -2.0]
    assert decision(three) is three
    assert predicted_classes(one[:, 0]).tolist() == [0, 1]
    assert predicted_classes(two).tolist() == [1, 0]
    assert predicted_classes(three).tolist() == [1, 0]
    assert probabilities(np.array([0.25])).tolist() == [[0.75, 0.25]]
    assert probabilities(three) is three

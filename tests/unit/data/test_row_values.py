"""Targets, weights and initial scores: what is refused, in one wording for all who take them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import CeibaRanker, CeibaRegressor, Dataset
from ceiba.data import plain_numbers
from ceiba.data.row_values import read_init_scores, read_target, read_weights
from ceiba.errors import InvalidInputError


def test_one_weight_stands_for_all_rows() -> None:
    assert read_weights(2, 3).tolist() == [2.0, 2.0, 2.0]
    assert read_weights([1, 0, 2], 3).tolist() == [1.0, 0.0, 2.0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -1.0, 1.0], "must contain numbers of at least 0. Got -1 in row 1"),
        (-1, "must contain numbers of at least 0. Got -1 in row 0"),
        ([1.0, 1.0, np.nan], "must be finite. Got NaN in 1 place.*row 2"),
        ([1.0, np.inf, 1.0], "must be finite. Got infinity in 1 place.*row 1"),
        ([0.0, 0.0, 0.0], "must be above 0 for at least one row. Got only zeros"),
        ([1.0, 1.0], "one value for each row. Got 2 values for 3 rows"),
        (np.ones((3, 1)), r"one-dimensional. Got shape \(3, 1\)"),
        (["a", "b", "c"], "must be numbers"),
        (["1", "2", "3"], "must be numbers"),
        (np.array(["2020", "2021", "2022"], dtype="M8[Y]"), "must be numbers"),
        (np.ma.masked_array([1, 2, 3], [0, 1, 0]), "must be finite. Got NaN in 1 place.*row 1"),
    ],
)
def test_weights_that_are_refused(weights: Any, message: str) -> None:
    X, y = np.arange(3.0)[:, None], np.arange(3.0)
    takers = {
        "weight": lambda: Dataset(X, y, weight=weights),
        "sample_weight": lambda: CeibaRegressor().fit(X, y, weights),
        "Eval set 'validation_0': weights": lambda: CeibaRegressor().fit(
            X, y, eval_set=[(X, y, weights)]
        ),
    }
    for name, take in takers.items():
        with pytest.raises(InvalidInputError, match=f"^{name} .*{message}"):
            take()


@pytest.mark.parametrize(
    ("read", "values", "message"),
    [
        (read_target, [1.0, np.nan], "target must be finite"),
        (read_target, [1, 2**60 + 1], r"target: integers must lie between -2\^53 and 2\^53"),
        (read_target, [1.0], "target must have one value for each row"),
        (read_init_scores, [1.0], "init_score must have one value for each row"),
        (read_init_scores, np.ones((3, 2)), r"one row per row of the table. Got shape \(3, 2\)"),
        (read_init_scores, [[1.0], [np.inf]], "init_score must be finite. Got infinity"),
    ],
)
def test_targets_and_scores_that_are_refused(read: Any, values: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        read(values, 2)


def test_every_value_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An estimator reads what it is given; the dataset that it makes of it does not read again."""
    looked: list[str] = []
    plain = plain_numbers.check_finite

    def counted(numbers: Any, name: str) -> None:
        looked.append(name)
        plain(numbers, name)

    for module in ("plain_numbers", "row_values"):
        monkeypatch.setattr(f"ceiba.data.{module}.check_finite", counted)
    monkeypatch.setattr("ceiba.estimators.targets.check_finite", counted)
    random = np.random.default_rng(0)
    X, y, weights, scores = random.normal(size=(40, 2)), *np.ones((3, 40))
    rows = (X, y, weights, scores)
    CeibaRegressor(n_estimators=1, n_jobs=1).fit(X, y, weights, init_score=scores, eval_set=[rows])
    assert sorted(looked) == sorted(
        ["y", "sample_weight", "init_score", "y", "weights", "init_score"]
    )
    looked.clear()
    group = [20, 20]
    CeibaRanker(n_estimators=1, n_jobs=1).fit(
        X, y, weights, group=group, eval_set=[(X, y)], eval_group=[group]
    )
    assert sorted(looked) == ["sample_weight", "y", "y"]

"""Combinations of categories: which ones are found, and where they are not looked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset, train
from ceiba.boosting.encoding.combinations import CombinationSearch, gains_of_combinations
from ceiba.model.trees import Trees

RANDOM = np.random.default_rng(1)
N = 4000
FRAME = pd.DataFrame({name: RANDOM.integers(0, 20, N).astype(str) for name in "abcd"})
EFFECT = RANDOM.normal(size=(20, 20))
Y = EFFECT[FRAME["a"].astype(int), FRAME["c"].astype(int)] + 0.3 * RANDOM.normal(size=N)


def combinations(frame: Any = FRAME, target: Any = Y, **given: Any) -> list[tuple[int, ...]]:
    params = {"categorical": "target", "n_estimators": 5, **given}
    model = train(params, Dataset(frame, target))
    assert model.schema.statistics is not None
    return [own.sources for own in model.schema.statistics.combinations]


def test_columns_that_act_together_are_found() -> None:
    found = combinations()
    assert found[:4] == [(0,), (1,), (2,), (3,)]
    assert (0, 2) in found
    together = train({"categorical": "target", "n_estimators": 50}, Dataset(FRAME, Y))
    apart = train(
        {"categorical": "target", "n_estimators": 50, "max_combination": 1}, Dataset(FRAME, Y)
    )
    error = [np.mean((model.predict(FRAME) - Y) ** 2) for model in (together, apart)]
    assert error[0] < 0.3 * error[1]


def test_columns_that_add_up_are_left_apart() -> None:
    effects = np.random.default_rng(2).normal(size=(4, 20))
    levels = FRAME.astype(int).to_numpy().T
    y = sum(effect[own] for effect, own in zip(effects, levels, strict=True))
    model = train({"categorical": "target", "n_estimators": 3}, Dataset(FRAME, y))
    assert model.schema.statistics is not None
    found = [own.sources for own in model.schema.statistics.combinations]
    assert found == [(0,), (1,), (2,), (3,)]


def test_few_rows_tell_what_many_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ceiba.boosting.encoding.combinations._MOST_ROWS", 1000)
    assert (0, 2) in combinations()


def test_sizes_follow_each_other_up_to_the_limit() -> None:
    three = FRAME.assign(e=RANDOM.integers(0, 3, N).astype(str))
    codes = [three[name].astype(int) for name in "ace"]
    y = Y + 2 * RANDOM.normal(size=(20, 20, 3))[*codes]

    def sizes(most: int, target: Any) -> set[int]:
        found = combinations(three, target, max_combination=most)
        return {len(own) for own in found}

    assert [sizes(most, y) for most in (1, 2, 3, 4)] == [{1}, {1, 2}, {1, 2, 3}, {1, 2, 3}]
    assert sizes(4, Y) == {1, 2}  # three together gain nothing
    assert combinations(max_combination=2) == combinations(max_combination=2, n_jobs=2)


def test_combinations_that_gain_nothing_are_dropped() -> None:
    alone = RANDOM.normal(size=(2, 20))
    y = alone[0, FRAME["a"].astype(int)] + alone[1, FRAME["c"].astype(int)]
    assert combinations(target=y + 0.3 * RANDOM.normal(size=N)) == [(0,), (1,), (2,), (3,)]


def test_few_keys_are_left_to_the_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    few = FRAME.astype(int) // 2  # 10 levels, and 121 keys with the missing ones
    y = EFFECT[few["a"], few["c"]]
    monkeypatch.setattr(CombinationSearch, "_grown", None)  # no tree is grown for nothing
    assert combinations(few.astype(str), y) == [(0,), (1,), (2,), (3,)]


@pytest.mark.parametrize(
    ("given", "excluded"),
    [
        ({"interaction_constraints": "no_interactions"}, {(0, 2)}),
        ({"interaction_constraints": [["a", "b"], ["c", "d"]]}, {(0, 2), (1, 3), (0, 3), (1, 2)}),
    ],
)
def test_columns_that_must_not_meet_are_not_combined(
    given: dict[str, Any], excluded: set[tuple[int, ...]]
) -> None:
    assert not set(combinations(**given)) & excluded


def test_gains_count_for_unions_on_a_path() -> None:
    # Column 0 is a number; 1 and 2 are statistics of columns 0 and 1, 3 of both.
    nothing = np.zeros(7)
    trees = Trees(
        n_outputs=1,
        offsets=np.array([0, 7]),
        feature=np.array([1, 2, 0, -1, -1, 2, -1], dtype=np.int32),
        threshold=nothing,
        left=np.array([1, 3, 5, 0, 0, 6, 0], dtype=np.int32),
        right=np.array([2, 4, 4, 0, 0, 6, 0], dtype=np.int32),
        missing_left=nothing > 0,
        value=nothing[:, None],
        gain=np.array([8.0, 4.0, 2.0, 0.0, 0.0, 1.0, 0.0]),
        cover=nothing,
        count=nothing,
    )
    sources = ((2,), (0,), (1,), (0, 1))
    found = gains_of_combinations(trees, sources, ("", "mean", "mean", "mean"), 2)
    assert found == {(0, 1): 5.0}

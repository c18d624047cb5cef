"""Interaction sets: which columns meet on a path."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import _core
from ceiba.errors import InvalidInputError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(500, 4))
Y = X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3] + X.sum(axis=1)


def paths(policy: str = "leafwise", **given: Any) -> set[frozenset[int]]:
    params = {"grow_policy": policy, "max_depth": 4, "n_estimators": 5, **given}
    arrays = ceiba.train(params, ceiba.Dataset(X, Y)).forest.arrays()
    found: set[frozenset[int]] = set()

    def visit(begin: int, node: int, path: frozenset[int]) -> None:
        feature = int(arrays["feature"][begin + node])
        if feature < 0:
            found.add(path)
            return
        for side in ("left", "right"):
            visit(begin, int(arrays[side][begin + node]), path | {feature})

    for begin in arrays["tree_offsets"][:-1]:
        visit(int(begin), 0, frozenset())
    return found


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_paths_stay_in_a_set(policy: str) -> None:
    assert any(len(path) > 2 for path in paths(policy))
    sets = [[0, 1], [1, 2]]
    for path in paths(policy, interaction_constraints=sets):
        assert len(path) == 1 or any(path <= set(members) for members in sets)
    assert {len(path) for path in paths(policy, interaction_constraints="no_interactions")} == {1}
    assert max(map(len, paths(policy, interaction_constraints="pairwise"))) == 2


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_columns_in_no_set_are_split_alone_or_never(policy: str) -> None:
    sets = {"interaction_constraints": [[0, 1]]}
    assert frozenset({2}) in paths(policy, **sets)
    never = paths(policy, **sets, unlisted_interactions="never")
    assert frozenset({0, 1}) in never
    assert set().union(*never) == {0, 1}


def test_a_set_of_all_columns_changes_nothing() -> None:
    free = ceiba.train({}, ceiba.Dataset(X, Y)).fingerprint()
    one_set = {"interaction_constraints": [[0, 1, 2, 3]]}
    assert ceiba.train(one_set, ceiba.Dataset(X, Y)).fingerprint() == free


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
@pytest.mark.parametrize("share", [1.0, 0.5])
@pytest.mark.parametrize("n_columns", [1, 2, 4])
def test_words_stand_for_sets(policy: str, share: float, n_columns: int) -> None:
    dataset = ceiba.Dataset(X[:, :n_columns], Y)
    every = range(n_columns)
    pairs = [[*pair] for pair in combinations(every, 2)] or [[0]]
    for word, sets in (("no_interactions", [[column] for column in every]), ("pairwise", pairs)):
        given = {"grow_policy": policy, "n_estimators": 5, "colsample_bynode": share}
        model, expected = (
            ceiba.train({**given, "interaction_constraints": asked}, dataset)
            for asked in (word, sets)
        )
        assert model.fingerprint() == expected.fingerprint()


def test_pairs_of_many_columns_are_not_listed() -> None:
    wide = RANDOM.integers(0, 3, size=(60, 20_000)).astype(np.uint8)
    params = {"n_estimators": 1, "interaction_constraints": "pairwise", "min_samples_leaf": 5}
    model = ceiba.train(params, ceiba.Dataset(wide, Y[:60]))  # 200 million pairs
    assert model.n_trees == 1


def test_sampling_draws_from_what_is_allowed() -> None:
    """With a column in no set at the root, its node finds that column again and again."""
    found = paths(interaction_constraints="no_interactions", colsample_bynode=0.5)
    assert {len(path) for path in found} == {1}


def test_columns_that_are_not_there() -> None:
    mapper = _core.BinMapper.find([[X[:, 0].copy()]], None, 256, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, [[X[:, 0].copy()]], 1)
    plan = _core.GrowPlan(columns=_core.ColumnConstraints(interactions=[[0, 1]]))
    grower = _core.Grower(_core.GrowerTable(binned), plan, None, 1)
    with pytest.raises(InvalidInputError, match=r"between 0 and 0\. Got 1"):
        grower.grow(np.ones((1, 500)), None, 1.0, None, 0)
    grower = _core.Grower(_core.GrowerTable(binned), _core.GrowPlan(columns_bypath=-1), None, 1)
    with pytest.raises(InvalidInputError, match=r"columns_bypath must be 0 or more\. Got -1"):
        grower.grow(np.ones((1, 500)), None, 1.0, None, 0)

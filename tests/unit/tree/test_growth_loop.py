"""The order in which nodes are split, and where growth ends."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ceiba.testing.reference import Plan
from ceiba.testing.strategies import Case

random = np.random.default_rng(1)
X = random.normal(size=(300, 3))


def grown(**plan: object) -> dict[str, np.ndarray]:
    gradients = np.sin(4 * X[:, :1]).T + X[:, 1] * X[:, 2]
    case = Case(X, gradients, None, 1.0, None, None, Plan(**plan), 64, 0, 1.0)
    return case.grow(case.bin_mapper()).arrays()


def depths(arrays: dict[str, np.ndarray]) -> list[int]:
    found = [0] * len(arrays["left"])
    for i, (left, right) in enumerate(zip(arrays["left"], arrays["right"], strict=True)):
        if left >= 0:
            found[left] = found[right] = found[i] + 1
    return found


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
@pytest.mark.parametrize("max_leaves", [2, 5, 8])
def test_a_tree_has_no_more_leaves_than_allowed(policy: str, max_leaves: int) -> None:
    arrays = grown(grow_policy=policy, max_leaves=max_leaves, max_depth=4)
    expected = 4 if (policy, max_leaves) == ("symmetric", 5) else max_leaves
    assert int((arrays["left"] < 0).sum()) == expected


def test_levels_are_split_in_turn() -> None:
    found = depths(grown(grow_policy="depthwise", max_leaves=12))
    assert found == sorted(found)


def test_the_largest_gain_comes_first() -> None:
    """Every smaller tree is the beginning of the larger one: its splits gain most."""
    gains = []
    for max_leaves in (2, 3, 6, 12):
        arrays = grown(max_leaves=max_leaves)
        gains.append(sorted(arrays["gain"][arrays["left"] >= 0], reverse=True))
    for fewer, more in pairwise(gains):
        assert set(fewer) <= set(more)


def test_a_limit_of_depth_ends_growth() -> None:
    assert max(depths(grown(max_leaves=0, max_depth=3))) == 3
    assert len(grown(min_samples_leaf=200, max_leaves=8)["left"]) == 1

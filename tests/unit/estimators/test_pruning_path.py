"""Cost-complexity pruning: the path, by hand and against every subtree."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.estimators.pruning_path import pruning_path


def test_a_small_tree_by_hand() -> None:
    """Root 0 with children 1, 2; node 1 with children 3, 4."""
    left, right = np.array([1, 3, -1, -1, -1]), np.array([2, 4, -1, -1, -1])
    decrease = np.array([0.5, 0.1, 0.0, 0.0, 0.0])
    prices, impurities = pruning_path(left, right, decrease, 1.0)
    np.testing.assert_allclose(prices, [0.0, 0.1, 0.5])
    np.testing.assert_allclose(impurities, [0.4, 0.5, 1.0])


def test_a_poor_split_above_a_good_one_goes_with_it() -> None:
    left, right = np.array([1, 3, -1, -1, -1]), np.array([2, 4, -1, -1, -1])
    prices, impurities = pruning_path(left, right, np.array([0.1, 0.5, 0.0, 0.0, 0.0]), 1.0)
    np.testing.assert_allclose(prices, [0.0, 0.3])
    np.testing.assert_allclose(impurities, [0.4, 1.0])


def test_a_leaf_alone() -> None:
    prices, impurities = pruning_path(np.array([-1]), np.array([-1]), np.zeros(1), 0.25)
    assert prices.tolist() == [0.0]
    assert impurities.tolist() == [0.25]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_is_best_for_its_price(seed: int) -> None:
    """Between two prices no subtree costs less: by dynamic programming over all of them."""
    random = np.random.default_rng(seed)
    left, right = np.full(31, -1), np.full(31, -1)
    open_nodes, n = [0], 1
    while n < 31 and open_nodes:
        node = open_nodes.pop(int(random.integers(len(open_nodes))))
        left[node], right[node] = n, n + 1
        open_nodes += [n, n + 1]
        n += 2
    decrease = np.where(left >= 0, random.random(31), 0.0)
    prices, impurities = pruning_path(left, right, decrease, 100.0)
    assert (np.diff(prices) >= 0).all()
    ends = np.append(prices[1:], prices[-1] + 1.0)
    for price, impurity in zip((prices + ends) / 2, impurities, strict=True):
        worth = np.zeros(31)  # what a branch saves more than it costs
        saved = np.zeros(31)
        for node in range(30, -1, -1):
            if left[node] >= 0:
                below = worth[left[node]] + worth[right[node]]
                if decrease[node] - price + below > 0:
                    worth[node] = decrease[node] - price + below
                    saved[node] = decrease[node] + saved[left[node]] + saved[right[node]]
        assert impurity == pytest.approx(100.0 - saved[0], abs=1e-9)

"""Candidates over several shards: sketches of fixed blocks of rows, however rows lie in shards."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError


def grow(
    X: np.ndarray,
    g: np.ndarray,
    h: np.ndarray | None,
    shard_rows: int,
    rows: np.ndarray | None = None,
    n_threads: int = 2,
    **plan: object,
) -> dict[str, np.ndarray]:
    _core.change_settings(shard_rows=shard_rows)
    ranked = _core.RankedColumns.build([X], n_threads)
    given = {"max_leaves": 12, "sketch_eps": 0.05, **plan}
    grower = _core.Grower(
        _core.GrowerTable.of_ranked(ranked), _core.GrowPlan(**given), None, n_threads
    )
    return grower.grow(g, h, 1.0, rows, 0).arrays()


def table(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    X[:, 1] = np.floor(2 * X[:, 1])
    X[random.random(X.shape) < 0.05] = np.nan
    g = random.normal(size=(1, n)) - np.nan_to_num(X[:, 0]) - np.nan_to_num(X[:, 2]) ** 2
    return X, g, random.random((1, n))


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.threads
@pytest.mark.parametrize("scope", ["tree", "node"])
@pytest.mark.parametrize("sampled", [False, True])
def test_trees_do_not_depend_on_how_rows_lie_in_shards(scope: str, sampled: bool) -> None:
    X, g, h = table(150_000)
    rows = np.arange(0, 150_000, 3, dtype=np.int32) if sampled else None
    trees = [
        grow(X, g, h, shard_rows, rows, n_threads, approx_scope=scope)
        for shard_rows, n_threads in ((65_536, 1), (10_000, 2), (75_001, 2), (149_999, 1))
    ]
    assert all(same(trees[0], tree) for tree in trees)


@pytest.mark.parametrize("scope", ["tree", "node"])
def test_sketched_candidates_are_close_to_exact_ones(scope: str) -> None:
    """The root's threshold of a step stands at a rank within the error of the step."""
    random = np.random.default_rng(1)
    values = random.permutation(140_000).astype(float)
    g = np.where(values < 50_000, -1.0, 1.0)[None]
    for shard_rows in (0, 20_000):
        tree = grow(values[:, None], g, None, shard_rows, max_leaves=2, approx_scope=scope)
        assert abs(tree["threshold"][0] - 50_000) <= 0.05 * 140_000


@pytest.mark.parametrize("scope", ["tree", "node"])
@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
@pytest.mark.parametrize("sampled", [False, True])
def test_few_rows_in_shards_are_cut_as_in_one(scope: str, policy: str, sampled: bool) -> None:
    """A single block is exact: up to 65,536 rows shards are no matter at all."""
    for seed in range(5):
        X, g, h = table(3000, seed)
        h[:, ::3] = 0.0
        rows = np.arange(0, 3000, 7 * seed + 2, dtype=np.int32) if sampled else None
        plan = {"sketch_eps": 0.02, "max_leaves": 16, "max_depth": 4, "grow_policy": policy}
        trees = [grow(X, g, h, size, rows, approx_scope=scope, **plan) for size in (0, 700, 31)]
        assert same(trees[0], trees[1])
        assert same(trees[0], trees[2])


def test_rows_of_hessian_zero_count_alike() -> None:
    random = np.random.default_rng(2)
    X = random.normal(size=(500, 2))
    g = X[None, :, 0] - 0.1
    plan = {"sketch_eps": 0.2, "reg_lambda": 1.0, "max_leaves": 2}
    weightless = grow(X, g, np.zeros((1, 500)), 0, **plan)
    below = np.count_nonzero(X[:, 0] <= weightless["threshold"][0])
    assert below in (200, 300)  # a multiple of a fifth of the rows
    sharded = grow(X, g, np.zeros((1, 500)), 100, **plan)
    assert same(weightless, sharded)


def test_a_grower_without_bins_must_propose() -> None:
    ranked = _core.RankedColumns.build([np.zeros((3, 1))], 1)
    with pytest.raises(InvalidInputError, match="needs a binned table"):
        _core.Grower(_core.GrowerTable.of_ranked(ranked), _core.GrowPlan(), None, 1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"sketch_eps": 0.6}, "sketch_eps must be"),
        ({"sketch_eps": 1e-5}, "sketch_eps must be"),
        ({"sketch_eps": float("nan")}, "sketch_eps must be"),
        ({"approx_scope": "leaf"}, "approx_scope must be"),
    ],
)
def test_plans_that_make_no_sense_are_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInputError, match=words):
        _core.GrowPlan(**given)

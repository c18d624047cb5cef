"""The grower's own checks; what it grows is compared with the reference in tests/properties."""

from __future__ import annotations

import os
import resource

import numpy as np
import pytest
from programs import run_alone

from ceiba import _core
from ceiba.errors import InvalidInputError


def binned(values: np.ndarray, mapper: _core.BinMapper | None = None) -> _core.BinnedMatrix:
    columns = [[values]]
    found = mapper or _core.BinMapper.find(columns, None, 16, 1, 1)
    return _core.BinnedMatrix.build(found, columns, 1)


def test_bins_without_a_place_for_missing_values_are_refused() -> None:
    values = np.arange(50.0)
    mapper = _core.BinMapper.find([[values]], None, 16, 1, 1)
    holes = values.copy()
    holes[3] = np.nan
    with pytest.raises(InvalidInputError, match="bins were found on a table without"):
        _core.Grower(_core.GrowerTable(binned(holes, mapper)), _core.GrowPlan(), None, 1)


@pytest.mark.parametrize(
    ("gradients", "hessians", "words"),
    [
        (np.nan, 1.0, "must be finite"),
        (1.0, np.inf, "must be finite"),
        (1.0, -1.0, "must not be negative"),
    ],
)
def test_gradients_that_make_no_sense_are_refused(
    gradients: float, hessians: float, words: str
) -> None:
    grower = _core.Grower(_core.GrowerTable(binned(np.arange(50.0))), _core.GrowPlan(), None, 1)
    g, h = np.ones((1, 50)), np.ones((1, 50))
    g[0, 7], h[0, 7] = gradients, hessians
    with pytest.raises(InvalidInputError, match=words):
        grower.grow(g, h, 0.0, None, 0)


def test_trees_forget_their_rows_when_others_are_grown() -> None:
    grower = _core.Grower(
        _core.GrowerTable(binned(np.arange(50.0))), _core.GrowPlan(max_leaves=4), None, 1
    )
    g = np.linspace(-1, 1, 50)[None].copy()
    first = grower.grow(g, None, 1.0, None, 0)
    grower.grow(g, None, 1.0, None, 1)
    with pytest.raises(InvalidInputError, match="no longer know the rows"):
        first.add_to_scores(np.zeros((1, 50)))


@pytest.mark.parametrize("rows", [[3, 2], [0, 50], [-1, 4], [2, 2], []])
def test_rows_that_are_no_selection_are_refused(rows: list[int]) -> None:
    grower = _core.Grower(_core.GrowerTable(binned(np.arange(50.0))), _core.GrowPlan(), None, 1)
    with pytest.raises(InvalidInputError, match="rows must"):
        grower.grow(np.ones((1, 50)), None, 1.0, np.array(rows, dtype=np.int32), 0)


def test_scores_of_another_type_are_refused_not_copied() -> None:
    grower = _core.Grower(
        _core.GrowerTable(binned(np.arange(50.0))), _core.GrowPlan(max_leaves=4), None, 1
    )
    trees = grower.grow(np.linspace(-1, 1, 50)[None].copy(), None, 1.0, None, 0)
    with pytest.raises(TypeError):
        trees.add_to_scores(np.zeros((1, 50), dtype=np.float32))
    with pytest.raises(TypeError):
        trees.add_to_scores(np.zeros((1, 100))[:, ::2])


def test_gradients_whose_square_overflows_are_refused() -> None:
    grower = _core.Grower(_core.GrowerTable(binned(np.arange(50.0))), _core.GrowPlan(), None, 1)
    with pytest.raises(InvalidInputError, match="too large"):
        grower.grow(np.full((1, 50), 1e160), None, 1.0, None, 0)


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="sanitizers keep freed memory")
def test_symmetric_growth_keeps_no_histograms_of_empty_nodes() -> None:
    # 2^14 nodes of which at most 200 hold rows; a histogram for each would be 5 GB.
    rng = np.random.default_rng(0)
    columns = [[rng.normal(size=200)] for _ in range(200)]
    mapper = _core.BinMapper.find(columns, None, 256, 1, 1)
    table = _core.BinnedMatrix.build(mapper, columns, 1)
    plan = _core.GrowPlan(grow_policy="symmetric", max_depth=14, max_leaves=0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grower = _core.Grower(_core.GrowerTable(table), plan, None, 1)
    grower.grow(rng.normal(size=(1, 200)), None, 1.0, None, 0)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="sanitizers take terabytes of addresses")
def test_a_system_without_threads_still_trains() -> None:
    program = """
import resource, numpy as np
from ceiba import Dataset, _core, train
X = np.random.default_rng(0).normal(size=(3000, 3))
expected = train({"n_estimators": 3, "n_jobs": 1}, Dataset(X, X[:, 0])).fingerprint()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, used + 2**28))
_core.change_settings(serial_below=0, chunk_rows=64)
assert train({"n_estimators": 3, "n_jobs": 200}, Dataset(X, X[:, 0])).fingerprint() == expected
"""
    done = run_alone(program)
    assert done.returncode == 0, done.stderr


def test_exact_splits_need_all_rows_in_one_shard() -> None:
    values = np.arange(50.0)
    ranked = _core.RankedColumns.build([[values]], 1)
    _core.change_settings(shard_rows=20)
    grower = _core.Grower(_core.GrowerTable(binned(values), ranked), _core.GrowPlan(), None, 1)
    with pytest.raises(InvalidInputError, match="'exact' does not support 'shards'"):
        grower.grow(np.ones((1, 50)), None, 1.0, None, 0)


def test_ranked_columns_of_another_table_are_refused() -> None:
    ranked = _core.RankedColumns.build([[np.arange(40.0)]], 1)
    with pytest.raises(InvalidInputError, match=r"50 x 1\. Got 40 x 1"):
        _core.Grower(_core.GrowerTable(binned(np.arange(50.0)), ranked), _core.GrowPlan(), None, 1)


def test_exact_thresholds_are_no_edges_of_bins() -> None:
    values = np.arange(50.0)
    ranked = _core.RankedColumns.build([[values]], 1)
    table = binned(values)
    grower = _core.Grower(_core.GrowerTable(table, ranked), _core.GrowPlan(max_leaves=2), None, 1)
    g = np.where(values < 17, 1.0, -1.0)[None].copy()
    trees = grower.grow(g, None, 1.0, None, 0)
    assert trees.arrays()["threshold"][0] == 16.5
    with pytest.raises(InvalidInputError, match="between bin edges"):
        trees.add_to_binned_scores(table, np.zeros((1, 50)))

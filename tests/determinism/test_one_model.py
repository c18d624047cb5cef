"""One model: the same fingerprint however the rows came and however the work was divided."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import _core

pytestmark = pytest.mark.threads

SMALL = {
    "block_rows": 64,
    "chunk_rows": 64,
    "serial_below": 0,
    "digit_rows": 0,
    "cached_codes": 0,
}
USUAL = {
    "block_rows": 4096,
    "chunk_rows": 16384,
    "serial_below": 32768,
    "shard_rows": 0,
    "digit_rows": 8192,
    "cached_codes": 24 << 20,
}
THREADS = (1, 2, 3, 4, 7, 8)
POLICIES = ("leafwise", "depthwise", "symmetric")
CONDITIONS = ("plain", "whole weights", "real weights and missing values")
SAMPLING = {
    "subsample": 0.7,
    "colsample_bytree": 0.8,
    "colsample_bylevel": 0.7,
    "colsample_bynode": 0.7,
}


def apply_condition(problem: Any, condition: str) -> Any:
    match condition:
        case "whole weights":
            return problem.with_weights("whole")
        case "real weights and missing values":
            return problem.with_weights("real").with_missing()
        case _:
            return problem


def growth(policy: str) -> dict[str, Any]:
    limits = {"max_leaves": 15} if policy == "leafwise" else {"max_depth": 4}
    return {"grow_policy": policy, **limits}


def assert_one(fingerprints: dict[str, str]) -> None:
    expected = fingerprints["usual"]
    others = {how: found for how, found in fingerprints.items() if found != expected}
    assert not others, f"another model than the usual one: {sorted(others)}"


def with_threads_and_ways(problem: Any, params: dict[str, Any]) -> dict[str, str]:
    """Train with any number of threads, and on rows that came in every way; sizes stay small."""
    found = {"usual": problem.train(params).fingerprint()}
    found["usual sizes, 2 threads"] = problem.train({**params, "n_jobs": 2}).fingerprint()
    _core.change_settings(**SMALL)
    _core.reset_counters()
    for n_threads in THREADS:
        model = problem.train({**params, "n_jobs": n_threads})
        found[f"{n_threads} threads"] = model.fingerprint()
    assert _core.counters()["parallel_jobs"] > 0
    params = {**params, "n_jobs": 2}
    for n_blocks in (3, 10):
        found[f"{n_blocks} blocks"] = problem.train(params, n_blocks=n_blocks).fingerprint()
    found["other order"] = problem.permuted().train(params).fingerprint()
    found["float32"] = problem.train(params, dtype=np.float32).fingerprint()
    found["column by column"] = problem.train(params, order="F").fingerprint()
    return found


def with_other_kernels(problem: Any, params: dict[str, Any]) -> dict[str, str]:
    _core.set_avx2(not _core.uses_avx2())
    found = {"other kernels": problem.train(params).fingerprint()}
    _core.change_settings(**USUAL)
    found["other kernels, usual sizes"] = problem.train(params).fingerprint()
    return found


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("policy", POLICIES)
def test_without_sampling(problem: Any, policy: str, condition: str) -> None:
    problem, params = apply_condition(problem, condition), growth(policy)
    found = with_threads_and_ways(problem, params)
    assert _core.counters()["chunked_partitions"] > 0
    params["n_jobs"] = 2
    _core.change_settings(shard_rows=100)
    found["shards"] = problem.train(params).fingerprint()
    assert _core.counters()["extra_shards"] > 0
    found |= with_other_kernels(problem, params)
    assert_one(found)


@pytest.mark.parametrize("policy", POLICIES)
def test_with_sampling(problem: Any, policy: str) -> None:
    problem = problem.with_weights("real")
    params = {**growth(policy), **SAMPLING}
    found = {"usual": problem.train(params).fingerprint()}
    assert problem.train({**params, "random_state": 1}).fingerprint() != found["usual"]
    _core.change_settings(**SMALL)
    for n_threads in THREADS:
        model = problem.train({**params, "n_jobs": n_threads})
        found[f"{n_threads} threads"] = model.fingerprint()
    for n_blocks in (3, 10):
        model = problem.train({**params, "n_jobs": 2}, n_blocks=n_blocks)
        found[f"{n_blocks} blocks"] = model.fingerprint()
    _core.change_settings(shard_rows=100)
    _core.set_avx2(not _core.uses_avx2())
    found["other kernels, shards"] = problem.train({**params, "n_jobs": 3}).fingerprint()
    assert_one(found)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("policy", POLICIES)
def test_exact_splits(problem: Any, policy: str, condition: str) -> None:
    problem = apply_condition(problem, condition)
    params = {**growth(policy), "split_method": "exact"}
    found = with_threads_and_ways(problem, params)
    found |= with_other_kernels(problem, {**params, "n_jobs": 2})
    assert_one(found)


@pytest.mark.parametrize("policy", POLICIES)
def test_small_sizes_take_every_path(make_problem: Any, policy: str) -> None:
    """Each path that is meant for large tables runs, and gives the same model."""
    cases = [
        ("single_trees", make_problem("friedman", 600)),
        ("packed_trees", make_problem("two classes", 5000)),
        ("packed_trees", make_problem("two classes", 2000).with_weights("whole")),
        ("wide_trees", make_problem("two classes", 2000).with_weights("large whole")),
    ]
    params = {**growth(policy), "n_jobs": 3}
    for form, problem in cases:
        usual = problem.train(params).fingerprint()
        _core.change_settings(**SMALL, shard_rows=500)
        _core.reset_counters()
        small = problem.train(params).fingerprint()
        counters = _core.counters()
        paths = ["parallel_jobs", "chunked_partitions", "merged_histograms", "extra_shards", form]
        if form == "packed_trees":
            paths.append("flushes")
        assert {path: counters[path] > 0 for path in paths} == dict.fromkeys(paths, True)
        if form == "packed_trees":
            assert counters["flushes"] > 5000 / 64
        _core.change_settings(**USUAL)
        assert small == usual


def test_many_bins(make_problem: Any) -> None:
    problem = make_problem("friedman", 3000).with_missing()
    params = {"max_bins": 1000, "max_leaves": 31}
    found = {"usual": problem.train(params).fingerprint()}
    _core.change_settings(**SMALL)
    for n_threads in (2, 7):
        found[f"{n_threads}"] = problem.train({**params, "n_jobs": n_threads}).fingerprint()
    found["other order"] = problem.permuted().train({**params, "n_jobs": 2}).fingerprint()
    _core.set_avx2(not _core.uses_avx2())
    found["other kernels"] = problem.train(params).fingerprint()
    assert_one(found)


def test_a_table_large_enough_for_usual_threads(make_problem: Any) -> None:
    """No small sizes: 60,000 rows are shared by threads as users' tables are."""
    problem = make_problem("two classes", 60_000).with_missing()
    params = {"n_estimators": 5}
    found = {"usual": problem.train(params).fingerprint()}
    _core.reset_counters()
    for n_threads in THREADS[1:]:
        found[f"{n_threads}"] = problem.train({**params, "n_jobs": n_threads}).fingerprint()
    counters = _core.counters()
    paths = ("parallel_jobs", "flushes", "chunked_partitions", "packed_trees")
    assert min(counters[path] for path in paths) > 0
    found["other order"] = problem.permuted().train({**params, "n_jobs": 2}).fingerprint()
    found["blocks"] = problem.train({**params, "n_jobs": 2}, n_blocks=10).fingerprint()
    assert_one(found)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_a_million_rows_in_another_order(make_problem: Any, policy: str) -> None:
    problem = make_problem("two classes", 1_000_000, 20).with_missing()
    params = {**growth(policy), "n_estimators": 10, "n_jobs": 2}
    found = {"usual": problem.train(params).fingerprint()}
    found["other order"] = problem.permuted().train(params).fingerprint()
    found["1 thread, other order"] = (
        problem.permuted(10).train({**params, "n_jobs": 1}, dtype=np.float32).fingerprint()
    )
    assert_one(found)

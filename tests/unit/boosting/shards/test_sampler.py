"""Shards draw the rows that are drawn where all rows are in one process."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from parts import over

from ceiba import _core
from ceiba.boosting.row_statistics import RowStatistics
from ceiba.boosting.sample import RowSampler
from ceiba.boosting.shards.sampler import ShardSampler, mvs_threshold
from ceiba.data.queries import Queries
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve

N_ROWS = 700
RANDOM = np.random.default_rng(4)
GRADIENTS = RANDOM.normal(size=(2, N_ROWS)) ** 3
TIES = np.round(GRADIENTS)
HESSIANS = np.exp(RANDOM.normal(size=(2, N_ROWS)))
WEIGHTS = np.exp(RANDOM.normal(size=N_ROWS))
TARGET = RANDOM.integers(0, 2, N_ROWS).astype(float)
CUTS = ([0], [350], [1, 10], [200, 200, 690])
SAMPLES: dict[str, dict[str, Any]] = {
    "bernoulli": {"subsample": 0.4},
    "bernoulli of few": {"subsample": 1e-9},
    "uniform": {"sampling": "uniform", "subsample": 0.4},
    "bayesian": {"sampling": "bayesian"},
    "bayesian, hot": {"sampling": "bayesian", "bagging_temperature": 2.5},
    "bootstrap": {"sampling": "bootstrap"},
    "by class": {"sampling": "uniform", "neg_subsample": 0.3, "pos_subsample": 0.9},
    "by class, bernoulli": {"pos_subsample": 0.2},
    "balanced": {"sampling": "bootstrap", "class_weight": "balanced_subsample"},
    "goss": {"sampling": "goss", "learning_rate": 1.0},
    "goss without top": {"sampling": "goss", "learning_rate": 1.0, "top_rate": 0.0},
    "mvs": {"sampling": "mvs", "subsample": 0.3},
    "mvs with penalty": {"sampling": "mvs", "subsample": 0.3, "mvs_reg": 0.7},
    "all": {},
}


def chosen(selection: Any) -> Any:
    rows = None if selection.rows is None else selection.rows.tolist()
    multipliers = None if selection.multipliers is None else selection.multipliers.tolist()
    return rows, multipliers, selection.repeats


@pytest.mark.parametrize("cuts", CUTS, ids=str)
@pytest.mark.parametrize("gradients", [GRADIENTS, TIES], ids=["real", "ties"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sample", SAMPLES)
def test_the_same_rows(sample: str, weighted: bool, gradients: Any, cuts: list[int]) -> None:
    parameters = resolve({"objective": "logistic", **SAMPLES[sample]})
    weights = WEIGHTS if weighted else None
    alone = RowSampler.make(parameters, find_objective("logistic"), TARGET, weights, None, 1)
    expected = alone.select(RowStatistics(gradients, HESSIANS, 0.0), 5, 1, None)

    def select(numbers: Any, target: Any, own: Any, g: Any, h: Any) -> Any:
        sampler = ShardSampler(parameters, target, own, numbers, None)
        statistics = RowStatistics(
            np.ascontiguousarray(g.T).reshape(2, -1), np.ascontiguousarray(h.T).reshape(2, -1), 0.0
        )
        found = sampler.select(statistics, 5, 1, None)
        everything = found.rows is None and found.multipliers is None
        rows = np.arange(len(numbers)) if found.rows is None else found.rows
        times = np.ones(len(rows)) if found.multipliers is None else found.multipliers
        results.append((numbers[rows], times, everything, found.repeats))

    results: list[Any] = []
    over(cuts, select, np.arange(N_ROWS), TARGET, weights, gradients.T, HESSIANS.T)
    rows = np.concatenate([own[0] for own in results])
    times = np.concatenate([own[1] for own in results])
    wanted = np.arange(N_ROWS) if expected.rows is None else expected.rows
    assert rows.tolist() == wanted.tolist()
    ones = np.ones(len(rows))
    assert (
        times.tolist() == (ones if expected.multipliers is None else expected.multipliers).tolist()
    )
    assert {own[3] for own in results} == {expected.repeats}


@pytest.mark.parametrize("sampling", ["bernoulli", "uniform", "bootstrap", "bayesian"])
def test_the_same_queries(sampling: str) -> None:
    share = {} if sampling in ("bayesian", "bootstrap") else {"subsample": 0.4}
    given = {"sampling": sampling, "sampling_unit": "query", **share}
    parameters = resolve({"objective": "lambdarank_ndcg", **given})
    query_of_row = RANDOM.permutation(np.arange(N_ROWS) // 7)
    queries = Queries.of_numbers(query_of_row)
    objective = find_objective("lambdarank_ndcg")
    alone = RowSampler.make(parameters, objective, TARGET, None, queries, 1)
    statistics = RowStatistics(GRADIENTS[:1], None, 1.0)
    expected = alone.select(statistics, 2, 0, None)
    shard_of_row = query_of_row % 3
    order = np.argsort(shard_of_row, kind="stable")
    cuts = np.cumsum(np.bincount(shard_of_row))[:-1].tolist()
    results: list[Any] = []

    def select(numbers: Any, own: Any) -> None:
        sampler = ShardSampler(parameters, TARGET[numbers], None, numbers, own)
        found = sampler.select(statistics, 2, 0, None)
        rows = np.arange(len(numbers)) if found.rows is None else found.rows
        times = np.ones(len(rows)) if found.multipliers is None else found.multipliers
        results.append((numbers[rows], times))

    over(cuts, select, order, query_of_row[order])
    rows = np.concatenate([own[0] for own in results])
    times = np.concatenate([own[1] for own in results])[np.argsort(rows)]
    assert np.sort(rows).tolist() == (
        list(range(N_ROWS)) if expected.rows is None else expected.rows.tolist()
    )
    if expected.multipliers is not None:
        assert times.tolist() == expected.multipliers.tolist()


@pytest.mark.parametrize("share", [0.01, 0.3, 0.99])
def test_thresholds(share: float) -> None:
    for sizes in (np.abs(GRADIENTS[0]), np.abs(TIES[0]) + 1.0, np.full(N_ROWS, 3.0)):
        expected = _core.mvs_threshold(sizes, share * N_ROWS)
        found, _ = over([100, 333], lambda own: mvs_threshold(own, share * N_ROWS), sizes)
        assert found == expected

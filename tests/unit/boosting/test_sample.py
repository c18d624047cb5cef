"""The rows of a round: every kind of sample, and what it may depend on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba.boosting.row_statistics import RowStatistics
from ceiba.boosting.sample import ALL_ROWS, RowSampler, RowSelection, leaf_size
from ceiba.data.queries import Queries
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve
from ceiba.testing import samples


def statistics(n_rows: int, n_trees: int = 1) -> RowStatistics:
    gradients = np.random.default_rng(0).normal(size=(n_trees, n_rows))
    return RowStatistics(gradients, None, 1.0)


def sampler(n_rows: int, **given: Any) -> RowSampler:
    return RowSampler(parameters=resolve(given), n_rows=n_rows)


def sampled(n_rows: int, round: int, **given: Any) -> np.ndarray:
    """Return the rows of a round whose gradients are known."""
    selection = sampler(n_rows, **given).select(statistics(n_rows), round)
    assert selection.rows is not None
    assert selection.multipliers is None
    return selection.rows


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"sampling": "none"},
        {"sampling": "uniform"},
        {"sampling": "mvs", "subsample": 1.0},
        {"sampling": "bayesian", "bagging_temperature": 0.0},
        {"sampling": "goss", "top_rate": 0.5, "other_rate": 0.5},
    ],
)
def test_all_rows_is_no_selection(given: dict[str, Any]) -> None:
    assert sampler(9, **given).select(statistics(9), 50) is ALL_ROWS


@pytest.mark.parametrize("sampling", ["bernoulli", "uniform"])
def test_sample_is_sorted_without_repeats_and_of_the_asked_size(sampling: str) -> None:
    rows = sampled(100_000, 4, subsample=0.3, sampling=sampling)
    assert rows.dtype == np.int32
    assert (np.diff(rows) > 0).all()
    spare = 0 if sampling == "uniform" else 5 * np.sqrt(100_000 * 0.3 * 0.7)
    assert abs(len(rows) - 30_000) <= spare


def test_sample_depends_on_seed_round_and_row_only() -> None:
    rows = sampled(1000, 4, subsample=0.5)
    again = sampled(1000, 4, subsample=0.5, random_state=0)
    np.testing.assert_array_equal(rows, again)
    fewer = sampled(500, 4, subsample=0.5)
    np.testing.assert_array_equal(rows[rows < 500], fewer)
    assert set(sampled(1000, 5, subsample=0.5)) != set(rows)
    assert set(sampled(1000, 4, subsample=0.5, random_state=1)) != set(rows)
    # A smaller share is a part of a larger one.
    for sampling in ("bernoulli", "uniform"):
        more = sampled(1000, 4, subsample=0.5, sampling=sampling)
        assert set(sampled(1000, 4, subsample=0.2, sampling=sampling)) < set(more)


def test_every_tree_of_a_round_may_have_rows_of_its_own() -> None:
    drawn = sampler(1000, sampling="bootstrap")
    first, second = (drawn.select(statistics(1000), 3, tree=tree) for tree in (0, 1))
    assert first.rows is not None
    assert second.rows is not None
    assert set(first.rows) != set(second.rows)
    alone = drawn.select(statistics(1000), 3)
    np.testing.assert_array_equal(alone.rows, first.rows)
    np.testing.assert_array_equal(alone.multipliers, first.multipliers)


def test_sample_is_never_empty() -> None:
    for round in range(20):
        assert len(sampled(3, round, subsample=1e-9)) == 1
        assert len(sampled(3, round, subsample=1e-9, sampling="uniform")) == 1


@pytest.mark.parametrize("sampling", ["bernoulli", "uniform", "bayesian", "bootstrap"])
def test_a_sample_is_kept_for_some_rounds(sampling: str) -> None:
    share = {} if sampling == "bayesian" else {"subsample": 0.5}

    def drawn(round: int, freq: int) -> RowSelection:
        given = {"sampling": sampling, "subsample_freq": freq, **share}
        return sampler(1000, **given).select(statistics(1000), round)

    for round, from_round in zip(range(7), (0, 0, 0, 3, 3, 3, 6), strict=True):
        kept, first = drawn(round, 3), drawn(from_round, 1)
        np.testing.assert_array_equal(kept.rows, first.rows)
        np.testing.assert_array_equal(kept.multipliers, first.multipliers)


def test_goss_takes_all_rows_in_its_first_rounds() -> None:
    drawn = sampler(1000, sampling="goss", learning_rate=0.2)
    assert drawn.select(statistics(1000), 4) is ALL_ROWS
    selection = drawn.select(statistics(1000), 5)
    gradients = statistics(1000).gradients
    expected = samples.goss(
        (0, 5, 0), gradients, np.ones_like(gradients), np.ones(1000), 200, 100.0
    )
    np.testing.assert_array_equal(selection.rows, np.flatnonzero(expected))
    np.testing.assert_array_equal(selection.multipliers, expected[expected > 0])
    assert selection.multipliers is not None
    assert selection.multipliers.max() == pytest.approx((1 - 0.2) / 0.1)
    # The rate of the round counts.
    rates = [0.5] * 5 + [0.1] * 5
    goss = resolve({"sampling": "goss"}).replace(learning_rate=rates)
    later = RowSampler(parameters=goss, n_rows=1000)
    assert later.select(statistics(1000), 4) is not ALL_ROWS
    assert later.select(statistics(1000), 5) is ALL_ROWS


def test_mvs_looks_at_the_tree_before() -> None:
    drawn = sampler(1000, sampling="mvs")
    assert drawn.reads_leaves
    gradients = statistics(1000).gradients
    for last, size in ((None, np.abs(gradients).mean()), (0.5, 0.5)):
        selection = drawn.select(statistics(1000), 7, last_leaf=last)
        sizes = np.sqrt(gradients[0] ** 2 + size**2)
        threshold = samples.mvs_threshold(sizes, 800.0)
        expected = samples.mvs((0, 7, 0), gradients, np.ones(1000), size**2, threshold)
        np.testing.assert_array_equal(selection.rows, np.flatnonzero(expected))
        np.testing.assert_allclose(selection.multipliers, expected[expected > 0], rtol=1e-8)
    given = sampler(1000, sampling="mvs", mvs_reg=2.0)
    assert not given.reads_leaves
    np.testing.assert_array_equal(
        given.select(statistics(1000), 7).rows,
        drawn.select(statistics(1000), 7, last_leaf=np.sqrt(2.0)).rows,
    )


def test_the_size_of_leaves() -> None:
    X = np.random.default_rng(0).normal(size=(300, 3))
    model = ceiba.train({"n_estimators": 2, "max_leaves": 5}, ceiba.Dataset(X, X[:, 0]))
    arrays = model.forest.slice(1, 2).arrays()
    leaves = arrays["value"][arrays["feature"] < 0]
    assert leaf_size(model.forest.slice(1, 2)) == pytest.approx(np.abs(leaves).mean())
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    model = ceiba.train({"objective": "softmax", "n_estimators": 1}, ceiba.Dataset(X, y))
    arrays = model.forest.arrays()
    parts = np.split(np.arange(len(arrays["value"])), arrays["tree_offsets"][1:-1])
    means = [np.abs(arrays["value"][part][arrays["feature"][part] < 0]).mean() for part in parts]
    assert leaf_size(model.forest) == pytest.approx(np.linalg.norm(means))
    given = {"objective": "quantile", "quantile": [0.2, 0.8], "n_estimators": 1}
    model = ceiba.train(given, ceiba.Dataset(X, X[:, 0]))
    arrays = model.forest.arrays()
    leaves = arrays["value"][arrays["feature"] < 0]
    assert leaf_size(model.forest) == pytest.approx(np.linalg.norm(leaves, axis=1).mean())


@pytest.mark.parametrize("sampling", ["bernoulli", "uniform"])
def test_classes_at_their_own_rates(sampling: str) -> None:
    target = (np.arange(10_000) % 10 == 0).astype(float)
    given = {"sampling": sampling, "pos_subsample": 0.9, "neg_subsample": 0.2, "subsample": 0.5}
    logistic = find_objective("logistic")
    drawn = RowSampler.make(resolve(given), logistic, target, None, None, 1)
    selection = drawn.select(statistics(10_000), 3)
    rows = selection.rows
    assert rows is not None
    assert (np.diff(rows) > 0).all()
    n_positive = int(target[rows].sum())
    spare = 0 if sampling == "uniform" else 5 * np.sqrt(9000 * 0.2 * 0.8)
    assert abs(n_positive - 900) <= spare
    assert abs(len(rows) - n_positive - 1800) <= spare
    # One class alone may be sampled.
    given = {"sampling": sampling, "neg_subsample": 0.2}
    drawn = RowSampler.make(resolve(given), logistic, target, None, None, 1)
    assert target[drawn.select(statistics(10_000), 3).rows].sum() == 1000
    with pytest.raises(InvalidParameterError, match="two classes"):
        RowSampler.make(resolve(given), find_objective("squared_error"), target, None, None, 1)


@pytest.mark.parametrize("sampling", ["bernoulli", "uniform", "bayesian", "bootstrap"])
def test_queries_are_drawn_as_a_whole(sampling: str) -> None:
    numbers = np.random.default_rng(0).integers(0, 100, 2000)
    queries = Queries.of_numbers(numbers)
    given = {"sampling": sampling, "sampling_unit": "query"}
    if sampling != "bayesian":
        given["subsample"] = 0.4
    objective = find_objective("lambdarank")
    drawn = RowSampler.make(resolve(given), objective, np.zeros(2000), None, queries, 1)
    selection = drawn.select(statistics(2000), 3)
    times = np.zeros(2000)
    of_all = slice(None) if selection.rows is None else selection.rows
    times[of_all] = 1.0 if selection.multipliers is None else selection.multipliers
    by_query = [times[numbers == query] for query in range(100)]
    assert all((own == own[0]).all() for own in by_query)
    key = (0, 3, 0)
    expected = {
        "bernoulli": lambda: samples.bernoulli(key, 100, 0.4),
        "uniform": lambda: samples.uniform(key, 100, 40),
        "bayesian": lambda: samples.bayesian(key, 100, 1.0),
        "bootstrap": lambda: samples.bootstrap(key, 100, 40),
    }[sampling]()
    np.testing.assert_array_equal([own[0] for own in by_query], expected)


def test_what_does_not_go_together_is_refused() -> None:
    target, squared = np.zeros(10), find_objective("squared_error")

    def make(**given: Any) -> RowSampler:
        return RowSampler.make(resolve(given), squared, target, None, None, 1)

    with pytest.raises(InvalidInputError, match="needs the query of each row"):
        make(sampling_unit="query", subsample=0.5)
    for name, value in {"top_rate": 0.3, "mvs_reg": 1.0, "bagging_temperature": 2.0}.items():
        with pytest.raises(InvalidParameterError, match=f"{name}=.* has no effect with sampling"):
            make(**{name: value})
        # Its default asks for nothing.
        default = {"top_rate": 0.2, "mvs_reg": "auto", "bagging_temperature": 1.0}[name]
        make(**{name: default})
    with pytest.raises(InvalidParameterError, match=r"pos_subsample=0.5 has no effect with"):
        make(sampling="bootstrap", pos_subsample=0.5)
    queries = Queries.of_numbers(np.arange(10))
    for wrong in ({"sampling": "mvs"}, {"pos_subsample": 0.5}):
        with pytest.raises(InvalidParameterError, match="draws whole queries"):
            RowSampler.make(
                resolve({"sampling_unit": "query", **wrong}), squared, target, None, queries, 1
            )

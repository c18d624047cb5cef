"""The statistics of residuals: quantiles, Huber's minimum and Friedman's step, against oracles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba import Dataset, _core, refit, train
from ceiba.boosting.grow_plan import make_plan
from ceiba.boosting.leaves import fit_leaves
from ceiba.boosting.row_statistics import RowStatistics
from ceiba.errors import InvalidInputError
from ceiba.objectives import ResidualLeaves
from ceiba.parameters.resolving import resolve
from ceiba.testing import residuals

Floats = np.ndarray[Any, np.dtype[np.float64]]

numbers = st.integers(-5, 5).map(float) | st.floats(-1e6, 1e6)
levels = st.sampled_from([0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99])


def slow_quantile(values: Floats, times: Any, level: float) -> float:
    ordered = np.sort(np.repeat(values, times))
    return float(ordered[max(0, int(np.ceil(level * len(ordered))) - 1)])


@given(st.lists(st.tuples(numbers, st.integers(1, 6)), min_size=1, max_size=40), levels)
def test_weighted_quantile_is_that_of_repeated_values(
    pairs: list[tuple[float, int]], level: float
) -> None:
    values = np.array([value for value, _ in pairs])
    times = np.array([weight for _, weight in pairs])
    expected = slow_quantile(values, times, level)
    weighted = _core.weighted_quantile(values, times.astype(np.float64), level)
    repeated = _core.weighted_quantile(np.repeat(values, times), None, level)
    # Halves are whole in other units.
    halved = _core.weighted_quantile(values, times * 0.5, level)
    assert weighted == repeated == halved == expected


@given(st.lists(st.tuples(numbers, st.floats(1e-3, 1e3)), min_size=1, max_size=40), levels)
def test_weighted_quantile_makes_the_pinball_loss_smallest(
    pairs: list[tuple[float, float]], level: float
) -> None:
    values = np.array([value for value, _ in pairs])
    weights = np.array([weight for _, weight in pairs])
    found = _core.weighted_quantile(values, weights, level)
    assert found in values

    def loss(x: float) -> float:
        differences = values - x
        return float(weights @ np.maximum(level * differences, (level - 1) * differences))

    assert all(loss(x) >= loss(found) * (1 - 1e-12) - 1e-9 for x in values)


@pytest.mark.parametrize("spread", ["normal", "heavy", "few values", "constant", "huge"])
@pytest.mark.parametrize("weights_kind", ["none", "whole", "real"])
def test_many_values_take_the_way_of_cells(weights_kind: str, spread: str) -> None:
    random = np.random.default_rng(0)
    n_rows = 20_000
    values = {
        "normal": random.normal(size=n_rows),
        "heavy": random.standard_cauchy(size=n_rows) ** 9,
        "few values": random.integers(0, 3, size=n_rows).astype(np.float64),
        "constant": np.full(n_rows, 0.1),
        "huge": random.choice([-1.7e308, 0.0, 1.0, 1.7e308], size=n_rows),
    }[spread]
    weights = {
        "none": None,
        "whole": random.integers(1, 9, size=n_rows).astype(np.float64),
        "real": random.gamma(0.3, size=n_rows) + 1e-9,
    }[weights_kind]
    times = residuals.weight_units(weights, n_rows)
    before = values.copy()
    for level in (0.001, 0.05, 0.5, 0.93, 0.9999):
        found = _core.weighted_quantile(values, weights, level)
        assert found == residuals.quantile(values, times, level)
    assert (values == before).all()
    if spread == "huge":
        return
    for delta in (0.01, 1.0):
        found = _core.huber_minimum(values, weights, delta)
        # The slope is 0 there, up to the rounding of a value of this size.
        near = np.abs(found - values) < delta
        factors = np.ones(n_rows) if weights is None else weights
        slope = factors @ np.clip(found - values, -delta, delta)
        assert abs(slope) <= 1e-12 * factors.sum() * delta + 1e-15 * factors[near].sum()


def test_weighted_quantile_of_tiny_and_huge_weights() -> None:
    values = np.arange(5.0)
    assert _core.weighted_quantile(values, np.array([1e-300, 1e300, 1.0, 1.0, 1.0]), 0.5) == 1.0
    assert _core.weighted_quantile(values, np.full(5, 1e-300), 0.5) == 2.0
    assert _core.weighted_quantile(values, None, 0.4) == 1.0
    assert not np.signbit(_core.weighted_quantile(np.array([-0.0]), None, 0.5))
    with pytest.raises(InvalidInputError, match="at least one row"):
        _core.weighted_quantile(np.empty(0), None, 0.5)
    with pytest.raises(InvalidInputError, match="Weights must be positive"):
        _core.weighted_quantile(values, np.zeros(5), 0.5)


@given(
    st.lists(st.tuples(numbers, st.integers(1, 6)), min_size=1, max_size=40),
    st.sampled_from([1e-6, 0.1, 1.0, 3.0, 1e3, 1e9]),
)
def test_huber_minimum_is_one(pairs: list[tuple[float, int]], delta: float) -> None:
    values = np.array([value for value, _ in pairs])
    times = np.array([weight for _, weight in pairs])
    found = _core.huber_minimum(values, times.astype(np.float64), delta)
    assert found == _core.huber_minimum(np.repeat(values, times), None, delta)
    order = np.random.default_rng(0).permutation(len(values))
    assert found == _core.huber_minimum(values[order], times[order].astype(np.float64), delta)
    slope = times @ np.clip(found - values, -delta, delta)
    # What is left of the slope is the rounding of the values and of the sum.
    scale = np.abs(values).max() + delta
    assert abs(slope) <= 1e-13 * times.sum() * scale


@given(
    st.lists(st.tuples(numbers, st.floats(1e-3, 1e3)), min_size=1, max_size=30),
    st.booleans(),
    st.sampled_from([1e-320, 1e-6, 0.1, 1.0, 3.0, 1e3, 1e9]),
    levels,
)
def test_the_bits_are_those_of_the_reference(
    pairs: list[tuple[float, float]], whole: bool, delta: float, level: float
) -> None:
    values = np.array([value for value, _ in pairs])
    weights = np.array([weight for _, weight in pairs])
    weights = np.ceil(weights) if whole else weights
    times = residuals.weight_units(weights, len(values))
    found = _core.weighted_quantile(values, weights, level)
    assert found == residuals.quantile(values, times, level)
    assert _core.huber_minimum(values, weights, delta) == residuals.huber_minimum(
        values, times, delta
    )


@pytest.mark.parametrize("weights_kind", ["none", "whole", "real"])
@pytest.mark.parametrize("kind", ["quantile", "huber", "huber_friedman"])
def test_leaves_have_the_bits_of_the_reference(kind: Any, weights_kind: str) -> None:
    random = np.random.default_rng(1)
    weights = {
        "none": None,
        "whole": random.integers(1, 4, size=300).astype(np.float64),
        "real": random.gamma(1.0, size=300) + 0.01,
    }[weights_kind]
    trees, statistics, X, target = grown(weights, {})
    scores = random.normal(size=(1, 300))
    slow = {
        "quantile": residuals.quantile,
        "huber": residuals.huber_minimum,
        "huber_friedman": residuals.huber_step,
    }[kind]
    fit_leaves(trees, statistics, 0.5, ResidualLeaves(kind, (0.3,), scores, target))
    times = residuals.weight_units(weights, 300)
    values = trees.arrays()["value"]
    for leaf, rows in leaf_rows(trees, X).items():
        expected = slow((target - scores[0])[rows], [times[row] for row in rows], 0.3)
        assert values[leaf] == 0.5 * expected


def test_huber_minimum_between_two_far_groups_is_the_middle() -> None:
    assert _core.huber_minimum(np.array([0.0, 10.0]), None, 1.0) == 1.0
    assert _core.huber_minimum(np.array([0.0, 0.0, 10.0]), None, 1.0) == 0.5
    assert _core.huber_minimum(np.array([3.0, 3.0, 3.0]), None, 1.0) == 3.0
    # One value far beyond all others moves the minimum by no more than delta times its share.
    heavy = np.concatenate([np.zeros(99), [1e300]])
    assert _core.huber_minimum(heavy, None, 1.0) == pytest.approx(1 / 99, rel=1e-12)


def grown(
    weights: Floats | None, params: dict[str, Any], rows: Any = None
) -> tuple[Any, RowStatistics, Floats, Floats]:
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 2))
    target = X[:, 0] + random.standard_t(2, size=300)
    columns = [[X[:, 0].copy()], [X[:, 1].copy()]]
    mapper = _core.BinMapper.find(columns, weights, 256, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1)
    statistics = RowStatistics(np.sign(-target)[None, :].copy(), None, 1.0)
    parameters = resolve({"max_leaves": 5, **params})
    grower = _core.Grower(
        _core.GrowerTable(binned), make_plan(parameters, weights, 300, 2), weights, 1
    )
    trees = grower.grow(statistics.gradients, None, 1.0, rows, 0)
    return trees, statistics, X, target


def leaf_rows(trees: Any, X: Floats) -> dict[int, Any]:
    forest = _core.Forest(2, 1, trees.arrays())
    leaves = forest.apply_matrix(X, 0, 1, 1)[:, 0]
    return {int(leaf): np.flatnonzero(leaves == leaf) for leaf in np.unique(leaves)}


@pytest.mark.parametrize("weights_kind", ["none", "real"])
@pytest.mark.parametrize("kind", ["quantile", "huber", "huber_friedman"])
def test_leaf_values_covers_and_splits(kind: str, weights_kind: str) -> None:
    random = np.random.default_rng(1)
    weights = None if weights_kind == "none" else random.gamma(1.0, size=300) + 0.01
    trees, statistics, X, target = grown(weights, {})
    scores = random.normal(size=(1, 300))
    option = 0.3 if kind == "quantile" else 0.7
    fit_leaves(trees, statistics, 0.5, ResidualLeaves(kind, (option,), scores, target))  # type: ignore[arg-type]
    arrays = trees.arrays()
    differences = target - scores[0]
    for leaf, rows in leaf_rows(trees, X).items():
        own = None if weights is None else weights[rows]
        if kind == "quantile":
            expected = _core.weighted_quantile(differences[rows], own, option)
        elif kind == "huber":
            expected = _core.huber_minimum(differences[rows], own, option)
        else:
            median = _core.weighted_quantile(differences[rows], own, 0.5)
            clipped = np.clip(differences[rows] - median, -option, option)
            expected = median + np.average(clipped, weights=own)
        np.testing.assert_allclose(arrays["value"][leaf], 0.5 * expected, rtol=1e-12)
        cover = len(rows) if own is None else own.sum()
        np.testing.assert_allclose(arrays["cover"][leaf], cover, rtol=1e-12)
    for node in np.flatnonzero(arrays["feature"] >= 0):
        children = [arrays["left"][node], arrays["right"][node]]
        cover = arrays["cover"][children]
        mean = np.average(arrays["value"][children], weights=cover)
        np.testing.assert_allclose(arrays["value"][node], mean, rtol=1e-12)
        np.testing.assert_allclose(arrays["cover"][node], cover.sum(), rtol=1e-12)


def test_only_rows_that_the_tree_was_grown_on_count() -> None:
    rows = np.arange(0, 300, 3, dtype=np.int32)
    trees, statistics, X, target = grown(None, {}, rows)
    scores = np.zeros((1, 300))
    fit_leaves(trees, statistics, 1.0, ResidualLeaves("quantile", (0.5,), scores, target))
    values = trees.arrays()["value"]
    for leaf, own in leaf_rows(trees, X).items():
        chosen = np.intersect1d(own, rows)
        assert values[leaf] == _core.weighted_quantile(target[chosen], None, 0.5)


def test_leaves_without_rows_take_their_parents_value() -> None:
    random = np.random.default_rng(2)
    X = np.repeat(random.normal(size=(40, 2)).round(), 3, axis=0)
    y = X[:, 0] * X[:, 1] + random.normal(size=120)
    params = {"grow_policy": "symmetric", "max_depth": 5, "min_samples_leaf": 1, "n_estimators": 1}
    for objective in ("absolute_error", "huber"):
        model = train({**params, "objective": objective}, Dataset(X, y))
        arrays = model.forest.arrays()
        empty = np.flatnonzero((arrays["count"] == 0) & (arrays["feature"] < 0))
        assert len(empty)
        parent = {}
        for node in np.flatnonzero(arrays["feature"] >= 0):
            parent[arrays["left"][node]] = parent[arrays["right"][node]] = node
        for leaf in empty:
            assert arrays["value"][leaf] == arrays["value"][parent[leaf]]


@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "loss",
    [
        {"objective": "absolute_error"},
        {"objective": "huber"},
        {"objective": "huber", "leaf_rule": "friedman"},
        {"objective": "quantile", "quantile": 0.7},
        {"objective": "quantile", "quantile": [0.1, 0.5, 0.9]},
    ],
    ids=str,
)
def test_a_refit_on_the_same_rows_changes_nothing(
    loss: dict[str, Any], weighted: bool, policy: str
) -> None:
    random = np.random.default_rng(4)
    X = random.normal(size=(300, 3))
    y = X[:, 0] * X[:, 1] + random.normal(size=300)
    rows = Dataset(X, y, weight=random.gamma(1.0, size=300) + 0.1 if weighted else None)
    growth = {"grow_policy": policy, "max_depth": 4, "min_samples_leaf": 1, "n_estimators": 5}
    model = train({**loss, **growth, "calibration_folds": 0, "n_jobs": 1}, rows)
    assert refit(model, rows, decay_rate=0.0, n_jobs=1).fingerprint() == model.fingerprint()
    moved = refit(model, Dataset(X, y + 1.0), decay_rate=0.0, n_jobs=1)
    assert moved.predict(X).mean() > model.predict(X).mean() + 0.1


@pytest.mark.parametrize(
    "loss",
    [
        {"objective": "absolute_error"},
        {"objective": "huber"},
        {"objective": "quantile", "quantile": [0.1, 0.5, 0.9]},
    ],
    ids=str,
)
@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
def test_monotone_constraints_hold(loss: dict[str, Any], policy: str) -> None:
    random = np.random.default_rng(5)
    X = random.normal(size=(400, 3))
    y = X[:, 0] + np.sin(5 * X[:, 0]) - X[:, 1] + random.standard_t(2, size=400)
    growth = {"grow_policy": policy, "max_depth": 5, "min_samples_leaf": 3, "n_estimators": 20}
    model = train({**loss, **growth, "monotone_constraints": [1, -1, 0]}, Dataset(X, y))
    for column, direction in ((0, 1), (1, -1)):
        grid = np.repeat(random.normal(size=(20, 1, 3)), 200, axis=1)
        grid[:, :, column] = np.linspace(-3, 3, 200)
        prediction = model.predict(grid.reshape(-1, 3)).reshape(20, 200, -1)
        assert (direction * np.diff(prediction, axis=1) >= 0).all()
        assert (np.diff(prediction, axis=1) != 0).any()


def test_residuals_beyond_the_range_of_numbers_are_an_error() -> None:
    X, y = np.arange(60.0)[:, None], np.array([-1.7e308, 1.7e308] * 30)
    with pytest.raises(InvalidInputError, match="The target must lie between"):
        train({"objective": "absolute_error", "min_samples_leaf": 1}, Dataset(X, y))
    trees, _, _, target = grown(None, {})
    far, scores = np.full_like(target, 1.7e308), np.full((1, 300), -1.7e308)
    with pytest.raises(InvalidInputError, match="must be finite"):
        _core.fit_residual_leaves(trees, far, scores, "quantile", [0.5], 1.0, 1.0)


def test_rules_that_do_not_exist_are_errors() -> None:
    trees, _, _, target = grown(None, {})
    scores = np.zeros((1, 300))
    for kind, option in [("mode", 0.5), ("quantile", 1.0), ("quantile", np.nan), ("huber", -1.0)]:
        with pytest.raises(InvalidInputError, match="kind must be"):
            _core.fit_residual_leaves(trees, target, scores, kind, [option], 1.0, 1.0)
    with pytest.raises(InvalidInputError, match="one value for each row"):
        _core.fit_residual_leaves(trees, target[:5], scores, "quantile", [0.5], 1.0, 1.0)
    with pytest.raises(InvalidInputError, match="a rule for each output"):
        _core.fit_residual_leaves(trees, target, np.zeros((2, 300)), "quantile", [0.1, 0.5], 1, 1)

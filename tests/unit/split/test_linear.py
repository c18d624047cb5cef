"""Splits that gain by linear models, against a reference that solves children from their rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Ridge

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.testing.linear_gain import LinearNode, LinearTable, grow_linear
from ceiba.testing.reference import bin_codes
from ceiba.testing.trees import Plan

FITS = ["additive", "half_additive", "full"]


def make_rows(seed: int, n_rows: int = 200, n_columns: int = 4):
    """Return a table with missing values, a coarse and a shifted column, gradients and hessians."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_columns))
    X[:, 1] = np.round(2 * X[:, 1])
    X[:, 2] = 1e5 + 30 * X[:, 2]
    signal = np.where(X[:, 0] > 0, X[:, 0], -0.5) * 2 + X[:, 1] * (X[:, 2] > 1e5)
    X[random.random(X.shape) < 0.05] = np.nan
    gradients = -np.nan_to_num(signal) + 0.3 * random.normal(size=n_rows)
    return X, gradients, random.random(n_rows) + 0.2


def bin_values(mapper: _core.BinMapper, columns, weights=None) -> list[list[float]]:
    regressors = _core.Regressors.build(columns, list(range(len(columns))), 1)
    return mapper.values(regressors, weights, 1)


def grow_engine(X, gradients, hessians, plan: Plan, weights=None, max_bins=12, **rule):
    """Return what the reference would be told, the arrays of the engine's tree and its bins."""
    columns = [[X[:, j]] for j in range(X.shape[1])]
    mapper = _core.BinMapper.find(columns, weights, max_bins, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1, False)
    values = bin_values(mapper, columns, weights)
    times = np.ones(len(X)) if weights is None else weights
    whole = weights is None or not (weights % 1).any()
    table = LinearTable(
        bin_codes(mapper, X),
        [len(mapper.edges(j)) + 1 for j in range(X.shape[1])],
        values,
        gradients * times,
        (np.ones(len(X)) if hessians is None else hessians) * times,
        times if whole else np.ones(len(X)),
        plan,
        **rule,
    )
    linear = _core.LinearRule(
        fit=table.fit,
        max_features=table.max_features,
        linear_lambda=table.linear_lambda,
        features=None if table.features is None else list(table.features),
        values=values,
    )
    engine = _core.GrowPlan(
        max_leaves=plan.max_leaves,
        max_depth=plan.max_depth,
        min_samples_leaf=plan.min_samples_leaf,
        min_child_weight=plan.min_child_weight,
        reg_lambda=plan.reg_lambda,
        grow_policy=plan.grow_policy,
        linear_gain=linear,
    )
    grower = _core.Grower(_core.GrowerTable(binned), engine, weights, 1)
    each = None if hessians is None else hessians[None, :]
    trees = grower.grow(gradients[None, :], each, 1.0, None, 0)
    return table, trees.arrays(), mapper


def grow_both(*args, **rule):
    """Return the nodes of the reference, the arrays of the engine's tree and its bins."""
    table, arrays, mapper = grow_engine(*args, **rule)
    return grow_linear(table), arrays, mapper


def check(nodes: list[LinearNode], arrays: dict[str, np.ndarray], mapper: _core.BinMapper) -> None:
    """Compare trees from their roots; where two splits gain alike, either will do."""
    pairs = [(nodes[0], 0)]
    gains = sorted(node.gain for node in nodes if node.children is not None)
    scale = max(gains, default=1.0)
    split_gains = sorted(arrays["gain"][arrays["feature"] >= 0])
    assert len(gains) == len(split_gains)
    np.testing.assert_allclose(split_gains, gains, rtol=1e-6, atol=1e-9 * scale)
    while pairs:
        node, at = pairs.pop()
        assert (node.children is None) == (arrays["feature"][at] < 0)
        if node.children is None:
            continue
        assert arrays["gain"][at] == pytest.approx(node.gain, rel=1e-6, abs=1e-9 * scale)
        assert arrays["feature"][at] == node.feature
        edges = mapper.edges(node.feature)
        edge = edges[node.bin] if node.bin < len(edges) else np.inf
        assert arrays["threshold"][at] == edge
        pairs += [(node.children[0], arrays["left"][at]), (node.children[1], arrays["right"][at])]


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("avx2", [False, True])
@given(
    seed=st.integers(0, 10_000),
    linear_lambda=st.sampled_from([0.0, 0.1, 5.0]),
    reg_lambda=st.sampled_from([0.0, 1.0]),
    max_features=st.sampled_from([1, 2, 5]),
    constant=st.booleans(),
    given_columns=st.sampled_from([None, None, (0,), (2, 1)]),
)
@settings(max_examples=12)
def test_trees_are_those_of_the_reference(
    fit: str,
    avx2: bool,
    seed: int,
    linear_lambda: float,
    reg_lambda: float,
    max_features: int,
    constant: bool,
    given_columns: tuple[int, ...] | None,
) -> None:
    _core.set_avx2(avx2)
    X, gradients, hessians = make_rows(seed)
    plan = Plan(max_leaves=6, min_samples_leaf=12, reg_lambda=reg_lambda)
    nodes, arrays, mapper = grow_both(
        X,
        gradients,
        None if constant else hessians,
        plan,
        fit=fit,
        linear_lambda=linear_lambda,
        max_features=max_features,
        features=given_columns,
    )
    check(nodes, arrays, mapper)


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("kind", ["whole", "real"])
def test_weights(fit: str, kind: str) -> None:
    X, gradients, hessians = make_rows(5)
    random = np.random.default_rng(1)
    weights = random.integers(1, 4, len(X)).astype(float)
    if kind == "real":
        weights = random.random(len(X)) + 0.5
    plan = Plan(max_leaves=5, min_samples_leaf=10, min_child_weight=4.0, reg_lambda=0.5)
    check(*grow_both(X, gradients, hessians, plan, weights, fit=fit, linear_lambda=0.3))


@pytest.mark.parametrize("fit", FITS)
def test_columns_of_two_bins_gain_by_lines(fit: str) -> None:
    """Several of them side by side: constants scan such columns together."""
    X, gradients, hessians = make_rows(3, n_columns=8)
    X[:, 2:] = X[:, 2:] > np.nanmedian(X[:, 2:], axis=0)
    gradients -= X[:, 3] * np.nan_to_num(X[:, 0]) + 0.1 * X[:, 5]
    plan = Plan(max_leaves=6, min_samples_leaf=12)
    check(*grow_both(X, gradients, hessians, plan, fit=fit, linear_lambda=0.1))


@pytest.mark.parametrize("fit", FITS)
def test_few_rows_and_collinear_columns_get_constants(fit: str) -> None:
    X, gradients, hessians = make_rows(9, n_rows=60)
    X[:, 3] = 2 * X[:, 0] + 1
    plan = Plan(max_leaves=12, min_samples_leaf=1)
    nodes, arrays, _ = grow_both(X, gradients, hessians, plan, fit=fit)
    assert len(arrays["gain"]) == len(nodes)
    assert np.isfinite(arrays["gain"]).all()


@pytest.mark.threads
@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_threads_shards_and_the_order_of_rows_change_nothing(fit: str, policy: str) -> None:
    X, gradients, hessians = make_rows(2, n_rows=3000, n_columns=6)
    found = []
    for n_threads, order in ((1, np.arange(3000)), (3, np.random.default_rng(0).permutation(3000))):
        if n_threads > 1:
            _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0, shard_rows=700)
        columns = [[X[order, j]] for j in range(X.shape[1])]
        mapper = _core.BinMapper.find(columns, None, 64, 1, n_threads)
        binned = _core.BinnedMatrix.build(mapper, columns, n_threads, False)
        linear = _core.LinearRule(fit=fit, linear_lambda=0.5, values=bin_values(mapper, columns))
        plan = _core.GrowPlan(linear_gain=linear, max_leaves=12, max_depth=3, grow_policy=policy)
        grower = _core.Grower(_core.GrowerTable(binned), plan, None, n_threads)
        trees = grower.grow(gradients[None, order], hessians[None, order], 1.0, None, 0)
        found.append(trees.arrays())
    for name in ("feature", "threshold", "gain", "left", "right"):
        np.testing.assert_array_equal(found[0][name], found[1][name])
    assert len(found[0]["gain"]) > 7


def test_one_line_needs_no_threshold() -> None:
    """What is linear in a column is told by slopes; constants need many leaves for it."""
    x = np.linspace(-1, 1, 400)
    plan = Plan(max_leaves=2)
    nodes, arrays, _ = grow_both(x[:, None], -3 * x, None, plan, max_bins=200)
    assert arrays["gain"][0] == pytest.approx(nodes[0].gain, rel=1e-9)
    assert arrays["gain"][0] > 0.999 * (9 * x @ x)


def test_a_rule_needs_values_of_all_bins() -> None:
    columns = [[np.arange(4.0)]]
    mapper = _core.BinMapper.find(columns, None, 8, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1, False)
    plan = _core.GrowPlan(linear_gain=_core.LinearRule(fit="full"))
    with pytest.raises(InvalidInputError, match="value of each bin"):
        _core.Grower(_core.GrowerTable(binned), plan, None, 1).grow(
            np.zeros((1, 4)), None, 1.0, None, 0
        )
    with pytest.raises(InvalidInputError, match="given regressor"):
        _core.LinearRule(fit="full", features=[1], values=bin_values(mapper, columns))


def fall_of_ridge(Z, gradients, hessians, penalty: float) -> float:
    """Return what a weighted ridge of scikit-learn makes the objective of rows fall by, doubled."""
    target = -gradients / hessians
    model = Ridge(alpha=penalty, solver="cholesky").fit(Z, target, sample_weight=hessians)
    rest = hessians @ (target - model.predict(Z)) ** 2 + penalty * model.coef_ @ model.coef_
    return float(hessians @ target**2 - rest)


def test_full_fits_are_weighted_ridges() -> None:
    """The gain of 250 splits, and so the fits of 500 children."""
    for seed in range(250):
        random = np.random.default_rng(seed)
        X = random.normal(size=(80, 4))
        hessians = random.random(80) + 0.1
        gradients = hessians * (np.where(X[:, 3] > 0, 1, -2) * X[:, 0] + X[:, 1] + X[:, 3])
        gradients += 0.2 * random.normal(size=80)
        penalty = float(random.choice([1e-3, 0.1, 2.0]))
        plan = Plan(max_leaves=2, min_samples_leaf=12)
        table, arrays, mapper = grow_engine(
            X, gradients, hessians, plan, fit="full", linear_lambda=penalty, features=(0, 1, 2)
        )
        values = table.values
        codes = bin_codes(mapper, X)
        Z = np.column_stack([np.asarray(values[j])[codes[:, j]] for j in range(3)])
        left = X[:, arrays["feature"][0]] <= arrays["threshold"][0]
        falls = [
            fall_of_ridge(Z[rows], gradients[rows], hessians[rows], penalty)
            for rows in (left, ~left, left | True)
        ]
        expected = falls[0] + falls[1] - falls[2]
        assert arrays["gain"][0] == pytest.approx(expected, rel=1e-6, abs=1e-9 * falls[2])

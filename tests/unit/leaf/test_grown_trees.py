"""Leaves of several outputs: each has what a tree of its own with the same splits would have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError

RANDOM = np.random.default_rng(0)
N = 500
X = RANDOM.normal(size=(N, 3)).round(1)
X[RANDOM.random(X.shape) < 0.1] = np.nan
COLUMNS = [[X[:, j]] for j in range(3)]
TARGET = np.nan_to_num(X[:, 0]) + RANDOM.normal(size=N)
GRADIENTS = RANDOM.normal(size=(2, N)) * [[1.0], [50.0]]
GRADIENTS[1] -= 20 * np.nan_to_num(X[:, 0])
HESSIANS = np.abs(RANDOM.normal(size=(2, N))) * [[1.0], [1e-3]]
# A node has one cover, that of the first output, and inner values are means weighted by it.
SAME = HESSIANS[[0, 0]]
WEIGHTS = {"none": None, "real": np.exp(RANDOM.normal(size=N))}
PLANS: dict[str, dict[str, Any]] = {
    "leafwise": {},
    "symmetric": {"grow_policy": "symmetric", "max_depth": 5, "min_samples_leaf": 1},
}


def make_grower(plan: str, weights: str) -> Any:
    mapper = _core.BinMapper.find(COLUMNS, WEIGHTS[weights], 64, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, COLUMNS, 1)
    return _core.Grower(
        _core.GrowerTable(binned), _core.GrowPlan(**PLANS[plan]), WEIGHTS[weights], 1
    ), binned


def grow_shared(grower: Any, rows: Any = None) -> Any:
    """Return one tree with leaves of two outputs, grown on the first of two gradients."""
    return grower.grow(GRADIENTS[:1], HESSIANS[:1], 0.0, rows, 0, leaf_width=2)


def adopt_alone(grower: Any, shared: Any, output: int, hessians: Any = HESSIANS) -> Any:
    """Return the same tree with leaves of one output."""
    arrays = shared.arrays()
    forest = _core.Forest(3, 1, {**arrays, "value": np.zeros(len(arrays["feature"]))})
    leaves = forest.apply_matrix(X, 0, 1, 1)
    return grower.adopt(
        forest, 0, leaves, GRADIENTS[output : output + 1], hessians[output : output + 1], 0.0
    )


def fit_constant(trees: Any, outputs: slice) -> None:
    _core.fit_constant_leaves(trees, GRADIENTS[outputs], HESSIANS[outputs], 0.0, 0.1)


def fit_residual(trees: Any, outputs: slice) -> None:
    scores = np.array([np.zeros(N), np.ones(N)])[outputs]
    levels = [0.2, 0.7][outputs]
    _core.fit_residual_leaves(trees, TARGET, scores, "quantile", levels, 1.0, 0.1)


def fit_steps(trees: Any, outputs: slice) -> None:
    trees.begin_steps(GRADIENTS[outputs], SAME[outputs], 0.0)
    for factor in (0.5, 0.1):
        trees.step(factor * GRADIENTS[outputs], SAME[outputs], 0.0)
    trees.end_steps(0.1)


def fit_shortened(trees: Any, outputs: slice) -> None:
    _core.fit_constant_leaves(trees, GRADIENTS[outputs], HESSIANS[outputs], 0.0, 1.0)
    trees.shorten_leaves(1.5, 1.0)


FITS = [fit_constant, fit_residual, fit_steps, fit_shortened]


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_a_leaf_of_two_outputs_has_the_values_of_two_leaves(
    plan: str, weights: str, fit: Any
) -> None:
    grower, binned = make_grower(plan, weights)
    shared = grow_shared(grower)
    assert shared.n_trees == 1
    fit(shared, slice(0, 2))
    values = shared.arrays()["value"]
    scores = np.arange(2.0 * N).reshape(2, N)
    moved, in_place, by_bins = np.empty_like(scores), scores.copy(), scores.copy()
    shared.add_to_scores(scores, moved)
    shared.add_to_scores(in_place)
    shared.add_to_binned_scores(binned, by_bins)
    for output in range(2):
        alone = adopt_alone(grower, shared, output, SAME if fit is fit_steps else HESSIANS)
        fit(alone, slice(output, output + 1))
        arrays = alone.arrays()
        assert arrays["value"].ndim == 1
        np.testing.assert_array_equal(values[:, output], arrays["value"])
        if output == 0:
            np.testing.assert_array_equal(shared.arrays()["cover"], arrays["cover"])
        expected = scores[output : output + 1].copy()
        alone.add_to_scores(expected)
        for way in (moved, in_place, by_bins):
            np.testing.assert_array_equal(way[output], expected[0])
    forest = _core.Forest.from_grown([shared], 3, 2)
    predicted = scores.T.copy()
    forest.add_matrix(X, predicted, 0, 1, 1)
    np.testing.assert_array_equal(predicted.T, moved)


def test_every_output_is_monotone() -> None:
    rules = _core.ColumnConstraints(monotone=[1, -1, 0])
    plan = _core.GrowPlan(columns=rules)
    free, binned = make_grower("leafwise", "none")
    shared = grow_shared(_core.Grower(_core.GrowerTable(binned), plan, None, 1))
    fit_residual(shared, slice(0, 2))
    arrays = shared.arrays()
    shape = {
        name: arrays[name] for name in ("tree_offsets", "feature", "threshold", "left", "right")
    }
    for output in range(2):
        alone = adopt_alone(free, shared, output)
        fit_residual(alone, slice(output, output + 1))
        values = alone.arrays()["value"]
        unordered = values.copy()
        _core.make_leaves_monotone(**shape, directions=[1, -1, 0], value=values)
        assert (values != unordered).any()
        np.testing.assert_array_equal(arrays["value"][:, output], values)


def test_rows_that_the_tree_was_not_grown_on_have_leaves_too() -> None:
    grower, binned = make_grower("leafwise", "none")
    shared = grow_shared(grower, np.arange(0, N, 3, dtype=np.int32))
    fit_constant(shared, slice(0, 2))
    scores, by_bins = np.zeros((2, N)), np.zeros((2, N))
    shared.add_to_scores(scores)
    shared.add_to_binned_scores(binned, by_bins)
    np.testing.assert_array_equal(scores, by_bins)
    assert (scores != 0).all()


def test_every_output_has_its_gradients_and_scores() -> None:
    grower, _ = make_grower("leafwise", "none")
    shared = grow_shared(grower)
    with pytest.raises(InvalidInputError, match="gradients for each output"):
        fit_constant(shared, slice(0, 1))
    with pytest.raises(InvalidInputError, match="a rule for each output"):
        fit_residual(shared, slice(0, 1))
    with pytest.raises(InvalidInputError, match=r"must have the shape \(2, 500\)"):
        shared.add_to_scores(np.zeros((1, N)))
    with pytest.raises(InvalidInputError, match="leaf_width must be 1 or more"):
        grower.grow(GRADIENTS[:1], None, 1.0, None, 0, leaf_width=0)
    grow_shared(grower)
    with pytest.raises(InvalidInputError, match="no longer know the rows"):
        fit_constant(shared, slice(0, 2))


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("all_rows", [False, True])
@pytest.mark.parametrize("plan", PLANS)
def test_leaves_have_the_rows_of_another_table(plan: str, all_rows: bool, sampled: bool) -> None:
    mapper = _core.BinMapper.find(COLUMNS, None, 64, 1, 1)
    first = _core.BinnedMatrix.build(mapper, COLUMNS, 1)
    other = _core.BinnedMatrix.build(mapper, [[X[::-1, j].copy()] for j in range(3)], 1)
    rows = np.arange(0, N, 3, dtype=np.int32) if sampled else None
    settled = _core.GrowPlan(**PLANS[plan], leaves_of_all_rows=all_rows)
    moved = _core.Grower(_core.GrowerTable(first, of_leaves=other), settled, None, 1)
    trees = moved.grow(GRADIENTS[:1], HESSIANS[:1], 0.0, rows, 0)
    plain = _core.Grower(_core.GrowerTable(first), settled, None, 1).grow(
        GRADIENTS[:1], HESSIANS[:1], 0.0, rows, 0
    )
    assert np.array_equal(trees.arrays()["threshold"], plain.arrays()["threshold"])
    assert np.array_equal(trees.arrays()["count"], plain.arrays()["count"])
    leaves = np.asarray(trees.leaves())[0]
    assert np.array_equal(leaves, np.asarray(plain.leaves(other))[0])
    assert np.array_equal(leaves, np.asarray(plain.leaves())[0][::-1])
    _core.fit_constant_leaves(trees, GRADIENTS[:1], HESSIANS[:1], 0.0, 0.1)
    values, fitted = trees.arrays()["value"], np.arange(N)
    if sampled and not all_rows:
        fitted = rows
    for leaf in np.unique(leaves[fitted]):
        at = fitted[leaves[fitted] == leaf]
        step = -0.1 * GRADIENTS[0, at].sum() / (HESSIANS[0, at].sum() + settled.reg_lambda)
        assert values[leaf] == pytest.approx(step)
    scores = np.zeros((1, N))
    trees.add_to_scores(scores)
    assert np.array_equal(scores[0], values[leaves])


def test_other_tables_that_leaves_cannot_have() -> None:
    mapper = _core.BinMapper.find(COLUMNS, None, 64, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, COLUMNS, 1)
    shorter = _core.BinnedMatrix.build(mapper, [[X[1:, j].copy()] for j in range(3)], 1)
    with pytest.raises(InvalidInputError, match="the other has the same rows and columns"):
        _core.Grower(_core.GrowerTable(binned, of_leaves=shorter), _core.GrowPlan(), None, 1)

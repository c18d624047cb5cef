"""Rows with multipliers: a tree is that of the selected rows with weights times multipliers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement import check_trees
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.testing.strategies import Case, cases, make_weights

KINDS = ("whole", "large whole", "real")


def with_multipliers(case: Case, seed: int, kind: str) -> tuple[Case, np.ndarray]:
    """Return the case whose weights are multiplied, and the multipliers of its selected rows."""
    n_rows = case.gradients.shape[1]
    multipliers = make_weights(seed, n_rows, kind)
    weights = np.ones(n_rows) if case.weights is None else case.weights
    together = weights * multipliers
    if case.rows is not None:
        # What is true of the weights follows from the selected rows alone.
        outside = np.setdiff1d(np.arange(n_rows), case.rows)
        together[outside] = 1.0
        multipliers = multipliers[case.rows]
    return replace(case, weights=together), multipliers


@given(
    case=cases(max_bins=(16,)),
    seed=st.integers(0, 1000),
    kind=st.sampled_from(KINDS),
    n_threads=st.sampled_from([1, 2]),
)
@settings(max_examples=300)
def test_against_the_reference(case: Case, seed: int, kind: str, n_threads: int) -> None:
    mapper = case.bin_mapper()
    multiplied, multipliers = with_multipliers(case, seed, kind)
    binned = _core.BinnedMatrix.build(mapper, case.columns(), n_threads)
    grower = _core.Grower(
        _core.GrowerTable(binned), case.plan.for_engine(), case.weights, n_threads
    )
    for _ in range(2):  # and once more, without what the first round left
        grown = grower.grow(
            case.gradients,
            case.hessians,
            case.constant_hessian,
            case.rows,
            case.round,
            multipliers=multipliers,
        )
        _core.fit_constant_leaves(
            grown, case.gradients, case.hessians, case.constant_hessian, case.learning_rate
        )
        check_trees(grown.arrays(), multiplied.grow_reference(mapper))
    check_trees(case.trees_of(grower).arrays(), case.grow_reference(mapper))


def small_grower() -> _core.Grower:
    columns = [[np.arange(6.0)]]
    mapper = _core.BinMapper.find(columns, None, 8, 1, 1)
    return _core.Grower(
        _core.GrowerTable(_core.BinnedMatrix.build(mapper, columns, 1)), _core.GrowPlan(), None, 1
    )


@pytest.mark.parametrize(
    ("multipliers", "message"),
    [
        ([1.0, 1.0], "multiplier for each of the 3 selected rows. Got 2"),
        ([1.0, 0.0, 1.0], "positive and finite. Got 0"),
        ([1.0, np.inf, 1.0], "positive and finite. Got inf"),
    ],
)
def test_bad_multipliers(multipliers: list[float], message: str) -> None:
    rows = np.array([0, 2, 4], dtype=np.int32)
    with pytest.raises(InvalidInputError, match=message):
        small_grower().grow(np.ones((1, 6)), None, 1.0, rows, 0, multipliers=np.array(multipliers))

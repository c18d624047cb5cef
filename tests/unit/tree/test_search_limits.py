"""Settings that a split search does not support: refused by growers, conflicts of parameters."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.parameters.resolving import resolve
from ceiba.testing.reference import Plan

X = np.arange(60.0)
#: Parameters of searches and settings by the names of ``_core.search_limits()``.
PARAMETERS = {
    "exact": {"split_method": "exact"},
    "approx": {"split_method": "approx"},
    "approx_node": {"split_method": "approx", "approx_scope": "node"},
    "linear": {"leaf_model": "linear", "linear_fit": "gain"},
    "vector_leaves": {"multi_strategy": "vector_leaf"},
    "extra_trees": {"extra_trees": True},
    "cosine": {"split_score": "cosine"},
    "noise": {"random_strength": 1.0},
    "monotone": {"monotone_constraints": [1]},
}
LIMITS = [(search, name) for search, names in _core.search_limits().items() for name in names]


@pytest.mark.parametrize(("search", "setting"), LIMITS)
def test_limits_that_users_can_ask_for_are_conflicts(search: str, setting: str) -> None:
    if search in PARAMETERS and setting in PARAMETERS:
        with pytest.raises(InvalidParameterError, match="does not support"):
            resolve({**PARAMETERS[search], **PARAMETERS[setting]})


@pytest.mark.parametrize("plan", [{"extra_trees": True}, {"score": "cosine"}])
def test_a_grower_refuses_before_any_work(plan: dict) -> None:
    columns = [[X]]
    mapper = _core.BinMapper.find(columns, None, 16, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1, lists=False)
    ranked = _core.RankedColumns.build(columns, 1)
    grower = _core.Grower(_core.GrowerTable(binned, ranked), Plan(**plan).for_engine(), None, 1)
    with pytest.raises(InvalidInputError, match="split search 'exact' does not support"):
        grower.grow(np.ones((1, 60)), None, 1.0, None, 0)

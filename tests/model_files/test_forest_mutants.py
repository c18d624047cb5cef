"""Files of trees and forests, damaged: what is not whole does not load, what loads answers."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hybrid_cases import mixed_frame, mixed_target, target_for
from sklearn.base import clone

from ceiba import (
    CeibaForestClassifier,
    CeibaForestRegressor,
    CeibaTreeClassifier,
    CeibaTreeRegressor,
)
from ceiba.errors import CeibaError
from ceiba.model.checksum import seal

sys.path.insert(0, str(Path(__file__).parent))
from mutants import (
    cut,
    flip,
    hostile_lengths,
    hostile_levels,
    hostile_parameters,
    splice,
    swap_integers,
)

FRAME = mixed_frame(120)
Y = mixed_target(FRAME)
ESTIMATORS: tuple[Any, ...] = (
    CeibaForestClassifier(n_estimators=4, random_state=0),
    CeibaForestClassifier(n_estimators=3, criterion="entropy", max_depth=4, random_state=0),
    CeibaForestRegressor(n_estimators=4, random_state=0),
    CeibaForestRegressor(n_estimators=4, extra_trees=True, max_leaf_nodes=9, random_state=0),
    CeibaTreeClassifier(random_state=0),
    CeibaTreeRegressor(max_depth=4, random_state=0),
)
EACH = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
PER_ESTIMATOR = 60


def file_of(estimator: Any, n_classes: int = 3) -> bytes:
    file = io.BytesIO()
    fitted = clone(estimator).fit(FRAME, target_for(estimator, Y, n_classes))
    fitted.save_model(file)
    return file.getvalue()


def use(estimator: Any) -> None:
    """Ask for everything that reads the trees."""
    answered = estimator.predict_proba if hasattr(estimator, "predict_proba") else estimator.predict
    for rows in (FRAME, FRAME[:1]):
        assert np.isfinite(answered(rows)).all()
    assert estimator.apply(FRAME).shape[0] == len(FRAME)
    assert np.isfinite(estimator.feature_importances_).all()
    estimator.model_.trees_to_frame()


@EACH
def test_no_damage_goes_unnoticed(estimator: Any) -> None:
    data, other = file_of(estimator), file_of(ESTIMATORS[0], n_classes=2)
    random = np.random.default_rng(0)
    ways = (cut, flip, splice, swap_integers, hostile_lengths)
    for k in range(PER_ESTIMATOR):
        damaged = ways[k % len(ways)](random, data, other)
        if damaged == data:
            continue
        with pytest.raises(CeibaError):
            type(estimator)().load_model(io.BytesIO(damaged))


@EACH
def test_sealed_again_a_file_loads_whole_or_not_at_all(estimator: Any) -> None:
    data = file_of(estimator)
    random = np.random.default_rng(1)
    loaded = 0
    for mutate in (swap_integers, hostile_lengths, hostile_parameters, hostile_levels):
        for _ in range(PER_ESTIMATOR):
            mutant = mutate(random, data, data)
            try:
                again = type(estimator)().load_model(io.BytesIO(seal(mutant)))
            except CeibaError:
                continue
            loaded += 1
            try:
                with np.errstate(all="ignore"):
                    use(again)
            except CeibaError:
                continue  # of a column that is not there now, say
    assert loaded, "the sealed ones must get past the checksum, or they test nothing"

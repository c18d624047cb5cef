"""Files of hybrids, damaged: none that is not whole loads, and none that loads fails later."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hybrid_cases import CLASSIFIERS, HYBRIDS, mixed_frame, mixed_target, target_for
from sklearn.base import clone

from ceiba.errors import CeibaError
from ceiba.model.checksum import seal

sys.path.insert(0, str(Path(__file__).parent))
from mutants import (
    cut,
    flip,
    header_end,
    hostile_lengths,
    splice,
    swap_integers,
)

FRAME = mixed_frame(120)
Y = mixed_target(FRAME)
EACH = pytest.mark.parametrize("hybrid", HYBRIDS, ids=lambda one: type(one).__name__)
PER_HYBRID = 60
HOSTILE = (None, True, -1, 2**70, 1e308, "x", [], {}, [[]], [[1]], [[[0, 1.0, [], True, False]]])


def file_of(hybrid: Any) -> bytes:
    file = io.BytesIO()
    clone(hybrid).fit(FRAME, target_for(hybrid, Y)).save_model(file)
    return file.getvalue()


def answers(hybrid: Any) -> np.ndarray:
    answered = hybrid.predict_proba if hasattr(hybrid, "predict_proba") else hybrid.predict
    result: np.ndarray = answered(FRAME)
    return result


def described(data: bytes, key: str, value: Any) -> bytes:
    """Return the file with another value in its description."""
    end = header_end(data)
    header = json.loads(data[8:end])
    description = json.loads(header["__metadata__"]["ceiba"])
    description[key] = value
    header["__metadata__"]["ceiba"] = json.dumps(description)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[end:]


@EACH
def test_no_damage_goes_unnoticed(hybrid: Any) -> None:
    data, other = file_of(hybrid), file_of(CLASSIFIERS[0])
    random = np.random.default_rng(0)
    ways = (cut, flip, splice, swap_integers, hostile_lengths)
    for k in range(PER_HYBRID):
        damaged = ways[k % len(ways)](random, data, other)
        if damaged == data:
            continue
        with pytest.raises(CeibaError):
            type(hybrid)().load_model(io.BytesIO(damaged))


@EACH
def test_sealed_again_a_file_loads_whole_or_not_at_all(hybrid: Any) -> None:
    data = file_of(hybrid)
    random = np.random.default_rng(1)
    mutants = [swap_integers(random, data, data) for _ in range(PER_HYBRID)]
    mutants += [hostile_lengths(random, data, data) for _ in range(PER_HYBRID)]
    for key in ("format_version", "hybrid", "schema", "classes", "values", "parameters"):
        mutants += [described(data, key, value) for value in HOSTILE]
    mutants += [described(data, "values", {"rules": value}) for value in HOSTILE]
    loaded = 0
    for mutant in mutants:
        try:
            again = type(hybrid)().load_model(io.BytesIO(seal(mutant)))
        except CeibaError:
            continue
        loaded += 1
        try:
            with np.errstate(all="ignore"):
                answered = answers(again)
        except CeibaError:
            continue  # of a column that is not there now, say
        assert answered.shape[0] == len(FRAME)
        again.summary()
    assert loaded, "the sealed ones must get past the checksum, or they test nothing"

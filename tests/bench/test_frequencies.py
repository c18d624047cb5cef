"""The benchmark of claim frequencies: its arithmetic, and what it is there to show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks import frequencies


def test_table_compares_with_the_better_judge() -> None:
    found = {"lightgbm": [1.0, 2.0], "scikit-learn": [1.1, 1.9], "ceiba auto": [0.99, 1.9095]}
    above = frequencies.against_judges(found)
    np.testing.assert_allclose(above["ceiba auto"], [-0.01, 0.005], rtol=1e-12)
    words = frequencies.table(found)
    assert words.count("kept") == 1
    assert "-0.2500% (worst +0.5000%) kept" in words


@pytest.mark.slow
@pytest.mark.parity
@pytest.mark.parametrize("seed", range(2))
def test_frequencies_are_as_good_as_the_peers(data_folder: Path, seed: int) -> None:
    pytest.importorskip("lightgbm")
    data = frequencies.load()
    best = min(
        frequencies.deviance(frequencies.LIBRARIES[name], data, seed, 100, 1)
        for name in frequencies.JUDGES
    )
    ours = frequencies.deviance(frequencies.LIBRARIES["ceiba auto"], data, seed, 100, 1)
    assert ours <= best * (1.0 + frequencies.TOLERANCE)

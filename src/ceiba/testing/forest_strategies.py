"""Hypothesis strategies for forests: numeric and categorical splits, scalar and vector leaves.

Needs hypothesis, which is not a dependency of ceiba.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import MissingDependencyError
from ceiba.testing.forests import (
    Arrays,
    leaves_of,
    random_forest,
    random_rows,
    raw_scores,
    with_linear_leaves,
    with_sets,
)

try:
    from hypothesis import strategies as st
except ImportError as error:  # pragma: no cover
    raise MissingDependencyError(
        "ceiba.testing.forest_strategies needs hypothesis. Install it with: pip install hypothesis"
    ) from error

__all__ = ["ForestCase", "forest_cases"]

#: Numbers of levels around the limits of a byte, a word and the codes of numbers.
LEVELS = (1, 2, 7, 63, 64, 65, 255, 256, 257, 1000, 5000)


@dataclass(frozen=True)
class ForestCase:
    """A forest and rows to predict."""

    arrays: Arrays
    n_outputs: int
    n_levels: tuple[int, ...]  # of each column; 0: numeric
    X: NDArray[np.float64]

    def forest(self) -> _core.Forest:
        """Return the C++ forest."""
        return _core.Forest(self.X.shape[1], self.n_outputs, self.arrays)

    def scores(self) -> NDArray[np.float64]:
        """Return the scores of the rows by the reference."""
        return raw_scores(self.arrays, self.X, self.n_outputs)

    def leaves(self) -> NDArray[np.int32]:
        """Return the leaf indices of the rows by the reference."""
        return leaves_of(self.arrays, self.X)

    def columns(self, dtype: Any) -> list[NDArray[Any]]:
        """Return the columns; level columns as ``dtype`` if it can hold all their values."""
        columns: list[NDArray[Any]] = []
        for count, column in zip(self.n_levels, self.X.T, strict=True):
            with np.errstate(invalid="ignore"):
                other = column.astype(dtype)
            same = np.array_equal(other.astype(np.float64), column, equal_nan=True)
            columns.append(other if count and same else column)
        return columns


@st.composite
def forest_cases(
    draw: st.DrawFn, *, max_rows: int = 600, max_trees: int = 12, plain: bool = False
) -> ForestCase:
    """Forests of every shape. With ``plain``, level columns hold only whole numbers."""
    n_features = draw(st.integers(1, 4), label="n_features")
    n_levels = tuple(draw(st.sampled_from((0, *LEVELS))) for _ in range(n_features))
    n_outputs = draw(st.integers(1, 6), label="n_outputs")
    leaf_width = draw(st.sampled_from((1, n_outputs)), label="leaf_width")
    n_iterations = draw(st.integers(0, max(1, max_trees // (n_outputs // leaf_width))))
    seed = draw(st.integers(0, 2**32 - 1), label="seed")
    arrays = random_forest(
        seed,
        kind=draw(st.sampled_from(("general", "symmetric", "chain", "mixed"))),
        n_trees=n_iterations * n_outputs // leaf_width,
        n_features=n_features,
        n_leaves=draw(st.sampled_from((1, 2, 8, 31, 256, 300))),
        n_thresholds=draw(st.sampled_from((None, 5, 300))),
        leaf_width=leaf_width,
    )
    X = random_rows(seed, draw(st.integers(1, max_rows), label="n_rows"), n_features, n_levels)
    if plain:
        for j in np.flatnonzero(n_levels):
            X[:, j] = np.abs(np.nan_to_num(np.floor(X[:, j]), posinf=3.0)) % (n_levels[j] + 2)
    arrays = with_sets(arrays, n_levels, seed)
    if draw(st.booleans(), label="lines"):
        categories = np.flatnonzero(n_levels).tolist()
        extrapolates = draw(st.booleans(), label="extrapolates")
        arrays = with_linear_leaves(
            arrays, n_features, seed, categories=categories, extrapolates=extrapolates
        )
    return ForestCase(arrays, n_outputs, n_levels, X)

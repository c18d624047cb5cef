"""Histograms are planes of words; a statistic of three planes is summed like any other."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError

RANDOM = np.random.default_rng(5)


def expected(codes: np.ndarray, n_bins: list[int], words: np.ndarray, rows: np.ndarray):
    """Return the sums [n_planes, all bins] of some rows."""
    planes = []
    for plane in words:
        parts = []
        for column, n in zip(codes.T, n_bins, strict=True):
            sums = np.zeros(n, dtype=np.uint64)
            np.add.at(sums, column[rows], plane[rows])
            parts.append(sums)
        planes.append(np.concatenate(parts))
    return np.array(planes)


@pytest.mark.threads
@pytest.mark.parametrize("n_planes", [1, 2, 3, 7])
@pytest.mark.parametrize("kind", ["bytes", "shorts", "bundles"])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_sums_of_planes(n_planes: int, kind: str, n_threads: int) -> None:
    n_rows = 9000
    if kind == "bundles":  # one-hot columns, which share columns of codes
        X = (RANDOM.integers(0, 30, size=(n_rows, 1)) == np.arange(30)).astype(np.float64)
    else:
        X = RANDOM.integers(0, 20 if kind == "bytes" else 700, size=(n_rows, 5)).astype(float)
    columns = [[X[:, j]] for j in range(X.shape[1])]
    mapper = _core.BinMapper.find(columns, None, 1000, 1, 1)
    _core.change_settings(chunk_rows=64, serial_below=0)
    shard = _core.ShardRows(_core.BinnedMatrix.build(mapper, columns, 1), n_threads)
    words = RANDOM.integers(0, 2**63, size=(n_planes, n_rows), dtype=np.uint64)
    shard.take_planes(words)

    codes = np.column_stack([np.searchsorted(mapper.edges(j), X[:, j]) for j in range(X.shape[1])])
    n_bins = [mapper.n_bins(j) for j in range(X.shape[1])]
    all_rows = np.arange(n_rows)
    (root,) = shard.sum([0])
    np.testing.assert_array_equal(root, expected(codes, n_bins, words, all_rows))

    # Rows of a child, and what is left of the parent for the other.
    sizes = shard.apply(np.array([[0, 1, 2, 2, 0, 0]]), [None])
    left = codes[:, 2] <= 0
    assert sizes.tolist() == [[left.sum(), (~left).sum()]]
    below = shard.sum([1, 2])
    np.testing.assert_array_equal(below[0], expected(codes, n_bins, words, all_rows[left]))
    np.testing.assert_array_equal(below[0] + below[1], root)


def test_planes_need_a_word_for_each_row() -> None:
    columns = [[np.arange(4.0)]]
    mapper = _core.BinMapper.find(columns, None, 8, 1, 1)
    shard = _core.ShardRows(_core.BinnedMatrix.build(mapper, columns, 1), 1)
    with pytest.raises(InvalidInputError, match="one word for each row"):
        shard.take_planes(np.zeros((3, 5), dtype=np.uint64))

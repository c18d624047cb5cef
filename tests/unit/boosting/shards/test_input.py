"""Rows are divided into shards of about the same size, queries in one of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset
from ceiba.boosting.shards.input import row_groups, shard_of
from ceiba.errors import InvalidInputError


@pytest.mark.parametrize("n_rows", [3, 10, 100])
def test_rows_stay_in_their_order(n_rows: int) -> None:
    groups = row_groups(n_rows, 3, None)
    assert np.concatenate(groups).tolist() == list(range(n_rows))
    sizes = [len(group) for group in groups]
    assert max(sizes) - min(sizes) <= 1


def test_queries_are_whole() -> None:
    random = np.random.default_rng(0)
    query_of_row = random.permutation(np.repeat(np.arange(20), random.integers(1, 30, 20)))
    groups = row_groups(len(query_of_row), 4, query_of_row)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(query_of_row)))
    queries = [set(query_of_row[group].tolist()) for group in groups]
    assert sum(map(len, queries)) == 20
    assert all((np.diff(group) > 0).all() for group in groups)
    with pytest.raises(InvalidInputError, match="Rows of 2 queries"):
        row_groups(9, 3, np.repeat([0, 1], [4, 5]))


def test_a_shard_of_a_dataset_keeps_weights_and_levels() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "z", "x"], "b": [1.0, 2.0, 3.0, 4.0]})
    rows = Dataset(frame, [1.0, 2.0, 3.0, 4.0], weight=[1.0, 1.0, 5.0, 2.0])
    part = shard_of(rows, np.array([0, 1]))
    assert part.weight is not None
    assert part.weight.tolist() == [1.0, 1.0]
    assert part.schema.levels == rows.schema.levels
    assert shard_of(rows, np.zeros(0, dtype=np.int64)).n_rows == 0

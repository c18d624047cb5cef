"""Bin edges and codes of tables in blocks equal those of the whole table, bit for bit."""

import itertools

import numpy as np
import pytest
from bins import codes, find, make_columns, same_edges
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.testing.strategies import tables, weight_columns

TOOK_LONG = 70  # passes: 64 bits of a double halve a range 64 times


def search(blocks, weights=None, max_bins=255, min_data=1, n_levels=(), most_entries=None, **how):
    """Find edges in passes over the blocks. ``groups``: the blocks that each fork reads."""
    groups, n_threads = how.get("groups"), how.get("n_threads", 1)
    own = () if most_entries is None else (most_entries,)
    whole = _core.EdgeSearch(how.get("n_columns", blocks[0].shape[1]), max_bins, min_data, *own)
    ends = np.cumsum([0, *(block.shape[0] for block in blocks)])

    def add(one, i):
        given = None if weights is None else weights[ends[i] : ends[i + 1]]
        one.add(how.get("parts", lambda block: [block])(blocks[i]), given, n_threads)

    found = False
    while not found:
        if groups is None:
            for i in range(len(blocks)):
                add(whole, i)
        else:
            forks = [whole.fork() for _ in groups]
            for fork, members in zip(forks, groups, strict=True):
                for i in members:
                    add(fork, i)
            for fork in forks:
                whole.merge(fork)
        found = whole.end_pass(list(n_levels), n_threads)
        assert whole.n_passes < TOOK_LONG
    return whole


def fill(mapper, blocks, usual=(), *, lists=True, n_threads=1):
    made = _core.BinnedBlocks(mapper, sum(len(block) for block in blocks), list(usual), lists)
    for block in blocks:
        made.add([block], n_threads)
    return made.finish(n_threads)


@st.composite
def splits(draw, n_rows):
    """Bounds of blocks, some of them empty."""
    cuts = draw(st.lists(st.integers(0, n_rows), max_size=6))
    return [0, *sorted(cuts), n_rows]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_blocks_give_the_edges_and_codes_of_the_whole_table(data):
    table = data.draw(tables(max_rows=200), label="table")
    weights = data.draw(weight_columns(len(table)), label="weights")
    max_bins = data.draw(st.sampled_from([2, 3, 8, 20, 255]), label="max_bins")
    min_data = data.draw(st.sampled_from([1, 3]), label="min_data")
    most = data.draw(st.sampled_from([0, 1, 20, None]), label="most_entries")
    bounds = data.draw(splits(len(table)), label="bounds")
    blocks = [table[a:b] for a, b in itertools.pairwise(bounds)]
    order = data.draw(st.permutations(range(len(blocks))), label="order")
    groups = [order[: len(order) // 2], order[len(order) // 2 :]]
    expected = find([table], weights, max_bins, min_data)
    for how in ({}, {"groups": groups}):
        found = search(blocks, weights, max_bins, min_data, most_entries=most, **how)
        assert found.n_rows == len(table)
        assert same_edges(found.mapper, expected)
    whole = _core.BinnedMatrix.build(expected, [table], 1)
    for usual in ([], found.usual_codes(expected)):
        np.testing.assert_array_equal(codes(fill(expected, blocks, usual)), codes(whole))


@pytest.mark.parametrize("max_bins", [2, 255, 3000, 65535])
@pytest.mark.parametrize("most_entries", [None, 500])
def test_columns_of_every_kind(max_bins, most_entries):
    table = np.column_stack(list(make_columns(30_000).values()))
    blocks = np.array_split(table, 7)
    for weights in (None, np.random.default_rng(0).random(30_000) + 0.01):
        expected = find([table], weights, max_bins, 5)
        found = search(blocks, weights, max_bins, 5, most_entries=most_entries, n_threads=2)
        assert same_edges(found.mapper, expected)


def test_sorted_rows_need_no_more_passes():
    column = np.sort(np.random.default_rng(0).normal(size=200_000))[:, None]
    found = search(np.array_split(column, 20))
    assert same_edges(found.mapper, find([column]))
    assert found.n_passes == 3


def test_few_distinct_values_are_counted_exactly_in_two_passes():
    column = np.random.default_rng(0).integers(0, 2000, size=(100_000, 1)).astype(np.float64)
    found = search(np.array_split(column, 20), max_bins=3000)
    assert found.n_passes == 2
    assert same_edges(found.mapper, find([column], max_bins=3000))


def test_a_heavy_value_outside_of_the_sample():
    """A range of a million equal values is divided until the value stands alone."""
    column = np.concatenate([np.arange(10_000.0), np.full(100_000, np.pi), [4.0]])[:, None]
    found = search([column], max_bins=16, most_entries=10)
    assert same_edges(found.mapper, find([column], max_bins=16))


def test_sparse_blocks():
    rng = np.random.default_rng(0)
    whole = sparse.random(4000, 40, density=0.1, random_state=1, format="csr")
    whole.data[rng.random(whole.nnz) < 0.1] = np.nan
    weights = rng.random(4000) + 0.1
    blocks = [whole[:1000], whole[1000:1001], whole[1001:]]

    def parts(block):
        given = block.data, block.indices, block.indptr, 0.0
        return [_core.SparseColumns.of_rows(given, 40, 1)]

    expected = find([whole.toarray()], weights, 32)
    found = search(blocks, weights, 32, most_entries=100, parts=parts)
    assert same_edges(found.mapper, expected)
    usual = found.usual_codes(expected)
    assert min(usual) >= 0
    made = _core.BinnedBlocks(expected, 4000, usual)
    for block in blocks:
        made.add(parts(block), 2)
    np.testing.assert_array_equal(
        codes(made.finish(2)), codes(_core.BinnedMatrix.build(expected, [whole.toarray()], 1))
    )


def test_categories_and_rare_levels():
    rng = np.random.default_rng(0)
    n_levels = 70_000
    table = np.column_stack([rng.integers(0, n_levels, 200_000), rng.integers(0, 5, 200_000)])
    table = table.astype(np.float64)
    table[::50, 1] = np.nan
    levels = [n_levels, 5]
    expected = _core.BinMapper.find([table], None, 255, 1, 1, levels)
    blocks = np.array_split(table, 3)
    for groups in (None, [[0, 2], [1]]):
        found = search(blocks, n_levels=levels, groups=groups)
        assert same_edges(found.mapper, expected)
    np.testing.assert_array_equal(
        codes(fill(found.mapper, blocks)), codes(_core.BinnedMatrix.build(expected, [table], 1))
    )


def test_codes_that_are_put():
    table = np.column_stack(list(make_columns(5000).values()))
    for max_bins in (255, 300):
        mapper = find([table], max_bins=max_bins)
        whole = _core.BinnedMatrix.build(mapper, [table], 1)
        for lists in (True, False):
            usual = [whole.usual_code(j) for j in range(whole.n_features)] if lists else []
            made = _core.BinnedBlocks(mapper, 5000, usual, lists)
            for j in range(whole.n_features):
                for begin in (0, 1000):
                    made.put(j, whole.column(j, begin, 1000 if begin == 0 else 4000))
            np.testing.assert_array_equal(codes(made.finish(1)), codes(whole))


def test_what_does_not_fit_is_an_error():
    table = np.arange(20.0).reshape(10, 2)
    searched = search([table])
    with pytest.raises(InvalidInputError, match=r"same number of columns. Got 2 and 3"):
        searched.add([np.zeros((3, 3))], None, 1)
    with pytest.raises(InvalidInputError, match="one weight for each row"):
        searched.add([table], np.ones(3), 1)
    with pytest.raises(InvalidInputError, match="same columns and pass"):
        searched.merge(_core.EdgeSearch(2, 255, 1))
    mapper = searched.mapper
    made = _core.BinnedBlocks(mapper, 10)
    with pytest.raises(InvalidInputError, match=r"10 rows in total. Got 0"):
        made.finish(1)
    with pytest.raises(InvalidInputError, match="more rows than expected: 10"):
        made.add([np.zeros((11, 2))], 1)
    with pytest.raises(InvalidInputError, match=r"must be below 11. Got 11"):
        made.put(0, np.array([11], dtype=np.uint16))
    with pytest.raises(InvalidInputError, match="no column 2"):
        made.put(2, np.array([0], dtype=np.uint16))
    with pytest.raises(InvalidInputError, match="max_bins must be between"):
        _core.EdgeSearch(2, 1, 1)

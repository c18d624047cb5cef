"""Codes of values, on every kind of column and every way into the core."""

import numpy as np
import pytest
from bins import codes_of, find, make_columns, same_edges
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ceiba import _core
from ceiba.data.binning import apply_bins, bin_edges, find_bins
from ceiba.data.read_table import read_table
from ceiba.errors import InvalidInputError

NUMBER_TYPES = ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


@pytest.mark.parametrize("n", [5, 20_000])
@pytest.mark.parametrize("max_bins", [2, 255, 300])
def test_codes_count_the_edges_below(n, max_bins):
    columns = [[values] for values in make_columns(n).values()]
    mapper = find(columns, max_bins=max_bins)
    new = [[values] for values in make_columns(2 * n, seed=1).values()]
    for data in (columns, new):
        for j, codes in enumerate(codes_of(mapper, data, 2)):
            values, edges = data[j][0], mapper.edges(j)
            expected = np.searchsorted(edges, values, side="left")
            expected[np.isnan(values)] = len(edges) + 1
            np.testing.assert_array_equal(codes, expected)


@pytest.mark.parametrize("n", [500, 20_000])
def test_one_answer_for_threads_blocks_layouts_and_sizes(n):
    columns = make_columns(n)
    del columns["huge"], columns["tails"], columns["tiny"]
    matrix = np.column_stack([values.astype(np.float32) for values in columns.values()])
    weights = np.random.default_rng(0).random(n) + 0.01
    default = _core.settings()
    for weight in (None, weights):
        expected = find([matrix.astype(float)], weight, 64)
        codes = codes_of(expected, [matrix.astype(float)])
        permutation = np.random.default_rng(2).permutation(n)
        shuffled = None if weight is None else weight[permutation]
        assert same_edges(find([matrix[permutation]], shuffled, 64), expected)
        blocks = [matrix[: n // 3], matrix[n // 3 : n // 2].astype(float), matrix[n // 2 :]]
        chunks = [[block[:, j] for block in blocks] for j in range(matrix.shape[1])]
        ways = [
            [matrix],
            [np.asfortranarray(matrix)],
            [np.asfortranarray(matrix.astype(float))],
            [matrix[::-1][::-1]],
            [np.repeat(matrix, 2, axis=1)[:, ::2]],
            blocks,
            [block for i in range(n) for block in [matrix[i : i + 1]]] if n < 1000 else blocks,
            chunks,
        ]
        for small in (False, True):
            try:
                if small:
                    _core.change_settings(chunk_rows=64, serial_below=0)
                    _core.set_avx2(False)
                    _core.reset_counters()
                for way in ways:
                    for n_threads in (1, 2, 3, 8):
                        mapper = find(way, weight, 64, 1, n_threads)
                        assert same_edges(mapper, expected)
                        for found, one in zip(codes_of(mapper, way, n_threads), codes, strict=True):
                            np.testing.assert_array_equal(found, one)
                assert not small or _core.counters()["parallel_jobs"] > 0
            finally:
                _core.change_settings(**default)
                _core.set_avx2(True)


@pytest.mark.parametrize("dtype", NUMBER_TYPES)
@pytest.mark.parametrize("layout", ["C", "F"])
def test_number_types(dtype, layout):
    rng = np.random.default_rng(0)
    whole = rng.integers(0, 2 if dtype == "?" else 100, (700, 5))
    matrix = np.asarray(whole.astype(dtype), order=layout)
    mapper = find([matrix], max_bins=20)
    assert same_edges(mapper, find([whole.astype(float)], max_bins=20))
    for one, other in zip(
        codes_of(mapper, [matrix]), codes_of(mapper, [whole.astype(float)]), strict=True
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1])
@pytest.mark.parametrize("n_rows", [3, 20_000])
@pytest.mark.parametrize("n_columns", [1, 3])
def test_integers_beyond_float64_are_an_error(value, n_rows, n_columns):
    matrix = np.zeros((n_rows, n_columns), dtype=np.int64)
    exact = find([matrix])
    matrix[1, -1] = 2**53 if value > 0 else -(2**53)
    find([matrix], n_threads=2)
    matrix[1, -1] = value
    for columns in ([matrix], [np.asfortranarray(matrix)]):
        with pytest.raises(InvalidInputError, match=f"2\\^53.*Got {value}"):
            find(columns)
        with pytest.raises(InvalidInputError, match=f"2\\^53.*Got {value}"):
            codes_of(exact, columns)
    if value > 0:
        with pytest.raises(InvalidInputError, match="2\\^53"):
            find([matrix.astype(np.uint64)])


def test_a_column_without_missing_values_codes_them_past_the_last_bin():
    mapper = find([[np.array([1.0, 2.0, 3.0])]])
    assert not mapper.has_missing(0)
    codes = codes_of(mapper, [[np.array([np.nan, 1.0, 5.0])]])[0]
    np.testing.assert_array_equal(codes, [3, 0, 2])


def test_mapper_from_edges():
    mapper = _core.BinMapper([[-np.inf, 0.5], []], [False, True])
    assert [mapper.n_bins(j) for j in range(2)] == [3, 2]
    np.testing.assert_array_equal(bin_edges(mapper)[0], [-np.inf, 0.5])
    values = np.array([-np.inf, -1.0, 0.5, 0.6, np.nan])
    codes = codes_of(mapper, [[values], [values]])
    np.testing.assert_array_equal(codes[0], [0, 1, 1, 2, 3])
    np.testing.assert_array_equal(codes[1], [0, 0, 0, 0, 1])


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: _core.BinMapper([[1.0, 1.0]], [False]), "ascending order"),
        (lambda: _core.BinMapper([[np.nan]], [False]), "ascending order"),
        (lambda: _core.BinMapper([[1.0]], []), "one entry for each feature"),
        (lambda: find([[np.ones(3)]], max_bins=1), "max_bins must be between 2 and 65535. Got 1"),
        (lambda: find([[np.ones(3)], [np.ones(2)]]), "same number of rows. Got 3 and 2"),
        (lambda: find([[np.ones(3)]], np.ones(2)), "2 weights for 3 rows"),
        (lambda: find([np.ones((2, 3)), np.ones((2, 2))]), "same number of columns"),
        (lambda: find([[np.ones((2, 2))]]), "Expected an array with 1 dimension"),
        (lambda: find([[np.ones(2, dtype="c16")]]), "float32, float64, integer or bool"),
    ],
)
def test_bad_arguments_are_explained(call, match):
    with pytest.raises(InvalidInputError, match=match):
        call()


def test_tables_are_binned():
    table = read_table([[1, 5], [2, 5], [3, None]])
    mapper = find_bins(table, None, 255, 1, 1)
    binned = apply_bins(mapper, table, 1)
    assert (binned.n_rows, binned.n_features) == (3, 2)
    np.testing.assert_array_equal(binned.column(0), [0, 1, 2])
    np.testing.assert_array_equal(binned.column(1), [0, 0, 1])
    with pytest.raises(InvalidInputError, match=r"2 columns.*Got 1"):
        apply_bins(mapper, read_table([[1]]), 1)
    with pytest.raises(IndexError):
        mapper.edges(2)


@settings(max_examples=100, deadline=None)
@given(
    edges=st.lists(st.floats(allow_nan=False), max_size=40, unique_by=lambda x: x + 0.0).map(
        sorted
    ),
    values=hnp.arrays(np.float64, st.integers(0, 40), elements=st.floats()),
)
@example(edges=[], values=np.array([np.nan]))
def test_any_edges_code_any_values(edges, values):
    mapper = _core.BinMapper([edges], [False])
    with np.errstate(all="ignore"):
        near = [np.nextafter(e, sign) for e in edges for sign in (-np.inf, np.inf)]
    values = np.concatenate([values, edges, near])
    codes = codes_of(mapper, [[values]])[0]
    expected = np.searchsorted(edges, values, side="left")
    # A column of one bin, which nothing can split, takes no room: whatever it holds is in that bin.
    expected[np.isnan(values)] = len(edges) + 1 if edges else 0
    np.testing.assert_array_equal(codes, expected)

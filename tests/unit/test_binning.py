"""Binning against the rule written plainly, on every kind of column and every way into the core."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ceiba import _core
from ceiba.binning import apply_bins, bin_edges, find_bins
from ceiba.errors import InvalidInputError
from ceiba.tables import read_table

NUMBER_TYPES = ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


# ---- the rule, written plainly -----------------------------------------------------------------


def expected_edges(values, weights=None, max_bins=255, min_data_in_bin=1):
    """Edges by the rule of cpp/data/edge_rule.hpp, for integer weights."""
    present = ~np.isnan(values)
    weights = np.ones(len(values)) if weights is None else weights
    distinct, place = np.unique(values[present] + 0.0, return_inverse=True)
    weight = [0] * len(distinct)
    for i, w in zip(place, weights[present], strict=True):
        weight[i] += int(w)
    n_bins = max_bins - 1
    if len(distinct) <= n_bins:
        cuts = list(range(len(distinct) - 1))
    else:
        n_bins = min(n_bins, max(1, sum(weight) // min_data_in_bin))
        cuts = cut_by_weight(weight, n_bins)
    cuts = join_light_bins(weight, cuts, min_data_in_bin)
    return np.array([edge_between(distinct[cut], distinct[cut + 1]) for cut in cuts])


def stretches_between(heavy, n):
    begins = [0, *(i + 1 for i in heavy)]
    return list(zip(begins, [*heavy, n], strict=True))


def cut_by_weight(weight, n_bins):
    n, total = len(weight), sum(weight)
    heavy, light, bins = [], total, n_bins
    for _ in range(16):
        heavy = [i for i in range(n) if weight[i] * bins > light]
        before, bins = bins, n_bins - len(heavy)
        light = total - sum(weight[i] for i in heavy)
        if bins == before:
            break
    stretches = stretches_between(heavy, n)
    if sum(end > begin for begin, end in stretches) + len(heavy) > n_bins:
        heavy = [i for i in range(n) if weight[i] * n_bins > 2 * total]
        stretches = stretches_between(heavy, n)
        light = total - sum(weight[i] for i in heavy)
    spare = n_bins - len(heavy) - sum(end > begin for begin, end in stretches)
    cuts, light_before = set(), 0
    for begin, end in stretches:
        if end > begin:
            here = sum(weight[begin:end])
            given_before = spare * light_before // light
            light_before += here
            bins_here = 1 + spare * light_before // light - given_before
            below, i = 0, begin
            for k in range(1, bins_here):
                unit = -(-k * here // bins_here)
                while below + weight[i] < unit:
                    below += weight[i]
                    i += 1
                cuts.add(i)
        cuts |= {end - 1, end}
    return sorted(cut for cut in cuts if 0 <= cut < n - 1)


def join_light_bins(weight, cuts, smallest):
    kept, here, i = [], 0, 0
    for cut in cuts:
        here += sum(weight[i : cut + 1])
        i = cut + 1
        if here >= smallest:
            kept.append(cut)
            here = 0
    if here + sum(weight[i:]) < smallest:
        kept = kept[:-1]
    return kept


def edge_between(low, high):
    with np.errstate(all="ignore"):
        middle = (low + high) * 0.5
        if not np.isfinite(middle):
            middle = low * 0.5 + high * 0.5
    return middle if np.isfinite(middle) and middle < high else low


# ---- columns of every kind ---------------------------------------------------------------------


def make_columns(n, seed=0):
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=n)
    extreme = normal.copy()
    extreme[::7], extreme[::11], extreme[::13], extreme[::17] = np.inf, -np.inf, -0.0, 0.0
    return {
        "normal": normal,
        "few": rng.integers(0, 10, n).astype(float),
        "many": rng.integers(0, 1000, n).astype(float),
        "zeros": np.where(rng.random(n) < 0.6, 0, normal),
        "rounded": np.round(normal, 2),
        "tails": np.exp(normal * 20),
        "missing": np.where(rng.random(n) < 0.3, np.nan, normal),
        "all missing": np.full(n, np.nan),
        "constant": np.full(n, 3.5),
        "extreme": extreme,
        "geometric": rng.geometric(0.02, n).astype(float),
        "zipf": rng.zipf(1.3, n).astype(float),
        "offset": 1e9 + rng.random(n),
        "huge": np.clip(normal, -1, 1) * 1.7e308,
        "tiny": rng.integers(-3, 3, n) * 5e-324,
        "sorted": np.sort(rng.standard_cauchy(n)),
        "pairs": np.concatenate([normal[: n // 2], np.nextafter(normal[: n - n // 2], np.inf)]),
    }


def find(columns, weights=None, max_bins=255, min_data_in_bin=1, n_threads=1):
    return _core.BinMapper.find(columns, weights, max_bins, min_data_in_bin, n_threads)


def codes_of(mapper, columns, n_threads=1):
    binned = _core.BinnedMatrix.build(mapper, columns, n_threads)
    return [binned.column(j) for j in range(binned.n_features)]


def same_edges(one, other):
    return one.n_features == other.n_features and all(
        np.array_equal(one.edges(j), other.edges(j)) and one.has_missing(j) == other.has_missing(j)
        for j in range(one.n_features)
    )


# 20,000 rows take the way over cells, fewer rows that over sorting.
@pytest.mark.parametrize("n", [1, 2, 40, 3000, 20_000])
@pytest.mark.parametrize("max_bins", [2, 3, 17, 255])
@pytest.mark.parametrize("weighted", [False, True])
def test_edges_follow_the_rule(n, max_bins, weighted):
    weights = np.random.default_rng(1).integers(1, 6, n).astype(float) if weighted else None
    for name, values in make_columns(n).items():
        for min_data_in_bin in (1, 3):
            mapper = find([[values]], weights, max_bins, min_data_in_bin)
            edges = mapper.edges(0)
            np.testing.assert_array_equal(
                edges, expected_edges(values, weights, max_bins, min_data_in_bin), name
            )
            assert mapper.has_missing(0) == np.isnan(values).any()
            assert mapper.n_bins(0) == len(edges) + 1 + np.isnan(values).any() <= max_bins


def test_as_many_bins_as_16_bits_hold():
    values = np.random.default_rng(0).permutation(100_000) + 0.5
    mapper = find([[values]], max_bins=65_535)
    assert len(mapper.edges(0)) == 65_533
    np.testing.assert_array_equal(mapper.edges(0), expected_edges(values, None, 65_535))
    codes = codes_of(mapper, [[values]])[0]
    np.testing.assert_array_equal(codes, np.searchsorted(mapper.edges(0), values))


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


def test_weights_that_are_not_integers_have_no_unit():
    rng = np.random.default_rng(0)
    values, weights = rng.normal(size=5000), rng.random(5000)
    expected = find([[values]], weights, 50, 3)
    for scale in (2.0**-300, 2.0**-30, 2.0**-3, 2.0**40, 2.0**300):
        assert same_edges(find([[values]], weights * scale, 50, 3), expected)
    shares = np.diff(np.searchsorted(np.sort(values), expected.edges(0)))
    assert len(expected.edges(0)) == 48
    assert shares.min() > 50
    # Half of the weight on a tenth of the values draws half of the bins there.
    tenth = values < np.quantile(values, 0.1)
    edges = find([[values]], np.where(tenth, 4.5, 0.5), 101).edges(0)
    assert 45 <= np.sum(edges < np.quantile(values, 0.1)) <= 55


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
    with pytest.raises(InvalidInputError, match=r"2 columns whose bins were found\. Got 1"):
        apply_bins(mapper, read_table([[1]]), 1)
    with pytest.raises(IndexError):
        mapper.edges(2)


# ---- properties --------------------------------------------------------------------------------

float32_values = hnp.arrays(
    np.float32,
    st.integers(1, 60),
    elements=st.one_of(
        st.floats(width=32, allow_nan=True),
        st.integers(-3, 3).map(float),
        st.sampled_from([np.nan, np.inf, -np.inf, -0.0, 0.0]),
    ),
)


@settings(max_examples=150, deadline=None)
@given(
    values=float32_values,
    max_bins=st.integers(2, 20),
    min_data_in_bin=st.integers(1, 5),
    data=st.data(),
)
def test_edges_are_a_function_of_the_values_alone(values, max_bins, min_data_in_bin, data):
    n = len(values)
    weights = np.array(data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)), dtype=float)
    order = np.array(data.draw(st.permutations(range(n))))
    cut = data.draw(st.integers(0, n))
    mapper = find([[values]], weights, max_bins, min_data_in_bin)
    edges = mapper.edges(0)
    ways = [
        ([[values.astype(float)]], weights),
        ([[values[order]]], weights[order]),
        ([[values[:cut], values[cut:].astype(float)]], weights),
        ([[np.repeat(values, weights.astype(int))]], None),
    ]
    for columns, weight in ways:
        assert same_edges(find(columns, weight, max_bins, min_data_in_bin), mapper)
    np.testing.assert_array_equal(
        edges, expected_edges(values.astype(float), weights, max_bins, min_data_in_bin)
    )
    codes = codes_of(mapper, [[values]])[0]
    present = ~np.isnan(values)
    for b, edge in enumerate(edges):
        np.testing.assert_array_equal(codes[present] <= b, values[present] <= edge)
    assert (codes[~present] == len(edges) + 1).all()


@settings(max_examples=100, deadline=None)
@given(
    edges=st.lists(st.floats(allow_nan=False), max_size=40, unique_by=lambda x: x + 0.0).map(
        sorted
    ),
    values=hnp.arrays(np.float64, st.integers(0, 40), elements=st.floats()),
)
def test_any_edges_code_any_values(edges, values):
    mapper = _core.BinMapper([edges], [False])
    with np.errstate(all="ignore"):
        near = [np.nextafter(e, sign) for e in edges for sign in (-np.inf, np.inf)]
    values = np.concatenate([values, edges, near])
    codes = codes_of(mapper, [[values]])[0]
    expected = np.searchsorted(edges, values, side="left")
    expected[np.isnan(values)] = len(edges) + 1
    np.testing.assert_array_equal(codes, expected)


def test_weights_near_the_smallest_numbers_still_weigh() -> None:
    values = np.sort(np.random.default_rng(0).normal(size=200))
    weights = np.where(np.arange(200) < 20, 1000.0, 1.0)
    columns = [[values]]
    usual = _core.BinMapper.find(columns, weights * 0.5, 6, 1, 1).edges(0)
    tiny = _core.BinMapper.find(columns, weights * 2.0**-1000, 6, 1, 1).edges(0)
    np.testing.assert_array_equal(tiny, usual)


def test_one_row_is_enough_for_a_bin_whatever_it_weighs():
    values = np.arange(30.0).repeat(2)
    weights = np.random.default_rng(0).uniform(0.01, 2.0, size=60)
    for scale in (1.0, 4.0, 1e-9):
        mapper = _core.BinMapper.find([[values]], weights * scale, 255, 1, 1)
        assert len(mapper.edges(0)) == 29
    # Where more are asked for, weights count relative to their mean.
    fewer = _core.BinMapper.find([[values]], weights, 255, 3, 1)
    assert len(fewer.edges(0)) < 29

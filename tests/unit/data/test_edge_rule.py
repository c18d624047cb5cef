"""Where the edges of bins are: against the rule written plainly."""

import numpy as np
import pytest
from bins import codes_of, find, make_columns, same_edges
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ceiba import _core


def expected_edges(values, weights=None, max_bins=255, min_data_in_bin=1):
    """Edges by the rule of cpp/data/binning/edge_rule.hpp, for integer weights."""
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


def test_weights_near_the_smallest_numbers_still_weigh() -> None:
    values = np.sort(np.random.default_rng(0).normal(size=200))
    weights = np.where(np.arange(200) < 20, 1000.0, 1.0)
    columns = [[values]]
    usual = _core.BinMapper.find(columns, weights * 0.5, 6, 1, 1).edges(0)
    tiny = _core.BinMapper.find(columns, weights * 2.0**-1000, 6, 1, 1).edges(0)
    np.testing.assert_array_equal(tiny, usual)


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


def test_one_row_is_enough_for_a_bin_whatever_it_weighs():
    values = np.arange(30.0).repeat(2)
    weights = np.random.default_rng(0).uniform(0.01, 2.0, size=60)
    for scale in (1.0, 4.0, 1e-9):
        assert len(find([[values]], weights * scale, 255, 1).edges(0)) == 29
    # Where more are asked for, weights count relative to their mean.
    assert len(find([[values]], weights, 255, 3).edges(0)) < 29

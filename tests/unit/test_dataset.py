import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from ceiba.dataset import Dataset
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.schema import Schema

X = np.random.default_rng(0).normal(size=(50, 4))
Y = X[:, 0] + X[:, 1]
WEIGHT = np.arange(50) % 3 + 0.0


def codes(binned):
    return np.column_stack([binned.column(j) for j in range(binned.n_features)])


def same_bins(one, other):
    return all(np.array_equal(one.edges(j), other.edges(j)) for j in range(one.n_features))


def test_what_it_holds():
    dataset = Dataset(X, Y, feature_names=list("abcd"))
    assert (dataset.n_rows, dataset.n_features) == (50, 4)
    assert dataset.schema == Schema(("a", "b", "c", "d"), True, ("numeric",) * 4)
    np.testing.assert_array_equal(dataset.target, Y)
    assert dataset.weight is None
    assert dataset.init_score is None
    assert repr(dataset) == "<Dataset: 50 rows, 4 features with target>"


def test_the_data_is_referenced():
    assert Dataset(X, Y).table.parts[0] is X


def test_the_target_may_be_left_out():
    assert Dataset(X).target is None


def test_rows_of_weight_zero_are_dropped():
    scores = np.arange(50.0)
    dataset = Dataset(X, Y, weight=WEIGHT, init_score=scores)
    keep = WEIGHT > 0
    other = Dataset(X[keep], Y[keep], weight=WEIGHT[keep], init_score=scores[keep])
    assert dataset.n_rows == keep.sum()
    for name in ("target", "weight", "init_score"):
        np.testing.assert_array_equal(getattr(dataset, name), getattr(other, name))
    (mapper, binned), (other_mapper, other_binned) = (
        each.binned(16, 1, 1) for each in (dataset, other)
    )
    assert same_bins(mapper, other_mapper)
    np.testing.assert_array_equal(codes(binned), codes(other_binned))


def test_equal_weights_of_one_are_no_weights():
    assert Dataset(X, Y, weight=np.ones(50)).weight is None


def test_a_weight_counts_as_repeated_rows():
    repeated = np.repeat(X, WEIGHT.astype(int), axis=0)
    mapper, _ = Dataset(X, weight=WEIGHT).binned(10, 3, 1)
    other, _ = Dataset(repeated).binned(10, 3, 1)
    assert same_bins(mapper, other)


def test_bins_are_kept_until_other_settings_are_asked_for():
    dataset = Dataset(X, Y)
    first = dataset.binned(16, 1, 1)
    assert dataset.binned(16, 1, 2)[1] is first[1]
    assert dataset.binned(8, 1, 1)[1] is not first[1]


def test_blocks_give_the_same_bins():
    frame = pd.DataFrame(X, columns=list("abcd"))
    whole = Dataset(frame, Y, weight=WEIGHT)
    blocks = Dataset.from_blocks(
        (frame.iloc[i : i + 7][list("abcd") if i % 2 else list("dcba")], Y[i : i + 7], w)
        for i, w in ((i, WEIGHT[i : i + 7]) for i in range(0, 50, 7))
    )
    # The first block sets the order of the columns.
    assert blocks.schema.names == ("d", "c", "b", "a")
    mapper, binned = whole.binned(16, 1, 2)
    other, other_binned = blocks.binned(16, 1, 2)
    for j in range(4):
        np.testing.assert_array_equal(mapper.edges(j), other.edges(3 - j))
    np.testing.assert_array_equal(codes(binned), codes(other_binned)[:, ::-1])
    np.testing.assert_array_equal(whole.target, blocks.target)
    np.testing.assert_array_equal(whole.weight, blocks.weight)


def test_blocks_may_be_of_any_kind():
    blocks = [
        (X[:10], Y[:10]),
        (np.asfortranarray(X[10:20]), Y[10:20]),
        (pd.DataFrame(X[20:30]), Y[20:30]),
        (scipy.sparse.csr_matrix(X[30:40]), Y[30:40]),
        (X[40:].tolist(), Y[40:].tolist()),
    ]
    mapper, binned = Dataset.from_blocks(blocks).binned(16, 1, 2)
    other, other_binned = Dataset(X, Y).binned(16, 1, 1)
    assert same_bins(mapper, other)
    np.testing.assert_array_equal(codes(binned), codes(other_binned))


@pytest.mark.parametrize(
    ("blocks", "error", "match"),
    [
        ([], InvalidInputError, "at least one block"),
        ([(X, Y), X], InvalidTypeError, "Block 1 is ndarray"),
        ([(X,)], InvalidTypeError, "Block 0 is a tuple of 1"),
        ([(X, Y), (X[:, :2], Y)], InvalidInputError, "Block 1: X has 2 features"),
        ([(X, Y), (X, Y[:3])], InvalidInputError, "Block 1: target must have one value"),
        ([(X, Y, WEIGHT), (X, Y)], InvalidInputError, "for 1 of 2 blocks"),
    ],
)
def test_blocks_that_do_not_fit_are_explained(blocks, error, match):
    with pytest.raises(error, match=match):
        Dataset.from_blocks(blocks)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"target": Y[:9]}, "target must have one value for each row. Got 9 values for 50 rows"),
        ({"target": np.where(Y > 1, np.nan, Y)}, "target must be finite. Got NaN"),
        ({"target": np.column_stack([Y, Y])}, "target must be one-dimensional"),
        ({"weight": -WEIGHT}, "weight must not be negative. Got -1.0 in row 1"),
        ({"weight": np.where(WEIGHT > 1, np.inf, WEIGHT)}, "weight must be finite"),
        ({"weight": np.zeros(50)}, "weight must be above 0 for at least one row"),
        ({"weight": WEIGHT[:9]}, "weight must have one value for each row"),
        ({"init_score": Y[:9]}, "init_score must have one value"),
        ({"init_score": np.ones((9, 2))}, r"init_score must hold numbers.*Got shape \(9, 2\)"),
        ({"init_score": np.full((50, 2), np.nan)}, "init_score must be finite"),
        ({"feature_names": ["a"]}, "1 names for 4 columns"),
    ],
)
def test_what_does_not_fit_the_rows_is_explained(arguments, match):
    with pytest.raises(InvalidInputError, match=match):
        Dataset(X, **arguments)


def test_an_empty_table_is_refused():
    with pytest.raises(InvalidInputError, match=r"0 sample\(s\)"):
        Dataset(np.ones((0, 3)), [])


def test_other_rows_are_coded_by_the_same_bins():
    mapper, binned = Dataset(pd.DataFrame(X[:, :2], columns=["a", "b"])).binned(16, 1, 1)
    other = Dataset(pd.DataFrame(X[:, [1, 0]], columns=["b", "a"]))
    schema = Schema(("a", "b"), True, ("numeric",) * 2)
    np.testing.assert_array_equal(codes(other.binned_with(mapper, 1, schema=schema)), codes(binned))
    with pytest.raises(InvalidInputError, match=r"2 columns whose bins were found\. Got 4"):
        Dataset(X).binned_with(mapper, 1)


def test_it_survives_pickle():
    dataset = Dataset(X, Y, weight=WEIGHT)
    mapper, _ = dataset.binned(16, 1, 1)
    again = pickle.loads(pickle.dumps(dataset))
    assert again.schema == dataset.schema
    assert same_bins(again.binned(16, 1, 1)[0], mapper)

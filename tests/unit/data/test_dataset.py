import pickle

import numpy as np
import pandas as pd
import pytest
from bins import codes, same_edges

from ceiba.data.dataset import Dataset
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError, InvalidTypeError

X = np.random.default_rng(0).normal(size=(50, 4))
Y = X[:, 0] + X[:, 1]
WEIGHT = np.arange(50) % 3 + 0.0


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
    assert same_edges(mapper, other_mapper)
    np.testing.assert_array_equal(codes(binned), codes(other_binned))


def test_equal_weights_of_one_are_no_weights():
    assert Dataset(X, Y, weight=np.ones(50)).weight is None


def test_a_weight_counts_as_repeated_rows():
    repeated = np.repeat(X, WEIGHT.astype(int), axis=0)
    mapper, _ = Dataset(X, weight=WEIGHT).binned(10, 3, 1)
    other, _ = Dataset(repeated).binned(10, 3, 1)
    assert same_edges(mapper, other)


def test_bins_are_kept_until_other_settings_are_asked_for():
    dataset = Dataset(X, Y)
    first = dataset.binned(16, 1, 1)
    assert dataset.binned(16, 1, 2)[1] is first[1]
    assert dataset.binned(8, 1, 1)[1] is not first[1]


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"target": Y[:9]}, "target must have one value for each row. Got 9 values for 50 rows"),
        ({"target": np.where(Y > 1, np.nan, Y)}, "target must be finite. Got NaN"),
        ({"target": Y[:, None, None]}, "target must be one-dimensional"),
        ({"weight": -WEIGHT}, "weight must contain numbers of at least 0. Got -1 in row 1"),
        ({"weight": np.where(WEIGHT > 1, np.inf, WEIGHT)}, "weight must be finite"),
        ({"weight": np.zeros(50)}, "weight must be above 0 for at least one row"),
        ({"weight": WEIGHT[:9]}, "weight must have one value for each row"),
        ({"init_score": Y[:9]}, "init_score must have one value"),
        ({"init_score": np.ones((9, 2))}, r"init_score must contain numbers.*Got shape \(9, 2\)"),
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
    with pytest.raises(InvalidInputError, match=r"2 columns.*Got 4"):
        Dataset(X).binned_with(mapper, 1)


def test_it_survives_pickle():
    dataset = Dataset(X, Y, weight=WEIGHT)
    mapper, _ = dataset.binned(16, 1, 1)
    again = pickle.loads(pickle.dumps(dataset))
    assert again.schema == dataset.schema
    assert same_edges(again.binned(16, 1, 1)[0], mapper)


def test_bins_depend_on_the_weights_they_are_asked_for():
    dataset = Dataset(X, Y)
    plain = dataset.binned(8, 1, 1)[0]
    weight = np.where(X[:, 0] > 0, 5.0, 1.0)
    mapper = dataset.binned(8, 1, 1, weight=weight)[0]
    assert same_edges(mapper, Dataset(X, Y, weight=weight).binned(8, 1, 1)[0])
    assert not same_edges(mapper, plain)
    assert dataset.binned(8, 1, 1, weight=weight.copy())[0] is mapper
    assert same_edges(dataset.binned(8, 1, 1)[0], plain)


def test_names():
    names = Dataset(X, Y, feature_names=np.array(list("abcd"))).schema.names
    assert names == ("a", "b", "c", "d")
    assert {type(name) for name in names} == {str}
    for wrong in ("abcd", 3):
        with pytest.raises(InvalidTypeError, match="feature_names must be a list"):
            Dataset(X, Y, feature_names=wrong)


# ---- some of the rows ----------------------------------------------------------------------------


@pytest.mark.parametrize("n_blocks", [1, 3])
def test_take_is_a_dataset_of_those_rows(n_blocks: int) -> None:
    random = np.random.default_rng(5)
    x, y, weight = random.normal(size=(90, 3)), random.normal(size=90), np.arange(90) % 3 + 1.0
    split = np.array_split(np.arange(90), n_blocks)
    parts = [(x[rows], y[rows], weight[rows]) for rows in split]
    whole = Dataset.from_blocks(parts, feature_names=["a", "b", "c"])
    rows = np.array([80, 3, 44, 45, 7])
    for given in (rows, rows.tolist(), np.isin(np.arange(90), rows), np.uint8(rows)):
        part = whole.take(given)
        ordered = np.sort(rows)
        assert part.schema == whole.schema
        np.testing.assert_array_equal(part.target, y[ordered])
        np.testing.assert_array_equal(part.weight, weight[ordered])
        columns = [np.concatenate(chunks) for chunks in part.table.columns]
        np.testing.assert_array_equal(np.column_stack(columns), x[ordered])


def test_take_of_initial_scores() -> None:
    scores = np.arange(12.0).reshape(6, 2)
    part = Dataset(np.zeros((6, 1)), np.arange(6), init_score=scores).take([1, 4])
    np.testing.assert_array_equal(part.init_score, scores[[1, 4]])


@pytest.mark.parametrize("rows", [[], [6], [-1], [1, 1], [0.5], "all", [[0]], [True, False]])
def test_take_of_rows_that_are_not_there(rows: object) -> None:
    with pytest.raises(InvalidInputError, match="rows must"):
        Dataset(np.zeros((6, 1)), np.arange(6)).take(rows)


def test_take_of_queries() -> None:
    part = Dataset(np.zeros((6, 1)), np.arange(6), qid=list("aabbcc")).take([0, 1, 4])
    assert part.queries is not None
    assert part.queries.numbers.tolist() == [0, 0, 1]


def test_other_names_for_the_same_rows() -> None:
    dataset = Dataset(X, Y)
    mapper, _ = dataset.binned(255, 3, 1)
    named = dataset.with_names(["a", "b", "c", "d"])
    assert named.schema.names == named.take([0, 1]).schema.names == ("a", "b", "c", "d")
    assert named.schema.named
    assert not dataset.schema.named
    assert named.binned(255, 3, 1)[0] is mapper


def test_rows_that_are_taken_are_numbered_as_they_were_given() -> None:
    whole = Dataset(np.arange(6.0)[:, None], np.arange(6), weight=[0, 1, 0, 2, 1, 1])
    assert (whole.n_rows, whole.n_given) == (4, 6)
    assert whole.row_numbers.tolist() == [1, 3, 4, 5]
    for rows in ([2, 3, 5], np.arange(6) >= 5, [3]):
        part = whole.take(rows)
        wanted = [row for row in np.arange(6)[rows] if row not in (0, 2)]
        assert part.target is not None
        assert part.target.tolist() == wanted
        assert part.row_numbers.tolist() == list(range(len(wanted)))
    with pytest.raises(ValueError, match="All selected rows have weight 0"):
        whole.take([0, 2])
    with pytest.raises(ValueError, match="0 sample"):
        whole.take(np.zeros(6, dtype=bool))

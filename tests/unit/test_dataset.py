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
        ([(X, Y), (X[:, :2], Y)], InvalidInputError, "Block 1: It has 2 columns"),
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


def refill(n_rows, form):
    buffer = np.empty((n_rows, 4))
    for i in range(0, 50, n_rows):
        buffer[:] = X[i : i + n_rows]
        yield form(buffer), Y[i : i + n_rows]


@pytest.mark.parametrize(
    "form",
    [lambda b: b, lambda b: b[:], lambda b: pd.DataFrame(b, copy=False), lambda b: b[::-1]],
    ids=["itself", "view", "frame", "reversed"],
)
def test_a_buffer_that_is_filled_again_is_an_error(form):
    with pytest.raises(InvalidInputError, match=r"Block 1: .*copy"):
        Dataset.from_blocks(refill(10, form))


def test_a_buffer_may_be_filled_again_if_it_is_copied():
    dataset = Dataset.from_blocks(refill(10, np.copy))
    np.testing.assert_array_equal(np.concatenate(dataset.table.parts), X)
    # Numbers that are converted are copied anyway.
    dataset = Dataset.from_blocks(refill(10, lambda b: b.tolist()))
    np.testing.assert_array_equal(np.concatenate(dataset.table.parts), X)


def test_targets_of_blocks_are_copied():
    def blocks():
        target, weight = np.empty(10), np.empty(10)
        for i in range(0, 50, 10):
            target[:], weight[:] = Y[i : i + 10], i + 1
            yield X[i : i + 10], target, weight

    dataset = Dataset.from_blocks(blocks())
    np.testing.assert_array_equal(dataset.target, Y)
    np.testing.assert_array_equal(dataset.weight, np.repeat(np.arange(1.0, 50, 10), 10))


@pytest.mark.parametrize("order", ["C", "F"])
def test_blocks_of_one_array_are_referenced(order):
    whole = np.array(X, order=order)
    dataset = Dataset.from_blocks((whole[i : i + 7], Y[i : i + 7]) for i in (14, 0, 7, 28, 21))
    assert all(np.shares_memory(part, whole) for part in dataset.table.parts)


def test_a_list_may_hold_a_block_twice():
    dataset = Dataset.from_blocks([(X, Y), (X, Y)])
    assert dataset.n_rows == 100


def test_bins_depend_on_the_weights_they_are_asked_for():
    dataset = Dataset(X, Y)
    plain = dataset.binned(8, 1, 1)[0]
    weight = np.where(X[:, 0] > 0, 5.0, 1.0)
    mapper = dataset.binned(8, 1, 1, weight=weight)[0]
    assert same_bins(mapper, Dataset(X, Y, weight=weight).binned(8, 1, 1)[0])
    assert not same_bins(mapper, plain)
    assert dataset.binned(8, 1, 1, weight=weight.copy())[0] is mapper
    assert same_bins(dataset.binned(8, 1, 1)[0], plain)


@pytest.mark.parametrize(
    ("blocks", "error", "match"),
    [
        (3, InvalidTypeError, "blocks must be a list.*Got int"),
        (None, InvalidTypeError, "blocks must be"),
        ("blocks", InvalidTypeError, "blocks must be"),
        ([(X, None)], InvalidInputError, "Block 0: There is no target"),
        ([(X, Y), (X[:, :3], Y)], InvalidInputError, "Block 1: It has 3 columns, and block 0 has"),
        ([(X, Y), ({"a": 1}, Y)], InvalidTypeError, "Block 1: A table must be"),
        (
            [(pd.DataFrame(X, columns=list(names)), Y) for names in ("abcd", "abce")],
            InvalidInputError,
            "Block 1: It has 'e' where block 0 has 'd'",
        ),
    ],
)
def test_blocks_that_are_refused(blocks, error, match):
    with pytest.raises(error, match=match):
        Dataset.from_blocks(blocks)


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

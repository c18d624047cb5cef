import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from bins import codes, same_edges

from ceiba.data.dataset import Dataset
from ceiba.errors import InvalidInputError, InvalidTypeError

X = np.random.default_rng(0).normal(size=(50, 4))
Y = X[:, 0] + X[:, 1]
WEIGHT = np.arange(50) % 3 + 0.0


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
    assert same_edges(mapper, other)
    np.testing.assert_array_equal(codes(binned), codes(other_binned))


@pytest.mark.parametrize(
    ("blocks", "error", "match"),
    [
        ([], InvalidInputError, "at least one block"),
        ([(X, Y), X], InvalidTypeError, "Block 1 is ndarray"),
        ([(X,)], InvalidTypeError, "Block 0 is a tuple of 1"),
        ([(X, Y), (X[:, :2], Y)], InvalidInputError, "Block 1: It has 2 columns"),
        ([(X, Y), (X, Y[:3])], InvalidInputError, "Block 1: target must have one value"),
        ([(X, Y, WEIGHT), (X, Y)], InvalidInputError, "1 of 2 blocks have"),
    ],
)
def test_blocks_that_do_not_fit_are_explained(blocks, error, match):
    with pytest.raises(error, match=match):
        Dataset.from_blocks(blocks)


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


@pytest.mark.parametrize(
    ("blocks", "error", "match"),
    [
        (3, InvalidTypeError, "blocks must be a list.*Got int"),
        (None, InvalidTypeError, "blocks must be"),
        ("blocks", InvalidTypeError, "blocks must be"),
        ([(X, None)], InvalidInputError, "Block 0: The target is None"),
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

"""Sparse matrices and sparse columns are never made dense: not to train, not to predict."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from ceiba import Dataset, _core, train
from ceiba.data.block import ColumnsBlock, SparseBlock, SparseColumn
from ceiba.data.read_table import read_table
from ceiba.errors import InsufficientMemoryError, InvalidInputError

X = scipy.sparse.random(400, 5, 0.3, format="csr", random_state=0)
Y = np.arange(400.0)


def refuse(*arguments, **named):
    raise AssertionError("made dense")


@pytest.fixture
def never_dense(monkeypatch):
    for matrix in (scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.csr_array):
        monkeypatch.setattr(matrix, "toarray", refuse)
        monkeypatch.setattr(matrix, "todense", refuse)
    monkeypatch.setattr(SparseColumn, "dense", refuse)


@pytest.mark.parametrize("make", [scipy.sparse.csr_matrix, scipy.sparse.csc_array])
def test_the_core_reads_the_columns_of_sparse_rows(make):
    dense = np.arange(60.0).reshape(20, 3) * (np.arange(60).reshape(20, 3) % 3 == 0)
    (part,) = read_table(make(dense)).parts
    assert (part.n_rows, part.n_columns) == (20, 3)
    mapper = _core.BinMapper.find([part], None, 255, 1, 1)
    expected = _core.BinMapper.find([dense], None, 255, 1, 1)
    codes = _core.BinnedMatrix.build(mapper, [part], 1)
    for j in range(3):
        np.testing.assert_array_equal(mapper.edges(j), expected.edges(j))
        np.testing.assert_array_equal(
            codes.column(j), np.searchsorted(mapper.edges(j), dense[:, j])
        )


def test_nothing_is_made_dense(never_dense):
    dataset = Dataset(X, Y)
    model = train(
        {"n_estimators": 3, "n_jobs": 1, "subsample": 0.5},
        dataset,
        eval_sets={"other": Dataset(X[:100], Y[:100])},
    )
    part = dataset.take(np.arange(0, 400, 3))
    assert all(
        isinstance(block, SparseBlock) for block in (*dataset.table.blocks, *part.table.blocks)
    )
    model.predict(X)
    model.apply(X)
    blocks = Dataset.from_blocks([(X[:250], Y[:250]), (X[250:].tocsc(), Y[250:])])
    assert train({"n_estimators": 3, "n_jobs": 1, "subsample": 0.5}, blocks).fingerprint() == (
        model.fingerprint()
    )


def test_sparse_columns_of_pandas(never_dense):
    frame = pd.DataFrame.sparse.from_spmatrix(X, columns=list("abcde"))
    frame["f"] = np.arange(400.0)
    (block,) = read_table(frame).blocks
    assert isinstance(block, ColumnsBlock)
    model = train({"n_estimators": 3, "n_jobs": 1}, Dataset(frame, Y))
    predicted = model.predict(frame)
    plain = pd.DataFrame(np.column_stack([column_of(j) for j in range(5)]), columns=list("abcde"))
    plain["f"] = frame["f"]
    other = train({"n_estimators": 3, "n_jobs": 1}, Dataset(plain, Y))
    assert other.fingerprint() == model.fingerprint()
    np.testing.assert_array_equal(model.predict(plain), predicted)


def column_of(j: int) -> np.ndarray:
    column = np.zeros(400)
    held = X.tocsc()
    begin, end = held.indptr[j : j + 2]
    column[held.indices[begin:end]] = held.data[begin:end]
    return column


def test_columns_of_a_sparse_matrix_may_be_categories():
    levels = np.random.default_rng(0).integers(0, 5, 400)
    with_levels = scipy.sparse.hstack([X, levels[:, None]], format="csr")
    model = train(
        {"n_estimators": 3, "n_jobs": 1}, Dataset(with_levels, Y, categorical_features=[5])
    )
    dense = Dataset(with_levels.toarray(), Y, categorical_features=[5])
    other = train({"n_estimators": 3, "n_jobs": 1}, dense)
    assert model.fingerprint() == other.fingerprint()
    np.testing.assert_array_equal(model.predict(with_levels), other.predict(with_levels.toarray()))


def test_entries_of_one_place_count_together():
    twice = scipy.sparse.csr_matrix(
        (np.ones(800), np.tile([0, 0], 400), np.arange(0, 801, 2)), shape=(400, 2)
    )
    dense = twice.toarray()
    assert dense[0, 0] == 2
    model = train({"n_estimators": 2, "n_jobs": 1}, Dataset(X[:, :2], Y))
    np.testing.assert_array_equal(model.predict(twice), model.predict(dense))
    assert twice.nnz == 800  # that of the caller stays


def test_a_damaged_matrix_is_an_error():
    damaged = X.copy()
    damaged.indices = damaged.indices.copy()
    damaged.indices[3] = 77
    with pytest.raises(InvalidInputError, match="damaged"):
        Dataset(damaged, Y).binned(16, 1, 1)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("place", [-5, 10**6])
@pytest.mark.parametrize("name", ["indices", "indptr"])
def test_scipy_is_not_asked_about_a_damaged_matrix(form, place, name):
    """It believes what it is given, and the process would die."""
    damaged = X.asformat(form, copy=True)
    places = damaged.row if form == "coo" else getattr(damaged, name)
    places[5] = place
    model = train({"n_estimators": 2, "n_jobs": 1}, Dataset(X, Y))
    for ask in (lambda: Dataset(damaged, Y), lambda: model.predict(damaged)):
        with pytest.raises(InvalidInputError, match="damaged"):
            ask()


def test_what_exact_splits_would_cost_is_said():
    dataset = Dataset(scipy.sparse.csr_matrix((10**6, 10**6)), np.arange(10.0**6))
    with pytest.raises(InsufficientMemoryError, match=r"ranks need 7450\.6 GB.*'hist'"):
        dataset.ranked(1)

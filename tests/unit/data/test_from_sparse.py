import weakref

import numpy as np
import pytest
import scipy.sparse

from ceiba import Dataset, train
from ceiba.data import from_sparse
from ceiba.data.block import SparseBlock
from ceiba.data.table import read_table
from ceiba.errors import InsufficientMemoryError


@pytest.mark.parametrize("make", [scipy.sparse.csr_matrix, scipy.sparse.csc_array])
def test_sparse_matrices_become_dense_block_by_block(make, monkeypatch):
    X = np.arange(60.0).reshape(20, 3) * (np.arange(60).reshape(20, 3) % 3 == 0)
    monkeypatch.setattr(from_sparse, "_BLOCK_BYTES", 7 * 3 * 8)
    table = read_table(make(X))
    assert [len(block) for block in table.parts] == [7, 7, 6]
    np.testing.assert_array_equal(np.concatenate(table.parts), X)


def test_blocks_are_made_dense_one_at_a_time(monkeypatch):
    """Rows to predict for are never all dense at once."""
    random = np.random.default_rng(0)
    X = scipy.sparse.random(400, 5, 0.3, format="csr", random_state=0)
    model = train({"n_estimators": 3, "n_jobs": 1}, Dataset(X, random.normal(size=400)))
    expected = model.predict(X.toarray())
    made: list[weakref.ref] = []
    plain = SparseBlock.in_memory

    def counted(block):
        assert all(ref() is None for ref in made)
        dense = plain(block)
        made.append(weakref.ref(dense))
        return dense

    monkeypatch.setattr(SparseBlock, "in_memory", counted)
    monkeypatch.setattr(from_sparse, "_BLOCK_BYTES", 100 * 5 * 8)
    np.testing.assert_array_equal(model.predict(X), expected)
    assert len(made) == 4
    leaves = model.apply(X)
    assert len(made) == 8
    np.testing.assert_array_equal(leaves, model.apply(X.toarray()))


def test_a_dataset_stays_sparse():
    X = scipy.sparse.random(400, 5, 0.3, format="csr", random_state=0)
    dataset = Dataset(X, np.arange(400.0))
    dataset.binned(16, 1, 1)
    assert all(isinstance(block, SparseBlock) for block in dataset.table.blocks)
    part = dataset.take(np.arange(0, 400, 3))
    (block,) = part.table.blocks
    assert isinstance(block, SparseBlock)
    np.testing.assert_array_equal(np.concatenate(part.table.parts), X.toarray()[::3])


def test_sparse_matrices_that_do_not_fit_are_refused():
    table = read_table(scipy.sparse.csr_matrix((10**7, 10**6)))
    with pytest.raises(InsufficientMemoryError, match=r"74505\.8 GB"):
        table.in_memory()

import numpy as np
import pytest
import scipy.sparse

from ceiba.data import from_sparse
from ceiba.data.table import read_table
from ceiba.errors import InsufficientMemoryError


@pytest.mark.parametrize("make", [scipy.sparse.csr_matrix, scipy.sparse.csc_array])
def test_sparse_matrices_become_dense_block_by_block(make, monkeypatch):
    X = np.arange(60.0).reshape(20, 3) * (np.arange(60).reshape(20, 3) % 3 == 0)
    monkeypatch.setattr(from_sparse, "_BLOCK_BYTES", 7 * 3 * 8)
    table = read_table(make(X))
    assert [len(block) for block in table.parts] == [7, 7, 6]
    np.testing.assert_array_equal(np.concatenate(table.parts), X)


def test_sparse_matrices_that_do_not_fit_are_refused():
    with pytest.raises(InsufficientMemoryError, match=r"74505\.8 GB"):
        read_table(scipy.sparse.csr_matrix((10**7, 10**6)))

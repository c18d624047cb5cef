"""Blocks of rows: whatever their form, the same rows, columns and missing values."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from ceiba.data.block import (
    ColumnsBlock,
    MatrixBlock,
    SparseBlock,
    SparseColumn,
    dense_values,
    joined_values,
)

X = np.where(np.arange(24).reshape(8, 3) % 3 == 0, 0.0, np.arange(24.0).reshape(8, 3))
FORMS = {
    "matrix": MatrixBlock(X),
    "columns": ColumnsBlock([X[:, 0], X[:, 1].astype(np.int16), X[:, 2].astype(np.float32)]),
    "sparse": SparseBlock(scipy.sparse.csr_matrix(X)),
    "sparse columns": ColumnsBlock(
        [
            SparseColumn(column[column != 0], np.flatnonzero(column).astype(np.int32), 8, 0.0)
            for column in X.T
        ]
    ),
}


def values(block):
    return np.column_stack([dense_values(column).astype(float) for column in block.columns()])


@pytest.mark.parametrize("block", FORMS.values(), ids=FORMS)
def test_the_same_rows_in_every_form(block):
    assert block.shape == (8, 3)
    np.testing.assert_array_equal(values(block), X)
    keep = np.arange(8) % 3 > 0
    np.testing.assert_array_equal(values(block.take(keep)), X[keep])
    np.testing.assert_array_equal(values(block.select([2, 0])), X[:, [2, 0]])
    np.testing.assert_array_equal(values(block.without(7.0)), np.where(X == 7.0, np.nan, X))


@pytest.mark.parametrize("block", FORMS.values(), ids=FORMS)
def test_the_core_gets_a_form_that_it_reads(block):
    def of_matrix(matrix, *rest):
        assert matrix.dtype.kind == "f"
        return [matrix[:, j] for j in range(matrix.shape[1])], rest

    def of_sparse(parts, *rest):
        values, indices, indptr, absent = parts
        assert absent == 0.0
        matrix = scipy.sparse.csr_matrix((values, indices, indptr), shape=X.shape).toarray()
        return list(matrix.T), rest

    columns, rest = block.hand_to(
        of_matrix, lambda columns, *rest: (columns, rest), 1, "two", of_sparse=of_sparse
    )
    np.testing.assert_array_equal(
        np.column_stack([dense_values(c).astype(float) for c in columns]), X
    )
    assert rest == (1, "two")


def test_only_matrices_of_floats_are_walked_as_they_are():
    for dtype, is_walked in (("f4", True), ("f8", True), ("i4", False), ("?", False)):
        block = MatrixBlock(X.astype(dtype))
        found = block.hand_to(lambda matrix: True, lambda columns: False)
        assert found == is_walked


def test_entries_that_a_sparse_block_does_not_hold():
    holed = SparseBlock(scipy.sparse.csr_matrix(X), absent_is_missing=True)
    np.testing.assert_array_equal(values(holed), np.where(X == 0, np.nan, X))
    marked = holed.without(7.0)
    np.testing.assert_array_equal(values(marked), np.where((X == 0) | (X == 7), np.nan, X))


def test_zero_may_be_the_value_that_means_missing():
    for name in ("sparse", "sparse columns"):
        np.testing.assert_array_equal(values(FORMS[name].without(0.0)), np.where(X == 0, np.nan, X))


def test_sparse_columns_in_another_order_and_joined():
    random = np.random.default_rng(0)
    dense = np.where(random.random(40) < 0.3, random.normal(size=40), 0.0)
    rows = np.flatnonzero(dense).astype(np.int32)
    column = SparseColumn(dense[rows], rows, 40, 0.0)
    order = random.permutation(40)
    turned = column.ordered(order)
    assert (np.diff(turned.rows) > 0).all()
    np.testing.assert_array_equal(turned.dense(), dense[order])
    joined = joined_values([column, turned, column])
    assert isinstance(joined, SparseColumn)
    assert joined.rows.dtype == np.int32
    np.testing.assert_array_equal(joined.dense(), np.concatenate([dense, dense[order], dense]))
    assert joined_values([column]) is column
    missing = column._replace(absent=np.nan)
    both = joined_values([missing, missing])
    assert isinstance(both, SparseColumn)
    assert np.isnan(both.absent)
    for mixed in ([column, missing], [column, dense]):
        found = joined_values(mixed)
        assert isinstance(found, np.ndarray)
        np.testing.assert_array_equal(found[:40], dense)

"""Rows of a report: reading, sampling by hash, order."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import case_of, judged, model_of, rows_of_queries

import ceiba
from ceiba.errors import InvalidInputError
from ceiba.reporting.rows import read_rows
from ceiba.reporting.subject import subject_of


def read(kind, X=None, y=None, **of_rows):
    own = judged(kind)
    X, y = own[0] if X is None else X, own[1] if y is None else y
    return read_rows(subject_of(model_of(kind)), X, y, **of_rows)


def values(rows):
    return np.column_stack([rows.column(j) for j in range(rows.table.n_columns)])


def test_samples_do_not_depend_on_the_order_of_the_rows():
    X, y = judged("regression")
    order = np.random.default_rng(0).permutation(len(X))
    one = read("regression").sampled(50)
    other = read("regression", X.iloc[order], y[order]).sampled(50)
    assert np.array_equal(values(one), values(other), equal_nan=True)
    assert np.array_equal(one.target, other.target)
    assert np.array_equal(one.numbers, order[other.numbers])
    assert np.array_equal(y[one.numbers], one.target)


def test_samples_are_nested():
    rows = read("regression")
    assert np.array_equal(rows.sampled(20).numbers, rows.sampled(90).numbers[:20])
    assert np.array_equal(rows.sampled(90).first(20).numbers, rows.sampled(20).numbers)


def test_queries_stay_whole():
    rows = read("ranking", **rows_of_queries())
    sample = rows.sampled(50)
    assert sample.n_rows == 45
    assert sample.queries.sizes.tolist() == [15, 15, 15]
    few = sample.first(16)
    assert few.queries.sizes.tolist() == [15, 15]
    of_first = few.query_labels[few.queries.rows[: few.queries.sizes[0]]]
    assert len(set(of_first)) == 1
    every = np.asarray(rows_of_queries()["qid"])
    assert np.array_equal(every[few.numbers], few.query_labels)


def test_losses_follow_their_queries():
    rows = case_of("ranking").rows
    few = rows.first(40)
    again = few.predicted_by(case_of("ranking").subject)
    assert np.array_equal(few.losses, again.losses)


def test_rows_of_weight_0_are_left_out():
    weights = np.ones(300)
    weights[:10] = 0.0
    rows = read("regression", sample_weight=weights)
    assert rows.n_rows == 290
    assert rows.numbers.min() == 10


def test_a_dataset_brings_its_target():
    X, y = judged("binary")
    plain = read("binary")
    data = ceiba.Dataset(X, (y == "yes").astype(float))
    rows = read_rows(subject_of(model_of("binary").model_), data, None)
    assert np.array_equal(rows.target, plain.target)
    with pytest.raises(InvalidInputError, match="Got y as well"):
        read_rows(subject_of(model_of("binary")), data, y)


def test_the_target_may_be_a_column():
    X, y = judged("binary")
    rows = read("binary", X.assign(answer=y), "answer")
    assert np.array_equal(rows.target, read("binary").target)


def test_sparse_columns_are_sampled():
    from scipy import sparse

    X = sparse.random(200, 6, density=0.2, random_state=0, format="csr")
    y = np.asarray(X.sum(axis=1)).ravel()
    model = ceiba.CeibaRegressor(n_estimators=5).fit(X, y)
    rows = read_rows(subject_of(model), X, y).sampled(30)
    assert np.allclose(values(rows), X.toarray()[rows.numbers])


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("binary", {"y": ["maybe"] * 300}, "classes of the model"),
        ("regression", {"y": [1.0] * 299}, "299"),
        ("regression", {"y": [float("nan")] * 300}, "finite|missing|NaN"),
        ("regression", {"X": np.ones((300, 2))}, "2 features"),
        ("ranking", {}, "query of each row"),
        ("targets", {"y": np.ones(300)}, "2 targets"),
        ("multilabel", {"y": np.full((300, 2), 2.0)}, "columns of 0 and 1|column of 0 and 1"),
    ],
)
def test_bad_rows(kind, given, message):
    with pytest.raises(InvalidInputError, match=message):
        read(kind, **given)


def test_no_target():
    X, _ = judged("regression")
    with pytest.raises(InvalidInputError, match="needs the target"):
        read_rows(subject_of(model_of("regression")), X, None)

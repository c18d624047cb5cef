"""Values that mean missing, and absent entries of sparse matrices, under every split method."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from ceiba import (
    CeibaClassifier,
    CeibaRanker,
    CeibaRegressor,
    Dataset,
    Model,
    cv,
    load_model,
    refit,
    train,
)
from ceiba.data.block import ColumnsBlock, dense_values
from ceiba.data.missing_values import Reading, without_marks
from ceiba.data.read_table import read_table
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, InvalidParameterError

METHODS = ("hist", "exact", "approx")
PARAMS = {"n_estimators": 4, "min_samples_leaf": 3, "n_jobs": 1}


def holed(seed: int = 0, n: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a table with NaN, where it stands, and a target that depends on it."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    holes = random.random(X.shape) < 0.3
    y = X[:, 0] + 2 * holes[:, 1] + 0.1 * random.normal(size=n)
    X[holes] = np.nan
    return X, holes, y


def dense(table: Table) -> np.ndarray:
    """Return the values of a table, whether or not it keeps them all."""
    columns = [np.concatenate([dense_values(part) for part in own]) for own in table.columns]
    return np.column_stack(columns)


def without_reading(model: Model) -> str:
    """Return the fingerprint of a model but for how it reads tables."""
    return replace(model, schema=replace(model.schema, reading=Reading())).fingerprint()


@pytest.mark.parametrize("method", METHODS)
def test_a_value_that_means_missing_is_as_good_as_nan(method: str) -> None:
    X, holes, y = holed()
    marked = np.where(holes, -999.0, X)
    params = {**PARAMS, "split_method": method}
    expected = train(params, Dataset(X, y))
    model = train(params, Dataset(marked, y, missing=-999))
    assert without_reading(model) == expected.fingerprint()
    assert model.parameters["missing"] == -999.0
    np.testing.assert_array_equal(model.predict(marked), expected.predict(X))
    np.testing.assert_array_equal(model.predict(pd.DataFrame(marked)), expected.predict(X))
    np.testing.assert_array_equal(model.apply(marked), expected.apply(X))
    *_, last = model.staged_predict(marked)
    np.testing.assert_array_equal(last, expected.predict(X))


def test_a_saved_model_still_knows_what_is_missing(tmp_path: Path) -> None:
    X, holes, y = holed(1)
    marked = np.where(holes, -1.0, X)
    model = train(PARAMS, Dataset(marked, y, missing=-1.0))
    path = tmp_path / "model.ceiba"
    model.save(path)
    np.testing.assert_array_equal(load_model(path).predict(marked), model.predict(X))


@pytest.mark.parametrize("method", METHODS)
def test_estimators_read_every_table_alike(method: str) -> None:
    X, holes, y = holed(2)
    marked = np.where(holes, 7.0, X)
    for estimator, target in ((CeibaRegressor, y), (CeibaClassifier, y > 0)):
        given = {**PARAMS, "split_method": method, "missing": 7.0}
        fitted = estimator(**given).fit(marked, target, eval_set=[(marked, target)])
        plain = estimator(**{**given, "missing": np.nan}).fit(X, target, eval_set=[(X, target)])
        assert without_reading(fitted.model_) == plain.model_.fingerprint()
        assert fitted.evals_result_ == plain.evals_result_
        np.testing.assert_array_equal(fitted.predict(marked), plain.predict(X))
        assert fitted.get_params()["missing"] == 7.0


@pytest.mark.parametrize("method", METHODS)
def test_rankers_read_every_table_alike(method: str) -> None:
    X, holes, y = holed(2)
    relevance, qid = np.clip(np.round(y), 0.0, 3.0), np.arange(len(y)) // 10
    marked, absent = np.where(holes, 7.0, X), scipy.sparse.csr_matrix(np.where(holes, 0.0, X))
    given = {**PARAMS, "split_method": method}
    plain = CeibaRanker(**given)
    plain.fit(X, relevance, qid=qid, eval_set=[(X, relevance)], eval_qid=[qid])
    for table, reading in ((marked, {"missing": 7.0}), (absent, {"zero_as_missing": True})):
        fitted = CeibaRanker(**given, **reading)
        fitted.fit(table, relevance, qid=qid, eval_set=[(table, relevance)], eval_qid=[qid])
        assert without_reading(fitted.model_) == plain.model_.fingerprint()
        assert fitted.evals_result_ == plain.evals_result_
        assert fitted.score(table, relevance, qid=qid) == plain.score(X, relevance, qid=qid)


def readings() -> list[tuple[Dataset, Dataset]]:
    """Return the same rows with NaN, and read with something else that means missing."""
    X, holes, y = holed(6)
    filled = scipy.sparse.csr_matrix(np.where(holes, 0.0, X))
    return [
        (Dataset(X, y), Dataset(np.where(holes, -9.0, X), y, missing=-9.0)),
        (Dataset(X, y), Dataset(filled, y, zero_as_missing=True)),
    ]


@pytest.mark.parametrize("method", METHODS)
def test_folds_are_read_alike(method: str) -> None:
    params = {**PARAMS, "split_method": method}
    for plain, marked in readings():
        part = marked.take(np.arange(0, 200, 2))
        assert part.schema.reading == marked.schema.reading
        table, models = cv(params, marked, folds=3, return_models=True)
        pd.testing.assert_frame_equal(table, cv(params, plain, folds=3))
        assert {model.schema.reading for model in models} == {marked.schema.reading}
        quantiles = {**params, "objective": "quantile", "quantile": 0.9}  # calibrated on folds
        assert without_reading(train(quantiles, marked)) == train(quantiles, plain).fingerprint()


@pytest.mark.parametrize("method", METHODS)
def test_models_go_on_with_rows_that_are_read_alike(method: str) -> None:
    params = {**PARAMS, "split_method": method}
    for plain, marked in readings():
        expected, model = train(params, plain), train(params, marked)
        both = train(params, marked, init_model=model, eval_sets={"held": marked})
        whole = train({**params, "n_estimators": 8}, plain, eval_sets={"held": plain})
        assert without_reading(both) == whole.fingerprint()
        assert both.schema == marked.schema
        assert both.history["held"]["rmse"][4:] == whole.history["held"]["rmse"][4:]
        refitted = refit(expected, plain, decay_rate=0.5).fingerprint()
        assert without_reading(refit(model, marked, decay_rate=0.5)) == refitted
        for earlier, rows in ((model, plain), (expected, marked)):
            with pytest.raises(InvalidInputError, match="Make the Dataset with missing="):
                train(params, rows, init_model=earlier)
            with pytest.raises(InvalidInputError, match="Make the Dataset with missing="):
                refit(earlier, rows)


@pytest.mark.parametrize("method", METHODS)
def test_absent_entries(method: str) -> None:
    X, holes, y = holed(3)
    filled = np.where(holes, 0.0, X)
    sparse = scipy.sparse.csr_matrix(filled)
    params = {**PARAMS, "split_method": method}
    as_zero = train(params, Dataset(sparse, y))
    assert as_zero.fingerprint() == train(params, Dataset(filled, y)).fingerprint()
    expected = np.where(filled == 0, np.nan, filled)
    as_missing = train(params, Dataset(sparse, y, zero_as_missing=True))
    assert without_reading(as_missing) == train(params, Dataset(expected, y)).fingerprint()
    np.testing.assert_array_equal(as_missing.predict(sparse), as_missing.predict(expected))
    fitted = CeibaRegressor(**params, zero_as_missing=True).fit(sparse, y)
    assert fitted.model_.fingerprint() == as_missing.fingerprint()
    np.testing.assert_array_equal(fitted.predict(sparse), as_missing.predict(expected))


def test_a_zero_that_is_written_down_is_no_missing_value() -> None:
    entries = (np.array([0.0, 2.0, 3.0]), (np.array([0, 0, 1]), np.array([0, 1, 1])))
    for make in (scipy.sparse.coo_matrix, scipy.sparse.csr_array, scipy.sparse.csc_matrix):
        table = read_table(make(entries, shape=(2, 2)), reading=Reading(None, True))
        np.testing.assert_array_equal(dense(table), [[0.0, 2.0], [np.nan, 3.0]])
    whole = scipy.sparse.csr_matrix(np.array([[0, 2], [3, 0]], dtype=np.int16))
    table = read_table(whole, reading=Reading(None, True))
    np.testing.assert_array_equal(dense(table), [[np.nan, 2.0], [3.0, np.nan]])


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i8", "u1", "bool"])
def test_sparse_columns_of_pandas_are_read_as_the_matrix_is(dtype: str) -> None:
    entries = (np.array([0, 2, 1]), (np.array([0, 0, 1]), np.array([0, 1, 1])))
    matrix = scipy.sparse.csr_matrix(entries, shape=(3, 3)).astype(dtype)
    frame = pd.DataFrame.sparse.from_spmatrix(matrix)
    for reading in (Reading(), Reading(None, True), Reading(2.0, True)):
        expected = dense(read_table(matrix, reading=reading))
        for given in (frame, frame.assign(**{"3": [1.0, 0.0, np.nan]})):
            table = read_table(given.set_axis(range(given.shape[1]), axis=1), reading=reading)
            np.testing.assert_array_equal(dense(table)[:, :3], expected)
    np.testing.assert_array_equal(dense(table)[:, 3], [1.0, 0.0, np.nan])  # not sparse


def test_only_absent_zeros_of_sparse_columns_are_missing() -> None:
    values = [0.0, 1.0, 5.0, np.nan]
    for fill in (np.nan, 1.0, 5.0):
        column = pd.arrays.SparseArray(values, fill_value=fill)
        table = read_table(pd.DataFrame({"a": column}), reading=Reading(None, True))
        np.testing.assert_array_equal(dense(table)[:, 0], values)
    large = pd.DataFrame({"a": pd.arrays.SparseArray([0, 2**53 + 1], fill_value=0)})
    with pytest.raises(InvalidInputError, match="Column 'a': integers must lie"):
        train({"n_estimators": 1}, Dataset(large, [1.0, 2.0], zero_as_missing=True))


@pytest.mark.parametrize("method", METHODS)
def test_models_of_sparse_columns_of_pandas(method: str) -> None:
    X, holes, y = holed(7)
    matrix = scipy.sparse.csr_matrix(np.where(holes, 0.0, X))
    frame = pd.DataFrame.sparse.from_spmatrix(matrix)
    given = {**PARAMS, "split_method": method, "zero_as_missing": True}
    fitted, expected = (CeibaRegressor(**given).fit(table, y) for table in (frame, matrix))
    assert fitted.model_.fingerprint() == expected.model_.fingerprint()
    np.testing.assert_array_equal(fitted.predict(frame), expected.predict(matrix))


def test_entries_that_stand_twice_are_added() -> None:
    twice = scipy.sparse.csr_matrix(
        (np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 2])), shape=(1, 2)
    )
    table = read_table(twice, reading=Reading(None, True))
    np.testing.assert_array_equal(dense(table), [[3.0, np.nan]])
    assert twice.nnz == 2  # the caller's matrix is as it was


def test_the_caller_keeps_his_table() -> None:
    for numbers in (np.array([[1.0, -1.0]]), np.array([[1, -1]]), np.array([[1, -1]], dtype="f4")):
        before = numbers.copy()
        changed = without_marks(numbers, -1.0)
        np.testing.assert_array_equal(numbers, before)
        np.testing.assert_array_equal(changed, [[1.0, np.nan]])
        assert changed.dtype == (np.float32 if numbers.dtype == np.float32 else np.float64)
        assert without_marks(numbers, 5.0) is numbers
    columns = ColumnsBlock([np.array([1, 2]), np.array([True, False])])
    changed = columns.without(1).columns()
    np.testing.assert_array_equal(changed, [[np.nan, 2.0], [np.nan, 0.0]])


@pytest.mark.parametrize("mark", [1e300, -1e300, 1e-300])
def test_a_mark_beyond_a_column_is_not_in_it(mark: float) -> None:
    short = np.array([[np.inf, -np.inf, 0.0, -0.0, 1.0]], dtype=np.float32)
    assert without_marks(short, mark) is short
    changed = without_marks(np.array([[mark, 1.0]]), mark)
    np.testing.assert_array_equal(changed, [[np.nan, 1.0]])
    for whole in (np.array([[0, 1]], dtype=np.int8), np.array([[True, False]])):
        assert without_marks(whole, mark) is whole


def test_a_mark_is_looked_for_in_the_precision_of_the_column() -> None:
    for dtype in (np.float32, np.float64):
        changed = without_marks(np.array([[0.1, 0.2]], dtype=dtype), 0.1)
        np.testing.assert_array_equal(changed, np.array([[np.nan, 0.2]], dtype=dtype))
    changed = without_marks(np.array([[0.0, -0.0, 1.0]], dtype=np.float32), -0.0)
    np.testing.assert_array_equal(changed, [[np.nan, np.nan, 1.0]])


def test_large_integers_beside_a_mark_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="2\\^53"):
        without_marks(np.array([2**53 + 1, -1]), -1.0)
    sparse = scipy.sparse.csr_matrix(np.array([[2**53 + 1]]))
    with pytest.raises(InvalidInputError, match="2\\^53"):
        train({"n_estimators": 1}, Dataset(sparse, [1.0], zero_as_missing=True))


def test_blocks_are_read_alike() -> None:
    X, holes, y = holed(4)
    marked = np.where(holes, -5.0, X)
    blocks = [(marked[:70], y[:70]), (marked[70:], y[70:])]
    model = train(PARAMS, Dataset.from_blocks(blocks, missing=-5.0))
    assert without_reading(model) == train(PARAMS, Dataset(X, y)).fingerprint()


def test_readings_that_differ_are_refused() -> None:
    X, _, y = holed(5)
    with pytest.raises(InvalidParameterError, match=r"Give them to ceiba\.Dataset"):
        train({**PARAMS, "missing": -1.0}, Dataset(X, y))
    train({**PARAMS, "missing": -1.0}, Dataset(X, y, missing=-1.0))
    with pytest.raises(InvalidInputError, match="Eval set 'held' was read with missing=None"):
        train(PARAMS, Dataset(X, y, missing=-1.0), eval_sets={"held": Dataset(X, y)})
    with pytest.raises(InvalidParameterError, match="missing must be a finite number or NaN"):
        Dataset(X, y, missing=np.inf)


def test_models_that_read_tables_in_other_ways_have_other_fingerprints() -> None:
    X, _, y = holed(8)
    readings = [{}, {"missing": -1.0}, {"missing": -2.0}, {"zero_as_missing": True}]
    models = [train(PARAMS, Dataset(X, y, **reading)) for reading in readings]
    assert len({without_reading(model) for model in models}) == 1
    assert len({model.fingerprint() for model in models}) == 4
    assert models[0].fingerprint() == without_reading(models[0])
    assert train(PARAMS, Dataset(X, y, missing=np.nan)).fingerprint() == models[0].fingerprint()

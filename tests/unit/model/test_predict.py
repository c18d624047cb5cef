"""The fast predictors against the plainest one: the same bits."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ceiba import _core
from ceiba.data.table import join_tables, read_table
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.model import predict
from ceiba.model.predict import count_threads, iteration_bounds
from ceiba.testing.forests import (
    leaves_of,
    random_forest,
    random_model,
    random_rows,
    raw_scores,
    with_sets,
)

SHAPES = [  # kind, iterations, features, leaves, thresholds, outputs, and values of a leaf
    ("general", 20, 28, 31, None, 1),
    ("general", 9, 3, 31, 20, 3),
    ("general", 3, 4, 1000, 250, 1),  # more leaves than slots
    ("general", 2, 1, 700, None, 2),  # more thresholds than codes
    ("general", 40, 1, 200, None, 1),  # several segments
    ("symmetric", 17, 10, 64, None, 1),
    ("symmetric", 5, 3, 256, 30, 2),
    ("symmetric", 2, 3, 1024, None, 1),
    ("chain", 5, 4, 120, None, 1),
    ("mixed", 30, 6, 300, 300, 1),
    ("mixed", 12, 7, 40, None, 7),
    ("mixed", 8, 2, 1, None, 1),
    ("general", 0, 3, 1, None, 1),
    ("general", 20, 5, 31, None, 2, 2),
    ("mixed", 30, 6, 300, 300, 5, 5),
    ("symmetric", 9, 3, 64, None, 8, 8),
    ("general", 40, 1, 200, None, 3, 3),
    ("general", 2, 1, 700, None, 4, 4),
    ("chain", 3, 2, 20, None, 21, 21),
]
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "reversed": lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
}


@pytest.fixture(params=[True, False], ids=["avx2", "baseline"])
def kernels(request):
    before = _core.uses_avx2()
    _core.set_avx2(request.param)
    yield
    _core.set_avx2(before)


def add(forest, X, n_outputs, start=0.5, begin=0, end=None, n_threads=2):
    scores = np.full((len(X), n_outputs), start)
    end = forest.n_iterations if end is None else end
    forest.add_matrix(X, scores, begin, end, n_threads)
    return scores


def rows_for(arrays, seed, n_rows, n_features):
    X = random_rows(seed, n_rows, n_features)
    thresholds = arrays["threshold"][arrays["feature"] >= 0]
    if len(thresholds):
        random = np.random.default_rng(seed)
        hit = random.random(X.shape) < 0.1
        X[hit] = random.choice(thresholds, hit.sum())
    return X


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n_rows", [1, 11, 12, 256, 611])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_matches_plain_predictor(shape, n_rows, dtype):
    kind, n_iterations, n_features, n_leaves, n_thresholds, n_outputs, *leaf_width = shape
    (leaf_width,) = leaf_width or (1,)
    arrays = random_forest(
        n_leaves,
        kind=kind,
        n_trees=n_iterations * n_outputs // leaf_width,
        n_features=n_features,
        n_leaves=n_leaves,
        n_thresholds=n_thresholds,
        leaf_width=leaf_width,
    )
    forest = _core.Forest(n_features, n_outputs, arrays)
    X = rows_for(arrays, n_rows, n_rows, n_features).astype(dtype)
    expected, leaves = raw_scores(arrays, X, n_outputs, 0.5), leaves_of(arrays, X)
    for layout in LAYOUTS.values():
        same = layout(X)
        np.testing.assert_array_equal(add(forest, same, n_outputs), expected)
        np.testing.assert_array_equal(forest.apply_matrix(same, 0, n_iterations, 2), leaves)
        columns = [same[:, j] for j in range(n_features)]
        scores = np.full((n_rows, n_outputs), 0.5)
        forest.add_columns(columns, scores, 0, n_iterations, 2)
        np.testing.assert_array_equal(scores, expected)
        np.testing.assert_array_equal(forest.apply_columns(columns, 0, n_iterations, 2), leaves)


@pytest.mark.parametrize(("n_outputs", "leaf_width"), [(1, 1), (3, 1), (3, 3)])
@pytest.mark.parametrize("n_rows", [2, 5, 300])
def test_ranges_and_slices_add_up(n_rows, n_outputs, leaf_width):
    arrays = random_forest(
        3,
        kind="mixed",
        n_trees=20 * n_outputs // leaf_width,
        n_features=6,
        n_leaves=400,
        leaf_width=leaf_width,
    )
    forest = _core.Forest(6, n_outputs, arrays)
    X = random_rows(0, n_rows, 6)
    whole = add(forest, X, n_outputs)
    staged = np.full((n_rows, n_outputs), 0.5)
    for begin, end in ((0, 1), (1, 7), (7, 7), (7, 20)):
        forest.add_matrix(X, staged, begin, end, 1)
    np.testing.assert_array_equal(staged, whole)
    part = forest.slice(4, 9)
    assert part.n_iterations == 5
    np.testing.assert_array_equal(add(part, X, n_outputs), add(forest, X, n_outputs, 0.5, 4, 9))
    np.testing.assert_array_equal(part.apply_matrix(X, 0, 5, 1), forest.apply_matrix(X, 4, 9, 1))


@pytest.mark.parametrize(
    "dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "bool", "f4", "f8"]
)
@pytest.mark.parametrize("n_rows", [3, 400])
def test_columns_of_every_type(dtype, n_rows):
    arrays = random_forest(5, n_features=2, n_trees=6)
    forest = _core.Forest(2, 1, arrays)
    random = np.random.default_rng(0)
    first = random.integers(0, 2, n_rows).astype(dtype)
    second = random.normal(size=n_rows)
    scores = np.zeros((n_rows, 1))
    forest.add_columns([first, second], scores, 0, 6, 1)
    X = np.column_stack((first.astype(float), second))
    np.testing.assert_array_equal(scores, raw_scores(arrays, X, 1))


@pytest.mark.parametrize("value", [2**53 + 2, -(2**53) - 2])
@pytest.mark.parametrize("n_rows", [3, 400])
def test_integers_without_a_double_are_refused(value, n_rows):
    forest = _core.Forest(1, 1, random_forest(5, n_features=1))
    column = np.full(n_rows, value, dtype=np.int64)
    with pytest.raises(InvalidInputError, match=r"2\^53"):
        forest.add_columns([column], np.zeros((n_rows, 1)), 0, 10, 1)


SETS = [  # kind, iterations, levels of the columns, leaves, outputs, values of a leaf
    ("general", 20, (0, 3, 40), 31, 1, 1),
    ("general", 5, (5000, 300), 31, 2, 1),
    ("symmetric", 9, (64, 0, 65), 64, 1, 1),
    ("symmetric", 3, (12,), 1024, 1, 1),
    ("general", 3, (256, 257), 1000, 1, 1),  # trees to walk
    ("general", 100, (500,), 31, 1, 1),  # more sets than one segment takes
    ("mixed", 12, (1, 2, 0), 40, 3, 3),
]


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n_rows", [1, 3, 31, 256, 611])
@pytest.mark.parametrize("shape", SETS, ids=str)
def test_sets_match_plain_predictor(shape, n_rows):
    kind, n_iterations, n_levels, n_leaves, n_outputs, leaf_width = shape
    arrays = random_forest(
        n_leaves,
        kind=kind,
        n_trees=n_iterations * n_outputs // leaf_width,
        n_features=len(n_levels),
        n_leaves=n_leaves,
        leaf_width=leaf_width,
    )
    arrays = with_sets(arrays, n_levels)
    forest = _core.Forest(len(n_levels), n_outputs, arrays)
    X = random_rows(n_rows, n_rows, len(n_levels), n_levels)
    expected, leaves = raw_scores(arrays, X, n_outputs, 0.5), leaves_of(arrays, X)
    for layout in LAYOUTS.values():
        same = layout(X)
        np.testing.assert_array_equal(add(forest, same, n_outputs), expected)
        np.testing.assert_array_equal(forest.apply_matrix(same, 0, n_iterations, 2), leaves)
        columns = [same[:, j] for j in range(len(n_levels))]
        scores = np.full((n_rows, n_outputs), 0.5)
        forest.add_columns(columns, scores, 0, n_iterations, 2)
        np.testing.assert_array_equal(scores, expected)


@pytest.mark.parametrize("value", [2**53 + 2, -(2**53) - 2])
@pytest.mark.parametrize("n_rows", [3, 400])
def test_integers_without_a_double_are_refused_by_sets_too(value, n_rows):
    forest = _core.Forest(1, 1, with_sets(random_forest(5, n_features=1), [9]))
    column = np.full(n_rows, value, dtype=np.int64)
    with pytest.raises(InvalidInputError, match=r"2\^53"):
        forest.add_columns([column], np.zeros((n_rows, 1)), 0, 10, 1)


@pytest.mark.threads
def test_threads_do_not_change_a_bit():
    arrays = random_forest(1, kind="mixed", n_trees=50, n_features=8)
    forest = _core.Forest(8, 1, arrays)
    X = random_rows(0, 20_000, 8)
    one = add(forest, X, 1, n_threads=1)
    for n_threads in (2, 3, 8):
        np.testing.assert_array_equal(add(forest, X, 1, n_threads=n_threads), one)


@pytest.mark.threads
def test_first_prediction_from_many_threads():
    arrays = random_forest(2, n_trees=30, n_features=4)
    X = random_rows(0, 500, 4)
    expected = raw_scores(arrays, X, 1)
    forest = _core.Forest(4, 1, arrays)
    results = [np.zeros((500, 1)) for _ in range(4)]
    threads = [
        threading.Thread(target=forest.add_matrix, args=(X, out, 0, 30, 2)) for out in results
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for out in results:
        np.testing.assert_array_equal(out, expected)


def test_core_checks_what_it_is_given():
    forest = _core.Forest(3, 1, random_forest(0, n_features=3))
    out = np.zeros((4, 1))
    with pytest.raises(InvalidInputError, match="3 columns"):
        forest.add_matrix(np.zeros((4, 2)), out, 0, 10, 1)
    with pytest.raises(TypeError):
        forest.add_matrix(np.zeros((4, 3), dtype=np.int64), out, 0, 10, 1)
    with pytest.raises(InvalidInputError, match=r"native byte order\. Got the type '>d'"):
        forest.add_matrix(np.zeros((4, 3), dtype=">f8"), out, 0, 10, 1)
    with pytest.raises(InvalidInputError, match="one entry per row"):
        forest.add_matrix(np.zeros((5, 3)), out, 0, 10, 1)
    with pytest.raises(InvalidInputError, match="range of iterations"):
        forest.add_matrix(np.zeros((4, 3)), out, 0, 11, 1)
    with pytest.raises(InvalidInputError, match="same length"):
        forest.add_columns([np.zeros(4), np.zeros(4), np.zeros(3)], out, 0, 10, 1)
    out.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        forest.add_matrix(np.zeros((4, 3)), out, 0, 10, 1)


@pytest.mark.parametrize("given", [(0, 9), (-1, 2), (3, 2), (0,), (0.5, 1), "ab", 3])
def test_iteration_range_errors(given):
    with pytest.raises(InvalidParameterError, match=r"iteration_range must be"):
        iteration_bounds(given, 8)


def test_iteration_range():
    assert iteration_bounds(None, 8) == (0, 8)
    assert iteration_bounds((np.int64(2), 8), 8) == (2, 8)


@pytest.mark.parametrize("given", [0, True, 1.5, "2"])
def test_n_jobs_errors(given):
    with pytest.raises(InvalidParameterError, match="n_jobs must be"):
        count_threads(given)


def test_n_jobs():
    assert count_threads(3) == 3
    assert count_threads(None) == count_threads(-1) == _core.available_threads()
    assert count_threads(-100) == 1


def test_tables_of_all_kinds_give_the_same_bits():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    model = random_model(0, n_features=4)
    X = random_rows(0, 100, 4)
    expected = model.predict(X)
    names = list(model.schema.names)
    frame = pandas.DataFrame(X, columns=names)
    blocks = pandas.DataFrame({name: X[:, j] for j, name in enumerate(names)})
    for table in (
        frame,
        blocks,
        frame[names[::-1]],
        polars.DataFrame(X, schema=names),
        X.tolist(),
        X.astype(object),
        X.astype(">f8"),
    ):
        np.testing.assert_array_equal(model.predict(table), expected)
    with pytest.raises(InvalidInputError, match="column 0"):
        model.predict(frame.rename(columns={"column 0": "colum 0"}))
    with pytest.raises(InvalidInputError, match="4 features"):
        model.predict(X[:, :3])


@pytest.mark.parametrize(("n_outputs", "leaf_width"), [(1, 1), (3, 1), (3, 3)])
@pytest.mark.parametrize("n_leaves", [1, 50, 2**24])
def test_stages_have_the_bits_of_predictions(n_outputs, leaf_width, n_leaves, monkeypatch):
    monkeypatch.setattr(predict, "_STAGED_LEAVES", n_leaves)
    objective = "softmax" if n_outputs > 1 else "squared_error"
    model = random_model(
        3, objective=objective, n_outputs=n_outputs, n_iterations=7, leaf_width=leaf_width
    )
    X = rows_for(model.forest.arrays(), 3, 37, model.n_features)
    blocks = join_tables([read_table(X[:20]), read_table(X[20:])])
    for data in (X, blocks, X.tolist(), X[:0]):
        stages = list(model.staged_predict_raw(data))
        assert len(stages) == 7
        for number, stage in enumerate(stages):
            expected = model.predict_raw(data, iteration_range=(0, number + 1))
            np.testing.assert_array_equal(stage, expected)

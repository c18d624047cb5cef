"""Datasets that are read block by block equal those of the whole table."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from ceiba import Dataset, train
from ceiba.data.sources import source as sources
from ceiba.errors import CacheError, InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.testing.strategies import tables, weight_columns


def make_frame(n, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "number": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "whole": rng.integers(0, 9, n),
            "city": rng.choice(["Lima", "Oslo", "Rome", None], n),
            "kind": pd.Categorical(rng.choice(["x", "y"], n), categories=["y", "x", "z"]),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "h"),
            "took": pd.to_timedelta(rng.integers(0, 900, n), "min"),
            "flag": rng.random(n) < 0.2,
            "y": rng.normal(size=n),
            "w": rng.integers(0, 3, n).astype(float),
            "q": rng.integers(0, n // 10 + 1, n),
        }
    )


def same(one, other, **params):
    """Whether two datasets give the same rows, bins and trees."""
    assert one.schema == other.schema
    assert one.n_given == other.n_given
    for name in ("target", "weight", "row_numbers"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for first, second in zip(one.binned(256, 3, 2), other.binned(256, 3, 2), strict=True):
        assert first.n_features == second.n_features
        for j in range(first.n_features):
            if hasattr(first, "column"):
                np.testing.assert_array_equal(first.column(j), second.column(j))
            else:
                np.testing.assert_array_equal(first.edges(j), second.edges(j))
                assert first.has_missing(j) == second.has_missing(j)
    params = {"n_estimators": 4, "categorical": "subset", **params}
    assert train(params, one).fingerprint() == train(params, other).fingerprint()


@pytest.mark.parametrize("weighted", [False, True])
def test_frames_with_columns_of_every_kind(weighted):
    frame = make_frame(1000, 0)
    blocks = [frame[:1], frame[1:400], frame[400:400], frame[400:]]
    names = {"weight": "w"} if weighted else {}
    rest = [] if weighted else ["w"]
    source = lambda: (block.drop(columns=[*rest, "q"]) for block in blocks)  # noqa: E731
    expected = Dataset(
        frame.drop(columns=["y", "w", "q"]), frame["y"], weight=frame["w"] if weighted else None
    )
    same(Dataset.from_source(source, "y", **names), expected)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_split_into_blocks(data):
    """Numbers, text of any levels, dates and weights, in any blocks."""
    X = data.draw(tables(min_rows=2, max_rows=90))
    n = len(X)
    weight = data.draw(weight_columns(n))
    seed = data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    words = rng.choice(list("abcdefgh"), n).astype(object)
    words[rng.random(n) < 0.2] = None
    frame["word"] = words
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 90, n), "D")
    target = rng.normal(size=n)
    cuts = data.draw(st.lists(st.integers(0, n), max_size=5))
    bounds = [0, *sorted(cuts), n]

    def source():
        for a, b in itertools.pairwise(bounds):
            part = frame[a:b], target[a:b]
            yield part if weight is None else (*part, weight[a:b])

    same(Dataset.from_source(source), Dataset(frame, target, weight=weight))


def test_every_library(monkeypatch):
    monkeypatch.setattr(sources, "_PIECE_ROWS", 130)
    frame = make_frame(600, 1).drop(columns=["w", "q", "kind", "took"])
    expected = Dataset(frame, "y")
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    for whole in (frame, pl.from_pandas(frame), arrow):
        same(Dataset.from_source(lambda whole=whole: [whole], "y"), expected)
    same(Dataset.from_source(lambda: arrow.to_batches(100), "y"), expected)
    matrix = frame[["number", "whole"]].to_numpy()
    own = Dataset(matrix, frame["y"])
    same(Dataset.from_source(lambda: [(matrix, frame["y"])]), own)
    rare = sparse.random(600, 30, 0.05, random_state=0, format="csr")
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array):
        same(
            Dataset.from_source(lambda kind=kind: [(kind(rare), frame["y"])]),
            Dataset(rare, frame["y"]),
        )


def test_queries_may_span_blocks():
    frame = make_frame(500, 2).drop(columns="w")
    dataset = Dataset.from_source(lambda: [frame[:200], frame[200:]], "y", qid="q")
    expected = Dataset(frame.drop(columns=["y", "q"]), frame["y"], qid=frame["q"])
    np.testing.assert_array_equal(dataset.queries.numbers, expected.queries.numbers)


def test_arguments_of_reading():
    frame = make_frame(300, 3)[["whole", "flag", "number", "y"]]
    how = {"missing": -1.0, "categorical_features": ["whole"]}
    frame.loc[::7, "number"] = -1.0
    same(
        Dataset.from_source(lambda: [frame[:9], frame[9:]], "y", **how), Dataset(frame, "y", **how)
    )
    X = frame[["whole", "number"]].to_numpy()
    one = Dataset.from_source(lambda: [X], feature_names=["a", "b"])
    assert one.schema.names == ("a", "b")
    assert one.target is None


def test_a_column_that_is_empty_in_some_blocks():
    city = pd.DataFrame({"city": ["Lima", "Oslo"] * 20, "x": np.arange(40.0)})
    nothing = pd.DataFrame({"city": [None] * 5, "x": np.arange(5.0)})
    whole = pd.concat([nothing, city, nothing])
    dataset = Dataset.from_source(lambda: [nothing, city, nothing])
    assert dataset.schema == Dataset(whole).schema


def test_columns_in_another_order():
    frame = make_frame(300, 4)[["number", "city", "y"]]
    source = lambda: [frame[:100], frame[100:][["y", "city", "number"]]]  # noqa: E731
    same(Dataset.from_source(source, "y"), Dataset(frame, "y"))


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"a": [1.0], "c": [2.0]}, "block 1: It has 'c' where block 0 has 'b'"),
        ({"a": [1.0]}, "block 1: It has 1 columns, and block 0 has 2"),
        (
            {"a": ["x"], "b": [1.0]},
            "'a' must have one type in all blocks. Got numeric and category",
        ),
        (
            {"a": pd.to_datetime(["2024-01-01"]), "b": [1.0]},
            "'a' must have one type in all blocks. Got numeric and date",
        ),
    ],
)
def test_a_block_with_another_schema_is_an_error(second, message):
    first = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    with pytest.raises(InvalidInputError, match=message):
        Dataset.from_source(lambda: [first, pd.DataFrame(second)])


def test_rows_that_differ_between_passes_are_an_error():
    rng = np.random.default_rng(0)
    with pytest.raises(InvalidInputError, match=r"same rows in the same order.*in block 0"):
        Dataset.from_source(lambda: [rng.normal(size=(50, 2))])
    sizes = iter([3, 2, 2])
    X = np.arange(20.0).reshape(10, 2)
    with pytest.raises(InvalidInputError, match="after 2 blocks, where it ended"):
        Dataset.from_source(lambda: [X] * next(sizes))
    once = iter([X])
    with pytest.raises(InvalidInputError, match="after 0 blocks, where it ended"):
        Dataset.from_source(lambda: once)


def test_input_that_cannot_be_used():
    X = np.arange(20.0).reshape(10, 2)
    with pytest.raises(InvalidInputError, match=r"at least one row. Got no rows"):
        Dataset.from_source(list)
    with pytest.raises(InvalidInputError, match="no rows of a weight above 0"):
        Dataset.from_source(lambda: [(X, X[:, 0], np.zeros(10))])
    with pytest.raises(InvalidInputError, match="block 1: Either all blocks or no block"):
        Dataset.from_source(lambda: [(X, X[:, 0]), X])
    with pytest.raises(InvalidInputError, match="weight must contain numbers of at least 0"):
        Dataset.from_source(lambda: [(X, X[:, 0], -np.ones(10))])
    with pytest.raises(InvalidInputError, match="block 0: target='y' is not a column"):
        Dataset.from_source(lambda: [pd.DataFrame({"x": [1.0]})], "y")
    with pytest.raises(InvalidInputError, match="bring the target as well"):
        Dataset.from_source(lambda: [(pd.DataFrame({"x": [1.0], "y": [1.0]}), [1.0])], "y")
    with pytest.raises(InvalidTypeError, match="tuple of 5"):
        Dataset.from_source(lambda: [(X, 1, 2, 3, 4)])
    with pytest.raises(InvalidTypeError, match="must return an iterator of tables"):
        Dataset.from_source(lambda: None)
    with pytest.raises(InvalidTypeError, match="target must be the name of a column"):
        Dataset.from_source(lambda: [X], X[:, 0])
    with pytest.raises(InvalidTypeError, match="A source must be a path"):
        Dataset.from_source(X)
    with pytest.raises(InvalidParameterError, match="max_bins must be"):
        Dataset.from_source(lambda: [X], max_bins=1)
    big = np.array([[2**53 + 1], [1]])
    with pytest.raises(InvalidInputError, match=r"Column 0: .*2\^53"):
        Dataset.from_source(lambda: [big])


@pytest.mark.parametrize("n_folders", [1, 3])
def test_a_cache_gives_the_same_dataset_from_one_pass(tmp_path, n_folders):
    frame = make_frame(900, 5).drop(columns="q")
    folders = [tmp_path / str(i) for i in range(n_folders)]
    for folder in folders:
        folder.mkdir()
    blocks = iter([frame[:300], frame[300:]])  # an iterator cannot start again
    cached = Dataset.from_source(lambda: blocks, "y", weight="w", cache_dirs=folders)
    same(cached, Dataset(frame.drop(columns=["y", "w"]), frame["y"], weight=frame["w"]))
    assert not any(any(folder.iterdir()) for folder in folders)
    rare = sparse.random(600, 30, 0.05, random_state=0, format="csr")
    y = np.arange(600.0)
    once = iter([(rare[:200], y[:200]), (rare[200:], y[200:])])
    same(Dataset.from_source(lambda: once, cache_dirs=tmp_path), Dataset(rare, y))
    X = np.random.default_rng(0).normal(size=(600, 4))
    for matrix in (X, np.asfortranarray(X), X.astype(np.float32)[:, ::2]):
        once = iter([(matrix[:300], y[:300]), (matrix[300:], y[300:])])
        same(Dataset.from_source(lambda once=once: once, cache_dirs=tmp_path), Dataset(matrix, y))


def test_cache_dirs_that_cannot_be_used(tmp_path):
    X = np.arange(20.0).reshape(10, 2)
    for folders in (3, [], [3]):
        with pytest.raises(InvalidTypeError, match="cache_dirs must be a list"):
            Dataset.from_source(lambda: [X], cache_dirs=folders)
    with pytest.raises(CacheError, match="cannot be used"):
        Dataset.from_source(lambda: [X], cache_dirs=[tmp_path / "none"])


def test_eval_sets_with_the_bins_of_the_training_rows(tmp_path):
    frame = make_frame(900, 6).drop(columns=["w", "q"])
    other = make_frame(400, 7).drop(columns=["w", "q"])
    other.loc[::9, "whole"] = np.nan  # missing values and categories that are new
    other.loc[::5, "city"] = "Quito"
    params = {"n_estimators": 6, "categorical": "subset"}
    rows = Dataset.from_source(lambda: [frame[:500], frame[500:]], "y")
    valid = Dataset.from_source(lambda: [other[:9], other[9:]], "y", reference=rows)
    expected = train(params, Dataset(frame, "y"), eval_sets={"valid": Dataset(other, "y")})
    assert train(params, rows, eval_sets={"valid": valid}).history == expected.history
    for name, dataset in (("rows", rows), ("valid", valid)):
        dataset.save(tmp_path / name)
    loaded = Dataset.load(tmp_path / "rows"), Dataset.load(tmp_path / "valid")
    assert train(params, loaded[0], eval_sets={"valid": loaded[1]}).history == expected.history
    with pytest.raises(InvalidInputError, match="missing"):
        train(params, valid)  # a column has missing values, but no bin for them
    with pytest.raises(InvalidTypeError, match="reference must be a Dataset in bins"):
        Dataset.from_source(lambda: [other], "y", reference=Dataset(frame, "y"))
    with pytest.raises(InvalidParameterError, match="Leave out"):
        Dataset.from_source(lambda: [other], "y", reference=rows, max_bins=9)
    with pytest.raises(InvalidInputError, match="no rows"):
        Dataset.from_source(list, reference=rows)

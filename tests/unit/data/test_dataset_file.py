"""Files of datasets: they come back, and damaged or hostile ones raise our own errors."""

import hashlib
import json
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ceiba
from ceiba import Dataset, train
from ceiba.data import dataset_file
from ceiba.errors import (
    DatasetFileError,
    InvalidParameterError,
    InvalidTypeError,
    LoadError,
    SaveError,
)

PARAMS = {"n_estimators": 5, "max_bins": 32}


def make_frame(n=700, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "number": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "city": rng.choice(["Lima", "Oslo", "Rome"], n),
            "day": pd.date_range("2024-01-01", periods=n),
            "rare": (rng.random(n) < 0.02) * 1.0,
            "flag": (rng.random(n) < 0.03) * 1.0,
            "constant": 1.0,
        }
    )


def make_dataset(n=700, seed=0, **parts):
    rng = np.random.default_rng(seed)
    return Dataset(make_frame(n, seed), rng.normal(size=n), **parts)


def saved(tmp_path, dataset, **how):
    path = tmp_path / "rows.ceiba"
    dataset.save(path, **how)
    return path


@pytest.mark.parametrize("max_bins", [16, 300])
def test_everything_comes_back(tmp_path, max_bins):
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 3, 700).astype(float)
    dataset = make_dataset(
        weight=weight, init_score=rng.normal(size=700), qid=rng.integers(0, 40, 700)
    )
    loaded = Dataset.load(saved(tmp_path, dataset, max_bins=max_bins, min_data_in_bin=1))
    assert repr(loaded) == repr(dataset).replace(">", ", in bins>")
    assert loaded.schema == dataset.schema
    assert loaded.n_given == 700
    for name in ("target", "weight", "init_score", "row_numbers"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(dataset, name))
    np.testing.assert_array_equal(loaded.queries.numbers, dataset.queries.numbers)
    params = {**PARAMS, "max_bins": max_bins, "min_data_in_bin": 1}
    assert train(params, loaded).fingerprint() == train(params, dataset).fingerprint()


def test_many_pages_and_saving_again(tmp_path, monkeypatch):
    dataset = make_dataset(5000)
    monkeypatch.setattr(dataset_file, "_PAGE_ROWS", 300)
    path = saved(tmp_path, dataset, max_bins=32)
    loaded = Dataset.load(path)
    again = Dataset.load(saved(tmp_path, loaded))
    expected = train(PARAMS, dataset).fingerprint()
    assert train(PARAMS, loaded).fingerprint() == expected
    assert train(PARAMS, again).fingerprint() == expected


def test_several_targets(tmp_path):
    rng = np.random.default_rng(0)
    dataset = Dataset(rng.normal(size=(300, 3)), rng.normal(size=(300, 2)))
    loaded = Dataset.load(saved(tmp_path, dataset))
    np.testing.assert_array_equal(loaded.target, dataset.target)


def test_settings_are_those_of_the_file(tmp_path):
    loaded = Dataset.load(saved(tmp_path, make_dataset(), max_bins=32))
    with pytest.raises(InvalidParameterError, match=r"max_bins must be 32, .* Got 256"):
        train({"n_estimators": 2}, loaded)
    with pytest.raises(InvalidParameterError, match="min_data_in_bin must be 3"):
        loaded.save(tmp_path / "other", min_data_in_bin=4)
    with pytest.raises(InvalidParameterError, match="max_bins must be"):
        make_dataset().save(tmp_path / "other", max_bins=1)


def test_paths_that_cannot_be_used(tmp_path):
    dataset = make_dataset(50)
    with pytest.raises(SaveError, match="does not exist"):
        dataset.save(tmp_path / "no" / "file")
    with pytest.raises(SaveError, match="A dataset must be saved to a regular file"):
        dataset.save(tmp_path)
    with pytest.raises(LoadError, match="There is no dataset file"):
        Dataset.load(tmp_path / "none")
    with pytest.raises(LoadError):
        Dataset.load(tmp_path)
    with pytest.raises(InvalidTypeError):
        Dataset.load(3)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LoadError, match="regular file"):
        Dataset.load(tmp_path / "pipe")
    (tmp_path / "model").write_bytes(b"x" * 100)
    with pytest.raises(DatasetFileError, match="not a dataset file"):
        Dataset.load(tmp_path / "model")


def test_a_full_disk_leaves_the_previous_file(tmp_path, monkeypatch):
    path = saved(tmp_path, make_dataset(50))
    before = path.read_bytes()

    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(dataset_file, "write_whole", full)
    with pytest.raises(SaveError, match=r"The dataset could not be saved.*No space left"):
        make_dataset(60).save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_any_flipped_byte_or_cut_is_found(tmp_path):
    path = saved(tmp_path, make_dataset(60))
    data = path.read_bytes()
    rng = np.random.default_rng(0)
    for place in {*range(60), *range(len(data) - 60, len(data)), *rng.integers(0, len(data), 300)}:
        wrong = bytearray(data)
        wrong[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(wrong)
        with pytest.raises(DatasetFileError):
            Dataset.load(path)
    for length in (0, 1, 55, 56, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(DatasetFileError):
            Dataset.load(path)


def with_index(data, change):
    """Return a file with a changed index and correct checksums."""
    length = int.from_bytes(data[-48:-40], "little")
    index = json.loads(data[-48 - length : -48])
    change(index)
    text = json.dumps(index).encode()
    end = len(text).to_bytes(8, "little") + hashlib.sha256(text).digest() + data[-8:]
    return data[: -48 - length] + text + end


VALUES = st.sampled_from(
    [None, True, -1, 0, 1, 2, 255, 2**31, 2**63, 1e308, "", "x", [], [[]], {}, [1, 2, 3, 4], "u8"]
)


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_hostile_files(tmp_path_factory, data):
    """Any change of the index loads, or raises one of our errors."""
    folder = tmp_path_factory.getbasetemp()
    path = folder / "hostile.ceiba"
    if not (folder / "sound.ceiba").exists():
        make_dataset(80, weight=np.arange(80) % 3.0, qid=np.arange(80) // 4).save(
            folder / "sound.ceiba"
        )

    def change(index):
        holder = index
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                return
            key = data.draw(st.sampled_from(keys))
            inner = holder[key]
            if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
                holder = inner
                continue
            if isinstance(holder, dict) and data.draw(st.booleans()):
                del holder[key]
            elif isinstance(inner, int) and data.draw(st.booleans()):
                holder[key] = inner + data.draw(st.sampled_from([-1, 1, 7, 256, -300]))
            else:
                holder[key] = data.draw(VALUES)
            return

    path.write_bytes(with_index((folder / "sound.ceiba").read_bytes(), change))
    try:
        loaded = Dataset.load(path)
        train({"n_estimators": 1, "max_bins": loaded._bins.settings.max_bins}, loaded)
    except ceiba.CeibaError:
        pass

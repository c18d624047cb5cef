"""Models in files that the user has opened."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_table import X, Y, regressor

from ceiba import CeibaRegressor, Dataset, LinearTreeRegressor, load_model, train
from ceiba.errors import CeibaError, LoadError, ModelFileError, SaveError
from ceiba.testing.forests import random_model

FILE_LOADERS = [load_model, CeibaRegressor().load_model, LinearTreeRegressor().load_model]
LOADERS = [
    *FILE_LOADERS,
    lambda path: train({"n_estimators": 1}, Dataset(X, Y), init_model=path),
    lambda path: train({"n_estimators": 1}, Dataset(X, Y), resume_from=path),
]


@pytest.fixture(scope="module")
def fitted() -> Any:
    return regressor().fit(X, Y)


def test_bytes_in_memory_and_on_disk(fitted: Any, tmp_path: Path) -> None:
    model = fitted.model_
    memory = io.BytesIO()
    model.save(memory)
    path = tmp_path / "model.ceiba"
    model.save_model(path)
    assert path.read_bytes() == memory.getvalue()
    memory.seek(0)
    with path.open("rb") as file:
        for source in (memory, file):
            assert load_model(source).fingerprint() == model.fingerprint()
    with (tmp_path / "other.ceiba").open("wb") as file:
        fitted.save_model(file)
    with (tmp_path / "other.ceiba").open("rb") as file:
        loaded = CeibaRegressor().load_model(file)
    assert loaded.predict(X).tolist() == fitted.predict(X).tolist()


def test_files_of_text_and_closed_ones(fitted: Any, tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    with path.open("w") as file, pytest.raises(SaveError, match=r"model.txt' in text mode. .*'wb'"):
        fitted.save_model(file)
    closed = io.BytesIO()
    closed.close()
    with pytest.raises(SaveError, match="the BytesIO cannot be written"):
        fitted.save_model(closed)
    path.write_text("{}")
    with path.open() as file, pytest.raises(LoadError, match=r"in text mode.*'rb'"):
        load_model(file)  # type: ignore[arg-type]
    with pytest.raises(LoadError, match="cannot be read"):
        load_model(file)  # type: ignore[arg-type]
    with pytest.raises(LoadError, match="the StringIO in text mode"):
        load_model(io.StringIO("a"))  # type: ignore[arg-type]


def test_bytes_that_are_no_model() -> None:
    for data in (b"", b"12345678", bytes(100)):
        with pytest.raises(ModelFileError):
            load_model(io.BytesIO(data))


# ---- files that take or give a part of the bytes -------------------------------------------------


@pytest.fixture(scope="module")
def large() -> Any:
    """Return a model of several times the 64 kB that a pipe holds."""
    return random_model(5, n_iterations=400)


class Part(io.RawIOBase):
    """A file that takes and gives as many bytes at a time as it is told."""

    def __init__(self, sizes: list[int], data: bytes = b"") -> None:
        self.sizes, self.data, self.taken = sizes, data, b""

    def next_size(self) -> int:
        self.sizes.append(self.sizes.pop(0))
        return self.sizes[-1]

    def write(self, data: Any) -> int:
        part = bytes(data[: self.next_size()])
        self.taken += part
        return len(part)

    def read(self, size: int = -1) -> bytes:
        size = min(size, self.next_size())
        part, self.data = self.data[:size], self.data[size:]
        return part


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=5))
@settings(max_examples=30)
def test_short_writes_and_reads_are_continued(sizes: list[int]) -> None:
    model = random_model(1, n_iterations=3)
    target = Part(list(sizes))
    model.save(target)  # type: ignore[arg-type]
    assert target.taken == model.to_bytes()
    source = Part(list(sizes), target.taken)
    assert load_model(source).fingerprint() == model.fingerprint()  # type: ignore[arg-type]


def test_a_file_that_takes_nothing(fitted: Any) -> None:
    with pytest.raises(SaveError, match=r"10 of .* bytes were written"):
        fitted.save_model(Part([10, 0]))


@pytest.mark.parametrize("buffering", [-1, 0])
def test_a_pipe_with_a_reader(large: Any, buffering: int) -> None:
    read_end, write_end = os.pipe()
    loaded = []

    def load() -> None:
        with os.fdopen(read_end, "rb", buffering) as file:
            loaded.append(load_model(file))  # type: ignore[arg-type]

    thread = threading.Thread(target=load)
    thread.start()
    with os.fdopen(write_end, "wb", buffering) as file:
        large.save(file)
    thread.join()
    assert loaded[0].fingerprint() == large.fingerprint()


@pytest.mark.parametrize("buffering", [-1, 0])
def test_a_pipe_that_does_not_block(large: Any, buffering: int) -> None:
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    os.set_blocking(read_end, False)
    target = os.fdopen(write_end, "wb", buffering)
    source = os.fdopen(read_end, "rb", buffering)
    with pytest.raises(LoadError, match="non-blocking mode"):
        load_model(source)  # type: ignore[arg-type]
    with pytest.raises(SaveError, match=r"whole model.*non-blocking mode"):
        large.save(target)
    with pytest.raises(CeibaError, match="non-blocking mode"):
        load_model(source)  # type: ignore[arg-type]
    source.close()
    with contextlib.suppress(OSError):  # what the buffer still holds has no reader
        target.close()


@pytest.mark.parametrize("buffering", [-1, 0])
@pytest.mark.parametrize("n_iterations", [1, 400])
def test_a_full_disk(buffering: int, n_iterations: int) -> None:
    file = Path("/dev/full").open("wb", buffering)  # noqa: SIM115
    with pytest.raises(SaveError, match="No space left"):
        random_model(1, n_iterations=n_iterations).save(file)
    with contextlib.suppress(OSError):
        file.close()


def test_a_writer_that_returns_nothing(fitted: Any) -> None:
    class Kept:
        data = b""

        def write(self, data: bytes) -> None:
            self.data += data

    target: Any = Kept()
    fitted.save_model(target)
    assert target.data == fitted.model_.to_bytes()


# ---- what is no file, or has no end --------------------------------------------------------------


@pytest.mark.parametrize("load", LOADERS)
def test_a_named_pipe_is_not_waited_for(load: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LoadError, match="regular file"):
        load(tmp_path / "pipe")


@pytest.mark.parametrize("buffering", [-1, 0])
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_endless_files(device: str, buffering: int) -> None:
    for load in FILE_LOADERS:
        with Path(device).open("rb", buffering) as file, pytest.raises(ModelFileError):
            load(file)


class Endless(io.RawIOBase):
    """A header, and zeros without end after it."""

    def __init__(self, start: bytes) -> None:
        self.start, self.n_read = start, 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "the whole file was asked for"
        part, self.start = self.start[:size], self.start[size:]
        self.n_read += size
        return part + bytes(size - len(part))


@given(st.binary(max_size=40), st.integers(0, 2**64 - 1))
@settings(max_examples=50)
def test_headers_of_endless_files(begin: bytes, length: int) -> None:
    for start in (begin, length.to_bytes(8, "little") + begin):
        file: Any = Endless(start)
        with pytest.raises(ModelFileError):
            load_model(file)
        assert file.n_read <= 100_000_009


def test_bytes_after_the_model(fitted: Any) -> None:
    data = fitted.model_.to_bytes()
    endless: Any = Endless(data)
    for source in (io.BytesIO(data + b"x"), endless):
        with pytest.raises(ModelFileError, match="bytes after the end"):
            load_model(source)
    with pytest.raises(ModelFileError, match="truncated"):
        load_model(io.BytesIO(data[:-1]))

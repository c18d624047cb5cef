"""Models in files that the user has opened."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from small_table import X, Y, regressor

from ceiba import CeibaRegressor, load_model
from ceiba.errors import LoadError, ModelFileError, SaveError


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
    with path.open("w") as file, pytest.raises(SaveError, match=r"model.txt' takes text. .*'wb'"):
        fitted.save_model(file)
    closed = io.BytesIO()
    closed.close()
    with pytest.raises(SaveError, match="the BytesIO cannot be written"):
        fitted.save_model(closed)
    path.write_text("{}")
    with path.open() as file, pytest.raises(LoadError, match=r"gives text.*'rb'"):
        load_model(file)  # type: ignore[arg-type]
    with pytest.raises(LoadError, match="cannot be read"):
        load_model(file)  # type: ignore[arg-type]
    with pytest.raises(LoadError, match="the StringIO gives text"):
        load_model(io.StringIO("a"))  # type: ignore[arg-type]


def test_bytes_that_are_no_model() -> None:
    for data in (b"", b"12345678", bytes(100)):
        with pytest.raises(ModelFileError):
            load_model(io.BytesIO(data))

from __future__ import annotations

import io
from pathlib import Path

import pytest

import ceiba
from ceiba.errors import InvalidInputError, LoadError, ModelFileError
from ceiba.imports.files import is_foreign, reading

FILES = sorted((Path(__file__).parents[2] / "model_files" / "foreign").glob("*.*"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_load_from_paths_and_open_files(path):
    model = ceiba.load_model(path)
    with path.open("rb") as file:
        assert ceiba.load_model(file).fingerprint() == model.fingerprint()
    copy = io.BytesIO()
    model.save(copy)
    assert ceiba.load_model(io.BytesIO(copy.getvalue())).fingerprint() == model.fingerprint()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_first_bytes(path):
    assert is_foreign(path.read_bytes()[:64])


def test_formatted_json():
    for start in (
        b'{"learner"',
        b'{\n  "learner"',
        b'\n { "a"',
        b"{L\0\0\0\0\0\0\0\x07learner",
        b"tree\r\n",
    ):
        assert is_foreign(start)
    for start in (b"", b"{", b"{\0\0\0\0\0\0\0", b"trees", b"<html>", b'["a"]', bytes(64)):
        assert not is_foreign(start)


@pytest.mark.parametrize(
    ("start", "what"), [(b"CBM1\0", "CatBoost"), (b"binf", "XGBoost"), (b"\x80\x04\x95", "pickle")]
)
def test_other_formats(start, what):
    with pytest.raises(LoadError, match=f"{what}.*from_model"):
        ceiba.load_model(io.BytesIO(start + bytes(100)))


@pytest.mark.parametrize(
    "data", [b'{"a": 1}', b'{"learner": 1}', b'{"learner"', b'{"trees": ' + b"[" * 10**6, b"tree\n"]
)
def test_damaged_files(data):
    with pytest.raises((ModelFileError, LoadError)):
        ceiba.load_model(io.BytesIO(data))


def test_a_dump_of_lightgbm():
    with pytest.raises(LoadError, match="save_model"):
        ceiba.load_model(io.BytesIO(b'{"name": "tree", "tree_info": []}'))


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (KeyError("trees"), ModelFileError),
        (OverflowError("x"), ModelFileError),
        (RecursionError("x"), ModelFileError),
        (MemoryError(), LoadError),
        (InvalidInputError("x"), InvalidInputError),
    ],
)
def test_errors_of_readers(error, expected):
    with pytest.raises(expected), reading("The file"):
        raise error

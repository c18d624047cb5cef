from __future__ import annotations

import json
import os

import numpy as np
import pytest
import safetensors.numpy

from ceiba.errors import CeibaError, InvalidTypeError, LoadError, ModelFileError, SaveError
from ceiba.model import file
from ceiba.model.file import FORMAT_VERSION, decode, encode, seal
from ceiba.model.file_objects import read_file
from ceiba.model.load import load_model
from ceiba.storage.atomic_write import write_file
from ceiba.testing.forests import random_model


@pytest.fixture
def data():
    return random_model(0).to_bytes()


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def with_description(data, **changes):
    """The same file with other metadata, sealed."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    description = json.loads(header["__metadata__"]["ceiba"])
    description.update(changes)
    header["__metadata__"]["ceiba"] = json.dumps(description)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return seal(len(text).to_bytes(8, "little") + text + data[8 + length :])


def test_same_model_same_bytes(data):
    assert random_model(0).to_bytes() == data
    assert seal(data) == data


def test_other_programs_can_read_the_arrays(data):
    arrays = safetensors.numpy.load(data)
    assert arrays["feature"].dtype == np.int32
    assert arrays["start_scores"].shape == (1,)


def test_every_byte_is_covered(data):
    for place in range(0, len(data), 13):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(ModelFileError):
            decode(bytes(changed))
    for changed in (data + b"\0", data[:-1], b"", b"\0" * 7, b"\xff" * 200):
        with pytest.raises(ModelFileError):
            decode(changed)


def version_of(data):
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return json.loads(header["__metadata__"]["ceiba"])["format_version"]


@pytest.mark.parametrize("version", [FORMAT_VERSION + 1, 0, -1, 1.0, True, "1", None])
def test_a_version_that_is_not_known(data, version):
    with pytest.raises(ModelFileError, match=f"a format from 1 to {FORMAT_VERSION}"):
        decode(with_description(data, format_version=version))


def test_a_file_has_the_lowest_version_that_can_express_it(data):
    assert version_of(data) == 1
    assert decode(with_description(data, format_version=FORMAT_VERSION)) is not None
    vectors = random_model(0, objective="quantile", n_outputs=3, leaf_width=3)
    assert version_of(vectors.to_bytes()) == 2
    assert version_of(vectors.truncate(0).to_bytes()) == 1
    sets = random_model(0, n_levels=(0, 3, 200, 64, 0))
    assert version_of(sets.to_bytes()) == 2
    assert version_of(sets.truncate(0).to_bytes()) == 2  # levels are there without trees


@pytest.mark.parametrize(
    "options",
    [
        {"objective": "quantile", "n_outputs": 3, "leaf_width": 3},
        {"n_levels": (0, 3, 200, 64, 0)},
    ],
)
def test_what_a_version_does_not_have_is_refused(options):
    data = random_model(0, **options).to_bytes()
    with pytest.raises(ModelFileError, match="format 1 does not support its content"):
        decode(with_description(data, format_version=1))


@pytest.mark.parametrize("shape", [(-1, 1), (3, -1), (-1, 6), (-1, 3, 1), (-1,)])
def test_values_of_another_shape_are_refused(tmp_path, shape):
    parts = decode(random_model(0, objective="quantile", n_outputs=3, leaf_width=3).to_bytes())
    arrays = {**parts.arrays, "value": parts.arrays["value"].reshape(-1)[:-6].reshape(shape)}
    path = tmp_path / "model.ceiba"
    path.write_bytes(encode(file.ModelParts(**{**vars(parts), "arrays": arrays})))
    with pytest.raises(ModelFileError, match=r"damaged|wrong type or shape"):
        load_model(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"objective": {"name": "no such loss"}},
        {"objective": {"name": "squared_error", "surprise": 1}},
        {"objective": []},
        {"schema": {"names": ["a"], "named": True, "kinds": ["numeric"]}},
        {"schema": {}},
        {"schema": {"names": 3, "named": True, "kinds": "numeric"}},
        {"best_iteration": 10**9},
        {"best_iteration": 1.5},
        {"best_iteration": True},
        {"history": [1, 2]},
        {"history": {"valid": {"rmse": "good"}}},
        {"classes": {"dtype": "int64", "values": ["a"]}},
        {"classes": {"dtype": "datetime64[ns]", "values": [1]}},
        {"classes": {"dtype": "int8", "values": [1000]}},
        {"classes": {"dtype": "int64"}},
        {"classes": 5},
        {"parameters": None},
        {"sha256": 7},
    ],
    ids=str,
)
def test_sealed_nonsense_is_refused(data, tmp_path, changes):
    def save_and_load():
        (tmp_path / "model.ceiba").write_bytes(with_description(data, **changes))
        load_model(tmp_path / "model.ceiba")

    with pytest.raises(ModelFileError):
        save_and_load()


@pytest.mark.parametrize(
    "classes",
    [
        np.array([3, 7]),
        np.array([0.5, 1.5], dtype=np.float32),
        np.array([False, True]),
        np.array(["no", "yes, ünïcode"]),
        np.array(["no", "yes"], dtype=object),
        np.array([1, 2], dtype=np.uint8),
    ],
    ids=lambda c: str(c.dtype),
)
def test_classes(classes):
    model = random_model(0, objective="logistic", classes=classes)
    back = decode(model.to_bytes()).classes
    np.testing.assert_array_equal(back, classes)
    assert back.dtype == classes.dtype


def test_classes_that_cannot_be_saved():
    with pytest.raises(SaveError, match="Class labels"):
        random_model(0, objective="logistic", classes=np.array([b"a", b"b"])).to_bytes()


def test_odd_parameters_are_kept_as_text_or_numbers(data):
    parts = decode(data)
    odd = {"a": np.float64(0.1), "b": np.arange(3), "c": len, "d": {3, 1}, "e": object}
    back = decode(encode(file.ModelParts(**{**vars(parts), "parameters": odd}))).parameters
    assert back == {"a": 0.1, "b": [0, 1, 2], "c": "len", "d": [1, 3], "e": "object"}


def test_load_errors(tmp_path):
    with pytest.raises(LoadError, match="There is no model file"):
        load_model(tmp_path / "nothing.ceiba")
    with pytest.raises(LoadError, match="is a folder"):
        load_model(tmp_path)
    with pytest.raises(LoadError, match="regular file"):
        load_model("/dev/zero")
    with pytest.raises(LoadError):
        load_model("a\0b")
    with pytest.raises(OSError):
        load_model(str(tmp_path / "nothing.ceiba"))
    (tmp_path / "text").write_text("a plain text file, longer than eight bytes")
    with pytest.raises(ModelFileError, match="not a model file"):
        load_model(tmp_path / "text")


def test_hostile_length_is_not_allocated(tmp_path):
    path = tmp_path / "model.ceiba"
    path.write_bytes((2**62).to_bytes(8, "little") + b"{}")
    with pytest.raises(ModelFileError):
        read_file(path)
    os.truncate(path, 2**40)  # a file of holes that claims a terabyte
    with pytest.raises(CeibaError):
        read_file(path)


def test_plain_save(tmp_path, data):
    path = tmp_path / "model.ceiba"
    write_file(path, b"first")
    write_file(str(path), data)
    assert path.read_bytes() == data
    assert names_in(tmp_path) == ["model.ceiba"]


def test_save_errors(tmp_path):
    model = random_model(0)
    with pytest.raises(SaveError, match="is a folder"):
        model.save(tmp_path)
    with pytest.raises(SaveError, match="does not exist"):
        model.save(tmp_path / "no" / "model.ceiba")
    with pytest.raises(OSError):
        model.save(tmp_path / ("x" * 300))
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(
    ("objective", "n_outputs", "dtype", "values"),
    [
        ("squared_error", 1, "int64", [0, 1]),
        ("logistic", 1, "int64", [0]),
        ("logistic", 1, "int64", [0, 1, 2]),
        ("logistic", 1, "str", ["a", "a"]),
        ("logistic", 1, "int64", []),
        ("logistic", 1, "float64", [0.0, float("nan")]),
        ("softmax", 3, "str", ["a", "b"]),
        ("softmax", 3, "float16", [0.0, 1.0, 1.0001]),
    ],
)
def test_classes_that_do_not_fit(tmp_path, objective, n_outputs, dtype, values):
    whole = random_model(0, objective=objective, n_outputs=n_outputs).to_bytes()
    path = tmp_path / "model.ceiba"
    path.write_bytes(with_description(whole, classes={"dtype": dtype, "values": values}))
    with pytest.raises(ModelFileError, match=r"damaged.*labels"):
        load_model(path)


@pytest.mark.parametrize("path", [None, 3, b"model.ceiba", ["model.ceiba"]])
def test_what_is_no_path(path):
    with pytest.raises(InvalidTypeError, match="path must be"):
        random_model(0).save(path)
    with pytest.raises(InvalidTypeError, match="path must be"):
        load_model(path)

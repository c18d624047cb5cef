"""The order of the house is checked by a script; these tests check the script."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "check_layers.py"


@pytest.fixture
def layers(tmp_path, monkeypatch) -> ModuleType:
    """Load the script, looking at an empty tree."""
    spec = importlib.util.spec_from_file_location("check_layers", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "PACKAGE", tmp_path / "src" / "ceiba")
    monkeypatch.setattr(module, "CPP", tmp_path / "cpp")
    return module


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize(
    "statement",
    [
        "from ceiba.training import train",
        "import ceiba.training",
        "from ceiba import training",
        "from .training import train",
        "from . import training",
        "def f():\n    from ceiba.training import train",
    ],
)
def test_upward_imports_are_found(layers, tmp_path, statement):
    write(tmp_path, "src/ceiba/random.py", statement)
    (problem,) = layers.check_python()
    assert "random (level 1) must not import training (level 11)" in problem


def test_upward_imports_from_a_subpackage_are_found(layers, tmp_path):
    write(tmp_path, "src/ceiba/objectives/logistic.py", "from ..model import Model")
    assert "must not import model" in next(layers.check_python())


def test_downward_imports_pass(layers, tmp_path):
    write(tmp_path, "src/ceiba/training.py", "from ceiba import _core, errors\nimport numpy\n")
    assert list(layers.check_python()) == []


@pytest.mark.parametrize(
    "statement",
    [
        "from ceiba.data.schema import Schema",
        "from ceiba.data import schema",
        "from . import schema",
    ],
)
def test_circles_between_modules_of_one_folder_are_found(layers, tmp_path, statement):
    write(tmp_path, "src/ceiba/data/table.py", statement)
    write(tmp_path, "src/ceiba/data/schema.py", "import ceiba.data.queries")
    write(
        tmp_path,
        "src/ceiba/data/queries.py",
        "def later():\n    from ceiba.data.table import Table",
    )
    (problem,) = layers.check_python()
    assert "circular import" in problem
    assert "data.table -> data.schema" in problem


def test_circles_on_one_level_are_found(layers, tmp_path):
    write(tmp_path, "src/ceiba/training.py", "from ceiba.cross_validation import cv")
    write(tmp_path, "src/ceiba/cross_validation.py", "from ceiba.training import train")
    assert "circular import" in next(layers.check_python())


def test_a_folder_that_shows_its_modules_is_no_circle(layers, tmp_path):
    write(tmp_path, "src/ceiba/model/__init__.py", "from ceiba.model.model import Model")
    write(tmp_path, "src/ceiba/model/model.py", "from ceiba.model.file import decode")
    write(tmp_path, "src/ceiba/model/file.py", "")
    assert list(layers.check_python()) == []
    write(tmp_path, "src/ceiba/model/file.py", "from ceiba.model import Model")
    assert "circular import" in next(layers.check_python())


def test_unknown_modules_and_the_front_door_are_found(layers, tmp_path):
    write(tmp_path, "src/ceiba/utils.py", "")
    write(tmp_path, "src/ceiba/random.py", "from ceiba import Model")
    front_door, unknown = layers.check_python()
    assert "from ceiba/__init__.py" in front_door
    assert "'utils' has no level" in unknown


def test_cpp_order(layers, tmp_path):
    write(tmp_path, "cpp/base/hash.hpp", "#pragma once\n")
    write(tmp_path, "cpp/tree/grower.hpp", '#include "base/hash.hpp"\n#include <vector>\n')
    assert list(layers.check_cpp()) == []
    write(
        tmp_path, "cpp/base/cpu.hpp", '#include "tree/grower.hpp"\n#include <nanobind/nanobind.h>'
    )
    write(tmp_path, "cpp/tree/split.hpp", '#include "grower.hpp"\n')
    problems = "\n".join(layers.check_cpp())
    assert "cpp/base must not include cpp/tree" in problems
    assert "only cpp/bind may include Python" in problems
    assert 'relative to cpp/. Got "grower.hpp"' in problems

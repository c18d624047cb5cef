"""Two types of one name in the core are undefined behaviour; a script looks for them."""

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "check_types.py"


@pytest.fixture
def check():
    spec = importlib.util.spec_from_file_location("check_types", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.check


def test_two_definitions_are_found(check, tmp_path):
    (tmp_path / "a.hpp").write_text("namespace ceiba {\nstruct Pair {\n};\n}\n")
    (tmp_path / "b.hpp").write_text("namespace ceiba {\nclass Pair : public Base {\n};\n}\n")
    (found,) = check(tmp_path)
    assert "Pair is defined in a.hpp:2 and b.hpp:2" in found


def test_what_nobody_else_sees_is_free(check, tmp_path):
    (tmp_path / "a.hpp").write_text("struct Pair;\nstruct Pair {\n    struct Part {\n    };\n};\n")
    (tmp_path / "b.cpp").write_text("namespace {\n\nstruct Pair {\n};\n\n} // namespace\n")
    (tmp_path / "c.cpp").write_text("struct Other::Pair {\n};\n")
    assert check(tmp_path) == []

"""Long files and functions are found by a script; these tests check the script."""

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("lizard")

TOOL = Path(__file__).parents[2] / "tools" / "check_sizes.py"


@pytest.fixture
def check():
    spec = importlib.util.spec_from_file_location("check_sizes", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.check


@pytest.mark.parametrize(
    ("path", "head", "line", "end"),
    [
        ("src/ceiba/long.py", "def walk(x):\n", "    x += 1\n", ""),
        ("cpp/tree/long.cpp", "int walk(int x) {\n", "    x += 1;\n", "}\n"),
        ("cpp/tree/long_kernels.inc", "static int walk(int x) {\n", "    x += 1;\n", "}\n"),
    ],
)
def test_long_functions_and_files_are_found(check, tmp_path, path, head, line, end):
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    n_inside = 80 - (head + end).count("\n")
    file.write_text(head + n_inside * line + end)
    assert list(check(tmp_path)) == []
    file.write_text(head + (n_inside + 1) * line + end)
    (problem,) = check(tmp_path)
    assert "walk has 81 lines, at most 80" in problem
    file.write_text(401 * ("# \n" if path.endswith("py") else "// \n"))
    (problem,) = check(tmp_path)
    assert "401 lines, at most 400" in problem


def test_examples_of_a_docstring_are_not_counted(check, tmp_path):
    file = tmp_path / "src" / "ceiba" / "long.py"
    file.parent.mkdir(parents=True)
    examples = "\n    Examples\n    --------\n" + 9 * "    >>> walk(1)\n"
    head, body = 'def walk(x):\n    """Walk.\n', '    """\n' + 77 * "    x += 1\n"
    file.write_text(head + examples + body)
    assert list(check(tmp_path)) == []
    file.write_text(head + examples + body + "    x += 1\n")
    (problem,) = check(tmp_path)
    assert "walk has 81 lines, at most 80" in problem


@pytest.mark.parametrize(
    ("path", "head", "methods", "end"),
    [
        ("src/ceiba/large.py", "class Large:\n", "    def m{}(self) -> int: ...\n", ""),
        (
            "cpp/tree/large.hpp",
            "class Large : Base<int> {\n",
            "    void m{}(int x = f());\n",
            "};\n",
        ),
        (
            "cpp/tree/large.hpp",
            "struct Large {\n",
            "    int m{}() const {{ return a(); }}\n",
            "};\n",
        ),
    ],
)
def test_large_classes_are_found(check, tmp_path, path, head, methods, end):
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    inside = "".join(methods.format(i) for i in range(30))
    file.write_text(head + inside + end)
    assert list(check(tmp_path)) == []
    file.write_text(head + inside + methods.format("_last") + end)
    (problem,) = check(tmp_path)
    assert "class Large has 31 methods, at most 30" in problem


def test_fields_types_and_inner_classes_are_no_methods(check, tmp_path):
    fields = "".join(
        f"    std::function<void(int)> f{i} = make(); // call{i}()\n    using T{i} = int(int);\n"
        for i in range(40)
    )
    inner = (
        "    struct Inner {\n" + "".join(f"        void m{i}();\n" for i in range(20)) + "    };\n"
    )
    outer = "".join(f"    void m{i}() const {{ int x = {{}}; }}\n" for i in range(20))
    file = tmp_path / "cpp" / "fields.hpp"
    file.parent.mkdir(parents=True)
    file.write_text("class Outer {\n" + fields + inner + outer + "};\n")
    assert list(check(tmp_path)) == []

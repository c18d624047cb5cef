"""A script finds modules that read the arrays of trees by name; these tests check the script."""

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "check_tree_arrays.py"


@pytest.fixture
def check():
    spec = importlib.util.spec_from_file_location("check_tree_arrays", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.check


@pytest.mark.parametrize(
    "code",
    [
        'feature = model.forest.arrays()["feature"]\n',
        'arrays = trees.arrays()\nvalue = arrays["value"]\n',
        "def of(forest):\n    return dict(forest.arrays())\n",
    ],
)
def test_calls_outside_of_the_view_are_found(check, tmp_path, code):
    file = tmp_path / "src/ceiba/plot/bars.py"
    file.parent.mkdir(parents=True)
    file.write_text(code)
    (problem,) = check(tmp_path)
    assert problem.startswith("src/ceiba/plot/bars.py:")
    assert "Trees.of" in problem
    file.write_text("trees = Trees.of(model.forest)\ndef arrays():\n    return trees\n")
    assert not list(check(tmp_path))


def test_the_view_and_model_files_may_read_them(check, tmp_path):
    for name in ("trees", "model"):
        file = tmp_path / f"src/ceiba/model/{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("arrays = forest.arrays()\n")
    assert not list(check(tmp_path))

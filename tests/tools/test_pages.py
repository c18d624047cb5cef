"""The runner of documentation pages finds blocks, compares outputs and refuses differences."""

import importlib.util
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "pages.py"


@pytest.fixture
def pages():
    spec = importlib.util.spec_from_file_location("tools_pages", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules["tools_pages"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(pages, tmp_path):
    def run(text: str, **options) -> None:
        page = tmp_path / "page.md"
        page.write_text(text)
        pages.run_page(page, "page.md", {}, **options)

    return run


def python(code: str, output: str = "", mark: str = "") -> str:
    shown = f"{mark}\n\n```text\n{output}\n```\n" if output else ""
    return f"```python\n{code}\n```\n\n{shown}"


@pytest.mark.parametrize(
    "text",
    [
        python("1 + 1", "2"),
        python("print('a')\n'b'", "a\n'b'"),
        python("x = 1") + python("x", "1"),
        python("for i in range(5): print(i)", "0\n…\n4"),
        python("for i in range(5): print(i)", "0\n…"),
        python("print('took 3.2 s')", "took … s"),
        python("0.30000000000000004", "0.3", "<!-- tolerance: 0.001 -->"),
        python("print('a  1.25')", "a 1.2501", "<!-- tolerance: 0.001 -->"),
        python("5", "6", "<!-- any output -->"),
        "<!-- not run: needs a network -->\n" + python("1 / 0"),
        "<!-- raises -->\n" + python("1 / 0", "ZeroDivisionError: division by zero"),
        "<!-- hidden\n```python\nx = 3\n```\n-->\n" + python("x", "3"),
        "````{tab-set}\n```{tab-item} A\n~~~python\ny = 2\n~~~\n```\n````\n" + python("y", "2"),
        ":::{note}\n```python\nz = 2\n```\n:::\n" + python("z", "2"),
        python("3;") + "Some text.\n\n```text\nno output of the block\n```\n",
    ],
)
def test_right_pages_pass(run, text):
    run(text)


@pytest.mark.parametrize(
    "text",
    [
        python("1 + 1", "3"),
        python("print('a')", "a\nb"),
        python("0.31", "0.3", "<!-- tolerance: 0.001 -->"),
        python("0.3001", "0.3"),
        "<!-- raises -->\n" + python("1"),
        python("1") + "![a picture](images/a.png)\n",
    ],
)
def test_wrong_pages_fail(run, text):
    with pytest.raises(AssertionError, match=r"page\.md, line \d+"):
        run(text)


def test_figures_are_written(run, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    code = "from matplotlib import pyplot as plt\nplt.plot([1, 2]);"
    text = python(code) + "![a line](images/line.png)\n"
    run(text)
    assert not (tmp_path / "images").exists()
    run(text, images=tmp_path)
    assert (tmp_path / "images" / "line.png").stat().st_size > 1000


def test_line_numbers_of_errors_are_those_of_the_page(run):
    with pytest.raises(ZeroDivisionError) as caught:
        run("# Title\n\n" + python("1 / 0"))
    assert caught.traceback[-1].lineno == 3

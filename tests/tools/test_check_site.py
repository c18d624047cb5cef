"""Dead links and files loaded from elsewhere are found in a built site."""

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "check_site.py"


@pytest.fixture
def problems():
    spec = importlib.util.spec_from_file_location("check_site", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.problems


@pytest.fixture
def site(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "index.html").write_text('<h1 id="title">Folder</h1>')
    (tmp_path / "style.css").write_text("body { background: url('picture.png'); }")
    return tmp_path


@pytest.mark.parametrize(
    "text",
    [
        '<a href="folder/index.html#title">x</a>',
        '<a href="folder">x</a>',
        '<a href="https://example.org/page">x</a>',
        '<a href="mailto:someone@example.org">x</a>',
        '<p id="here"></p><a href="#here">x</a>',
        '<link rel="stylesheet" href="style.css?digest=1">',
        '<link rel="canonical" href="https://example.org/">',
        '<img src="data:image/png;base64,AAAA">',
    ],
)
def test_right_pages_have_no_problems(problems, site, text):
    (site / "index.html").write_text(text)
    assert problems(site) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('<a href="missing.html">x</a>', "dead link: missing.html"),
        ('<a href="folder/index.html#other">x</a>', "no such anchor: folder/index.html#other"),
        ('<a href="../outside.html">x</a>', "leaves the site"),
        ('<img src="missing.png">', "dead link: missing.png"),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css"),
        ('<p style="background: url(https://example.org/x.png)"></p>', "loads https://example.org"),
    ],
)
def test_wrong_pages_have_one(problems, site, text, problem):
    (site / "index.html").write_text(text)
    (found,) = problems(site)
    assert problem in found


def test_styles_load_nothing_from_elsewhere(problems, site):
    (site / "style.css").write_text("@import 'https://example.org/fonts.css';")
    assert problems(site) == ["style.css: loads https://example.org/fonts.css"]


def test_mathjax_may_be_absent(problems, site):
    (site / "index.html").write_text('<script src="_static/mathjax/tex-svg.js"></script>')
    assert len(problems(site)) == 1
    assert problems(site, mathjax=False) == []

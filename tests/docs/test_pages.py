"""Run the code of every page, compare the outputs that pages show, and follow their links."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = {"measurements.md"}
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if page.name not in LEFT_OUT
    and not {"_build", "gallery", "generated"} & set(page.relative_to(ROOT).parts)
]


def load_tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


pages = load_tool("pages")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def quiet_figures(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Draw without a window, and close what is left open."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    monkeypatch.setattr(plt, "show", lambda: None)
    yield
    plt.close("all")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if pages.blocks(page.read_text())], ids=name_of
)
def test_code_of_the_page(page, quiet_figures, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    pages.run_page(page, name_of(page), names)


def leads_somewhere(page: Path, link: str) -> bool:
    """Return whether a link leads to a file, or to a page that the build of the site writes."""
    target = (page.parent / link).resolve()
    if target.exists() or any(target.with_suffix(kind).exists() for kind in (".md", ".rst")):
        return True
    folder = ROOT / "docs" / "gallery"
    if target.is_relative_to(folder):
        script = ROOT / "examples" / "gallery" / target.relative_to(folder)
        return script.with_suffix(".py").exists() or target.stem == "index"
    return target.parent == ROOT / "docs" / "reference" / "generated"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)|\{doc\}`(?:[^<`]*<)?([^>`]+)>?`", text):
        link = "".join(link)
        if "://" not in link and not link.startswith("mailto:"):
            if link.startswith("/"):
                link = str(ROOT / "docs") + link
            assert leads_somewhere(page, link), f"{name_of(page)}: {link}"

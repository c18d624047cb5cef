"""Every script of the gallery runs without warnings and draws at least one figure."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).parents[2] / "examples" / "gallery").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script_of_the_gallery(script, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plt, "show", lambda: None)
    try:
        runpy.run_path(str(script), run_name="__main__")
        assert plt.get_fignums()
        assert script.read_text().startswith('"""\n'), "the title is read from the docstring"
    finally:
        plt.close("all")


def test_gallery_is_complete():
    assert len(SCRIPTS) >= 18

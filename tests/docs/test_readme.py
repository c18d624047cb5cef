"""What the README, the guide and the examples show must run."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/guide.md")


def python_blocks() -> list:
    blocks = []
    for page in PAGES:
        found = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
        blocks += [pytest.param(text, id=f"{page}-{i}") for i, text in enumerate(found)]
    return blocks


@pytest.fixture
def names() -> dict:
    """Return what the pages take as given."""
    import ceiba

    generator = np.random.default_rng(0)
    x = generator.normal(size=(300, 4))
    y = (x[:, 0] + 0.5 * generator.normal(size=300) > 0).astype(int)
    classifier = ceiba.CeibaClassifier(n_estimators=60, eval_metric="auc").fit(x, y)
    return {
        "ceiba": ceiba,
        "CeibaClassifier": ceiba.CeibaClassifier,
        "CeibaRanker": ceiba.CeibaRanker,
        "CeibaRegressor": ceiba.CeibaRegressor,
        "classifier": classifier,
        "X": x,
        "y": y,
        "w": np.ones(300),
        "query": np.arange(300) // 10,
        "query_valid": np.arange(100) // 10,
        "X_new": x[:5],
        "X_valid": x[:100],
        "y_valid": y[:100],
        "read_blocks": lambda: [(x[:200], y[:200]), (x[200:], y[200:])],
    }


@pytest.mark.filterwarnings("ignore:Columns that the model was not trained on are left out")
@pytest.mark.parametrize("text", python_blocks())
def test_code_of_the_pages(text, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(text, "page", "exec"), names)


def test_links_lead_somewhere():
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text()):
            if "://" not in link:
                assert (ROOT / page).parent.joinpath(link).exists(), f"{page}: {link}"


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_examples(file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(file), run_name="__main__")
    assert capsys.readouterr().out

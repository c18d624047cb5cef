"""Every public name has an example in its help, and the examples are true."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import ceiba

#: Names that modules import from each other, and that users have no need of.
INTERNAL = {
    "ceiba.callbacks": {"CallbackList", "Translated", "check_callbacks", "translated"},
    "ceiba.metrics": {
        "CustomMetric",
        "ScorerMetric",
        "bound_metric",
        "is_metric",
        "wished_metrics",
    },
    "ceiba.objectives": {"Custom", "Link", "ResidualLeaves", "Several", "objective_from_state"},
}
MODULES = (
    "ceiba",
    "ceiba.callbacks",
    "ceiba.demo",
    "ceiba.errors",
    "ceiba.estimators",
    "ceiba.explain",
    "ceiba.export",
    "ceiba.hybrids",
    "ceiba.metrics",
    "ceiba.model",
    "ceiba.objectives",
    "ceiba.plot",
)
REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def public_names() -> list[str]:
    """Return every public name, once: that of the package before those of its modules."""
    found: dict[int, str] = {}
    for module in MODULES:
        names = importlib.import_module(module).__all__
        for name in sorted(set(names) - INTERNAL.get(module, set()) - {"__version__"}):
            value = getattr(importlib.import_module(module), name)
            found.setdefault(id(value), f"{module}.{name}")
    return list(found.values())


def value_of(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


#: Their examples are still to be written.
WITHOUT_EXAMPLES = ("ceiba.Params",)
WITH_HELP = [
    name
    for name in public_names()
    if callable(value_of(name)) and not name.startswith(WITHOUT_EXAMPLES)
]


@pytest.mark.parametrize("name", WITH_HELP)
def test_help_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name.startswith("ceiba.plot"):
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(value_of(name)) or ""
    assert ">>> " in text
    found = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    out: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    try:
        runner.run(found, out=out.append)
    finally:
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
    assert runner.summarize(verbose=False).failed == 0, "".join(out)


def test_every_public_name_is_in_the_reference() -> None:
    listed = set()
    for page in REFERENCE.glob("*.md"):
        module = ""
        for line in page.read_text().splitlines():
            if directive := re.match(r"\.\. (?:current)?module:: (\S+)", line):
                module = directive.group(1)
            elif re.fullmatch(r"   \w+", line):
                listed.add(f"{module}.{line.strip()}")
    assert listed == set(public_names())


def test_help_shows_every_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    os.environ.setdefault("PAGER", "cat")
    help(ceiba.CeibaClassifier)
    shown = capsys.readouterr().out
    for name in ("learning_rate", "max_leaves", "class_weight", "Examples"):
        assert name in shown


def test_constants_can_be_looked_at() -> None:
    assert set(ceiba.RECIPES) >= {"auto", "gbm", "histgb", "xgboost", "lightgbm", "catboost"}
    params: Any = ceiba.Params(learning_rate=0.1)
    assert params == {"learning_rate": 0.1}

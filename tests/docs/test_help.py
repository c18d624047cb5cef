"""Every public name has an example in its help, and the examples are true."""

from __future__ import annotations

import doctest
import inspect
import os
from pathlib import Path
from typing import Any

import pytest

import ceiba

NAMES = [name for name in ceiba.__all__ if callable(getattr(ceiba, name)) and name != "Params"]


@pytest.mark.parametrize("name", NAMES)
def test_help_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(getattr(ceiba, name)) or ""
    assert ">>> " in text
    found = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    out: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(found, out=out.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(out)


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

"""Options of exports, their checks, and what happens where a check fails."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import lightgbm
import pytest
from exported_models import classifier, regressor

from ceiba.errors import ExportError, InvalidParameterError
from ceiba.export import c_run, formats, onnx_run
from ceiba.export.formats import FORMATS
from ceiba.export.probe import MOST_ROWS


def test_a_check_says_how_it_was_made(tmp_path: Path) -> None:
    check = regressor().export(tmp_path / "model.txt", format="lightgbm")
    assert check.engine == f"lightgbm {lightgbm.__version__}"
    assert check.path == str(tmp_path / "model.txt")
    assert float(check) == check.difference < 1e-12
    assert 200 <= check.n_rows <= MOST_ROWS


@pytest.mark.parametrize(
    ("format", "options", "words"),
    [
        ("pmml", {}, "format must be one of 'onnx', 'lightgbm', 'c', 'python'"),
        ("c", {"inputs": "matrix"}, "inputs has no effect on format='c'"),
        ("python", {"dtype": "float32"}, "dtype has no effect"),
        ("c", {"dtype": "float16"}, "dtype must be one of"),
        ("c", {"name": "two words"}, "C identifier"),
        ("onnx", {"inputs": "rows"}, "inputs must be one of"),
    ],
)
def test_wrong_options_raise(
    format: Any, options: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        regressor().export(tmp_path / "x", format=format, **options)


def test_a_file_that_predicts_differently_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = FORMATS["python"]
    wrong = own._replace(run=lambda *given: (own.run(*given)[0] + 0.1, "a wrong engine"))
    monkeypatch.setattr(formats, "FORMATS", {**FORMATS, "python": wrong})
    with pytest.raises(ExportError, match="No file was written"):
        regressor().export(tmp_path / "model.py", format="python")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("parameters", [{}, {"categorical": "target"}, {"leaf_model": "linear"}])
def test_interpreters_predict_like_the_engines(
    parameters: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = classifier(**parameters)
    monkeypatch.setattr(c_run, "find_compiler", lambda: None)
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    monkeypatch.setattr(onnx_run, "_runtime", lambda: None)
    allowed = ["c", "lightgbm", "onnx"]
    if parameters.get("leaf_model") == "linear":
        allowed.remove("onnx")  # the reference evaluator takes half a minute
    for format in allowed:
        check = model.export(tmp_path / "x", format=format)
        assert "interpreter" in check.engine or "evaluator" in check.engine
        assert check.difference < 1e-13


@pytest.mark.parametrize("format", FORMATS)
def test_a_model_without_trees_is_exported(format: Any, tmp_path: Path) -> None:
    empty = regressor().model_.truncate(0)
    assert empty.export(tmp_path / "x", format=format).difference < 1e-12


@pytest.mark.parametrize("format", ["onnx", "c", "python"])
@pytest.mark.parametrize("objective", ["one_against_rest", "gini", "softmax"])
def test_links_of_classes_are_exported(objective: str, format: Any, tmp_path: Path) -> None:
    model = classifier(objective=objective, learning_rate=1.0)
    assert model.export(tmp_path / "x", format=format).difference < 1e-14


@pytest.mark.parametrize("format", ["onnx", "c", "python"])
def test_calibrated_quantiles_are_exported(format: Any, tmp_path: Path) -> None:
    model = regressor(objective="quantile", quantile=[0.1, 0.5, 0.9], calibration_folds=2)
    assert model.model_.correction.shifts
    assert model.export(tmp_path / "x", format=format).difference < 1e-13

"""Exports of models: options, checks, files, and rows as users have them."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import onnxruntime
import pandas as pd
import pytest

import ceiba
from ceiba.errors import ExportError, InvalidParameterError, MissingDependencyError
from ceiba.export import c_run, formats, lightgbm_run, onnx_builder, onnx_run
from ceiba.export.c_run import find_compiler
from ceiba.export.described import described
from ceiba.export.formats import FORMATS
from ceiba.export.probe import MOST_ROWS, probe, round_down

RANDOM = np.random.default_rng(3)
N = 500
TABLE = pd.DataFrame(
    {
        "size": RANDOM.normal(size=N),
        "city": pd.Categorical(RANDOM.choice(["lima", "oslo", 'a "b"', "zürich"], N)),
        "code": RANDOM.integers(-5, 20, N),
    }
)
TABLE.loc[::9, "size"] = np.nan
TABLE.loc[::13, "city"] = np.nan
Y = TABLE["size"].fillna(1) + (TABLE.city == "oslo") + np.sin(TABLE.code)
LABELS = np.array(["low", "middle", "high"])[np.digitize(Y, [-0.5, 0.8])]


def regressor(**parameters: Any) -> Any:
    given = {"n_estimators": 10, "categorical_features": ["code"], **parameters}
    return ceiba.CeibaRegressor(**given).fit(TABLE, Y)


def classifier(**parameters: Any) -> Any:
    given = {"n_estimators": 10, "categorical_features": ["code"], **parameters}
    return ceiba.CeibaClassifier(**given).fit(TABLE, LABELS)


# ---- options and checks --------------------------------------------------------------------------


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


def test_without_onnx_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'ceiba\[onnx\]'"):
        regressor().export(tmp_path / "x", format="onnx")


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


def test_an_old_onnxruntime_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnxruntime, "__version__", "1.22.1")
    assert onnx_run._runtime() is None


def test_the_probe_reaches_both_sides_of_every_threshold() -> None:
    model = described(regressor(max_bins=30).model_)
    rows = probe(model)
    trees = model.trees
    numbers = trees.is_split & ~trees.split_by_set
    for column, threshold in zip(trees.feature[numbers], trees.threshold[numbers], strict=True):
        assert (rows[:, column] == threshold).any()
        assert (rows[:, column] == np.nextafter(threshold, np.inf)).any()
    assert np.isnan(rows).any(axis=0).all()
    assert (rows[:, 1] == -1).any()
    assert (probe(model) == rows)[~np.isnan(rows)].all()


def test_thresholds_are_rounded_down() -> None:
    values = np.array([0.1, 0.25, -0.1, 1e300, -1e300, np.inf, -np.inf, 1e-60])
    low = round_down(values).astype(np.float64)
    assert (low <= values).all()
    assert (np.nextafter(low.astype(np.float32), np.float32(np.inf))[:4] > values[:4]).all()


# ---- files as their users read them --------------------------------------------------------------


def test_a_graph_of_columns_takes_text_and_integers(tmp_path: Path) -> None:
    model = classifier()
    model.export(tmp_path / "model.onnx", format="onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    assert [own.name for own in session.get_inputs()] == ["size", "city", "code"]
    assert [own.type for own in session.get_inputs()] == [
        "tensor(double)", "tensor(string)", "tensor(int64)",
    ]  # fmt: skip
    feed = {
        "size": TABLE[["size"]].to_numpy(),
        "city": TABLE[["city"]].astype(object).fillna("").to_numpy(),
        "code": TABLE[["code"]].to_numpy(),
    }
    label, probabilities = session.run(["label", "probabilities"], feed)
    assert (label == model.predict(TABLE)).all()
    assert np.abs(probabilities - model.predict_proba(TABLE)).max() < 1e-14


def test_a_matrix_takes_integer_categories(tmp_path: Path) -> None:
    X = TABLE[["size", "code"]].to_numpy()
    model = ceiba.CeibaRegressor(n_estimators=10, categorical_features=[1]).fit(X, Y)
    model.export(tmp_path / "model.onnx", format="onnx", inputs="matrix", dtype="float32")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    found = session.run(["variable"], {"X": X.astype(np.float32)})[0][:, 0]
    expected = model.predict(X.astype(np.float32))
    assert np.abs(found - expected).max() < 1e-5 * expected.std()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("labels", ["text", "numbers", "flags", "fractions"])
def test_labels_keep_their_type(labels: str, dtype: Any, tmp_path: Path) -> None:
    every = {
        "text": np.where(Y > 0, "yes", "no"),
        "numbers": np.where(Y > 0, 7, 3),
        "flags": (Y > 0).to_numpy(),
        "fractions": np.where(Y > 0, 0.5, 1.5),
    }
    X = TABLE[["size", "code"]].to_numpy()
    model = ceiba.CeibaClassifier(n_estimators=5).fit(X, every[labels])
    model.export(tmp_path / "x.onnx", format="onnx", inputs="matrix", dtype=dtype)
    session = onnxruntime.InferenceSession(tmp_path / "x.onnx")
    label, probabilities = session.run(None, {"X": X.astype(dtype)})
    assert (label == model.predict(X.astype(dtype))).all()
    assert np.abs(probabilities - model.predict_proba(X.astype(dtype))).max() < 1e-6


def test_lightgbm_reads_categories_of_a_frame(tmp_path: Path) -> None:
    model = classifier()
    model.export(tmp_path / "model.txt", format="lightgbm")
    booster = lightgbm.Booster(model_file=tmp_path / "model.txt")
    frame = TABLE.assign(code=TABLE.code.astype("category"))
    assert np.abs(booster.predict(frame) - model.predict_proba(TABLE)).max() < 1e-14
    assert booster.feature_name() == ["size", "city", "code"]
    assert booster.num_trees() == 30
    again = lightgbm.Booster(model_str=booster.model_to_string())
    assert (again.predict(frame) == booster.predict(frame)).all()


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "parameters", [{}, {"categorical": "target"}, {"leaf_model": "linear"}, {"missing": 0.0}]
)
def test_c_compiles_without_warnings_and_reads_categories(
    parameters: dict[str, Any], dtype: Any, tmp_path: Path
) -> None:
    model = classifier(**parameters)
    model.export(tmp_path / "model.c", format="c", name="mine", dtype=dtype)
    warnings = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror")
    library = tmp_path / "model.so"
    command = [find_compiler(), *warnings, "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", library, tmp_path / "model.c"], check=True)
    functions = ctypes.CDLL(str(library))
    functions.mine_level.restype = functions.mine_level_of_integer.restype = ctypes.c_double
    rows = np.empty((N, 3), dtype=dtype)
    rows[:, 0] = TABLE["size"]
    for i in range(N):
        text, code = TABLE.city.iloc[i], int(TABLE.code.iloc[i])
        known = isinstance(text, str)
        rows[i, 1] = functions.mine_level(1, text.encode()) if known else np.nan
        rows[i, 2] = functions.mine_level_of_integer(2, ctypes.c_int64(code))
    found = np.empty((N, 3))
    pointer = ctypes.c_void_p
    functions.mine_predict_many(
        pointer(rows.ctypes.data), ctypes.c_size_t(N), pointer(found.ctypes.data)
    )
    rounded = TABLE.assign(size=TABLE["size"].astype(dtype))
    assert (found == model.predict_proba(rounded)).all()
    assert functions.mine_level(1, b"nowhere") == -1.0


def test_a_python_file_takes_lists_and_dictionaries(tmp_path: Path) -> None:
    model = classifier()
    model.export(tmp_path / "own_model.py", format="python")
    script = (
        "import own_model\n"
        "print(own_model.predict([0.5, 'oslo', 3]))\n"
        "print(own_model.predict_class({'size': 0.5, 'city': None, 'code': 3}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '.')\n{script}"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    first, second = done.stdout.splitlines()
    row = pd.DataFrame({"size": [0.5], "city": ["oslo"], "code": [3]})
    assert first == str(model.predict_proba(row)[0].tolist())
    assert second == model.predict(row.assign(city=None))[0]


def test_a_python_file_refuses_unseen_categories(tmp_path: Path) -> None:
    model = regressor(unseen_category="error")
    model.export(tmp_path / "model.py", format="python")
    names: dict[str, Any] = {}
    exec((tmp_path / "model.py").read_text(), names)
    with pytest.raises(ValueError, match="'paris'"):
        names["predict"]([0.5, "paris", 3])
    with pytest.raises(ValueError, match="must have 3 values"):
        names["predict"]([0.5])


# ---- kinds of models -----------------------------------------------------------------------------


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


def test_lightgbm_run_needs_no_model() -> None:
    model = described(regressor().model_)
    content = FORMATS["lightgbm"].write(model)
    found, _ = lightgbm_run.run(content, model, probe(model))
    assert found.shape == (len(probe(model)), 1)


def test_the_graph_has_no_unused_constant(tmp_path: Path) -> None:
    regressor().export(tmp_path / "x.onnx", format="onnx")
    graph = onnx_builder.onnx().load(tmp_path / "x.onnx").graph
    used = {name for node in graph.node for name in node.input}
    assert {own.name for own in graph.initializer} <= used

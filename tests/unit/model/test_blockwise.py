"""Predictions and explanations of sources equal those of whole tables."""

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import ceiba
from ceiba import Dataset, train
from ceiba.data.sources import source as sources
from ceiba.errors import InvalidInputError, InvalidParameterError, SaveError

N = 500


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N, 3)), columns=list("abc"))
    frame["city"] = rng.choice(["Lima", "Oslo", None], N)
    frame["y"] = rng.choice(["no", "so", "yes"], N)
    return frame


@pytest.fixture(scope="module")
def model(frame):
    return ceiba.CeibaClassifier(n_estimators=4).fit(frame, "y").model_


@pytest.fixture
def path(frame, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "_PIECE_ROWS", 120)
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=170)
    return tmp_path / "rows.parquet"


@pytest.mark.parametrize("kind", ["prediction", "probability", "class", "raw", "leaf"])
def test_every_kind_of_prediction(model, frame, path, kind):
    to = path.parent / "out.parquet"
    assert model.predict_source(path, to, kind=kind, iteration_range=(0, 3)) == N
    rows = frame.drop(columns="y")
    how = {"iteration_range": (0, 3)}
    expected = {
        "prediction": model.predict,
        "probability": model.predict_proba,
        "raw": model.predict_raw,
        "leaf": model.apply,
        "class": lambda rows, **how: model.predict(rows, prediction_type="Class", **how),
    }[kind](rows, **how)
    found = pq.read_table(to)
    if kind == "class":
        assert found.column_names == ["class"]
        assert found["class"].to_pylist() == list(expected)
        return
    labels = range(9) if kind == "leaf" else model.classes
    assert found.column_names == [f"{kind}_{label}" for label in labels]
    np.testing.assert_array_equal(found.to_pandas().to_numpy(), expected)


def test_explanations(model, frame, path):
    to = path.parent / "out.parquet"
    assert model.explain_source(path, to) == N
    explanation = model.explain(frame.drop(columns="y"))
    found = pq.read_table(to).to_pandas()
    pd.testing.assert_frame_equal(
        found.drop(columns="base_value"), explanation.to_frame(), check_dtype=False
    )
    np.testing.assert_array_equal(found["base_value"], explanation.base_values.reshape(-1))


def test_one_output_and_a_feature_called_base_value(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))
    rows = pd.DataFrame(X, columns=["base_value", "x"])
    model = train({"n_estimators": 3}, Dataset(rows, X[:, 0]))
    to = tmp_path / "out.parquet"
    model.explain_source(lambda: [rows[:20], rows[20:]], to)
    found = pq.read_table(to)
    assert found.column_names == ["base_value", "x", "base_value_"]
    total = sum(found[name].to_numpy() for name in found.column_names)
    np.testing.assert_allclose(total, model.predict_raw(rows))
    model.predict_source(lambda: [rows[:20], rows[20:]], to)
    np.testing.assert_array_equal(pq.read_table(to)["prediction"].to_numpy(), model.predict(rows))


def test_an_error_leaves_the_previous_file(model, frame, tmp_path):
    to = tmp_path / "out.parquet"
    to.write_text("before")
    rows = frame.drop(columns="y")

    def broken():
        yield rows[:10]
        yield rows[10:20].drop(columns="a")

    with pytest.raises(InvalidInputError, match=r"'broken', block 1: .*Missing column 'a'"):
        model.predict_source(broken, to)
    with pytest.raises(InvalidInputError, match="at least one block"):
        model.predict_source(list, to)
    with pytest.raises(InvalidParameterError, match="kind must be"):
        model.predict_source(lambda: [rows], to, kind="other")
    with pytest.raises(SaveError, match="folder"):
        model.predict_source(lambda: [rows], tmp_path)
    assert to.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["out.parquet"]

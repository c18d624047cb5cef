"""Levels in a trained model: other libraries, files, unseen levels, and single rows."""

from __future__ import annotations

import pickle
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ceiba import CeibaClassifier, Dataset, cv, load_model, refit, train
from ceiba.errors import InvalidInputError, InvalidParameterError, ModelFileError
from ceiba.model.file import decode
from ceiba.model.model import Model, model_of

RANDOM = np.random.default_rng(0)
N = 600
CITY = RANDOM.choice(["lima", "oslo", "rome", "bonn", "quito", "cairo"], N)
FRAME = pd.DataFrame(
    {
        "city": np.where(np.arange(N) % 9 == 0, None, CITY),
        "x": RANDOM.normal(size=N),
        "id": RANDOM.integers(0, 7, N) + 2**60,
        "when": pd.date_range("2024", periods=N, freq="h"),
    }
)
Y = np.isin(CITY, ["lima", "bonn"]) * 2.0 + (FRAME["id"] % 3 == 0) + FRAME["x"]
GIVEN = {"n_estimators": 10, "n_jobs": 1, "min_data_per_group": 1}
ROWS = Dataset(FRAME, Y, categorical_features=["id"])


def model(**given: Any) -> Model:
    return train({**GIVEN, **given}, ROWS)


def forms(frame: Any) -> dict[str, Any]:
    order = ["x", "atlantis", *sorted(set(CITY))[::-1]]
    dictionary = frame.assign(city=pd.Categorical(frame["city"], order))
    return {
        "pandas": frame,
        "dictionary": dictionary,
        "polars": pl.from_pandas(frame),
        "arrow": pa.Table.from_pandas(frame),
        "other order": frame[["when", "id", "x", "city"]],
    }


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
@pytest.mark.parametrize("method", ["hist", "exact", "approx"])
def test_any_library_predicts_the_same(policy: str, method: str, tmp_path: Path) -> None:
    trained = model(grow_policy=policy, split_method=method)
    expected = trained.predict(FRAME)
    assert np.corrcoef(expected, Y)[0, 1] > 0.6
    trained.save(tmp_path / "m")
    for again in (trained, load_model(tmp_path / "m"), pickle.loads(pickle.dumps(trained))):
        assert again.fingerprint() == trained.fingerprint()
        assert again.schema == trained.schema
        for name, table in forms(FRAME).items():
            np.testing.assert_array_equal(again.predict(table), expected, err_msg=name)


def test_one_row_in_every_form() -> None:
    trained = model()
    expected = trained.predict(FRAME)
    for j in (0, 1, 5, 300):
        row = FRAME.iloc[j]
        for given in (
            row,
            row.to_dict(),
            row.tolist(),
            tuple(row),
            FRAME.iloc[[j]],
            pl.from_pandas(FRAME)[j],
            [row.tolist()],
        ):
            assert trained.predict(given).tolist() == [expected[j]]
    with pytest.raises(InvalidInputError, match="Missing columns 'x', 'id'"):
        trained.predict({"city": "lima", "when": 1.0})
    with pytest.raises(InvalidInputError, match="'x' must be numbers"):
        trained.predict({"city": "lima", "x": "lima", "id": 1, "when": 1.0})
    with pytest.raises(InvalidInputError, match=r"'when' must be dates.*Got text \('2024'\)"):
        trained.predict({"city": "lima", "x": 1.0, "id": 1, "when": "2024"})


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        (np.array([True, False]), 0),
        (pd.array([True, False], dtype="boolean"), 1),
        (np.array([Decimal(-2), Decimal(3)], dtype=object), -2),
        (np.array([7, 9], dtype=np.uint8), 7),
        (np.array(["1970-01-01", "1970-01-11"], dtype="datetime64[s]"), 0),
    ],
    ids=str,
)
def test_one_row_has_the_marks_of_missing_values_of_a_table(values: Any, missing: float) -> None:
    frame = pd.DataFrame({"v": values, "city": ["lima", "oslo"]})
    rows = pd.concat([frame] * 50, ignore_index=True)
    known = rows["v"].astype(object).isin([values[0]]).to_numpy()
    trained = train(GIVEN, Dataset(rows, 3.0 * known, missing=missing))
    expected = trained.predict(frame)
    for j in range(2):
        for given in (frame.iloc[[j]], frame.iloc[j], frame.iloc[j].to_dict()):
            assert trained.predict(given).tolist() == [expected[j]]


def test_marks_of_floats_of_32_bits_are_found_in_a_frame_of_one_row() -> None:
    frame = pd.DataFrame({"v": np.array([0.1, 0.7], dtype=np.float32), "city": ["lima", "oslo"]})
    rows = pd.concat([frame] * 50, ignore_index=True)
    trained = train(GIVEN, Dataset(rows, 3.0 * (rows["v"] < 0.5), missing=0.1))
    for j, expected in enumerate(trained.predict(frame).tolist()):
        assert trained.predict(frame.iloc[[j]]).tolist() == [expected]


def test_unseen_levels_are_missing_or_an_error(tmp_path: Path) -> None:
    new = FRAME.assign(city="atlantis")
    expected = model().predict(FRAME.assign(city=None))
    for name, table in forms(new).items():
        np.testing.assert_array_equal(model().predict(table), expected, err_msg=name)
    assert model().predict(new.iloc[3].to_dict()).tolist() == [expected[3]]
    strict = model(unseen_category="error")
    strict.save(tmp_path / "m")
    for refusing in (strict, load_model(tmp_path / "m")):
        np.testing.assert_array_equal(refusing.predict(FRAME), model().predict(FRAME))
        for given in (new, pl.from_pandas(new), new.iloc[0], new.iloc[0].to_dict(), new[:1]):
            with pytest.raises(
                InvalidInputError, match=r"Column 'city' contains categories .*'atlantis'"
            ):
                refusing.predict(given)
    with pytest.raises(InvalidInputError, match=r"Eval set 'validation_0'.*atlantis"):
        train({**GIVEN, "unseen_category": "error"}, ROWS, eval_sets=[Dataset(new, Y)])


def test_values_of_another_kind_are_told() -> None:
    new = FRAME.assign(city=3)
    for given in (new, new[:1], new.iloc[0], new.iloc[0].to_dict()):
        with pytest.warns(UserWarning, match=r"'city' has categories such as 'bonn'.*Got 3"):
            model().predict(given)


def test_folds_need_not_have_every_level() -> None:
    frame = FRAME.assign(city=np.where(np.arange(N) < 3, [f"only {k}" for k in range(N)], CITY))
    frame = frame[["city", "x"]]
    rows = Dataset(frame, Y)
    given = {**GIVEN, "unseen_category": "error", "n_estimators": 3}
    assert len(cv(given, rows, folds=3)) == 3
    strict = train({**given, "objective": "quantile", "quantile": [0.1, 0.9]}, rows)
    assert strict.schema.unseen == "error"
    assert refit(strict, rows).schema.unseen == "error"
    CeibaClassifier(**given, early_stopping_rounds=2).fit(frame, Y > 1)


def test_a_value_that_means_missing_is_no_new_level() -> None:
    frame = pd.DataFrame({"a": [1, 2, -1] * 20})
    rows = Dataset(frame, [0.0, 1.0, 2.0] * 20, missing=-1, categorical_features=["a"])
    strict = train({**GIVEN, "unseen_category": "error", "min_samples_leaf": 1}, rows)
    many = strict.predict(pd.DataFrame({"a": [-1, 1, None]}))
    for given in ({"a": -1}, [-1], pd.DataFrame({"a": [-1]}), {"a": None}, {"a": -1.0}):
        assert strict.predict(given).tolist() == [many[0]]
    assert many[0] == many[2] != many[1]


def test_eval_sets_and_further_rounds_use_the_levels_of_the_training() -> None:
    some = FRAME[FRAME["city"] != "bonn"]
    rows = Dataset(some, Y[some.index], categorical_features=["id"])
    scored = train(GIVEN, ROWS, eval_sets={"some": rows}, eval_metric="rmse")
    last = scored.history["some"]["rmse"][-1]
    errors = scored.predict(some) - Y[some.index]
    np.testing.assert_allclose(last, np.sqrt((errors**2).mean()))
    more = train(GIVEN, rows, init_model=scored)
    assert more.schema.levels == scored.schema.levels
    assert more.n_iterations == 20
    whole = train({**GIVEN, "n_estimators": 20}, ROWS)
    assert train(GIVEN, ROWS, init_model=scored).fingerprint() == whole.fingerprint()
    plain = model()
    assert refit(plain, ROWS, decay_rate=0.0).fingerprint() == plain.fingerprint()
    assert refit(whole, rows).schema == whole.schema
    assert len(cv(GIVEN, ROWS, folds=3)) == 10


def test_levels_are_told_by_name() -> None:
    trained = model()
    assert trained.schema.kinds == ("category", "numeric", "category", "date")
    assert trained.schema.levels_of("city") == tuple(sorted(set(CITY)))
    frame = trained.trees_to_frame()
    used = {level for levels in frame["levels"].dropna() for level in levels}
    assert used <= {*CITY, *FRAME["id"]}
    assert "lima" in used


def test_parameters_of_categories() -> None:
    onehot = model(categorical={"city": "onehot"}, categorical_features=["id"])
    sets = onehot.trees_to_frame().query("feature == 'city'")["levels"]
    assert {len(levels) for levels in sets} <= {0, 1}  # none: missing against the rest
    with pytest.raises(InvalidParameterError, match=r"'city', which is a category"):
        model(monotone_constraints={"city": 1})
    with pytest.raises(InvalidParameterError, match=r"'x', a numeric column"):
        model(categorical={"x": "onehot"})
    with pytest.raises(InvalidInputError, match=r"categorical_features='none'.*'city'"):
        model(categorical_features="none")
    alone = model(interaction_constraints=[["city"], ["x", "id", "when"]])
    assert np.isfinite(alone.predict(FRAME)).all()


def test_names_of_rows_are_warned_of() -> None:
    frame = FRAME.assign(name=[f"row {j}" for j in range(N)])
    with pytest.warns(UserWarning, match="category 'name' has nearly as many levels as rows"):
        train(GIVEN, Dataset(frame, Y, categorical_features=["id"]))


def test_an_estimator_takes_them_too() -> None:
    labels = np.where(Y > 1, "high", "low")
    fitted = CeibaClassifier(n_estimators=10, cat_features=["id"]).fit(FRAME, labels)
    assert (fitted.predict(FRAME) == labels).mean() > 0.8
    np.testing.assert_array_equal(fitted.predict(pl.from_pandas(FRAME)), fitted.predict(FRAME))


def test_levels_that_cannot_be_are_damage() -> None:
    parts = decode(model().to_bytes())
    for levels in (
        {"city": ["lima"]},
        {"city": ["b", "a"], "id": [1]},
        {"city": ["a", "a"], "id": [1]},
        {"city": [None], "id": [1]},
        {"city": ["lima"], "id": [1]},  # fewer than the trees divide
        {"city": 3, "id": [1]},
        [],
        None,
    ):
        schema = {**parts.schema, "levels": levels}
        damaged = type(parts)(**{**vars(parts), "schema": schema})
        with pytest.raises(ModelFileError):
            model_of(damaged)

"""Categories, text and dates that cannot be read, named or split: each has a clear error."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from bad_input import FRAME, BadCall, Y, check_error, each_of, regressor

from ceiba import Dataset, cv, load_model, train
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError

WORDS = np.array(["rome", "oslo", "lima"] * 20)
TABLE = FRAME.assign(city=WORDS)
DATES = pd.date_range("2024", periods=60)


def fit(column: Any = WORDS, **given: Any) -> Any:
    return regressor(**given).fit(FRAME.assign(city=column), Y)


def objects(*values: Any) -> Any:
    column = np.empty(60, dtype=object)
    column[:] = list(values) * (60 // len(values))
    return column


def predict(new: Any, old: Any = WORDS, **given: Any) -> Any:
    return fit(old, **given).predict(FRAME.assign(city=new))


def rows(**given: Any) -> Dataset:
    return Dataset(TABLE, Y, **given)


MIXED = r"Column 'city' must contain values of one type. Got {}.*Convert it with"
ERRORS: list[BadCall] = [
    # ---- columns that cannot be read ------------------------------------------------------------
    (
        "text and numbers",
        lambda: fit(objects("a", 1, None)),
        InvalidInputError,
        MIXED.format(r"'a' \(text\) and 1"),
    ),
    (
        "text and numbers, listed",
        lambda: fit(objects("a", 1), categorical_features=["city"]),
        InvalidInputError,
        MIXED.format("'a'"),
    ),
    (
        "text and dates",
        lambda: fit(objects("a", DATES[0])),
        InvalidInputError,
        MIXED.format(r"'a' \(text\) and Timestamp"),
    ),
    (
        "dates and numbers",
        lambda: fit(objects(dt.date(2024, 1, 1), 2.5)),
        InvalidInputError,
        MIXED.format("datetime.date"),
    ),
    (
        "dates and durations",
        lambda: fit(objects(dt.date(2024, 1, 1), dt.timedelta(1))),
        InvalidTypeError,
        "'city' must be numbers: .*Convert the column to numbers, .* or drop it",
    ),
    (
        "times of day",
        lambda: fit(objects(dt.time(1))),
        InvalidTypeError,
        "'datetime.time'.*Convert the column",
    ),
    ("lists", lambda: fit(objects([1, 2], [3])), InvalidInputError, "sequence.*drop it"),
    ("bytes", lambda: fit(objects(b"a", b"b")), InvalidInputError, "b'a'. Decode bytes to text"),
    (
        "a period of time",
        lambda: fit(pd.period_range("2024", periods=60, freq="M")),
        InvalidInputError,
        r"'city' must be numbers, text, categories or dates. Got the type period\[M\]",
    ),
    (
        "lists of polars",
        lambda: regressor().fit(pl.DataFrame({"a": [[1], [2, 3]] * 30}), Y),
        InvalidInputError,
        r"'a' must be numbers, text, categories or dates. Got the type List\(Int64\)",
    ),
    (
        "every column that cannot be read",
        lambda: regressor().fit(
            TABLE.assign(age=objects("a", 1), height=objects(b"a"), weight=objects({})), Y
        ),
        InvalidInputError,
        r"(?s)3 columns are not readable.*- Column 'age'.*- Column 'height'.*- Column 'weight'",
    ),
    (
        "blocks of text and of numbers",
        lambda: Dataset.from_blocks([(TABLE[:30], Y[:30]), (TABLE[30:].assign(city=0.5), Y[30:])]),
        InvalidInputError,
        "'city' must have one type in all blocks. Got numbers and text. Convert it",
    ),
    (
        "blocks of dates and of text",
        lambda: Dataset.from_blocks(
            [(TABLE[:30], Y[:30]), (TABLE[30:].assign(city=DATES[30:]), Y[30:])]
        ),
        InvalidInputError,
        "'city' must have one type in all blocks. Got a category and dates",
    ),
    # ---- categorical_features -------------------------------------------------------------------
    (
        "no categories wanted",
        lambda: fit(categorical_features="none"),
        InvalidInputError,
        "'city' must be numbers. Got the type String. Encode",
    ),
    (
        "no categories wanted of a Dataset that has some",
        lambda: train({"categorical_features": "none"}, rows()),
        InvalidInputError,
        "'none' does not allow columns of text or of a categorical type. Got 'city'",
    ),
    (
        "no such column",
        lambda: fit(categorical_features=["town", "city"]),
        InvalidParameterError,
        "categorical_features must name columns of the table. Got 'town'",
    ),
    (
        "a misspelt column",
        lambda: rows(categorical_features=["ctiy"]),
        InvalidParameterError,
        "Did you mean 'city'",
    ),
    (
        "a position that is none",
        lambda: fit(categorical_features=[4]),
        InvalidParameterError,
        "position between 0 and 3. Got 4",
    ),
    (
        "a position from the end",
        lambda: fit(categorical_features=[-1]),
        InvalidParameterError,
        "between 0 and 3. Got -1",
    ),
    (
        "a mask that is too short",
        lambda: fit(categorical_features=[True, False]),
        InvalidParameterError,
        "one entry for each of the 4 columns. Got a mask of 2",
    ),
    (
        "a name for a list",
        lambda: fit(categorical_features="city"),
        InvalidParameterError,
        "'auto', 'none' or a list of columns, .*Got 'city'",
    ),
    (
        "a column of fractions",
        lambda: fit(categorical_features=["age"]),
        InvalidInputError,
        "'age' must contain text, integers or booleans to be a category.*discretize it",
    ),
    (
        "dates as a category",
        lambda: fit(DATES, categorical_features=["city"]),
        InvalidInputError,
        "'city' must contain text, .* Got dates. Convert it to text",
    ),
    (
        "durations as a category",
        lambda: fit(DATES - DATES[0], categorical_features=["city"]),
        InvalidInputError,
        "Got durations",
    ),
    # ---- how categories are split ---------------------------------------------------------------
    (
        "another word",
        lambda: fit(categorical="one-hot"),
        InvalidParameterError,
        "categorical must be one of 'auto', 'onehot'.*Got 'one-hot'",
    ),
    (
        "another word for a column",
        lambda: fit(categorical={"city": "all"}),
        InvalidParameterError,
        "categorical must be .*Got {'city': 'all'}",
    ),
    (
        "a word for no such column",
        lambda: fit(categorical={"town": "onehot"}),
        InvalidParameterError,
        "categorical must name columns of the table. Got 'town'",
    ),
    (
        "a word for a column of numbers",
        lambda: fit(categorical={"age": "onehot"}),
        InvalidParameterError,
        "categorical must name categorical columns. Got 'age', a numeric column. Add it to",
    ),
    (
        "a category that rises",
        lambda: fit(monotone_constraints={"city": 1}),
        InvalidParameterError,
        "monotone_constraints needs numeric columns. Got 'city', which is a category",
    ),
    (
        "a category that rises, by position",
        lambda: fit(pd.Categorical(WORDS, ordered=True), monotone_constraints=[0, 0, 0, -1]),
        InvalidParameterError,
        "Got 'city', which is a category",
    ),
    (
        "no such column that may meet others",
        lambda: fit(interaction_constraints=[["town", "age"]]),
        InvalidParameterError,
        "interaction_constraints must name columns of the table. Got 'town'",
    ),
    *(
        (
            f"{name}={value}",
            lambda name=name, value=value: fit(**{name: value}),
            InvalidParameterError,
            f"{name} must be .*Got {value!r}",
        )
        for name, value in (
            ("cat_smooth", -1.0),
            ("cat_smooth", "much"),
            ("cat_l2", -0.5),
            ("cat_l2", np.inf),
            ("max_cat_threshold", 0),
            ("max_cat_to_onehot", -1),
            ("min_data_per_group", 0),
            ("min_data_per_level", "few"),
            ("unseen_category", "ignore"),
        )
    ),
    # ---- later tables ---------------------------------------------------------------------------
    (
        "a new level",
        lambda: predict("bonn", unseen_category="error"),
        InvalidInputError,
        "'city' contains categories that are not in the training table: 'bonn'. Drop those",
    ),
    (
        "a new level in one row",
        lambda: train({"unseen_category": "error"}, rows()).predict([1.0, 2.0, 3.0, "bonn"]),
        InvalidInputError,
        "'city' contains categories .*'bonn'",
    ),
    (
        "a new level in an eval set",
        lambda: regressor(unseen_category="error").fit(
            TABLE, Y, eval_set=[(TABLE.assign(city="bonn"), Y)]
        ),
        InvalidInputError,
        "'city' contains categories .*'bonn'",
    ),
    (
        "text for numbers",
        lambda: predict("many", np.arange(60.0)),
        InvalidInputError,
        r"'city' must be numbers, as in the training table. Got text \('many'\)",
    ),
    (
        "text for dates",
        lambda: predict("2024-01-01", DATES),
        InvalidInputError,
        "'city' must be dates, as in the training table. Got text",
    ),
    (
        "dates for numbers",
        lambda: predict(DATES, np.arange(60.0)),
        InvalidInputError,
        "'city' must be numbers, as in the training table. Got dates",
    ),
    ("dates for text", lambda: predict(DATES), InvalidInputError, "to be a category. Got dates"),
    (
        "text and numbers for text",
        lambda: predict(objects("rome", 1)),
        InvalidInputError,
        MIXED.format("'rome'"),
    ),
    (
        "rows of another kind for a refit",
        lambda: fit(np.arange(60.0)).refit(TABLE, Y),
        InvalidInputError,
        "'city' must be numbers, as in the training table. Got text",
    ),
    (
        "further rounds on rows of another kind",
        lambda: train({}, rows(), init_model=train({}, Dataset(FRAME.assign(city=0.5), Y))),
        InvalidInputError,
        "'city' must be numbers, as in",
    ),
    (
        "folds of a Dataset without the column",
        lambda: cv({"categorical": {"town": "subset"}}, rows(), folds=3),
        InvalidParameterError,
        "Got 'town'",
    ),
]


@each_of(ERRORS)
def test_it_is_told(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)


#: Later columns of which no value is a level, and what is told of them.
ODD_LEVELS: dict[str, tuple[Any, str | None]] = {
    "a new level": ("bonn", None),
    "nothing": (None, None),
    "numbers": (3, "Got 3, which is not text"),
    "booleans": (True, "Got True, which is not text"),
    "numbers with a dictionary": (pd.Categorical([1.5] * 60), "Got 1.5, which is not text"),
}


@pytest.mark.parametrize(("column", "warning"), ODD_LEVELS.values(), ids=ODD_LEVELS)
def test_the_default_never_fails(column: Any, warning: str | None, tmp_path: Any) -> None:
    model = train({"n_estimators": 5, "min_data_per_group": 1}, rows())
    model.save(tmp_path / "m")
    table = FRAME.assign(city=column)
    expected = model.predict(FRAME.assign(city=None))
    for again in (model, load_model(tmp_path / "m")):
        for some in (table, table[:1]):
            if warning is None:
                predicted = again.predict(some)
            else:
                with pytest.warns(UserWarning, match=warning):
                    predicted = again.predict(some)
            np.testing.assert_array_equal(predicted, expected[: len(some)])


def test_columns_without_levels_or_rows_are_no_trouble() -> None:
    table = TABLE.assign(
        nothing=None,
        none_of_two=pd.Categorical([None] * 60, ["a", "b"]),
        one="a",
        empty=np.where(np.arange(60) % 2, "", " "),
        never=pd.NaT,
    )
    fitted = regressor().fit(table, Y)
    assert np.isfinite(fitted.predict(table)).all()
    assert np.isfinite(fitted.predict(table.assign(nothing="a", none_of_two="b", one=None))).all()
    assert len(fitted.predict(table[:0])) == 0

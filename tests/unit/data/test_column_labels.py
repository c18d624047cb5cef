"""Columns of a DataFrame whose labels are no strings are matched by label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import CeibaRegressor, Dataset, train
from ceiba.errors import InvalidInputError

RANDOM = np.random.default_rng(0)
ARRAY = RANDOM.normal(size=(60, 4))
Y = ARRAY @ [3.0, -2.0, 1.0, 0.5]
PARAMS: dict[str, Any] = {"n_estimators": 3, "min_samples_leaf": 5}

labels = st.one_of(
    st.permutations(range(4)),
    st.lists(st.integers(-5, 99), min_size=4, max_size=4, unique=True),
    st.lists(st.floats(0, 1), min_size=4, max_size=4, unique=True),
    st.lists(st.dates().map(pd.Timestamp), min_size=4, max_size=4, unique=True),
    st.lists(st.text("ab", min_size=1), min_size=4, max_size=4, unique=True),
)


@settings(max_examples=60)
@given(labels, st.permutations(range(4)))
def test_the_order_of_columns_does_not_matter(labels: list[Any], order: list[int]) -> None:
    frame = pd.DataFrame(ARRAY, columns=labels)
    turned = frame.iloc[:, order]
    for first, second in ((frame, turned), (turned, frame)):
        rows = Dataset(first, Y)
        model = train(PARAMS, rows, eval_sets={"turned": Dataset(second, Y)})
        expected = model.predict(first)
        np.testing.assert_array_equal(model.predict(second), expected)
        np.testing.assert_array_equal(model.predict(first.to_numpy()), expected)
        rmse = float(np.sqrt(np.mean((expected - Y) ** 2)))
        assert model.history["turned"]["rmse"][-1] == pytest.approx(rmse)
        one = second.iloc[0].to_dict()
        assert model.predict(one).tolist() == expected[:1].tolist()


def test_estimators_refuse_another_order() -> None:
    frame = pd.DataFrame(ARRAY)
    for first in (frame, frame[[3, 2, 1, 0]], ARRAY):
        fitted = CeibaRegressor(**PARAMS).fit(first, Y)
        other = frame if first is not frame and first is not ARRAY else frame[[3, 2, 1, 0]]
        with pytest.raises(InvalidInputError, match="must be in the same order"):
            fitted.predict(other)


@pytest.mark.filterwarnings("error")
def test_labels_that_only_count_are_no_names() -> None:
    frame = pd.DataFrame(ARRAY)
    fitted = CeibaRegressor(**PARAMS).fit(frame, Y)
    assert not hasattr(fitted, "feature_names_in_")
    assert fitted.fingerprint() == CeibaRegressor(**PARAMS).fit(ARRAY, Y).fingerprint()
    np.testing.assert_array_equal(fitted.predict(ARRAY), fitted.predict(frame))


def test_other_labels_are_an_error() -> None:
    model = train(PARAMS, Dataset(pd.DataFrame(ARRAY, columns=[10, 20, 30, 40]), Y))
    assert model.schema.names == ("10", "20", "30", "40")
    with pytest.raises(
        InvalidInputError, match=r"Missing column '40'.* not trained on column '50'"
    ):
        model.predict(pd.DataFrame(ARRAY, columns=[10, 20, 30, 50]))

"""A target that is named among the columns of the table."""

from __future__ import annotations

import polars as pl
import pyarrow as pa
import pytest
from small_table import BINARY, FRAME, X, Y, classifier, regressor

from ceiba import Dataset
from ceiba.data.named_target import part_target
from ceiba.errors import InvalidInputError, InvalidTypeError

WITH_TARGET = FRAME.assign(target=Y)


@pytest.mark.parametrize(
    "table",
    [WITH_TARGET, pl.from_pandas(WITH_TARGET), pa.Table.from_pandas(WITH_TARGET)],
    ids=["pandas", "polars", "arrow"],
)
def test_the_column_is_taken_out_of_the_table(table: object) -> None:
    fitted = regressor().fit(table, "target")
    assert list(fitted.feature_names_in_) == ["a", "b", "c", "d"]
    assert fitted.model_.fingerprint() == regressor().fit(FRAME, Y).model_.fingerprint()
    dataset = Dataset(table, "target")
    assert dataset.target is not None
    assert dataset.target.tolist() == Y.tolist()
    assert dataset.n_features == 4


def test_labels_and_eval_sets() -> None:
    table = FRAME.assign(target=BINARY)
    fitted = classifier().fit(table, "target", eval_set=[(table, "target")])
    assert fitted.classes_.tolist() == ["no", "yes"]
    assert fitted.score(FRAME, BINARY) > 0.8


def test_what_is_no_column() -> None:
    with pytest.raises(InvalidInputError, match=r"y='targt' is no column .* mean 'target'"):
        regressor().fit(WITH_TARGET, "targt")
    with pytest.raises(InvalidTypeError, match=r"must be a DataFrame. Got ndarray"):
        regressor().fit(X, "target")
    assert part_target(X, Y)[0] is X

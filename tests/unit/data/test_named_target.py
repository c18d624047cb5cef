"""A target that is named among the columns of the table."""

from __future__ import annotations

import polars as pl
import pyarrow as pa
import pytest
from small_table import BINARY, FRAME, X, Y, classifier, regressor

from ceiba import CeibaRanker, Dataset
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
    weights = [1.0, 3.0] * 200
    assert fitted.score(table, "target") == regressor().fit(FRAME, Y).score(FRAME, Y)
    assert fitted.score(table, "target", weights) == (
        regressor().fit(FRAME, Y).score(FRAME, Y, weights)
    )


def test_labels_and_eval_sets() -> None:
    table = FRAME.assign(target=BINARY)
    fitted = classifier().fit(table, "target", eval_set=[(table, "target")])
    assert fitted.classes_.tolist() == ["no", "yes"]
    assert fitted.score(table, "target") == fitted.score(FRAME, BINARY) > 0.8
    polars = pl.from_pandas(table)
    assert fitted.score(polars, "target") == fitted.score(FRAME, BINARY)


def test_every_method_of_a_ranker_takes_the_name() -> None:
    grades, queries = (Y > 0).astype(int), [8] * 50
    table = FRAME.assign(target=grades)
    fitted = CeibaRanker(n_estimators=5, n_jobs=1).fit(table, "target", group=queries)
    assert list(fitted.feature_names_in_) == ["a", "b", "c", "d"]
    for ask in (fitted.score, fitted.evaluate):
        found = ask(table, "target", group=queries)
        assert found == ask(FRAME, grades, group=queries)
        assert found == ask(Dataset(FRAME, grades, group=queries), None)
    fresh = fitted.refit(table, "target", group=queries, decay_rate=0.0)
    assert fresh.model_.fingerprint() == fitted.model_.fingerprint()


def test_what_is_no_column() -> None:
    with pytest.raises(InvalidInputError, match=r"y='targt' is not a column .* mean 'target'"):
        regressor().fit(WITH_TARGET, "targt")
    with pytest.raises(InvalidTypeError, match=r"requires a DataFrame. Got ndarray"):
        regressor().fit(X, "target")
    with pytest.raises(InvalidInputError, match=r"y='targt' is not a column .* mean 'target'"):
        regressor().fit(WITH_TARGET, "target").score(WITH_TARGET, "targt")
    assert part_target(X, Y)[0] is X

"""Rows of DuckDB queries."""

import duckdb
import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset
from ceiba.data.sources.opening import open_source
from ceiba.errors import InvalidInputError


@pytest.fixture
def connection():
    connection = duckdb.connect()
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": rng.permutation(400), "x": rng.normal(size=400)})
    frame["y"] = np.where(frame["x"] > 0, "up", "down")
    connection.register("frame", frame)
    connection.execute("CREATE TABLE rows AS SELECT * FROM frame")
    connection.unregister("frame")
    yield connection
    connection.close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM rows ORDER BY id",
        "SELECT x, y FROM (SELECT * FROM rows ORDER BY id) WHERE x > -1",
        "WITH own AS (SELECT * FROM rows ORDER BY id) SELECT * FROM own",
        "SELECT * FROM rows ORDER BY id LIMIT 100",
        "SELECT y, sum(x) AS x FROM rows GROUP BY y ORDER BY y",
    ],
)
def test_sorted_queries(connection, query):
    expected = connection.sql(query).df()
    source = open_source(connection.sql(query))
    for _ in range(2):
        rows = pd.concat([batch.to_pandas() for batch in source.frames()], ignore_index=True)
        pd.testing.assert_frame_equal(rows, expected, check_dtype=False)


def test_sorted_relations(connection):
    relation = connection.table("rows").order("id").filter("x > 0").select("x, y")
    dataset = Dataset.from_source(relation, "x")
    frame = connection.table("rows").df().sort_values("id").query("x > 0")
    np.testing.assert_array_equal(dataset.target, frame["x"])


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM rows",
        "SELECT y, sum(x) AS x FROM (SELECT * FROM rows ORDER BY id) GROUP BY y",
        "SELECT a.x FROM (SELECT * FROM rows ORDER BY id) a JOIN rows b ON a.id = b.id",
        "SELECT * FROM rows UNION ALL SELECT * FROM rows",
        "SELECT * FROM (SELECT * FROM rows ORDER BY id) USING SAMPLE 10",
        "WITH own AS (SELECT * FROM rows) SELECT * FROM own",
    ],
)
def test_queries_without_an_order_are_refused(connection, query):
    with pytest.raises(InvalidInputError, match="must have an ORDER BY at its end"):
        open_source(connection.sql(query))


def test_a_query_whose_rows_change(connection):
    relation = connection.sql("SELECT x, random() AS r FROM rows ORDER BY id")
    with pytest.raises(InvalidInputError, match="DuckDB query must have the same rows"):
        Dataset.from_source(relation, "x")


def test_a_query_that_fails(connection):
    source = open_source(connection.sql("SELECT * FROM rows ORDER BY id"))
    connection.execute("DROP TABLE rows")
    with pytest.raises(InvalidInputError, match="The DuckDB query failed"):
        list(source.frames())

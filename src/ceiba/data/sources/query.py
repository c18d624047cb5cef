"""Rows of a DuckDB query."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ceiba.data.sources.source import Source
from ceiba.errors import InvalidInputError

__all__ = ["QuerySource"]

#: Rows that DuckDB returns at once.
_BATCH_ROWS = 2**16


class QuerySource(Source):
    """A relation of DuckDB that sorts its rows."""

    def __init__(self, relation: Any) -> None:
        self._relation = relation
        if not _sorts(relation.sql_query()):
            raise InvalidInputError(
                "A DuckDB query must have an ORDER BY at its end, because DuckDB may return rows "
                "in another order each time. Sort it by columns that identify each row, for "
                "example relation.order('id')."
            )

    def frames(self) -> Iterator[Any]:
        try:
            # A new relation, because one returns its result only once.
            yield from self._relation.select("*").to_arrow_reader(_BATCH_ROWS)
        except _errors() as error:
            raise InvalidInputError(f"{self} failed: {error}") from error

    def __str__(self) -> str:
        return "The DuckDB query"


def _errors() -> Any:
    import duckdb

    return duckdb.Error


def _sorts(query: str) -> bool:
    """Whether the result of a query has an order."""
    import duckdb

    connection = duckdb.connect()
    try:
        text = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchall()[0][0]
    finally:
        connection.close()
    statements = json.loads(text).get("statements", [])
    return len(statements) == 1 and _is_sorted(statements[0]["node"], {})


def _is_sorted(node: Any, known: dict[str, Any]) -> bool:
    """Whether a SELECT sorts its rows, or only filters those of a subquery that does."""
    if any(modifier["type"] == "ORDER_MODIFIER" for modifier in node["modifiers"]):
        return True
    if node["type"] != "SELECT_NODE" or node["group_expressions"] or node["sample"]:
        return False
    named = {entry["key"]: entry["value"]["query_node"] for entry in node["cte_map"]["map"]}
    known = {**known, **named}
    table = node["from_table"] or {}
    if table.get("type") == "SUBQUERY":
        return _is_sorted(table["subquery"]["node"], known)
    if table.get("type") == "BASE_TABLE" and table["table_name"] in known:
        name = table["table_name"]
        return _is_sorted(known[name], {key: own for key, own in known.items() if key != name})
    return False

"""Inputs of an ONNX graph, and the columns that trees read from them.

Numbers are inputs of the type of the graph. Categories are inputs of text or 64-bit integers, or
numbers in a matrix. LabelEncoder converts a category to its code: the level number, ``n_levels``
for a missing value, -1 for an unseen category. Missing is ``""`` in text (unless that is a
category), the smallest 64-bit integer in integers, and NaN in a matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import ExportError
from ceiba.export.described import Column, Described
from ceiba.export.onnx_builder import ML, Graph
from ceiba.messages import shown

__all__ = ["MISSING_INTEGER", "MISSING_TEXT", "TreeColumns", "holds_text", "tree_columns"]

MISSING_TEXT = ""
MISSING_INTEGER = -(2**63)
_MATRIX = "X"
#: Larger numbers cannot be converted to 64-bit integers.
_LARGEST = 9.2e18


@dataclass(frozen=True, slots=True)
class TreeColumns:
    """A matrix [N, n] and, for each column that trees read, its place in the matrix."""

    tensor: str
    place: NDArray[np.int64]


def tree_columns(
    graph: Graph, model: Described, inputs: str, dtype: str, inner: str
) -> TreeColumns:
    """Declare the inputs; return the columns that trees read, of type ``inner``."""
    values = _declared(graph, model, inputs, dtype)
    numbers = [j for j in model.kept if not model.columns[j].is_category]
    categories = [j for j in model.kept if model.columns[j].is_category]
    parts = []
    if inputs == "matrix":
        whole = numbers == list(range(len(model.columns)))
        if numbers:
            parts.append(_MATRIX if whole else _gathered(graph, numbers))
    else:
        parts += [values[j] for j in numbers]
    if parts:
        block = parts[0] if len(parts) == 1 else graph.add("Concat", *parts, axis=1)
        if model.missing is not None:
            block = _without_mark(graph, block, model.missing, dtype)
        parts = [block if inner == dtype else graph.cast(block, inner)]
    looked_up = {j for own in model.lookups for j in own.sources}
    codes = {j: _codes(graph, model, j, values[j], inputs, dtype) for j in sorted(looked_up)}
    for j in categories:
        own = codes.get(j) or _codes(graph, model, j, values[j], inputs, dtype)
        parts.append(_known(graph, own, len(model.columns[j].levels), inner))
    parts += [_looked_up(graph, model, number, codes) for number in range(len(model.lookups))]
    tensor = parts[0] if len(parts) == 1 else graph.add("Concat", *parts, axis=1)
    order = numbers + categories
    place = [order.index(j) for j in model.kept]
    place += range(len(order), model.n_tree_columns)
    return TreeColumns(tensor, np.array(place, dtype=np.int64))


def holds_text(column: Column) -> bool:
    """Whether the categories of a column are text; raise if they are neither text nor integers."""
    texts = [isinstance(level, str) for level in column.levels]
    if all(texts):
        return True
    numbers = [level for level in column.levels if not isinstance(level, str)]
    wrong = [
        level
        for level in numbers
        if int(level) != level or not MISSING_INTEGER < level < -MISSING_INTEGER
    ]
    if any(texts) or wrong:
        example = shown(wrong[0]) if wrong else "text and numbers"
        raise ExportError(
            f"Column {column.name!r} has categories that an ONNX input cannot hold: {example}. "
            "They must be all text or all 64-bit integers. Convert the column to text before "
            "training, or use another format."
        )
    return False


def _declared(graph: Graph, model: Described, inputs: str, dtype: str) -> dict[int, str]:
    """Declare the inputs; return the tensor [N, 1] of every column that is an input of its own."""
    texts = [column.is_category and holds_text(column) for column in model.columns]
    if inputs == "columns":
        kinds = [
            ("string" if text else "int64") if column.is_category else dtype
            for column, text in zip(model.columns, texts, strict=True)
        ]
        return {
            j: graph.input(column.name, kind, 1)
            for j, (column, kind) in enumerate(zip(model.columns, kinds, strict=True))
        }
    if any(texts):
        name = model.columns[texts.index(True)].name
        raise ExportError(
            f"A matrix of numbers cannot hold the text of column {name!r}. Use inputs='columns', "
            "or encode the column as integers before training."
        )
    graph.input(_MATRIX, dtype, len(model.columns))
    return {
        j: _gathered(graph, [j]) for j, column in enumerate(model.columns) if column.is_category
    }


def _gathered(graph: Graph, columns: list[int]) -> str:
    """Return columns of the matrix."""
    return graph.add("Gather", _MATRIX, graph.constant(columns, "int64"), axis=1)


def _without_mark(graph: Graph, block: str, missing: float, dtype: str) -> str:
    with np.errstate(over="ignore", under="ignore"):
        mark = graph.constant(missing, dtype)
    return graph.add("Where", graph.add("Equal", block, mark), graph.constant(np.nan, dtype), block)


def _codes(graph: Graph, model: Described, j: int, value: str, inputs: str, dtype: str) -> str:
    """Return the codes [N, 1] of a column of categories, as 64-bit integers."""
    column = model.columns[j]
    n = len(column.levels)
    codes: dict[Any, int] = {level: k for k, level in enumerate(column.levels)}
    if holds_text(column) and inputs == "columns":
        codes.setdefault(MISSING_TEXT, n)
        return graph.add(
            "LabelEncoder",
            value,
            domain=ML,
            keys_strings=list(codes),
            values_int64s=list(codes.values()),
            default_int64=-1,
        )
    codes.setdefault(MISSING_INTEGER, n)
    if model.missing is not None and float(model.missing).is_integer():
        codes.setdefault(int(model.missing), n)
    own = {"keys_int64s": [int(key) for key in codes], "values_int64s": list(codes.values())}
    if inputs == "columns":
        return graph.add("LabelEncoder", value, domain=ML, default_int64=-1, **own)
    whole = graph.add(
        "And",
        graph.add("Equal", graph.add("Floor", value), value),
        graph.add("Less", graph.add("Abs", value), graph.constant(_LARGEST, dtype)),
    )
    zero = graph.constant(0.0, dtype)
    integers = graph.cast(graph.add("Where", whole, value, zero), "int64")
    found = graph.add("LabelEncoder", integers, domain=ML, default_int64=-1, **own)
    missing, unseen = graph.constant(n, "int64"), graph.constant(-1, "int64")
    other = graph.add("Where", graph.add("IsNaN", value), missing, unseen)
    return graph.add("Where", whole, found, other)


def _known(graph: Graph, codes: str, n_levels: int, inner: str) -> str:
    """Return level numbers, counted from 1, as ``inner``; NaN for missing and unseen categories.

    Runtimes read sets of numbers above 0 more reliably than sets with a 0.
    """
    unseen = graph.add("Less", codes, graph.constant(0, "int64"))
    missing = graph.add("Equal", codes, graph.constant(n_levels, "int64"))
    nan = graph.constant(np.nan, inner)
    numbers = graph.cast(graph.add("Add", codes, graph.constant(1, "int64")), inner)
    return graph.add("Where", graph.add("Or", unseen, missing), nan, numbers)


def _looked_up(graph: Graph, model: Described, number: int, codes: dict[int, str]) -> str:
    """Return the columns [N, n_columns] of a lookup."""
    own = model.lookups[number]
    key, factor = codes[own.sources[0]], 1
    unseen = None
    if len(own.sources) > 1:
        zero = graph.constant(0, "int64")
        unseen = graph.add("Less", key, zero)
        for before, j in zip(own.sources, own.sources[1:], strict=False):
            factor *= len(model.columns[before].levels) + 1
            scaled = graph.add("Mul", codes[j], graph.constant(factor, "int64"))
            key = graph.add("Add", key, scaled)
            unseen = graph.add("Or", unseen, graph.add("Less", codes[j], zero))
        key = graph.add("Where", unseen, graph.constant(-1, "int64"), key)
    n_keys = len(own.keys)
    place = graph.add(
        "LabelEncoder",
        key,
        domain=ML,
        keys_int64s=[*own.keys.tolist(), MISSING_INTEGER],
        values_int64s=[*range(n_keys), n_keys],
        default_int64=n_keys,
    )
    rows = graph.add("Gather", graph.constant(own.values.T, "float64"), place, axis=0)
    return graph.add("Squeeze", rows, graph.constant([1], "int64"))

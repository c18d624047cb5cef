"""Read blocks of rows into one table, for `Dataset.from_blocks`.

The life of blocks:

1. :func:`read_blocks` reads them in order. All must have the columns of the first.
2. :class:`BlockMemory` detects an iterator that overwrites the buffer of an earlier block.
3. The table references the numbers of each block, and concatenates targets and weights. The levels
   of a category are those of all blocks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.plain_numbers import read_vector
from ceiba.data.queries import Queries, join_ids, read_ids, read_queries
from ceiba.data.read_table import read_table
from ceiba.data.row_values import read_target, read_weights
from ceiba.data.schema import Schema
from ceiba.data.table import Table, join_tables
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import listed

if TYPE_CHECKING:
    from ceiba.data.missing_values import Reading

__all__ = ["BlockMemory", "read_blocks"]

Floats = NDArray[np.float64]


def read_blocks(
    blocks: Iterable[Sequence[Any]],
    feature_names: Sequence[str] | None,
    reading: Reading,
    categorical: Any = "auto",
) -> tuple[Table, Floats, Floats | None, Queries | None]:
    """Return the table, target, weights (or None) and queries (or None) of all blocks.

    A block is (data, target), (data, target, weight) or (data, target, weight, qid).
    """
    if isinstance(blocks, str | bytes | Mapping) or not isinstance(blocks, Iterable):
        raise InvalidTypeError(
            "blocks must be a list or an iterator of (data, target), (data, target, weight) or "
            f"(data, target, weight, qid). Got {_described(blocks)}."
        )
    # Only an iterator can overwrite one block with the next.
    memory = None if isinstance(blocks, list | tuple) else BlockMemory()
    tables: list[Table] = []
    targets: list[Floats] = []
    weights: list[Floats] = []
    ids: list[NDArray[Any]] = []
    schema: Schema | None = None
    for index, block in enumerate(blocks):
        if not isinstance(block, tuple | list) or len(block) not in (2, 3, 4):
            raise InvalidTypeError(
                "Each block must be (data, target), (data, target, weight) or (data, target, "
                f"weight, qid). Block {index} is {_described(block)}."
            )
        try:
            table = read_table(
                block[0], feature_names=feature_names, reading=reading, categorical=categorical
            )
            schema = table.schema if schema is None else schema
            _check_same_columns(table.schema, schema)
            tables.append(table.select(schema.order_in(table.schema)))
            if memory is not None:
                memory.add(table)
            if block[1] is None:
                raise InvalidInputError("The target is None. Every block must have a target.")
            targets.append(read_target(block[1], table.n_rows).copy())
            if len(block) > 2 and block[2] is not None:
                weights.append(read_vector(block[2], "weight", table.n_rows).copy())
            if len(block) > 3 and block[3] is not None:
                ids.append(read_ids(block[3], table.n_rows).copy())
        except (InvalidInputError, InvalidTypeError) as error:
            raise type(error)(f"Block {index}: {error}") from None
    if not tables:
        raise InvalidInputError("blocks must contain at least one block. Got none.")
    for what, given in (("weights", len(weights)), ("query ids", len(ids))):
        if given not in (0, len(tables)):
            raise InvalidInputError(
                f"Either all blocks or no block must have {what}. {given} of {len(tables)} blocks "
                "have them."
            )
    table = join_tables(tables)
    weight = read_weights(np.concatenate(weights), table.n_rows) if weights else None
    queries = read_queries(join_ids(ids), None, table.n_rows) if ids else None
    return table, np.concatenate(targets), weight, queries


def _check_same_columns(given: Schema, schema: Schema) -> None:
    """Raise if the columns of a block differ from those of the first one."""
    if given.n_features != schema.n_features:
        raise InvalidInputError(
            f"It has {given.n_features} columns, and block 0 has {schema.n_features}. All blocks "
            "must have the same columns."
        )
    if given.named and schema.named:
        extra = sorted(set(given.names) - set(schema.names))
        if extra:
            absent = sorted(set(schema.names) - set(given.names))
            raise InvalidInputError(
                f"It has {listed(extra)} where block 0 has {listed(absent)}. All blocks must have "
                "the same columns."
            )


def _described(block: Any) -> str:
    if isinstance(block, tuple | list):
        return f"a {type(block).__name__} of {len(block)}"
    return type(block).__name__


class BlockMemory:
    """Memory ranges of the blocks read so far. Detects a block that overwrites an earlier one."""

    def __init__(self) -> None:
        self._arrays: list[NDArray[Any]] = []
        # Sorted bounds of disjoint address ranges.
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, table: Table) -> None:
        """Add the memory of a block. Raise if it overlaps that of an earlier block."""
        arrays = [array for block in table.blocks for array in block.arrays if array.size]
        bounds = [_byte_bounds(array) for array in arrays]
        for array, (start, end) in zip(arrays, bounds, strict=True):
            if self._reaches(start, end) and any(_share(array, other) for other in self._arrays):
                raise InvalidInputError(
                    "It overwrites an earlier block: both share one buffer. Yield copies "
                    "(buffer.copy()), or pass a list of blocks."
                )
        self._arrays += arrays
        for start, end in bounds:
            self._join(start, end)

    def _reaches(self, start: int, end: int) -> bool:
        after = bisect_right(self._ends, start)
        return after < len(self._starts) and self._starts[after] < end

    def _join(self, start: int, end: int) -> None:
        first, last = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < last:
            start, end = min(start, self._starts[first]), max(end, self._ends[last - 1])
        self._starts[first:last], self._ends[first:last] = [start], [end]


def _byte_bounds(array: NDArray[Any]) -> tuple[int, int]:
    """Return the half-open address range of an array."""
    first = last = array.__array_interface__["data"][0]
    for n, stride in zip(array.shape, array.strides, strict=True):
        first, last = first + min(0, (n - 1) * stride), last + max(0, (n - 1) * stride)
    return first, last + array.itemsize


def _share(one: NDArray[Any], other: NDArray[Any]) -> bool:
    try:
        return np.shares_memory(one, other, max_work=100_000)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True

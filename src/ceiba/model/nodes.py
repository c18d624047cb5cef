"""What is inside a trained forest: its nodes, and one digest of it all.

Everything is read from the arrays of the forest; nothing is trained or predicted here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.missing_values import PLAIN

if TYPE_CHECKING:
    from ceiba import _core
    from ceiba.data.schema import Schema

__all__ = ["digest", "level_sets", "node_columns"]

#: What of the schema decides a prediction.
_DECIDING = ("names", "kinds", "levels", "statistics")


def node_columns(forest: _core.Forest, schema: Schema) -> dict[str, NDArray[Any]]:
    """Return one entry for each node of each tree, in columns.

    Where a leaf adds to several outputs, there is no column ``output``, and ``value_0``,
    ``value_1``, … stand in the place of ``value``. Where nodes split by sets of levels, ``levels``
    holds those that go left, and ``threshold`` is NaN. Where they split by statistics of
    categories, ``statistic`` says by which, and ``feature`` names the columns it is made of.
    Where leaves hold lines, ``line`` has a tuple (column, slope, mean, low, high) for each term, in
    which slope is a tuple where a leaf adds to several outputs.
    """
    arrays = forest.arrays()
    offsets = arrays["tree_offsets"]
    tree = np.repeat(np.arange(forest.n_trees), np.diff(offsets))
    node = np.arange(len(tree)) - offsets[tree]
    is_split = arrays["feature"] >= 0
    depth = np.zeros(len(tree), dtype=np.int64)
    # Children come after their parents, so one pass in order is enough.
    for i in np.flatnonzero(is_split):
        for child in (arrays["left"][i], arrays["right"][i]):
            depth[offsets[tree[i]] + child] = depth[i] + 1
    by_set = arrays.get("set_of_node", np.full(len(tree), -1)) >= 0
    levels = {"levels": _levels_of_nodes(arrays, schema.engine)} if by_set.any() else {}
    pairs = [" x ".join(schema.names[j] for j in own) for own in schema.engine_sources]
    names = np.array([*pairs, None], dtype=object)
    statistics = {}
    if schema.statistics is not None:
        words = np.array([*(word or None for word in schema.statistics.statistics), None], object)
        statistics["statistic"] = words[arrays["feature"]]
    missing = np.where(arrays["missing_left"] == 1, "left", "right").astype(object)
    missing[~is_split] = None
    value = arrays["value"]
    if forest.leaf_width == 1:
        output, values = {"output": tree % forest.n_outputs}, {"value": value.copy()}
    else:
        output, values = {}, {f"value_{k}": value[:, k].copy() for k in range(forest.n_outputs)}
    return {
        "tree": tree,
        "iteration": tree // forest.trees_per_iteration,
        **output,
        "node": node,
        "depth": depth,
        "feature": names[arrays["feature"]],
        **statistics,
        "threshold": np.where(is_split & ~by_set, arrays["threshold"], np.nan),
        **levels,
        "missing": missing,
        "left": arrays["left"].copy(),
        "right": arrays["right"].copy(),
        "gain": np.where(is_split, arrays["gain"], np.nan),
        "cover": arrays["cover"].copy(),
        "count": arrays["count"].copy(),
        **values,
        **({"line": _linear_parts_of_nodes(arrays, schema)} if "linear_offsets" in arrays else {}),
    }


def _linear_parts_of_nodes(arrays: dict[str, NDArray[Any]], schema: Schema) -> NDArray[Any]:
    """Return the terms of each leaf that holds a line, None for other nodes."""
    offsets, slopes = arrays["linear_offsets"].tolist(), arrays["linear_slope"].tolist()
    names = schema.engine.names
    terms = [
        (names[feature], tuple(slope) if isinstance(slope, list) else slope, mean, low, high)
        for feature, slope, mean, low, high in zip(
            arrays["linear_feature"].tolist(),
            slopes,
            *(arrays[f"linear_{name}"].tolist() for name in ("mean", "low", "high")),
            strict=True,
        )
    ]
    lines = np.empty(len(offsets) - 1, dtype=object)
    for node in np.flatnonzero(np.diff(arrays["linear_offsets"])):
        lines[node] = tuple(terms[offsets[node] : offsets[node + 1]])
    return lines


def _levels_of_nodes(arrays: dict[str, NDArray[Any]], schema: Schema) -> NDArray[Any]:
    """Return a tuple of levels for each node that splits by a set, None for others."""
    sets = level_sets(arrays)
    levels = np.empty(len(arrays["set_of_node"]), dtype=object)
    for node in np.flatnonzero(arrays["set_of_node"] >= 0):
        numbers = sets[arrays["set_of_node"][node]]
        known = schema.levels_of(int(arrays["feature"][node]))
        levels[node] = tuple(known[k] for k in numbers) if known else tuple(numbers)
    return levels


def level_sets(arrays: Mapping[str, NDArray[Any]]) -> list[list[int]]:
    """Return the numbers of the levels of each set by which nodes split."""
    words = np.split(arrays["set_words"], arrays["set_offsets"][1:-1])
    return [_numbers(own) for own in words]


def _numbers(words: NDArray[np.uint64]) -> list[int]:
    """Return the places of the bits that are set."""
    numbers: list[int] = np.flatnonzero(
        np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
    ).tolist()
    return numbers


def digest(arrays: Mapping[str, NDArray[Any]], objective: Mapping[str, Any], schema: Schema) -> str:
    """Return the SHA-256 of all that decides a prediction.

    It covers the arrays that are there and no others, so that a model which does without something
    new keeps the digest that it had.
    """
    columns = schema.to_dict()
    described: dict[str, Any] = {
        "objective": objective,
        "schema": {key: columns[key] for key in _DECIDING if key in columns},
        "n_outputs": arrays["start_scores"].size,
    }
    if schema.reading != PLAIN:  # models from before there were others keep their digest
        described["reading"] = asdict(schema.reading)
    sha = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
    for name in sorted(arrays):
        array = arrays[name]
        sha.update(f"\n{name} {array.dtype.name} {array.size}\n".encode())
        sha.update(array.tobytes())
    return sha.hexdigest()

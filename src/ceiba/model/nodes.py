"""The table of nodes (``trees_to_frame``) and the fingerprint of a model.

Open ``trees.py`` for the arrays that both read.
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
    from ceiba.data.schema import Schema
    from ceiba.model.trees import LinearLeaves, Trees

__all__ = ["digest", "levels_at", "node_columns", "terms_of_nodes"]

#: The parts of a schema that change predictions.
_DECIDING = ("names", "kinds", "levels", "statistics")


def node_columns(trees: Trees, schema: Schema) -> dict[str, NDArray[Any]]:
    """Return the columns of a table with one row per node.

    Columns that only some models have:

    - ``value_0``, ``value_1``, … in place of ``output`` and ``value``, if leaves add to several
      outputs;
    - ``levels``, the categories that go left, if nodes split by category sets; their
      ``threshold`` is NaN;
    - ``statistic``, if nodes split by target statistics; ``feature`` then names the columns that
      the statistic is made of;
    - ``line``, with linear leaves: a tuple (column, slope, mean, low, high) per term. The slope is
      a tuple if leaves add to several outputs.
    """
    tree, is_split, by_set = trees.tree_of_node, trees.is_split, trees.split_by_set
    pairs = [" x ".join(schema.names[j] for j in own) for own in schema.engine_sources]
    names = np.array([*pairs, None], dtype=object)
    statistics = {}
    if schema.statistics is not None:
        own = [*(name or None for name in schema.statistics.statistics), None]
        statistics["statistic"] = np.array(own, dtype=object)[trees.feature]
    missing = np.where(trees.missing_left, "left", "right").astype(object)
    missing[~is_split] = None
    if trees.leaf_width == 1:
        output = {"output": tree % trees.n_outputs}
        values = {"value": trees.value[:, 0].copy()}
    else:
        output, values = {}, {f"value_{k}": own.copy() for k, own in enumerate(trees.value.T)}
    return {
        "tree": tree,
        "iteration": tree // trees.trees_per_iteration,
        **output,
        "node": np.arange(trees.n_nodes) - trees.offsets[tree],
        "depth": trees.depths(),
        "feature": names[trees.feature],
        **statistics,
        "threshold": np.where(is_split & ~by_set, trees.threshold, np.nan),
        **({"levels": levels_at(trees, schema.engine)} if by_set.any() else {}),
        "missing": missing,
        "left": trees.left.copy(),
        "right": trees.right.copy(),
        "gain": np.where(is_split, trees.gain, np.nan),
        "cover": trees.cover.copy(),
        "count": trees.count.copy(),
        **values,
        **({} if trees.linear is None else {"line": terms_of_nodes(trees.linear, schema)}),
    }


def terms_of_nodes(linear: LinearLeaves, schema: Schema) -> NDArray[Any]:
    """Return the terms of each linear leaf, and None for other nodes.

    A term is a tuple (column, slope, mean, low, high).
    """
    names = schema.engine.names
    slopes = [slope[0] if len(slope) == 1 else tuple(slope) for slope in linear.slope.tolist()]
    terms = [
        (names[feature], *numbers)
        for feature, *numbers in zip(
            linear.feature.tolist(),
            slopes,
            linear.mean.tolist(),
            linear.low.tolist(),
            linear.high.tolist(),
            strict=True,
        )
    ]
    found = np.empty(len(linear.n_terms), dtype=object)
    for node in np.flatnonzero(linear.n_terms):
        found[node] = tuple(terms[linear.terms_at(int(node))])
    return found


def levels_at(trees: Trees, schema: Schema) -> NDArray[Any]:
    """Return the categories that go left at each node; None for nodes without a category set.

    ``schema`` is that of the columns that trees read.
    """
    levels = np.empty(trees.n_nodes, dtype=object)
    if trees.sets is None:
        return levels
    sets = trees.sets.levels
    for node in np.flatnonzero(trees.split_by_set):
        numbers = sets[trees.sets.set_of_node[node]]
        known = schema.levels_of(int(trees.feature[node]))
        levels[node] = tuple(known[k] for k in numbers) if known else tuple(numbers)
    return levels


def digest(arrays: Mapping[str, NDArray[Any]], objective: Mapping[str, Any], schema: Schema) -> str:
    """Return the SHA-256 of everything that changes predictions.

    It covers only the arrays that are there. So a model that does not use a newer feature keeps the
    fingerprint that older versions gave it.
    """
    columns = schema.to_dict()
    described: dict[str, Any] = {
        "objective": objective,
        "schema": {key: columns[key] for key in _DECIDING if key in columns},
        "n_outputs": arrays["start_scores"].size,
    }
    if schema.reading != PLAIN:  # older models have no other reading and keep their fingerprint
        described["reading"] = asdict(schema.reading)
    sha = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
    for name in sorted(arrays):
        array = arrays[name]
        sha.update(f"\n{name} {array.dtype.name} {array.size}\n".encode())
        sha.update(array.tobytes())
    return sha.hexdigest()

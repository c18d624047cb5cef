"""Interpreter of exported C files: reads the arrays of the trees from the text, and walks in numpy.

It checks a file where no C compiler is installed.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ceiba.export.described import UNSEEN, Described

__all__ = ["interpret"]

Floats = NDArray[np.float64]

_ARRAY = re.compile(r"^static const (\w+) (\w+)\[\d+\] = \{\n(.*?)\n\};", re.DOTALL | re.MULTILINE)
#: Types of the arrays that describe trees.
_NUMBERS = {"node", "term", "double", "int32_t", "uint32_t"}


def interpret(text: str, model: Described, rows: Floats, dtype: str) -> Floats:
    """Return the predictions of a C file for codes [n, n_columns]."""
    every = _ARRAY.findall(text)
    arrays = {name: _numbers(body) for kind, name, body in every if kind in _NUMBERS}
    nodes = arrays["nodes"].reshape(-1, 5)
    roots = arrays["roots"].astype(int)
    leaves = arrays["leaves"].reshape(len(nodes), -1)
    x = _tree_columns(model, rows.astype(dtype).astype(np.float64))
    scores = np.tile(arrays["start"], (len(rows), 1))
    for tree, root in enumerate(roots):
        at = _walk(nodes, arrays.get("sets"), root, x)
        added = leaves[at].copy()
        if "terms" in arrays:
            _add_lines(added, arrays, at, x)
        if leaves.shape[1] > 1:
            scores += added
        else:
            scores[:, tree % scores.shape[1]] += added[:, 0]
    if "shift" in arrays:
        scores += arrays["shift"]
    return model.link.predict(scores).reshape(len(rows), -1)


def _numbers(body: str) -> Floats:
    words = re.sub(r"INT64_C\(|[(){}\n]", "", body).replace("INFINITY", "inf")
    texts = [word for word in words.split(",") if word]
    return np.array([float(text if text.endswith("inf") else text.rstrip("uf")) for text in texts])


def _walk(nodes: Floats, sets: Floats | None, root: int, x: Floats) -> NDArray[np.int64]:
    """Return the leaf of each row in a tree."""
    at = np.full(len(x), root)
    every = np.arange(len(x))
    while True:
        threshold, left, column, missing_right, by_set = nodes[at].T
        values = x[every, column.astype(int)]
        right = np.where(np.isnan(values), missing_right > 0, values > threshold)
        for row in np.flatnonzero((by_set > 0) & ~np.isnan(values)):
            assert sets is not None
            first, level = int(threshold[row]), int(values[row])
            known = level // 32 < sets[first]
            bits = int(sets[first + 1 + level // 32]) if known else 0
            right[row] = not bits >> level % 32 & 1
        following = (left + right).astype(np.int64)
        if (following == at).all():
            return at
        at = following


def _add_lines(added: Floats, arrays: dict[str, Floats], at: NDArray[np.int64], x: Floats) -> None:
    """Add the linear parts of leaves to their values."""
    terms, width = arrays["terms"].reshape(-1, 4), added.shape[1]
    slopes, first = arrays["slopes"].reshape(-1, width), arrays["first_term"].astype(int)
    for row, leaf in enumerate(at):
        for t in range(first[leaf], first[leaf + 1]):
            low, high, mean, column = terms[t]
            away = np.clip(x[row, int(column)], low, high) - mean
            added[row] += slopes[t] * (away if np.isfinite(away) else 0.0)


def _tree_columns(model: Described, rows: Floats) -> Floats:
    """Return the columns that trees read."""
    x = np.empty((len(rows), model.n_tree_columns))
    for place, j in enumerate(model.kept):
        x[:, place] = rows[:, j]
        mark = UNSEEN if model.columns[j].is_category else model.missing
        x[rows[:, j] == mark, place] = np.nan
    place = len(model.kept)
    for own in model.lookups:
        keys, factor = np.zeros(len(rows), dtype=np.uint64), 1
        known = np.ones(len(rows), dtype=bool)
        for j in own.sources:
            n = len(model.columns[j].levels)
            codes = np.where(np.isnan(rows[:, j]), n, rows[:, j])
            known &= codes >= 0
            keys += np.uint64(factor) * np.where(codes >= 0, codes, 0).astype(np.uint64)
            factor *= n + 1
        places = np.searchsorted(own.keys, keys)
        found = known & (places < len(own.keys))
        found[found] = own.keys[places[found]] == keys[found]
        x[:, place : place + len(own.values)] = own.values[:, np.where(found, places, -1)].T
        place += len(own.values)
    return x

"""Predict rows with an exported Python file, by executing it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.export.described import UNSEEN, Described

__all__ = ["run", "values_of"]

Floats = NDArray[np.float64]

#: Most nodes that the check visits; Python visits about ten million in three seconds.
_MOST_STEPS = 10_000_000
_FEWEST_ROWS = 200


def run(content: bytes, model: Described, rows: Floats) -> tuple[Floats, str]:
    """Return the predictions of a Python file, and what made them."""
    names: dict[str, Any] = {}
    exec(compile(content, "<exported model>", "exec"), names)  # our own text
    trees = model.trees
    steps = int(trees.depths().max(initial=1)) * trees.n_trees
    rows = rows[: max(_FEWEST_ROWS, _MOST_STEPS // max(1, steps))]
    found = names["predict_many"](values_of(model, rows))
    return np.reshape(np.array(found, dtype=np.float64), (len(rows), -1)), "Python"


def values_of(model: Described, rows: Floats) -> list[list[Any]]:
    """Return codes as the values of a table: categories, and None for missing ones."""
    columns: list[list[Any]] = []
    for column, codes in zip(model.columns, rows.T, strict=True):
        own: list[Any] = codes.tolist()
        if column.is_category:
            unseen = "unseen category " + "".join(map(str, column.levels[:1]))
            own = [
                None if code != code else unseen if code == UNSEEN else column.levels[int(code)]
                for code in own
            ]
        columns.append(own)
    return [list(row) for row in zip(*columns, strict=True)]

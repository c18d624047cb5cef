"""A tree as rules in text, in the names of columns and levels.

|--- age <= 31.50
|   |--- town in {Bonn, Kiel}
|   |   |--- class: yes  (no 0.20, yes 0.80; 15 rows)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.errors import InvalidParameterError
from ceiba.model.nodes import node_columns

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["tree_rules"]


@dataclass(frozen=True)
class _Style:
    """How rules are written."""

    max_depth: int
    spacing: int
    decimals: int
    show_missing: bool

    def start(self, depth: int) -> str:
        bar = "|" + " " * self.spacing
        return bar * depth + "|" + "-" * self.spacing


def tree_rules(
    model: Model,
    tree: int = 0,
    *,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_missing: bool = False,
) -> str:
    """Return the rules of one tree.

    Leaves show what a model of this tree alone would predict. With ``show_missing``, a rule says
    that missing values follow it.
    """
    style = _Style(
        _whole("max_depth", max_depth),
        _whole("spacing", spacing, 1),
        _whole("decimals", decimals),
        bool(show_missing),
    )
    columns = node_columns(model.forest, model.schema)
    if not 0 <= tree < model.n_trees:
        raise InvalidParameterError(
            f"tree must be the number of one of the {model.n_trees} trees. Got {tree!r}."
        )
    own = columns["tree"] == tree
    nodes = {name: values[own] for name, values in columns.items()}
    lines: list[str] = []
    _write(model, nodes, _predictions(model, nodes), 0, 0, style, lines)
    return "\n".join(lines) + "\n"


def _whole(name: str, value: Any, low: int = 0) -> int:
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or value < low:
        raise InvalidParameterError(f"{name} must be an integer, {low} or more. Got {value!r}.")
    return int(value)


def _predictions(model: Model, nodes: dict[str, Any]) -> Any:
    """Return the prediction of each node, from its values and the start scores."""
    names = [name for name in nodes if name == "value" or name.startswith("value_")]
    raw = np.tile(model.start_scores, (len(nodes["node"]), 1))
    if len(names) == 1:
        raw[:, int(nodes["output"][0])] += nodes["value"]
    else:
        raw += np.column_stack([nodes[name] for name in names])
    return model.objective.predict(raw)


def _write(
    model: Model,
    nodes: dict[str, Any],
    predictions: Any,
    node: int,
    depth: int,
    style: _Style,
    lines: list[str],
) -> None:
    start = style.start(depth)
    if nodes["feature"][node] is None:
        lines.append(f"{start} {_leaf(model, nodes, predictions[node], node, style)}")
        return
    if depth >= style.max_depth:
        lines.append(f"{start} … a branch of depth {_depth_below(nodes, node)}")
        return
    for side, rule in zip(("left", "right"), _rules(nodes, node, style), strict=True):
        lines.append(f"{start} {rule}")
        below = int(nodes[side][node])
        _write(model, nodes, predictions, below, depth + 1, style, lines)


def _rules(nodes: dict[str, Any], node: int, style: _Style) -> tuple[str, str]:
    """Return what rows that go left, and those that go right, have in common."""
    name = str(nodes["feature"][node])
    if "statistic" in nodes and nodes["statistic"][node] is not None:
        name = f"{nodes['statistic'][node]}({name})"
    levels = nodes["levels"][node] if "levels" in nodes else None
    if levels is not None:
        members = ", ".join(map(str, levels))
        left, right = f"{name} in {{{members}}}", f"{name} not in {{{members}}}"
    elif np.isinf(nodes["threshold"][node]):
        left, right = f"{name} is there", f"{name} is missing"
        return left, right
    else:
        threshold = f"{nodes['threshold'][node]:.{style.decimals}f}"
        left, right = f"{name} <= {threshold}", f"{name} >  {threshold}"
    if not style.show_missing:
        return left, right
    goes_left = nodes["missing"][node] == "left"
    return (f"{left} or missing", right) if goes_left else (left, f"{right} or missing")


def _leaf(model: Model, nodes: dict[str, Any], prediction: Any, node: int, style: _Style) -> str:
    count = int(nodes["count"][node])
    rows = f"{count} row{'' if count == 1 else 's'}"
    if model.objective.task in ("binary", "multiclass"):
        shares = np.atleast_1d(prediction)
        shares = np.array([1.0 - shares[0], shares[0]]) if len(shares) == 1 else shares
        labels = range(len(shares)) if model.classes is None else model.classes.tolist()
        each = ", ".join(
            f"{label} {share:.{style.decimals}f}"
            for label, share in zip(labels, shares, strict=True)
        )
        winner = list(labels)[int(np.argmax(shares))]
        return f"class: {winner}  ({each}; {rows})"
    values = ", ".join(f"{value:.{style.decimals}f}" for value in np.atleast_1d(prediction))
    return f"value: {values}  ({rows})"


def _depth_below(nodes: dict[str, Any], node: int) -> int:
    deepest, branch = 0, [(node, 0)]
    while branch:
        own, depth = branch.pop()
        deepest = max(deepest, depth)
        if nodes["feature"][own] is not None:
            branch += [(int(nodes[side][own]), depth + 1) for side in ("left", "right")]
    return deepest

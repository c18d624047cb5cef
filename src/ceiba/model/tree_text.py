"""Text rules of one tree, with the names of columns and levels.

|--- age <= 31.5
|   |--- town in {Bonn, Kiel}
|   |   |--- class: yes  (no 0.20, yes 0.80; 15 rows)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.errors import InvalidParameterError
from ceiba.model.predict import table_for
from ceiba.model.rule_text import RuleText
from ceiba.model.tree_nodes import TreeNodes, read_tree

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["rule_text_of", "tree_rules"]


@dataclass(frozen=True)
class _Style:
    """Options of the text."""

    text: RuleText
    max_depth: int
    spacing: int
    decimals: int
    show_missing: bool

    def start(self, depth: int) -> str:
        bar = "|" + " " * self.spacing
        return bar * depth + "|" + "-" * self.spacing


def rule_text_of(model: Model, X: Any = None) -> RuleText:
    """Return the texts of rules of a model; rows shorten thresholds."""
    rows = None if X is None else table_for(X, model.schema).arranged(model.schema)
    return RuleText(model.schema, rows)


def tree_rules(
    model: Model,
    tree: int = 0,
    *,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_missing: bool = False,
    X: Any = None,
) -> str:
    """Return the rules of one tree as text.

    Parameters
    ----------
    model : Model
        The model.
    tree : int, default=0
        Number of the tree.
    max_depth : int, default=10
        Levels of splits to show.
    spacing : int, default=3
        Characters between the vertical bars.
    decimals : int, default=2
        Decimals of predictions.
    show_missing : bool, default=False
        Whether to show the default direction.
    X : table, default=None
        Training rows. They shorten thresholds to the digits that separate these rows.

    Returns
    -------
    str
        One line per rule. A leaf shows the prediction of a model of this tree alone.

    Raises
    ------
    InvalidParameterError
        If the tree does not exist, or an option is invalid.
    """
    style = _Style(
        rule_text_of(model, X),
        _whole("max_depth", max_depth),
        _whole("spacing", spacing, 1),
        _whole("decimals", decimals),
        bool(show_missing),
    )
    if not isinstance(tree, int | np.integer) or not 0 <= tree < model.n_trees:
        raise InvalidParameterError(
            f"tree must be the number of one of the {model.n_trees} trees. Got {tree!r}."
        )
    lines: list[str] = []
    _write(model, read_tree(model, int(tree)), 0, style, lines)
    return "\n".join(lines) + "\n"


def _whole(name: str, value: Any, low: int = 0) -> int:
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or value < low:
        raise InvalidParameterError(f"{name} must be an integer, {low} or more. Got {value!r}.")
    return int(value)


def _write(model: Model, nodes: TreeNodes, node: int, style: _Style, lines: list[str]) -> None:
    depth = int(nodes.depth[node])
    start = style.start(depth)
    if nodes.nodes.left[node] < 0:
        lines.append(f"{start} {_leaf(model, nodes, node, style)}")
        return
    if depth >= style.max_depth:
        lines.append(f"{start} … a branch of depth {nodes.depth_below(node)}")
        return
    sides = nodes.nodes.left, nodes.nodes.right
    for side, rule in zip(sides, _rules(nodes, node, style), strict=True):
        lines.append(f"{start} {rule}")
        _write(model, nodes, int(side[node]), style, lines)


def _rules(nodes: TreeNodes, node: int, style: _Style) -> tuple[str, str]:
    """Return the rules of the left and the right child."""
    own = nodes.nodes
    column, threshold = int(own.feature[node]), float(own.threshold[node])
    left, right = style.text.sides(column, threshold, nodes.levels[node])
    if not style.show_missing or threshold == np.inf:
        return left, right
    missing = f" or {style.text.name(column)} is missing"
    return (left + missing, right) if own.missing_left[node] else (left, right + missing)


def _leaf(model: Model, nodes: TreeNodes, node: int, style: _Style) -> str:
    count, prediction = int(nodes.nodes.count[node]), np.atleast_1d(nodes.prediction[node])
    rows = f"{count} row{'' if count == 1 else 's'}"
    texts = [f"{value:.{style.decimals}f}" for value in prediction]
    texts = [text.removeprefix("-") if not float(text) else text for text in texts]
    if model.objective.task in ("binary", "multiclass"):
        labels = list(range(len(texts)) if model.classes is None else model.classes)
        if nodes.output is not None:
            return f"P({labels[nodes.output]}): {texts[nodes.output]}  ({rows})"
        each = ", ".join(f"{label} {text}" for label, text in zip(labels, texts, strict=True))
        return f"class: {labels[int(np.argmax(prediction))]}  ({each}; {rows})"
    slopes = "".join(_slope(term, style) for term in nodes.terms[node] or ())
    return f"value: {', '.join(texts)}{slopes}  ({rows})"


def _slope(term: Any, style: _Style) -> str:
    """Return a term of a linear leaf as text."""
    name, slope, mean, *_ = term
    slopes = slope if isinstance(slope, tuple) else (slope,)
    each = ", ".join(f"{value:+.{style.decimals + 2}g}" for value in slopes)
    return f" {each} * ({name} - {mean:.{style.decimals + 2}g})"

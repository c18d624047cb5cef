"""One tree as a graph: rules in the names of columns and levels, values, rows.

The tree grows to the right, so that rules have room: every leaf has a line of its own, a split
stands in the middle of its two sides, the side of "yes" above. No other program lays it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.errors import InvalidInputError
from ceiba.model.nodes import node_columns
from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._of_model import model_of
from ceiba.plot.style import (
    HIGH,
    INK,
    LOW,
    MUTED,
    SMALL,
    TITLE,
    fitting,
    new_axes,
    number,
    shortened,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["tree"]

_COLUMN, _LINE = 2.15, 0.62  # inches of a level and of a leaf
_BOX = 0.8, 0.76  # share of them that a box takes
_SMALLEST = 3.0  # points of text


@dataclass
class _Node:
    """A node of the picture; ``hidden`` leaves of it are not drawn."""

    rule: str
    value: float
    count: float
    missing: str | None
    depth: int
    children: tuple[int, ...]
    hidden: int = 0
    line: str = ""  # of a leaf: its slopes
    y: float = 0.0


def tree(
    model: Any,
    tree: int = 0,
    *,
    max_depth: int | None = 4,
    output: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw one tree.

    Parameters
    ----------
    model : Model or fitted estimator
        Whose tree is drawn.
    tree : int, default=0
        Its number; a round of K classes has K trees.
    max_depth : int or None, default=4
        Levels of splits that are drawn; what lies below is counted. None draws all.
    output : int, default=0
        Whose values are shown where leaves have several.
    ax : matplotlib axes, optional
        Where to draw; by default in a new figure of the size that the tree needs.
    """
    owner = model_of(model)
    if not owner.n_trees:
        raise InvalidInputError("The model has no trees to draw.")
    number_of = check_value("tree", Integer(0, owner.n_trees - 1), tree, "The model has no more.")
    deepest = None if max_depth is None else check_value("max_depth", Integer(0), max_depth)
    nodes = _read(owner, number_of, output, deepest)
    n_lines = _lay_out(nodes)
    n_levels = 1 + max(node.depth for node in nodes.values())
    given = ax is not None
    size = (n_levels * _COLUMN + 0.2, n_lines * _LINE + 0.5)
    ax = new_axes(ax, size)
    ax.set_axis_off()
    ax.set_xlim(0, n_levels)
    ax.set_ylim(n_lines - 0.5, -0.5)
    cell = (_COLUMN * 72.0, _LINE * 72.0)
    if given:
        extent = ax.get_window_extent()
        dots = ax.figure.dpi / 72.0
        cell = (extent.width / dots / n_levels, extent.height / dots / n_lines)
    text = max(_SMALLEST, min(SMALL, cell[1] * _BOX[1] / 4.0, cell[0] * _BOX[0] / (20 * 0.6)))
    width = cell[0] * _BOX[0] - text
    largest = max((abs(node.value) for node in nodes.values()), default=0.0) or 1.0
    for node in nodes.values():
        _draw_edges(ax, nodes, node, text)
        _draw_box(ax, node, node.value / largest, text, width)
    ax.set_title(_title(owner, number_of), fontsize=min(TITLE, text * 1.4), color=INK, loc="left")
    return ax


def _read(model: Any, tree: int, output: int, deepest: int | None) -> dict[int, _Node]:
    """Return the nodes that are drawn, by their number in the tree, parents first."""
    forest = model.weighted_forest()
    per_round = forest.trees_per_iteration
    own = forest.slice(tree // per_round, tree // per_round + 1)
    columns = node_columns(own, model.schema)
    mine = np.flatnonzero(columns["tree"] == tree % per_round)
    rows = {name: values[mine] for name, values in columns.items()}
    if "value" in rows:
        values = rows["value"]
    else:
        k = check_value("output", Integer(0, forest.n_outputs - 1), output)
        values = rows[f"value_{k}"]
    n_leaves = np.ones(len(mine), dtype=int)
    for i in range(len(mine) - 1, -1, -1):
        if rows["left"][i] >= 0:
            n_leaves[i] = n_leaves[rows["left"][i]] + n_leaves[rows["right"][i]]
    nodes: dict[int, _Node] = {}
    waiting = [0]
    while waiting:
        i = waiting.pop()
        is_split = rows["left"][i] >= 0
        cut = is_split and deepest is not None and rows["depth"][i] >= deepest
        children = (int(rows["left"][i]), int(rows["right"][i])) if is_split and not cut else ()
        levels = rows["levels"][i] if "levels" in rows else None
        nodes[i] = _Node(
            rule=_rule(rows["feature"][i], rows["threshold"][i], levels) if children else "",
            value=float(values[i]),
            count=float(rows["count"][i]),
            missing=rows["missing"][i],
            depth=int(rows["depth"][i]),
            children=children,
            hidden=int(n_leaves[i]) if cut else 0,
            line=_line(rows["line"][i], output) if "line" in rows else "",
        )
        waiting += children[::-1]
    return nodes


def _line(terms: Any, output: int) -> str:
    """Return the slopes of a line; what does not fit is left out when it is drawn."""
    if terms is None:
        return ""
    parts = []
    for column, slopes, *_ in terms:
        slope = float(slopes[output]) if isinstance(slopes, tuple) else float(slopes)
        parts.append(f"{'+' if slope >= 0 else '−'} {number(abs(slope), 3)} {column}")
    return " ".join(parts)


def _rule(column: Any, threshold: float, levels: Any) -> str:
    """Return the rule of a split; what it does not fit is left out when it is drawn."""
    if levels is None:
        return f"{column}\n≤ {number(float(threshold), 4)}"
    return f"{column}\nin {', '.join(str(level) for level in levels) or 'no level'}"


def _lay_out(nodes: dict[int, _Node]) -> int:
    """Give leaves a line each, from above, and splits the middle of their children."""
    lines = 0

    def place(i: int) -> None:
        nonlocal lines
        node = nodes[i]
        for child in node.children:
            place(child)
        if node.children:
            node.y = (nodes[node.children[0]].y + nodes[node.children[1]].y) / 2
        else:
            node.y = lines
            lines += 1

    place(0)
    return lines


def _draw_box(ax: Axes, node: _Node, strength: float, size: float, room: float) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import FancyBboxPatch

    tint = np.array(to_rgb(HIGH if strength > 0 else LOW))
    colour = 1.0 - (1.0 - tint) * 0.5 * min(1.0, abs(strength))
    width, height = _BOX
    ax.add_patch(
        FancyBboxPatch(
            (node.depth + 0.02, node.y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=colour,
            edgecolor=MUTED if node.children else INK,
            linewidth=0.6 if node.children else 0.9,
        )
    )
    facts = f"{number(node.value)} · {number(node.count, 4)} rows"
    if node.children:
        column, rule = node.rule.split("\n")
        lines = [f"{column} {rule}", facts]
        if fitting(lines[0], room, size) != lines[0].replace("$", r"\$"):
            lines = [column, rule, facts]
    else:
        lines = [f"… {node.hidden} leaves", facts] if node.hidden else facts.split(" · ")
        if node.line:
            lines = [f"{lines[0]} {node.line}", lines[1]]
    ax.text(
        node.depth + 0.02 + width / 2,
        node.y,
        "\n".join(fitting(line, room, size) for line in lines),
        ha="center",
        va="center",
        fontsize=size,
        color=INK,
        linespacing=1.25,
    )


def _draw_edges(ax: Axes, nodes: dict[int, _Node], node: _Node, size: float) -> None:
    start = node.depth + 0.02 + _BOX[0]
    for side, child in zip(("left", "right"), node.children, strict=False):
        other = nodes[child]
        ax.plot(
            [start, start + 0.08, start + 0.08, other.depth + 0.02],
            [node.y, node.y, other.y, other.y],
            color=MUTED,
            linewidth=0.9,
            zorder=0,
            solid_joinstyle="round",
        )
        word = "yes" if side == "left" else "no"
        ax.text(
            other.depth + 0.01,
            other.y - 0.05,
            f"{word} ?" if node.missing == side else word,
            ha="right",
            va="bottom",
            fontsize=max(_SMALLEST, size * 0.85),
            color=MUTED,
        )


def _title(model: Any, tree: int) -> str:
    per_round = model.forest.trees_per_iteration
    text = f"tree {tree}"
    if per_round > 1:
        k = tree % per_round
        name = k if model.classes is None else model.classes[k]
        text += f": round {tree // per_round + 1}, class {shortened(name, 20)}"
    return f"{text}   (?: where missing values go)"

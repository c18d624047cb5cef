"""Plot of one tree: rules with the names of columns and levels, predictions, row counts.

The tree grows from left to right, so that rules have room. Every leaf has its own line; a split is
centered between its children, with "yes" above.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.errors import InvalidInputError
from ceiba.model.tree_nodes import TreeNodes, read_tree
from ceiba.model.tree_text import rule_text_of
from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._of_model import model_of
from ceiba.plot._predicted import NodeValues, node_values
from ceiba.plot.style import (
    INK,
    MUTED,
    SMALL,
    TITLE,
    fits,
    fitting,
    new_axes,
    plain,
    short_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ceiba.model.rule_text import RuleText

__all__ = ["tree"]

_COLUMN, _LINE = 2.35, 0.62  # inches per level and per leaf
_BOX = 0.8, 0.76  # share of them for a box
_SMALLEST = 3.0  # points of text
_COMPARED = 500  # columns whose shortened names must be unique


@dataclass
class _Node:
    """A node of the plot, with the number of hidden leaves below it."""

    name: str  # column of a split
    test: str  # condition of a split
    levels: tuple[str, ...]
    value: str
    label: str  # class of the probability
    slopes: tuple[str, ...]
    color: Any
    count: str
    missing: str
    depth: int
    children: tuple[int, ...]
    hidden: int = 0
    y: float = 0.0


def tree(
    model: Any,
    tree: int = 0,
    X: Any = None,
    *,
    max_depth: int | None = 4,
    output: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one tree.

    Every node shows its number of training rows and the prediction that a model of this tree alone
    would make, start score included. Classifiers show a probability.

    Parameters
    ----------
    model : Model or fitted estimator
        The model.
    tree : int, default=0
        Number of the tree. Without vector leaves, K classes have K trees per iteration.
    X : table, default=None
        Training rows. They shorten thresholds to the digits that separate these rows; None shows
        all digits.
    max_depth : int or None, default=4
        Levels of splits to draw; the plot counts the leaves below them. None draws all.
    output : int, default=None
        Output to show if leaves have several. None shows the most probable class, or up to three
        outputs.
    ax : matplotlib axes, default=None
        Axes to draw on. None makes a new figure that fits the tree.

    Returns
    -------
    axes
        The axes with the plot.

    Raises
    ------
    InvalidInputError
        If the model has no trees.

    Examples
    --------
    >>> import ceiba
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> ax = ceiba.plot.tree(model, 0, max_depth=2)
    """
    owner = model_of(model)
    if not owner.n_trees:
        raise InvalidInputError("The model has no trees to draw.")
    number_of = check_value("tree", Integer(0, owner.n_trees - 1), tree, "The model has no more.")
    deepest = None if max_depth is None else check_value("max_depth", Integer(0), max_depth)
    found = read_tree(owner, number_of)
    values = node_values(owner, found, output)
    nodes = _read(found, values, rule_text_of(owner, X), deepest)
    n_lines = _lay_out(nodes)
    n_levels = 1 + max(node.depth for node in nodes.values())
    given = ax is not None
    size = (n_levels * _COLUMN + 0.2, n_lines * _LINE + 0.6)
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
    short = _short_names(owner, nodes, int(width / (text * 0.55)))
    for node in nodes.values():
        if not fits(node.name, width, text):
            node.name = short[node.name]
        _draw_edges(ax, nodes, node, text)
        _draw_box(ax, node, text, width)
    title = f"{_title(owner, found)}\n{values.title}   (? = missing values)"
    wide = n_levels * cell[0] * 1.02
    lines = [fitting(line, wide, min(TITLE, text * 1.3)) for line in title.split("\n")]
    ax.set_title("\n".join(lines), fontsize=min(TITLE, text * 1.3), color=INK, loc="left")
    return ax


def _read(
    tree: TreeNodes, values: NodeValues, text: RuleText, deepest: int | None
) -> dict[int, _Node]:
    """Return the nodes to draw by their number, parents first."""
    n_leaves, arrays = tree.leaves_below(), tree.nodes
    nodes: dict[int, _Node] = {}
    waiting = [0]
    while waiting:
        i = waiting.pop()
        is_split = arrays.left[i] >= 0
        cut = is_split and deepest is not None and tree.depth[i] >= deepest
        children = (int(arrays.left[i]), int(arrays.right[i])) if is_split and not cut else ()
        column, threshold, levels = int(arrays.feature[i]), arrays.threshold[i], tree.levels[i]
        test = ""
        if children and levels is None:
            is_known = threshold == np.inf
            test = "is not missing" if is_known else f"≤ {text.threshold(column, float(threshold))}"
        nodes[i] = _Node(
            name=text.name(column) if children else "",
            test=test.replace("-", "−") if text.schema.engine.kinds[column] != "date" else test,
            levels=tuple(map(str, levels)) if children and levels is not None else (),
            value=values.texts[i],
            label=values.labels[i],
            slopes=values.slopes[i] if values.slopes and not is_split else (),
            color=values.colors[i],
            count=f"{arrays.count[i]:,.0f} row{'' if arrays.count[i] == 1 else 's'}",
            missing="left" if arrays.missing_left[i] else "right",
            depth=int(tree.depth[i]),
            children=children,
            hidden=int(n_leaves[i]) if cut else 0,
        )
        waiting += children[::-1]
    return nodes


def _short_names(model: Any, nodes: dict[int, _Node], longest: int) -> dict[str, str]:
    """Return unique short names of the split columns that fit into a box."""
    own = list(dict.fromkeys(node.name for node in nodes.values() if node.children))
    others = [name for name in model.feature_names[:_COMPARED] if name not in own]
    short = short_names([*own, *others], max(8, longest))
    return dict(zip(own, (name.replace(r"\$", "$") for name in short), strict=False))


def _lay_out(nodes: dict[int, _Node]) -> int:
    """Place leaves on lines from the top, and splits between their children; return the lines."""
    lines = 0
    waiting = [(0, False)]
    while waiting:
        i, done = waiting.pop()
        node = nodes[i]
        if not node.children:
            node.y = lines
            lines += 1
        elif done:
            node.y = (nodes[node.children[0]].y + nodes[node.children[1]].y) / 2
        else:
            waiting.append((i, True))
            waiting += [(child, False) for child in node.children[::-1]]
    return lines


def _draw_box(ax: Axes, node: _Node, size: float, room: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    width, height = _BOX
    ax.add_patch(
        FancyBboxPatch(
            (node.depth + 0.02, node.y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=node.color,
            edgecolor=MUTED if node.children else INK,
            linewidth=0.6 if node.children else 0.9,
        )
    )
    ax.text(
        node.depth + 0.02 + width / 2,
        node.y,
        "\n".join(_lines(node, size, room)),
        ha="center",
        va="center",
        fontsize=size,
        color=INK,
        linespacing=1.25,
    )


def _lines(node: _Node, size: float, room: float) -> list[str]:
    """Return the lines of a box; names are shortened to fit, numbers never."""
    both = _valued(node, f" · {node.count}", room, size)
    if node.hidden:
        return [f"… {node.hidden} leaves", both]
    if not node.children:
        slopes = [_listed(node.slopes, " ", room, size)] if node.slopes else []
        return [_valued(node, "", room, size), *slopes, fitting(node.count, room, size)]
    whole = node.test or f"in {', '.join(node.levels) or 'no level'}"
    if fits(f"{node.name} {whole}", room, size):
        return [plain(f"{node.name} {whole}"), both]
    test = plain(node.test) or _listed(node.levels, ", ", room, size, "in ")
    return [fitting(node.name, room, size), test, both]


def _valued(node: _Node, after: str, room: float, size: float) -> str:
    """Return the prediction of a node; the name of its class is shortened to fit."""
    if not node.label:
        return plain(node.value + after)
    longest = len(node.label)
    while longest > 3 and not fits(
        f"P({_cut(node.label, longest)}) = {node.value}{after}", room, size
    ):
        longest -= 1
    return plain(f"P({_cut(node.label, longest)}) = {node.value}{after}")


def _listed(parts: tuple[str, ...], between: str, room: float, size: float, lead: str = "") -> str:
    """Return as many parts as fit, at least one, and the number of the others."""
    for n in range(min(len(parts), 40), 0, -1):
        more = f" … {len(parts) - n} more" if n < len(parts) else ""
        text = f"{lead}{between.join(parts[:n])}{more}"
        if fits(text, room, size):
            return plain(text)
    more = f" … {len(parts) - 1} more" if len(parts) > 1 else ""
    longest = len(parts[0])
    while longest > 4 and not fits(f"{lead}{_cut(parts[0], longest)}{more}", room, size):
        longest -= 1
    return plain(f"{lead}{_cut(parts[0], longest)}{more}")


def _cut(text: str, longest: int) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


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


def _title(model: Any, tree: TreeNodes) -> str:
    per_round = model.forest.trees_per_iteration
    text = f"tree {tree.tree}"
    if per_round > 1:
        k = tree.tree % per_round
        of = f"class {k if model.classes is None else model.classes[k]}"
        of = of if model.objective.task == "multiclass" else f"output {k}"
        text += f": iteration {tree.tree // per_round}, {of}"
    return text

"""Texts and colors of the node boxes of a tree plot."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.explain.score_names import score_name
from ceiba.model.tree_nodes import TreeNodes
from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot.style import COLOURS, HIGH, LOW, number

__all__ = ["NodeValues", "node_values"]

Floats = NDArray[np.float64]
_DIGITS = 4
_MOST = 3  # outputs that a box shows


@dataclass(frozen=True)
class NodeValues:
    """Prediction text and box color of every node of a tree."""

    #: Predicted values; for classifiers the probability of class ``labels[i]``.
    texts: list[str]
    labels: list[str]
    colors: list[Any]
    title: str
    #: Terms of linear leaves: "+ 0.31 age".
    slopes: list[tuple[str, ...]] = field(default_factory=list)


def node_values(model: Any, tree: TreeNodes, output: int | None = None) -> NodeValues:
    """Return texts and colors of the nodes of a tree."""
    values = tree.prediction if tree.prediction.ndim == 2 else tree.prediction[:, None]
    n_outputs = values.shape[1]
    if output is not None:
        limit = Integer(0, n_outputs - 1)
        output = check_value("output", limit, output, "The model has no more outputs.")
    if model.objective.task in ("binary", "multiclass"):
        return _classes(model, tree, values, output)
    output = tree.output if output is None else output
    if output is None and n_outputs == 1:
        output = 0
    shown = list(range(min(n_outputs, _MOST))) if output is None else [output]
    more = ", …" if output is None and n_outputs > _MOST else ""
    digits = _DIGITS if len(shown) == 1 else _DIGITS - 1
    texts = [", ".join(number(value, digits) for value in row[shown]) + more for row in values]
    colors = _diverging(values[:, shown[0]])
    title = "prediction of this tree alone" if model.n_trees > 1 else "prediction"
    if n_outputs > 1 and output is not None:
        title += f", output {output}"
    return _with_linear_leaves(
        model, tree, NodeValues(texts, [""] * len(texts), colors, title), shown
    )


def _classes(model: Any, tree: TreeNodes, values: Floats, output: int | None) -> NodeValues:
    labels = list(range(values.shape[1])) if model.classes is None else model.classes.tolist()
    alone = " of this tree alone" if model.n_trees > 1 else ""
    k = output if output is not None else tree.output
    k = 1 if k is None and len(labels) == 2 else k
    if k is not None:
        texts = [_share(row[k]) for row in values]
        names = [str(labels[k])] * len(texts)
        found = NodeValues(texts, names, _diverging(values[:, k]), f"P: probability{alone}")
        return _with_linear_leaves(model, tree, found, [k])
    winners = values.argmax(axis=1)
    texts = [_share(row[k]) for k, row in zip(winners, values, strict=True)]
    names = [str(labels[k]) for k in winners]
    sure = (values.max(axis=1) - 1 / len(labels)) / (1 - 1 / len(labels))
    colors = [_tint(COLOURS[k % len(COLOURS)], s) for k, s in zip(winners, sure, strict=True)]
    title = f"most probable class and its probability{alone}"
    return _with_linear_leaves(model, tree, NodeValues(texts, names, colors, title), [])


def _share(value: float) -> str:
    """Return a probability as text: "0" and "1" only if it is exact to six digits."""
    for digits in (3, 4, 5, 6):
        text = f"{value:.{digits}f}"
        if 0.0 < float(text) < 1.0:
            return text
    return f"{value:.0f}"


def _with_linear_leaves(
    model: Any, tree: TreeNodes, found: NodeValues, shown: list[int]
) -> NodeValues:
    """Add the slopes of linear leaves; their value is the prediction at the column means."""
    if not any(terms for terms in tree.terms):
        return found
    k = shown[0] if shown and shown[0] < tree.raw.shape[1] else 0
    slopes: list[tuple[str, ...]] = []
    for terms in tree.terms:
        parts = []
        for name, own, *_ in terms or ():
            slope = float(own[k]) if isinstance(own, tuple) else float(own)
            parts.append((abs(slope), f"{'−' if slope < 0 else '+'} {number(abs(slope))} {name}"))
        slopes.append(tuple(text for size, text in parts if size))
    title = f"{found.title}; linear leaves: at the means, and slopes"
    scale = score_name(model.objective)
    title += "" if scale == "prediction" else f" of the {scale}"
    return replace(found, title=title, slopes=slopes)


def _diverging(values: Floats) -> list[Any]:
    """Return colors: red for values above the root, blue for values below."""
    off = values - values[0]
    largest = float(np.abs(off).max(initial=0.0)) or 1.0
    return [_tint(HIGH if one > 0 else LOW, abs(one) / largest) for one in off]


def _tint(color: str, strength: float) -> Any:
    from matplotlib.colors import to_rgb

    return 1.0 - (1.0 - np.array(to_rgb(color))) * 0.5 * float(np.clip(strength, 0.0, 1.0))

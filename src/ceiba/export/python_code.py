"""Write a model as one Python file that needs only the standard library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import __version__
from ceiba.export import python_parts as parts
from ceiba.export.described import Described
from ceiba.export.layout import lay_out

__all__ = ["write"]

_LINE = 100


def write(model: Described) -> bytes:
    """Return the Python file of a model."""
    trees, layout = model.trees, lay_out(model.trees)
    split = trees.is_split[layout.node]
    width = trees.leaf_width
    values = np.where(trees.is_split[:, None], 0.0, trees.value)[layout.node]
    sets: list[Any] = []
    set_of_node = [-1]
    if trees.sets is not None:
        sets = [frozenset(own) for own in trees.sets.levels]
        set_of_node = trees.sets.set_of_node[layout.node].tolist()
    constants = {
        "_COLUMNS": _columns(model),
        "_MISSING": model.missing,
        "_REFUSES_UNSEEN": model.refuses_unseen,
        "_KEPT": model.kept,
        "_LOOKUPS": [_lookup(model, k) for k in range(len(model.lookups))],
        "_START": model.start.tolist(),
        "_SHIFT": model.shift.tolist() if model.shift.any() else None,
        "_CLASSES": None if model.classes is None else model.classes.tolist(),
        "_EVEN_SCORE": model.even_score,
        "_WIDTH": width,
        "_ROOTS": layout.roots.tolist(),
        "_LEFT": np.where(split, layout.left, -1).tolist(),
        "_COLUMN": np.where(split, trees.feature[layout.node], -1).tolist(),
        "_THRESHOLD": trees.threshold[layout.node].tolist(),
        "_MISSING_LEFT": trees.missing_left[layout.node].astype(int).tolist(),
        "_VALUE": values.ravel().tolist(),
        "_SETS": sets,
        "_SET_OF_NODE": set_of_node,
        "_FIRST_TERM": None,
        "_TERMS": None,
    }
    if trees.linear is not None:
        own = trees.linear.take(layout.node)
        low, high = own.low, own.high
        if own.extrapolates:
            low, high = np.full(len(low), -np.inf), np.full(len(high), np.inf)
        numbers = zip(*(a.tolist() for a in (own.feature, low, high, own.mean)), strict=True)
        slopes = own.slope.tolist()
        constants["_FIRST_TERM"] = own.offsets.tolist()
        constants["_TERMS"] = [(*one, tuple(s)) for one, s in zip(numbers, slopes, strict=True)]
    text = [_docstring(model), parts.IMPORTS]
    text += [_constant(name, value) for name, value in constants.items()]
    text += [parts.ROWS, parts.TREES, _link(model)]
    text.append(parts.SEVERAL if _predicts_list(model) else parts.ONE)
    if model.predicts_classes:
        text.append(parts.CLASSES)
    return "\n".join(text).encode("utf-8", "surrogatepass")


def _columns(model: Described) -> list[tuple[str, dict[Any, int] | None]]:
    return [
        (column.name, dict(zip(column.levels, range(len(column.levels)), strict=True)))
        if column.is_category
        else (column.name, None)
        for column in model.columns
    ]


def _lookup(model: Described, number: int) -> tuple[Any, ...]:
    """Return sources, factors, values by key, and values of other keys."""
    own = model.lookups[number]
    factors, factor = [], 1
    for j in own.sources:
        factors.append(factor)
        factor *= len(model.columns[j].levels) + 1
    rows = [tuple(row) for row in own.values.T.tolist()]
    by_key = dict(zip(own.keys.tolist(), rows[:-1], strict=True))
    return own.sources, tuple(factors), by_key, rows[-1]


def _predicts_list(model: Described) -> bool:
    return model.n_outputs > 1 or model.several


def _docstring(model: Described) -> str:
    title = model.title.encode("ascii", "replace").decode().replace("\\", "/").replace('"', "'")
    return parts.DOCSTRING.replace("@TITLE@", title).replace("@VERSION@", __version__)


def _link(model: Described) -> str:
    link = model.link
    text = parts.LINKS[link.name]
    if "_exp(" in text:
        text = parts.MATH + "\n\n" + text
    return text.replace("@LOWEST@", _text(link.lowest)).replace("@SCALE@", _text(link.scale))


def _constant(name: str, value: Any) -> str:
    """Return an assignment, wrapped to lines if the value is a long list."""
    if not isinstance(value, list):
        return f"{name} = {_text(value)}"
    lines, line = [], ""
    for text in map(_text, value):
        if line and len(line) + len(text) > _LINE:
            lines.append(line)
            line = ""
        line += f"{text}, "
    return f"{name} = [\n" + "\n".join(own.rstrip() for own in [*lines, line]) + "\n]"


def _text(value: Any) -> str:
    """Return a value as ASCII Python text; infinite numbers are the names of the file."""
    if isinstance(value, float):
        return {"inf": "_INF", "-inf": "-_INF", "nan": "_NAN"}.get(repr(value), repr(value))
    if isinstance(value, tuple):
        return f"({_joined(value)}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(k)}: {_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, frozenset):
        return f"{{{_joined(sorted(value))}}}" if value else "set()"
    if isinstance(value, np.generic):
        return _text(value.item())
    return ascii(value)


def _joined(values: Iterable[Any] | NDArray[Any]) -> str:
    return ", ".join(map(_text, values))

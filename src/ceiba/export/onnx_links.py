"""Links as ONNX operators: from raw scores [N, K] to predictions or probabilities."""

from __future__ import annotations

import numpy as np

from ceiba.export.described import Described
from ceiba.export.onnx_builder import Graph

__all__ = ["predictions"]


def predictions(graph: Graph, model: Described, raw: str, dtype: str) -> str:
    """Add the link of a model; return predictions, for classes one column for each."""
    found = _linked(graph, model, raw, dtype)
    if model.predicts_classes and model.n_outputs == 1:
        other = graph.add("Sub", graph.constant(1.0, dtype), found)
        return graph.add("Concat", other, found, axis=1)
    return found


def _linked(graph: Graph, model: Described, raw: str, dtype: str) -> str:
    link, n = model.link, model.n_outputs

    def number(value: float) -> str:
        return graph.constant(value, dtype)

    def at_least(tensor: str) -> str:
        if link.lowest == -np.inf:
            return tensor
        return graph.add("Max", tensor, number(link.lowest))

    if link.name == "identity":
        return at_least(raw)
    if link.name in ("log", "log1p"):
        found = graph.add("Exp", graph.add("Clip", raw, number(-300.0), number(300.0)))
        return found if link.name == "log" else at_least(graph.add("Sub", found, number(1.0)))
    if link.name == "logit":
        return graph.add("Sigmoid", graph.add("Mul", raw, number(link.scale)))
    if link.name == "softmax":
        return graph.add("Softmax", raw, axis=1)
    if link.name == "sorted":
        size = graph.constant([n], "int64")
        return graph.add_several("TopK", 2, raw, size, axis=1, largest=0, sorted=1)[0]
    if link.name == "one_against_rest":
        shares = graph.add("Sigmoid", raw)
        return _divided(graph, shares, _total(graph, shares), n, dtype)
    shares = graph.add("Clip", raw, number(0.0), number(1.0))
    if n == 1:
        return shares
    total = _total(graph, shares)
    apart = graph.add("Abs", graph.add("Sub", total, number(1.0)))
    off = graph.add("Greater", apart, number(1e-12))
    return graph.add("Where", off, _divided(graph, shares, total, n, dtype), shares)


def _total(graph: Graph, shares: str) -> str:
    return graph.add("ReduceSum", shares, graph.constant([1], "int64"), keepdims=1)


def _divided(graph: Graph, shares: str, total: str, n: int, dtype: str) -> str:
    """Return shares divided by their sum; 1 / n if the sum is 0."""
    some = graph.add("Greater", total, graph.constant(0.0, dtype))
    safe = graph.add("Where", some, total, graph.constant(1.0, dtype))
    even = graph.constant(1.0 / n, dtype)
    return graph.add("Where", some, graph.add("Div", shares, safe), even)

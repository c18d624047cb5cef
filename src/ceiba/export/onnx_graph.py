"""Write a model as an ONNX graph.

The type of a graph (``dtype``) is that of its inputs and predictions. float64 graphs use
TreeEnsemble of ai.onnx.ml 5. float32 graphs use TreeEnsembleRegressor or TreeEnsembleClassifier of
ai.onnx.ml 3 where they can. Lookups and linear leaves are computed in 64 bits in both.

Outputs have the names of scikit-learn's converters: ``variable`` [N, n_outputs] for numbers;
``label`` [N] and ``probabilities`` [N, n_classes] for classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import ExportError
from ceiba.export.c_code import refuse_unseen_errors
from ceiba.export.described import Described
from ceiba.export.onnx_builder import ML, Graph
from ceiba.export.onnx_inputs import TreeColumns, tree_columns
from ceiba.export.onnx_links import predictions
from ceiba.export.onnx_trees import centered, ensemble, linear_scores, single_ensemble
from ceiba.messages import listed

__all__ = ["write"]

Floats = NDArray[np.float64]


def write(model: Described, *, inputs: str, dtype: str) -> bytes:
    """Return the ONNX file of a model."""
    refuse_unseen_errors(model, "ONNX")
    graph = Graph()
    trees = model.trees
    inner = "float64" if model.lookups or trees.linear is not None else dtype
    ml_opset = 3 if inner == "float32" and trees.sets is None else 5
    x = tree_columns(graph, model, inputs, dtype, inner)
    if ml_opset == 3 and _is_classifier(model):
        _classify(graph, model, x)
        return graph.to_bytes(model.title, ml_opset)
    raw = _raw_scores(graph, model, x, inner, ml_opset)
    if inner != dtype:
        raw = graph.cast(raw, dtype)
    found = predictions(graph, model, raw, dtype)
    if not (model.predicts_classes or model.task == "multilabel"):
        graph.output(found, "variable", dtype, ["N", model.n_outputs])
        return graph.to_bytes(model.title, ml_opset)
    label, shape = _labels(graph, model, raw, dtype)
    graph.output(label, "label", _label_type(model), shape)
    n_classes = model.n_classes if model.predicts_classes else model.n_outputs
    graph.output(found, "probabilities", dtype, ["N", n_classes])
    return graph.to_bytes(model.title, ml_opset)


def _raw_scores(graph: Graph, model: Described, x: TreeColumns, inner: str, ml_opset: int) -> str:
    """Add start, trees and shift: raw scores [N, n_outputs]."""
    trees = model.trees
    start = model.start + model.shift
    if trees.linear is not None:
        scores = linear_scores(graph, model, x)
    elif inner == "float64":
        scores = ensemble(graph, x, trees, trees.value, inner)
    else:
        values, common = centered(trees)
        start = start + common
        if ml_opset == 3:
            return graph.add(
                "TreeEnsembleRegressor",
                x.tensor,
                domain=ML,
                n_targets=model.n_outputs,
                base_values=start.astype(np.float32).tolist(),
                **single_ensemble(x, trees, values, "target"),
            )
        scores = ensemble(graph, x, trees, values, inner)
    return graph.add("Add", scores, graph.constant(start, inner)) if start.any() else scores


# ---- classes ------------------------------------------------------------------------------------


def _is_classifier(model: Described) -> bool:
    """Whether TreeEnsembleClassifier computes labels and probabilities by itself.

    Runtimes read two scores of two classes as one score.
    """
    link = model.link.name
    if model.n_outputs == 2:
        return False
    known = link == ("logit" if model.n_outputs == 1 else "softmax")
    return model.predicts_classes and known


def _classify(graph: Graph, model: Described, x: TreeColumns) -> None:
    """Add TreeEnsembleClassifier, with the outputs label and probabilities."""
    values, common = centered(model.trees)
    base = model.start + model.shift + common
    if model.n_outputs == 1:
        values, base = values * model.link.scale, base * model.link.scale
        if not (values < 0).any():  # onnxruntime reads weights of one sign as probabilities
            first = model.trees.nodes_of(0)
            values[first] -= 1.0
            base = base + 1.0
    labels = _class_labels(model)
    kind = "classlabels_strings" if _label_type(model) == "string" else "classlabels_int64s"
    label, shares = graph.add_several(
        "TreeEnsembleClassifier",
        2,
        x.tensor,
        domain=ML,
        post_transform="LOGISTIC" if model.n_outputs == 1 else "SOFTMAX",
        base_values=base.astype(np.float32).tolist(),
        **{kind: labels},
        **single_ensemble(x, model.trees, values, "class"),
    )
    graph.output(label, "label", _label_type(model), ["N"])
    graph.output(shares, "probabilities", "float32", ["N", model.n_classes])


def _class_labels(model: Described) -> list[Any]:
    """Return the labels: all text, or all integers."""
    if model.classes is None:
        return list(range(model.n_classes))
    labels: list[Any] = model.classes.tolist()
    texts = [isinstance(label, str) for label in labels]
    if all(texts):
        return labels
    if any(texts) or any(int(label) != label for label in labels):
        raise ExportError(
            f"Labels of an ONNX graph must be all text or all integers. The model has the classes "
            f"{listed(labels)}. Convert the target to text before training."
        )
    return [int(label) for label in labels]


def _label_type(model: Described) -> str:
    """Return the type of labels: string or int64."""
    labels = _class_labels(model) if model.predicts_classes else []
    return "string" if any(isinstance(label, str) for label in labels) else "int64"


def _labels(graph: Graph, model: Described, raw: str, dtype: str) -> tuple[str, list[Any]]:
    """Add the most probable class of each row, or the labels of a multilabel model."""
    if model.task == "multilabel":
        above = graph.add("Greater", raw, graph.constant(model.even_score, dtype))
        return graph.cast(above, "int64"), ["N", model.n_outputs]
    if model.n_outputs == 1:
        above = graph.add("Greater", raw, graph.constant(model.even_score, dtype))
        index = graph.add("Squeeze", graph.cast(above, "int64"), graph.constant([1], "int64"))
    else:
        index = graph.add("ArgMax", raw, axis=1, keepdims=0)
    labels = graph.constant(_class_labels(model), _label_type(model))
    return graph.add("Gather", labels, index, axis=0), ["N"]

"""Predict rows with an ONNX file: by onnxruntime, or by the reference evaluator of onnx."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.export.described import UNSEEN, Column, Described
from ceiba.export.onnx_builder import onnx
from ceiba.export.onnx_inputs import MISSING_INTEGER, MISSING_TEXT, holds_text

__all__ = ["feed", "run"]

Floats = NDArray[np.float64]

#: The reference evaluator takes milliseconds for each row and tree.
_FEW_ROWS = 40
#: Releases of onnxruntime before this one have no TreeEnsemble, or crash on large category sets.
_OLDEST = (1, 23)


def run(
    content: bytes, model: Described, rows: Floats, *, inputs: str, dtype: str
) -> tuple[Floats, str]:
    """Return the predictions of an ONNX file, and what made them."""
    onnxruntime = _runtime()
    if onnxruntime is None:
        rows = rows[:_FEW_ROWS]
        evaluator = importlib.import_module("onnx.reference").ReferenceEvaluator
        session: Any = evaluator(onnx().load_model_from_string(content))
        engine = f"the reference evaluator of onnx {onnx().__version__}"
    else:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        engine = f"onnxruntime {onnxruntime.__version__}"
    found = session.run(None, feed(model, rows, inputs, dtype))[-1].astype(np.float64)
    if model.task == "binary" and model.n_outputs == 1:
        found = found[:, 1:]
    return np.reshape(found, (len(rows), -1)), engine


def _runtime() -> Any:
    """Return onnxruntime; None if it is not installed or too old."""
    try:
        import onnxruntime
    except ImportError:
        return None
    version = tuple(map(int, onnxruntime.__version__.split(".")[:2]))
    return onnxruntime if version >= _OLDEST else None


def feed(model: Described, rows: Floats, inputs: str, dtype: str) -> dict[str, NDArray[Any]]:
    """Return codes as the inputs of a graph."""
    columns = [
        _categories(column, codes, inputs) if column.is_category else codes
        for column, codes in zip(model.columns, rows.T, strict=True)
    ]
    if inputs == "matrix":
        return {"X": np.column_stack(columns).astype(dtype)}
    return {
        column.name: (own if column.is_category else own.astype(dtype))[:, None]
        for column, own in zip(model.columns, columns, strict=True)
    }


def _categories(column: Column, codes: Floats, inputs: str) -> NDArray[Any]:
    """Return the categories of codes as an input holds them."""
    levels = list(column.levels)
    if holds_text(column):
        unseen = "unseen category " + "".join(levels[:1])
        own = np.array([*levels, unseen, MISSING_TEXT], dtype=object)
    else:
        new = max((int(level) for level in levels), default=0) + 1
        own = np.array([*map(int, levels), new, MISSING_INTEGER], dtype=np.int64)
        if inputs == "matrix":
            own = own.astype(np.float64)
            own[-1] = np.nan
    places = np.where(np.isnan(codes), -1, np.where(codes == UNSEEN, -2, codes))
    return own[places.astype(np.int64)]

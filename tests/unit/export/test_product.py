"""60 models of all kinds predict in every format what they predict here."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from functools import cache
from typing import Any

import numpy as np
import pytest
from drawn_exports import N_DRAWN, Drawn, drawn_models
from numpy.typing import NDArray

from ceiba.data.read_table import read_like
from ceiba.errors import ExportError
from ceiba.export.described import Described, described
from ceiba.export.formats import FORMATS
from ceiba.export.probe import probe
from ceiba.hybrids.rows import values_of

Floats = NDArray[np.float64]

#: Models of the quick run; `make test-slow` runs all.
N_QUICK = 12
MOST_REFUSED = 10

#: Formats with their options; "rounded" are the rows of 32-bit graphs.
WAYS: dict[str, tuple[Any, dict[str, Any]]] = {
    "onnx": ("onnx", {"inputs": "columns", "dtype": "float64"}),
    "onnx, rounded": ("onnx", {"inputs": "columns", "dtype": "float32"}),
    "lightgbm": ("lightgbm", {}),
    "c": ("c", {"dtype": "float64", "name": "model"}),
    "c, rounded": ("c", {"dtype": "float32", "name": "model"}),
    "python": ("python", {}),
}


@cache
def rows_of(number: int, rounded: bool) -> Floats:
    """Return the probe of a model and new rows of its table, as codes."""
    drawn = drawn_models()[number]
    schema = drawn.model.schema
    new = values_of(read_like(drawn.new_rows, schema).arranged(schema))
    if rounded:
        new = new.astype(np.float32).astype(np.float64)
    return np.concatenate([probe(described(drawn.model), float32=rounded), new])


def differences(number: int, way: str) -> None:
    """Raise unless a model predicts the same in a format; ExportError if it is refused."""
    drawn = drawn_models()[number]
    model = described(drawn.model)
    name, options = WAYS[way]
    content = FORMATS[name].write(model, **options)
    rows = rows_of(number, "rounded" in way)
    found, _ = FORMATS[name].run(content, model, rows, **options)
    expected = model.predict(rows[: len(found)])
    assert found.shape == expected.shape
    assert np.isfinite(expected).all()
    check(way, model, drawn, found, expected)


def check(way: str, model: Described, drawn: Drawn, found: Floats, expected: Floats) -> None:
    apart = np.abs(found - expected)
    if name_of(way) in ("c", "python"):
        relative = apart / np.maximum(np.abs(expected), np.finfo(float).tiny)
        assert relative.max() <= 1e-15, drawn.name
    elif "rounded" in way:
        assert apart.max() <= 1e-5 * expected.std(axis=0).max(), drawn.name
    elif model.predicts_classes or model.task == "multilabel":
        assert apart.max() <= 1e-14, drawn.name
    else:
        assert apart.max() <= 1e-12 * np.abs(expected).max(), drawn.name


def name_of(way: str) -> str:
    return way.split(",")[0]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", range(N_QUICK))
def test_a_model_predicts_the_same_in_every_format(number: int, way: str) -> None:
    refusals = suppress(ExportError) if name_of(way) == "lightgbm" else nullcontext()
    with refusals:
        differences(number, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_sixty_models_predict_the_same_and_few_are_refused(way: str) -> None:
    refused = []
    for number in range(N_DRAWN):
        try:
            differences(number, way)
        except ExportError as error:
            refused.append(f"{drawn_models()[number].name}: {error}")
    print(f"{way}: {len(refused)} of {N_DRAWN} refused")
    assert len(refused) <= MOST_REFUSED, refused

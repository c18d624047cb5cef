"""Export a model: choose the format, write it, check it on a probe, save the file.

A format is a module with two functions: ``write`` returns the content of the file, and ``run``
predicts rows with that content, by the engine of the format or by an interpreter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import ExportError, InvalidParameterError
from ceiba.export import (
    c_code,
    c_run,
    lightgbm_run,
    lightgbm_text,
    onnx_graph,
    onnx_run,
    python_code,
    python_run,
)
from ceiba.export.described import Described, described
from ceiba.export.probe import probe
from ceiba.messages import listed, shown
from ceiba.model.model import Model
from ceiba.storage.atomic_write import write_file

__all__ = ["FORMATS", "ExportCheck", "FormatName", "export", "export_described"]

Floats = NDArray[np.float64]
FormatName = Literal["onnx", "lightgbm", "c", "python"]

#: Largest difference that rounding explains, relative to the largest absolute prediction.
_ROUNDING = {"float64": 1e-9, "float32": 1e-4}


class Predicted(NamedTuple):
    """Predictions [n, width] of an exported file, the program that made them, and its rows."""

    values: Floats
    engine: str


@dataclass(frozen=True, slots=True)
class ExportCheck:
    """Result of an export: how closely the file predicts what the model predicts.

    Attributes
    ----------
    path : str
        The file.
    format : str
        Its format.
    engine : str
        What predicted the rows of the check: the engine of the format, such as onnxruntime, or an
        interpreter of the format if the engine is not installed.
    n_rows : int
        Rows that were compared. They reach both sides of every threshold and hold missing values,
        unseen categories and extreme numbers.
    difference : float
        Largest absolute difference from ``model.predict``.
    relative : float
        The same, divided by the largest absolute prediction.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from ceiba import Dataset, train
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> model = train({"n_estimators": 5}, Dataset(X, X[:, 0]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     check = model.export(Path(folder, "model.py"), format="python")
    >>> check.engine, float(check)
    ('Python', 0.0)
    """

    path: str
    format: str
    engine: str
    n_rows: int
    difference: float
    relative: float

    def __float__(self) -> float:
        """Return the largest difference."""
        return self.difference


class Format(NamedTuple):
    """A format: what writes it, what predicts with it, and its options with their defaults."""

    write: Callable[..., bytes]
    run: Callable[..., tuple[Floats, str]]
    options: Mapping[str, tuple[Any, tuple[Any, ...]]]


_DTYPE = ("float64", ("float64", "float32"))

#: Formats by name. An option has a default and valid values; no values: any C identifier.
FORMATS: Mapping[FormatName, Format] = {
    "onnx": Format(
        onnx_graph.write,
        onnx_run.run,
        {"inputs": ("columns", ("columns", "matrix")), "dtype": _DTYPE},
    ),
    "lightgbm": Format(lightgbm_text.write, lightgbm_run.run, {}),
    "c": Format(c_code.write, c_run.run, {"dtype": _DTYPE, "name": ("model", ())}),
    "python": Format(python_code.write, python_run.run, {}),
}


def export(
    model: Model, path: str | os.PathLike[str], format: FormatName, options: Mapping[str, Any]
) -> ExportCheck:
    """Write a model to a file. :meth:`ceiba.Model.export` describes the arguments."""
    return export_described(described(model), path, format, options)


def export_described(
    model: Described,
    path: str | os.PathLike[str],
    format: FormatName,
    options: Mapping[str, Any],
) -> ExportCheck:
    """Write a description to a file in a format, after checking the content on a probe."""
    if format not in FORMATS:
        raise InvalidParameterError(
            f"format must be one of {listed(FORMATS)}. Got {shown(format)}."
        )
    own = FORMATS[format]
    given = _checked(format, own, options)
    content = own.write(model, **given)
    float32 = given.get("dtype") == "float32"
    rows = probe(model, float32=float32)
    found, engine = own.run(content, model, rows, **given)
    expected = model.predict(rows[: len(found)])
    difference, relative = _differences(found, expected)
    if not relative <= _ROUNDING["float32" if float32 else "float64"]:
        raise ExportError(
            f"The exported file predicts differently from the model by up to {difference:g}, "
            f"measured with {engine} on {len(found)} rows. No file was written. Use another "
            "format, or dtype='float64'."
        )
    write_file(path, content)
    return ExportCheck(os.fspath(path), format, engine, len(found), difference, relative)


def _checked(name: str, format: Format, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a format; raise for options that it does not have."""
    given = {option: value for option, value in options.items() if value is not None}
    for option, value in given.items():
        if option not in format.options:
            has = [other for other, one in FORMATS.items() if option in one.options]
            raise InvalidParameterError(
                f"{option} has no effect on format={name!r}. It is an option of {listed(has)}. "
                "Remove it."
            )
        known = format.options[option][1]
        if known and value not in known:
            raise InvalidParameterError(
                f"{option} must be one of {listed(known)}. Got {shown(value)}."
            )
        if not known and not (isinstance(value, str) and value.isidentifier() and value.isascii()):
            raise InvalidParameterError(
                f"{option} must be a C identifier, such as 'model'. Got {shown(value)}."
            )
    return {option: given.get(option, own[0]) for option, own in format.options.items()}


def _differences(found: Floats, expected: Floats) -> tuple[float, float]:
    """Return the largest absolute difference, and relative to the largest prediction."""
    if found.shape != expected.shape:
        return np.inf, np.inf
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0.0, np.abs(found - expected))
    difference = float(np.nan_to_num(apart, nan=np.inf).max(initial=0.0))
    finite = np.abs(expected[np.isfinite(expected)])
    largest = float(finite.max(initial=0.0))
    return difference, difference / largest if largest > 0 else difference

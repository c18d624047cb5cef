"""Recognize the files of other libraries by their first bytes, and read them.

Files are untrusted: whatever a reader stumbles over becomes a ModelFileError.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ceiba.errors import CeibaError, LoadError, ModelFileError
from ceiba.imports.catboost_json import read_catboost
from ceiba.imports.foreign_model import ForeignModel
from ceiba.imports.lightgbm_text import read_lightgbm
from ceiba.imports.ubjson import decode_ubjson
from ceiba.imports.xgboost_json import read_xgboost
from ceiba.model.checksum import ADVICE
from ceiba.model.model import Model

__all__ = ["is_foreign", "load_foreign", "reading"]

#: LightGBM's text; an object of JSON; an object of UBJSON, whose first key has a length and text.
_STARTS = re.compile(rb"\s*(?:tree\r?\n|\{\s*\"\w|\{[iUIlL]\0*[\x01-\x7f]\w)")

#: First bytes of files that hold models, and what to do with them.
_OTHERS = (
    (rb"CBM1", "a binary CatBoost model", "load it with catboost and use"),
    (rb"binf", "an XGBoost model of an old binary format", "load it with xgboost and use"),
    (rb"\x80[\x02-\x05]", "a pickle", "load it with pickle or joblib, if you trust it, and use"),
)


def is_foreign(start: bytes) -> bool:
    """Whether a file with these first bytes is one that :func:`load_foreign` reads.

    Raises
    ------
    LoadError
        If it holds a model in a format that ceiba does not read.
    """
    for begin, what, advice in _OTHERS:
        if re.match(begin, start):
            raise LoadError(f"The file is {what}. Instead, {advice} ceiba.from_model(model).")
    return _STARTS.match(start) is not None


def load_foreign(data: bytes, name: str) -> Model:
    """Return the model of a file of another library; ``name`` describes the file in errors."""
    with reading(name):
        return _read(data, name).to_model()


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn errors of a reader into errors of ceiba; numbers that overflow are errors too."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            yield
    except CeibaError:
        raise
    except MemoryError as error:
        raise LoadError(f"{name} needs more than the available memory.") from error
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        reason = f"no {error}" if isinstance(error, KeyError) else error
        raise ModelFileError(f"{name} is damaged: {reason}. {ADVICE}") from error
    except RecursionError as error:
        raise ModelFileError(f"{name} is damaged: its values are nested too deeply.") from error


def _read(data: bytes, name: str) -> ForeignModel:
    start = data[:64].lstrip()
    if start.startswith((b"tree\n", b"tree\r\n")):
        return read_lightgbm(data.decode())
    if start.startswith(b"{"):
        return _read_values(_values(data), name)
    raise ModelFileError(
        f"{name} is not a model file of ceiba, LightGBM (text), XGBoost (JSON, UBJSON) or CatBoost "
        f"(JSON), or it is damaged. {ADVICE}"
    )


def _values(data: bytes) -> Any:
    """Return the values of a JSON or UBJSON file: text has a quote after the first brace."""
    is_json = data.lstrip()[1:].lstrip()[:1] in (b'"', b"}")
    return json.loads(data) if is_json else decode_ubjson(data)


def _read_values(values: Any, name: str) -> ForeignModel:
    readers: tuple[tuple[str, Callable[[Any], ForeignModel]], ...] = (
        ("learner", read_xgboost),
        ("oblivious_trees", read_catboost),
        ("trees", read_catboost),
    )
    for key, read in readers:
        if key in values:
            return read(values)
    if "tree_info" in values:
        raise LoadError(
            f"{name} is a JSON dump of LightGBM, which ceiba does not read. Save the model with "
            "booster.save_model(path)."
        )
    raise ModelFileError(f"{name} is not a model file of XGBoost or CatBoost. {ADVICE}")

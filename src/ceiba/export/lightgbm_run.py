"""Predict rows with an exported text file: by lightgbm, or by an interpreter of the format."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ceiba.export.described import Described
from ceiba.export.lightgbm_interpreter import interpret

__all__ = ["run"]

Floats = NDArray[np.float64]


def run(content: bytes, _: Described, rows: Floats) -> tuple[Floats, str]:
    """Return the predictions of a text file, and what made them."""
    try:
        import lightgbm
    except ImportError:
        found, engine = interpret(content.decode(), rows), "an interpreter of LightGBM's text"
    else:
        booster = lightgbm.Booster(model_str=content.decode())
        found = np.asarray(booster.predict(rows, num_threads=1), dtype=np.float64)
        engine = f"lightgbm {lightgbm.__version__}"
    return np.reshape(found, (len(rows), -1)), engine

"""Loader, splits and metrics of the scoreboard.

They are those of ``../shared/quality/score.py``, so that ceiba's scores stay comparable with the
peers' scores in ``../shared/quality/peers.json``, which were measured once.
"""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["PEERS", "calibration_error", "is_here", "peer_scores", "poisson_deviance", "scoring"]

QUALITY = Path(__file__).resolve().parents[3] / "shared" / "quality"
#: Log losses, calibration errors and Poisson deviances of the peers, measured later.
LOSSES = Path(__file__).resolve().parents[1] / "results" / "peer_losses.json"
PEERS = {
    "chi": "ChimeraBoost",
    "cat": "CatBoost",
    "lgb": "LightGBM",
    "xgb": "XGBoost",
    "hgb": "scikit-learn HGB",
}
#: With fewer test rows, the calibration error is too noisy.
ROWS_FOR_CALIBRATION = 5000
_BINS = 15

Floats = NDArray[np.float64]


def is_here() -> bool:
    """Return whether the shared tables are next to the repository."""
    return (QUALITY / "score.py").exists()


@cache
def scoring() -> Any:
    """Return the module with `tables`, `load` and `metric`."""
    path = QUALITY / "score.py"
    if not path.exists():
        raise SystemExit(
            f"The scoreboard needs the shared tables, and {path} does not exist. "
            "Put the folder `shared` beside the repository."
        )
    spec = importlib.util.spec_from_file_location("shared_quality_score", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def peer_scores() -> list[dict[str, Any]]:
    """Return the measured rows of the peers' defaults."""
    rows: list[dict[str, Any]] = json.loads((QUALITY / "peers.json").read_text())
    losses = {key_of(row): row for row in json.loads(LOSSES.read_text())}
    return [{**losses.get(key_of(row), {}), **row} for row in rows]


def key_of(row: dict[str, Any]) -> tuple[str, int, str]:
    """Return table, split and model."""
    return row["data"], row["seed"], row["model"]


def calibration_error(is_positive: NDArray[Any], probability: Floats) -> float:
    """Return the expected calibration error over 15 bins of equal size."""
    groups = np.array_split(np.argsort(probability, kind="stable"), _BINS)
    gaps = [len(g) * abs(is_positive[g].mean() - probability[g].mean()) for g in groups if len(g)]
    return float(sum(gaps) / len(probability))


def poisson_deviance(y: Floats, mean: Floats) -> float:
    """Return the mean Poisson deviance."""
    ratio = np.where(y > 0, y / mean, 1.0)
    return float(2 * np.mean(y * np.log(ratio) - y + mean))

"""Several quantiles on every public regression table: they never cross and cover new rows.

Coverage is a promise about rows like those of the training, so rows are parted at random. Tables
are cut to a few thousand rows to be quick. The transformer temperatures come in order of time;
split in that order they drift, and a slow test says what is left of the promise: levels hold with
500 to 700 trees, not with the default number.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ceiba

Reals = NDArray[np.float64]

#: name -> (files, target, whether the target is continuous)
TABLES = {
    "house_prices": (
        ["house_prices/train.parquet", "house_prices/valid.parquet", "house_prices/test.parquet"],
        "SalePrice",
        True,
    ),
    "house_prices_raw": (["house_prices_raw.parquet"], "SalePrice", True),
    "superconductivity": (["superconductivity/train.parquet"], "critical_temp", True),
    "electricity_transformer": (["electricity_transformer/train.parquet"], "OT_next", True),
    "california_housing": (["california_housing.parquet"], "median_house_value", True),
    "diamonds": (["diamonds.parquet"], "price", True),
    "protein_casp": (["protein_casp.parquet"], "RMSD", True),
    "fremtpl2_freq": (["fremtpl2_freq.parquet"], "ClaimNb", False),
}
LEVELS = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
#: Above 10,000 training rows nothing is calibrated: narrow tables, which are quick, show that too.
MOST_ROWS, MOST_OF_WIDE = 20_000, 6_000


def read(folder: Path, files: list[str], target: str) -> tuple[Reals, Reals]:
    pd = pytest.importorskip("pandas")
    frame = pd.concat([pd.read_parquet(folder / file) for file in files], ignore_index=True)
    most = MOST_OF_WIDE if frame.shape[1] > 100 else MOST_ROWS
    frame = frame.sample(n=min(len(frame), most), random_state=1).reset_index(drop=True)
    frame = frame.drop(columns=[name for name in ("date", "Id", "IDpol") if name in frame])
    y = frame.pop(target).to_numpy(dtype=np.float64)
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            codes = frame[name].astype("category").cat.codes
            frame[name] = codes.where(codes >= 0).astype(np.float64)
    return frame.to_numpy(dtype=np.float64, na_value=np.nan), y


def limits(n_rows: int) -> Reals:
    """How far the coverage of so many rows may be from its level."""
    return np.asarray(0.02 + 2 * np.sqrt(LEVELS * (1 - LEVELS) / n_rows))


@pytest.mark.parametrize("name", TABLES)
def test_levels_never_cross_and_hold_for_new_rows(
    data_folder: Path, name: str, record_property: Any
) -> None:
    files, target, continuous = TABLES[name]
    X, y = read(data_folder, files, target)
    n_train = len(y) * 3 // 4
    model = ceiba.CeibaRegressor(objective="quantile", quantile=LEVELS, n_jobs=2)
    model.fit(X[:n_train], y[:n_train])
    prediction = model.predict(X[n_train:])
    assert prediction.shape == (len(y) - n_train, len(LEVELS))
    assert (np.diff(prediction, axis=1) >= 0).all()
    covered = (y[n_train:, None] <= prediction).mean(axis=0)
    record_property("coverage", covered.tolist())
    if continuous:
        assert (np.abs(covered - LEVELS) <= limits(len(y) - n_train)).all(), covered


@pytest.mark.slow
def test_levels_hold_for_later_rows(data_folder: Path, record_property: Any) -> None:
    pd = pytest.importorskip("pandas")
    folder = data_folder / "electricity_transformer"
    rows = {}
    for part in ("train", "valid", "test"):
        frame = pd.read_parquet(folder / f"{part}.parquet").drop(columns="date")
        target = frame.pop("OT_next").to_numpy(dtype=np.float64)
        rows[part] = frame.to_numpy(dtype=np.float64), target
    later_X, later_y = rows["test"]
    for parts in (["train"], ["train", "valid"]):
        X, y = (np.concatenate([rows[part][k] for part in parts]) for k in (0, 1))
        model = ceiba.CeibaRegressor(
            objective="quantile", quantile=LEVELS, n_estimators=600, n_jobs=2
        )
        covered = (later_y[:, None] <= model.fit(X, y).predict(later_X)).mean(axis=0)
        record_property("coverage", covered.tolist())
        assert (np.abs(covered - LEVELS) <= limits(len(later_y))).all(), covered

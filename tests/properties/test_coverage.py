"""Several quantiles on every public regression table: they never cross and cover new rows.

Coverage is a promise about rows like those of the training, so rows are parted at random. Tables
are cut to some thousand rows to be quick; a slow test takes them whole. The transformer
temperatures come in order of time and drift: docs/measurements.md has what levels cover of months
that come later.
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


def read(
    folder: Path, files: list[str], target: str, most_rows: int | None = MOST_ROWS
) -> tuple[Reals, Reals]:
    pd = pytest.importorskip("pandas")
    frame = pd.concat([pd.read_parquet(folder / file) for file in files], ignore_index=True)
    if most_rows is not None and frame.shape[1] > 100:
        most_rows = MOST_OF_WIDE
    n_rows = len(frame) if most_rows is None else min(len(frame), most_rows)
    frame = frame.sample(n=n_rows, random_state=1).reset_index(drop=True)
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


def coverage(X: Reals, y: Reals) -> Reals:
    """Shares of the last quarter of the rows up to each level, by a model of the others."""
    n_train = len(y) * 3 // 4
    model = ceiba.CeibaRegressor(objective="quantile", quantile=LEVELS, n_jobs=2)
    model.fit(X[:n_train], y[:n_train])
    prediction = model.predict(X[n_train:])
    assert prediction.shape == (len(y) - n_train, len(LEVELS))
    assert (np.diff(prediction, axis=1) >= 0).all()
    return np.asarray((y[n_train:, None] <= prediction).mean(axis=0))


@pytest.mark.parametrize("name", TABLES)
def test_levels_never_cross_and_hold_for_new_rows(
    data_folder: Path, name: str, record_property: Any
) -> None:
    files, target, continuous = TABLES[name]
    X, y = read(data_folder, files, target)
    covered = coverage(X, y)
    record_property("coverage", covered.tolist())
    if continuous:
        assert (np.abs(covered - LEVELS) <= limits(len(y) - len(y) * 3 // 4)).all(), covered


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in TABLES if TABLES[name][2]])
def test_levels_hold_on_whole_tables(data_folder: Path, name: str, record_property: Any) -> None:
    files = TABLES[name][0]
    if (data_folder / name).is_dir():
        files = [f"{name}/{part}.parquet" for part in ("train", "valid", "test")]
    X, y = read(data_folder, files, TABLES[name][1], most_rows=None)
    covered = coverage(X, y)
    record_property("coverage", covered.tolist())
    assert (np.abs(covered - LEVELS) <= limits(len(y) - len(y) * 3 // 4)).all(), covered

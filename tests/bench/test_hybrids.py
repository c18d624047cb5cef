"""The benchmark of hybrids: its settings, its table, and a case that is small enough to run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks import hybrids
from benchmarks.datasets import Split


def test_every_case_has_settings_that_the_hybrids_take() -> None:
    for case, methods in hybrids.SETTINGS.items():
        for method, settings in methods.items():
            made = hybrids.estimator(method, classes=case in hybrids.CLASSES)(**settings)
            assert made.get_params().items() >= settings.items()


def test_better_figures_are_bold() -> None:
    rows = [
        {"case": "a", "metric": "AUC", "method": "LT", "test": 0.9, "published": 0.8, "seconds": 1},
        {"case": "b", "metric": "RMSE", "method": "LT", "test": 9, "published": 8, "seconds": 1},
    ]
    lines = hybrids.table(rows).splitlines()
    assert lines[2] == "| a | AUC | LT | **0.9000** | 0.8000 | 1.00 s |"
    assert lines[3] == "| b | RMSE | LT | 9.0000 | 8.0000 | 1.00 s |"


def test_a_method_is_measured() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(200, 3))
    data = Split(x[:150], x[:150, 0], x[150:], x[150:, 0])
    found = hybrids.measure("EBLR", {"n_estimators": 1}, data, classes=False)
    assert found["test"] < 0.1
    labels = Split(x[:150], x[:150, 0] > 0, x[150:], x[150:, 0] > 0)
    assert hybrids.measure("RERF", {"n_estimators": 2}, labels, classes=True)["test"] > 0.95


def test_ours_is_timed_on_saved_arrays(tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(100, 2))
    Split(x, x[:, 0], x, x[:, 0]).save(tmp_path)
    assert hybrids.ours(tmp_path, 1)["rmse"] < 0.1


def test_the_smallest_case_is_as_good_as_published(data_folder: Path) -> None:
    rows = hybrids.case_studies(["breast_cancer"], ["RERF", "EBLR"])
    for row in rows:
        assert row["test"] > row["published"] - 0.01


@pytest.mark.slow
def test_house_prices_are_as_good_as_published(data_folder: Path) -> None:
    for row in hybrids.case_studies(["house_prices"], ["RERF", "EBLR"]):
        assert row["test"] < 1.05 * row["published"]

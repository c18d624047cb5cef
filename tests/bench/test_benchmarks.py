"""The arithmetic of the benchmarks: which peer counts, what the ratio is, what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import memory, worker
from benchmarks.cases import CASES
from benchmarks.datasets import Split
from benchmarks.libraries import LIBRARIES
from benchmarks.quality import METRICS
from benchmarks.report import Report
from benchmarks.runner import Measured
from benchmarks.settings import Settings
from benchmarks.verdict import judge


def round_(seconds: float, quality: float, leaf_share: float = 1.0) -> dict[str, Any]:
    return {"seconds": seconds, "quality": quality, "leaf_share": leaf_share}


def leafwise(our_quality: float = 0.8) -> list[Measured]:
    return [
        Measured("ceiba", [round_(2.0, our_quality), round_(1.0, our_quality)]),
        Measured("xgboost", [round_(4.0, 0.8), round_(3.0, 0.8)]),
        Measured("lightgbm", [round_(2.5, 0.81)]),
        Measured("catboost", [round_(0.5, 0.7, leaf_share=0.9)]),
        Measured("scikit-learn", error="not installed"),
    ]


def test_ratio_is_best_of_rounds_against_the_fastest_peer_that_grew_its_leaves() -> None:
    (line,) = judge(CASES["dense_leafwise"], leafwise(our_quality=0.8095))
    assert line.peer == "lightgbm"
    assert line.ratio == 2.5
    assert line.best_quality_peer == "lightgbm"
    assert line.reached is True


def test_lost_quality_is_not_reached() -> None:
    (line,) = judge(CASES["dense_leafwise"], leafwise(our_quality=0.8085))
    assert line.quality_kept is False
    assert line.reached is False


def test_a_target_may_name_its_peer() -> None:
    measured = [
        Measured("ceiba", [round_(1.0, 0.8)]),
        Measured("lightgbm", [round_(1.6, 0.8)]),
        Measured("catboost", [round_(3.0, 0.8)]),
    ]
    fastest, catboost = judge(CASES["dense_symmetric"], measured)
    assert (fastest.peer, fastest.ratio) == ("lightgbm", 1.6)
    assert (catboost.peer, catboost.ratio) == ("catboost", 3.0)


def test_without_us_there_is_no_ratio() -> None:
    (line,) = judge(CASES["dense_leafwise"], leafwise()[1:])
    assert line.ratio is None
    assert line.reached is None


@pytest.mark.parametrize(
    ("objective", "ours", "peer", "kept"),
    [
        ("binary", 0.7991, 0.8, True),
        ("binary", 0.7989, 0.8, False),
        ("regression", 1.004, 1.0, True),
        ("multiclass", 1.006, 1.0, False),
    ],
)
def test_tolerance(objective: Any, ours: float, peer: float, kept: bool) -> None:
    assert METRICS[objective].keeps_up(ours, peer) is kept


def test_a_run_of_one_case_replaces_only_that_case(tmp_path: Path) -> None:
    conditions: dict[str, Any] = {"rounds": 2, "threads": 2, "scale": 1.0}
    report = Report(**conditions)
    report.add("dense_leafwise", leafwise())
    report.add("small", leafwise())
    report.write(tmp_path)
    again = Report.load(tmp_path, **conditions)
    assert again.markdown() == report.markdown()
    again.skip("small", "no data")
    assert set(again.measured) == {"dense_leafwise"}
    assert "Skipped: small: no data" in again.markdown()
    other = Report.load(tmp_path, rounds=2, threads=1, scale=1.0)
    assert not other.measured


def test_peak_counts_what_was_freed_again() -> None:
    _, peak_mb = memory.peak_above_start(lambda: len(b"\1" * (64 << 20)))
    assert 60 < peak_mb < 80


def test_every_case_names_libraries_that_exist() -> None:
    for case in CASES.values():
        assert set(case.peers) | set(case.ours) <= set(LIBRARIES)
        assert all(set(target.peers) <= set(case.peers) for target in case.targets)


@pytest.mark.parametrize("name", LIBRARIES)
def test_every_library_gives_figures_that_can_be_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "ENOUGH_SECONDS", 0.0)
    library = LIBRARIES[name]
    pytest.importorskip(library.module.partition(".")[0])
    x = np.random.default_rng(0).normal(size=(500, 4)).astype(np.float32)
    y = (x[:, 0] + x[:, 1] > 0.2 * x[:, 2]).astype(np.int64)
    Split(x, y, x, y).save(tmp_path)
    settings = Settings("binary", max_leaves=4, n_estimators=2)
    task = worker.Task("train", name, {}, str(tmp_path))
    result = worker.train(library, task, settings)
    assert json.loads(json.dumps(result)) == result
    # Forests have trees without a limit, and recipes their own.
    own_trees = name.endswith("_forest") or hasattr(library, "recipe")
    assert result["leaves"] > 8 if own_trees else result["leaves"] == 8

"""The arithmetic of the scoreboard."""

from __future__ import annotations

import json

import numpy as np
import pytest
from benchmarks.scoreboard import run as scoreboard_run
from benchmarks.scoreboard.page import differences_table, groups_of, standings_table
from benchmarks.scoreboard.standings import gather, loss, paired_difference, standings
from benchmarks.scoreboard.tables import calibration_error, is_here, poisson_deviance, scoring

SCORES = {"a": {"ceiba": 0.1, "lgb": 0.1, "cat": 0.2}, "b": {"ceiba": 2.0, "lgb": 1.0}}
TASKS = {"a": "binary", "b": "regression"}
TIMES = {"ceiba": 1.0, "lgb": 2.0, "cat": 3.0}
ROWS = [
    {"data": d, "seed": 0, "task": TASKS[d], "model": m, "score": s, "fit": TIMES[m], "n": 9}
    for d, scores in SCORES.items()
    for m, s in scores.items()
]
ROWS.append({"data": "b", "seed": 0, "task": "regression", "model": "cat", "error": "failed"})


def test_equal_scores_share_their_rank_and_failures_are_last():
    table = {s.model: s for s in standings(gather(ROWS))}
    assert table["lgb"].mean_rank == (1.5 + 1) / 2
    assert table["ceiba"].mean_rank == (1.5 + 2) / 2
    assert table["cat"].mean_rank == 3
    assert (table["ceiba"].wins, table["lgb"].wins, table["cat"].wins) == (1, 2, 0)
    assert table["ceiba"].mean_loss == 0.5
    assert table["lgb"].fit_time == 4.0


@pytest.mark.parametrize(
    ("score", "best", "expected"), [(0, 0, 0), (1, 0, 1), (3, 1, 1), (1.1, 1, 0.1)]
)
def test_loss_is_bounded(score, best, expected):
    assert loss(score, best) == pytest.approx(expected)


def test_paired_difference_averages_tables():
    mean, low, high = paired_difference(gather(ROWS), "ceiba", "lgb")
    assert mean == pytest.approx((0 + 2 / 3) / 2)
    assert low <= mean <= high
    assert np.isnan(paired_difference(gather(ROWS), "ceiba", "xgb")[0])


def test_tables_name_every_model():
    lines = standings_table(gather(ROWS))
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["LightGBM", "ceiba", "CatBoost"]
    assert len(differences_table(gather(ROWS), "ceiba")) == 2 + 5
    assert len(groups_of(ROWS)["regression"]) == 3


def test_calibration_error_and_deviance():
    probability = np.linspace(0.01, 0.99, 15_000)
    drawn = np.random.default_rng(0).random(15_000) < probability
    assert calibration_error(drawn, probability) < 0.02
    assert calibration_error(drawn, probability**4) > 0.2
    assert poisson_deviance(np.array([0.0, 2.0]), np.array([1.0, 2.0])) == pytest.approx(1.0)


def test_finished_cells_are_not_trained_again(tmp_path, monkeypatch):
    if not is_here():
        pytest.skip("the shared tables are not beside the repository")
    calls = []

    def measure(model, task, split):
        calls.append(model)
        return {"score": 1.0, "fit": 0.0, "n": 1}

    monkeypatch.setattr(scoreboard_run, "measure", measure)
    monkeypatch.setattr(scoring(), "load", lambda table, seed: None)
    path = tmp_path / "rows.json"
    for models in (["ceiba"], ["ceiba", "lgb"]):
        scoreboard_run.run(path, models, [0], {"titanic"})
    assert calls == ["ceiba", "lgb"]
    assert {r["model"] for r in json.loads(path.read_text())} == {"ceiba", "lgb"}

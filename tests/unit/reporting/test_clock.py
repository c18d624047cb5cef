"""The time budget of a report."""

from __future__ import annotations

import math

from ceiba.reporting.clock import Clock


def test_rows_follow_the_time_of_a_row():
    clock = Clock(10.0, 1, bar=False)
    assert clock.rows(0.001, 0.5, 10, 100_000) <= 5000
    assert clock.rows(10.0, 0.5, 10, 100) == 10
    assert clock.rows(1e-9, 0.5, 10, 100) == 100


def test_no_budget_means_all_rows():
    clock = Clock(None, 1, bar=False)
    assert clock.rows(100.0, 0.1, 1, 77) == 77
    assert math.isinf(clock.seconds(0.1))


def test_no_time_is_left_after_the_budget(monkeypatch):
    clock = Clock(1.0, 1, bar=False)
    now = clock._begin + 2.0
    monkeypatch.setattr("ceiba.reporting.clock.time.perf_counter", lambda: now)
    assert clock.seconds(0.5) == 0.0
    assert clock.rows(0.1, 0.5, 3, 9) == 3


def test_the_bar_is_drawn_only_on_terminals(capfd):
    clock = Clock(1.0, 2, bar=True)
    with clock.shown():
        clock.step("scores")
    assert capfd.readouterr() == ("", "")


def test_the_bar_moves(monkeypatch, capfd):
    monkeypatch.setenv("FORCE_COLOR", "1")
    clock = Clock(1.0, 2, bar=True)
    with clock.shown():
        clock.step("scores")
        clock.step("curves")
    assert "curves" in capfd.readouterr().err

import re

import numpy as np

from ceiba.demo import tour


def test_the_tour_runs_and_says_what_it_found(capsys, monkeypatch):
    monkeypatch.setattr(tour, "N_REPEATS", 1)
    monkeypatch.setattr(tour, "N_FOLDS", 2)
    tour.main()
    output = capsys.readouterr().out
    for name in tour.classifiers():
        assert re.search(rf"^{name} +0\.\d+ +0\.\d+ +\d+\.\d$", output, re.MULTILINE), name
    assert "the same, bit for bit" in output
    assert re.search(r"risk of death \d+\.\d%", output)
    assert len(output.splitlines()) < 50
    assert max(map(len, output.splitlines())) <= 200


def test_bars_are_sorted_and_scaled():
    lines = tour.bars(["a", "b", "c"], np.array([0.25, 0.5, 0.0])).splitlines()
    assert [line.split()[0] for line in lines] == ["b", "a", "c"]
    assert len(lines[0].split()[2]) == tour.BAR_WIDTH
    assert len(lines[1].split()[2]) == tour.BAR_WIDTH // 2
    assert len(lines[2].split()) == 2


def test_bars_survive_a_model_without_splits():
    assert "0.0%" in tour.bars(["a"], np.zeros(1))

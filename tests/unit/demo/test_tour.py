import re
import sys

import numpy as np
import pytest

from ceiba.demo import tour


def test_the_tour_runs_and_says_what_it_found(capsys, monkeypatch, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tour, "N_REPEATS", 1)
    monkeypatch.setattr(tour, "N_FOLDS", 2)
    tour.main()
    output = capsys.readouterr().out
    for name in tour.classifiers():
        assert re.search(rf"^{name} +0\.\d+ +0\.\d+ +\d+\.\d$", output, re.MULTILINE), name
    assert "identical, bit for bit" in output
    assert re.search(r"risk of death \d+\.\d%", output)
    assert len(output.splitlines()) < 54
    assert str(tmp_path / "ceiba-demo") in output
    for name in ("importances.png", "why_this_patient.png"):
        assert (tmp_path / "ceiba-demo" / name).read_bytes().startswith(b"\x89PNG")
    matplotlib.pyplot.close("all")
    assert max(map(len, output.splitlines()[:-1])) <= 200


def test_the_tour_says_what_pictures_need(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    records = tour.load_heart_failure()
    classifier = tour.CeibaClassifier(n_estimators=2).fit(records.features, records.target)
    tour.draw(classifier, records)
    assert "ceiba[plot]" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_bars_are_sorted_and_scaled():
    lines = tour.bars(["a", "b", "c"], np.array([0.25, 0.5, 0.0])).splitlines()
    assert [line.split()[0] for line in lines] == ["b", "a", "c"]
    assert len(lines[0].split()[2]) == tour.BAR_WIDTH
    assert len(lines[1].split()[2]) == tour.BAR_WIDTH // 2
    assert len(lines[2].split()) == 2


def test_bars_survive_a_model_without_splits():
    assert "0.0%" in tour.bars(["a"], np.zeros(1))

"""The measurement of recipes by number of rows."""

import pytest
from benchmarks import recipes


def test_rows_are_reproducible_and_mixed():
    X, y = recipes.make_rows(200, seed=3)
    again, same = recipes.make_rows(200, seed=3)
    assert X.equals(again)
    assert (y == same).all()
    assert X["level"].nunique() > 40


def test_every_model_has_a_cell_for_each_size(monkeypatch):
    monkeypatch.setattr(recipes, "NEW_ROWS", 300)
    monkeypatch.setattr(recipes, "MODELS", recipes.MODELS[:1])
    cells = recipes.measure([200, 400])
    assert [len(row) for row in cells] == [3]
    lines = recipes.table(cells, [200, 400]).splitlines()
    assert lines[0] == "| model | 200 rows | 400 rows |"
    assert len(lines) == 3


def test_slow_models_are_not_tried_on_more_rows(monkeypatch):
    monkeypatch.setattr(recipes, "NEW_ROWS", 300)
    monkeypatch.setattr(recipes, "LONGEST", 0.0)
    monkeypatch.setattr(recipes, "MODELS", recipes.MODELS[:1])
    assert recipes.measure([200, 400])[0][2] == "–"


@pytest.mark.parametrize("mark", [recipes.BEGIN, recipes.END])
def test_the_page_has_a_place_for_the_table(mark):
    assert recipes.PAGE.read_text().count(mark) == 1

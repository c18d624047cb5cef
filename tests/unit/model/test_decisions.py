"""Decisions as text, table and plain values."""

from __future__ import annotations

from typing import Any

import pytest

from ceiba.model.decisions import Decision, Decisions

TWO = Decisions(
    [
        Decision("Leaves", "constant", "linear", "the loss was lower", "60 rounds"),
        Decision("Rows", "all"),
    ]
)


def test_text_has_a_line_per_decision() -> None:
    assert str(TWO).splitlines() == [
        "Leaves: constant (not linear), because the loss was lower. Cost: 60 rounds.",
        "Rows: all.",
    ]
    assert str(Decisions()) == "Recipe auto decided nothing."


def test_a_sequence_with_a_table() -> None:
    assert len(TWO) == 2
    assert TWO[1].chosen == "all"
    assert list(TWO[:1]) == [TWO[0]]
    assert list(TWO.to_frame()["chosen"]) == ["constant", "all"]


def test_plain_values_and_back() -> None:
    assert Decisions.from_json(TWO.to_json()) == TWO
    assert hash(Decisions.from_json(TWO.to_json())) == hash(TWO)


@pytest.mark.parametrize("values", [None, 1, [1], [["a"]], [[1, 2, 3, 4, 5]], {"a": 1}])
def test_other_values_are_refused(values: Any) -> None:
    with pytest.raises(TypeError, match="wrong type"):
        Decisions.from_json(values)

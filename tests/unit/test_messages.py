"""Values in messages: a few of many, and long ones cut short."""

from __future__ import annotations

import pytest

from ceiba.messages import listed, shown, warn


def test_a_few_of_many():
    assert listed(["a"]) == "'a'"
    assert listed("abcde") == "'a', 'b', 'c', 'd', 'e'"
    assert listed("abcdefgh") == "'a', 'b', 'c', 'd', 'e' and 3 more"
    assert listed((value for value in (1.5, 2.0, 3.0)), most=2, show="{:g}".format) == (
        "1.5, 2 and 1 more"
    )
    assert listed([]) == ""


def test_long_values_are_cut_short():
    assert shown([1, 2]) == "[1, 2]"
    assert shown("x" * 100) == "'" + "x" * 56 + "..."
    assert len(shown("x" * 100, longest=30)) == 30


def test_a_warning_points_to_the_user() -> None:
    with pytest.warns(UserWarning, match="here") as caught:
        warn("look here")
    assert caught[0].filename == __file__

"""The parameter tables of the pages for users of other libraries."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location(
    "make_coming_from", ROOT / "tools" / "make_coming_from.py"
)
assert spec is not None
assert spec.loader is not None
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


def test_an_alias_leads_to_its_parameter_and_the_defaults_of_both_recipes():
    row = tool.line("l2_leaf_reg", "catboost")
    assert row == "| `l2_leaf_reg` | [`reg_lambda`](../parameters.md#reg_lambda) | `3.0` | `1.0` |"


def test_a_refused_name_says_why():
    assert "refused: leaf values are not smoothed" in tool.line("path_smooth", "lightgbm")


def test_a_name_that_nobody_has_is_an_error():
    with pytest.raises(SystemExit, match="'etaa' is not a parameter"):
        tool.line("etaa", "xgboost")


def test_only_the_text_between_the_markers_changes():
    text = f"a\n{tool.BEGIN}\nold\n{tool.END}\nb\n"
    assert tool.page(text, "new") == f"a\n{tool.BEGIN}\nnew\n{tool.END}\nb\n"

"""Content of a page."""

from __future__ import annotations

from ceiba.reporting.blocks import Bar, Grid, Pictures, Section, Words


def test_blocks_name_their_kind():
    blocks = [Words("a"), Grid("b", ["c"], [[Bar("d", 0.5)]]), Pictures([])]
    assert [block.kind for block in blocks] == ["words", "grid", "pictures"]


def test_a_section_has_no_findings_by_default():
    assert Section("name", "Title", []).findings == ()

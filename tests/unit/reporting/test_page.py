"""Rendering: escaped texts, headings, table headers."""

from __future__ import annotations

import sys

import pytest

from ceiba.errors import MissingDependencyError
from ceiba.reporting.blocks import Bar, Finding, Grid, Picture, Pictures, Section, Words
from ceiba.reporting.page import check_jinja, rendered


def page():
    grid = Grid("A & B", ["Name", "Share"], [["<i>x</i>", Bar("50 %", 0.5)]], note="<note>")
    picture = Picture("data:image/svg+xml;base64,", 'a "quoted" text', "caption", 10, 20)
    blocks = [Words("1 < 2"), grid, Pictures([picture])]
    findings = [Finding("fact"), Finding("<check>", "warning")]
    return rendered("<title>", "lead", [Section("one", "First", blocks, findings)])


def test_texts_are_escaped():
    text = page()
    for escaped in (
        "&lt;i&gt;x&lt;/i&gt;",
        "1 &lt; 2",
        "&lt;note&gt;",
        "&lt;check&gt;",
        "A &amp; B",
    ):
        assert escaped in text
    assert "<i>" not in text
    assert "<title>&lt;title&gt;</title>" in text


def test_structure_for_screen_readers():
    text = page()
    assert '<html lang="en">' in text
    assert text.count("<h1>") == 1
    assert '<h2 id="one">First</h2>' in text
    assert '<th scope="col">Name</th>' in text
    assert '<th scope="row">' in text
    assert '<h3 id="one-2">A &amp; B</h3>' in text
    assert '<table aria-labelledby="one-2">' in text
    assert 'alt="a &#34;quoted&#34; text"' in text
    assert '<a href="#one">First</a>' in text


def test_warnings_come_first():
    text = page()
    assert text.index("&lt;check&gt;") < text.index("fact")


def test_nothing_is_loaded():
    text = page()
    assert "default-src 'none'" in text
    assert "http" not in text.replace("http-equiv", "")
    assert "<script" not in text


def test_jinja_is_named_if_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingDependencyError, match=r"ceiba\[report\]"):
        check_jinja()

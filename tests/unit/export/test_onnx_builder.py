"""Building ONNX graphs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from exported_models import regressor

from ceiba.errors import MissingDependencyError
from ceiba.export import onnx_builder


def test_without_onnx_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'ceiba\[onnx\]'"):
        regressor().export(tmp_path / "x", format="onnx")


def test_the_graph_has_no_unused_constant(tmp_path: Path) -> None:
    regressor().export(tmp_path / "x.onnx", format="onnx")
    graph = onnx_builder.onnx().load(tmp_path / "x.onnx").graph
    used = {name for node in graph.node for name in node.input}
    assert {own.name for own in graph.initializer} <= used

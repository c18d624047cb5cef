"""Engines that check ONNX files."""

from __future__ import annotations

import onnxruntime
import pytest

from ceiba.export import onnx_run


def test_an_old_onnxruntime_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnxruntime, "__version__", "1.22.1")
    assert onnx_run._runtime() is None

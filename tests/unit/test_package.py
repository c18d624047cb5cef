"""The package itself: lazy, and everything it promises is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ceiba


@pytest.mark.parametrize("name", ceiba.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(ceiba, name) is not None
    assert name in dir(ceiba)


def test_modules_can_be_reached() -> None:
    assert ceiba.errors.CeibaError is ceiba.CeibaError
    with pytest.raises(AttributeError, match="has no attribute 'forest'"):
        _ = ceiba.forest


def test_import_is_lazy() -> None:
    code = "import sys, ceiba; print([m for m in sys.modules if m in ('numpy', 'sklearn')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""Tables that would not fit into memory are refused before they are allocated."""

from __future__ import annotations

import pytest

from ceiba.data.memory import available_memory, check_memory
from ceiba.errors import InsufficientMemoryError


def test_what_does_not_fit() -> None:
    check_memory(1000, "A few values")
    with pytest.raises(
        InsufficientMemoryError, match=r"Many values need 1048576\.0 GB\. Available are"
    ):
        check_memory(2**50, "Many values")


def test_a_system_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*arguments: object, **more: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr("builtins.open", missing)
    assert available_memory() is None
    check_memory(1000, "A few values")
    with pytest.warns(UserWarning, match=r"Many values need 1048576\.0 GB\..*cannot check"):
        check_memory(2**50, "Many values")

"""The table of ARCHITECTURE.md that says what to open leads to files that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith("| you want")
]


def is_there(path: str, roots: tuple[str, ...]) -> bool:
    return any((ROOT / root / path).exists() for root in roots)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_to_open_is_there(row: list[str]) -> None:
    change, files, tests = row
    for path in re.findall(r"`([a-z_/.]+)`", files):
        beside = ("src/ceiba", "", "src/ceiba/" + re.findall(r"`([a-z_]+)/", files)[0])
        assert is_there(path, beside), f"{change}: {path}"
    for path in re.findall(r"`([a-z_/.]+)`", tests):
        assert is_there(path, ("tests/unit", "")), f"{change}: {path}"


def test_there_is_a_table() -> None:
    assert len(ROWS) > 15

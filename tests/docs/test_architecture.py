"""Every file that ARCHITECTURE.md names exists, and the page stays two screens long."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text()
PLACES = ("", "src/ceiba", "tests")
SUFFIXES = ("", ".py", ".hpp", ".cpp")


def paths() -> list[str]:
    """Return what looks like a path in code spans, and in the right half of the picture."""
    spans = re.findall(r"`([\w./]+/[\w./]*)`", TEXT)
    picture = TEXT.split("```")[1]
    drawn = re.findall(
        r"(?<!\S)((?:cpp|boosting|model|explain|plot|data|parameters)/[\w./]*)", picture
    )
    return sorted({*spans, *drawn})


@pytest.mark.parametrize("path", paths())
def test_named_files_exist(path: str) -> None:
    candidates = [ROOT / place / f"{path}{suffix}" for place in PLACES for suffix in SUFFIXES]
    assert any(candidate.exists() for candidate in candidates), path


def test_page_has_paths_and_stays_short() -> None:
    assert len(paths()) > 30
    assert len(TEXT.splitlines()) < 100

"""Puts the last table into README.md between two markers.

`python -m benchmarks.readme` writes it; with `--check` it only says whether the page is stale.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.report import RESULTS

BEGIN = "<!-- bench:begin -->"
END = "<!-- bench:end -->"
README = RESULTS.parent.parent / "README.md"


def fill(text: str, table: str) -> str:
    """The page with the table between its markers."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(
            f"The page must hold {BEGIN} once and after it {END} once. "
            "Add both lines where the table should stand."
        )
    before, after = text[: text.index(BEGIN)], text[text.index(END) :]
    return f"{before}{BEGIN}\n{table.strip()}\n{after}"


def main() -> None:
    """Fill or check the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readme", description=__doc__)
    parser.add_argument("page", nargs="?", type=Path, default=README)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if stale")
    given = parser.parse_args()
    kept = given.page.read_text()
    filled = fill(kept, (RESULTS / "latest.md").read_text())
    if not given.check:
        given.page.write_text(filled)
    elif kept != filled:
        raise SystemExit(f"{given.page.name} is stale. Run `python -m benchmarks.readme`.")


if __name__ == "__main__":
    main()

"""Put the last benchmark into the README, as a picture and a table; with --check only compare.

Reads benchmarks/results/latest.json and latest.md, which `make bench` writes. The picture is
docs/comparison.svg: one bar for each case, its length the fastest peer's figure divided by ceiba's.
"""

import argparse
import json
import re
import sys
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "comparison.svg"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
NOTHING_YET = "No results yet: run `make bench`, then `make docs`."

WIDTH, LEFT, RIGHT, ROW = 860, 330, 150, 26
"""Of the picture, in pixels: all of it, the names, the figures at the end of bars, one bar."""


def picture(lines: list[dict[str, Any]], titles: list[str]) -> str:
    """Return the bars as SVG; the dashed line at 1 is the fastest peer."""
    drawn = [(line, title) for line, title in zip(lines, titles, strict=True) if line["ratio"]]
    longest = max((line["ratio"] for line, _ in drawn), default=1.0)
    scale = (WIDTH - LEFT - RIGHT) / max(longest, 1.0)
    height = ROW * (len(drawn) + 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="17" fill="#555555">times the fastest peer (dashed: as fast)</text>',
    ]
    for i, (line, title) in enumerate(drawn):
        y = ROW * (i + 1)
        length = line["ratio"] * scale
        figure = f"{line['ratio']:.1f} × {line['peer'].replace('_', ' ')}"
        parts += [
            f'<text x="{LEFT - 8}" y="{y + 17}" text-anchor="end">{escape(title)}</text>',
            f'<rect x="{LEFT}" y="{y + 4}" width="{length:.1f}" height="{ROW - 8}" '
            'fill="#2f7d4f"/>',
            f'<text x="{LEFT + length + 6:.1f}" y="{y + 17}">{escape(figure)}</text>',
        ]
    parts.append(
        f'<line x1="{LEFT + scale:.1f}" x2="{LEFT + scale:.1f}" y1="{ROW}" y2="{height - ROW}" '
        'stroke="#bb3333" stroke-width="1.5" stroke-dasharray="4 3"/>'
    )
    return "\n".join([*parts, "</svg>", ""])


def generated() -> dict[Path, str]:
    """Return what the README and the picture should hold."""
    readme = README.read_text()
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        sys.exit(f"README.md must hold {BEGIN} and {END} once each.")
    before, rest = readme.split(BEGIN)
    after = rest.split(END)[1]
    if not (RESULTS / "latest.json").exists():
        return {README: f"{before}{BEGIN}\n{NOTHING_YET}\n{END}{after}"}
    lines = json.loads((RESULTS / "latest.json").read_text())["lines"]
    # The table and how it was measured; the figures of every library stay in latest.md.
    text = (RESULTS / "latest.md").read_text()
    table = "\n\n".join(text.split("\n\n")[:3])
    rows = [row for row in table.splitlines() if row.startswith("| ")][1:]
    titles = [re.split(r"\s\|\s", row.removeprefix("| "))[0] for row in rows]
    shown = (
        "![bars: ceiba against the fastest peer](docs/comparison.svg)\n\n"
        f"{table}\n\nAll figures: [benchmarks/results/latest.md](benchmarks/results/latest.md)."
    )
    return {
        README: f"{before}{BEGIN}\n{shown}\n{END}{after}",
        PICTURE: picture(lines, [short(title) for title in titles]),
    }


def short(title: str) -> str:
    """Return a title that fits beside the bars."""
    title = re.sub(r" \(against .*\)$", "", title)  # the bar names the peer
    return title if len(title) <= 50 else title[:49].rstrip() + "…"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if README or picture is stale")
    check = parser.parse_args().check
    stale = 0
    for path, text in generated().items():
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale = 1
            print(f"{path.relative_to(ROOT)} does not show the last results: run `make docs`.")
    return stale


if __name__ == "__main__":
    sys.exit(main())

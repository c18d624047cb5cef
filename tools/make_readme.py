"""Write the last benchmark into docs/benchmarks.md as a chart and a table; --check only compares.

Reads benchmarks/results/latest.json and latest.md, which `make bench` writes. The page shows the
rows of SHOWN. The chart docs/comparison.svg has one bar per row on a logarithmic axis; its length
is the fastest peer's figure divided by ceiba's.
"""

import argparse
import json
import math
import sys
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "benchmarks.md"
PICTURE = ROOT / "docs" / "comparison.svg"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
NOTHING_YET = "No results yet: run `make bench`, then `make generated`."

#: Rows of the page: case, compared peers (empty: the fastest peer) and label.
SHOWN = (
    ("dense_leafwise", [], "train 1M × 28, two classes"),
    ("dense_symmetric", ["catboost"], "train 1M × 28, symmetric trees"),
    ("wide", [], "train 40k × 500, regression"),
    ("covertype", [], "train covertype: 465k × 54, 7 classes"),
    ("categories", [], "train 240k rows, 8 categories of 5 to 5,000 levels"),
    ("small", [], "train a small table, 569 × 30"),
    ("predict_batch", [], "predict 200k rows, 100 trees"),
    ("predict_row", [], "predict one row"),
    ("predict_row_categories", [], "predict one row with categories, a frame"),
    ("memory", [], "peak memory of training 1M × 28"),
)
HEAD = ("what", "ceiba", "fastest peer", "times", "quality (ceiba / that peer / best peer)")

FONT, LETTER, ROW = 12, 7.4, 26
"""Of the chart, in pixels: font size, maximum width of a letter, height of a row."""
BARS = 380
"""Width of the bars."""
TICKS = (1, 2, 5, 10, 20, 50, 100, 200)


def chosen(lines: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    """Return the lines that the page shows, with their labels."""
    found = []
    for case, against, words in SHOWN:
        line = next((e for e in lines if e["case"] == case and e["against"] == against), None)
        if line is not None and line["ratio"]:
            found.append((line, words))
    return found


def picture(rows: list[tuple[dict[str, Any], str]]) -> str:
    """Return the bar chart as SVG; the dashed line at 1 is the fastest peer."""
    figures = [f"{line['ratio']:.3g} × {peer(line)}" for line, _ in rows]
    left = LETTER * max(len(words) for _, words in rows) + 12
    right = LETTER * max(map(len, figures)) + 12
    low = min(0.0, *(math.log(line["ratio"]) for line, _ in rows))
    high = max(math.log(2.0), *(math.log(line["ratio"]) for line, _ in rows))
    width, height = left + BARS + right, ROW * (len(rows) + 2)

    def place(ratio: float) -> float:
        return left + BARS * (math.log(ratio) - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="sans-serif" font-size="{FONT}">',
        f'<rect width="{width:.0f}" height="{height}" fill="#ffffff"/>',
    ]
    for tick in TICKS:
        if low <= math.log(tick) <= high:
            x = place(tick)
            dashed = 'stroke="#bb3333" stroke-dasharray="4 3"' if tick == 1 else 'stroke="#dddddd"'
            parts += [
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{ROW}" y2="{height - ROW}" {dashed}/>',
                f'<text x="{x:.1f}" y="{height - 9}" text-anchor="middle" fill="#555555">'
                f"{tick}</text>",
            ]
    parts.append(
        f'<text x="{left:.1f}" y="17" fill="#555555">times the fastest peer, logarithmic '
        "(dashed: as fast)</text>"
    )
    for i, ((line, words), figure) in enumerate(zip(rows, figures, strict=True)):
        y, end = ROW * (i + 1), place(line["ratio"])
        start = place(1.0)
        parts += [
            f'<text x="{left - 8:.1f}" y="{y + 17}" text-anchor="end">{escape(words)}</text>',
            f'<rect x="{min(start, end):.1f}" y="{y + 4}" width="{abs(end - start):.1f}" '
            f'height="{ROW - 8}" fill="#2f7d4f"/>',
            f'<text x="{max(start, end) + 6:.1f}" y="{y + 17}">{escape(figure)}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def table(rows: list[tuple[dict[str, Any], str]]) -> str:
    """Return the table of the page."""
    cells = [HEAD, ("---",) * len(HEAD)]
    for line, words in rows:
        figure = "peak_mb" if "peak_mb" in line["our_best"] else "seconds"
        cells.append(
            (
                words + (f", against {line['peer']}" if line["against"] else ""),
                amount(line["our_best"][figure], figure),
                f"{peer(line)} {amount(line['peer_best'][figure], figure)}",
                f"**{line['ratio']:.2f}**",
                quality(line),
            )
        )
    return "\n".join("| " + " | ".join(row) + " |" for row in cells)


def peer(line: dict[str, Any]) -> str:
    return str(line["peer"]).replace("_", " ")


def amount(value: float, figure: str) -> str:
    if figure == "peak_mb":
        return f"{value:.0f} MB"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} s"


def quality(line: dict[str, Any]) -> str:
    ours, theirs = line["our_best"].get("quality"), line["peer_best"].get("quality")
    if ours is None or theirs is None:
        return "–"
    best = f"{line['best_quality']:.4f} ({line['best_quality_peer']})"
    return f"{line['metric']} {ours:.4f} / {theirs:.4f} / {best}"


def generated() -> dict[Path, str]:
    """Return the texts of the page and of the chart."""
    page = PAGE.read_text()
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        sys.exit(f"docs/benchmarks.md must hold {BEGIN} and {END} once each.")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    if not (RESULTS / "latest.json").exists():
        return {PAGE: f"{before}{BEGIN}\n{NOTHING_YET}\n{END}{after}"}
    rows = chosen(json.loads((RESULTS / "latest.json").read_text())["lines"])
    # The description of the measurement is below the table of all figures.
    how = "\n\n".join((RESULTS / "latest.md").read_text().split("\n\n")[1:3])
    shown = (
        "![bars: ceiba against the fastest peer](comparison.svg)\n\n"
        f"{table(rows)}\n\n{how}\n\n"
        "Tables of all cases follow."
    )
    return {PAGE: f"{before}{BEGIN}\n{shown}\n{END}{after}", PICTURE: picture(rows)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if page or chart is stale")
    check = parser.parse_args().check
    stale = 0
    for path, text in generated().items():
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale = 1
            print(f"{path.relative_to(ROOT)} is stale. Run `make generated`.")
    return stale


if __name__ == "__main__":
    sys.exit(main())

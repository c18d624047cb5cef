"""Show files of the repository's root (README, changelog …) as pages of the site.

A page with a comment `<!-- file: ../README.md -->` gets the text of that file.
Links in it are rewritten so that they lead to the pages of the site.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
MARK = re.compile(r"<!-- file: ([\w./]+) -->")

#: Where links of the repository's files lead on the site.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "ARCHITECTURE.md": "architecture.md",
    "docs/measurements.md": "benchmarks.md",
    "benchmarks/results/latest.md": "benchmarks.md",
    "benchmarks/results/ranking.md": "benchmarks.md",
}


def shown(file: str) -> str:
    """Return the text of a file of the repository with the links that the site needs."""
    path = (ROOT / "docs" / file).resolve()
    folder = path.parent.relative_to(ROOT).as_posix()

    def link(match: re.Match[str]) -> str:
        start, target, anchor, end = match.groups()
        place = target if folder == "." else f"{folder}/{target}"
        if "://" in target or not target:
            return match.group()
        return start + PAGES.get(place, place.removeprefix("docs/")) + anchor + end

    text = re.sub(r"(\]\()([^)#\s]*)([^)\s]*)(\))", link, path.read_text())
    return re.sub(r'((?:src|srcset|href)=")([^"#]*)([^"]*)(")', link, text)


def benchmark_tables() -> dict[str, str]:
    """Return the tables of benchmarks/results, without the columns that only developers need."""
    results = ROOT / "benchmarks" / "results"
    tables = re.findall(r"(?:^\|.*\n?)+", (results / "latest.md").read_text(), re.MULTILINE)
    ranking = re.findall(r"(?:^\|.*\n?)+", (results / "ranking.md").read_text(), re.MULTILINE)
    return {
        "benchmarks": without(tables[0], {"wanted", "verdict"}),
        "measurements": tables[1],
        "ranking": ranking[0],
    }


def without(table: str, columns: set[str]) -> str:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    kept = [i for i, name in enumerate(rows[0]) if name not in columns]
    return "\n".join("| " + " | ".join(row[i] for i in kept) + " |" for row in rows)


def fill(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace the mark of a page by the file that it names."""
    source[0] = MARK.sub(lambda match: shown(match.group(1)), source[0])
    if docname == "benchmarks":
        for name, table in benchmark_tables().items():
            source[0] = source[0].replace(f"<!-- table: {name} -->", table)


def renew(app: Sphinx, env: object, added: set[str], changed: set[str], removed: set[str]) -> list:
    """Return the pages that show another file: they are read in every build."""
    pages = (ROOT / "docs").glob("*.md")
    return [page.stem for page in pages if MARK.search(page.read_text())]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", fill)
    app.connect("env-get-outdated", renew)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Check a built site: links and anchors resolve, and no file is loaded from another host.

`python tools/check_site.py docs/_build/html` prints every problem and fails if there is one.
"""

import argparse
import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Tags and attributes that load a file with the page.
LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "video": "src"}
RELS_THAT_LOAD = {"stylesheet", "icon", "preload", "modulepreload", "shortcut icon"}
IN_STYLES = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])((?:https?:)?//[^'\")]+)")
MATHJAX = "_static/mathjax/"


class Page(HTMLParser):
    """Links, loaded files and anchors of one page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel", "").lower() in RELS_THAT_LOAD:
            self.loaded.append(given["href"])
        elif tag in LOADED and given.get(LOADED[tag]):
            self.loaded.append(given[LOADED[tag]])
        if "style" in given:
            self.loaded += IN_STYLES.findall(given["style"])


@cache
def read(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def is_outside(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.netloc) or parts.scheme in {"http", "https"}


def problem_of_link(page: Path, link: str, site: Path) -> str | None:
    """Return what is wrong with a link to a file of the site, or None."""
    parts = urlsplit(link)
    if is_outside(link) or parts.scheme:
        return None
    target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
    if not target.is_relative_to(site):
        return f"leaves the site: {link}"
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return f"dead link: {link}"
    if target.suffix == ".html" and unquote(parts.fragment) not in read(target).anchors:
        return f"no such anchor: {link}"
    return None


def problems(site: Path, mathjax: bool = True) -> list[str]:
    found = []
    for path in sorted(site.rglob("*.html")):
        page, name = read(path), path.relative_to(site)
        if name.parts[0] == "_static":  # templates of the theme
            continue
        found += [f"{name}: loads {url}" for url in page.loaded if is_outside(url)]
        for link in [*page.links, *(url for url in page.loaded if not is_outside(url))]:
            if link.startswith("data:") or (not mathjax and MATHJAX in link):
                continue
            problem = problem_of_link(path, link, site)
            if problem:
                found.append(f"{name}: {problem}")
    for path in sorted(site.rglob("*.css")):
        urls = IN_STYLES.findall(path.read_text(encoding="utf-8", errors="replace"))
        found += [f"{path.relative_to(site)}: loads {url}" for url in urls]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("--without-mathjax", action="store_true", help="do not expect MathJax")
    given = parser.parse_args()
    site = given.site.resolve()
    if not (site / "index.html").exists():
        sys.exit(f"{given.site} has no built site. Run `make docs`.")
    found = problems(site, mathjax=not given.without_mathjax)
    print("\n".join(found) or f"{given.site}: no dead links, no files of other hosts")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Write the figures of documentation pages: `python tools/make_page_images.py docs/guide/plots.md`.

Without arguments, all pages. A figure is that of the Python block before `![…](images/name.png)`.
"""

import os
import sys
import tempfile
from pathlib import Path

from pages import blocks, run_page

ROOT = Path(__file__).parents[1]


def main() -> None:
    os.environ["MPLBACKEND"] = "Agg"
    given = [Path(page).resolve() for page in sys.argv[1:]]
    for page in given or sorted((ROOT / "docs").rglob("*.md")):
        if any(block.image for block in blocks(page.read_text())):
            print(page.relative_to(ROOT))
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                run_page(page, page.name, {"__name__": "__main__"}, images=page.parent)
                os.chdir(ROOT)


if __name__ == "__main__":
    main()

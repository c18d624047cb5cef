"""Print the requirements of the build environment.

These are the build requirements of pyproject.toml, and CMake and Ninja if they are not installed.
"""

import shutil
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def main() -> None:
    requirements = tomllib.loads(PYPROJECT.read_text())["build-system"]["requires"]
    for tool in ("cmake", "ninja"):
        if shutil.which(tool) is None:
            requirements.append(tool)
    print(*requirements)


if __name__ == "__main__":
    main()

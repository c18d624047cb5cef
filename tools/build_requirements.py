"""Print what the build environment needs: what pyproject.toml asks for, and CMake and Ninja
where the machine has none.
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

"""What editors know: every name passes two strict type checkers, and a misspelt one does not."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import ceiba

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
#: Where the package under test is: the sources, or an environment that it is installed in.
HOME = Path(ceiba.__file__).parents[1]


def pyright(folder: Path, text: str) -> dict[int, str]:
    """Return the errors of basedpyright, in the mode of pyright's strict, by line."""
    (folder / "checked.py").write_text(text)
    settings = {
        "typeCheckingMode": "strict",
        "extraPaths": [str(HOME)],
        "pythonVersion": "3.11",
        "include": ["checked.py"],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(
        command, cwd=folder, text=True, capture_output=True, check=False, timeout=300
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {
        entry["range"]["start"]["line"] + 1: entry["message"]
        for entry in found
        if entry["severity"] == "error"
    }


def mypy(folder: Path, text: str) -> dict[int, str]:
    """Return the errors of mypy --strict by line."""
    (folder / "checked.py").write_text(text)
    environment = {**os.environ, "MYPY_CACHE_DIR": str(folder / "cache")}
    if Path(sysconfig.get_path("purelib")) != HOME:
        environment["MYPYPATH"] = str(HOME)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += ["--config-file=", "--python-executable", sys.executable, "checked.py"]
    done = subprocess.run(
        command, cwd=folder, env=environment, text=True, capture_output=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = re.findall(r"^checked\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    return {int(line): message for line, message in found}


both = pytest.mark.parametrize("check", [pyright, mypy], ids=["pyright", "mypy"])


def test_every_public_name_is_used() -> None:
    text = (HERE / "every_name.py").read_text()
    assert [name for name in ceiba.__all__ if not re.search(rf"\b{name}\b", text)] == []


@both
def test_nothing_is_found(check: object, tmp_path: Path) -> None:
    assert callable(check)
    assert check(tmp_path, (HERE / "every_name.py").read_text()) == {}


@both
def test_what_is_misspelt_is_found(check: object, tmp_path: Path) -> None:
    assert callable(check)
    text = (HERE / "misspelt.py").read_text()
    wrong = {
        number for number, line in enumerate(text.splitlines(), start=1) if line.endswith("# wrong")
    }
    assert check(tmp_path, text).keys() == wrong


@both
def test_the_first_example_of_the_readme(check: object, tmp_path: Path) -> None:
    assert callable(check)
    readme = (ROOT / "README.md").read_text()
    first = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert first is not None
    # scikit-learn has no types; what it returns is unknown.
    ours = [line for line in first[1].splitlines() if not re.search(r"sklearn|split\(|load_", line)]
    given = "import numpy as np\n\nX = np.zeros((10, 2))\ny = np.arange(10) % 2\n"
    given += "X_train, X_test, y_train, y_test = X, X, y, y\n"
    assert check(tmp_path, given + "\n".join(ours) + "\n") == {}

"""make resolves PYTHON to a real interpreter and keeps one environment per interpreter."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def found(name, home=None):
    """Run tools/find_python.sh with the pyenv versions of ``home``."""
    variables = os.environ | {"PYENV_ROOT": str(home)} if home else os.environ
    return subprocess.run(
        [ROOT / "tools" / "find_python.sh", name],
        env=variables,
        check=False,
        capture_output=True,
        text=True,
    )


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_a_path_stands_for_itself():
    assert found(sys.executable).stdout.strip() == sys.executable


def test_a_launcher_answers_with_the_interpreter(tmp_path):
    script(tmp_path / "launcher", f'exec {sys.executable} "$@"')
    assert found(tmp_path / "launcher").stdout.strip() == sys.executable


def test_a_name_that_does_not_run_is_found_among_versions_of_pyenv(tmp_path):
    answers = {"3.9.1": "/old", "3.12.10": "/newest", "3.12.9": "/older", "pypy3.12": "/other"}
    for version, answer in answers.items():
        script(tmp_path / "versions" / version / "bin" / "python3.x", f"echo {answer}")
    assert found("python3.x", tmp_path).stdout == "/newest\n"


def test_what_does_not_run_or_is_too_old_is_an_error(tmp_path):
    missing = found("python-that-does-not-exist")
    assert missing.returncode != 0
    assert "python-that-does-not-exist does not run" in missing.stderr
    script(
        tmp_path / "python", 'test "$1" = --version && echo Python 3.9.1 || { echo $0; exit 1; }'
    )
    old = found(tmp_path / "python")
    assert old.returncode != 0
    assert "needs Python 3.11 or newer" in old.stderr
    assert "Python 3.9.1" in old.stderr


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize("target", ["demo", "test", "lint", "bench"])
def test_environments_belong_to_one_interpreter(tmp_path, target):
    script(tmp_path / "python", 'case "$2" in *python%d*) echo python9.9t;; *) echo $0;; esac')
    command = ["make", "--dry-run", "--always-make", "-C", str(ROOT), target]
    for python, folder in (
        (tmp_path / "python", "python9.9t"),
        (sys.executable, f"python{sys.version_info[0]}.{sys.version_info[1]}{sys.abiflags}"),
    ):
        lines = subprocess.run(
            [*command, f"PYTHON={python}"], check=True, capture_output=True, text=True
        ).stdout
        assert f".venv/{folder}/" in lines
        assert f"build/wheel/{folder}/" in lines
        assert lines.count(".venv/") - lines.count(".venv/latest") == lines.count(
            f".venv/{folder}/"
        )

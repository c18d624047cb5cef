"""Write src/ceiba/_core.pyi from the built module; with --check only compare."""

import argparse
import difflib
import subprocess
import sys
import tempfile
from pathlib import Path

STUB = Path(__file__).parents[1] / "src" / "ceiba" / "_core.pyi"


def generated() -> str:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "_core.pyi"
        command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "ceiba._core"]
        # Run in an empty folder, so that Python imports the installed module.
        subprocess.run([*command, "-o", str(output)], check=True, cwd=folder)
        return output.read_text()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the stub file is stale")
    new = generated()
    if not parser.parse_args().check:
        STUB.write_text(new)
        return 0
    old = STUB.read_text() if STUB.exists() else ""
    lines = list(
        difflib.unified_diff(old.splitlines(), new.splitlines(), "old", "new", lineterm="")
    )
    if lines:
        print(*lines[:60], f"{STUB.name} is stale: run `make stubs`.", sep="\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

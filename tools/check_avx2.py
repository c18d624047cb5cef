"""Check that AVX2 code cannot replace code compiled for any x86-64.

The linker keeps one copy of an inline function or template that two object files contain: that of
the first file. If that is the AVX2 build of a *_kernels.inc, a machine without AVX2 stops with an
illegal instruction. Such a file may therefore define shared symbols only in its own namespace.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED_KINDS = "WVu"  # weak function, weak object, unique global: symbols that linkers merge


def shared_symbols(object_file: Path) -> list[str]:
    command = ["nm", "--demangle", "--defined-only", str(object_file)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    found = (re.match(r"[0-9a-f]+ (\w) (.*)", line) for line in lines)
    names = (match[2] for match in found if match and match[1] in SHARED_KINDS)
    return [name for name in names if "avx2::" not in name]


def main() -> int:
    if shutil.which("nm") is None:
        print("nm is not installed: skipped.")
        return 0
    problems = 0
    for object_file in sorted((ROOT / "build").glob("cp*/**/ceiba_kernels_avx2.dir/**/*.o")):
        for symbol in shared_symbols(object_file):
            problems += 1
            print(f"{object_file.name.removesuffix('.o')}: {symbol} is also baseline code.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Check that files and functions stay small enough to be read at once.

In src and cpp no file has more than 400 lines, and no function more than 80 as lizard counts them:
from the line of its name to its last one, docstring and comments included.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import lizard

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "cpp")
SUFFIXES = {".py", ".cpp", ".hpp", ".inc"}
LONGEST_FILE = 400
LONGEST_FUNCTION = 80


def check(root: Path) -> Iterator[str]:
    files = sorted(p for folder in FOLDERS for p in (root / folder).rglob("*"))
    for file in files:
        if file.suffix not in SUFFIXES:
            continue
        where, text = file.relative_to(root), file.read_text()
        n_lines = text.count("\n")
        if n_lines > LONGEST_FILE:
            yield f"{where}: {n_lines} lines, {LONGEST_FILE} at most. Part it by what it does."
        # Kernels that are compiled twice are C++ too, whatever their file is called.
        language = "x.py" if file.suffix == ".py" else "x.cpp"
        for function in lizard.analyze_file.analyze_source_code(language, text).function_list:
            if function.length > LONGEST_FUNCTION:
                yield (
                    f"{where}:{function.start_line}: {function.name} has {function.length} lines, "
                    f"{LONGEST_FUNCTION} at most. Give its steps names."
                )


def main() -> int:
    problems = list(check(ROOT))
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

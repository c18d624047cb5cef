"""Check that files and functions stay small enough to be read at once.

In src and cpp no file has more than 400 lines, and no function more than 80 as lizard counts them:
from the line of its name to its last one, docstring and comments included. The examples of a
docstring (its last section, `Examples`) are not counted.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import lizard

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "cpp")
SUFFIXES = {".py", ".cpp", ".hpp", ".inc"}
LONGEST_FILE = 400
LONGEST_FUNCTION = 80


def lines_of_examples(text: str) -> dict[int, int]:
    """Return the number of lines of examples by the line on which a function starts."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            _, _, examples = (ast.get_docstring(node) or "").partition("\n\nExamples\n--------\n")
            found[node.lineno] = examples.count("\n") + 4 if examples else 0
    return found


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
        examples = lines_of_examples(text) if file.suffix == ".py" else {}
        for function in lizard.analyze_file.analyze_source_code(language, text).function_list:
            length = function.length - examples.get(function.start_line, 0)
            if length > LONGEST_FUNCTION:
                yield (
                    f"{where}:{function.start_line}: {function.name} has {length} lines, "
                    f"{LONGEST_FUNCTION} at most. Give its steps names."
                )


def main() -> int:
    problems = list(check(ROOT))
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Check that a single module of src reads tree arrays by name.

``Forest.arrays()`` and ``GrownTrees.arrays()`` of the C++ core return dictionaries. All other code
uses the typed view ``ceiba.model.trees.Trees``; model files store the arrays unchanged.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALLOWED = {"src/ceiba/model/trees.py", "src/ceiba/model/model.py"}


def check(root: Path) -> Iterator[str]:
    for file in sorted((root / "src").rglob("*.py")):
        where = file.relative_to(root).as_posix()
        if where in ALLOWED:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "arrays"
            ):
                yield f"{where}:{node.lineno}: calls arrays(). Use ceiba.model.trees.Trees.of(...)."


def main() -> int:
    problems = list(check(ROOT))
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

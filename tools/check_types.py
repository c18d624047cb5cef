"""Check that every type name of the C++ core is defined once.

If two files define `struct Name` in namespace ceiba, the linker keeps one copy of their inline
functions and calls it for both types. Types inside of a class or an unnamed namespace are safe.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CPP = ROOT / "cpp"

DEFINITION = re.compile(
    r"^(?:template <.*> )?(?:struct|class|enum class|union) (\w+)(?!::)\b[^;:]*(?::(?!:)[^;]*)?\{"
)


def defined_types(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line, name) of the types with external linkage."""
    hidden = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("namespace {"):
            hidden = True
        elif line.startswith("} // namespace") and line.strip() == "} // namespace":
            hidden = False
        elif not hidden and (found := DEFINITION.match(line)):
            yield number, found[1]


def check(folder: Path) -> list[str]:
    places = defaultdict(list)
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".hpp", ".cpp"}:
            for line, name in defined_types(file.read_text()):
                places[name].append(f"{file.relative_to(folder)}:{line}")
    return [
        f"cpp: {name} is defined in {' and '.join(where)}. Rename one of them."
        for name, where in sorted(places.items())
        if len(where) > 1
    ]


def main() -> int:
    problems = check(CPP)
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

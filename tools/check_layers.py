"""Check the import order: Python folders import upward in the list below, C++ folders leftward.

The order is that of ARCHITECTURE.md. Imports inside functions and for type checking count as well.
Modules of one level may import each other, but no cycle of modules is allowed.
"""

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ceiba"
CPP = ROOT / "cpp"

# Levels of the package: a module or folder may import its own level and those above it here.
PYTHON_LEVELS: tuple[tuple[str, ...], ...] = (
    ("_core",),
    ("errors", "messages", "random", "reductions", "residual_statistics"),
    ("storage",),
    ("parameters",),
    ("data",),
    ("objectives",),
    ("metrics",),
    ("model",),
    ("callbacks",),
    ("boosting",),
    ("policy",),
    ("training", "cross_validation"),
    ("explain", "plot", "reporting", "export", "imports"),
    ("estimators",),
    ("hybrids",),
    ("stream", "dask", "cli", "demo"),
    ("testing",),
)
# ceiba/__init__.py imports names lazily, for users only.
FRONT_DOOR = "__init__"

CPP_ORDER = (
    *("base", "parallel", "data", "gradient", "ranking", "metric", "sample", "rows"),
    *("split", "tree", "leaf", "model", "explain", "bind"),
)
PYTHON_HEADERS = re.compile(r"^(nanobind/|Python\.h|numpy/)")


def python_level() -> dict[str, int]:
    return {name: level for level, names in enumerate(PYTHON_LEVELS) for name in names}


def module_name(file: Path) -> str:
    """Return the dotted name below ceiba: ``data.table``, and ``data`` for its __init__."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == FRONT_DOOR and len(parts) > 1 else parts)


def imported_modules(tree: ast.AST, file: Path, modules: set[str]) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name below ceiba) of every import of ceiba's own modules."""
    package = ("ceiba", *file.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "ceiba":
                    yield node.lineno, alias.name.removeprefix("ceiba").lstrip(".")
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").split(".") if node.module else []
            if node.level:
                module = [*package[: len(package) - node.level + 1], *module]
            if not module or module[0] != "ceiba":
                continue
            for alias in node.names:
                member = ".".join([*module[1:], alias.name])
                is_module = len(module) == 1 or member in modules
                yield node.lineno, member if is_module else ".".join(module[1:])


def check_python() -> Iterator[str]:
    levels = python_level()
    graph: dict[str, set[str]] = {}
    files = {module_name(file): file for file in sorted(PACKAGE.rglob("*.py"))}
    for module, file in files.items():
        name = module.split(".")[0]
        if name in (FRONT_DOOR, "__main__"):
            continue
        where = file.relative_to(ROOT)
        if name not in levels:
            yield f"{where}: {name!r} has no level. Add it to check_layers.py and ARCHITECTURE.md."
            continue
        for line, target in imported_modules(ast.parse(file.read_text()), file, set(files)):
            if target == "__version__":
                continue
            top = target.split(".")[0]
            if top not in levels:
                yield f"{where}:{line}: imports {target or 'ceiba'} from ceiba/__init__.py."
            elif levels[top] > levels[name]:
                yield (
                    f"{where}:{line}: {name} (level {levels[name]}) must not import "
                    f"{top} (level {levels[top]})."
                )
            else:
                graph.setdefault(module, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        yield f"src/ceiba: circular import: {circle}."


def check_cpp() -> Iterator[str]:
    rank = {folder: position for position, folder in enumerate(CPP_ORDER)}
    for file in sorted(p for p in CPP.rglob("*") if p.suffix in {".cpp", ".hpp", ".inc"}):
        where = file.relative_to(ROOT)
        folder = file.relative_to(CPP).parts[0]
        if folder not in rank:
            yield f"{where}: unknown folder {folder}. The folders are {', '.join(CPP_ORDER)}."
            continue
        for number, line in enumerate(file.read_text().splitlines(), start=1):
            found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if not found:
                continue
            quote, header = found.groups()
            if folder != "bind" and PYTHON_HEADERS.match(header):
                yield f"{where}:{number}: only cpp/bind may include Python. Got {header}."
            if quote == "<":
                continue
            top = header.split("/")[0]
            if top not in rank or not (CPP / header).is_file():
                yield f'{where}:{number}: write includes relative to cpp/. Got "{header}".'
            elif rank[top] > rank[folder]:
                yield f"{where}:{number}: cpp/{folder} must not include cpp/{top}. Got {header}."


def main() -> int:
    problems = [*check_python(), *check_cpp()]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

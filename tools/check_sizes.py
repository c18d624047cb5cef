"""Check the length of files and functions, and the number of methods of classes.

In src and cpp, a file has at most 400 lines and a function at most 80, as lizard counts them: from
the line of its name to its last line, with docstring and comments. The examples of a docstring (its
last section, `Examples`) are not counted. A class has at most 30 methods, including declarations,
constructors and operators of C++ and properties of Python.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import lizard

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "cpp")
SUFFIXES = {".py", ".cpp", ".hpp", ".inc"}
LONGEST_FILE = 400
LONGEST_FUNCTION = 80
MOST_METHODS = 30


def lines_of_examples(text: str) -> dict[int, int]:
    """Return the number of example lines by the first line of their function."""
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
            yield f"{where}: {n_lines} lines, at most {LONGEST_FILE} allowed. Split the file."
        # Kernels that are compiled twice are C++ with the suffix .inc.
        language = "x.py" if file.suffix == ".py" else "x.cpp"
        examples = lines_of_examples(text) if file.suffix == ".py" else {}
        for function in lizard.analyze_file.analyze_source_code(language, text).function_list:
            length = function.length - examples.get(function.start_line, 0)
            if length > LONGEST_FUNCTION:
                yield (
                    f"{where}:{function.start_line}: {function.name} has {length} lines, at most "
                    f"{LONGEST_FUNCTION} allowed. Split the function."
                )
        classes = python_classes(text) if file.suffix == ".py" else cpp_classes(text)
        for name, n_methods in classes:
            if n_methods > MOST_METHODS:
                yield (
                    f"{where}: class {name} has {n_methods} methods, at most {MOST_METHODS} "
                    "allowed. Split the class by responsibility."
                )


def python_classes(text: str) -> Iterator[tuple[str, int]]:
    """Yield the name of each class and its number of methods; overloads count once."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            functions = (ast.FunctionDef, ast.AsyncFunctionDef)
            yield node.name, len({own.name for own in node.body if isinstance(own, functions)})


#: C++ comments, string literals and preprocessor lines, which may contain brackets.
_NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|(?<!\d)'(?:\\.|[^'\\])'|^\s*#[^\n]*""",
    re.DOTALL | re.MULTILINE,
)
_CLASS = re.compile(r"\b(?:class|struct)\s+(\w+)[^;{}()=]*\{")
_BLOCK = re.compile(r"\{[^{}]*\}")
_ARGUMENTS = re.compile(r"<[^<>]*>")
_NO_METHOD = re.compile(r"\s*(?:using|friend|typedef|static_assert|enum)\b")


def cpp_classes(text: str) -> Iterator[tuple[str, int]]:
    """Yield the name of each class and its number of methods, declared or defined in it."""
    code = _NO_CODE.sub(" ", text)
    for found in _CLASS.finditer(code):
        body = _body(code, found.end())
        while _BLOCK.search(body):
            body = _BLOCK.sub(";", body)
        while _ARGUMENTS.search(body):
            body = _ARGUMENTS.sub("", body)
        members = re.sub(r"\b(?:public|protected|private):", "", body).split(";")
        yield found[1], sum(map(_is_method, members))


def _body(code: str, begin: int) -> str:
    """Return the text from behind an opening brace to the one that closes it."""
    depth = 1
    for at in range(begin, len(code)):
        depth += {"{": 1, "}": -1}.get(code[at], 0)
        if depth == 0:
            return code[begin:at]
    return code[begin:]


def _is_method(member: str) -> bool:
    if _NO_METHOD.match(member):
        return False
    return bool(re.search(r"\boperator\b", member) or re.search(r"\w\s*\(", member.split("=")[0]))


def main() -> int:
    problems = list(check(ROOT))
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

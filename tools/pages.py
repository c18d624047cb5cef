"""Run the Python blocks of a documentation page and compare the output that the page shows.

The blocks of a page run in order, in one namespace:

    ```python            runs
    ```text              directly after a python block: what the block printed, followed by the
                         repr of its last expression
    ![alt](images/x.png) directly after a python block: the figure that the block drew. `make
                         generated` writes it (tools/make_page_images.py)

HTML comments in a line of their own apply to the block that follows:

    <!-- not run: reason -->    the block is only shown
    <!-- hidden                 (without `-->`) opens a comment around a ```python block, which ends
                                in a line `-->`: the block runs and is not shown
    <!-- tolerance: 0.01 -->    numbers may differ by this much, relative and absolute
    <!-- any output -->         the output is an example and is not compared
    <!-- raises -->             the block ends in an error; its output is `ErrorType: message`

Blocks may import the modules of examples/service.

`…` in an output stands for any text within a line; a line of `…` alone for any number of lines.
"""

from __future__ import annotations

import ast
import contextlib
import io
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERVICE = str(Path(__file__).parents[1] / "examples" / "service")
FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$")
COMMENT = re.compile(r"^\s*<!--\s*(not run|tolerance|any output|raises)(?::\s*(.*?))?\s*-->\s*$")
HIDDEN = re.compile(r"^\s*<!--\s*hidden\s*(-->)?\s*$")
IMAGE = re.compile(r"^\s*!\[[^\]]*\]\(([^)]+\.(?:png|svg))\)")
DIRECTIVE_OF_FIGURES = re.compile(r"\{(?:figure|image)\}\s*(\S+)")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
OF_CODE = {"python", "{code-block} python", "{code} python"}
OF_OUTPUT = {"text", "output", "{code-block} text", "{code-block} output"}


@dataclass
class Block:
    """A Python block with the output and image that follow it on the page."""

    line: int
    code: str
    output: str | None = None
    image: str | None = None
    tolerance: float = 0.0
    compared: bool = True
    raises: bool = False


class OutputError(AssertionError):
    """The page shows an output that differs from that of its code."""


def blocks(text: str) -> list[Block]:
    """Return the executed Python blocks of a page."""
    found: list[Block] = []
    _collect(text.splitlines(), 1, found)
    return found


def _collect(lines: list[str], first: int, found: list[Block]) -> None:
    marks: dict[str, str] = {}
    last: Block | None = None  # block that a following output or image belongs to
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = FENCE.match(line)
        if comment := COMMENT.match(line):
            marks[comment.group(1)] = comment.group(2) or ""
        elif fence:
            end = _end(lines, at, fence.group(2))
            inside = [text.removeprefix(fence.group(1)) for text in lines[at + 1 : end]]
            last = _fence(fence.group(3), inside, first + at, marks, last, found)
            marks, at = {}, end
        elif (image := IMAGE.match(line)) and last is not None:
            last.image, last = image.group(1), None
        elif line.strip() and not HIDDEN.match(line) and line.strip() != "-->":
            marks, last = {}, None
        at += 1


def _fence(
    kind: str,
    inside: list[str],
    line: int,
    marks: dict[str, str],
    last: Block | None,
    found: list[Block],
) -> Block | None:
    """Read one fenced block; return the Python block that the next output belongs to."""
    body = "\n".join(text for text in inside if not re.match(r":[\w-]+:", text))
    if kind in OF_CODE:
        if "not run" in marks:
            return None
        block = Block(line, body, raises="raises" in marks)
        found.append(block)
        return block
    if kind in OF_OUTPUT and last is not None:
        last.output = body.strip("\n")
        last.tolerance = float(marks.get("tolerance", 0.0))
        last.compared = "any output" not in marks
        return last
    if (figure := DIRECTIVE_OF_FIGURES.match(kind)) and last is not None:
        last.image = figure.group(1)
    elif kind.startswith("{") and not kind.startswith("{code"):
        _collect(inside, line + 1, found)
    return None


def _end(lines: list[str], begin: int, fence: str) -> int:
    for at in range(begin + 1, len(lines)):
        text = lines[at].strip()
        if text.startswith(fence) and not text.strip(fence[0]):
            return at
    raise ValueError(f"line {begin + 1}: the fenced block has no end")


def run(block: Block, names: dict[str, Any], page: str) -> str:
    """Run a block and return what it printed and the repr of its last expression."""
    tree = ast.parse(block.code)
    ast.increment_lineno(tree, block.line)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            last = tree.body[-1] if tree.body else None
            if isinstance(last, ast.Expr):
                before = ast.Module(tree.body[:-1], tree.type_ignores)
                exec(compile(before, page, "exec"), names)
                value = eval(compile(ast.Expression(last.value), page, "eval"), names)
                if value is not None and not block.code.rstrip().endswith(";"):
                    print(repr(value))
            else:
                exec(compile(tree, page, "exec"), names)
        except Exception as error:
            if not block.raises:
                raise
            print(f"{type(error).__name__}: {error}")
        else:
            if block.raises:
                raise OutputError(f"{page}, line {block.line}: the block raised no error.")
    return printed.getvalue().strip("\n")


def compare(block: Block, output: str, page: str) -> None:
    """Raise `OutputError` unless the page shows this output."""
    if block.output is None or not block.compared:
        return
    pattern, shown = _pattern(block), block.output
    match = re.fullmatch(pattern, _even(output) + "\n")
    if match is None or not _are_close(match, block):
        raise OutputError(
            f"{page}, line {block.line}: the output differs.\n"
            f"--- shown ---\n{shown}\n--- got ---\n{output}\n"
        )


def _even(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def _pattern(block: Block) -> str:
    assert block.output is not None
    parts = []
    for line in _even(block.output).splitlines():
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
            continue
        pieces = [_numbers(piece, block.tolerance) for piece in line.split("…")]
        parts.append(".*?".join(pieces) + r"\n")
    return "".join(parts) or r"\n"


def _numbers(text: str, tolerance: float) -> str:
    if not tolerance:
        return re.escape(text)
    pieces, at = [], 0
    for number in NUMBER.finditer(text):
        pieces += [_loose(text[at : number.start()]), f"({NUMBER.pattern})"]
        at = number.end()
    return "".join([*pieces, _loose(text[at:])])


def _loose(text: str) -> str:
    """Return a pattern that matches any amount of blanks, which depends on the numbers."""
    return r"[ ]*".join(re.escape(piece) for piece in re.split(" +", text))


def _are_close(match: re.Match[str], block: Block) -> bool:
    if not block.tolerance:
        return True
    shown = [
        float(number.group())
        for line in _even(block.output or "").splitlines()
        for piece in line.split("…")
        for number in NUMBER.finditer(piece)
    ]
    got = [float(text) for text in match.groups()]
    return all(
        math.isclose(a, b, rel_tol=block.tolerance, abs_tol=block.tolerance)
        for a, b in zip(shown, got, strict=True)
    )


def run_page(path: Path, page: str, names: dict[str, Any], images: Path | None = None) -> None:
    """Run all blocks of a page in the working folder, compare outputs, write its figures.

    Figures are written below `images`, the folder of the page. Without it, they must exist.
    """
    if SERVICE not in sys.path:
        sys.path.append(SERVICE)
    for block in blocks(path.read_text()):
        compare(block, run(block, names, page), page)
        if block.image is None:
            continue
        from matplotlib import pyplot as plt

        if not plt.get_fignums():
            raise OutputError(f"{page}, line {block.line}: {block.image} has no figure.")
        if images is not None:
            target = images / block.image
            target.parent.mkdir(parents=True, exist_ok=True)
            plt.gcf().savefig(target, dpi=100, bbox_inches="tight", metadata={"Software": None})
        plt.close("all")

"""Build the API reference: tables of names, short signatures, docstrings as reStructuredText.

A page with `<!-- table: objectives -->` or `<!-- table: metrics -->` gets the table of all names.
"""

import re
from typing import Any

from sphinx.application import Sphinx

from ceiba.metrics import METRICS
from ceiba.objectives import OBJECTIVES

LONGEST = 10
"""Parameters that a signature shows; a longer one is cut. The list of parameters is below it."""
OF_SCIKIT_LEARN = re.compile(r"set_\w+_request|get_metadata_routing")
CODE = re.compile(r"(``.*?``|`.*?`_?)")


def shorten(
    app: Sphinx, what: str, name: str, obj: object, options: Any, signature: str, returns: str
) -> tuple[str, str] | None:
    """Cut the signature of an estimator, which names more than a hundred parameters."""
    found = re.findall(r"(\w+)=('[^']*'|[^,)]*)", signature or "")
    if len(found) <= LONGEST:
        return None
    (first, value), *_ = found
    return f"(*, {first}={value}, **parameters)", returns


def skip(app: Sphinx, what: str, name: str, obj: object, skipped: bool, options: Any) -> bool:
    return skipped or bool(OF_SCIKIT_LEARN.fullmatch(name))


def escape(app: Sphinx, what: str, name: str, obj: object, options: Any, lines: list[str]) -> None:
    """Escape `|x|` and `name_` outside of code, which reStructuredText reads as references."""
    in_code = False
    for i, line in enumerate(lines):
        if not line.strip():
            in_code = False
        in_code = in_code or line.lstrip().startswith(">>>")
        if not in_code:
            pieces = CODE.split(line)
            pieces[::2] = [re.sub(r"(\||(?<=[a-z])_(?![\w]))", r"\\\1", p) for p in pieces[::2]]
            lines[i] = "".join(pieces)


def first_line(text: str | None) -> str:
    return " ".join((text or "").strip().split("\n\n")[0].split()).replace("``", "`")


def aliases(kind: Any) -> str:
    return ", ".join(f"`{alias}`" for alias in kind.aliases) or "–"


def objectives() -> str:
    tasks = {
        "regression": "Regression",
        "binary": "Binary classification",
        "multiclass": "Multiclass classification",
        "ranking": "Ranking",
    }
    lines = []
    for task, title in tasks.items():
        lines += ["", f"## {title}", "", "::::{div} names", ""]
        lines += ["| name | loss | metric | aliases |", "|---|---|---|---|"]
        lines += [
            f"| `{kind.name}` | {first_line(kind.__doc__).replace('|', chr(92) + '|')} | "
            f"`{kind.default_metric}` | {aliases(kind)} |"
            for kind in OBJECTIVES
            if kind.task == task
        ]
        lines += ["", "::::"]
    return "\n".join(lines)


def metrics() -> str:
    lines = ["::::{div} names", ""]
    lines += ["| name | value | better | aliases |", "|---|---|---|---|"]
    lines += [
        f"| `{kind.name}` | {first_line(kind.__doc__)} | "
        f"{'higher' if kind.higher_is_better else 'lower'} | {aliases(kind)} |"
        for kind in METRICS
    ]
    lines += ["", "::::"]
    return "\n".join(lines)


def fill(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname.startswith("reference/"):
        for name, table in (("objectives", objectives), ("metrics", metrics)):
            source[0] = source[0].replace(f"<!-- table: {name} -->", table())


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-process-docstring", escape, priority=400)
    app.connect("autodoc-skip-member", skip)
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

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
MADE_BY_TRAINING = {"ceiba.Model", "ceiba.explain.Explanation", "ceiba.explain.Dependence"}
OF_SCIKIT_LEARN = re.compile(r"set_\w+_request|get_metadata_routing")
CODE = re.compile(r"(``.*?``|`.*?`_?)")


def shorten(
    app: Sphinx, what: str, name: str, obj: object, options: Any, signature: str, returns: str
) -> tuple[str, str] | None:
    """Cut the signature of an estimator (over a hundred parameters); drop that of `Model`."""
    if name in MADE_BY_TRAINING:
        return "", returns
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


def described(kind: Any) -> str:
    """Return the first line of a docstring and the aliases, as the cell of a table."""
    text = first_line(kind.__doc__).replace("|", "\\|")
    aliases = ", ".join(f"`{alias}`" for alias in kind.aliases)
    return f"{text}<br>Aliases: {aliases}" if aliases else text


def objectives() -> str:
    tasks = {
        "regression": "Regression",
        "binary": "Binary classification",
        "multiclass": "Multiclass classification",
        "ranking": "Ranking",
    }
    lines = []
    for task, title in tasks.items():
        lines += ["", f"## {title}", "", "| name | loss | metric |", "|---|---|---|"]
        lines += [
            f"| `{kind.name}` | {described(kind)} | `{kind.default_metric}` |"
            for kind in OBJECTIVES
            if kind.task == task
        ]
    return "\n".join(lines)


def metrics() -> str:
    lines = ["| name | value | better |", "|---|---|---|"]
    lines += [
        f"| `{kind.name}` | {described(kind)} | {'higher' if kind.higher_is_better else 'lower'} |"
        for kind in METRICS
    ]
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

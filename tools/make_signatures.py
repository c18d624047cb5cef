"""Write the stubs with every parameter for type checkers; with --check only compare.

From the declarations in ceiba.parameters: the constructors of the estimators (signatures.pyi), and
the dictionaries and keywords of train, cv, fit, Dataset and predict (typed.pyi).
"""

import argparse
import keyword
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from ceiba.estimators.documentation import describe
from ceiba.parameters import BY_NAME, DECLARED, FOLLOWS, FOREIGN, Parameter
from ceiba.parameters.keywords import CALLS, Call

SOURCE = Path(__file__).parents[1] / "src" / "ceiba"
SIGNATURES = SOURCE / "estimators" / "signatures.pyi"
TYPED = SOURCE / "parameters" / "typed.pyi"

HEAD = '''\
"""{what}

Written from src/ceiba/parameters by tools/make_signatures.py. Run `make generated`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
'''
KINDS = {"regressor": "Regressor", "classifier": "Classifier", "ranker": "Ranker"}
CALL_NAMES = {
    "fit": "FitKeywords",
    "train": "TrainKeywords",
    "cv": "CvKeywords",
    "Dataset": "DatasetKeywords",
    "predict": "PredictKeywords",
    "EarlyStopping": "EarlyStoppingKeywords",
    "LogRounds": "LogKeywords",
}


def signatures() -> str:
    parts = [
        HEAD.format(what="The constructors of the estimators, for type checkers and editors."),
        "from ceiba.parameters.typed import OtherNames\n",
    ]
    for kind, name in KINDS.items():
        own = [parameter for parameter in DECLARED if kind in parameter.estimators]
        lines = []
        for parameter in own:
            start = '"auto"' if parameter.name == "recipe" else "None"
            hint = f"{parameter.constraint.hint} | None"
            lines.append(f"        {parameter.name}: {hint} = {start},")
        doc = textwrap.indent(describe(kind), " " * 8, lambda line: bool(line.strip()))
        parts.append(
            f"class {name}Signature:\n"
            "    def __init__(\n        self,\n        *,\n"
            + "\n".join(lines)
            + "\n        **other_names: Unpack[OtherNames],\n    ) -> None:\n"
            '        """Make an estimator; ``None`` means the value of the recipe.\n\n'
            f"        Parameters\n        ----------\n{doc}\n"
            '        """\n'
        )
    return "\n".join(parts)


def typed() -> str:
    aliases = [
        (alias, f"{parameter.constraint.hint} | None", f"Another name of {parameter.name}.")
        for parameter in DECLARED
        for alias in parameter.aliases
    ]
    foreign = [
        (row.name, "Any", f"Of another library; {row.kind} here.")
        for row in FOREIGN.values()
        if row.kind != "refused"
    ]
    own = [
        (p.name, f"{p.constraint.hint} | None", f"{p.text} Default: {default(p)}.")
        for p in DECLARED
        if p.name != "n_estimators"
    ]
    rounds = BY_NAME["n_estimators"]
    parts = [
        HEAD.format(what="Parameters and keywords by their names, for type checkers and editors."),
        dictionary("OtherNames", "TypedDict", "Names of other libraries.", [*aliases, *foreign]),
        dictionary("Settings", "OtherNames", "Every parameter but n_estimators.", own),
        dictionary(
            "Params", "Settings", "Every parameter, by its name or that of another library.",
            [("n_estimators", f"{rounds.constraint.hint} | None", f"{rounds.text} Default: 100.")],
        ),
    ]  # fmt: skip
    parts += [keywords(call) for call in CALLS]
    return "\n".join(parts)


def keywords(call: Call) -> str:
    """Return the accepted keywords of a call. Refused ones are type errors too."""
    rows = [
        (row.name, "Any", f"Of another library; {row.kind} here.")
        for row in call.rows.values()
        if row.kind != "refused"
        and not (call.takes_parameters and row.name in {*BY_NAME, *FOREIGN})
        and row.name not in call.own
    ]
    base = "Settings" if call.takes_parameters else "TypedDict"
    return dictionary(CALL_NAMES[call.name], base, f"Keywords of {call.name}.", rows)


def dictionary(name: str, base: str, text: str, fields: Iterable[tuple[str, str, str]]) -> str:
    lines = [f"class {name}({base}, total=False):", f'    """{text}"""', ""]
    for field, hint, words in fields:
        if not keyword.iskeyword(field):
            lines += [f"    {field}: {hint}", f'    """{words}"""']
    return "\n".join([*lines, ""])


def default(parameter: Parameter) -> str:
    value = parameter.default
    if type(value) in FOLLOWS:
        words, own, other = value.cases()
        return f"{own} if {' or '.join(words)}, else {other}"
    return "found from the data" if parameter.from_data and value is None else repr(value)


def formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "stub.pyi", "-"]
    done = subprocess.run(command, input=text, check=True, text=True, capture_output=True)
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a stub is stale")
    check = parser.parse_args().check
    stale = 0
    for path, text in ((SIGNATURES, signatures()), (TYPED, typed())):
        new = formatted(text)
        if not check:
            path.write_text(new)
        elif not path.exists() or path.read_text() != new:
            stale = 1
            print(f"{path.name} is stale. Run `make generated`.")
    return stale


if __name__ == "__main__":
    sys.exit(main())

"""Write docs/parameters.md from the declaration in ceiba.parameters; with --check only compare."""

import argparse
import sys
from pathlib import Path
from typing import Any

from ceiba.parameters import DECLARED, FOREIGN, RECIPE_NAMES, Parameter, default_text
from ceiba.parameters.effects import described
from ceiba.parameters.recipes import TEXTS

PAGE = Path(__file__).parents[1] / "docs" / "parameters.md"

STAGES = {
    "recipe": "Starting point",
    "objective": "What is learned",
    "boosting": "Boosting",
    "data": "Bins",
    "rows": "Row sampling",
    "tree": "Trees",
    "leaf": "Leaves",
    "stopping": "When to stop",
    "estimator": "Estimators only",
    "run": "Running",
}

INTRODUCTION = """\
# Parameters

<!-- Written from src/ceiba/parameters by tools/make_parameter_page.py. Run `make generated`. -->

The same names serve the estimators (`CeibaClassifier(max_leaves=63)`) and `ceiba.train`
(`train({"max_leaves": 63}, dataset)` or `train(dataset=dataset, max_leaves=63)`). `None` means the
recipe's value. The names that other libraries use are aliases, or are listed
[at the end](#names-of-other-libraries); two names of one parameter with different values are an
error, and so is a name that does not exist. A parameter that has no effect beside the others ("only
with") is an error too, unless its value is that of the recipe.

## Recipes

A recipe sets the defaults; whatever you give wins over it.
"""


def shown(value: Any) -> str:
    return default_text(value, lambda plain: "see text" if plain is None else f"`{plain!r}`")


def section(parameter: Parameter) -> str:
    default = shown(parameter.default)
    others = [
        f"{recipe}: {shown(parameter.recipes[recipe])}"
        for recipe in RECIPE_NAMES
        if recipe in parameter.recipes and parameter.recipes[recipe] != parameter.default
    ]
    lines = [f"### `{parameter.name}`", "", parameter.text, ""]
    lines.append(f"- Must be {parameter.constraint.text}.")
    lines.append(f"- Default: {default}{' (' + '; '.join(others) + ')' if others else ''}.")
    if parameter.aliases:
        lines.append(f"- Also called {', '.join(f'`{alias}`' for alias in parameter.aliases)}.")
    if parameter.applies_to:
        lines.append(f"- Only with {described(parameter.applies_to)}.")
    if parameter.stage != "estimator" and not parameter.estimators:
        lines.append("- Only for `ceiba.train`; the estimators find it from the labels.")
    elif parameter.estimators == ("classifier",):
        lines.append("- Only for classification.")
    elif parameter.estimators == ("ranker",):
        lines.append("- Only for ranking.")
    return "\n".join([*lines, ""])


def foreign() -> str:
    """Return the names of other libraries that are no aliases, by kind."""

    def names(kind: str) -> str:
        return ", ".join(f"`{row.name}`" for row in FOREIGN.values() if row.kind == kind)

    reasons: dict[str, list[str]] = {}
    for row in FOREIGN.values():
        if row.kind == "refused":
            reasons.setdefault(row.why, []).append(f"`{row.name}`")
    refused = "\n".join(f"- {', '.join(names)}: {why}" for why, names in reasons.items())
    return (
        "## Names of other libraries\n\n"
        "Parameters of XGBoost, LightGBM, CatBoost and scikit-learn that are no aliases.\n\n"
        f"With an exact meaning, for all values or for those that have one: {names('meaning')}.\n\n"
        f"Harmless, since they change no model: {names('harmless')}.\n\n"
        f"Refused, unless their value switches the thing off:\n\n{refused}\n"
    )


def page() -> str:
    recipes = "\n".join(f"- `{name}`: {TEXTS[name]}" for name in RECIPE_NAMES)
    parts = [INTRODUCTION, recipes, ""]
    for stage, title in STAGES.items():
        parts += [f"## {title}", ""]
        parts += [section(parameter) for parameter in DECLARED if parameter.stage == stage]
    parts.append(foreign())
    unknown = {parameter.stage for parameter in DECLARED} - set(STAGES)
    if unknown:
        sys.exit(f"Give the stages {sorted(unknown)} a title in tools/make_parameter_page.py.")
    return "\n".join(parts).rstrip() + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is stale")
    if not parser.parse_args().check:
        PAGE.write_text(page())
        return 0
    if not PAGE.exists() or PAGE.read_text() != page():
        print("docs/parameters.md is stale: run `make generated`.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

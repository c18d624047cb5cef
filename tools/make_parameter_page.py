"""Write docs/parameters.md from the declarations in ceiba.parameters; with --check only compare.

The page lists parameters by topic. Each has a description, valid values, the default of each recipe
and its aliases; names of parameters in texts become links.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from ceiba.parameters import (
    BY_NAME,
    DECLARED,
    FOREIGN,
    RECIPE_NAMES,
    Parameter,
    default_text,
)
from ceiba.parameters.effects import described
from ceiba.parameters.recipes import TEXTS

PAGE = Path(__file__).parents[1] / "docs" / "parameters.md"

#: Topics in the order of the page: title, and the stages and names of its parameters.
TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Choice of the recipe", ("recipe",)),
    ("Objective and target", ("objective",)),
    ("Boosting rounds and modes", ("boosting",)),
    ("Trees", ("tree",)),
    ("Leaves and penalties", ("leaf",)),
    ("Row sampling", ("rows",)),
    ("Column sampling", ()),
    ("Categories", ()),
    ("Missing values and bins", ("data",)),
    ("Metrics and early stopping", ("stopping",)),
    ("Estimators", ("estimator",)),
    ("Execution", ("run",)),
)
#: Parameters in another topic than their stage, by the start of the name.
TOPIC_OF_PREFIX = {
    "colsample_": "Column sampling",
    "feature_weights": "Column sampling",
    "draw_until_split": "Column sampling",
    "cat_": "Categories",
    "categorical": "Categories",
    "max_cat_": "Categories",
    "max_combination": "Categories",
    "min_data_per_": "Categories",
    "target_": "Categories",
    "unseen_category": "Categories",
    "validation_fraction": "Metrics and early stopping",
    "drop_hopeless_columns": "Trees",
    "row_counts": "Trees",
    "sketch_eps": "Missing values and bins",
    "approx_scope": "Missing values and bins",
}

INTRODUCTION = """\
# Parameters

<!-- Generated from src/ceiba/parameters by tools/make_parameter_page.py. Run `make generated`. -->

Estimators and `ceiba.train` use the same parameters:

```python
import ceiba
import numpy as np

X = np.arange(400.0).reshape(200, 2)
y = X[:, 0] > 200
ceiba.CeibaClassifier(max_leaves=63, learning_rate=0.05).fit(X, y)
ceiba.train({"max_leaves": 63, "learning_rate": 0.05}, ceiba.Dataset(X, y))
```

- `None` means the default of the recipe.
- Aliases (`num_leaves`, `eta`) and many [names of other libraries](#names-of-other-libraries) work
  too. Two names of one parameter with different values raise an error.
- An unknown name raises an error that suggests the closest valid names.
- A parameter that has no effect with the other settings (see "Requires") raises an error, unless
  it has the default value of the recipe.
"""

_NAMES = "|".join(sorted(BY_NAME, key=len, reverse=True))
#: A parameter with an optional value, or a quoted value.
_MENTION = re.compile(rf"(?<![\w`.])(?:({_NAMES})\b(?:=('[^']*'|[\w.]+))?|('[^']*'))(?![\w`])")
#: Parameter names that are ordinary words become links only if a value follows.
_WORDS = {"boosting", "categorical", "missing", "normalize", "objective", "quantile", "recipe"}
_WORDS |= {"sampling", "subsample", "prune", "verbose"}


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


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION, _overview(), _recipes()]
    for title, _ in TOPICS:
        parts += [f"## {title}", ""]
        parts += [section(parameter) for parameter in DECLARED if topic_of(parameter) == title]
    parts.append(foreign())
    return "\n".join(parts).rstrip() + "\n"


def topic_of(parameter: Parameter) -> str:
    """Return the title of the topic that a parameter belongs to."""
    for prefix, title in TOPIC_OF_PREFIX.items():
        if parameter.name.startswith(prefix):
            return title
    for title, stages in TOPICS:
        if parameter.stage in stages:
            return title
    sys.exit(f"Add the stage {parameter.stage!r} to TOPICS in tools/make_parameter_page.py.")


def section(parameter: Parameter) -> str:
    """Return the section of one parameter."""
    facts = [("Values", _linked(parameter.constraint.text, parameter.name))]
    facts.append(("Default", _default(parameter, "auto")))
    facts += [
        (f"Recipe {_listed(recipes)}", shown) for shown, recipes in _other_defaults(parameter)
    ]
    if parameter.applies_to:
        facts.append(("Requires", _linked(described(parameter.applies_to), parameter.name)))
    for task, estimators in (("classification", "classifier"), ("ranking", "ranker")):
        if parameter.estimators == (estimators,):
            facts.append(("Estimators", f"{task} only"))
    if parameter.stage == "estimator":
        facts.append(("Where", "estimators only, not `ceiba.train`"))
    if parameter.aliases:
        facts.append(("Aliases", _listed(parameter.aliases)))
    lines = [f"### `{parameter.name}`", "", _linked(parameter.text, parameter.name), ""]
    return "\n".join([*lines, *(f"- {title}: {fact}" for title, fact in facts), ""])


def _other_defaults(parameter: Parameter) -> list[tuple[str, list[str]]]:
    """Return defaults that differ from the general one, each with its recipes."""
    found: dict[str, list[str]] = {}
    for recipe in RECIPE_NAMES:
        shown = _default(parameter, recipe)
        if shown != _default(parameter, "auto"):
            found.setdefault(shown, []).append(recipe)
    return list(found.items())


def _overview() -> str:
    """Return links to the parameters of each topic."""
    lines = []
    for title, _ in TOPICS:
        names = [own.name for own in DECLARED if topic_of(own) == title]
        anchor = title.lower().replace(" ", "-")
        links = ", ".join(f"[`{name}`](#{name})" for name in names)
        lines.append(f"- [{title}](#{anchor}): {links}")
    return "\n".join([*lines, ""])


def _recipes() -> str:
    """Return the description of each recipe, and what it changes."""
    parts = [
        "## Recipes",
        "",
        "A recipe is a named set of defaults: `CeibaRegressor(recipe='xgboost')`. Parameters that "
        "you set override it. `ceiba.RECIPES[name]` has all values.",
        "",
    ]
    for recipe in RECIPE_NAMES:
        parts += [f"### Recipe {recipe}", "", _linked(TEXTS[recipe], "recipe"), ""]
        changes = [
            f"[`{own.name}`](#{own.name}) {_default(own, recipe)}"
            for own in DECLARED
            if _default(own, recipe) != _default(own, "auto")
        ]
        if changes:
            parts += [f"Differs from `auto` in: {'; '.join(changes)}.", ""]
    return "\n".join(parts)


def foreign() -> str:
    """Return the names of other libraries that are not aliases, by kind."""

    def names(kind: str) -> str:
        return ", ".join(f"`{row.name}`" for row in FOREIGN.values() if row.kind == kind)

    reasons: dict[str, list[str]] = {}
    for row in FOREIGN.values():
        if row.kind == "refused":
            reasons.setdefault(row.why, []).append(row.name)
    refused = "\n".join(f"- {_listed(own)}: {_linked(why, '')}" for why, own in reasons.items())
    return (
        "## Names of other libraries\n\n"
        "Parameters of XGBoost, LightGBM, CatBoost and scikit-learn that are not aliases.\n\n"
        f"**Translated**, for all values or for those with an equivalent: {names('meaning')}.\n\n"
        f"**Ignored**, because they do not affect the model: {names('harmless')}.\n\n"
        f"**Refused**, unless the value switches the feature off:\n\n{refused}\n"
    )


def _default(parameter: Parameter, recipe: str) -> str:
    """Return the default of a recipe as text."""
    value = parameter.default_of(recipe)
    return default_text(value, lambda plain: "see text" if plain is None else f"`{plain!r}`")


def _listed(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _linked(text: str, own: str) -> str:
    """Set mentions of parameters and values in code font; link the parameters."""

    def replaced(match: re.Match[str]) -> str:
        name, value, quoted = match.groups()
        if quoted:
            return f"`{quoted}`"
        if value is None and name in _WORDS:
            return str(match.group())
        code = f"`{match.group()}`"
        return code if name == own else f"[{code}](#{name})"

    return _MENTION.sub(replaced, text)


if __name__ == "__main__":
    sys.exit(main())

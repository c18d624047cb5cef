"""The class ``Parameter``, defaults that depend on other parameters, and shared ranges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Constraint, Integer, Real
from ceiba.parameters.effects import AppliesTo

Stage = Literal[
    "recipe", "objective", "boosting", "tree", "leaf", "rows", "data", "stopping", "run",
    "estimator",
]  # fmt: skip

RECIPE_NAMES = (
    "auto", "single", "gbm", "histgb", "xgboost", "lightgbm", "catboost", "forest", "dart",
    "plgb", "tree",
)  # fmt: skip

FRACTION = Real(0.0, 1.0, includes_low=False)
LEVEL = Real(0.0, 1.0, includes_low=False, includes_high=False)
LIMIT = Either((Integer(2), Integer(0, 0)), "0 (unlimited) or an integer, 2 or more")


@dataclass(frozen=True)
class ByGrowth:
    """A default that depends on ``grow_policy``: one for leafwise growth, one for others."""

    leafwise: Any
    other: Any

    def cases(self) -> tuple[tuple[str, ...], Any, Any]:
        """Return the values of the other parameter, their default, and the default otherwise."""
        return ("leafwise",), self.leafwise, self.other


@dataclass(frozen=True)
class BySampling:
    """A default that depends on ``sampling``: one for mvs, one for others."""

    mvs: Any
    other: Any

    def cases(self) -> tuple[tuple[str, ...], Any, Any]:
        """Return the values of the other parameter, their default, and the default otherwise."""
        return ("mvs", "catboost"), self.mvs, self.other


@dataclass(frozen=True)
class Unless:
    """A default that changes to ``other`` if the user sets one of the parameters ``given``."""

    value: Any
    given: tuple[str, ...]
    other: Any


#: Kinds of defaults that depend on another parameter, with the name of that parameter.
FOLLOWS: Mapping[type[ByGrowth | BySampling], str] = {
    ByGrowth: "grow_policy",
    BySampling: "sampling",
}


def default_text(value: Any, show: Callable[[Any], str] = repr) -> str:
    """Return a default for documentation; ``show`` formats plain values."""
    if isinstance(value, ByGrowth | BySampling):
        words, own, other = value.cases()
        if own == other:
            return show(own)
        condition = " or ".join(map(repr, words))
        return f"{show(own)} if {FOLLOWS[type(value)]} is {condition}, else {show(other)}"
    if isinstance(value, Unless):
        names = " or ".join(value.given)
        return f"{show(value.value)}, or {show(value.other)} if {names} is given"
    return show(value)


@dataclass(frozen=True)
class Parameter:
    """Declaration of a parameter; ``recipes`` override ``default`` by recipe."""

    name: str
    constraint: Constraint
    default: Any
    text: str
    stage: Stage
    aliases: tuple[str, ...] = ()
    recipes: Mapping[str, Any] = field(default_factory=dict)
    advice: str = ""
    #: Whether None or 'auto' is resolved from the rows, labels or the objective.
    from_data: bool = False
    #: Conditions under which it has an effect (``effects.py``); empty: it always has one.
    applies_to: AppliesTo = field(default_factory=dict)
    #: Values that switch the feature off (or defaults of other libraries). They are accepted even
    #: where they have no effect.
    off: tuple[Any, ...] = ()
    #: Estimators that have it. ``train`` accepts all parameters except those of stage "estimator".
    estimators: tuple[str, ...] = ("regressor", "classifier", "ranker")

    def default_of(self, recipe: str) -> Any:
        """Return the default under a recipe."""
        return self.recipes.get(recipe, self.default)

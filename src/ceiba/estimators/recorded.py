"""Read the parameters of an estimator from a model, for ``CeibaClassifier.load_model(path)``.

A model records all parameters, also those that were found from the data. These would bind another
``fit``, so only parameters that a user must have set are taken.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from ceiba.model.file import as_stored
from ceiba.parameters import BY_NAME, FOLLOWS
from ceiba.parameters.foreign import same
from ceiba.parameters.recipes import RECIPES
from ceiba.parameters.resolving import resolve

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["recorded_parameters"]

#: Objectives that estimators choose from the labels.
_CHOSEN_OBJECTIVES = frozenset({"squared_error", "logistic", "softmax", "lambdarank_ndcg"})
#: Defaults that stand for another value.
_OPEN = (None, "auto", "catboost", "objective")
#: Values of open defaults that only a user sets.
_NEVER_CHOSEN = {"split_method": ("exact", "approx")}
#: Parameters of this machine, and metrics, which may be functions.
_LEFT_OUT = frozenset({"recipe", "n_jobs", "verbose", "eval_metric"})
#: What recipes auto and single choose for ranking.
_CHOSEN_FOR_RANKING = frozenset({"grow_policy", "max_leaves", "max_depth"})


def recorded_parameters(model: Model, names: Collection[str]) -> dict[str, Any]:
    """Return the parameters among ``names`` that differ from those of the model's recipe.

    An estimator with the constructor of another library has no recipe, and only ``n_estimators``.
    Where candidates raced, all parameters are those of the winner, and none is returned.
    """
    recorded = as_stored(model.parameters)
    recipe = recorded.get("recipe", "auto")
    if "recipe" not in names:
        return {name: recorded[name] for name in {"n_estimators"} & set(names) & set(recorded)}
    if recipe not in RECIPES or _has_raced(model):
        return {}
    followed = {name: recorded[name] for name in FOLLOWS.values() if name in recorded}
    defaults = dict(resolve({"recipe": recipe, **followed}).items())
    defaults |= {name: RECIPES[recipe][name] for name in followed}
    found = {} if recipe == "auto" else {"recipe": recipe}
    chosen = _CHOSEN_FOR_RANKING if recipe in ("auto", "single") and _ranks(model) else ()
    for name in sorted(set(names) & set(recorded) - _LEFT_OUT - set(chosen)):
        if _is_set(name, recorded[name], defaults[name]):
            found[name] = recorded[name]
    return found


def _is_set(name: str, value: Any, default: Any) -> bool:
    """Return whether a recorded value cannot come from the recipe or from the data."""
    if name == "objective":
        return value not in _CHOSEN_OBJECTIVES and not str(value).startswith("custom")
    is_open = any(default is word or default == word for word in _OPEN)
    if is_open and (BY_NAME[name].from_data or isinstance(default, str)):
        is_given = name == "base_score" and value is not None
        return is_given or value in _NEVER_CHOSEN.get(name, ())
    return not same(value, default)


def _has_raced(model: Model) -> bool:
    return any(entry.question != "Trainings" for entry in model.recorded_decisions)


def _ranks(model: Model) -> bool:
    return model.objective.task == "ranking"

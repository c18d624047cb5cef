"""Raise an error for options of a loss that is not trained.

An option is a parameter that only some losses or metrics read, such as ``quantile``. If neither the
objective nor a metric of ``eval_metric`` reads it, a value other than that of the recipe is a
mistake of the user.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ceiba.errors import InvalidParameterError
from ceiba.metrics import METRICS, find_metric, wished_metrics
from ceiba.objectives import OBJECTIVES, Objective
from ceiba.parameters import BY_NAME

if TYPE_CHECKING:
    from ceiba.parameters.resolving import Parameters

__all__ = ["check_loss_options"]

#: Options for any loss: where there is no choice of leaves, leaf_rule asks for nothing, and
#: n_classes is refused with a reason of its own.
_ANY_LOSS = {"leaf_rule", "n_classes"}
#: Options for any loss of a task. Two classes do without the factor that a classifier has for more,
#: and CeibaRanker.score reads the gains whatever was trained.
_ANY_OF_TASK = {"binary": {"hessian_factor"}, "ranking": {"ndcg_exp_gain"}}


def check_loss_options(parameters: Parameters, objective: Objective) -> None:
    """Raise InvalidParameterError for an option that neither objective nor metrics read."""
    options = parameters.of_stage("objective")
    passing = _options_of(objective) | _ANY_LOSS | _ANY_OF_TASK.get(objective.task, set())
    for metric in wished_metrics(parameters.eval_metric, objective.default_metric):
        passing |= set(find_metric(metric, called="eval_metric").option_names())
    if parameters.calibration_folds in (0, "auto"):
        passing.add("calibration_folds")  # nothing that must be done
    for name, value in options.items():
        if name in passing or value == BY_NAME[name].default_of(parameters.recipe):
            continue
        losses = [kind.name for kind in OBJECTIVES if name in _options_of(kind)]
        if losses:
            called = parameters.called(name)
            raise InvalidParameterError(_message(name, called, value, losses, objective))
    _check_guard(parameters, objective)


def _check_guard(parameters: Parameters, objective: Objective) -> None:
    """Refuse leaf_guard for a loss whose leaves it does not limit."""
    is_default = parameters.leaf_guard == BY_NAME["leaf_guard"].default_of(parameters.recipe)
    has_guard = objective.has_class_link or objective.log_link_power is not None
    if parameters.is_given("leaf_guard") and not is_default and not has_guard:
        raise InvalidParameterError(
            f"leaf_guard={parameters.leaf_guard} has no effect with objective {objective.label}. "
            "It applies only with losses of classes and losses with a log link, such as logistic, "
            "softmax, poisson, gamma and tweedie. Leave leaf_guard out."
        )


def _options_of(objective: Objective | type[Objective]) -> set[str]:
    names = {field.name for field in fields(objective)}
    return names | {"calibration_folds"} if objective.has_levels else names


def _message(name: str, called: str, value: Any, losses: list[str], objective: Objective) -> str:
    metrics = [kind.name for kind in METRICS if name in kind.option_names()]
    ours = f" (here {name})" if called != name else ""
    readers = f"objective {' or '.join(losses)}"
    readers += f" and metric {' or '.join(metrics)}" if metrics else ""
    return (
        f"{called}{ours} is read by {readers}. Got {called}={value!r} with objective "
        f"{objective.label}, which does not read it. Give objective={losses[0]!r}, or leave "
        f"{called} out."
    )

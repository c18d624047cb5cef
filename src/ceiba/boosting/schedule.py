"""The learning rate of every round: one number, or a schedule.

A schedule is a list with a rate per round, or a function of the round number (from 0). It is
evaluated before the first round, so that a model records rates and no code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.parameters.constraints import Real, check_value
from ceiba.parameters.user_functions import check_arguments

if TYPE_CHECKING:
    from ceiba.objectives import Objective

__all__ = ["join_rates", "learning_rates", "rate_of_rule"]

Rates = float | list[float]

_RATE = Real(0.0, includes_low=False)


def learning_rates(
    learning_rate: float | Sequence[float] | Callable[[int], Any], n_rounds: int
) -> Rates:
    """Return the rate of all rounds, or a list with one rate per round."""
    if callable(learning_rate):
        check_arguments(learning_rate, "learning_rate", ("round_number",), "It returns the rate.")
        return [
            check_value(f"learning_rate({number})", _RATE, learning_rate(number))
            for number in range(n_rounds)
        ]
    if not isinstance(learning_rate, Sequence):
        return learning_rate
    if len(learning_rate) < n_rounds:
        raise InvalidParameterError(
            f"learning_rate must hold a rate for each of the {n_rounds} rounds. "
            f"Got {len(learning_rate)}. Give more rates, or a smaller n_estimators; rounds of an "
            "earlier model count too."
        )
    return list(learning_rate[:n_rounds])


def rate_of_rule(objective: Objective, n_rows: int, n_rounds: int, has_eval_sets: bool) -> float:
    """Return the learning rate of ``learning_rate="auto"``, CatBoost's rule.

    It is min(exp(A log n + B) (rounds / 1000)^C, 0.5), rounded to six digits, with constants of the
    objective; 0.03 if the objective has none.
    """
    if objective.catboost_rates is None:
        return 0.03
    a, b, c = objective.catboost_rates[0 if has_eval_sets else 1]
    log_rows, log_rounds = _core.log(np.array([n_rows, n_rounds / 1000.0]))
    rate = float(_core.exp(np.array([a * log_rows + b + c * log_rounds]))[0])
    return max(round(min(rate, 0.5), 6), 1e-6)


def join_rates(earlier: Rates, n_earlier: int, rates: Rates, n_rounds: int) -> Rates:
    """Join the rates of ``n_earlier`` rounds and, for later rounds, ``rates``."""
    if earlier == rates and not isinstance(rates, list):
        return rates
    return [*_listed(earlier, n_earlier)[:n_earlier], *_listed(rates, n_rounds)[n_earlier:]]


def _listed(rates: Rates, n_rounds: int) -> list[float]:
    return rates if isinstance(rates, list) else [rates] * n_rounds

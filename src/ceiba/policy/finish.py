"""Let the winners of a race use all rows, and average them.

With several folds, the models of the folds are averaged: each row was trained on in all folds but
one. With one fold, the leaf values of a winner are fitted again to all rows, and a quarter more
rounds follow, because a fifth of the rows was held out. The winners train again on all rows if
categories are encoded by target statistics, or if folds of the user do not deal every row once,
such as those of a time series.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from ceiba.boosting.continuation.continued import Earlier
from ceiba.boosting.continuation.refit import refit_model
from ceiba.boosting.loop import boost
from ceiba.model.mean import mean_of_models
from ceiba.model.predict import count_threads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.model.model import Model
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters
    from ceiba.policy.race import Contestant

__all__ = ["mean_of", "on_all_rows", "trained_again"]


def on_all_rows(
    winner: Contestant,
    dataset: Dataset,
    objective: Objective,
    classes: NDArray[Any] | None,
    share_held_out: float,
) -> Model:
    """Return the model of a winner, fitted to all rows."""
    (model,) = winner.models()
    parameters = winner.candidate.parameters
    model = refit_model(model, dataset, 0.0, count_threads(parameters.n_jobs))
    further = round(share_held_out / (1.0 - share_held_out) * model.n_iterations)
    if further == 0:
        return model
    parameters = parameters.replace(n_estimators=further, early_stopping_rounds=0)
    rounds = boost(
        parameters, dataset, {}, classes=classes, earlier=Earlier(model), objective=objective
    )
    (last,) = deque(rounds, maxlen=1)
    return last.make_model()


def trained_again(
    winner: Contestant,
    dataset: Dataset,
    objective: Objective,
    classes: NDArray[Any] | None,
    share_held_out: float = 0.0,
) -> Model:
    """Return the model of a winner's settings, trained on all rows; more rows get more rounds."""
    n_rounds = round((winner.best_round + 1) / (1.0 - share_held_out))
    parameters = winner.candidate.parameters.replace(n_estimators=n_rounds, early_stopping_rounds=0)
    rounds = boost(parameters, dataset, {}, classes=classes, objective=objective)
    (last,) = deque(rounds, maxlen=1)
    return last.make_model()


def mean_of(models: Sequence[Model], parameters: Parameters) -> Model:
    """Return the mean of the models of all winners."""
    n_parallel = sum(model.forest.n_parallel for model in models)
    n_rounds = max(model.n_iterations for model in models)
    recorded = parameters.replace(n_estimators=n_rounds, num_parallel_tree=n_parallel).for_model()
    merged = {**models[0].parameters, **{k: recorded[k] for k in ("recipe", "quality")}}
    merged |= {"n_estimators": n_rounds, "num_parallel_tree": n_parallel}
    return mean_of_models(models, merged)

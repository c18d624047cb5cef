"""Cross-validation: train a model per fold in step, and return a table of metrics.

The life of a cross-validation:

1. ``boosting/row_splits.py`` turns ``folds`` into pairs of rows to train on and rows to score.
2. Every fold is a training of its own: bins (unless they are shared) and start scores come from
   its training rows.
3. The trainings advance in step. After each round the callbacks see the means over the folds, so
   early stopping stops all folds at one iteration: the best on average.
4. The table holds mean and standard deviation of every metric after every round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.fit import check_dataset, own_callbacks, with_categories
from ceiba.boosting.loop import boost
from ceiba.boosting.loss_options import check_loss_options
from ceiba.boosting.prepare import settle_early_stopping
from ceiba.boosting.row_splits import FoldRequest, fold_rows
from ceiba.boosting.start import bind_objective, checked_target, create_objective
from ceiba.callbacks import CallbackList, Round, translated
from ceiba.data.dataset import Dataset
from ceiba.data.frames import make_frame
from ceiba.errors import (
    CrossValidationInterrupted,
    InvalidInputError,
    InvalidParameterError,
)
from ceiba.metrics import wished_metrics
from ceiba.parameters.constraints import Boolean, check_value
from ceiba.parameters.keywords import CV
from ceiba.parameters.resolving import naming_as_written
from ceiba.training import resolve_for_training

if TYPE_CHECKING:
    from typing import Unpack

    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters
    from ceiba.parameters.typed import CvKeywords, Params

__all__ = ["cv"]


def cv(
    params: Params | Mapping[str, Any] | None = None,
    dataset: Dataset | None = None,
    n_estimators: int | None = None,
    *,
    folds: Any = None,
    groups: Any = None,
    stratified: bool | None = None,
    shuffle: bool | None = None,
    callbacks: Iterable[Any] | None = None,
    return_models: bool | None = None,
    share_bins: bool | None = None,
    **parameters: Unpack[CvKeywords],
) -> Any:
    """Cross-validate: train on all folds but one and score that one, for each fold.

    Parameters
    ----------
    params : mapping, optional
        Parameters by any of their names. ``random_state`` also shuffles the rows.
    dataset : Dataset
        All rows.
    n_estimators : int, optional
        Number of rounds (num_boost_round).
    folds : int, splitter or list, default=5
        A number; a splitter of scikit-learn, which sees rows of positive weight; or pairs (rows to
        train on, rows to score), as numbers or masks of all rows.
    groups : array of shape (n_rows,), optional
        Rows of one group stay in one fold. Default: the queries, if any.
    stratified : bool, optional
        Whether every fold has the same share of each class. Default: True for classes.
    shuffle : bool, default=True
        Whether to shuffle the rows before they are split.
    callbacks : list, optional
        They see the means over the folds, of the eval sets ``train`` and ``test``.
    return_models : bool, default=False
        Whether to return the models of the folds too.
    share_bins : bool, default=False
        Whether all folds use the bin edges of the whole dataset instead of their own. Faster;
        metrics may differ where a column has more than ``max_bins`` distinct values.
    **parameters
        Parameters as arguments; early_stopping_rounds watches the mean of the last metric over the
        folds. Arguments of other libraries, such as nfold or feval, work too.

    Returns
    -------
    table
        One row per round, and columns such as ``test-rmse-mean``, ``test-rmse-std`` and
        ``train-rmse-mean``: a DataFrame of pandas or polars, whichever is installed, or else a
        dictionary of arrays. The standard deviation divides by the number of folds.
    models : list of Model
        Only with ``return_models=True``, which returns the pair (table, models).

    Raises
    ------
    CrossValidationInterrupted
        On Ctrl-C, once all folds have finished a round: ``table`` (and ``models``) hold these.

    Examples
    --------
    >>> import numpy as np
    >>> import ceiba
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> table = ceiba.cv({"max_leaves": 7}, ceiba.Dataset(X, X[:, 0]), 20, folds=3)
    >>> list(table)
    ['train-rmse-mean', 'train-rmse-std', 'test-rmse-mean', 'test-rmse-std']
    """
    own = {
        "dataset": dataset,
        "n_estimators": n_estimators,
        "folds": folds,
        "groups": groups,
        "stratified": stratified,
        "shuffle": shuffle,
        "callbacks": callbacks,
        "return_models": return_models,
        "share_bins": share_bins,
    }
    given, parts = CV.read_training(parameters, params, own)
    return _cross_validate(resolve_for_training(*parts, dataset=given["dataset"]), given)


@naming_as_written
def _cross_validate(parameters: Parameters, given: Mapping[str, Any]) -> Any:
    """Train the folds in step, with the arguments of ``cv`` by their names."""
    for name in ("return_models", "share_bins"):
        if given[name] is not None:
            check_value(name, Boolean(), given[name])
    dataset, returns_models = given["dataset"], bool(given["return_models"])
    shares = bool(given["share_bins"])
    if parameters.is_given("validation_fraction"):
        raise InvalidParameterError(
            "validation_fraction holds rows out for early stopping. Got it in cv, whose folds are "
            "held out already. Leave it out."
        )
    check_dataset(dataset)
    objective = create_objective(parameters)
    check_loss_options(parameters, objective)
    dataset = with_categories(parameters, dataset)
    target = checked_target(dataset)
    objective = bind_objective(objective, parameters, target)
    if not (wished_metrics(parameters.eval_metric, objective.default_metric) or returns_models):
        raise InvalidInputError(
            "A cross-validation needs a metric. Got none: a custom objective has no metric of its "
            "own. Give eval_metric."
        )
    if objective.task == "multiclass":
        # A fold need not have a row of every class.
        parameters = parameters.replace(n_classes=objective.n_outputs(target))
    parameters = parameters.replace(unseen_category="missing")  # nor of every level
    dataset = dataset.with_unseen("missing")
    parameters = settle_early_stopping(parameters, dataset.n_rows)
    asked = {name: given[name] for name in ("groups", "stratified", "shuffle")}
    folds = 5 if given["folds"] is None else given["folds"]
    pairs = fold_rows(dataset, objective, FoldRequest(folds, **asked, seed=parameters.random_state))

    found = translated(given["callbacks"], ["train"])
    parameters = found.with_rates(parameters, 0)
    trainings, evals = [], {}
    for learned, scored in pairs:
        evals = {
            "train": dataset.take(learned, share_bins=shares),
            "test": dataset.take(scored),
        }
        trainings.append(boost(parameters, evals["train"], evals))
    own = own_callbacks(parameters, evals)
    watching = CallbackList([*own, *found.callbacks])
    lines: list[dict[str, float]] = []  # rows of the table, one per round of all folds
    last: tuple[Round, ...] = ()

    def results() -> tuple[Any, list[Model]]:
        best = watching.kept_iteration()
        kept = len(lines) - 1 if best is None else best
        names = lines[0] if lines else ()
        table = {name: np.array([line[name] for line in lines[: kept + 1]]) for name in names}
        models = [round.make_model(kept) for round in last] if returns_models else []
        return make_frame(table), models

    try:
        watching.before_training(parameters.n_estimators)
        for rounds in zip(*trainings, strict=True):
            mean, line = _mean_round(rounds)
            last = rounds
            lines.append(line)
            if watching.after_round(mean):
                break
    except KeyboardInterrupt:
        if not lines:
            raise
        raise CrossValidationInterrupted(
            f"Cross-validation was interrupted. All folds have finished {len(lines)} rounds.",
            *results(),
        ) from None
    finally:
        watching.after_training()
    return results() if returns_models else results()[0]


def _mean_round(rounds: tuple[Round, ...]) -> tuple[Round, dict[str, float]]:
    """Return the mean round of all folds, and its row of the table."""
    first = rounds[0]
    means: dict[str, dict[str, float]] = {}
    line: dict[str, float] = {}
    for name, metrics in first.evals.items():
        means[name] = {}
        for metric in metrics:
            values = np.array([round.evals[name][metric] for round in rounds])
            finite = bool(np.isfinite(values).all())
            mean = _core.exact_sum(values) / len(values) if finite else np.nan
            means[name][metric] = mean
            line[f"{name}-{metric}-mean"] = mean
            line[f"{name}-{metric}-std"] = float(values.std()) if finite else np.nan

    def refuse(*_: Any) -> Model:
        raise InvalidInputError(
            "A cross-validation has one model for each fold. Got a callback that asks for a single "
            "model. Give it to ceiba.train, or return_models=True to ceiba.cv."
        )

    return Round(first.iteration, first.n_rounds, means, first.higher_is_better, refuse), line

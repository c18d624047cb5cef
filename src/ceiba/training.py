"""The training loop.

::

    scores ─► gradients ─► rows ─► trees ─► leaf values ─► scores
       ▲                                                     │
       └───────────────────── next round ◄───────────────────┘

The score buffer is the one thing that is changed in place; every other stage of a round reads what
came before and returns something new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ceiba import _core
from ceiba.boosting import PlainBoosting
from ceiba.callbacks import (
    Callback,
    CallbackList,
    EarlyStopping,
    ProgressBar,
    RecordHistory,
    Round,
    check_callbacks,
)
from ceiba.dataset import Dataset
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.evaluating import EvalSet, EvalSets, find_metrics, named_eval_sets
from ceiba.growing import (
    bin_for,
    choose_split_method,
    grow_trees,
    make_grower,
    rank_for,
)
from ceiba.leaves import fit_leaves
from ceiba.model import Model
from ceiba.parameters import BY_NAME, Parameters, canonical_names, resolve
from ceiba.predict import count_threads
from ceiba.sampling import select_rows
from ceiba.starting import (
    checked_target,
    empty_statistics,
    first_scores,
    make_objective,
    settle_parameters,
    start_scores,
    training_weights,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["early_stopping_patience", "train", "train_resolved"]

#: What early_stopping_rounds="auto" stands for, and the number of rows above which it holds.
AUTO_PATIENCE = 10
AUTO_ROWS = 10_000


def train(
    params: Mapping[str, Any],
    dataset: Dataset,
    *,
    eval_sets: EvalSets = None,
    callbacks: Iterable[Any] | None = None,
) -> Model:
    """Train a model.

    Parameters
    ----------
    params : mapping
        Parameters by name or alias; see ``ceiba.parameters``.
    dataset : Dataset
        Rows, target, and optionally weights and initial scores. Where rows have an initial score,
        the model predicts what is to be added to it.
    eval_sets : list of Dataset, or mapping from name to Dataset, optional
        Scored after every round; members of a list are called validation_0, validation_1, …
        The last one decides early stopping.
    callbacks : list, optional
        Functions of a :class:`ceiba.Round`, or objects derived from :class:`ceiba.Callback`.

    Returns
    -------
    Model
        With early stopping, the trees up to the best iteration; otherwise all of them.
    """
    parameters = resolve(params)
    for name, (written, _) in canonical_names(params).items():
        if BY_NAME[name].stage == "estimator":
            raise InvalidParameterError(
                f"{written} belongs to CeibaRegressor and CeibaClassifier; train does not take it. "
                "Give weights and eval sets as Datasets."
            )
    return train_resolved(parameters, dataset, eval_sets=eval_sets, callbacks=callbacks)


def train_resolved(
    parameters: Parameters,
    dataset: Dataset,
    *,
    eval_sets: EvalSets = None,
    callbacks: Iterable[Any] | None = None,
    classes: NDArray[Any] | None = None,
) -> Model:
    """Train with resolved parameters; ``classes`` are labels for the model to remember."""
    if not isinstance(dataset, Dataset):
        raise InvalidTypeError(
            f"dataset must be a ceiba.Dataset. Got {type(dataset).__name__}. "
            "Make one with ceiba.Dataset(data, target)."
        )
    n_rounds, n_threads = parameters.n_estimators, count_threads(parameters.n_jobs)
    target = checked_target(dataset)
    objective = make_objective(parameters, target)
    bound = objective.for_queries(dataset.queries)
    parameters = choose_split_method(parameters)
    n_outputs = objective.n_outputs(target)
    weights = training_weights(parameters, objective, dataset)
    start = start_scores(parameters, objective, dataset, weights, n_outputs)

    mapper, binned = bin_for(parameters, dataset, weights, n_threads)
    ranked = rank_for(parameters, dataset, n_threads)
    evals = [
        EvalSet.make(
            name, rows, dataset, mapper if ranked is None else None, objective, start, n_threads
        )
        for name, rows in named_eval_sets(eval_sets).items()
    ]
    metrics = find_metrics(parameters, objective, evals)
    parameters = settle_parameters(parameters, objective, metrics)
    higher_is_better = {metric.name: metric.higher_is_better for metric in metrics}
    record = RecordHistory()
    watching = CallbackList(
        [record, *_own_callbacks(parameters, dataset, evals), *check_callbacks(callbacks)]
    )

    scores = first_scores(start, dataset)
    statistics = empty_statistics(objective, n_outputs, dataset.n_rows)
    grower = make_grower(binned, parameters, weights, n_threads, ranked)
    boosting = PlainBoosting(parameters)
    friedman = parameters.leaf_rule == "friedman"
    leaf_factor = objective.friedman_factor(n_outputs) if friedman else 1.0
    guard = objective.log_link_power if parameters.leaf_guard else None
    grown: list[_core.GrownTrees] = []

    def make_model(best_iteration: int | None = None) -> Model:
        last = len(grown) - 1 if best_iteration is None else best_iteration
        return Model(
            schema=dataset.schema,
            objective=objective,
            parameters=parameters.for_model(),
            start_scores=start,
            forest=_core.Forest.from_grown(grown[: last + 1], dataset.n_features, n_outputs),
            best_iteration=last,
            history=record.history,
            classes=classes,
        )

    try:
        watching.before_training(n_rounds)
        for iteration in range(n_rounds):
            points = boosting.scores_for_gradients(iteration, scores)
            loss = bound.for_round(points, target, weights)
            loss.gradients(points, target, statistics.gradients, statistics.hessians, n_threads)
            rows = select_rows(parameters, iteration, dataset.n_rows, n_threads)
            trees = grow_trees(grower, statistics, rows, iteration)
            tree_weight = boosting.tree_weight(iteration) * leaf_factor
            fit_leaves(trees, statistics, tree_weight)
            if guard is not None:
                trees.shorten_leaves(guard, tree_weight)
            trees.add_to_scores(scores)
            grown.append(trees)
            results = {entry.name: entry.add(trees, metrics) for entry in evals}
            if watching.after_round(
                Round(iteration, n_rounds, results, higher_is_better, make_model)
            ):
                break
    finally:
        watching.after_training()
    return make_model(watching.best_iteration())


def early_stopping_patience(parameters: Parameters, n_rows: int) -> int:
    """Return the rounds that early stopping waits, 0 for no early stopping."""
    if parameters.early_stopping_rounds == "auto":
        return AUTO_PATIENCE if n_rows > AUTO_ROWS else 0
    return int(parameters.early_stopping_rounds)


def _own_callbacks(
    parameters: Parameters, dataset: Dataset, evals: list[EvalSet]
) -> list[Callback]:
    """Return the callbacks that the parameters ask for."""
    asked: list[Callback] = []
    patience = early_stopping_patience(parameters, dataset.n_rows)
    if patience and not evals and parameters.early_stopping_rounds != "auto":
        raise InvalidInputError(
            f"early_stopping_rounds={patience} needs an eval set. Give eval_sets to train, or use "
            "an estimator, which holds out validation_fraction of the rows."
        )
    if patience and evals:
        asked.append(EarlyStopping(patience, parameters.early_stopping_tolerance))
    if parameters.verbose:
        asked.append(ProgressBar())
    return asked

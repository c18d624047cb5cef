"""The training loop.

::

    scores ─► gradients ─► rows ─► trees ─► leaf values ─► scores
       ▲                                                     │
       └───────────────────── next round ◄───────────────────┘

The score buffer is the one thing that is changed in place; every other stage of a round reads what
came before and returns something new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ceiba import _core
from ceiba.boosting import PlainBoosting
from ceiba.calibrating import Trees, calibrated
from ceiba.callbacks import (
    Callback,
    CallbackList,
    EarlyStopping,
    ProgressBar,
    Round,
    check_callbacks,
)
from ceiba.column_rules import column_rules
from ceiba.continuing import Earlier, digest_eval_sets, digest_rows, find_earlier
from ceiba.dataset import Dataset
from ceiba.errors import (
    InvalidInputError,
    InvalidParameterError,
    InvalidTypeError,
    TrainingInterrupted,
)
from ceiba.evaluating import (
    EvalSet,
    EvalSets,
    add_to_history,
    find_metrics,
    history_until,
    named_eval_sets,
)
from ceiba.growing import (
    bin_for,
    choose_split_method,
    grow_trees,
    make_grower,
    rank_for,
)
from ceiba.leaves import LeafRule
from ceiba.loss_options import check_loss_options
from ceiba.model import Model
from ceiba.parameters import BY_NAME
from ceiba.predict import count_threads
from ceiba.resolving import Parameters, canonical_names, resolve
from ceiba.sampling import select_rows
from ceiba.starting import (
    checked_target,
    empty_statistics,
    first_scores,
    make_objective,
    record_reading,
    settle_parameters,
    start_scores,
    training_weights,
)

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

__all__ = [
    "boost",
    "check_dataset",
    "early_stopping_patience",
    "own_callbacks",
    "resolve_for_training",
    "train",
    "train_resolved",
]

#: What early_stopping_rounds="auto" stands for, and the number of rows above which it holds.
AUTO_PATIENCE = 10
AUTO_ROWS = 10_000


def train(
    params: Mapping[str, Any],
    dataset: Dataset,
    *,
    eval_sets: EvalSets = None,
    callbacks: Iterable[Any] | None = None,
    init_model: Model | str | os.PathLike[str] | None = None,
    resume_from: str | os.PathLike[str] | None = None,
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
    init_model : Model or path, optional
        Put ``n_estimators`` further rounds on top of this model. Rows may be others, columns and
        objective may not. On the same rows and with the same parameters, n rounds and then m more
        are the n + m rounds of one training, bit for bit; only early stopping starts afresh.
    resume_from : path, optional
        Go on with a training that was cut off, from a file that :class:`ceiba.Checkpoint` wrote.
        Give the rows, eval sets, parameters and callbacks that the training had; the model is the
        one that it would have made, bit for bit. ``n_estimators`` is the number of rounds in all.

    Returns
    -------
    Model
        With early stopping, the trees up to the best iteration; otherwise all of them.

    Raises
    ------
    TrainingInterrupted
        A KeyboardInterrupt (Ctrl-C), once there are complete rounds; its ``model`` holds them.
    """
    parameters = resolve_for_training(params)
    check_loss_options(parameters)
    earlier = find_earlier(init_model, resume_from)
    return train_resolved(
        parameters, dataset, eval_sets=eval_sets, callbacks=callbacks, earlier=earlier
    )


def train_resolved(
    parameters: Parameters,
    dataset: Dataset,
    *,
    eval_sets: EvalSets = None,
    callbacks: Iterable[Any] | None = None,
    classes: NDArray[Any] | None = None,
    earlier: Earlier = Earlier(),  # noqa: B008 (it is immutable)
) -> Model:
    """Train with resolved parameters; ``classes`` are labels for the model to remember."""
    check_dataset(dataset)
    evals = named_eval_sets(eval_sets)
    watching = CallbackList(
        [*own_callbacks(parameters, dataset, evals), *check_callbacks(callbacks)]
    )
    rounds = boost(parameters, dataset, evals, watching.state, classes=classes, earlier=earlier)
    make_model = None if earlier.model is None else earlier.make_model
    try:
        watching.before_training(earlier.last_round(parameters))
        earlier.restore(watching)
        for round in rounds:
            make_model = round.make_model
            if watching.after_round(round):
                break
    except KeyboardInterrupt:
        if make_model is None:
            raise
        model = make_model(watching.kept_iteration())
        raise TrainingInterrupted(
            f"Training was interrupted. The model has {model.n_iterations} whole rounds.",
            model,
        ) from None
    finally:
        watching.after_training()
    assert make_model is not None
    return make_model(watching.kept_iteration())


def train_trees(parameters: Parameters, dataset: Dataset) -> Trees:
    """Train the trees of a fold."""
    model = train_resolved(parameters, dataset)
    return Trees(model.forest, model.schema, model.start_scores)


def boost(
    parameters: Parameters,
    dataset: Dataset,
    eval_sets: Mapping[str, Dataset],
    watching_state: Callable[[], Any] = dict,
    *,
    classes: NDArray[Any] | None = None,
    earlier: Earlier = Earlier(),  # noqa: B008 (it is immutable)
) -> Iterator[Round]:
    """Boost, and yield what there is to see after every round; who reads on decides when to stop.

    ``watching_state`` tells the state of the callbacks, for checkpoints.
    """
    n_rounds, n_threads = earlier.last_round(parameters), count_threads(parameters.n_jobs)
    target = checked_target(dataset)
    parameters = record_reading(parameters, dataset, eval_sets)
    objective = make_objective(parameters, target)
    bound = objective.for_queries(dataset.queries)
    parameters = choose_split_method(parameters)
    n_outputs = objective.n_outputs(target)
    earlier.check(dataset, objective, n_outputs, classes)
    weights = training_weights(parameters, objective, dataset)
    start = start_scores(parameters, objective, dataset, weights, n_outputs)
    start = earlier.start(start, parameters)

    mapper, binned = bin_for(parameters, dataset, weights, n_threads)
    ranked = rank_for(parameters, dataset, n_threads)
    dataset = earlier.named(dataset)  # once it is binned, so that the user's keeps its bins
    evals = [
        EvalSet.make(
            name, rows, dataset, mapper if ranked is None else None, objective, start, n_threads
        )
        for name, rows in eval_sets.items()
    ]
    metrics = find_metrics(parameters, objective, evals)
    parameters = settle_parameters(parameters, objective, metrics, n_outputs)
    higher_is_better = {metric.name: metric.higher_is_better for metric in metrics}
    history = earlier.history(eval_sets, metrics)
    parameters = earlier.with_rates(parameters)
    of_all_rounds = parameters.replace(n_estimators=n_rounds)
    calibration = calibrated(objective, train_trees, of_all_rounds, dataset, n_outputs)

    scores = first_scores(start, dataset)
    earlier.add_to_scores(scores, dataset, dataset.schema, n_threads)
    for entry in evals:
        earlier.add_to_scores(entry.scores, eval_sets[entry.name], dataset.schema, n_threads)
    earlier.check_rows(scores, target, weights, dataset.queries)
    earlier.check_eval_sets(evals)
    statistics = empty_statistics(objective, n_outputs, dataset.n_rows)
    rules = column_rules(parameters, dataset.schema)
    grower = make_grower(binned, parameters, weights, n_threads, rules, ranked)
    boosting = PlainBoosting(parameters)
    leaf_rule = LeafRule.of(parameters, objective, n_outputs)
    grown: list[_core.GrownTrees] = []

    def make_model(iteration: int, best_iteration: int | None = None) -> Model:
        last = iteration if best_iteration is None else best_iteration
        return Model(
            schema=dataset.schema,
            objective=calibration.after(last + 1),
            parameters=parameters.for_model(),
            start_scores=start,
            forest=earlier.join(grown, last + 1, dataset.n_features, n_outputs),
            best_iteration=last,
            history=history_until(history, iteration),
            classes=classes,
        )

    def state() -> dict[str, Any]:
        rows = digest_rows(scores, target, weights, dataset.queries)
        scored = digest_eval_sets(evals)
        return {"watching": watching_state(), "rows": rows, "evals": scored}

    for iteration in range(earlier.n_rounds, n_rounds):
        points = boosting.scores_for_gradients(iteration, scores)
        loss = bound.in_turn(iteration).for_round(points, target, weights)
        loss.gradients(points, target, statistics.gradients, statistics.hessians, n_threads)
        rows = select_rows(parameters, iteration, dataset.n_rows, n_threads)
        trees = grow_trees(grower, statistics, rows, iteration, n_outputs)
        weight = boosting.tree_weight(iteration)
        leaf_rule.fit(trees, statistics, weight, loss, points, target, n_threads)
        trees.add_to_scores(scores)
        grown.append(trees)
        for entry in evals:
            entry.objective = calibration.after(iteration + 1)
        results = {entry.name: entry.add(trees, metrics) for entry in evals}
        add_to_history(history, results)
        make = partial(make_model, iteration)
        yield Round(iteration, n_rounds, results, higher_is_better, make, state)


def resolve_for_training(params: Mapping[str, Any]) -> Parameters:
    """Resolve parameters, and refuse those that only estimators have."""
    parameters = resolve(params)
    for name, (written, _) in canonical_names(params).items():
        if BY_NAME[name].stage == "estimator":
            raise InvalidParameterError(
                f"{written} belongs to CeibaRegressor and CeibaClassifier; train does not take it. "
                "Give weights and eval sets as Datasets."
            )
    return parameters


def check_dataset(dataset: object) -> None:
    """Refuse what is no Dataset."""
    if not isinstance(dataset, Dataset):
        raise InvalidTypeError(
            f"dataset must be a ceiba.Dataset. Got {type(dataset).__name__}. "
            "Make one with ceiba.Dataset(data, target)."
        )


def early_stopping_patience(parameters: Parameters, n_rows: int) -> int:
    """Return the rounds that early stopping waits, 0 for no early stopping."""
    if parameters.early_stopping_rounds == "auto":
        return AUTO_PATIENCE if n_rows > AUTO_ROWS else 0
    return int(parameters.early_stopping_rounds)


def own_callbacks(
    parameters: Parameters, dataset: Dataset, evals: Mapping[str, Dataset]
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

"""The training loop.

::

    scores ─► gradients ─► rows ─► trees ─► leaf values ─► scores
       ▲                                                     │
       └───────────────────── next round ◄───────────────────┘

The score buffer is the one thing that is changed in place; every other stage of a round reads what
came before and returns something new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ceiba import _core
from ceiba.boosting.calibration import Trees, calibrated
from ceiba.boosting.column_rules import column_rules
from ceiba.boosting.continuation import Earlier, digest_eval_sets, digest_rows
from ceiba.boosting.eval_sets import EvalSet, find_metrics
from ceiba.boosting.grow import (
    bin_for,
    check_shards,
    choose_split_method,
    grow_trees,
    make_grower,
    rank_for,
)
from ceiba.boosting.leaves import LeafRule
from ceiba.boosting.plain import PlainBoosting
from ceiba.boosting.prepare import (
    checked_target,
    empty_statistics,
    first_scores,
    make_objective,
    record_reading,
    settle_parameters,
    start_scores,
    training_weights,
)
from ceiba.boosting.sample import select_rows
from ceiba.callbacks import (
    Round,
)
from ceiba.callbacks.history import add_to_history, history_until
from ceiba.data.dataset import Dataset
from ceiba.model.model import Model
from ceiba.model.predict import count_threads
from ceiba.parameters.resolving import Parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["boost", "train_trees"]


def train_trees(parameters: Parameters, dataset: Dataset) -> Trees:
    """Train the trees of a fold."""
    (last,) = deque(boost(parameters, dataset, {}), maxlen=1)
    model = last.make_model()
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
    check_shards(parameters, dataset)
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
    metrics = find_metrics(parameters, objective, evals, classes)
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
    exchange = dataset.exchange(mapper) if mapper and dataset.is_sharded else None
    grower = make_grower(
        binned, parameters, weights, n_threads, rules, ranked, mapper=mapper, exchange=exchange
    )
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

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

from ceiba.boosting.calibration import ScoringTrees, calibrated
from ceiba.boosting.continuation.continued import Earlier
from ceiba.boosting.continuation.earlier_table import digest_eval_sets, digest_rows
from ceiba.boosting.encoding.encoded_table import encode_training
from ceiba.boosting.encoding.rare_levels import with_levels
from ceiba.boosting.eval_sets import evaluated
from ceiba.boosting.gradient_scale import scaled
from ceiba.boosting.modes.ordered import LeafFitInputs
from ceiba.boosting.prepare import make_boosting, prepare
from ceiba.boosting.round_grower import RoundGrower
from ceiba.boosting.row_statistics import RowStatistics, empty_statistics
from ceiba.boosting.sample import RowSelection, leaf_size
from ceiba.boosting.start import first_scores
from ceiba.boosting.training_tables import TrainingTables
from ceiba.callbacks import Round
from ceiba.callbacks.history import add_to_history, history_until
from ceiba.model.model import Model
from ceiba.parameters.constraints import Integer, check_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.parameters.resolving import Parameters

__all__ = ["boost", "train_trees"]


def boost(
    given: Parameters,
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
    dataset = with_levels(given, earlier.matched(dataset), is_new=earlier.model is None)
    ready = prepare(given, dataset, eval_sets, classes, earlier)
    parameters, target, weights = ready.parameters, ready.target, ready.weights
    evals, n_threads, n_outputs = ready.evals, ready.n_threads, ready.n_outputs
    calibration = calibrated(train_trees, ready)
    encoded = encode_training(given, ready, dataset, earlier.schema, train_trees)
    rows, tables = encoded.dataset, TrainingTables.of(ready, dataset, encoded)
    for entry in evals:
        entry.code(tables.for_eval_sets, n_threads, encoded.schema)
    first = first_scores(ready.start, dataset)
    leaf_inputs = LeafFitInputs.of(ready, tables.of_splits)
    boosting = make_boosting(parameters, first, earlier.tree_weights, leaf_inputs=leaf_inputs)
    earlier.replay(boosting, encoded.scored, rows, weights, evals, n_threads)
    statistics = empty_statistics(ready.objective, ready.n_outputs, dataset.n_rows)
    reads_leaves = ready.sampler.reads_leaves
    size_of_leaves = leaf_size(earlier.last_trees) if reads_leaves else None

    def select(statistics: RowStatistics, round: int, member: int) -> RowSelection:
        return ready.sampler.select(statistics, round, member, size_of_leaves)

    alike = boosting.rounds_are_alike and ready.rounds_are_alike and tables.exchange is None
    rounds = RoundGrower(tables.grower(ready), select, ready, n_threads if alike else 1)
    collected = earlier.collect(rows.n_features, n_outputs, rounds.n_parallel)

    def make_model(iteration: int, best_iteration: int | None = None) -> Model:
        last = _last_iteration(iteration, best_iteration)
        return Model(
            schema=encoded.schema,
            objective=ready.objective,
            parameters=parameters.for_model(),
            start_scores=ready.start,
            forest=earlier.forest(collected, last + 1),
            best_iteration=last,
            history=history_until(ready.history, iteration),
            classes=classes,
            tree_weights=boosting.weights.until(last + 1),
            correction=calibration.after(last + 1),
        )

    def state() -> dict[str, Any]:
        rows = digest_rows(boosting.scores, target, weights, dataset.queries)
        return {"watching": watching_state(), "rows": rows, "evals": digest_eval_sets(evals)}

    for iteration in range(earlier.n_rounds, ready.n_rounds):
        boosting.begin(iteration)
        points = boosting.scores_for_gradients()
        loss = ready.loss.in_turn(iteration).for_round(points, target, weights)
        if iteration == earlier.n_rounds or not alike or ready.leaf_rule.steps > 1:
            statistics.fill(loss, points, target, n_threads)
        if iteration == earlier.n_rounds:
            statistics = scaled(statistics, parameters, loss, weights, dataset.init_score)
        trees = rounds.grow(statistics, iteration)
        ready.leaf_rule.fit_members(trees.members, statistics, boosting, loss, target, n_threads)
        boosting.commit(trees)
        for entry in evals:
            boosting.score(entry, trees)
        for member in trees.members:
            collected.add(member)
        if reads_leaves:
            size_of_leaves = leaf_size(trees.members[-1])
        results = evaluated(evals, ready.metrics, calibration.after(iteration + 1))
        add_to_history(ready.history, results)
        better = {metric.name: metric.higher_is_better for metric in ready.metrics}
        make = partial(make_model, iteration)
        yield Round(iteration, ready.n_rounds, results, better, make, state)


def _last_iteration(iteration: int, wished: Any) -> int:
    """Return the last iteration of a model: the wished one, or the current one."""
    if wished is None:
        return iteration
    last: int = check_value("iteration", Integer(0, iteration), wished)
    return last


def train_trees(parameters: Parameters, dataset: Dataset) -> ScoringTrees:
    """Train the trees of a fold."""
    (last,) = deque(boost(parameters, dataset, {}), maxlen=1)
    return ScoringTrees.of(last.make_model())

"""The training loop.

::

    scores ─► gradients ─► row selection ─► trees ─► leaf values ─► scores
       ▲                                                              │
       └─────────────────────────── next round ◄──────────────────────┘

Score buffers are updated in place. Every other stage of a round reads its inputs and returns
something new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ceiba.boosting.calibration import ScoringTrees, calibrated
from ceiba.boosting.continuation.continued import Earlier
from ceiba.boosting.continuation.earlier_table import digest_rows
from ceiba.boosting.encoding.encoded_table import encode_training
from ceiba.boosting.eval_sets import digest_eval_sets, evaluated
from ceiba.boosting.gradient_scale import scaled
from ceiba.boosting.modes.ordered import LeafFitInputs
from ceiba.boosting.prepare import make_boosting, prepare
from ceiba.boosting.round_grower import RoundGrower
from ceiba.boosting.row_statistics import RowLoss, RowStatistics, empty_statistics
from ceiba.boosting.sample import RowSelection, leaf_size
from ceiba.boosting.start import first_scores
from ceiba.boosting.training_tables import TrainingTables
from ceiba.callbacks import Round
from ceiba.callbacks.history import add_to_history, history_until
from ceiba.model.model import Model
from ceiba.parameters.constraints import Integer, check_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.boosting.calibration import Calibration
    from ceiba.boosting.encoding.encoded_table import Encoded
    from ceiba.boosting.modes.state import Boosting
    from ceiba.boosting.prepare import Prepared
    from ceiba.data.dataset import Dataset
    from ceiba.objectives import Objective
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
    objective: Objective | None = None,
) -> Iterator[Round]:
    """Run boosting rounds and yield a ``Round`` after each one.

    The caller stops by not requesting the next round, and may advance several trainings in step.
    Trainings of one ``Dataset``, or of one subset of it, share its bins. ``dataset`` has the rule
    for unseen categories that the model will have. ``watching_state`` returns the state of the
    callbacks, for checkpoints. ``objective`` is that of ``given``, if the caller has created it.
    """
    ready = prepare(given, dataset, eval_sets, classes, earlier, objective)
    dataset, target, weights = ready.dataset, ready.target, ready.weights
    parameters = ready.parameters
    evals, n_threads = ready.evals, ready.n_threads
    calibration = calibrated(train_trees, ready)
    encoded = encode_training(given, ready, earlier.schema, train_trees)
    rows, tables = encoded.dataset, TrainingTables.of(ready, encoded)
    first = first_scores(ready.start, dataset)
    leaf_inputs = LeafFitInputs.of(ready, tables.of_splits)
    boosting = make_boosting(parameters, first, earlier.tree_weights, leaf_inputs=leaf_inputs)
    for entry in evals:
        entry.code(tables.for_eval_sets, n_threads, encoded.schema)
        entry.follow(boosting)
    earlier.replay(boosting, encoded.scored, rows, ready)
    statistics = empty_statistics(ready.objective, ready.n_outputs, dataset.n_rows)
    reads_leaves = ready.sampler.reads_leaves
    size_of_leaves = leaf_size(earlier.last_trees) if reads_leaves else None

    def select(statistics: RowStatistics, round: int, member: int) -> RowSelection:
        return ready.sampler.select(statistics, round, member, size_of_leaves)

    alike = boosting.rounds_are_alike and ready.rounds_are_alike and tables.exchange is None
    rounds = RoundGrower(tables.grower(ready), select, ready, n_threads if alike else 1)
    collected = earlier.collect(rows.n_features, ready.n_outputs, rounds.n_parallel)

    models = _ModelMaker(ready, encoded, boosting, collected, calibration, earlier, classes)

    def state() -> dict[str, Any]:
        rows = digest_rows(boosting.scores, target, weights, dataset.queries)
        return {"watching": watching_state(), "rows": rows, "evals": digest_eval_sets(evals)}

    for iteration in range(earlier.n_rounds, ready.n_rounds):
        boosting.begin(iteration)
        points = boosting.scores_for_gradients()
        objective = ready.loss.in_turn(iteration).for_round(points, target, weights)
        loss = RowLoss(objective, target, n_threads)
        if iteration == earlier.n_rounds or not alike or ready.leaf_rule.steps > 1:
            statistics.fill(loss, points)
        if iteration == earlier.n_rounds:
            statistics = scaled(statistics, parameters, objective, weights, dataset.init_score)
        trees = rounds.grow(statistics, iteration)
        ready.leaf_rule.fit_members(trees.members, statistics, boosting, loss)
        boosting.commit(trees)
        for entry in evals:
            entry.add_round(trees)
        for member in trees.members:
            collected.add(member)
        if reads_leaves:
            size_of_leaves = leaf_size(trees.members[-1])
        results = evaluated(evals, ready.metrics, calibration.after(iteration + 1))
        add_to_history(ready.history, results)
        better = {metric.name: metric.higher_is_better for metric in ready.metrics}
        make = partial(models.make, iteration)
        yield Round(iteration, ready.n_rounds, results, better, make, state)


@dataclass(frozen=True, slots=True)
class _ModelMaker:
    """Makes models of the rounds so far."""

    ready: Prepared
    encoded: Encoded
    boosting: Boosting
    collected: _core.CollectedTrees
    calibration: Calibration
    earlier: Earlier
    classes: NDArray[Any] | None

    def make(self, iteration: int, best_iteration: int | None = None) -> Model:
        """Return the model after a round, truncated after ``best_iteration`` if it is given."""
        ready, last = self.ready, iteration
        if best_iteration is not None:
            last = check_value("iteration", Integer(0, iteration), best_iteration)
        return Model(
            schema=self.encoded.schema,
            objective=ready.objective,
            parameters=ready.parameters.for_model(),
            start_scores=ready.start,
            forest=self.earlier.forest(
                self.collected, last + 1, ready.parameters.num_parallel_tree
            ),
            best_iteration=last,
            history=history_until(ready.history, iteration),
            classes=self.classes,
            tree_weights=self.boosting.weights.until(last + 1),
            correction=self.calibration.after(last + 1),
        )


def train_trees(parameters: Parameters, dataset: Dataset) -> ScoringTrees:
    """Train the trees of a fold, or trial trees."""
    rows = dataset.with_unseen(parameters.unseen_category)
    (last,) = deque(boost(parameters, rows, {}), maxlen=1)
    return ScoringTrees.of(last.make_model())

"""Everything that a training settles before it works: what is wrong is found here, and soon.

:func:`prepare` looks at the target, the parameters, the columns and the eval sets, in that order,
and codes no row, sorts no column and grows no tree. What it returns is all that the loop asks of
parameters and data; the order of its lines is the order in which one thing depends on another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ceiba.boosting.column_constraints import column_constraints
from ceiba.boosting.encoding.category_choice import category_encodings, planned_schema
from ceiba.boosting.eval_sets import EvalSet, find_metrics
from ceiba.boosting.grow_plan import check_shards
from ceiba.boosting.leaves import LeafRule, count_steps
from ceiba.boosting.linear_leaves import check_earlier_linear_leaves, check_linear_leaves
from ceiba.boosting.modes.dart import DartBoosting
from ceiba.boosting.modes.forest import ForestBoosting
from ceiba.boosting.modes.ordered import (
    LeafFitInputs,
    OrderedBoosting,
    check_ordered,
    may_score_apart,
)
from ceiba.boosting.modes.plain import PlainBoosting
from ceiba.boosting.modes.separate_leaf_encoding import SeparateLeafEncodingBoosting
from ceiba.boosting.outputs import Outputs
from ceiba.boosting.sample import RowSampler
from ceiba.boosting.schedule import rate_of_rule
from ceiba.boosting.start import checked_target, make_objective, start_scores, training_weights
from ceiba.data.missing_values import PLAIN, Reading
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import shown
from ceiba.model.predict import count_threads
from ceiba.objectives.gini import Gini

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.boosting.continuation.continued import Earlier
    from ceiba.boosting.modes.state import Boosting
    from ceiba.callbacks.history import History
    from ceiba.data.dataset import Dataset
    from ceiba.data.schema import Schema
    from ceiba.metrics import Metric
    from ceiba.model.tree_weights import TreeWeights
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["Prepared", "check_reading", "make_boosting", "prepare", "settle_parameters"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a training is about, checked and settled."""

    #: Every value concrete: nothing says "auto", or "what the objective has".
    parameters: Parameters
    #: The rows, with the names of columns that the model will have.
    dataset: Dataset
    objective: Objective
    #: The objective, bound to the queries of the training rows.
    loss: Objective
    n_outputs: int
    target: Floats
    weights: Floats | None
    start: Floats
    #: Constraints on the table's columns; ``encoded_table.py`` has those on the columns of trees.
    rules: _core.ColumnConstraints
    sampler: RowSampler
    leaf_rule: LeafRule
    outputs: Outputs
    evals: list[EvalSet]
    metrics: list[Metric]
    #: Metrics of the rounds that training goes on from.
    history: History
    #: Rounds that there will be, earlier ones included.
    n_rounds: int
    n_threads: int

    @property
    def rounds_are_alike(self) -> bool:
        """Whether rounds that start from the same scores do not depend on each other."""
        return self.loss.in_turn(0) == self.loss.in_turn(1) and not self.sampler.reads_leaves


def prepare(
    given: Parameters,
    dataset: Dataset,
    eval_sets: Mapping[str, Dataset],
    classes: NDArray[Any] | None,
    earlier: Earlier,
) -> Prepared:
    """Check and settle everything that costs little."""
    n_rounds, n_threads = earlier.last_round(given), count_threads(given.n_jobs)
    target = checked_target(dataset)
    check_reading(given, dataset, eval_sets)
    objective = make_objective(given, target)
    loss = objective.for_queries(dataset.queries)
    check_ordered(given, objective, target)
    check_entropy(given, objective, dataset)
    n_outputs = objective.n_outputs(target)
    earlier.check(dataset, objective, n_outputs, classes)
    named = earlier.named(dataset)
    words = category_encodings(given, named.schema, earlier.schema, in_shards=dataset.is_sharded)
    given = given.replace(categorical=words) if words else given
    rules = column_constraints(given, named.schema)
    check_linear_leaves(given, named.schema)
    check_earlier_linear_leaves(earlier.model, given)
    schema = planned_schema(given, named.schema)
    weights = training_weights(given, objective, dataset)
    fresh = start_scores(given, objective, dataset, weights, n_outputs)
    start = earlier.start(fresh, given)
    evals = [
        EvalSet.make(name, rows, named, loss, start, schema) for name, rows in eval_sets.items()
    ]
    metrics = find_metrics(given, objective, evals, classes)
    history = earlier.history(eval_sets, metrics)
    rate = given.learning_rate
    if isinstance(rate, str):
        rate = rate_of_rule(objective, dataset.n_rows, given.n_estimators, bool(eval_sets))
    settled = settle_parameters(
        given.replace(learning_rate=rate), named.schema, objective, metrics, n_outputs
    )
    check_shards(settled, dataset)
    earlier.check_kind(settled)
    parameters = earlier.with_rates(settled)
    sampler = RowSampler.make(parameters, objective, target, weights, dataset.queries, n_threads)
    return Prepared(
        parameters=parameters,
        dataset=named,
        objective=objective,
        loss=loss,
        n_outputs=n_outputs,
        target=target,
        weights=weights,
        start=start,
        rules=rules,
        sampler=sampler,
        leaf_rule=LeafRule.of(parameters, objective, n_outputs),
        outputs=Outputs.of(parameters, objective, n_outputs),
        evals=evals,
        metrics=metrics,
        history=history,
        n_rounds=n_rounds,
        n_threads=n_threads,
    )


def check_reading(
    parameters: Parameters, dataset: Dataset, eval_sets: Mapping[str, Dataset]
) -> None:
    """Refuse tables that were read in another way than the parameters, or the others, say."""
    reading = dataset.schema.reading
    given = Reading.of(dict(parameters.items()))
    if given not in (PLAIN, reading):
        raise InvalidParameterError(
            f"missing and zero_as_missing say how a table is read, and the Dataset was read with "
            f"{reading}. Got {given}. Give them to ceiba.Dataset."
        )
    for name, rows in eval_sets.items():
        if rows.schema.reading != reading:
            raise InvalidInputError(
                f"Eval set {name!r} was read with {rows.schema.reading}, and the training "
                f"table with {reading}. Give both Datasets the same."
            )


def check_entropy(parameters: Parameters, objective: Objective, dataset: Dataset) -> None:
    """Refuse entropies of anything but counts of classes."""
    if parameters.split_score == "entropy" and objective.name != Gini.name:
        raise InvalidParameterError(
            "split_score='entropy' scores counts of classes, which only objective gini has. Got "
            f"objective {objective.label}. Give objective='gini', or leave split_score out."
        )
    if parameters.split_score != "entropy":
        return
    started = parameters.base_score is not None or dataset.init_score is not None
    if parameters.boosting != "forest" or started:
        raise InvalidParameterError(
            "split_score='entropy' scores counts of classes, which gradients are before anything "
            f"is learned. Got boosting={parameters.boosting!r}, base_score="
            f"{shown(parameters.base_score)}. Give boosting='forest', whose trees are all grown "
            "from there, without base_score and init_score, or leave split_score out."
        )


def settle_parameters(
    parameters: Parameters,
    schema: Schema,
    objective: Objective,
    metrics: Sequence[Metric],
    n_outputs: int,
) -> Parameters:
    """Return the parameters as a model records them: what was left open is settled.

    The objective has a say, "auto" is what it stands for, functions have names, and what means
    missing is what the tables were read with.
    """
    step, method = parameters.max_delta_step, parameters.split_method
    changes: dict[str, Any] = {
        "objective": objective.label,
        "split_method": "hist" if method == "auto" else method,
        "max_delta_step": objective.own_max_delta_step if step == "objective" else step,
        "leaf_iterations": count_steps(parameters, objective, n_outputs),
        **_settled_sampling(parameters, objective),
        **schema.reading.as_parameters(),
    }
    if parameters.boosting == "forest":
        if parameters.is_given("learning_rate") and parameters.learning_rate != 1.0:
            raise InvalidParameterError(
                "learning_rate has no place in boosting='forest', whose trees are averaged and not "
                f"shrunk. Got learning_rate={shown(parameters.learning_rate)}. Leave it out."
            )
        changes["learning_rate"] = 1.0
    if parameters.eval_metric is not None and not isinstance(parameters.eval_metric, str):
        changes["eval_metric"] = [metric.name for metric in metrics]
    return parameters.replace(**changes)


def _settled_sampling(parameters: Parameters, objective: Objective) -> dict[str, Any]:
    """Return what sampling='catboost' is: its subsample belongs to mvs alone."""
    if parameters.sampling != "catboost":
        return {}
    if objective.task == "multiclass" and parameters.subsample == 0.8:
        return {"sampling": "bayesian", "subsample": 1.0}
    return {"sampling": "mvs"}


def make_boosting(
    parameters: Parameters,
    scores: Floats,
    weights: TreeWeights | None = None,
    *,
    follows: TreeWeights | None = None,
    leaf_inputs: LeafFitInputs | None = None,
) -> Boosting:
    """Return the kind of boosting that the parameters ask for.

    With ``follows``, one that changes what trees count as it was changed before. Without
    ``leaf_inputs`` no splits are looked for: ordered boosting then is plain.
    """
    if parameters.boosting == "ordered" and leaf_inputs is not None:
        return OrderedBoosting(parameters, scores, weights, leaf_inputs)
    if parameters.boosting == "forest" or (follows is not None and follows.mean):
        return ForestBoosting(parameters, scores, weights)
    if parameters.boosting == "dart" or (follows is not None and len(follows)):
        return DartBoosting(parameters, scores, weights, follows)
    if (
        leaf_inputs is not None
        and leaf_inputs.of_splits is not None
        and may_score_apart(parameters, leaf_inputs.loss, leaf_inputs.target)
    ):
        return SeparateLeafEncodingBoosting(parameters, scores, weights, leaf_inputs)
    return PlainBoosting(parameters, scores, weights)

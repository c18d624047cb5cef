"""Check the input of a training and resolve its parameters, before any row is binned.

Open this file to see or change what "auto" and other defaults from data mean. :func:`prepare`
resolves them once. There are two exceptions. :func:`settle_early_stopping` runs earlier, before
rows are held out. ``mvs_reg`` and ``linear_lambda`` stay "auto": their values depend on the trees.
:func:`prepare` also raises the errors of target, parameters, columns and eval sets. The order of
its lines follows from what depends on what. It bins no row, sorts no column and grows no tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ceiba.boosting.calibration import count_folds
from ceiba.boosting.column_constraints import column_constraints
from ceiba.boosting.encoding.category_choice import (
    category_encodings,
    columns_by_target,
    planned_schema,
)
from ceiba.boosting.encoding.rare_levels import without_rare_levels
from ceiba.boosting.eval_sets import EvalSet, find_metrics
from ceiba.boosting.grow_plan import check_metrics, check_shards
from ceiba.boosting.leaves import LeafRule, check_steps, count_steps
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
from ceiba.boosting.start import (
    bind_objective,
    checked_target,
    create_objective,
    start_scores,
    training_weights,
)
from ceiba.data.missing_values import PLAIN, Reading
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import shown
from ceiba.model.predict import count_threads
from ceiba.objectives.gini import Gini

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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

__all__ = [
    "Prepared",
    "check_reading",
    "make_boosting",
    "prepare",
    "settle_early_stopping",
    "settle_parameters",
]

#: What early_stopping_rounds="auto" means, and the number of rows above which it stops.
AUTO_PATIENCE = 10
AUTO_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Prepared:
    """Checked input and resolved parameters: all that the training loop reads."""

    #: Settled parameters, which the model records.
    parameters: Parameters
    #: The training rows, with the columns, names and levels that the model will have.
    dataset: Dataset
    objective: Objective
    #: The objective, bound to the queries of the training rows.
    loss: Objective
    n_outputs: int
    target: Floats
    weights: Floats | None
    start: Floats
    #: Constraints on the columns of the table; ``TrainingTables`` has those on columns of trees.
    constraints: _core.ColumnConstraints
    sampler: RowSampler
    leaf_rule: LeafRule
    outputs: Outputs
    evals: list[EvalSet]
    metrics: list[Metric]
    #: Metrics of the rounds of an earlier model.
    history: History
    #: Total number of rounds, including those of an earlier model.
    n_rounds: int
    n_threads: int
    #: Folds that calibrate quantiles; 0 for none.
    n_folds: int

    @property
    def rounds_are_alike(self) -> bool:
        """Whether the trees of a round do not depend on the number of the round."""
        return self.loss.in_turn(0) == self.loss.in_turn(1) and not self.sampler.reads_leaves


def settle_early_stopping(parameters: Parameters, n_rows: int) -> Parameters:
    """Return the parameters with ``early_stopping_rounds`` as a number; 0 means none.

    "auto" depends on the number of rows that a user gave, so entry points call this before they
    hold rows out. :func:`prepare` resolves what depends on the training rows.
    """
    rounds = parameters.early_stopping_rounds
    if rounds == "auto":
        rounds = AUTO_PATIENCE if n_rows > AUTO_ROWS else 0
    return parameters.replace(early_stopping_rounds=int(rounds))


def prepare(
    given: Parameters,
    dataset: Dataset,
    eval_sets: Mapping[str, Dataset],
    classes: NDArray[Any] | None,
    earlier: Earlier,
    objective: Objective | None = None,
) -> Prepared:
    """Check the input of a training and resolve its parameters, at little cost.

    ``objective`` is the objective of the parameters, if the caller has already created it.
    """
    n_rounds, n_threads = earlier.last_round(given), count_threads(given.n_jobs)
    target = checked_target(dataset)
    check_reading(given, dataset, eval_sets)
    # Shards do not evaluate metrics here, and functions of the user may not be sendable.
    sent = given.replace(eval_metric=None) if dataset.is_sharded else given
    bind = partial(bind_objective, objective or create_objective(given), sent)
    objective = over_rows(dataset, bind, target)
    loss = objective.for_queries(dataset.queries)
    check_ordered(given, objective, target)
    check_entropy(given, objective, dataset)
    n_outputs = objective.n_outputs(target)
    earlier.check(dataset, objective, n_outputs, classes)
    by_target = columns_by_target(
        given, dataset.schema, earlier.schema, in_shards=dataset.is_sharded
    )
    if earlier.model is None:
        dataset = without_rare_levels(given, dataset, by_target)
    encodings = category_encodings(given, dataset.schema, by_target)
    given = given.replace(categorical=encodings) if encodings else given
    constraints = column_constraints(given, dataset.schema)
    check_linear_leaves(given, dataset.schema)
    check_earlier_linear_leaves(earlier.model, given)
    schema = planned_schema(given, dataset.schema)
    weights = training_weights(given, objective, dataset)
    settings = sent, objective, n_outputs, dataset.init_score is not None
    fresh = over_rows(dataset, partial(start_scores, *settings), target, weights)
    start = earlier.start(fresh, given)
    evals = [
        EvalSet.make(name, rows, dataset, loss, start, schema) for name, rows in eval_sets.items()
    ]
    metrics = find_metrics(given, objective, evals, classes)
    history = earlier.history(eval_sets, metrics)
    rate = given.learning_rate
    if isinstance(rate, str):
        rate = rate_of_rule(objective, dataset.n_rows, given.n_estimators, bool(eval_sets))
    settled = settle_parameters(
        given.replace(learning_rate=rate), dataset.schema, objective, metrics, n_outputs
    )
    check_steps(objective, n_outputs, given)
    check_shards(settled, dataset)
    check_metrics(metrics, evals)
    earlier.check_kind(settled)
    parameters = earlier.with_rates(settled)
    sampler = RowSampler.make(parameters, objective, target, weights, dataset.queries, n_threads)
    return Prepared(
        parameters=parameters,
        dataset=dataset,
        objective=objective,
        loss=loss,
        n_outputs=n_outputs,
        target=target,
        weights=weights,
        start=start,
        constraints=constraints,
        sampler=sampler,
        leaf_rule=LeafRule.of(parameters, objective, n_outputs),
        outputs=Outputs.of(parameters, objective, n_outputs),
        evals=evals,
        metrics=metrics,
        history=history,
        n_rounds=n_rounds,
        n_threads=n_threads,
        n_folds=count_folds(parameters, objective, dataset),
    )


def over_rows(dataset: Dataset, operation: Callable[..., Any], *columns: Any) -> Any:
    """Return the result of an operation on columns of all rows, wherever the rows are.

    The operation gets numbers of all rows by ``reductions.py``.
    """
    if dataset.is_sharded:
        return dataset.reduce(operation, *columns)  # type: ignore[attr-defined]
    return operation(*columns)


def check_reading(
    parameters: Parameters, dataset: Dataset, eval_sets: Mapping[str, Dataset]
) -> None:
    """Raise if a table was read with other settings than the parameters or the training table."""
    reading = dataset.schema.reading
    given = Reading.of(dict(parameters.items()))
    if given not in (PLAIN, reading):
        raise InvalidParameterError(
            f"missing and zero_as_missing must be those of the Dataset, which was read with "
            f"{reading}. Got {given}. Give them to ceiba.Dataset."
        )
    for name, rows in eval_sets.items():
        if rows.schema.reading != reading:
            raise InvalidInputError(
                f"Eval set {name!r} was read with {rows.schema.reading}, and the training "
                f"table with {reading}. Give both Datasets the same."
            )


def check_entropy(parameters: Parameters, objective: Objective, dataset: Dataset) -> None:
    """Raise if split_score is entropy and gradients are not counts of classes."""
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
            "split_score='entropy' needs gradients that are counts of classes, as before the first "
            f"tree. Got boosting={parameters.boosting!r}, base_score="
            f"{shown(parameters.base_score)}. Give boosting='forest', which grows every tree with "
            "such gradients, without base_score and init_score, or leave split_score out."
        )


def settle_parameters(
    parameters: Parameters,
    schema: Schema,
    objective: Objective,
    metrics: Sequence[Metric],
    n_outputs: int,
) -> Parameters:
    """Return the resolved parameters, as the model records them.

    "auto" and defaults of the objective are replaced by values, and functions by their names.
    ``missing`` and ``zero_as_missing`` are those of the training table.
    """
    step, method, prune = parameters.max_delta_step, parameters.split_method, parameters.prune
    method = "hist" if method == "auto" else method
    if prune == "auto":
        prune = "after" if method == "exact" else "before"
    changes: dict[str, Any] = {
        "objective": objective.label,
        "split_method": method,
        "prune": prune,
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
    """Resolve sampling='catboost': bayesian for multiclass without subsample, else mvs."""
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
    """Return the boosting mode that the parameters ask for.

    ``follows`` are recorded tree weights: the mode repeats their changes instead of drawing new
    ones. Without ``leaf_inputs``, no splits are searched (as in a refit), and ordered boosting
    is plain.
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

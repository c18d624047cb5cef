"""Eval sets: rows that are scored after every round and never learned from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.prepare import checked_target, first_scores
from ceiba.data.dataset import Dataset
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.metrics import CustomMetric, Metric, ScorerMetric, find_metric, wished_metrics
from ceiba.model.predict import add_forest, blocks_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.queries import Queries
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]
    Scored = tuple[Floats, Floats, Floats, Floats | None]

__all__ = [
    "EvalSet",
    "EvalSets",
    "find_metrics",
    "named_eval_sets",
]

EvalSets = Sequence[Dataset] | Mapping[str, Dataset] | None


@dataclass(slots=True)
class EvalSet:
    """An eval set with its scores so far.

    Its rows are binned like the training rows; where the thresholds of trees are not edges of
    bins, ``blocks`` holds the values themselves.
    """

    name: str
    binned: _core.BinnedMatrix | None
    blocks: list[Any]
    target: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    scores: NDArray[np.float64]  # [K, n]
    objective: Objective
    queries: Queries | None
    n_threads: int

    @classmethod
    def make(
        cls,
        name: str,
        dataset: Dataset,
        training: Dataset,
        mapper: _core.BinMapper | None,
        objective: Objective,
        start: NDArray[np.float64],
        n_threads: int,
    ) -> EvalSet:
        """Check an eval set against the training rows and bin it, columns matched by name.

        Without ``mapper`` it is scored by its values.
        """
        try:
            target = checked_target(dataset)
            objective.check_target(target, len(start))
            objective.for_queries(dataset.queries)
            if (dataset.init_score is None) != (training.init_score is None):
                raise InvalidInputError(
                    "init_score must be given for the training rows and for every eval set, or "
                    "for none of them."
                )
            scores = first_scores(start, dataset)
            binned, blocks = None, []
            if mapper is None:
                blocks = blocks_of(training.schema, dataset.table)
                scores = np.ascontiguousarray(scores.T).T  # the core adds row by row
            else:
                binned = dataset.binned_with(mapper, n_threads, schema=training.schema)
        except (InvalidInputError, InvalidTypeError) as error:
            raise type(error)(f"Eval set {name!r}: {error}") from None
        return cls(
            name,
            binned,
            blocks,
            target,
            dataset.weight,
            scores,
            objective,
            dataset.queries,
            n_threads,
        )

    def add(self, trees: _core.GrownTrees, metrics: Sequence[Metric]) -> dict[str, float]:
        """Add the trees of a round to the scores and return the metrics."""
        if self.binned is not None:
            trees.add_to_binned_scores(self.binned, self.scores)
        else:
            forest = _core.Forest.from_grown([trees], _n_columns(self.blocks), len(self.scores))
            add_forest(forest, self.blocks, self.scores.T, (0, 1), self.n_threads)
        scored = self.scored()
        return {metric.name: float(metric.for_queries(self.queries)(*scored)) for metric in metrics}

    def scored(self) -> Scored:
        """Return what a metric is called with: target, raw scores, predictions and weights."""
        raw = self.scores.T
        prediction = self.objective.predict(raw)
        return self.target, self.objective.log_odds(raw), prediction, self.weights


def _n_columns(blocks: list[Any]) -> int:
    return blocks[0].shape[1] if isinstance(blocks[0], np.ndarray) else len(blocks[0])


def by_text(eval_sets: Mapping[Any, Any]) -> dict[str, Any]:
    """Return eval sets under their names as text, which must differ."""
    named = {str(name): entry for name, entry in eval_sets.items()}
    if len(named) < len(eval_sets):
        raise InvalidInputError(
            f"Eval sets must have different names as text. Got {list(eval_sets)}."
        )
    return named


def named_eval_sets(eval_sets: EvalSets) -> dict[str, Dataset]:
    """Return eval sets by name; members of a list are called validation_0, validation_1, …"""
    if eval_sets is None:
        return {}
    if isinstance(eval_sets, Dataset):
        eval_sets = [eval_sets]
    if isinstance(eval_sets, Mapping):
        named = by_text(eval_sets)
    elif isinstance(eval_sets, Iterable) and not isinstance(eval_sets, str):
        named = {f"validation_{index}": entry for index, entry in enumerate(eval_sets)}
    else:
        raise InvalidTypeError(
            "eval_sets must be a list of Datasets or a dictionary from name to Dataset. "
            f"Got {type(eval_sets).__name__}."
        )
    for name, entry in named.items():
        if not isinstance(entry, Dataset):
            raise InvalidTypeError(
                f"Eval set {name!r} must be a ceiba.Dataset. Got {type(entry).__name__}. "
                "Make one with ceiba.Dataset(data, target)."
            )
    return named


def find_metrics(
    parameters: Parameters,
    objective: Objective,
    evals: Sequence[EvalSet] = (),
    classes: NDArray[Any] | None = None,
) -> list[Metric]:
    """Return the metrics that the user named, or that of the objective; each only once.

    A function is called once on the first eval set, as it stands before the first tree.
    """
    called = parameters.called("eval_metric")
    options = parameters.of_stage("objective")
    found: dict[str, Metric] = {}
    for entry in wished_metrics(parameters.eval_metric, objective.default_metric):
        metric = find_metric(entry, called=called, **options).bound_to(objective, classes)
        if isinstance(metric, CustomMetric) and evals:
            metric = metric.settle(*evals[0].scored())
        known = found.setdefault(metric.name, metric)
        if known != metric and isinstance(metric, CustomMetric | ScorerMetric):
            raise InvalidParameterError(
                f"Two metrics of {called} are called {metric.name!r}. Give one of the functions "
                "another name, or let it return (name, number, higher_is_better)."
            )
    if evals and not found and parameters.early_stopping_rounds:
        raise InvalidInputError(
            f"Early stopping needs a metric, and there is none. Give {called} (a custom objective "
            f"has no metric of its own), or {parameters.called('early_stopping_rounds')}=0."
        )
    return list(found.values())

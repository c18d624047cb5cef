"""Eval sets: rows that are scored after every round and never learned from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ceiba.dataset import Dataset
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.metrics import Metric, find_metric
from ceiba.starting import checked_target, first_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.objectives import Objective
    from ceiba.parameters import Parameters

__all__ = ["EvalSet", "EvalSets", "find_metrics", "named_eval_sets"]

EvalSets = Sequence[Dataset] | Mapping[str, Dataset] | None


@dataclass(slots=True)
class EvalSet:
    """An eval set, binned like the training rows, with its scores so far."""

    name: str
    binned: _core.BinnedMatrix
    target: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    scores: NDArray[np.float64]
    objective: Objective

    @classmethod
    def make(
        cls,
        name: str,
        dataset: Dataset,
        training: Dataset,
        mapper: _core.BinMapper,
        objective: Objective,
        start: NDArray[np.float64],
        n_threads: int,
    ) -> EvalSet:
        """Check an eval set against the training rows and bin it, columns matched by name."""
        try:
            target = checked_target(dataset)
            objective.check_target(target, len(start))
            if (dataset.init_score is None) != (training.init_score is None):
                raise InvalidInputError(
                    "init_score must be given for the training rows and for every eval set, or "
                    "for none of them."
                )
            scores = first_scores(start, dataset)
            binned = dataset.binned_with(mapper, n_threads, schema=training.schema)
        except (InvalidInputError, InvalidTypeError) as error:
            raise type(error)(f"Eval set {name!r}: {error}") from None
        return cls(name, binned, target, dataset.weight, scores, objective)

    def add(self, trees: _core.GrownTrees, metrics: Sequence[Metric]) -> dict[str, float]:
        """Add the trees of a round to the scores and return the metrics."""
        trees.add_to_binned_scores(self.binned, self.scores)
        raw = self.scores.T
        prediction = self.objective.predict(raw)
        return {
            metric.name: float(metric(self.target, raw, prediction, self.weights))
            for metric in metrics
        }


def named_eval_sets(eval_sets: EvalSets) -> dict[str, Dataset]:
    """Return eval sets by name; members of a list are called validation_0, validation_1, …"""
    if eval_sets is None:
        return {}
    if isinstance(eval_sets, Dataset):
        eval_sets = [eval_sets]
    if isinstance(eval_sets, Mapping):
        named = {str(name): entry for name, entry in eval_sets.items()}
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


def find_metrics(parameters: Parameters, objective: Objective) -> list[Metric]:
    """Return the metrics that the user named, or that of the objective; each only once."""
    wished = parameters.eval_metric or objective.default_metric
    names = [wished] if isinstance(wished, str) else wished
    options = parameters.of_stage("objective")
    found = [find_metric(name, **options) for name in names]
    return list({metric.name: metric for metric in found}.values())

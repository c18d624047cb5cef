"""Eval sets: rows that are scored after every round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.continuation.earlier_table import EarlierTable, digest_rows, earlier_digest
from ceiba.boosting.modes.removable_scores import small_numbers
from ceiba.boosting.start import checked_target, first_scores
from ceiba.data.dataset import Dataset
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.metrics import (
    CustomMetric,
    Metric,
    ScorerMetric,
    bound_metric,
    find_metric,
    wished_metrics,
)
from ceiba.model.correction import NO_CORRECTION, Correction
from ceiba.model.predict import add_forest, staged_leaves_of
from ceiba.objectives.several import check_n_targets
from ceiba.parameters.constraints import is_iterable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.grown_round import GrownRound
    from ceiba.boosting.modes.state import Boosting, ScoreTracker
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table
    from ceiba.model.model import Model
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

EvalSets = Sequence[Dataset | tuple[Dataset, str]] | Mapping[str, Dataset] | None


@dataclass(slots=True)
class EvalSet:
    """An eval set, the owner of its scores.

    The life of an eval set:

    1. :meth:`make` checks it against the training rows, before any row is binned.
    2. :meth:`code` bins its rows like the training rows, or keeps their values where thresholds
       of trees are not bin edges. It fixes the memory layout of ``scores``.
    3. :meth:`follow` asks the boosting mode for a tracker, which alone writes ``scores``, in place.
    4. :meth:`replay` adds the rounds of an earlier model, :meth:`add_round` each new round, and
       :meth:`evaluate` computes the metrics.
    """

    name: str
    rows: Dataset
    schema: Schema  # of the training rows: columns are matched by name
    objective: Objective
    target: Floats
    scores: Floats  # [K, n]
    binned: _core.BinnedMatrix | None = None
    table: Table | None = None
    n_threads: int = 1
    tracker: ScoreTracker | None = None
    #: In a shard: the numbers of the rows, and of their queries, in the whole eval set.
    numbers: NDArray[np.int64] | None = None
    query_of_row: NDArray[np.int64] | None = None

    @classmethod
    def make(
        cls,
        name: str,
        rows: Dataset,
        training: Dataset,
        objective: Objective,
        start: Floats,
        schema: Schema | None = None,
    ) -> EvalSet:
        """Check an eval set against the training rows.

        ``schema`` is that of the model where it differs from the schema of the training rows.
        """
        schema = training.schema if schema is None else schema
        try:
            target = checked_target(rows)
            check_n_targets(objective, target)
            objective.check_target(target, len(start))
            objective.for_queries(rows.queries)
            if (rows.init_score is None) != (training.init_score is None):
                raise InvalidInputError(
                    "init_score must be given for the training rows and for every eval set, or "
                    "for none of them."
                )
            rows = rows.matched_to(schema)
            scores = first_scores(start, rows.n_rows, rows.init_score)
        except (InvalidInputError, InvalidParameterError, InvalidTypeError) as error:
            raise type(error)(f"Eval set {name!r}: {error}") from None
        return cls(name, rows, schema, objective, target, scores)

    def code(self, mapper: _core.BinMapper | None, n_threads: int, schema: Schema) -> None:
        """Bin the rows by ``schema``; without ``mapper``, keep their values."""
        self.n_threads, self.schema = n_threads, schema
        if mapper is not None:
            self.binned = self.rows.binned_with(mapper, n_threads, schema=schema)
        else:
            self.table = self.encoded()
            self.scores = np.ascontiguousarray(self.scores.T).T  # the core adds row by row

    def follow(self, boosting: Boosting) -> None:
        """Let the boosting mode of the training keep the scores up to date."""
        self.tracker = boosting.track(self)

    def add_round(self, trees: GrownRound) -> None:
        """Update the scores to those after the round of these trees."""
        assert self.tracker is not None
        self.tracker.add(trees)

    def replay(self, model: Model) -> None:
        """Update the scores to those after the rounds of an earlier model."""
        assert self.tracker is not None
        table = self.encoded()
        self.tracker.replay(model, EarlierTable(self.scores, table, table.schema, self.n_threads))

    def encoded(self) -> Table:
        """Return the columns that trees read."""
        return self.rows.table.encoded(self.schema, self.n_threads)

    def add(self, trees: GrownRound, scores: Floats) -> None:
        """Add the trees of a round to ``scores``, which have the memory layout of its own."""
        if self.binned is not None:
            trees.add_to_binned_scores(self.binned, scores)
        else:
            assert self.table is not None
            forest = trees.forest(self.table.n_columns, len(scores))
            add_forest(forest, self.table, scores.T, (0, 1), self.n_threads)

    def leaves(self, trees: GrownRound) -> Any:
        """Return the leaf of each row in each tree of a round, as node numbers [n_trees, n]."""
        if self.binned is not None:
            return trees.leaves(self.binned)
        assert self.table is not None
        forest = trees.forest(self.table.n_columns, len(self.scores))
        (found,) = staged_leaves_of(forest, self.table, (0, 1), self.n_threads)
        return small_numbers(found)

    def evaluate(
        self, metrics: Sequence[Metric], correction: Correction = NO_CORRECTION
    ) -> dict[str, float]:
        """Return the metrics of the current predictions."""
        scored, queries = self.scored(correction), self.rows.queries
        with self.naming_errors():
            return {metric.name: float(metric.for_queries(queries)(*scored)) for metric in metrics}

    @contextmanager
    def naming_errors(self) -> Iterator[None]:
        """Add the name of the eval set to the errors of metrics."""
        try:
            yield
        except (InvalidInputError, InvalidTypeError) as error:
            raise type(error)(f"Eval set {self.name!r}: {error}") from error.__cause__
        except Exception as error:
            error.add_note(f"Eval set {self.name!r}.")
            raise

    def digest(self, *, older: bool = False) -> str:
        """Return a digest of the rows and their scores, for checkpoints."""
        queries = self.query_of_row
        if queries is None and self.rows.queries is not None:
            queries = self.rows.queries.numbers
        given = self.scores, self.target, self.rows.weight, queries
        return earlier_digest(*given) if older else digest_rows(*given, self.numbers)

    def scored(self, correction: Correction = NO_CORRECTION) -> Scored:
        """Return the arguments of a metric: target, raw scores, predictions and weights."""
        raw = self.scores.T
        prediction = self.objective.predict(correction.applied(raw))
        return self.target, self.objective.log_odds(raw), prediction, self.rows.weight


def by_text(eval_sets: Mapping[Any, Any]) -> dict[str, Any]:
    """Return eval sets under their names as text, which must differ."""
    named = {str(name): entry for name, entry in eval_sets.items()}
    if len(named) < len(eval_sets):
        raise InvalidInputError(
            f"Eval sets must have different names as text. Got {list(eval_sets)}."
        )
    return named


def named_eval_sets(eval_sets: EvalSets) -> dict[str, Dataset]:
    """Return eval sets by name; members of a list are called validation_0, validation_1, …

    Pairs (Dataset, name), as XGBoost has them, are accepted too.
    """
    if eval_sets is None:
        return {}
    if isinstance(eval_sets, Dataset):
        eval_sets = [eval_sets]
    if isinstance(eval_sets, Mapping):
        named = by_text(eval_sets)
    elif is_iterable(eval_sets) and not isinstance(eval_sets, str):
        named = {}
        for index, entry in enumerate(eval_sets):
            if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[1], str):
                named[entry[1]] = entry[0]
            else:
                named[f"validation_{index}"] = entry
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
    """Return the metrics that the user named, or that of the objective, without repetitions.

    A function is called once, on the start scores of the first eval set, to learn its name.
    """
    options = parameters.of_stage("objective")
    found: dict[str, Metric] = {}
    for entry in wished_metrics(parameters.eval_metric, objective.default_metric):
        metric = find_metric(entry, called="eval_metric", **options)
        metric = bound_metric(metric, objective, classes)
        if isinstance(metric, CustomMetric) and evals:
            with evals[0].naming_errors():
                metric = metric.settle(*evals[0].scored())
        known = found.setdefault(metric.name, metric)
        if known != metric and isinstance(metric, CustomMetric | ScorerMetric):
            raise InvalidParameterError(
                f"Two metrics of eval_metric are called {metric.name!r}. Give one of the functions "
                "another name, or let it return (name, number, higher_is_better)."
            )
    if evals and not found and parameters.early_stopping_rounds:
        raise InvalidInputError(
            "Early stopping needs a metric, and there is none. Give eval_metric (a custom "
            "objective has no metric of its own), or early_stopping_rounds=0."
        )
    return list(found.values())

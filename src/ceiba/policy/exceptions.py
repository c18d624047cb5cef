"""When recipe auto trains once, without a race: the table of what the policy leaves out.

The first row that holds decides. Its text is the reason in :meth:`ceiba.Model.decisions`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ceiba.boosting.start import checked_target
from ceiba.callbacks import Callback, LogRounds, ProgressBar
from ceiba.metrics import wished_metrics

if TYPE_CHECKING:
    from ceiba.boosting.continuation.continued import Earlier
    from ceiba.data.dataset import Dataset
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

__all__ = ["EXCEPTIONS", "Request", "why_single"]

#: With fewer rows (or queries), held-out rows say little.
FEWEST_ROWS = 40
FEWEST_QUERIES = 20


@dataclass(frozen=True, slots=True)
class Request:
    """What decides whether a race is possible."""

    parameters: Parameters
    dataset: Dataset
    objective: Objective
    earlier: Earlier
    callbacks: Sequence[Callback]
    has_rates: bool

    @property
    def n_units(self) -> int:
        """Return the number of rows, or queries, that can be held out."""
        queries = self.dataset.queries
        return self.dataset.n_rows if queries is None else queries.n_queries

    @property
    def has_metric(self) -> bool:
        """Return whether a metric can compare candidates."""
        wished = self.parameters.eval_metric
        return bool(wished_metrics(wished, self.objective.default_metric))

    @property
    def classes_are_rare(self) -> bool:
        """Return whether a class has fewer rows than there are folds."""
        if self.objective.task not in ("binary", "multiclass"):
            return False
        import numpy as np

        counts = np.unique(checked_target(self.dataset), return_counts=True)[1]
        return bool(counts.min() < _FEWEST_OF_A_CLASS)


_FEWEST_OF_A_CLASS = 5

EXCEPTIONS: tuple[tuple[Callable[[Request], bool], str], ...] = (
    (lambda asked: asked.parameters.is_given("n_estimators"), "n_estimators is given"),
    (lambda asked: asked.parameters.quality == "fast", "quality='fast' trains once"),
    (
        lambda asked: asked.earlier.model is not None,
        "training continues from a model or a checkpoint",
    ),
    (
        lambda asked: asked.parameters.boosting != "plain",
        "boosting is dart, ordered or forest",
    ),
    (
        lambda asked: asked.objective.has_levels,
        "quantiles are calibrated by folds of their own",
    ),
    (lambda asked: not asked.has_metric, "there is no metric to compare candidates by"),
    (
        lambda asked: not isinstance(asked.parameters.learning_rate, int | float),
        "learning_rate is a schedule or 'auto'",
    ),
    (
        lambda asked: (
            asked.parameters.is_given("early_stopping_rounds")
            and asked.parameters.early_stopping_rounds == 0
        ),
        "early_stopping_rounds=0 allows no held-out rows",
    ),
    (
        lambda asked: asked.has_rates or not all(map(_watches_only, asked.callbacks)),
        "a callback stops the training, changes its learning rate or writes checkpoints",
    ),
    (lambda asked: asked.dataset.is_sharded, "the rows are on several workers"),
    (
        lambda asked: asked.n_units < (FEWEST_QUERIES if asked.dataset.queries else FEWEST_ROWS),
        f"there are fewer than {FEWEST_ROWS} rows (or {FEWEST_QUERIES} queries)",
    ),
    (
        lambda asked: asked.classes_are_rare,
        f"a class has fewer than {_FEWEST_OF_A_CLASS} rows",
    ),
)


def why_single(asked: Request) -> str | None:
    """Return why recipe auto trains once; None if candidates race."""
    return next((text for holds, text in EXCEPTIONS if holds(asked)), None)


def _watches_only(callback: Callback) -> bool:
    """Whether a callback only looks at rounds. Its class must not keep state for a resumption."""
    kind = type(callback)
    return isinstance(callback, LogRounds | ProgressBar) or (
        kind.state is Callback.state and kind.kept_iteration is Callback.kept_iteration
    )

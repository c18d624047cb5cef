"""The rows of a report: reading, sampling by a hash of their contents, predictions.

The life of the rows:

1. :func:`read_rows` reads the table like a prediction and the target like an evaluation, and
   raises if they do not fit the model.
2. :meth:`Rows.sampled` keeps about n rows, or whole queries: those with the smallest hash of their
   contents. The rows get the order of the hashes, so that the order of the table does not matter.
3. :meth:`Rows.predicted_by` adds predictions and losses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.boosting.row_splits import row_hashes
from ceiba.data.block import ColumnsBlock, SparseColumn, dense_values, joined_values
from ceiba.data.dataset import Dataset
from ceiba.data.named_target import part_target
from ceiba.data.queries import Queries
from ceiba.data.read_table import read_like
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError
from ceiba.objectives.several import check_n_targets
from ceiba.plot._of_model import label_indices
from ceiba.reporting.subject import Predicted, Subject

__all__ = ["Rows", "read_rows"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows with everything that a report knows about them."""

    table: Table
    #: Class indices of a classifier. None for a training table without target.
    target: Floats | None
    weights: Floats | None
    queries: Queries | None
    #: Number of each row in the user's table, counted from 0.
    numbers: NDArray[np.int64]
    #: Hash of the values of each row, without the target.
    hashes: NDArray[np.uint64]
    #: Number of rows, and of queries, before sampling.
    n_given: int
    n_given_queries: int = 0
    #: The id of each row's query, as the user gave it.
    query_labels: NDArray[Any] | None = None
    #: Names of several targets or labels.
    target_names: Sequence[str] = ()
    predicted: Predicted = field(
        default_factory=lambda: Predicted(np.empty((0, 1)), np.empty(0)), repr=False
    )
    #: Loss of each row, or of each query of a ranking model.
    losses: Floats = field(default_factory=lambda: np.empty(0), repr=False)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.table.n_rows

    @property
    def known_target(self) -> Floats:
        """The target; only of rows that have one."""
        assert self.target is not None
        return self.target

    def column(self, position: int) -> Floats:
        """Return the values of a column: numbers, days, or level numbers; NaN for missing."""
        chunks = [dense_values(chunk) for chunk in self.table.columns[position]]
        return np.concatenate(chunks).astype(np.float64)

    def sampled(self, n_rows: int) -> Rows:
        """Return about ``n_rows`` rows, chosen and ordered by the hash of their contents."""
        if self.queries is None:
            return self.ordered(np.argsort(self.hashes, kind="stable")[:n_rows])
        totals = np.zeros(self.queries.n_queries, dtype=np.uint64)
        np.add.at(totals, self.queries.numbers, self.hashes)
        order = np.argsort(totals, kind="stable")
        ends = np.cumsum(self.queries.sizes[order])
        n_queries = max(1, int(np.searchsorted(ends, n_rows, side="right")))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        by_row = np.lexsort((self.hashes, place[self.queries.numbers]))
        return self.ordered(by_row[: ends[n_queries - 1]])

    def first(self, n_rows: int) -> Rows:
        """Return the first rows, whole queries at least; a sample, because rows are hashed."""
        if n_rows >= self.n_rows:
            return self
        if self.queries is not None:
            ends = np.flatnonzero(np.diff(self.queries.numbers, append=-1)) + 1
            n_rows = int(ends[min(len(ends) - 1, int(np.searchsorted(ends, n_rows)))])
        return self.ordered(np.arange(n_rows))

    def ordered(self, order: NDArray[np.int64]) -> Rows:
        """Return rows ``order[0]``, ``order[1]``, …"""

        def taken(values: Any) -> Any:
            return None if values is None else values[order]

        joined = [joined_values(chunks) for chunks in self.table.columns]
        columns = [_taken(column, order) for column in joined]
        queries = self.queries
        if queries is not None:
            # Rows of a query are consecutive from here on, and queries keep this order.
            changes = np.diff(queries.numbers[order], prepend=queries.numbers[order[:1]]) != 0
            queries = Queries.of_numbers(np.cumsum(changes))
        losses = self.losses
        if len(losses):
            losses = losses[order] if queries is None else losses[: queries.n_queries]
        return replace(
            self,
            table=Table((ColumnsBlock(columns),), self.table.schema),
            target=taken(self.target),
            weights=taken(self.weights),
            queries=queries,
            numbers=self.numbers[order],
            hashes=self.hashes[order],
            query_labels=taken(self.query_labels),
            predicted=self.predicted.take(order) if len(losses) else self.predicted,
            losses=losses,
        )

    def predicted_by(self, subject: Subject) -> Rows:
        """Return the rows with predictions, and with losses if they have a target."""
        predicted = subject.predicted(self.table)
        losses = np.empty(0)
        if self.target is not None:
            losses = subject.losses(self.target, predicted, self.queries)
        return replace(self, predicted=predicted, losses=losses)


def _taken(column: Any, order: NDArray[np.int64]) -> Any:
    if not isinstance(column, SparseColumn):
        return column[order]
    keep = np.zeros(column.n_rows, dtype=bool)
    keep[order] = True
    kept = np.flatnonzero(keep)
    return column.take(keep).ordered(np.searchsorted(kept, order))


def read_rows(
    subject: Subject,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    qid: Any = None,
    group: Any = None,
    needs_target: bool = True,
) -> Rows:
    """Read rows and their target; raise if they do not fit the model."""
    X, y = part_target(X, y)
    names = [str(name) for name in getattr(y, "columns", [])]
    if isinstance(X, Dataset):
        given = {"y": y, "sample_weight": sample_weight, "qid": qid, "group": group}
        twice = [name for name, value in given.items() if value is not None]
        if twice:
            raise InvalidInputError(
                f"A Dataset already has the data of its rows. Got {', '.join(twice)} as well. "
                "Leave them out."
            )
        target: Any = X.target
        if (
            target is not None
            and subject.classes is not None
            and subject.owner is not subject.model
        ):
            target = label_indices(target, subject.classes)
        dataset = Dataset.of_checked(X.table, target, X.weight, None, X.queries)
        numbers = X.row_numbers
    else:
        target = y
        if y is not None and subject.classes is not None:
            target = label_indices(y, subject.classes)
        table = read_like(X, subject.schema)
        dataset = Dataset(table, target, weight=sample_weight, qid=qid, group=group)
        numbers = dataset.row_numbers
    if dataset.target is None and needs_target:
        raise InvalidInputError(
            "A report needs the target of the rows. Got y=None. Give `y`, or the name of its "
            "column in X."
        )
    if dataset.target is not None:
        _check_target(subject, dataset.target)
    if subject.task == "ranking" and dataset.queries is None and needs_target:
        raise InvalidInputError(
            "A report of a ranking model needs the query of each row. Give qid (an id for each "
            "row) or group (sizes of consecutive queries)."
        )
    queries = dataset.queries if subject.task == "ranking" else None
    labels = None
    if queries is not None:
        labels = queries.numbers if qid is None else np.asarray(qid)[numbers]
    if subject.task in ("targets", "multilabel") and not names:
        names = [f"target {k + 1}" for k in range(subject.model.n_outputs)]
    table = dataset.table.arranged(subject.schema)
    return Rows(
        table,
        dataset.target,
        dataset.weight,
        queries,
        np.asarray(numbers),
        row_hashes(Dataset.of_checked(table, np.zeros(table.n_rows), None, None, None)),
        dataset.n_rows,
        0 if queries is None else queries.n_queries,
        labels,
        names,
    )


def _check_target(subject: Subject, target: Floats) -> None:
    check_n_targets(subject.objective, target)
    wrong = (target != 0) & (target != 1)
    if subject.task == "multilabel" and wrong.any():
        raise InvalidInputError(
            "y must have one column of 0 and 1 for each label. Got also "
            f"{target[wrong].flat[0]:g}. Give the labels in the form for `fit`."
        )
    n_classes = 0 if subject.classes is None else len(subject.classes)
    if n_classes and ((target < 0) | (target >= n_classes) | (target % 1 != 0)).any():
        raise InvalidInputError(
            f"y must hold only classes of the model, the numbers 0 to {n_classes - 1}. Got also "
            "others."
        )

"""Predictions of a forest at grid points, for partial dependence (``dependence.py``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.block import ColumnsBlock, joined_values
from ceiba.data.memory import check_memory
from ceiba.data.table import Table
from ceiba.errors import InvalidParameterError
from ceiba.explain.engine_columns import read_places
from ceiba.model.predict import count_threads, iteration_bounds

if TYPE_CHECKING:
    from ceiba.explain.grid import Axis
    from ceiba.model.model import Model

__all__ = ["GridPredictor", "Scale"]

Floats = NDArray[np.float64]
Scale = Literal["prediction", "raw"]

#: Largest number of scores of single rows in memory, 8 bytes each.
_SCORES_AT_ONCE = 2**23
_BLOCK = 2048  # rows per block of the core


class GridPredictor:
    """Evaluates a forest at grid points and turns raw scores into predictions."""

    def __init__(self, model: Model, iteration_range: Any, n_jobs: int | None) -> None:
        self.model = model
        begin, end = iteration_bounds(iteration_range, model.n_iterations)
        forest = model.weighted_forest(end, begin)
        if (begin, end) != (0, model.n_iterations):
            forest = forest.slice(begin, end)
        self.forest = forest
        self.has_linear_leaves = forest.has_linear_leaves
        self.bounds = (begin, end)
        self.correction = model.correction.after(end)
        self.n_threads = count_threads(n_jobs)
        # Position of table columns among the columns that trees read.
        self.places = read_places(model.schema)

    def are_read(self, axes: Sequence[Axis]) -> bool:
        """Whether the core can evaluate the columns by following splits."""
        return not self.has_linear_leaves and all(axis.position in self.places for axis in axes)

    def averages_raw(self, output: Scale) -> bool:
        """Whether the mean prediction is a function of the mean raw score."""
        plain = self.model.objective.link.is_identity
        return output == "raw" or (plain and self.model.n_outputs == 1)

    @property
    def averages_sigmoids(self) -> bool:
        """Whether a prediction is the sigmoid of the score."""
        return self.model.objective.link.name == "logit" and self.model.n_outputs == 1

    def of_training(self, questions: Sequence[Sequence[Axis]]) -> list[tuple[Floats, None]]:
        sums = self._sums(questions)
        sums.training()
        return self._averages(sums, len(questions), "raw")

    def of_averages(
        self, questions: Sequence[Sequence[Axis]], table: Any, weights: Floats | None, output: Scale
    ) -> list[tuple[Floats, None]]:
        sums = self._sums(questions)
        table = table.encoded(self.model.schema, self.n_threads)
        begin = 0
        for block in table.blocks:
            end = begin + block.shape[0]
            own = None if weights is None else weights[begin:end]
            block.hand_to(sums.add_matrix, sums.add_columns, own, self.n_threads)
            begin = end
        return self._averages(sums, len(questions), output)

    def of_probabilities(
        self, questions: Sequence[Sequence[Axis]], table: Table, weights: Floats | None
    ) -> list[tuple[Floats, None]]:
        """Return mean probabilities; the core applies the sigmoid."""
        sums = self._sums(questions)
        shift = self.correction.applied(self.model.start_scores[None])
        largest = 1.0 if weights is None else float(weights.max())
        rule = float(shift[0, 0]), self.model.objective.link.scale, largest
        table = table.encoded(self.model.schema, self.n_threads)
        begin = 0
        for block in table.blocks:
            end = begin + block.shape[0]
            own = None if weights is None else weights[begin:end]
            add = sums.add_probabilities_matrix, sums.add_probabilities_columns
            block.hand_to(*add, rule, own, self.n_threads)
            begin = end
        return [(sums.probability(q)[:, None], None) for q in range(len(questions))]

    def of_rows(
        self,
        questions: Sequence[Sequence[Axis]],
        table: Table,
        weights: Floats | None,
        output: Scale,
        individual: bool,
    ) -> list[tuple[Floats, Floats | None]]:
        sums = self._sums(questions)
        table = table.encoded(self.model.schema, self.n_threads)
        n_cells = [int(np.prod([len(axis.numbers) for axis in axes])) for axes in questions]
        if individual:
            n_numbers = table.n_rows * sum(n_cells) * self.model.n_outputs
            check_memory(8 * n_numbers, "Predictions of each row at each point")
        n_outputs = self.model.n_outputs
        at_once = max(1, _SCORES_AT_ONCE // (_BLOCK * sum(n_cells) * n_outputs)) * _BLOCK
        scores = [np.empty((min(at_once, table.n_rows), size, n_outputs)) for size in n_cells]
        totals: list[Any] = [0.0] * len(questions)
        rows: list[list[Floats]] = [[] for _ in questions]
        for begin, part in _parts(table, at_once):
            own = None if weights is None else weights[begin : begin + part.n_rows, None, None]
            raw = [every[: part.n_rows] for every in scores]
            part.blocks[0].hand_to(
                sums.individual_matrix, sums.individual_columns, raw, self.n_threads
            )
            for q, of_rows in enumerate(raw):
                values = self._read(of_rows, output)
                counted = values if own is None else values * own
                for first in range(0, len(counted), _BLOCK):  # however many are held at once
                    totals[q] += counted[first : first + _BLOCK].sum(axis=0)
                if individual:
                    rows[q].append(values.copy())
        weight = table.n_rows if weights is None else float(weights.sum())
        return [
            (total / weight, np.concatenate(of_rows) if individual else None)
            for total, of_rows in zip(totals, rows, strict=True)
        ]

    def of_changed_rows(
        self,
        questions: Sequence[Sequence[Axis]],
        table: Table | None,
        weights: Floats | None,
        output: Scale,
        individual: bool,
        method: str,
    ) -> list[tuple[Floats, Floats | None]]:
        if self.has_linear_leaves and (table is None or method == "recursion"):
            raise InvalidParameterError(
                "method='recursion' does not support linear leaves (leaf_model='linear'), which "
                "depend on the values of rows. Use method='brute'."
            )
        if table is None or method == "recursion":
            raise InvalidParameterError(
                "method='recursion' does not support columns that trees read as statistics of the "
                f"target. Got {questions[0][0].name!r}. Use method='brute'."
            )
        answers = []
        weight = table.n_rows if weights is None else float(weights.sum())
        for axes in questions:
            averages, rows = [], []
            for point in product(*(axis.numbers.tolist() for axis in axes)):
                values = self._predicted(_changed(table, axes, point), output)
                counted = values if weights is None else values * weights[:, None]
                averages.append(counted.sum(axis=0) / weight)
                if individual:
                    rows.append(values)
            answers.append((np.stack(averages), np.stack(rows, axis=1) if individual else None))
        return answers

    def _predicted(self, table: Table, output: Scale) -> Floats:
        """Return raw scores or predictions [n, n_outputs] of the requested iterations."""
        predict = self.model.predict_raw if output == "raw" else self.model.predict
        found = predict(table, iteration_range=self.bounds, n_jobs=self.n_threads)
        return found[:, None] if found.ndim == 1 else found

    def _sums(self, questions: Sequence[Sequence[Axis]]) -> _core.DependenceSums:
        asked = [
            [(self.places[axis.position], axis.numbers.tolist()) for axis in axes]
            for axes in questions
        ]
        return _core.DependenceSums(self.forest, asked)

    def _averages(
        self, sums: _core.DependenceSums, n_questions: int, output: Scale
    ) -> list[tuple[Floats, None]]:
        return [(self._read(sums.average(q), output), None) for q in range(n_questions)]

    def _read(self, raw: Floats, output: Scale) -> Floats:
        """Turn the sums of trees [..., n_outputs] into raw scores or predictions."""
        raw += self.model.start_scores
        if output == "raw":
            return raw
        flat = raw.reshape(-1, self.model.n_outputs)
        read = self.model.objective.predict(self.correction.applied(flat))
        return read.reshape(*raw.shape[:-1], -1)


def _changed(table: Table, axes: Sequence[Axis], point: Sequence[float]) -> Table:
    """Return the rows with the values of one grid point in some columns."""
    columns = [joined_values(chunks) for chunks in table.columns]
    for axis, number in zip(axes, point, strict=True):
        columns[axis.position] = np.full(table.n_rows, number)
    return Table((ColumnsBlock(columns),), table.schema)


def _parts(table: Table, n_rows: int) -> Iterator[tuple[int, Table]]:
    """Yield up to ``n_rows`` rows at a time from one block, with the number of the first row."""
    first = 0
    for block in table.blocks:
        n_block = block.shape[0]
        for begin in range(0, n_block, n_rows):
            if n_block <= n_rows:
                yield first, Table((block,), table.schema)
                continue
            keep = np.zeros(n_block, dtype=bool)
            keep[begin : begin + n_rows] = True
            yield first + begin, Table((block.take(keep),), table.schema)
        first += n_block

"""`TrainingRows`: the rows of a training, with their targets, scores and gradients.

Open this file to see what a training asks of its rows. The life of training rows:

1. ``loop.py`` makes them once the columns are binned, and :meth:`replay` adds an earlier model.
2. In every round, :meth:`begin` opens it, :meth:`find_loss` and :meth:`find_gradients` compute the
   gradients, :meth:`sample` draws the rows of each tree and :meth:`noise` the size of the noise.
3. The grower sums their gradients through its exchange (``cpp/rows/exchange.hpp``).
4. ``leaves.py`` fits the leaf values: :meth:`find_leaf_gradients` at the scores for leaves,
   :meth:`move` at the scores that include the leaf values so far.
5. :meth:`commit` adds the trees of the round to the scores. :meth:`digest` identifies the rows.

This class holds rows of one process: all of them, or a shard. No operation returns anything whose
size depends on the number of rows, and numbers of all rows come from ``reductions.py``. So
``shards/sharded_rows.py`` has the same operations for rows in several places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ceiba import _core
from ceiba.boosting.continuation.earlier_table import EarlierTable, digest_rows, earlier_digest
from ceiba.boosting.fitted_rows import FittedRows
from ceiba.boosting.gradient_scale import scaled
from ceiba.boosting.noise import deviations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.boosting.grown_round import GrownRound
    from ceiba.boosting.modes.state import Boosting
    from ceiba.boosting.outputs import Outputs
    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.boosting.sample import RowSampler
    from ceiba.data.dataset import Dataset
    from ceiba.data.queries import Queries
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table
    from ceiba.metrics import Metric
    from ceiba.model.correction import Correction
    from ceiba.model.model import Model
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["RowSettings", "TrainingRows"]


class Settled(Protocol):
    """What is read of a prepared training."""

    @property
    def parameters(self) -> Parameters: ...

    @property
    def dataset(self) -> Dataset: ...

    @property
    def outputs(self) -> Outputs: ...

    @property
    def n_outputs(self) -> int: ...

    @property
    def n_threads(self) -> int: ...


@dataclass(frozen=True, slots=True)
class RowSettings:
    """What a training does with its rows. All shards have the same."""

    parameters: Parameters
    outputs: Outputs
    n_outputs: int
    n_threads: int
    #: Whether scores start from what the user gave for each row.
    has_init_score: bool

    @classmethod
    def of(cls, ready: Settled) -> RowSettings:
        """Return those of a prepared training."""
        has_init_score = ready.dataset.init_score is not None
        given = ready.parameters, ready.outputs, ready.n_outputs, ready.n_threads
        return cls(*given, has_init_score)


class TrainingRows(FittedRows):
    """The rows of a training in this process: all of them, or a shard."""

    def __init__(
        self,
        settings: RowSettings,
        boosting: Boosting,
        loss: Objective,
        target: Floats,
        weights: Floats | None,
        queries: Queries | None,
        sampler: RowSampler,
    ) -> None:
        super().__init__(boosting, loss, target, weights, settings.n_outputs, settings.n_threads)
        self.settings = settings
        self.sampler = sampler
        self.evals: list[EvalSet] = []
        #: In a shard: the numbers of the rows, and of their queries, in the whole table.
        self.numbers: NDArray[np.int64] | None = None
        self.query_of_row = None if queries is None else queries.numbers
        self._for_splits: RowStatistics | None = None

    @property
    def for_splits(self) -> RowStatistics:
        """Return the gradients that trees are grown on."""
        if self._for_splits is None:
            self._for_splits = self.settings.outputs.buffers(self.statistics)
        return self._for_splits

    def watch(
        self, evals: Sequence[EvalSet], mapper: _core.BinMapper | None, schema: Schema
    ) -> None:
        """Bin eval sets by the edges of the training rows, and keep their scores up to date."""
        for entry in evals:
            entry.code(mapper, self.n_threads, schema)
            entry.follow(self.boosting)
            self.evals.append(entry)

    def replay(self, model: Model, scored: Table, of_splits: Table) -> None:
        """Update the scores to those after the rounds of an earlier model.

        ``scored`` has the rows in the encoding of leaves, ``of_splits`` in that of splits.
        """
        scores, n_threads = self.boosting.scores, self.n_threads
        rows = EarlierTable(scores, scored, scored.schema, n_threads, of_splits=of_splits)
        self.boosting.replay(model, rows)
        for entry in self.evals:
            entry.replay(model)

    def begin(self, round: int) -> None:
        """Open a round: make its random choices."""
        self.boosting.begin(round)

    def scale(self) -> None:
        """Choose the unit of the gradients, after those of the first round are known."""
        self.statistics = scaled(
            self.statistics,
            self.settings.parameters,
            self.loss_of_round,
            self.weights,
            has_init_score=self.settings.has_init_score,
        )

    def sketch(self, round: int) -> None:
        """Compute the gradients that the trees of a round are grown on."""
        outputs = self.settings.outputs
        outputs.for_splits(self.statistics, round, self.for_splits, self.n_threads)

    def noise(self, round: int) -> list[float]:
        """Return the standard deviation of the noise on the splits of each tree."""
        return deviations(self.settings.parameters, self.for_splits, self.weights, round)

    def sample(
        self, place: int, round: int, member: int, last_leaf: float | None, noise: list[float]
    ) -> _core.GrowSample:
        """Draw the rows of a member of a round; ``place`` counts samples that grow together."""
        chosen = self.sampler.select(self.statistics, round, member, last_leaf)
        return _core.GrowSample(
            rows=chosen.rows,
            multipliers=chosen.multipliers,
            round=round,
            member=member,
            noise=noise,
            repeats=chosen.repeats,
        )

    def commit(self, trees: GrownRound) -> None:
        """Add the trees of the round to the scores of all rows."""
        self.boosting.commit(trees)
        for entry in self.evals:
            entry.add_round(trees)

    def evaluate(
        self, metrics: Sequence[Metric], correction: Correction
    ) -> dict[str, dict[str, float]]:
        """Return the metrics of each eval set, by its name."""
        return {entry.name: entry.evaluate(metrics, correction) for entry in self.evals}

    def digest(self, *, older: bool = False) -> str:
        """Return a digest of the rows and their scores, for checkpoints; ``older``: as before 2."""
        given = self.boosting.scores, self.target, self.weights, self.query_of_row
        return earlier_digest(*given) if older else digest_rows(*given, self.numbers)

    def digest_eval_sets(self, *, older: bool = False) -> dict[str, str]:
        """Return the digest of each eval set, by its name."""
        return {entry.name: entry.digest(older=older) for entry in self.evals}

"""`ShardedRows`: the rows of a training that are in several shards, as the training loop sees them.

The state here has no rows. Every operation runs on all shards and on this state
(``ShardExchange.reduce``), so what is no array of rows (the objective of the round, tree weights,
the unit of gradients) is the same everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ceiba import _core
from ceiba.boosting.shards.input import without_rows
from ceiba.boosting.shards.shard import Shard
from ceiba.boosting.training_rows import TrainingRows
from ceiba.errors import InvalidInputError
from ceiba.model.correction import Correction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.boosting.grown_round import GrownRound
    from ceiba.boosting.shards.exchange import ShardExchange
    from ceiba.boosting.shards.input import ShardInput
    from ceiba.data.schema import Schema
    from ceiba.metrics import Metric
    from ceiba.model.model import Model

__all__ = ["ShardedRows"]


class ShardedRows(TrainingRows):
    """Forwards the operations of a training to all shards."""

    exchange: ShardExchange
    #: Eval sets whose rows are in this process, and the names of all eval sets. ``evals`` has those
    #: of the shards, without rows.
    _evals_here: list[EvalSet]
    _names: list[str]

    @classmethod
    def over(cls, exchange: ShardExchange, given: ShardInput) -> ShardedRows:
        """Return the rows of an exchange. ``given`` has the settings of the training."""
        empty = given.without_rows()
        rows = cls.__new__(cls)
        rows.__dict__.update(empty.make_rows().__dict__)
        rows.exchange = exchange
        rows._evals_here, rows._names = [], []
        exchange.here = Shard(None, rows, empty.table)
        return rows

    def watch(
        self, evals: Sequence[EvalSet], mapper: _core.BinMapper | None, schema: Schema
    ) -> None:
        self._names = [entry.name for entry in evals]
        for entry in evals:
            if entry.rows.is_sharded:
                self.exchange.watch(entry, schema)
                self.evals.append(without_rows(entry))
            else:
                entry.code(mapper, self.n_threads, schema)
                entry.follow(self.boosting)
                self._evals_here.append(entry)

    def replay(self, model: Model, scored: Any, of_splits: Any) -> None:
        self.exchange.reduce("replay", model)
        for entry in self._evals_here:
            entry.replay(model)

    def begin(self, round: int) -> None:
        self.exchange.reduce("begin", round)

    def find_loss(self, round: int) -> None:
        self.exchange.reduce("find_loss", round)

    def find_gradients(self) -> None:
        self.exchange.reduce("find_gradients")

    def find_leaf_gradients(self) -> None:
        self.exchange.reduce("find_leaf_gradients")

    def scale(self) -> None:
        self.exchange.reduce("scale")

    def sketch(self, round: int) -> None:
        if self.settings.outputs.sketched:
            self.exchange.reduce("sketch", round)

    def noise(self, round: int) -> list[float]:
        found: list[float] = []
        if self.settings.parameters.random_strength:
            found = self.exchange.reduce("noise", round)
        return found

    def sample(
        self, place: int, round: int, member: int, last_leaf: float | None, noise: list[float]
    ) -> _core.GrowSample:
        facts = self.exchange.reduce("sample", place, round, member, last_leaf)
        return _core.GrowSample(rows=None, round=round, member=member, noise=noise, facts=facts)

    def move(self, trees: Any, slopes: Any = None) -> None:
        placed = self.exchange.placed(trees, self.settings.n_outputs)
        self.exchange.reduce("move", placed)

    def end_moves(self) -> None:
        self.exchange.reduce("end_moves")

    def commit(self, trees: GrownRound) -> None:
        n_outputs = self.settings.n_outputs
        placed = [self.exchange.placed(member, n_outputs) for member in trees.members]
        self.exchange.reduce("commit", placed)
        for entry in self._evals_here:
            entry.add_round(trees)

    def evaluate(
        self, metrics: Sequence[Metric], correction: Correction
    ) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        if self.evals:
            last = Correction(correction.shifts[-1:])
            found = self.exchange.reduce("evaluate", list(metrics), last)
        for entry in self._evals_here:
            found[entry.name] = entry.evaluate(metrics, correction)
        return {name: found[name] for name in self._names}

    def digest(self, *, older: bool = False) -> str:
        _check_digest(older)
        digest: str = self.exchange.reduce("digest")
        return digest

    def digest_eval_sets(self, *, older: bool = False) -> dict[str, str]:
        _check_digest(older)
        found: dict[str, str] = self.exchange.reduce("digest_eval_sets") if self.evals else {}
        found |= {entry.name: entry.digest() for entry in self._evals_here}
        return {name: found[name] for name in self._names}


def _check_digest(older: bool) -> None:
    if older:
        raise InvalidInputError(
            "A checkpoint of an older version can be resumed only where all rows are in one "
            "process. Give it as init_model to train further rounds on its trees."
        )

"""The trees of rounds, from gradients and samples of rows.

A round grows ``num_parallel_tree`` members: each is a tree for every output (or one that they
share), on rows and columns of its own. Where the rounds of a kind of boosting do not depend on each
other, the members of several rounds are grown in one call, so that every thread has a tree to
itself; what is grown does not depend on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba import _core
from ceiba.boosting.grown_round import GrownRound

if TYPE_CHECKING:
    from ceiba.boosting.training_rows import TrainingRows

__all__ = ["RoundGrower"]


class RoundGrower:
    """Grows the trees of rounds in their order."""

    def __init__(
        self,
        grower: _core.Grower,
        rows: TrainingRows,
        n_rounds: int,
        together: int = 1,
    ) -> None:
        self.n_parallel: int = rows.settings.parameters.num_parallel_tree
        self._grower = grower
        self._rows = rows
        self._n_rounds = n_rounds
        self._together = 1 if rows.settings.outputs.sketched else together  # rounds
        self._ahead: dict[int, GrownRound] = {}

    def grow(self, round: int, last_leaf: float | None = None) -> GrownRound:
        """Return the trees of a round. Those of the round before can no longer be fitted, unless
        both were grown together. ``last_leaf`` is what samplers read of it (``sample.py``).
        """
        if round not in self._ahead:
            self._ahead = self._grown(round, last_leaf)
        return self._ahead.pop(round)

    def _grown(self, first: int, last_leaf: float | None) -> dict[int, GrownRound]:
        rows, settings = self._rows, self._rows.settings
        rows.sketch(first)
        rounds = range(first, max(first + 1, min(self._n_rounds, first + self._together)))
        samples: list[_core.GrowSample] = []
        for round in rounds:
            noise = rows.noise(round)
            for member in range(self.n_parallel):
                samples.append(rows.sample(len(samples), round, member, last_leaf, noise))
        statistics = rows.for_splits
        n_grown = 1 if settings.outputs.split_together else len(statistics.gradients)
        trees = self._grower.grow_samples(
            statistics.gradients,
            statistics.hessians,
            statistics.constant_hessian,
            samples,
            leaf_width=settings.n_outputs // n_grown,
        )
        n = self.n_parallel
        return {round: GrownRound(trees[i * n : (i + 1) * n]) for i, round in enumerate(rounds)}

"""Weights of trees: the factor of each tree after any number of rounds.

The life of the weights:

1. A round adds its trees with the leaf values that it fitted; their weight is 1. Most boosting
   modes never change it, and then there is nothing here.
2. DART changes the weights of earlier trees. It records every change: the round that made it, the
   round whose trees it concerns, and their new factor.
3. A forest averages: each of n trees has the weight 1 / n, whatever n is asked for.
4. The model stores the changes beside its trees. :meth:`TreeWeights.as_of` returns the weights
   after n rounds. So a truncated model, a stage, an iteration range and a continued training are
   exactly those of n rounds. A model without changes stores nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import ModelFileError
from ceiba.model.trees import Trees

__all__ = ["TreeWeights"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]

#: Their names in a model file.
_ARRAYS = ("weight_round", "weight_tree", "weight_factor")
_MEAN = "weight_mean"


def _no_numbers() -> Integers:
    return np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class TreeWeights:
    """Changes of weights: round ``rounds[i]`` gave the trees of round ``trees[i]`` the new factor
    ``factors[i]``. ``rounds`` increases.
    """

    rounds: Integers = field(default_factory=_no_numbers)
    trees: Integers = field(default_factory=_no_numbers)
    factors: Floats = field(default_factory=lambda: np.zeros(0))
    #: Whether the model averages its trees instead of adding them.
    mean: bool = False

    @property
    def counts_once(self) -> bool:
        """Whether all weights are 1."""
        return not self.mean and len(self) == 0

    def __len__(self) -> int:
        return len(self.rounds)

    def changed(self, round: int, trees: Sequence[int], factors: Sequence[float]) -> TreeWeights:
        """Return the weights after a round that gave the trees of earlier rounds new factors."""
        return TreeWeights(
            np.concatenate([self.rounds, np.full(len(trees), round, dtype=np.int32)]),
            np.concatenate([self.trees, np.asarray(trees, dtype=np.int32)]),
            np.concatenate([self.factors, np.asarray(factors, dtype=np.float64)]),
            self.mean,
        )

    def until(self, n_rounds: int) -> TreeWeights:
        """Return the changes of the first ``n_rounds`` rounds."""
        n = int(np.searchsorted(self.rounds, n_rounds))
        return TreeWeights(self.rounds[:n], self.trees[:n], self.factors[:n], self.mean)

    def as_of(self, n_rounds: int, begin: int = 0) -> Floats:
        """Return the weight of the trees of each round after ``n_rounds`` rounds.

        A mean is taken over the rounds from ``begin`` on.
        """
        known, factors = self.until(n_rounds), np.ones(n_rounds)
        factors[known.trees] = known.factors  # the last change of a tree wins
        return factors * (1.0 / max(1, n_rounds - begin)) if self.mean else factors

    def changed_in(self, round: int) -> list[int]:
        """Return the rounds whose trees got new factors in a round."""
        begin, end = np.searchsorted(self.rounds, [round, round + 1])
        numbers: list[int] = self.trees[begin:end].tolist()
        return numbers

    def of_trees(self, forest: _core.Forest, n_rounds: int, begin: int = 0) -> Floats | None:
        """Return the weight of each tree after ``n_rounds`` rounds; None if all are 1."""
        if self.until(n_rounds).counts_once:
            return None
        return np.repeat(self._of_rounds(forest, n_rounds, begin), forest.trees_per_iteration)

    def applied(self, forest: _core.Forest, n_rounds: int, begin: int = 0) -> _core.Forest:
        """Return the trees with their weights multiplied into the leaf values."""
        weight = self.of_trees(forest, n_rounds, begin)
        if weight is None:
            return forest
        return Trees.of(forest, weight).weighted().to_forest(forest.n_features)

    def counted(self, forest: _core.Forest, n_rounds: int, begin: int = 0) -> _core.Forest:
        """Return a forest that predicts the same bits as :meth:`applied`, without copying trees."""
        if self.until(n_rounds).counts_once:
            return forest
        if forest.has_linear_leaves:
            return self.applied(forest, n_rounds, begin)
        return forest.counting(self._of_rounds(forest, n_rounds, begin))

    def _of_rounds(self, forest: _core.Forest, n_rounds: int, begin: int) -> Floats:
        """Return the weight of every round of the forest, 1 after the first ``n_rounds``."""
        factors = np.ones(forest.n_iterations)
        factors[:n_rounds] = self.as_of(n_rounds, begin)
        return factors

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of a model file; none if nothing was changed."""
        mean = {_MEAN: np.ones(1, dtype=np.int32)} if self.mean else {}
        if not len(self):
            return mean
        return mean | dict(zip(_ARRAYS, (self.rounds, self.trees, self.factors), strict=True))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], forest: _core.Forest) -> TreeWeights:
        """Return the weights that :meth:`arrays` wrote for these trees.

        Raises
        ------
        ModelFileError
            If the weights do not fit the trees, or make a leaf value too large.
        """
        mean = _MEAN in arrays
        if mean and arrays[_MEAN].tolist() != [1]:
            raise ModelFileError(
                f"The model file is damaged: its array {_MEAN!r} must hold the number 1. Load "
                "another copy of the model, or train it again."
            )
        names = [name for name in _ARRAYS if name in arrays]
        if not names:
            return cls(mean=mean)
        rounds, trees, factors = (arrays.get(name, np.zeros(0)) for name in _ARRAYS)
        sound = (
            len(names) == len(_ARRAYS)
            and len(rounds) == len(trees) == len(factors)
            and bool((np.diff(rounds) >= 0).all())
            and bool(((trees >= 0) & (trees <= rounds) & (rounds < forest.n_iterations)).all())
            and bool(np.isfinite(factors).all())
        )
        if not sound:
            raise ModelFileError(
                "The model file is damaged: the weights of its trees do not fit its rounds. Load "
                "another copy of the model, or train it again."
            )
        largest = float(np.abs(factors).max(initial=1.0))
        # The core refuses leaf values that are too large.
        Trees.of(forest, np.full(forest.n_trees, largest)).weighted().to_forest(forest.n_features)
        return cls(rounds, trees, factors, mean)

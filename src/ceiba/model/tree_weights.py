"""How much each tree counts, as of any round.

The life of the weights of trees:

1. A round commits its trees with the values that their leaves were given; they count once. Most
   kinds of boosting leave it at that, and there is nothing here.
2. A kind that changes its mind about earlier trees (DART, a mean of trees) writes every change
   down: in which round, the trees of which round, and what they are multiplied by from then on.
3. Or trees count as much as their mean does: n of them 1 / n each, whichever n are asked for.
4. The model holds the changes beside its trees. :meth:`TreeWeights.as_of` tells what every tree
   counts after n rounds, so a model that is cut, a stage, an iteration range and a training that
   goes on are those of n rounds. A model without changes has none of it in its file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import ModelFileError

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
    """Changes in their order: in round ``rounds[i]`` the trees of round ``trees[i]`` got a new
    factor, ``factors[i]``.
    """

    rounds: Integers = field(default_factory=_no_numbers)
    trees: Integers = field(default_factory=_no_numbers)
    factors: Floats = field(default_factory=lambda: np.zeros(0))
    #: Whether what the trees of rounds add is averaged and not summed.
    mean: bool = False

    @property
    def counts_once(self) -> bool:
        """Whether every tree counts what it was committed with, whatever came later."""
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
        """Return the changes of the first rounds."""
        n = int(np.searchsorted(self.rounds, n_rounds))
        return TreeWeights(self.rounds[:n], self.trees[:n], self.factors[:n], self.mean)

    def as_of(self, n_rounds: int, begin: int = 0) -> Floats:
        """Return what the trees of each of the first rounds count after them.

        With ``begin``, what they count where the rounds from there on are looked at alone.
        """
        known, factors = self.until(n_rounds), np.ones(n_rounds)
        factors[known.trees] = known.factors  # of several for one tree the last one stays
        return factors * (1.0 / max(1, n_rounds - begin)) if self.mean else factors

    def changed_in(self, round: int) -> list[int]:
        """Return the rounds whose trees a round gave new factors."""
        begin, end = np.searchsorted(self.rounds, [round, round + 1])
        numbers: list[int] = self.trees[begin:end].tolist()
        return numbers

    def applied(self, forest: _core.Forest, n_rounds: int, begin: int = 0) -> _core.Forest:
        """Return the trees with what rounds ``begin`` to ``n_rounds`` count when these are over."""
        if self.until(n_rounds).counts_once:
            return forest
        return _scaled(forest, self._of_iterations(forest, n_rounds, begin))

    def counted(self, forest: _core.Forest, n_rounds: int, begin: int = 0) -> _core.Forest:
        """Return a forest that predicts the bits of :meth:`applied`, without copies of trees."""
        if self.until(n_rounds).counts_once:
            return forest
        factors = self._of_iterations(forest, n_rounds, begin)
        return _scaled(forest, factors) if forest.has_linear_leaves else forest.counting(factors)

    def _of_iterations(self, forest: _core.Forest, n_rounds: int, begin: int) -> Floats:
        factors = np.ones(forest.n_iterations)
        factors[:n_rounds] = self.as_of(n_rounds, begin)
        return factors

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of a model file; none where nothing was changed."""
        mean = {_MEAN: np.ones(1, dtype=np.int32)} if self.mean else {}
        if not len(self):
            return mean
        return mean | dict(zip(_ARRAYS, (self.rounds, self.trees, self.factors), strict=True))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], forest: _core.Forest) -> TreeWeights:
        """Return the weights that :meth:`arrays` wrote for these trees; raise if they are damaged.

        Whatever a tree counts, its values must be ones that the core takes.
        """
        mean = _MEAN in arrays
        if mean and arrays[_MEAN].tolist() != [1]:
            raise ModelFileError("The model file is damaged: it is neither a mean nor a sum.")
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
                "The model file is damaged: the weights of its trees do not fit its rounds."
            )
        largest = float(np.abs(factors).max(initial=1.0))
        _scaled(forest, np.full(forest.n_iterations, largest))
        return cls(rounds, trees, factors, mean)


def _scaled(forest: _core.Forest, of_iteration: Floats) -> _core.Forest:
    """Return the trees with what their leaves add times a factor for each iteration."""
    arrays = dict(forest.arrays())
    n_nodes = np.diff(arrays["tree_offsets"])
    of_node = np.repeat(np.repeat(of_iteration, forest.trees_per_iteration), n_nodes)
    values = arrays["value"]  # [n_nodes], or [n_nodes, leaf_width]
    with np.errstate(over="ignore"):
        arrays["value"] = values * (of_node if values.ndim == 1 else of_node[:, None])
        if "linear_slope" in arrays:
            slopes = arrays["linear_slope"]
            of_term = np.repeat(of_node, np.diff(arrays["linear_offsets"]))
            arrays["linear_slope"] = slopes * (of_term if slopes.ndim == 1 else of_term[:, None])
    return _core.Forest(forest.n_features, forest.n_outputs, arrays)

"""Categories that are taken together: those that meet on paths of trees.

A tree that splits by one category and further down by another looks for rows in which the two stand
together. Their combination, as a category of its own, says that in one column. So first of all:

1. a few trees are grown on the statistics that there are, of some ten thousand rows;
2. wherever two statistics meet on a path, their columns together gain what the lower split gained;
3. what a combination gained is multiplied by (1 + levels / most levels) ** -0.5, so that those of
   very many levels, which hold little of new rows, come later;
4. the best ones get statistics, and ``encoded_table.py`` keeps those that tell more of the targets
   than
   their parts do. Then trees are grown again: unless they gain a good deal more than those before,
   the new statistics are dropped, since every column that tells nothing new is one more that may be
   taken by chance. Otherwise the next size is looked for.

Combinations of few keys are left to the trees, which can tell so many apart by themselves.
Nothing here depends on the order of work: gains are summed tree by tree, node by node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ceiba.random import unit_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.boosting.calibration import ScoringTrees
    from ceiba.data.dataset import Dataset
    from ceiba.data.schema import Schema
    from ceiba.parameters.resolving import Parameters

    Train = Callable[["Parameters", "Dataset"], "ScoringTrees"]

__all__ = ["CombinationSearch", "gains_of_meetings"]

#: Rounds of the trees that are looked at, and their learning rate.
_ROUNDS = 10
_RATE = 0.1
#: Rows of the trees that are looked at; of more, about so many are drawn.
_MOST_ROWS = 65_536
#: Combinations of one size that are chosen.
_MOST = 32
#: Combinations that may have no more keys are not looked at.
_FEW_KEYS = 256
#: How much more trees must gain with combinations than without. With pairs they gain 47 % more on
#: amazon_employee_access, and -0.4 to 2.6 % more on six other public tables, where they are of no
#: use.
_LEAST_GAIN = 0.05
#: Keys of a combination must fit 63 bits.
_MOST_KEYS = 2**63
#: What a plain training of few rounds does without; names that are not declared are passed over.
_PLAIN: dict[str, Any] = {
    "n_estimators": _ROUNDS,
    "learning_rate": _RATE,
    "boosting": "plain",
    "early_stopping_rounds": 0,
    "calibration_folds": 0,
    "eval_metric": None,
    "verbose": 0,
    "monotone_constraints": None,
    "interaction_constraints": None,
    "feature_weights": None,
    "random_strength": 0.0,
    "max_combination": 1,
}


class CombinationSearch:
    """Which combinations statistics should be made of, size by size.

    ``parameters`` are those of the user, ``words`` what was chosen for the categories; ``train``
    makes trees of parameters and rows.
    """

    def __init__(self, parameters: Parameters, words: dict[str, str], train: Train) -> None:
        self._parameters = parameters
        self._words = words
        self._train = train
        self._gain = 0.0  # of the trees without the combinations that were chosen last

    def __call__(self, rows: Dataset, schema: Schema) -> list[tuple[int, ...]] | None:
        """Return the combinations that statistics should be made of next, the best first.

        ``rows`` are encoded as ``schema`` says. None: what was chosen last is of no use.
        """
        own = schema.statistics
        assert own is not None
        size = 1 + max(len(entry.sources) for entry in own.combinations)
        most = min(self._parameters.max_combination, len(own.replaced))
        if size == 2 and (most < 2 or not self._may_combine(own.replaced, schema)):
            return []
        forest = self._grown(rows, schema)
        gain = math.fsum(forest.arrays()["gain"].tolist())
        if size > 2 and gain <= (1.0 + _LEAST_GAIN) * self._gain:
            return None
        self._gain = gain
        if size > most:
            return []
        gains = gains_of_meetings(forest, own.sources, own.statistics, size)
        found = {
            columns: gain * _size_penalty(columns, schema, rows.n_rows)
            for columns, gain in gains.items()
            if gain > 0 and _may_meet(columns, self._parameters, schema)
        }
        best = sorted(found, key=lambda columns: (-found[columns], columns))
        return best[:_MOST]

    def _may_combine(self, columns: Sequence[int], schema: Schema) -> bool:
        """Whether any of the columns may be taken together."""
        if isinstance(self._parameters.interaction_constraints, str):
            return False  # columns must not meet
        largest = sorted(columns, key=lambda j: -schema.n_levels[j])
        most = self._parameters.max_combination
        return _count_keys(largest[:most], schema) > _FEW_KEYS

    def _grown(self, rows: Dataset, schema: Schema) -> _core.Forest:
        """Return a few trees."""
        given, words = self._parameters, self._words
        kept = {name: words[name] for name in schema.engine.names if name in words}
        plain = given.replace(
            **{name: value for name, value in _PLAIN.items() if name in set(given)},
            categorical=kept or "auto",
        )
        return self._train(plain, _some_rows(rows, given.random_state)).forest


def _some_rows(rows: Dataset, seed: int) -> Dataset:
    """Return so many rows, drawn by chance, that the gains of trees can be put in order."""
    if rows.n_rows <= _MOST_ROWS:
        return rows
    return rows.take(unit_numbers(seed, 0, rows.n_given) < _MOST_ROWS / rows.n_rows)


def gains_of_meetings(
    forest: _core.Forest,
    sources: tuple[tuple[int, ...], ...],
    statistics: tuple[str, ...],
    size: int,
) -> dict[tuple[int, ...], float]:
    """Return what splits gained below a split by other statistics, for columns of both together.

    Of each column that trees read, ``sources`` are the columns of the table, ``statistics`` whether
    it is a statistic. Only unions of ``size`` columns are told.
    """
    arrays = forest.arrays()
    gains: dict[tuple[int, ...], float] = {}
    for node, above in _splits_with_paths(arrays):
        column = arrays["feature"][node]
        if not statistics[column]:
            continue
        seen = {
            union
            for other in above
            if statistics[other]
            and len(union := tuple(sorted({*sources[column], *sources[other]}))) == size
        }
        for union in sorted(seen):
            gains[union] = gains.get(union, 0.0) + float(arrays["gain"][node])
    return gains


def _splits_with_paths(
    arrays: dict[str, NDArray[Any]],
) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield every split, tree by tree, with the columns of the splits above it."""
    feature, left, right = arrays["feature"], arrays["left"], arrays["right"]
    offsets: NDArray[np.int64] = arrays["tree_offsets"]
    for first, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        above: dict[int, frozenset[int]] = {first: frozenset()}
        for node in range(first, end):  # children come after their parents
            if feature[node] < 0:
                continue
            yield node, above[node]
            here = above[node] | {int(feature[node])}
            above[first + int(left[node])] = above[first + int(right[node])] = here


def _count_keys(columns: Sequence[int], schema: Schema) -> int:
    """Return how many keys there may be."""
    return math.prod(schema.n_levels[j] + 1 for j in columns)


def _size_penalty(columns: tuple[int, ...], schema: Schema, n_rows: int) -> float:
    return float((1.0 + min(n_rows, _count_keys(columns, schema)) / max(schema.n_levels)) ** -0.5)


def _may_meet(columns: tuple[int, ...], parameters: Parameters, schema: Schema) -> bool:
    """Whether there are enough keys, and not too many, and interactions let the columns meet."""
    if not _FEW_KEYS < _count_keys(columns, schema) < _MOST_KEYS:
        return False
    given = parameters.interaction_constraints
    if given is None:
        return True
    called = "interaction_constraints"
    sets = [{schema.position_of(member, called) for member in members} for members in given]
    listed = set().union(*sets)
    sets.append(set(range(schema.n_features)) - listed)  # unlisted ones are a set, or alone
    return any(set(columns) <= members for members in sets)

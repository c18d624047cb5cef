"""Search for combinations of categories that deserve target statistics of their own.

A tree that splits on one category and, below, on another separates combinations of their levels.
Encoding the combination as one column takes a single split. The search:

1. grows a few trial trees on the statistics so far, using at most about 65,536 rows;
2. wherever two statistics occur on one path, credits their combination with the gain of the lower
   split;
3. multiplies this gain by (1 + levels / most levels) ** -0.5, because combinations with very many
   levels generalize worse;
4. proposes the best combinations. ``encoded_table.py`` keeps those that explain more of the target
   than their parts do. New trial trees must then gain clearly more than the old ones; otherwise
   the new statistics are dropped, because each useless column is one more that a split may choose
   by chance. If they are kept, the search continues with larger combinations.

Combinations with few keys are skipped, since trees separate them without help. Gains are summed
tree by tree and node by node, so the result does not depend on threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ceiba.boosting.row_splits import sampled_rows
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from ceiba import _core
    from ceiba.boosting.calibration import ScoringTrees
    from ceiba.data.dataset import Dataset
    from ceiba.data.schema import Schema
    from ceiba.parameters.resolving import Parameters

    Train = Callable[["Parameters", "Dataset"], "ScoringTrees"]

__all__ = ["CombinationSearch", "gains_of_combinations"]

#: Rounds and learning rate of the trial trees.
_ROUNDS = 10
_RATE = 0.1
#: Rows of the trial trees; larger tables are sampled to about this many.
_MOST_ROWS = 65_536
#: Combinations of one size that are proposed at most.
_MOST = 32
#: Combinations with at most this many possible keys are skipped.
_FEW_KEYS = 256
#: Minimum relative increase of the trial trees' gain. Pairs increase it by 47 % on
#: amazon_employee_access, where they help, and by -0.4 to 2.6 % on six tables where they do not.
_LEAST_GAIN = 0.05
#: Keys of a combination must fit 63 bits.
_MOST_KEYS = 2**63
#: Parameters of the trial trees; names that the recipe does not have are ignored.
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
    """Propose combinations of categories, by increasing size.

    ``parameters`` are the user's, ``encodings`` the encoding of each category. ``train`` grows
    trees from parameters and rows.
    """

    def __init__(self, parameters: Parameters, encodings: dict[str, str], train: Train) -> None:
        self._parameters = parameters
        self._encodings = encodings
        self._train = train
        self._gain = 0.0  # of the trial trees without the last proposals

    def __call__(self, rows: Dataset, schema: Schema) -> list[tuple[int, ...]] | None:
        """Return the next combinations to encode, the best first.

        ``rows`` are encoded with ``schema``. Returns None if the last proposals were useless.
        """
        own = schema.statistics
        assert own is not None
        size = 1 + max(len(entry.sources) for entry in own.combinations)
        most = min(self._parameters.max_combination, len(own.replaced))
        if size == 2 and (most < 2 or not self._may_combine(own.replaced, schema)):
            return []
        trees = Trees.of(self._grown(rows, schema))
        gain = math.fsum(trees.gain.tolist())
        if size > 2 and gain <= (1.0 + _LEAST_GAIN) * self._gain:
            return None
        self._gain = gain
        if size > most:
            return []
        gains = gains_of_combinations(trees, own.sources, own.statistics, size)
        found = {
            columns: gain * _size_penalty(columns, schema, rows.n_rows)
            for columns, gain in gains.items()
            if gain > 0 and _may_meet(columns, self._parameters, schema)
        }
        best = sorted(found, key=lambda columns: (-found[columns], columns))
        return best[:_MOST]

    def _may_combine(self, columns: Sequence[int], schema: Schema) -> bool:
        """Return whether any of the columns may be combined."""
        if isinstance(self._parameters.interaction_constraints, str):
            return False  # 'no_interactions' or 'pairwise'
        largest = sorted(columns, key=lambda j: -schema.n_levels[j])
        most = self._parameters.max_combination
        return _count_keys(largest[:most], schema) > _FEW_KEYS

    def _grown(self, rows: Dataset, schema: Schema) -> _core.Forest:
        """Return the trial trees."""
        given, own = self._parameters, self._encodings
        kept = {name: own[name] for name in schema.engine.names if name in own}
        plain = given.replace(
            **{name: value for name, value in _PLAIN.items() if name in set(given)},
            categorical=kept,
        )
        return self._train(plain, sampled_rows(rows, _MOST_ROWS, given.random_state)).forest


def gains_of_combinations(
    trees: Trees,
    sources: tuple[tuple[int, ...], ...],
    statistics: tuple[str, ...],
    size: int,
) -> dict[tuple[int, ...], float]:
    """Return the gain of splits on one statistic below a split on another, by combined columns.

    For each column that trees read, ``sources`` has its columns in the table and ``statistics``
    its kind (empty if it is not a target statistic). Only combinations of ``size`` columns count.
    """
    gains: dict[tuple[int, ...], float] = {}
    for node, above in _splits_with_paths(trees):
        column = trees.feature[node]
        if not statistics[column]:
            continue
        seen = {
            union
            for other in above
            if statistics[other]
            and len(union := tuple(sorted({*sources[column], *sources[other]}))) == size
        }
        for union in sorted(seen):
            gains[union] = gains.get(union, 0.0) + float(trees.gain[node])
    return gains


def _splits_with_paths(trees: Trees) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield the node of every split, tree by tree, with the columns of the splits above it."""
    feature, left, right = trees.feature, trees.left, trees.right
    for first, end in pairwise(trees.offsets.tolist()):
        above: dict[int, frozenset[int]] = {first: frozenset()}
        for node in range(first, end):  # children come after their parents
            if feature[node] < 0:
                continue
            yield node, above[node]
            here = above[node] | {int(feature[node])}
            above[first + int(left[node])] = above[first + int(right[node])] = here


def _count_keys(columns: Sequence[int], schema: Schema) -> int:
    """Return the number of possible keys."""
    return math.prod(schema.n_levels[j] + 1 for j in columns)


def _size_penalty(columns: tuple[int, ...], schema: Schema, n_rows: int) -> float:
    return float((1.0 + min(n_rows, _count_keys(columns, schema)) / max(schema.n_levels)) ** -0.5)


def _may_meet(columns: tuple[int, ...], parameters: Parameters, schema: Schema) -> bool:
    """Return whether the columns have a usable number of keys and are allowed to interact."""
    if not _FEW_KEYS < _count_keys(columns, schema) < _MOST_KEYS:
        return False
    given = parameters.interaction_constraints
    if given is None:
        return True
    called = "interaction_constraints"
    sets = [{schema.position_of(member, called) for member in members} for members in given]
    listed = set().union(*sets)
    sets.append(set(range(schema.n_features)) - listed)  # columns in no set
    return any(set(columns) <= members for members in sets)

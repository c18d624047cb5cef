"""Replace categorical columns of the training rows by ordered target statistics.

The life of an encoding:

1. ``prepare`` has decided which categories are encoded by the target (``categorical``).
2. :func:`encode` computes statistics that do not contain a row's own target: each row uses the rows
   before it in a random permutation, and several permutations are averaged.
3. ``combinations.py`` proposes combinations of categories. Those that explain more of the target
   than their parts do (cpp/data/encoding/explained_share.hpp) add columns.
4. With ``target_leaves="own"`` rows get a second set of statistics from other permutations. Splits
   are chosen by the first set; the second set routes rows to leaves for leaf values and scores. So
   leaf values do not fit the chance of the permutations that chose the splits.
5. The encoded rows and a schema with the sums go to the boosting loop. Bins, gradients and trees do
   not depend on this module.

The statistics of a training row differ from those that :meth:`ceiba.Model.predict` computes, so
training scores are never rebuilt by prediction. Continued training and refits encode their rows
here too. For the rows that a model was trained on, the statistics are identical, bit for bit. For
other rows, they come from these rows alone, and the model stores the sums of both.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.boosting.encoding.category_choice import target_columns
from ceiba.boosting.encoding.combinations import CombinationSearch
from ceiba.boosting.start import checked_target
from ceiba.data.block import dense_values
from ceiba.data.target_statistics import Combination, TargetStatistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ceiba.boosting.calibration import ScoringTrees
    from ceiba.boosting.prepare import Prepared
    from ceiba.data.dataset import Dataset
    from ceiba.data.schema import Schema
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]
    #: Proposes combinations from the columns encoded so far. None: the last proposals were useless.
    Choose = Callable[[Dataset, Schema], Iterable[tuple[int, ...]] | None]
    Train = Callable[[Parameters, Dataset], ScoringTrees]

__all__ = ["Encoded", "TargetSums", "encode", "encode_like", "encode_training"]

#: Statistics of two classes are binned into this many bins of equal width if the rarer class has at
#: least the share ``_RARE``. Quantile bins would split a frequent level by the chance of the
#: permutation.
_GRID = 16
_RARE = 0.1
#: Separates the seed of the leaves' permutations from that of the splits'.
_LEAF_SEED = 0x6C6561766573
#: Share of the target variance that a combination must explain beyond its parts. Useless
#: combinations of 120,000 rows explained up to 0.0005, useful ones 0.002 to 0.07.
_LEAST_SHARE = 0.002
#: Bits of the largest target. Sums of up to 2^22 rows are then exact.
_BITS = 40
_BITS_OF_SUMS = 62


@dataclass(frozen=True, eq=False)
class Encoded:
    """Rows with the columns that trees read, and the schema that encodes further rows."""

    dataset: Dataset
    schema: Schema
    #: The same rows with the statistics that route them to leaves, if these differ.
    of_leaves: Dataset | None = None

    @property
    def scored(self) -> Dataset:
        """Return the rows that are routed to leaves to compute scores."""
        return self.dataset if self.of_leaves is None else self.of_leaves

    @property
    def n_columns(self) -> int:
        """Return the number of columns that trees read."""
        return self.dataset.n_features


@dataclass(frozen=True, eq=False)
class _Keyed:
    """A combination of columns, and the index of each row's key."""

    combination: Combination
    places: NDArray[np.int32]

    @property
    def sources(self) -> tuple[int, ...]:
        """Return the columns."""
        return self.combination.sources


class TargetSums:
    """Exact sums of the targets that target statistics average, as integers in units.

    Regression and ranking average the target, binary classification the indicator of the second
    class, multiclass an indicator for each class, and multi-target or multilabel tasks each target.
    ``like`` are the statistics of an existing model whose trees are continued or refitted.
    """

    def __init__(
        self,
        parameters: Parameters,
        objective: Objective,
        dataset: Dataset,
        weights: Floats | None,
        like: TargetStatistics | None = None,
        n_threads: int = 1,
    ) -> None:
        target = checked_target(dataset)
        values = np.atleast_2d(target.T)
        if objective.task == "multiclass":
            n_classes = objective.n_outputs(target) if like is None else like.n_targets
            values = (target == np.arange(n_classes)[:, None]).astype(np.float64)
        #: Fixed priors that rare levels are shrunk towards; empty: the mean target.
        self.priors = (0.0, 1.0) if objective.task == "binary" else ()
        self.strength = parameters.target_strength if like is None else like.strength
        self.parameters, self.dataset, self.like = parameters, dataset, like
        if weights is not None:
            values = values * weights
        # Classes are parts of one target, so they share a unit. Targets may differ in magnitude.
        self.targets_are_classes = objective.task == "multiclass"
        groups = values[None] if self.targets_are_classes else values[:, None]
        integers, units = zip(*map(_to_integers, groups), strict=True)
        self.targets = np.concatenate(integers)
        self.target_units = [unit for unit, own in zip(units, integers, strict=True) for _ in own]
        self.weights, self.weight_unit = None, 1.0
        if weights is not None:
            self.weights, self.weight_unit = _to_integers(weights)
        self.n_rows, self.n_threads = len(target), n_threads
        self._digest_of_rows = ""

    def keyed(self, combinations: Sequence[tuple[int, ...]]) -> list[_Keyed]:
        """Return the sums over the rows of each key, for each combination of columns."""
        table = self.dataset.table
        used = sorted({j for sources in combinations for j in sources})
        position = {j: k for k, j in enumerate(used)}
        chunks = [[dense_values(chunk) for chunk in table.columns[j]] for j in used]
        levels = [table.schema.n_levels[j] for j in used]
        wanted = [[position[j] for j in sources] for sources in combinations]
        found = _core.key_levels(chunks, levels, wanted, self.n_threads)
        totals = _core.total_statistics(
            [places for _, places in found],
            [len(keys) for keys, _ in found],
            self.targets,
            self.weights,
            self.n_threads,
        )
        return [
            _Keyed(
                Combination(
                    sources,
                    keys,
                    _to_floats(weights, self.weight_unit),
                    _to_floats(sums, np.array(self.target_units)[:, None]),
                ),
                places,
            )
            for sources, (keys, places), (weights, sums) in zip(
                combinations, found, totals, strict=True
            )
        ]

    def ordered(self, keyed: Sequence[_Keyed], permutations: _core.RowPermutations) -> list[Floats]:
        """Return the columns of each combination: ordered statistics, then row counts."""
        return _core.ordered_statistics(
            [own.places for own in keyed],
            [own.combination.weights for own in keyed],
            self.targets,
            self.weights,
            self.target_units,
            self.weight_unit,
            self.strength,
            list(self.priors),
            permutations,
            self.n_threads,
        )

    @cached_property
    def permutations(self) -> _core.RowPermutations:
        """Return the random permutations of the rows for splits."""
        return self._row_permutations(0)

    @cached_property
    def leaf_permutations(self) -> _core.RowPermutations:
        """Return other permutations, for leaf values."""
        return self._row_permutations(_LEAF_SEED)

    def _row_permutations(self, purpose: int) -> _core.RowPermutations:
        given = self.parameters
        return _core.RowPermutations(
            given.random_state ^ purpose, given.target_permutations, self.n_rows, self.n_threads
        )

    def shares(
        self, columns: Mapping[tuple[int, ...], Floats], new: Mapping[tuple[int, ...], Floats]
    ) -> list[float]:
        """Return the share of variance that each new combination explains beyond its parts."""
        return _core.explained_shares(
            list(new.values()),
            [[own for part, own in columns.items() if set(part) < set(whole)] for whole in new],
            self.targets,
            self.weights,
            self.target_units,
            self.weight_unit,
            max(1, len(self.priors)),
            self.targets_are_classes,
            self.n_threads,
        )

    @cached_property
    def totals(self) -> Floats:
        """Return the weight of all rows, and the sum of each target."""
        weight = float(self.n_rows)
        if self.weights is not None:
            weight = _core.exact_sum(_to_floats(self.weights, self.weight_unit))
        pairs = zip(self.targets, self.target_units, strict=True)
        sums = [_core.exact_sum(_to_floats(own, unit)) for own, unit in pairs]
        return np.array([weight, *sums])

    def statistics(self, keyed: Sequence[_Keyed]) -> TargetStatistics:
        """Return the statistics that a model stores."""
        share = self.totals[1] / self.totals[0]
        is_even = bool(self.priors) and _RARE <= share <= 1.0 - _RARE
        return TargetStatistics(
            tuple(self.dataset.schema.n_levels),
            tuple(own.combination for own in keyed),
            self.priors,
            self.strength,
            self.totals,
            self._digest(keyed),
            self.parameters.target_bins,
            _GRID if is_even and self.parameters.target_bins > 0 else 0,
        )

    def _digest(self, keyed: Sequence[_Keyed]) -> str:
        """Return a digest of the rows; it does not depend on the combinations."""
        if not self._digest_of_rows:
            digest = hashlib.sha256(self.targets.tobytes())
            if self.weights is not None:
                digest.update(self.weights.tobytes())
            for own in keyed:
                if len(own.sources) == 1:
                    digest.update(own.places.tobytes())
            self._digest_of_rows = digest.hexdigest()
        return self._digest_of_rows


def encode_training(
    given: Parameters, ready: Prepared, earlier: Schema | None, train: Train
) -> Encoded:
    """Return the training rows with the columns that trees read.

    ``given`` are the parameters before "auto" was settled, for trial trees. ``earlier`` is the
    schema of the model that the training continues; ``train`` trains trees on parameters and rows.
    """
    dataset, schema = ready.dataset, ready.dataset.schema
    columns = target_columns(ready.parameters.categorical, schema)
    if not columns:
        return Encoded(dataset, schema)
    like = None if earlier is None else earlier.statistics
    sums = TargetSums(
        ready.parameters, ready.objective, ready.dataset, ready.weights, like, ready.n_threads
    )
    if like is not None:
        return encode_like(sums)
    return encode(sums, columns, CombinationSearch(given, ready.parameters.categorical, train))


def encode(sums: TargetSums, columns: Sequence[int], choose: Choose) -> Encoded:
    """Return the training rows with statistics of some columns and of combinations of them.

    ``choose`` is called repeatedly with the columns so far. The search ends when none of its
    proposals explains more of the target than its parts do, or when it returns None because its
    last proposals were useless.
    """
    keyed = sums.keyed([(j,) for j in columns])
    values = dict(
        zip([own.sources for own in keyed], sums.ordered(keyed, sums.permutations), strict=True)
    )
    encoded, n_before = _encoded(sums, keyed, list(values.values())), len(keyed)
    while chosen := choose(encoded.dataset, encoded.schema):
        wanted = [own for own in chosen if own not in values]
        if not wanted:
            break
        new = sums.keyed(wanted)
        found = dict(zip(wanted, sums.ordered(new, sums.permutations), strict=True))
        shares = dict(zip(wanted, sums.shares(values, found), strict=True))
        kept = [own for own in new if shares[own.sources] >= _LEAST_SHARE]
        if not kept:
            break
        n_before = len(keyed)
        keyed += kept
        values |= {own.sources: found[own.sources] for own in kept}
        encoded = _encoded(sums, keyed, list(values.values()))
    if chosen is None:
        keyed = keyed[:n_before]
        encoded = _encoded(sums, keyed, list(values.values())[:n_before])
    return _with_leaves(encoded, sums, keyed)


def encode_like(sums: TargetSums) -> Encoded:
    """Return rows with the columns that the trees of an existing model read."""
    before = sums.like
    assert before is not None
    keyed = sums.keyed([own.sources for own in before.combinations])
    encoded = _encoded(sums, keyed, sums.ordered(keyed, sums.permutations))
    encoded = _with_leaves(encoded, sums, keyed)
    found = encoded.schema.statistics
    assert found is not None
    if found.same_rows(before):
        return replace(encoded, schema=encoded.schema.with_statistics(before))
    pairs = zip(before.combinations, found.combinations, strict=True)
    joined = replace(
        before,
        combinations=tuple(one.joined(other) for one, other in pairs),
        totals=before.totals + found.totals,
        rows=hashlib.sha256(f"{before.rows} {found.rows}".encode()).hexdigest(),
        max_bins=found.max_bins,
        grid=found.grid,
    )
    return replace(encoded, schema=encoded.schema.with_statistics(joined))


def _encoded(sums: TargetSums, keyed: Sequence[_Keyed], values: Sequence[Floats]) -> Encoded:
    schema = sums.dataset.schema.with_statistics(sums.statistics(keyed))
    table = sums.dataset.table.replaced(schema, [own for of_one in values for own in of_one])
    return Encoded(sums.dataset.with_table(table), schema)


def _with_leaves(encoded: Encoded, sums: TargetSums, keyed: Sequence[_Keyed]) -> Encoded:
    """Add the rows that are routed to leaves if ``target_leaves="own"`` applies."""
    parameters = sums.parameters
    is_supported = (
        parameters.split_method not in ("exact", "approx") and parameters.leaf_model == "constant"
    )
    if parameters.target_leaves == "same" or not is_supported:
        return encoded
    values = [own for of_one in sums.ordered(keyed, sums.leaf_permutations) for own in of_one]
    table = sums.dataset.table.replaced(encoded.schema, values)
    return replace(encoded, of_leaves=sums.dataset.with_table(table))


def _to_floats(integers: NDArray[np.int64], unit: float | Floats) -> Floats:
    return integers.astype(np.float64) * unit


def _to_integers(values: Floats) -> tuple[NDArray[np.int64], float]:
    """Return values as integers in a unit: a power of two chosen from the largest value."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0.0:
        return np.zeros(values.shape, dtype=np.int64), 1.0
    bits = min(_BITS, _BITS_OF_SUMS - max(1, values.shape[-1]).bit_length())
    exponent = bits - int(np.frexp(largest)[1])
    integers = np.rint(np.ldexp(values, exponent)).astype(np.int64)
    return np.ascontiguousarray(integers), float(np.ldexp(1.0, -exponent))

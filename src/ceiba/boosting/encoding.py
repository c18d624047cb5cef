"""From the rows of a training to the columns that its trees read, where categories are statistics.

The life of an encoding:

1. ``prepare`` has settled which categories are known by their statistics (``categorical``).
2. :func:`encode` sums the targets of their levels and gives every row statistics that do not know
   its own target: each row sees those before it in a random order, and several orders are averaged.
3. ``combinations.py`` chooses categories that are taken together, each of which adds columns.
4. With ``target_leaves="own"`` every row gets statistics of other orders too: splits are chosen by
   the first, and leaves have the rows that the others send there. What was chance in the orders
   that chose a split is then not in the values of its leaves. Scores come from those leaves.
5. The rows with their statistics, and the schema that holds what was summed, go to the loop. Bins,
   gradients and trees know nothing of all this.

A training row has other statistics than :meth:`ceiba.Model.predict` gives it, so its score is never
rebuilt by predicting it: going on from a model and refits make the columns of their rows here, too.
On rows that a model was trained on they are those of its training, bit for bit. On other rows they
come from these rows alone, and the model keeps the sums of both.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.boosting.category_choice import target_columns
from ceiba.boosting.combinations import CombinationSearch
from ceiba.boosting.start import checked_target
from ceiba.data.block import dense_values
from ceiba.data.target_statistics import Combination, TargetStatistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from ceiba.boosting.calibration import Trees
    from ceiba.boosting.prepare import Prepared
    from ceiba.data.dataset import Dataset
    from ceiba.data.schema import Schema
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]
    #: Columns that are worth taking together, given what was encoded so far; None: those that were
    #: chosen last are not.
    Choose = Callable[[Dataset, Schema], Iterable[tuple[int, ...]] | None]
    Train = Callable[[Parameters, Dataset], Trees]

__all__ = ["Encoded", "TargetSums", "encode", "encode_like", "encode_training"]

#: Bins of equal width for the share of one of two classes, and the share of the rarer class from
#: which there are enough rows in each of them. Bins of equal numbers of rows would cut a level of
#: many rows by what is chance in the order of rows.
_GRID = 16
_RARE = 0.1
#: Sets the orders of leaves apart from those of splits.
_OF_LEAVES = 0x6C6561766573
#: Bits of the largest target; sums of up to 2^22 rows are then exact.
_BITS = 40
_BITS_OF_SUMS = 62


@dataclass(frozen=True, eq=False)
class Encoded:
    """Rows as trees read them, and the schema of the table with what it takes to get there."""

    dataset: Dataset
    schema: Schema
    #: The same rows with statistics of orders of their own, which leaves know them by, if any.
    of_leaves: Dataset | None = None

    @property
    def scored(self) -> Dataset:
        """Return the rows as they come to the leaves that scores are made of."""
        return self.dataset if self.of_leaves is None else self.of_leaves

    @property
    def n_columns(self) -> int:
        """Return the number of columns that trees read."""
        return self.dataset.n_features


@dataclass(frozen=True, eq=False)
class _Keyed:
    """A combination of columns, and the place of every row among its keys."""

    combination: Combination
    places: NDArray[np.int32]

    @property
    def weights(self) -> Floats:
        """Return, for every row, the rows that have its key."""
        return np.append(self.combination.weights, 0.0)[self.places]


class TargetSums:
    """What is averaged over the rows of a level, in whole numbers of a unit.

    A number of a regression or the relevance of a document; of two classes the share of the second,
    of more the share of each. ``like`` are the statistics of a model whose trees are there.
    """

    def __init__(
        self,
        parameters: Parameters,
        objective: Objective,
        dataset: Dataset,
        weights: Floats | None,
        like: TargetStatistics | None = None,
    ) -> None:
        target = checked_target(dataset)
        values = target[None, :]
        if objective.task == "multiclass":
            n_classes = objective.n_outputs(target) if like is None else like.n_targets
            values = (target == np.arange(n_classes)[:, None]).astype(np.float64)
        #: What levels of few rows are drawn to; none: the mean.
        self.priors = (0.0, 1.0) if objective.task == "binary" else ()
        self.strength = parameters.target_strength if like is None else like.strength
        self.parameters, self.dataset, self.like = parameters, dataset, like
        if weights is not None:
            values = values * weights
        self.targets, self.target_unit = _whole(values)
        self.weights, self.weight_unit = None, 1.0
        if weights is not None:
            self.weights, self.weight_unit = _whole(weights)
        self.n_rows = len(target)

    def keyed(self, sources: tuple[int, ...]) -> _Keyed:
        """Return the sums of the rows of each key of some columns."""
        table = self.dataset.table
        levels = [table.schema.n_levels[j] for j in sources]
        chunks = [[dense_values(chunk) for chunk in table.columns[j]] for j in sources]
        keys, places = _core.key_levels(chunks, levels)
        weights, sums = _core.total_statistics(places, len(keys), self.targets, self.weights)
        own = Combination(
            sources, keys, _real(weights, self.weight_unit), _real(sums, self.target_unit)
        )
        return _Keyed(own, places)

    def ordered(self, keyed: Sequence[_Keyed], n_threads: int, purpose: int = 0) -> list[Floats]:
        """Return the columns of each combination: statistics of the rows before, and counts.

        Every ``purpose`` has random orders of its own.
        """
        found = _core.ordered_statistics(
            [own.places for own in keyed],
            [len(own.combination.keys) for own in keyed],
            self.targets,
            self.weights,
            self.target_unit,
            self.weight_unit,
            self.strength,
            list(self.priors),
            self.parameters.random_state ^ purpose,
            self.parameters.target_permutations,
            n_threads,
        )
        pairs = zip(found, keyed, strict=True)
        return [np.vstack([values, own.weights[None, :]]) for values, own in pairs]

    def statistics(self, keyed: Sequence[_Keyed]) -> TargetStatistics:
        """Return what a model keeps."""
        weight = float(self.n_rows)
        if self.weights is not None:
            weight = _core.exact_sum(_real(self.weights, self.weight_unit))
        sums = [_core.exact_sum(_real(own, self.target_unit)) for own in self.targets]
        digest = hashlib.sha256(self.targets.tobytes())
        if self.weights is not None:
            digest.update(self.weights.tobytes())
        for own in keyed:
            if len(own.combination.sources) == 1:
                digest.update(own.places.tobytes())
        share = sums[0] / weight
        is_even = bool(self.priors) and _RARE <= share <= 1.0 - _RARE
        return TargetStatistics(
            tuple(self.dataset.schema.n_levels),
            tuple(own.combination for own in keyed),
            self.priors,
            self.strength,
            np.array([weight, *sums]),
            digest.hexdigest(),
            self.parameters.target_bins,
            _GRID if is_even and self.parameters.target_bins > 0 else 0,
        )


def encode_training(
    given: Parameters, ready: Prepared, dataset: Dataset, earlier: Schema | None, train: Train
) -> Encoded:
    """Return the rows of a training as its trees read them.

    ``given`` and ``dataset`` are what the user gave: the dataset keeps its bins where no column is
    replaced. ``earlier`` is the schema of the model that the training goes on from; ``train`` makes
    trees of parameters and rows.
    """
    schema = ready.dataset.schema
    columns = target_columns(ready.parameters.categorical, schema)
    if not columns:
        return Encoded(dataset, schema)
    like = None if earlier is None else earlier.statistics
    sums = TargetSums(ready.parameters, ready.objective, ready.dataset, ready.weights, like)
    if like is not None:
        return encode_like(sums, ready.n_threads)
    choose = CombinationSearch(given, ready.parameters.categorical, train)
    return encode(sums, columns, choose, ready.n_threads)


def encode(sums: TargetSums, columns: Sequence[int], choose: Choose, n_threads: int) -> Encoded:
    """Return the rows of a training with statistics of some columns, and of what ``choose`` adds.

    It is asked again and again, with what it chose before, until it chooses nothing more, or finds
    that what it chose last is of no use.
    """
    keyed = [sums.keyed((j,)) for j in columns]
    values = sums.ordered(keyed, n_threads)
    encoded, n_kept = _encoded(sums, keyed, values), len(keyed)
    while chosen := choose(encoded.dataset, encoded.schema):
        n_kept = len(keyed)
        known = {own.combination.sources for own in keyed}
        new = [sums.keyed(own) for own in chosen if own not in known]
        keyed += new
        values += sums.ordered(new, n_threads)
        encoded = _encoded(sums, keyed, values)
    if chosen is None:
        keyed, values = keyed[:n_kept], values[:n_kept]
        encoded = _encoded(sums, keyed, values)
    return _with_leaves(encoded, sums, keyed, n_threads)


def encode_like(sums: TargetSums, n_threads: int) -> Encoded:
    """Return rows with the columns that the trees of a model read."""
    before = sums.like
    assert before is not None
    keyed = [sums.keyed(own.sources) for own in before.combinations]
    encoded = _encoded(sums, keyed, sums.ordered(keyed, n_threads))
    encoded = _with_leaves(encoded, sums, keyed, n_threads)
    found = encoded.schema.statistics
    assert found is not None
    if found.rows == before.rows:
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
    table = sums.dataset.table.replaced(schema, np.vstack(values))
    return Encoded(sums.dataset.with_table(table), schema)


def _with_leaves(
    encoded: Encoded, sums: TargetSums, keyed: Sequence[_Keyed], n_threads: int
) -> Encoded:
    """Return the same with orders of their own for the leaves, where they are asked for."""
    asked = sums.parameters
    if asked.target_leaves == "same" or asked.split_method in ("exact", "approx"):
        return encoded
    values = np.vstack(sums.ordered(keyed, n_threads, _OF_LEAVES))
    table = sums.dataset.table.replaced(encoded.schema, values)
    return replace(encoded, of_leaves=sums.dataset.with_table(table))


def _real(whole: NDArray[np.int64], unit: float) -> Floats:
    return whole.astype(np.float64) * unit


def _whole(values: Floats) -> tuple[NDArray[np.int64], float]:
    """Return values as whole numbers of a unit, a power of two that follows the largest of them."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0.0:
        return np.zeros(values.shape, dtype=np.int64), 1.0
    bits = min(_BITS, _BITS_OF_SUMS - max(1, values.shape[-1]).bit_length())
    exponent = bits - int(np.frexp(largest)[1])
    whole = np.rint(np.ldexp(values, exponent)).astype(np.int64)
    return np.ascontiguousarray(whole), float(np.ldexp(1.0, -exponent))

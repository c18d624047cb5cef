"""Row sampling: the rows of each tree, and their multipliers.

The life of a sampler:

1. ``prepare`` makes it once per training and raises errors for unsupported combinations.
2. :meth:`RowSampler.select` draws the rows of a round, once the gradients are known, or of each
   tree of the round.

Random numbers are hashes of (seed, round, tree of the round, row, query or draw). Selection by
gradient is exact. So samples depend neither on threads nor on blocks. A sampler has no state
between rounds: ``mvs`` reads leaf sizes from the previous trees, which a checkpoint contains.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.data.queries import Queries
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int32]

__all__ = ["ALL_ROWS", "RowSampler", "RowSelection", "count_rows", "leaf_size"]


@dataclass(frozen=True, slots=True, eq=False)
class RowSelection:
    """Rows of the trees of one round, and multipliers of their gradients and hessians.

    It changes neither gradients nor weights.
    """

    rows: NDArray[np.int32] | None = None  #: sorted; None: all rows
    multipliers: NDArray[np.float64] | None = None  #: one for each selected row; None: all are 1
    #: Whether multipliers are numbers of repetitions; otherwise they are weights, even if whole.
    repeats: bool = True


#: All rows, with multiplier 1.
ALL_ROWS = RowSelection()


def count_rows(n_rows: int, weights: Floats | None) -> int:
    """Return the number of rows; integer weights count as repetitions."""
    if weights is None or not (weights == np.floor(weights)).all():
        return n_rows
    total = _core.exact_sum(weights)
    return int(total) if math.isfinite(total) else n_rows


@dataclass(frozen=True, eq=False, kw_only=True)
class RowSampler:
    """Draws the rows of each round."""

    parameters: Parameters
    n_rows: int
    weights: Floats | None = None
    #: Rows of each class, with the share to draw; empty: rows of all classes are drawn alike.
    class_shares: tuple[tuple[Integers, float], ...] = ()
    #: Draw queries instead of rows.
    queries: Queries | None = None
    #: Classes that have the same total weight in every sample.
    labels: NDArray[np.intp] | None = None
    n_threads: int = 1
    _room: _core.SampleRoom = field(default_factory=_core.SampleRoom)

    @classmethod
    def make(
        cls,
        parameters: Parameters,
        objective: Objective,
        target: Floats,
        weights: Floats | None,
        queries: Queries | None,
        n_threads: int,
    ) -> RowSampler:
        """Return the sampler of a training; raise for unsupported combinations."""
        _check_options(parameters)
        by_query = parameters.sampling_unit == "query"
        if by_query:
            _check_queries(parameters, queries)
        shares = (parameters.neg_subsample, parameters.pos_subsample)
        class_shares: tuple[tuple[Integers, float], ...] = ()
        if min(shares) < 1.0:
            if objective.task != "binary":
                raise InvalidParameterError(
                    "pos_subsample and neg_subsample need an objective with two classes. Got "
                    f"objective {objective.name}. Give subsample."
                )
            rows = [np.flatnonzero((target == 1.0) == label).astype(np.int32) for label in (0, 1)]
            class_shares = tuple((own, share) for own, share in zip(rows, shares, strict=True))
        balanced = parameters.class_weight == "balanced_subsample"
        return cls(
            parameters=parameters,
            n_rows=len(target),
            weights=weights,
            class_shares=class_shares,
            queries=queries if by_query else None,
            labels=target.astype(np.intp) if balanced else None,
            n_threads=n_threads,
        )

    def select(
        self, statistics: RowStatistics, round: int, tree: int = 0, last_leaf: float | None = None
    ) -> RowSelection:
        """Return the rows of one tree, or of all trees, of a round.

        ``last_leaf`` is the :func:`leaf_size` of the previous round, if any; only ``mvs`` reads it.
        """
        kind = self.parameters.sampling
        if kind == "goss":
            return self._goss(statistics, round, tree)
        if kind == "mvs":
            return self._mvs(statistics, round, tree, last_leaf)
        freq = self.parameters.subsample_freq
        if freq == 0:
            return ALL_ROWS
        key = self._key(round - round % freq, tree)
        if self.class_shares:
            parts = [self._share(key, share, own) for own, share in self.class_shares if len(own)]
            return RowSelection(np.sort(np.concatenate(parts)))
        if self.queries is None:
            drawn = self._units(key, self.n_rows)
            return drawn if self.labels is None else _balanced(drawn, self.labels)
        return _rows_of(self._units(key, self.queries.n_queries), self.queries)

    def drawn(self, round: int, tree: int = 0) -> Integers | None:
        """Return the rows of samplings that do not depend on gradients; None means all rows."""
        freq = self.parameters.subsample_freq
        if freq == 0:
            return None
        return self._units(self._key(round - round % freq, tree), self.n_rows).rows

    @property
    def reads_leaves(self) -> bool:
        """Return whether :meth:`select` uses ``last_leaf``."""
        return bool(self.parameters.sampling == "mvs" and self.parameters.mvs_reg == "auto")

    def _key(self, round: int, tree: int) -> _core.RowKey:
        return _core.RowKey(self.parameters.random_state, round, tree)

    def _units(self, key: _core.RowKey, n: int) -> RowSelection:
        """Sample n rows, or n queries."""
        kind, share = self.parameters.sampling, self.parameters.subsample
        if kind == "bayesian":
            temperature = self.parameters.bagging_temperature
            if temperature == 0.0:
                return ALL_ROWS
            multipliers = _core.sample_bayesian(key, n, temperature, self.n_threads)
            return RowSelection(None, multipliers, repeats=False)
        if kind == "bootstrap":
            n_draws = max(1, int(share * n))
            return RowSelection(*_core.sample_bootstrap(key, n, n_draws, self.n_threads))
        if kind == "none" or share >= 1.0:
            return ALL_ROWS
        return RowSelection(self._share(key, share, None, n))

    def _share(
        self, key: _core.RowKey, share: float, rows: Integers | None, n: int | None = None
    ) -> Integers:
        """Draw a share of n units, or of some rows."""
        n = len(rows) if rows is not None else n or 0
        if rows is not None and share >= 1.0:
            return rows
        if self.parameters.sampling == "uniform":
            return _core.sample_uniform(key, n, max(1, int(share * n)), rows, self.n_threads)
        return _core.sample_bernoulli(key, n, share, rows, self.n_threads)

    def _goss(self, statistics: RowStatistics, round: int, tree: int) -> RowSelection:
        rates = self.parameters.learning_rate
        rate = rates[round] if isinstance(rates, list) else rates
        n, top, other = self.n_rows, self.parameters.top_rate, self.parameters.other_rate
        if round < int(1.0 / rate) or top + other >= 1.0:
            return ALL_ROWS
        rows, multipliers = _core.sample_goss(
            self._key(round, tree),
            statistics.gradients,
            statistics.hessians,
            statistics.constant_hessian,
            self.weights,
            int(top * n),
            other * n,
            self.n_threads,
            self._room,
        )
        return RowSelection(rows, multipliers, repeats=False)

    def _mvs(
        self, statistics: RowStatistics, round: int, tree: int, last_leaf: float | None
    ) -> RowSelection:
        share, penalty = self.parameters.subsample, self.parameters.mvs_reg
        if share >= 1.0:
            return ALL_ROWS
        given = statistics.gradients, self.weights
        if penalty == "auto":  # the squared size of the previous leaves
            if last_leaf is None:
                last_leaf = _core.mean_gradient_size(*given, self.n_threads)
            penalty = last_leaf * last_leaf
        rows, multipliers = _core.sample_mvs(
            self._key(round, tree),
            *given,
            penalty,
            share * self.n_rows,
            self.n_threads,
            self._room,
        )
        return RowSelection(rows, multipliers, repeats=False) if len(rows) else ALL_ROWS


def leaf_size(trees: _core.GrownTrees | _core.Forest | None) -> float | None:
    """Return the size of the leaf values of a round, None before the first round.

    For one tree it is the mean |value| over its leaves, or the mean norm of vector leaves. With a
    tree per output it is the norm of these means.
    """
    if trees is None:
        return None
    own, squares = Trees.of(trees), 0.0
    for tree in range(own.n_trees):
        nodes = own.nodes_of(tree)
        leaves = own.value[nodes][own.feature[nodes] < 0]
        width = leaves.shape[1]
        sizes = np.abs(leaves[:, 0]) if width == 1 else np.sqrt(sum((leaves * leaves).T))
        squares += (_core.exact_sum(np.ascontiguousarray(sizes)) / len(sizes)) ** 2
    return float(np.sqrt(squares))


def _balanced(drawn: RowSelection, labels: NDArray[np.intp]) -> RowSelection:
    """Return the sample with multipliers that give all classes the same total weight.

    Row weights are ignored, as in scikit-learn.
    """
    own = labels if drawn.rows is None else labels[drawn.rows]
    times = np.ones(len(own)) if drawn.multipliers is None else drawn.multipliers
    totals = np.bincount(own, weights=times)  # sums of integers: exact in any order
    present = np.maximum(totals, 1.0)
    factors = totals.sum() / (np.count_nonzero(totals) * present)
    return RowSelection(drawn.rows, times * factors[own], repeats=False)


def _rows_of(drawn: RowSelection, queries: Queries) -> RowSelection:
    """Return the rows of the drawn queries."""
    if drawn is ALL_ROWS:
        return drawn
    times = np.zeros(queries.n_queries)
    chosen = slice(None) if drawn.rows is None else drawn.rows
    times[chosen] = 1.0 if drawn.multipliers is None else drawn.multipliers
    of_row = times[queries.numbers]
    if drawn.rows is None:
        return RowSelection(None, of_row, drawn.repeats)
    rows = np.flatnonzero(of_row).astype(np.int32)
    multipliers = None if drawn.multipliers is None else of_row[rows]
    return RowSelection(rows, multipliers, drawn.repeats)


def _check_options(parameters: Parameters) -> None:
    sampling = parameters.sampling
    parameters.check_effects("rows")  # again: the objective decides what sampling='catboost' is
    if parameters.subsample_freq == 0 and sampling in ("bayesian", "bootstrap"):
        raise InvalidParameterError(
            f"subsample_freq=0 means that all rows are taken. Got sampling={sampling!r}. Give "
            "subsample_freq=1 to draw a sample for each round."
        )


def _check_queries(parameters: Parameters, queries: Queries | None) -> None:
    if queries is None:
        raise InvalidInputError(
            "sampling_unit='query' needs the query of each row. Give qid or group to the Dataset "
            "(or to fit of CeibaRanker), or leave sampling_unit out."
        )
    alone = parameters.sampling in ("goss", "mvs")
    if alone or min(parameters.pos_subsample, parameters.neg_subsample) < 1.0:
        what = f"sampling={parameters.sampling!r}" if alone else "pos_subsample or neg_subsample"
        raise InvalidParameterError(
            f"sampling_unit='query' draws whole queries. Got it with {what}, which looks at single "
            "rows. Leave one of them out."
        )

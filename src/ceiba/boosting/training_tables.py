"""Training rows as trees read them: bins, sorted columns, regressors of linear leaves, shards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ceiba import _core
from ceiba.boosting.column_constraints import column_constraints
from ceiba.boosting.grow_plan import bin_for, bin_like, make_plan, rank_for
from ceiba.boosting.linear_leaves import gain_rule, regressors_for
from ceiba.boosting.shards.input import inputs_of

if TYPE_CHECKING:
    from ceiba.boosting.encoding.encoded_table import Encoded
    from ceiba.boosting.prepare import Prepared
    from ceiba.model.tree_weights import TreeWeights

__all__ = ["TrainingTables"]


@dataclass(frozen=True, slots=True)
class TrainingTables:
    """Representations of the training rows. Each is None unless a parameter needs it."""

    mapper: _core.BinMapper | None
    #: None as well if the rows are in other places.
    binned: _core.BinnedMatrix | None
    ranked: _core.RankedColumns | None
    regressors: _core.Regressors | None
    #: Rows in the encoding of leaves, where it differs from that of splits.
    of_leaves: _core.BinnedMatrix | None
    #: Access to rows in other places.
    exchange: Any
    rules: _core.ColumnConstraints
    n_rows: int

    @classmethod
    def of(
        cls, ready: Prepared, encoded: Encoded, tree_weights: TreeWeights | None = None
    ) -> TrainingTables:
        """Bin, sort or read the encoded rows, as the parameters need it."""
        parameters, rows, n_threads = ready.parameters, encoded.dataset, ready.n_threads
        dataset = ready.dataset
        rules = column_constraints(parameters, encoded.schema)
        ranked = rank_for(parameters, rows, n_threads)
        mapper, binned = bin_for(parameters, rows, ready.weights, n_threads)
        regressors = regressors_for(parameters, rows, encoded.schema, n_threads)
        exchange = None
        if dataset.is_sharded and mapper is not None:
            exchange = dataset.exchange(inputs_of(ready, mapper, tree_weights))
        of_leaves = bin_like(mapper, encoded.of_leaves, n_threads)
        return cls(mapper, binned, ranked, regressors, of_leaves, exchange, rules, rows.n_rows)

    @property
    def for_eval_sets(self) -> _core.BinMapper | None:
        """Return the bins that route eval rows; None if trees need their values."""
        return self.mapper if self.ranked is None and self.regressors is None else None

    @property
    def of_splits(self) -> _core.BinnedMatrix | None:
        """Return the rows in the encoding of splits, where leaves have another one."""
        return self.binned if self.of_leaves is not None else None

    def grower(self, ready: Prepared) -> _core.Grower:
        """Return the grower of the training."""
        parameters, weights, n_threads = ready.parameters, ready.weights, ready.n_threads
        table = self.ranked if self.mapper is None else self.mapper
        assert table is not None
        plan = make_plan(
            parameters,
            weights,
            self.n_rows,
            table.n_features,
            self.rules,
            vector_leaves=ready.outputs.split_together,
            linear_gain=gain_rule(parameters, self.mapper, self.regressors, weights, n_threads),
        )
        if self.exchange is not None:
            weights = None  # they are with the rows
        return _core.Grower(self._grower_table(), plan, weights, n_threads)

    def _grower_table(self) -> _core.GrowerTable:
        if self.exchange is not None:
            assert self.mapper is not None
            return _core.GrowerTable.remote(self.exchange, self.mapper, 0)  # no rows here
        if self.binned is None:
            assert self.ranked is not None
            return _core.GrowerTable.of_ranked(self.ranked, self.regressors)
        return _core.GrowerTable(self.binned, self.ranked, self.regressors, self.of_leaves)

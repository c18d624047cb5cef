"""What trees of a forest say of rows that they were not grown on.

The life of an out-of-bag prediction:

1. the rows of each tree are drawn once more (they are a hash of seed, tree and row), and the others
   are out of its bag;
2. every tree is asked for the leaves of the rows out of its bag, and a row's prediction is the
   start score plus the mean over these trees; a row that is in every bag has none, NaN;
3. the mean becomes a prediction as that of the model does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.sample import RowSampler
from ceiba.data.block import ColumnsBlock, ColumnValues, dense_values
from ceiba.data.table import Table
from ceiba.model.predict import staged_leaves
from ceiba.model.trees import Trees
from ceiba.parameters.constraints import Integer, Seed, check_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["OutOfBag", "shuffled_drops"]


@dataclass(frozen=True, slots=True)
class OutOfBag:
    """The rows of a training, and which of them each tree knows."""

    parameters: Parameters
    n_rows: int
    #: Rows of weight 0 are no part of a training: out of every bag. None: there are none.
    learned: NDArray[np.bool_] | None
    n_threads: int

    def bags(self, n_trees: int) -> Iterator[NDArray[np.bool_]]:
        """Yield, tree by tree, whether it was grown on each row."""
        numbers = np.arange(self.n_rows) if self.learned is None else np.flatnonzero(self.learned)
        sampler = RowSampler(self.parameters, len(numbers), n_threads=self.n_threads)
        for tree in range(n_trees):
            rows = sampler.drawn(tree)
            bag = np.zeros(self.n_rows, dtype=bool)
            bag[numbers if rows is None else numbers[rows]] = True
            yield bag

    def raw(self, model: Model, X: Any) -> Floats:
        """Return raw scores [n_rows, n_outputs] of the rows of the training."""
        forest, n_outputs = model.forest, model.n_outputs
        trees = Trees.of(forest)
        n_trees, total = model.n_iterations, np.zeros((self.n_rows, n_outputs))
        n_asked = np.zeros(self.n_rows)
        stages = staged_leaves(forest, model.schema, X, (0, n_trees), self.n_threads)
        for tree, (bag, leaves) in enumerate(zip(self.bags(n_trees), stages, strict=True)):
            out = np.flatnonzero(~bag)
            n_asked[out] += 1
            first = tree * forest.trees_per_iteration
            for member in range(forest.trees_per_iteration):
                added = trees.value[trees.offsets[first + member] + leaves[out, member]]
                if forest.leaf_width > 1:
                    total[out] += added
                else:
                    total[out, member] += added[:, 0]
        with np.errstate(invalid="ignore"):
            raw: Floats = model.start_scores + total / n_asked[:, None]
        return raw


def shuffled_drops(
    model: Model,
    bags: OutOfBag,
    table: Table,
    score: Callable[[Floats], float],
    n_repeats: int,
    random_state: Any,
) -> Floats:
    """Return by how much the score of out-of-bag predictions falls where a column is shuffled.

    For each repeat one order of the rows is drawn, the same for all columns. Columns that no tree
    splits cannot change anything and are not tried.
    """
    n_repeats = check_value("n_repeats", Integer(1), n_repeats)
    generator = np.random.default_rng(check_value("random_state", Seed(), random_state))
    columns = [
        np.ascontiguousarray(np.concatenate([dense_values(chunk) for chunk in chunks]))
        for chunks in table.arranged(model.schema).columns
    ]
    sources = model.schema.engine_sources
    tried = {j for place in Trees.of(model.forest).features_read() for j in sources[place]}
    before = score(bags.raw(model, table))
    drops = np.zeros((len(columns), n_repeats))
    for repeat in range(n_repeats):
        order = generator.permutation(bags.n_rows)
        for j in sorted(tried):
            own: list[ColumnValues] = [*columns[:j], columns[j][order], *columns[j + 1 :]]
            shuffled = Table((ColumnsBlock(own),), model.schema)
            drops[j, repeat] = before - score(bags.raw(model, shuffled))
    return drops

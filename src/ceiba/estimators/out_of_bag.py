"""Out-of-bag predictions and importances of forests.

How a prediction is computed:

1. The bag of each tree is drawn again (it is a hash of seed, tree and row).
2. The raw score of a row is the start score plus the mean over the trees whose bag does not contain
   it; NaN for a row that is in every bag.
3. The link of the objective turns it into a prediction.
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
    """The rows of a training, and the bag of each tree."""

    parameters: Parameters
    n_rows: int
    #: Rows with positive weight; others are out of every bag. None: all rows.
    learned: NDArray[np.bool_] | None
    n_threads: int

    def bags(self, n_trees: int) -> Iterator[NDArray[np.bool_]]:
        """Yield for each tree whether each row is in its bag."""
        numbers = np.arange(self.n_rows) if self.learned is None else np.flatnonzero(self.learned)
        sampler = RowSampler(
            parameters=self.parameters, n_rows=len(numbers), n_threads=self.n_threads
        )
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
    """Return by how much the out-of-bag score falls when a column is shuffled.

    Each repeat draws one permutation of the rows for all columns. Columns that the trees do not
    read have importance 0.
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

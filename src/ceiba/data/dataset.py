"""`Dataset`: a table with its target, and optionally weights, initial scores and queries.

The life of a dataset:

1. ``Dataset(data, target)`` validates the input once and references the numbers without a copy.
   ``Dataset.from_blocks`` reads blocks of rows. Rows of weight 0 are dropped.
2. The first training calls :meth:`Dataset.binned`, which finds the bin edges and codes the rows.
3. Later trainings reuse the bins if their bin settings and weights are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.bin_cache import BinCache, BinSettings
from ceiba.data.binned_dataset import BinnedDataset
from ceiba.data.binning import apply_bins
from ceiba.data.coded_table import CodedTable, FixedBins
from ceiba.data.dataset_arguments import checked_categorical, checked_reading, read_row_mask
from ceiba.data.from_blocks import read_blocks
from ceiba.data.named_target import part_target
from ceiba.data.queries import Queries, read_queries, spread_weights
from ceiba.data.read_table import as_categorical, read_table
from ceiba.data.row_values import read_init_scores, read_target, read_weights
from ceiba.data.schema import Schema
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError
from ceiba.parameters.keywords import DATASET

if TYPE_CHECKING:
    from typing import Unpack

    from ceiba import _core
    from ceiba.parameters.typed import DatasetKeywords

__all__ = ["Dataset"]

Floats = NDArray[np.float64]


class Dataset(BinnedDataset):
    """Rows for training, evaluation or prediction.

    Parameters
    ----------
    data : array, DataFrame, sparse matrix or list of rows
        Columns may contain numbers, text, categories, dates and durations. Dates and durations
        become numbers of days. NaN is a missing value. The dataset references numbers without a
        copy: do not change them while the dataset is in use.
    target : array of shape (n_rows,) or name of a column of data, optional
        Target values. For classification, class indices.
    weight : array of shape (n_rows,), optional
        A row of weight k counts as k rows. Rows of weight 0 are dropped. With queries, also one
        weight per query, which applies to all of its rows.
    init_score : array of shape (n_rows,) or (n_rows, n_outputs), optional
        Raw scores that training starts from.
    qid : array of shape (n_rows,), optional
        Query id of each row for ranking: integers or strings, in any order.
    group : array of shape (n_queries,), optional
        Sizes of consecutive queries, instead of ``qid``.
    feature_names : sequence of str, optional
        Column names. They replace the names in ``data``.
    missing : float, optional
        A missing value besides NaN. In 32-bit columns the nearest 32-bit float is missing.
    zero_as_missing : bool, default=False
        Whether the implicit zeros of sparse matrices and sparse pandas columns are missing values.
    categorical_features : "auto", "none" or list of columns, default="auto"
        Categorical columns. "auto": columns of text or of a categorical type. "none": such columns
        raise an error. A list adds columns, given by name or position, to those of "auto".
    **other_names
        Arguments of XGBoost's DMatrix, LightGBM's Dataset and CatBoost's Pool, such as label.

    Examples
    --------
    >>> from ceiba import Dataset
    >>> Dataset([[1.0, 2.0], [3.0, 4.0], [5.0, None]], target=[0.5, 1.5, 2.5])
    <Dataset: 3 rows, 2 features with target>
    """

    #: Whether the rows are distributed over processes. If so, `exchange` combines them.
    is_sharded = False

    def __init__(
        self,
        data: Any,
        target: Any = None,
        *,
        weight: Any = None,
        init_score: Any = None,
        qid: Any = None,
        group: Any = None,
        feature_names: Sequence[str] | None = None,
        missing: float | None = None,
        zero_as_missing: bool = False,
        categorical_features: Any = None,
        **other_names: Unpack[DatasetKeywords],
    ) -> None:
        given = {
            "target": target,
            "weight": weight,
            "init_score": init_score,
            "qid": qid,
            "group": group,
            "feature_names": feature_names,
            "categorical_features": categorical_features,
        }
        if other_names:
            given |= DATASET.read(other_names, given)
        reading = checked_reading(missing, zero_as_missing)
        with DATASET.naming(other_names):
            data, target = part_target(data, given["target"], "target")
            table = read_table(
                data,
                feature_names=given["feature_names"],
                reading=reading,
                categorical=checked_categorical(given["categorical_features"]),
            )
            _check_rows(table)
            n_rows, weight, init_score = table.n_rows, given["weight"], given["init_score"]
            queries = read_queries(given["qid"], given["group"], n_rows)
            self._hold(
                table,
                None if target is None else read_target(target, n_rows),
                None if weight is None else read_weights(spread_weights(weight, queries), n_rows),
                None if init_score is None else read_init_scores(init_score, n_rows),
                queries,
            )

    @classmethod
    def from_blocks(
        cls,
        blocks: Iterable[Sequence[Any]],
        *,
        feature_names: Sequence[str] | None = None,
        missing: float | None = None,
        zero_as_missing: bool = False,
        categorical_features: Any = None,
    ) -> Dataset:
        """Make a dataset from blocks of rows.

        Parameters
        ----------
        blocks : iterable of (data, target), (data, target, weight) or (data, target, weight, qid)
            Columns of later blocks are matched by name to those of the first. The model is the
            same as for one table with all rows. The dataset references the data: a generator that
            reuses a buffer must yield copies. The weight before a qid may be None. A query may have
            rows in several blocks.
        feature_names : sequence of str, optional
            Column names of all blocks.
        missing, zero_as_missing, categorical_features
            As in ``Dataset``. The levels of a category are those of all blocks.
        """
        reading = checked_reading(missing, zero_as_missing)
        categorical = checked_categorical(categorical_features)
        table, target, weight, queries = read_blocks(blocks, feature_names, reading, categorical)
        return cls.of_checked(table, target, weight, None, queries)

    @classmethod
    def of_checked(
        cls,
        table: Table,
        target: Floats | None,
        weight: Floats | None,
        init_score: Floats | None,
        queries: Queries | None,
    ) -> Dataset:
        """Make a dataset from values that are already validated."""
        _check_rows(table)
        dataset = cls.__new__(cls)
        dataset._hold(table, target, weight, init_score, queries)
        return dataset

    def of_same_kind(self, table: Table, *parts: Any) -> Dataset:
        """Make a dataset as :meth:`of_checked`. Its rows are kept where those of this one are."""
        return type(self).of_checked(table, *parts)

    def _hold(
        self,
        table: Table,
        target: Floats | None,
        weight: Floats | None,
        init_score: Floats | None,
        queries: Queries | None,
    ) -> None:
        self._n_given = table.n_rows
        self.target: Floats | None = target
        self.weight: Floats | None = weight
        self.init_score: Floats | None = init_score
        self.queries: Queries | None = queries
        self._row_numbers: NDArray[np.int64] | None = None
        if self.weight is not None and not self.weight.all():
            keep = self.weight != 0
            self._row_numbers = np.flatnonzero(keep)
            table = table.take(keep).compact()
            self.weight = self.weight[keep]
            self.target = None if self.target is None else self.target[keep]
            self.init_score = None if self.init_score is None else self.init_score[keep]
            self.queries = None if queries is None else queries.take(keep)
        if self.weight is not None and (self.weight == 1.0).all():
            self.weight = None
        self._table = table
        self._bins = BinCache()

    @property
    def n_rows(self) -> int:
        """Return the number of rows, without those of weight 0."""
        return self._table.n_rows

    @property
    def n_given(self) -> int:
        """Return the number of input rows, including those of weight 0."""
        return self._n_given

    @property
    def row_numbers(self) -> NDArray[np.int64]:
        """Return the index of each row among the input rows, which include rows of weight 0."""
        return np.arange(self.n_rows) if self._row_numbers is None else self._row_numbers

    @property
    def schema(self) -> Schema:
        """Return the schema of the columns. The trained model shares it."""
        return self._table.schema

    @property
    def n_features(self) -> int:
        """Return the number of columns."""
        return self._table.n_columns

    @property
    def table(self) -> Table:
        """Return the rows as columns of numbers."""
        return self._table

    def whole_table(self) -> Table:
        """Return the table for predictions. Raise if rows of weight 0 were dropped."""
        if self._row_numbers is not None:
            raise InvalidInputError(
                f"The Dataset contains {self.n_rows} of its {self.n_given} input rows: rows of "
                "weight 0 were dropped. Pass the table itself to predict."
            )
        return self._table

    def take(self, rows: Any, *, share_bins: bool = False, keep_levels: bool = False) -> Dataset:
        """Return a dataset of some of the rows, in the order of this dataset.

        Parameters
        ----------
        rows : array of int or bool
            Unique indices of input rows, or a mask of all input rows. Rows of weight 0 are skipped.
            Values are copied.
        share_bins : bool, default=False
            Use the bin edges of this dataset, as datasets in bins always do, instead of edges found
            from the subset. All subsets share them, but the model may differ: see ``bin_cache.py``.
            A training that replaces columns, for example by target encoding, finds its own edges.
        keep_levels : bool, default=False
            Keep the categories that do not occur in these rows. Models of such subsets have the
            same categories, and may be averaged.
        """
        named = read_row_mask(rows, self.n_given)
        keep = named if self._row_numbers is None else named[self._row_numbers]
        if named.any() and not keep.any():
            raise InvalidInputError(
                "rows must contain at least one row with a weight above 0. All selected rows have "
                "weight 0. Select other rows."
            )

        def taken(values: Floats | None) -> Floats | None:
            return None if values is None else values[keep]

        bins = self._bins.take(keep) if isinstance(self._bins, FixedBins) else None
        table = self._table.take(keep) if bins is None else CodedTable(self.schema, bins.binned)
        subset = self.of_checked(
            table if keep_levels else table.compact(),
            taken(self.target),
            taken(self.weight),
            taken(self.init_score),
            None if self.queries is None else self.queries.take(keep),
        )
        if bins is not None:
            subset._bins = bins
        elif share_bins:
            subset._bins = BinCache((self._bins, self._table, self.weight))
        return subset

    def with_weight(self, weight: Floats | None) -> Dataset:
        """Return the same rows with validated weights. Rows of weight 0 are dropped."""
        if isinstance(self._bins, FixedBins):
            return self._weighted(weight)
        parts = self.target, weight, self.init_score, self.queries
        return self.of_checked(self._table, *parts)

    def with_names(self, names: Sequence[str]) -> Dataset:
        """Return the same rows and bins with other column names."""
        named = type(self).__new__(type(self))
        named.__dict__.update(self.__dict__)  # a copy would leave the bins out, as a pickle does
        named._table = self._table.renamed(names)
        return named

    def with_categories(self, categorical: Any) -> Dataset:
        """Return the dataset with the columns that ``categorical`` lists as categories."""
        table = as_categorical(self._table, categorical)
        return self if table is self._table else self._holding(table)

    def matched_to(self, schema: Schema) -> Dataset:
        """Return the same rows with the column order, kinds and levels of ``schema``."""
        table = self._table.arranged(schema)
        return self if table is self._table else self._holding(table)

    def with_unseen(self, unseen: Literal["missing", "error"]) -> Dataset:
        """Return the same rows and bins with another treatment of unseen categories."""
        if self.schema.unseen == unseen:
            return self
        ruled = self._holding(self._table.with_unseen(unseen))
        ruled._bins = self._bins
        return ruled

    def with_table(self, table: Table) -> Dataset:
        """Return the same rows with another table."""
        return self._holding(table)

    def _holding(self, table: Table) -> Dataset:
        """Return the same rows with another table and an empty bin cache."""
        held = type(self).__new__(type(self))
        held.__dict__.update(self.__dict__, _table=table, _bins=BinCache())
        return held

    def binned(
        self,
        max_bins: int,
        min_data_in_bin: int,
        n_threads: int,
        *,
        weight: Floats | None = None,
        lists: bool = True,
    ) -> tuple[_core.BinMapper, _core.BinnedMatrix]:
        """Return the bin edges and the codes of all rows. They are cached.

        ``weight`` replaces the weights of the dataset. With ``lists=False`` every column has a code
        for each row, as exact splits require.
        """
        settings = BinSettings(max_bins, min_data_in_bin, lists)
        weight = self.weight if weight is None else weight
        return self._bins.codes(self._table, weight, settings, n_threads)

    def edges(
        self, max_bins: int, min_data_in_bin: int, n_threads: int, *, weight: Floats | None = None
    ) -> _core.BinMapper:
        """Return the bin edges, without the codes of the rows."""
        weight = self.weight if weight is None else weight
        return self._bins.edges(
            self._table, weight, BinSettings(max_bins, min_data_in_bin), n_threads
        )

    def exchange(self, given: Any) -> Any:
        """Return the exchange with the shards if ``is_sharded`` (``boosting/shards``).

        ``given`` is a ``ShardInput`` with all rows.
        """
        raise NotImplementedError

    def ranked(self, n_threads: int) -> _core.RankedColumns:
        """Return all columns sorted. They are cached."""
        return self._bins.ranked(self._table, n_threads)

    def binned_with(
        self, mapper: _core.BinMapper, n_threads: int, *, schema: Schema | None = None
    ) -> _core.BinnedMatrix:
        """Return the codes of the rows by the edges of another dataset.

        With its ``schema``, columns are matched by name.
        """
        kept = self._bins.codes_by(mapper)
        if kept is not None:
            return kept
        table = self._table if schema is None else self._table.encoded(schema, n_threads)
        return apply_bins(mapper, table, n_threads)

    def __repr__(self) -> str:
        """Return the shape and the optional parts."""
        given = [
            name
            for name in ("target", "weight", "init_score", "queries")
            if getattr(self, name) is not None
        ]
        held = f" with {', '.join(given)}" if given else ""
        features = f"{self.n_features} feature{'s' if self.n_features > 1 else ''}"
        bins = ", in bins" if isinstance(self._bins, FixedBins) else ""
        return f"<Dataset: {self.n_rows} rows, {features}{held}{bins}>"


def _check_rows(table: Table) -> None:
    if table.n_rows == 0:
        raise InvalidInputError(
            f"Found array with 0 sample(s) (shape=(0, {table.n_columns})) while a minimum of 1 "
            "is required. Pass a table with at least one row."
        )

"""Datasets of bin codes: read from a source, saved to a file, loaded from it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from ceiba.data.bin_cache import BinCache, BinSettings
from ceiba.data.coded_table import CodedTable, FixedBins
from ceiba.data.dataset_arguments import checked_categorical, checked_reading
from ceiba.data.dataset_file import StoredDataset, read_dataset, write_dataset
from ceiba.data.from_source import SourceReading, read_source
from ceiba.data.queries import Queries
from ceiba.data.sources.opening import open_source
from ceiba.data.table import Table
from ceiba.errors import InvalidParameterError, InvalidTypeError, UnpicklableError
from ceiba.messages import shown
from ceiba.parameters import BY_NAME
from ceiba.parameters.constraints import check_value, is_iterable
from ceiba.parameters.threads import count_threads

if TYPE_CHECKING:
    from ceiba.data.schema import Schema

__all__ = ["BinnedDataset"]

Floats = NDArray[np.float64]


class BinnedDataset:
    """Methods of a dataset that read, save and load bin codes. See :class:`ceiba.Dataset`."""

    if TYPE_CHECKING:
        target: Floats | None
        weight: Floats | None
        init_score: Floats | None
        queries: Queries | None
        _table: Table
        _bins: BinCache
        _n_given: int
        _row_numbers: NDArray[np.int64] | None

        @property
        def schema(self) -> Schema: ...
        @property
        def row_numbers(self) -> NDArray[np.int64]: ...
        def take(self, rows: Any) -> Self: ...

    @classmethod
    def from_source(
        cls,
        source: Any,
        target: str | None = None,
        *,
        weight: str | None = None,
        qid: str | None = None,
        feature_names: Sequence[str] | None = None,
        missing: float | None = None,
        zero_as_missing: bool = False,
        categorical_features: Any = None,
        max_bins: int | None = None,
        min_data_in_bin: int | None = None,
        reference: Any = None,
        cache_dirs: Sequence[str | os.PathLike[str]] | None = None,
        n_jobs: int | None = None,
    ) -> Self:
        """Read a table that may be larger than memory, block by block, and keep its bin codes.

        A code takes about two bytes per value, a float 4 or 8 bytes. Trees are the same as those
        of ``Dataset(table)``.

        Parameters
        ----------
        source : path, list of paths, DuckDB relation or function
            Parquet, Arrow or CSV files; patterns such as ``"rows/*.parquet"`` are allowed. A DuckDB
            relation must be sorted. A function without arguments returns an iterator of tables
            (pandas, polars, arrow, numpy, scipy sparse), or of tuples (data, target), (data,
            target, weight) or (data, target, weight, qid). The source is read several times.
        target, weight, qid : str, optional
            Names of columns of the source.
        feature_names : sequence of str, optional
            Column names of all blocks, without those of target, weight and qid.
        missing, zero_as_missing, categorical_features
            As in ``Dataset``. The levels of a category are those of all blocks.
        max_bins, min_data_in_bin : int, default=None
            Training parameters of the bins; None means 256 and 3. Training raises an error if it
            asks for others.
        reference : Dataset in bins, default=None
            The training rows, if these rows are an eval set. They get the columns, categories and
            bins of the reference.
        cache_dirs : list of paths, optional
            Folders for a temporary copy of the values, so that the source is read only once:
            for slow sources and iterators that cannot start again. Several folders, for example
            on several disks, share the copy. Nothing is left in them.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Returns
        -------
        Dataset
            It supports histogram splits with constant leaves. Methods that need values raise
            ``InvalidInputError``.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> def blocks():
        ...     for seed in range(3):
        ...         X = np.random.default_rng(seed).normal(size=(1000, 5))
        ...         yield X, X[:, 0]
        >>> dataset = Dataset.from_source(blocks)
        >>> dataset
        <Dataset: 3000 rows, 5 features with target, in bins>
        >>> train({"n_estimators": 5}, dataset).n_iterations
        5
        """
        _check_names(target=target, weight=weight, qid=qid)
        how = SourceReading(
            checked_reference(reference, feature_names, max_bins, min_data_in_bin),
            (target, weight, qid),
            feature_names,
            checked_reading(missing, zero_as_missing),
            checked_categorical(categorical_features),
        )
        settings = checked_bins(
            256 if max_bins is None else max_bins, 3 if min_data_in_bin is None else min_data_in_bin
        )
        coded = read_source(
            open_source(source),
            how,
            settings,
            count_threads(n_jobs),
            checked_folders(cache_dirs),
        )
        return cls._of_codes(
            coded.table,
            coded.bins,
            StoredDataset(
                coded.target, coded.weight, None, coded.queries, coded.row_numbers, coded.n_given
            ),
        )

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        max_bins: int | None = None,
        min_data_in_bin: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Save the bin codes, target, weights, initial scores and queries to a file.

        A dataset that is loaded from the file trains without reading and binning the table again.
        The file is replaced atomically. It has checksums, and contains no values.

        Parameters
        ----------
        path : str or path
            File name.
        max_bins, min_data_in_bin : int, default=None
            Training parameters of the bins. None: those of a dataset in bins, otherwise 256 and 3.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Raises
        ------
        SaveError
            If the file cannot be written. A previous file is unchanged.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from ceiba import Dataset, train
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "rows.ceiba"
        >>> Dataset([[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0]).save(path)
        >>> Dataset.load(path)
        <Dataset: 3 rows, 1 feature with target, in bins>
        """
        bins = self._bins
        own = bins.settings.of_edges if isinstance(bins, FixedBins) else (256, 3)
        asked = (
            own[0] if max_bins is None else max_bins,
            own[1] if min_data_in_bin is None else min_data_in_bin,
        )
        settings = checked_bins(*asked)
        n_threads = count_threads(n_jobs)
        mapper, binned = bins.codes(self._table, self.weight, settings, n_threads)
        rows = StoredDataset(
            self.target,
            self.weight,
            self.init_score,
            self.queries,
            self._row_numbers,
            self._n_given,
        )
        write_dataset(path, self.schema, settings, mapper, binned, rows)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, n_jobs: int | None = None) -> Self:
        """Load a dataset that ``save`` wrote.

        Parameters
        ----------
        path : str or path
            File name.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Returns
        -------
        Dataset
            It holds bin codes, like that of ``from_source``.

        Raises
        ------
        LoadError
            If the file cannot be read.
        DatasetFileError
            If the file is damaged, or is not a dataset file.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from ceiba import Dataset
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "rows.ceiba"
        >>> Dataset([[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0]).save(path)
        >>> Dataset.load(path).target
        array([1., 2., 3.])
        """
        schema, settings, mapper, binned, rows = read_dataset(path, count_threads(n_jobs))
        return cls._of_codes(CodedTable(schema, binned), FixedBins(settings, mapper, binned), rows)

    @classmethod
    def _of_codes(cls, table: CodedTable, bins: FixedBins, rows: StoredDataset) -> Self:
        dataset = cls.__new__(cls)
        dataset.target, dataset.weight = rows.target, rows.weight
        dataset.init_score, dataset.queries = rows.init_score, rows.queries
        dataset._row_numbers, dataset._n_given = rows.row_numbers, rows.n_given
        dataset._table, dataset._bins = table, bins
        return dataset

    def _weighted(self, weight: Floats | None) -> Self:
        """Return the same rows and bins with validated weights, without rows of weight 0."""
        rows = self
        if weight is not None and not weight.all():
            rows, weight = self.take(self.row_numbers[weight != 0]), weight[weight != 0]
        held = type(self).__new__(type(self))
        held.__dict__.update(rows.__dict__, weight=weight)
        return held

    def __getstate__(self) -> dict[str, Any]:
        """Omit the bin cache. Raise if the dataset has nothing else."""
        if isinstance(self._bins, FixedBins):
            raise UnpicklableError(
                "A Dataset of bin codes cannot be pickled. Save it with dataset.save(path), "
                "and load it with Dataset.load(path)."
            )
        return {**self.__dict__, "_bins": BinCache()}


def checked_reference(reference: Any, *others: Any) -> tuple[Schema, FixedBins] | None:
    """Validate ``reference``, which replaces ``others``."""
    if reference is None:
        return None
    bins = getattr(reference, "_bins", None)
    if not isinstance(bins, FixedBins):
        raise InvalidTypeError(
            f"reference must be a Dataset in bins, of Dataset.from_source or Dataset.load. Got "
            f"{shown(reference)}. Eval sets in memory need no reference."
        )
    if any(other is not None for other in others):
        raise InvalidParameterError(
            "reference brings the names and bins of the columns. Leave out feature_names, max_bins "
            "and min_data_in_bin."
        )
    return reference.schema, bins


def checked_folders(cache_dirs: Any) -> Sequence[str | os.PathLike[str]]:
    """Validate ``cache_dirs``."""
    if cache_dirs is None:
        return ()
    if isinstance(cache_dirs, str | os.PathLike):
        return (cache_dirs,)
    folders = list(cache_dirs) if is_iterable(cache_dirs) else []
    if not folders or not all(isinstance(folder, str | os.PathLike) for folder in folders):
        raise InvalidTypeError(
            f"cache_dirs must be a list of at least one folder. Got {shown(cache_dirs)}."
        )
    return folders


def checked_bins(max_bins: Any, min_data_in_bin: Any) -> BinSettings:
    """Validate settings of bins."""
    given = {"max_bins": max_bins, "min_data_in_bin": min_data_in_bin}
    checked = {
        name: check_value(name, BY_NAME[name].constraint, value) for name, value in given.items()
    }
    return BinSettings(checked["max_bins"], checked["min_data_in_bin"])


def _check_names(**columns: Any) -> None:
    """Raise unless all are names of columns, or None."""
    for name, given in columns.items():
        if given is not None and not isinstance(given, str):
            raise InvalidTypeError(
                f"{name} must be the name of a column of the source. Got {shown(given)}. A "
                "function may also return tuples with the target, weights and query ids."
            )

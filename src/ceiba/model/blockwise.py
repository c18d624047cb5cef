"""Predict or explain a source block by block, into a Parquet file.

At most one block of rows and its results are in memory. The file is replaced when all rows are
written; after an error the previous file is intact.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.from_frame import as_frame
from ceiba.data.sources.opening import open_source
from ceiba.data.sources.source import Source, missing_package
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.model.lazy_imports import lazy_module
from ceiba.model.output import Asked
from ceiba.parameters.constraints import OneOf, check_value
from ceiba.storage.atomic_write import replace_file

if TYPE_CHECKING:
    from ceiba.data.schema import Schema

__all__ = ["Blockwise", "write_blocks"]

#: Results of a block, by column.
Columns = Mapping[str, NDArray[Any]]


def write_blocks(
    source: Any,
    path: str | os.PathLike[str],
    schema: Schema,
    compute: Callable[[Any], Columns],
) -> int:
    """Write the columns that ``compute`` returns for each block; return the number of rows.

    Blocks may have more columns than ``schema``, for example the target.
    """
    try:
        import pyarrow as pa
    except ImportError as error:
        raise missing_package("pyarrow", "files", "Writing Parquet files") from error
    rows = open_source(source)
    n_rows = 0

    def write(descriptor: int) -> None:
        nonlocal n_rows
        writer = None
        with ExitStack() as opened:
            file = opened.enter_context(os.fdopen(os.dup(descriptor), "wb"))
            for columns in _results(rows, schema, compute):
                block = pa.table(dict(columns))
                if writer is None:
                    writer = pa.parquet.ParquetWriter(file, block.schema)
                    opened.enter_context(writer)
                writer.write_table(block)
                n_rows += block.num_rows
            if writer is None:
                raise InvalidInputError(f"{rows} must have at least one block of rows. Got none.")

    replace_file(path, write, "table")
    return n_rows


def _results(
    source: Source, schema: Schema, compute: Callable[[Any], Columns]
) -> Iterator[Columns]:
    for index, piece in enumerate(source.pieces()):
        data = piece[0] if isinstance(piece, tuple) else piece
        try:
            columns = compute(_known_columns(data, schema))
        except (InvalidInputError, InvalidTypeError) as error:
            raise type(error)(f"{source}, block {index}: {error}") from None
        if index == 0 or len(next(iter(columns.values()))):
            yield columns


def _known_columns(data: Any, schema: Schema) -> Any:
    """Drop the columns of a frame that the model does not know, without a warning per block."""
    if not schema.named:
        return data
    frame = as_frame(data)
    if frame is None or not set(frame.columns) > set(schema.names):
        return data
    return frame.select(list(schema.names)).to_native()


class Blockwise:
    """Methods of a model for tables that are read block by block. See :class:`ceiba.Model`."""

    if TYPE_CHECKING:
        schema: Schema
        classes: NDArray[Any] | None

        def answer(self, X: Any, asked: Asked) -> NDArray[Any]: ...

    def predict_source(
        self,
        source: Any,
        to: str | os.PathLike[str],
        *,
        kind: Literal["prediction", "probability", "class", "raw", "leaf"] = "prediction",
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
    ) -> int:
        """Predict a table that may be larger than memory, and write a Parquet file.

        Parameters
        ----------
        source : path, list of paths, DuckDB relation or function
            Rows, as ``Dataset.from_source`` takes them. Columns that the model does not know are
            skipped, for example the target.
        to : str or path
            The Parquet file. Its rows are in the order of the source. It is replaced when all rows
            are predicted.
        kind : {"prediction", "probability", "class", "raw", "leaf"}, default="prediction"
            The results of ``predict``, ``predict_proba``, the most probable class, ``predict_raw``
            or ``apply``.
        iteration_range : tuple (begin, end), default=None
            Use only the trees of these iterations. None uses all.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Returns
        -------
        int
            Number of rows. The file has a column ``prediction``, or one for each class, output or
            tree: ``probability_yes``, ``prediction_0``, ``leaf_0``, ...

        Raises
        ------
        SaveError
            If the file cannot be written. A previous file is unchanged.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "predictions.parquet"
        >>> model.predict_source(lambda: [X[:50], X[50:]], path)
        100
        """
        kinds = ("prediction", "probability", "class", "raw", "leaf")
        check_value("kind", OneOf(kinds), kind)
        asked = Asked(iteration_range, n_jobs, "" if kind == "prediction" else kind)

        def compute(piece: Any) -> Columns:
            values = self.answer(piece, asked)
            if values.ndim == 1:
                return {kind: values}
            labels: Any = range(values.shape[1])
            known = self.classes
            if known is not None and len(known) == len(labels) and kind != "leaf":
                labels = known.tolist()
            return {f"{kind}_{label}": values[:, k].copy() for k, label in enumerate(labels)}

        return write_blocks(source, to, self.schema, compute)

    def explain_source(
        self,
        source: Any,
        to: str | os.PathLike[str],
        *,
        background: Any = None,
        interactions: bool = False,
        iteration_range: tuple[int, int] | None = None,
        output: Literal["raw", "probability"] = "raw",
        n_jobs: int | None = None,
    ) -> int:
        """Explain a table that may be larger than memory, and write a Parquet file.

        Parameters
        ----------
        source, to
            As in :meth:`predict_source`.
        background, interactions, iteration_range, output, n_jobs
            As in :meth:`explain`.

        Returns
        -------
        int
            Number of rows. The file has the columns of ``explain(X).to_frame()``, ``base_value``.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "values.parquet"
        >>> model.explain_source(lambda: [X[:50], X[50:]], path)
        100
        """
        explain = lazy_module("explain").explain
        first_row = 0

        def compute(piece: Any) -> Columns:
            nonlocal first_row
            explanation = explain(
                self,
                piece,
                background=background,
                interactions=interactions,
                iteration_range=iteration_range,
                output=output,
                n_jobs=n_jobs,
            )
            columns: dict[str, NDArray[Any]] = explanation.to_columns(first_row)
            first_row += len(explanation)
            base, n_rows = explanation.base_values.reshape(-1), len(next(iter(columns.values())))
            name = "base_value"
            while name in columns:  # a feature of this name
                name += "_"
            columns[name] = np.repeat(base, n_rows // max(len(base), 1))
            return columns

        write_blocks(source, to, self.schema, compute)
        return first_row

"""Partial dependence: the mean prediction as a function of one column or two.

How it is computed:

1. ``grid.py`` chooses the grid points of each column.
2. The core computes all requested columns in one pass over the rows, or over the trees alone
   (``cpp/explain/dependence.hpp``): means of raw scores, or the raw scores of every row. It cannot
   do so for columns that trees read as target statistics, nor for linear leaves. There, the rows
   are predicted again at every grid point.
3. If the link is not the identity, the raw scores of every row become predictions before they are
   averaged: in the core for two classes, otherwise some thousand rows at a time.
4. :class:`Dependence` is the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import dense_values
from ceiba.data.frames import make_frame
from ceiba.data.row_values import read_weights
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.explain.grid import Axis, GridRule, axis_of_column, is_pair, read_grid
from ceiba.explain.grid_predictor import GridPredictor, Scale
from ceiba.explain.owner import model_of
from ceiba.messages import shown
from ceiba.model.predict import table_for
from ceiba.parameters.constraints import Integer, OneOf, check_value

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["Dependence", "partial_dependence"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Dependence:
    """Partial dependence on one column or two.

    Attributes
    ----------
    columns : tuple of str
        Names of the one or two columns.
    grid : tuple of arrays
        Grid points of each column.
    average : array of shape (n_points,) or (n_first, n_second); with several outputs (…, n_outputs)
        Mean prediction of all rows at each grid point.
    individual : array of shape (n_rows, …), or None
        Prediction of each row at each grid point (ICE), if requested.
    output : {"prediction", "raw"}
        What was averaged.
    kinds : tuple of str
        Kind of each column: "numeric", "category", "date" or "duration".

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> dependence = model.partial_dependence(X, "f0")
    >>> dependence.columns
    ('f0',)
    """

    columns: tuple[str, ...]
    grid: tuple[NDArray[Any], ...]
    average: Floats
    individual: Floats | None
    output: Scale
    kinds: tuple[str, ...]

    def to_frame(self) -> Any:
        """Return a table with one row per grid point: its values and the average of each output."""
        points = list(product(*(axis.tolist() for axis in self.grid)))
        columns: dict[str, Any] = {
            name: [point[k] for point in points] for k, name in enumerate(self.columns)
        }
        if self.average.ndim == len(self.grid):
            columns["average"] = self.average.reshape(-1)
        else:
            averages = self.average.reshape(len(points), -1)
            columns |= {f"average_{k}": averages[:, k] for k in range(averages.shape[1])}
        return make_frame(columns)

    def __repr__(self) -> str:
        about = " and ".join(map(repr, self.columns))
        rows = "" if self.individual is None else f", {len(self.individual)} rows"
        return f"<ceiba Dependence on {about}: {self.average.shape} of {self.output}{rows}>"


def partial_dependence(
    model: Model,
    X: Any,
    columns: Any = None,
    *,
    individual: bool = False,
    method: Literal["brute", "recursion"] = "brute",
    output: Scale | None = None,
    n_points: int = 50,
    percentiles: tuple[float, float] = (0.05, 0.95),
    grid: Any = None,
    sample_weight: Any = None,
    iteration_range: tuple[int, int] | None = None,
    n_jobs: int | None = None,
) -> Any:
    """Compute the mean prediction as a function of one column or two.

    Parameters
    ----------
    model : Model or fitted estimator
        A trained model.
    X : table or Dataset
        Rows, as ``predict`` takes them.
    columns : str, int, tuple of two, or list of these, default=None
        A column, a pair of columns, or a list of both. A list is computed in one pass. None
        computes every column.
    individual : bool, default=False
        Whether to return also the prediction of each row (ICE).
    method : {"brute", "recursion"}, default="brute"
        "brute" averages over the rows of X. "recursion" follows both children of a split on another
        column, weighted by their training rows; with ``grid`` it needs no rows.
    output : {"prediction", "raw"}, default=None
        What to average. None means predictions, and raw scores with "recursion".
    n_points : int, default=50
        Largest number of grid points of a column. A column with fewer values uses all of them. A
        categorical column uses its most frequent levels.
    percentiles : tuple (low, high), default=(0.05, 0.95)
        Quantiles at which the grid of a numeric column begins and ends.
    grid : dict, default=None
        Your own grid points: ``{column: values}``. NaN means missing.
    sample_weight : array of shape (n_rows,), default=None
        Weights of the rows in the mean.
    iteration_range : tuple (begin, end), default=None
        Use only the trees of these iterations. None uses all.
    n_jobs : int, default=None
        Number of threads. None and -1 use all cores that the process may use.

    Returns
    -------
    Dependence, or list of Dependence
        One for each entry of ``columns``.

    Raises
    ------
    InvalidParameterError
        If a column or option is invalid, or "recursion" does not support the model.
    InvalidInputError
        If there are no rows.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> from ceiba.explain import partial_dependence
    >>> partial_dependence(model.model_, X, "f0").columns
    ('f0',)
    """
    model = model_of(model)
    method = check_value("method", OneOf(("brute", "recursion")), method)
    output = _scale(output, method, individual)
    rule = GridRule(check_value("n_points", Integer(1, 2**20), n_points), _range(percentiles))
    asked = GridPredictor(model, iteration_range, n_jobs)
    table = _rows(model, X, method == "recursion" and grid is not None)
    questions = _questions(model, table, columns, rule, read_grid(model.schema, grid))
    weights = None
    if sample_weight is not None and table is not None:
        weights = read_weights(sample_weight, table.n_rows, "sample_weight")
    answers = [
        answer
        for axes in _together(questions, asked)
        for answer in _computed(asked, axes, table, weights, output, individual, method)
    ]
    found = [_answered(*pair, output) for pair in zip(questions, answers, strict=True)]
    one = columns is not None and (isinstance(columns, str | int | np.integer) or is_pair(columns))
    return found[0] if one else found


def _together(
    questions: Sequence[Sequence[Axis]], asked: GridPredictor
) -> Iterator[list[Sequence[Axis]]]:
    """Yield groups of consecutive questions that are computed in one pass."""
    for _, group in groupby(questions, key=asked.are_read):
        yield list(group)


def _computed(
    asked: GridPredictor,
    axes: Sequence[Sequence[Axis]],
    table: Table | None,
    weights: Floats | None,
    output: Scale,
    individual: bool,
    method: str,
) -> Sequence[tuple[Floats, Floats | None]]:
    """Return averages and rows of questions, computed in the fastest way that supports them."""
    if not asked.are_read(axes[0]):
        return asked.of_changed_rows(axes, table, weights, output, individual, method)
    if method == "recursion" or table is None:
        return asked.of_training(axes)
    if individual:
        return asked.of_rows(axes, table, weights, output, individual)
    if output == "prediction" and asked.averages_sigmoids:
        return asked.of_probabilities(axes, table, weights)
    if not asked.averages_raw(output):
        return asked.of_rows(axes, table, weights, output, individual)
    return asked.of_averages(axes, table, weights, output)


def _rows(model: Model, X: Any, may_lack: bool) -> Table | None:
    if X is None:
        if may_lack:
            return None
        raise InvalidInputError(
            "Partial dependence needs rows. Got X=None. Give `X`, or method='recursion' with "
            "grid points of every requested column in `grid`."
        )
    table = table_for(X, model.schema).arranged(model.schema)
    if not table.n_rows:
        raise InvalidInputError("Partial dependence needs at least one row in `X`. Got none.")
    return table


def _answered(
    axes: Sequence[Axis], answer: tuple[Floats, Floats | None], output: Scale
) -> Dependence:
    return Dependence(
        tuple(axis.name for axis in axes),
        tuple(axis.values for axis in axes),
        *_shaped(axes, *answer),
        output,
        tuple(axis.kind for axis in axes),
    )


def _questions(
    model: Model, table: Table | None, columns: Any, rule: GridRule, given: dict[int, Axis]
) -> list[list[Axis]]:
    schema = model.schema
    if columns is None:
        columns = list(range(schema.n_features))
    listed = columns if isinstance(columns, list) else [columns]
    axes = dict(given)

    def axis(column: Any) -> Axis:
        if not isinstance(column, str | int | np.integer) or isinstance(column, bool):
            raise InvalidParameterError(
                "columns must be a name, a position, a tuple of two of these, or a list. "
                f"Got {shown(column)}."
            )
        position = schema.position_of(column if isinstance(column, str) else int(column), "columns")
        if position not in axes:
            if table is None:
                raise InvalidInputError(
                    f"grid has no points of {schema.names[position]!r}. Add them, or give `X`."
                )
            chunks = [dense_values(chunk) for chunk in table.columns[position]]
            axes[position] = axis_of_column(schema, position, chunks, rule)
        return axes[position]

    questions = [[axis(one) for one in (entry if is_pair(entry) else (entry,))] for entry in listed]
    for pair in questions:
        if len({own.position for own in pair}) < len(pair):
            raise InvalidParameterError(
                f"A pair in columns must have two different columns. Got {pair[0].name!r} twice."
            )
    return questions


def _shaped(
    axes: Sequence[Axis], average: Floats, individual: Floats | None
) -> tuple[Floats, Floats | None]:
    """Return results [..., n_cells, n_outputs] with an axis per column; none for one output."""
    grid = [len(axis.numbers) for axis in axes]

    def shaped(values: Floats) -> Floats:
        outputs = [] if values.shape[-1] == 1 else [values.shape[-1]]
        return values.reshape(*values.shape[:-2], *grid, *outputs)

    return shaped(average), None if individual is None else shaped(individual)


def _scale(output: Any, method: str, individual: bool) -> Scale:
    if method == "recursion":
        if output == "prediction" or individual:
            raise InvalidParameterError(
                "method='recursion' computes only means of raw scores. Got "
                f"output={output!r} and individual={individual!r}. Use method='brute', or leave "
                "out `output` and `individual`."
            )
        output = "raw"
    words: OneOf = OneOf(("prediction", "raw"))
    found: Scale = check_value("output", words, "prediction" if output is None else output)
    return found


def _range(percentiles: Any) -> tuple[float, float]:
    try:
        low, high = (float(one) for one in percentiles)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not 0.0 <= low < high <= 1.0:
        raise InvalidParameterError(
            f"percentiles must be two numbers with 0 <= low < high <= 1. Got {shown(percentiles)}."
        )
    return low, high

"""Partial dependence: what a model predicts as one column, or two, take other values.

The life of an answer:

1. columns and their points are read (``grid.py``) and become questions to the forest. Columns whose
   statistics the trees read in their place are no questions to it, nor are trees whose leaves hold
   lines: there, rows are predicted for again at every point;
2. the core answers all questions in one pass over the rows, or over the trees alone
   (``cpp/explain/dependence.hpp``): averages of raw scores, or the scores of every row;
3. where predictions are asked for and are not the raw scores, those of every row become predictions
   first and are averaged then: probabilities of two classes in the core, others some thousand rows
   at a time;
4. :class:`Dependence` holds what people read.
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
    """How predictions depend on one column or two.

    Attributes
    ----------
    columns : tuple of str
        The column, or the two.
    grid : tuple of arrays
        Of each column the values that were put in the place of the rows' own.
    average : array of shape (n_points,), (n_first, n_second), and (…, n_outputs) of several outputs
        The mean prediction of all rows at each point.
    individual : array of shape (n_rows, …), or None
        The prediction of each row (ICE), where it was asked for.
    output : "prediction" or "raw"
        What was averaged.
    kinds : tuple of str
        What the columns are: numeric, category, date or duration.

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
        """Return a row for each point: its values and the average, or one for each output."""
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
    """Return what the model predicts as columns take other values.

    Parameters
    ----------
    model : Model
        A trained model.
    X : table
        Rows, as ``predict`` takes them.
    columns : str, int, pair of them, or list of such, optional
        A column; two columns, as a tuple, for how they act together; or a list of questions, which
        are answered in one pass. By default every column.
    individual : bool, default=False
        Also return the prediction of each row (ICE).
    method : "brute" or "recursion", default="brute"
        ``brute`` is the mean over the rows that are given. ``recursion`` needs no rows: it weighs
        both ways of a split on another column by the training rows that went there.
    output : "prediction" or "raw", optional
        What is averaged: predictions, by default, or raw scores, always so with ``recursion``.
    n_points : int, default=50
        Points of a column. One with fewer values has those; a category has its levels, or those
        of most rows.
    percentiles : (low, high), default=(0.05, 0.95)
        Where the points of a column of more values begin and end.
    grid : dict, optional
        Points of your own: column → values, which may be NaN for missing.
    sample_weight : array of shape (n_rows,), optional
        Weights of the rows in the mean.
    iteration_range : (begin, end), optional
        Use the trees of these iterations only.
    n_jobs : int, optional
        Threads.

    Returns
    -------
    Dependence, or list of Dependence
        One for each question.

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
    answers: list[tuple[Floats, Floats | None]] = []
    for axes in _together(questions, asked):
        if not asked.are_read(axes[0]):
            answers += asked.of_changed_rows(axes, table, weights, output, individual, method)
        elif method == "recursion":
            answers += asked.of_training(axes)
        elif table is not None and individual:
            answers += asked.of_rows(axes, table, weights, output, individual)
        elif table is not None and output == "prediction" and asked.averages_sigmoids:
            answers += asked.of_probabilities(axes, table, weights)
        elif table is not None and not asked.averages_raw(output):
            answers += asked.of_rows(axes, table, weights, output, individual)
        else:
            answers += asked.of_averages(axes, table, weights, output)
    found = [_answered(*pair, output) for pair in zip(questions, answers, strict=True)]
    one = columns is not None and (isinstance(columns, str | int | np.integer) or is_pair(columns))
    return found[0] if one else found


def _together(
    questions: Sequence[Sequence[Axis]], asked: GridPredictor
) -> Iterator[list[Sequence[Axis]]]:
    """Yield questions that are answered in one pass, in their order."""
    for _, group in groupby(questions, key=asked.are_read):
        yield list(group)


def _rows(model: Model, X: Any, may_lack: bool) -> Table | None:
    if X is None:
        if may_lack:
            return None
        raise InvalidInputError(
            "Partial dependence is that of given rows. Give X. Only method='recursion' with a grid "
            "of every column that is asked about does without."
        )
    table = table_for(X, model.schema).arranged(model.schema)
    if not table.n_rows:
        raise InvalidInputError("Partial dependence needs at least one row. Got none.")
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
                "columns must be a name or position, a tuple of two of them, or a list of such. "
                f"Got {shown(column)}."
            )
        position = schema.position_of(column if isinstance(column, str) else int(column), "columns")
        if position not in axes:
            if table is None:
                raise InvalidInputError(
                    f"grid has no points of {schema.names[position]!r}. Give them, or rows (X)."
                )
            chunks = [dense_values(chunk) for chunk in table.columns[position]]
            axes[position] = axis_of_column(schema, position, chunks, rule)
        return axes[position]

    questions = [[axis(one) for one in (entry if is_pair(entry) else (entry,))] for entry in listed]
    for pair in questions:
        if len({own.position for own in pair}) < len(pair):
            raise InvalidParameterError(
                f"A pair of columns must be two different ones. Got {pair[0].name!r} twice."
            )
    return questions


def _shaped(
    axes: Sequence[Axis], average: Floats, individual: Floats | None
) -> tuple[Floats, Floats | None]:
    """Return answers [..., n_cells, n_read] with an axis for each column; one output has none."""
    grid = [len(axis.numbers) for axis in axes]

    def shaped(values: Floats) -> Floats:
        outputs = [] if values.shape[-1] == 1 else [values.shape[-1]]
        return values.reshape(*values.shape[:-2], *grid, *outputs)

    return shaped(average), None if individual is None else shaped(individual)


def _scale(output: Any, method: str, individual: bool) -> Scale:
    if method == "recursion":
        if output == "prediction" or individual:
            raise InvalidParameterError(
                "method='recursion' averages raw scores over the training rows of the nodes: it "
                "has no single rows, and no predictions of them. Use method='brute', or leave "
                "output and individual out."
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
            "percentiles must be two shares of rows with 0 <= low < high <= 1. "
            f"Got {shown(percentiles)}."
        )
    return low, high

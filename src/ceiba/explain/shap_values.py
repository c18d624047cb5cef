"""Exact SHAP values of raw scores.

How they are computed:

1. Rows are read as for a prediction, and so are those of the background.
2. The core splits the value of every leaf among the columns on its path (``cpp/explain``). Trees
   have the weights that they have after the requested iterations.
3. The base value is the start score plus the expected value of the trees.

Raw scores are those of :meth:`ceiba.Model.predict_raw`: before calibration and before quantiles are
sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import MatrixBlock, dense_values
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.explain.explainers import explainer_for, players
from ceiba.explain.explanation import Explanation
from ceiba.explain.owner import model_of
from ceiba.explain.paired_values import paired_values
from ceiba.explain.score_names import output_scales
from ceiba.messages import shown
from ceiba.model.predict import count_threads, is_plain, iteration_bounds, table_for

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["ContributionForm", "ExplainedOutput", "contributions", "explain"]

Floats = NDArray[np.float64]
ExplainedOutput = Literal["raw", "probability"]
ContributionForm = Literal["lightgbm", "xgboost", "interactions"]

#: Below this difference of raw scores, the derivative replaces the difference quotient.
_NEAR = 1e-6


def explain(
    model: Model,
    X: Any,
    *,
    background: Any = None,
    interactions: bool = False,
    iteration_range: tuple[int, int] | None = None,
    output: ExplainedOutput = "raw",
    n_jobs: int | None = None,
) -> Explanation:
    """Compute SHAP values; see :meth:`ceiba.Model.explain`.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> from ceiba.explain import explain
    >>> explain(model.model_, X[:2]).values.shape
    (2, 3)
    """
    model = model_of(model)
    _check_output(model, output, background, interactions)
    bounds = iteration_bounds(iteration_range, model.n_iterations)
    n_threads = count_threads(n_jobs)
    table = _read(model, X)
    known = None if background is None else _read_background(model, background)
    if output == "probability" and known is not None:
        values, base = _probabilities(model, table, known, bounds, n_threads)
    else:
        values, base = _values(model, table, known, interactions, bounds, n_threads)
        base = base + model.start_scores
    if model.n_outputs == 1:
        values, base = values[..., 0], base[..., 0]
    names = _output_names(model)
    scales = output_scales(model, names)
    if output == "probability":
        label = 1 if model.classes is None else model.classes[1]
        scales = [f"probability of class {label}"]
    return Explanation(
        values=values,
        base_values=np.repeat(base[None], table.n_rows, axis=0),
        data=_shown_rows(table),
        feature_names=list(model.schema.names),
        output_names=names,
        method="path-dependent" if known is None else "interventional",
        interactions=interactions,
        scales=scales,
        kinds=list(model.schema.kinds),
    )


def contributions(
    model: Model, X: Any, form: ContributionForm, iteration_range: Any, n_jobs: int | None
) -> Floats:
    """Return SHAP values with the base value as last column, in the layout of another library.

    ``lightgbm``: [n, columns + 1], outputs side by side. ``xgboost``: [n, columns + 1], or
    [n, outputs, columns + 1]. ``interactions``: [n, (outputs,) columns + 1, columns + 1].

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> from ceiba.explain import contributions
    >>> contributions(model.model_, X[:2], "xgboost", None, None).shape
    (2, 4)
    """
    pairs = form == "interactions"
    found = explain(model, X, iteration_range=iteration_range, interactions=pairs, n_jobs=n_jobs)
    n_columns, n_rows = len(found.feature_names), len(found)
    values = found.values if model.n_outputs > 1 else found.values[..., None]
    base = found.base_values.reshape(n_rows, model.n_outputs)
    shape = (n_columns + 1,) * (2 if pairs else 1)
    out = np.zeros((n_rows, model.n_outputs, *shape))
    if pairs:
        out[:, :, :-1, :-1] = np.moveaxis(values, -1, 1)
        out[:, :, -1, -1] = base
    else:
        out[:, :, :-1] = np.moveaxis(values, -1, 1)
        out[:, :, -1] = base
    if form == "lightgbm":
        return out.reshape(n_rows, -1)
    return out if model.n_outputs > 1 else out[:, 0]


def _check_output(model: Model, output: Any, background: Any, interactions: Any) -> None:
    if not isinstance(interactions, bool | np.bool_):
        raise InvalidParameterError(
            f"interactions must be True or False. Got {shown(interactions)}."
        )
    if not isinstance(output, str) or output not in ("raw", "probability"):
        raise InvalidParameterError(f"output must be 'raw' or 'probability'. Got {shown(output)}.")
    if output == "raw":
        return
    if model.objective.task != "binary":
        raise InvalidParameterError(
            "output='probability' needs a model of two classes. Got a model with objective "
            f"{model.objective.name!r}. Use output='raw'."
        )
    if background is None or interactions:
        raise InvalidParameterError(
            "output='probability' needs a background and does not support interactions. Got "
            f"background={'None' if background is None else 'rows'} and "
            f"interactions={bool(interactions)}. Give background=rows and interactions=False, or "
            "use output='raw'."
        )


# ---- rows ----------------------------------------------------------------------------------------


def _read(model: Model, data: Any) -> Table:
    if is_plain(data, model.schema):
        return Table((MatrixBlock(data),), model.schema)
    return table_for(data, model.schema).arranged(model.schema)


def _read_background(model: Model, data: Any) -> Table:
    try:
        table = _read(model, data)
    except (InvalidInputError, TypeError) as error:
        raise type(error)(f"background: {error}") from None
    if not table.n_rows:
        raise InvalidInputError(
            "background must have rows: absent columns take their values. Got none. Leave it out "
            "for path-dependent values."
        )
    return table


def _matrix(table: Table) -> Floats:
    if len(table.blocks) == 1 and isinstance(block := table.blocks[0], MatrixBlock):
        return np.array(block.numbers, dtype=np.float64)
    rows = np.empty((table.n_rows, table.n_columns), order="F")
    for j, chunks in enumerate(table.columns):
        values = [dense_values(chunk) for chunk in chunks]
        np.concatenate(values, out=rows[:, j], casting="unsafe")
    return rows


def _shown_rows(table: Table) -> NDArray[Any]:
    """Return the rows as the user knows them, with the levels of categories."""
    numbers = _matrix(table)
    if not table.schema.has_categories:
        return numbers
    rows = numbers.astype(object)
    for j, kind in enumerate(table.schema.kinds):
        if kind == "category":
            levels = np.array([*table.schema.levels_of(j), None], dtype=object)
            known = np.isfinite(numbers[:, j])
            rows[:, j] = levels[np.where(known, numbers[:, j], -1).astype(np.int64)]
    return rows


def _output_names(model: Model) -> list[Any]:
    if model.n_outputs == 1:
        return []
    if model.classes is not None:
        return list(model.classes.tolist())
    levels = getattr(model.objective, "quantile", None)
    named = isinstance(levels, list | tuple) and len(levels) == model.n_outputs
    return list(levels) if named and levels is not None else list(range(model.n_outputs))


# ---- values --------------------------------------------------------------------------------------


def _values(
    model: Model,
    table: Table,
    background: Table | None,
    interactions: bool,
    bounds: tuple[int, int],
    n_threads: int,
) -> tuple[Floats, Floats]:
    """Return values [n, columns(, columns), outputs], and what the trees add without any column."""
    n_columns = model.n_features
    shared = players(model)[1]
    if shared and background is not None:
        return paired_values(model, table, background, interactions, bounds, n_threads)
    n_players = n_columns + len(shared)
    known = None if background is None else background.encoded(model.schema, n_threads)
    with nullcontext() if known is None else known.naming_columns():
        rows = None if known is None else known.one_block
        explainer, base = explainer_for(model, bounds, interactions, rows, n_threads)
    table = table.encoded(model.schema, n_threads)
    shape = (n_players, n_players) if interactions else (n_players,)
    values = np.empty((table.n_rows, *shape, model.n_outputs))
    begin = 0
    with table.naming_columns():
        for block in table.blocks:
            end = begin + block.shape[0]
            part = values[begin:end]
            block.hand_to(explainer.explain_matrix, explainer.explain_columns, part, n_threads)
            begin = end
    return _shared_out(values, n_columns, shared, interactions), base


def _shared_out(
    values: Floats, n_columns: int, shared: Sequence[tuple[int, ...]], interactions: bool
) -> Floats:
    """Return the values of columns; combinations are shared equally by their columns.

    The interaction of two players is shared equally by the pairs of their columns.
    """
    for axis in (1, 2) if interactions else (1,):
        values = np.moveaxis(values, axis, 0)
        for player, own in enumerate(shared, start=n_columns):
            for j in own:
                values[j] += values[player] / len(own)
        values = np.moveaxis(values[:n_columns], 0, axis)
    if shared and interactions:  # rounded alike on both sides
        values = (values + np.swapaxes(values, 1, 2)) / 2
    return values


def _probabilities(
    model: Model, table: Table, background: Table, bounds: tuple[int, int], n_threads: int
) -> tuple[Floats, Floats]:
    """Return SHAP values of the probability, and the base value.

    An approximation: the values against one background row are exact for the raw score. They are
    multiplied by one factor so that they sum to the difference of the probabilities.
    """
    how: dict[str, Any] = {"iteration_range": bounds, "n_jobs": n_threads}
    raw, known = model.predict_raw(table, **how), model.predict_raw(background, **how)
    chance = model.objective.predict(raw[:, None])
    chances = model.objective.predict(known[:, None])
    slope = (model.objective.predict(raw[:, None] + _NEAR) - chance) / _NEAR
    values = np.zeros((table.n_rows, model.n_features, 1))
    every = np.arange(background.n_rows)
    for row, (score, probability) in enumerate(zip(known, chances, strict=True)):
        alone = background.take(every == row)
        of_row, _ = _values(model, table, alone, False, bounds, n_threads)
        distance = raw - score
        near = np.abs(distance) < _NEAR
        scale = np.where(near, slope, (chance - probability) / np.where(near, 1.0, distance))
        values += of_row * (scale / len(every))[:, None, None]
    return values, chances.mean(keepdims=True)

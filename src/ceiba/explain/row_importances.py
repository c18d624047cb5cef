"""Importances that need rows: by shuffling a column, and by SHAP values.

The life of permutation importances:

1. the rows are read once, as contiguous columns or sparse ones, and scored as they are;
2. for each repeat one order of the rows is drawn, the same for all columns, so that the place of a
   column in the table changes nothing;
3. one column after the other is put into that order, and the rows are scored again. Columns that no
   tree splits cannot change anything and are not tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import ColumnsBlock, ColumnValues, SparseColumn, joined_values
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.model.trees import Trees
from ceiba.parameters.constraints import Integer, Seed, check_value

if TYPE_CHECKING:
    from ceiba.metrics import Metric
    from ceiba.model.model import Model

__all__ = [
    "permutation_columns",
    "permutation_importances",
    "row_importances",
    "shap_importances",
]

Floats = NDArray[np.float64]


def row_importances(
    model: Model, kind: Literal["permutation", "shap"], X: Any, y: Any, **how: Any
) -> dict[str, Any]:
    """Return the columns of a table of importances, the most important first."""
    if X is None:
        raise InvalidInputError(
            f"Importances of kind {kind!r} are those for given rows. Give X"
            f"{' and y' if kind == 'permutation' else ''}."
        )
    if kind == "permutation":
        drops = permutation_importances(model, X, y, **how)
        return permutation_columns(model.feature_names, drops)
    return _sorted(model.feature_names, {"shap": shap_importances(model, X, **how)})


def permutation_columns(names: Sequence[str], drops: Floats) -> dict[str, Any]:
    """Return the columns of a table of permutation importances [features, repeats]."""
    return _sorted(names, {"permutation": drops.mean(axis=1), "spread": drops.std(axis=1)})


def _sorted(names: Sequence[str], columns: dict[str, Floats]) -> dict[str, Any]:
    """Put the features with the largest values of the first column first."""
    order = np.argsort(-next(iter(columns.values())), kind="stable")
    sorted_names = np.array(names, dtype=object)[order].tolist()
    return {"feature": sorted_names, **{name: own[order] for name, own in columns.items()}}


def permutation_importances(
    model: Model,
    X: Any,
    y: Any = None,
    *,
    metric: Any = None,
    n_repeats: int = 5,
    random_state: Any = 0,
    sample_weight: Any = None,
    qid: Any = None,
    group: Any = None,
    n_jobs: int | None = None,
) -> Floats:
    """Return how much worse a metric becomes where the values of a column are shuffled.

    Parameters
    ----------
    model : Model
        A trained model.
    X : table or Dataset
        Rows; best those that the model was not trained on.
    y : array of shape (n_rows,) or name of a column of X
        Their target.
    metric : str or function, optional
        By default the first metric of the training; a scorer of scikit-learn is taken too.
    n_repeats : int, default=5
        How often each column is shuffled.
    random_state : int, default=0
        Seed of the orders of the rows.
    sample_weight, qid, group : array, optional
        Weights and queries of the rows.
    n_jobs : int, optional
        Threads.

    Returns
    -------
    array of shape (n_features, n_repeats)
        Metric before minus metric after if higher is better, else after minus before: large is
        important under both.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> from ceiba.explain import permutation_importances
    >>> table = permutation_importances(model.model_, X, y)
    """
    n_repeats = check_value("n_repeats", Integer(1), n_repeats)
    generator = np.random.default_rng(check_value("random_state", Seed(), random_state))
    rows = model.known_rows(X, y, sample_weight=sample_weight, qid=qid, group=group)
    judge = _one_metric(model, metric)
    table = rows.table.arranged(model.schema)
    columns = [joined_values(chunks) for chunks in table.columns]

    def score(own: Sequence[ColumnValues]) -> float:
        shuffled = Table((ColumnsBlock(list(own)),), table.schema)
        return model.scored(rows, shuffled, [judge], n_jobs)[judge.name]

    before = score(columns)
    drops = np.zeros((len(columns), n_repeats))
    tried = _split_columns(model)
    for repeat in range(n_repeats):
        order = generator.permutation(table.n_rows)
        for j in tried:
            own = [*columns[:j], _ordered(columns[j], order), *columns[j + 1 :]]
            drops[j, repeat] = before - score(own)
    return drops if judge.higher_is_better else 0.0 - drops


def shap_importances(model: Any, X: Any, **how: Any) -> Floats:
    """Return the mean over rows of the absolute SHAP values of each feature, summed over outputs.

    ``how`` is handed to ``explain``.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> from ceiba.explain import shap_importances
    >>> shap_importances(model.model_, X).shape
    (3,)
    """
    values = np.abs(np.asarray(model.explain(X, **how).values, dtype=np.float64))
    if not len(values):
        raise InvalidInputError("A mean of SHAP values needs at least one row. Got none.")
    if values.ndim == 3:
        values = values.sum(axis=2)
    means: Floats = values.mean(axis=0)
    return means


def _one_metric(model: Model, wished: Any) -> Metric:
    metrics = model.metrics_of(wished)
    if wished is not None and len(metrics) > 1:
        raise InvalidParameterError(
            f"Importances are judged by one metric. Got {len(metrics)}. Ask for them one by one."
        )
    return metrics[0]


def _split_columns(model: Model) -> list[int]:
    """Return the columns that can change a prediction."""
    sources = model.schema.engine_sources
    return sorted({j for place in Trees.of(model.forest).features_read() for j in sources[place]})


def _ordered(column: ColumnValues, order: NDArray[np.int64]) -> ColumnValues:
    return column.ordered(order) if isinstance(column, SparseColumn) else column[order]

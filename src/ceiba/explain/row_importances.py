"""Importances that need rows: permutation importances and mean absolute SHAP values.

How permutation importances are computed:

1. The rows are read once, as contiguous or sparse columns, and scored.
2. Each repeat draws one permutation of the rows for all columns, so that the position of a column
   in the table does not matter.
3. Each column is permuted in turn and the rows are scored again. Columns that the trees do not read
   have importance 0.
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
    """Return the columns of a table of importances, the most important feature first."""
    if X is None:
        raise InvalidInputError(
            f"Importances of kind {kind!r} need rows. Give `X`"
            f"{' and `y`' if kind == 'permutation' else ''}."
        )
    if kind == "permutation":
        drops = permutation_importances(model, X, y, **how)
        return permutation_columns(model.feature_names, drops)
    return _sorted(model.feature_names, {"shap": shap_importances(model, X, **how)})


def permutation_columns(names: Sequence[str], drops: Floats) -> dict[str, Any]:
    """Return the columns of a table of permutation importances [features, repeats]."""
    return _sorted(names, {"permutation": drops.mean(axis=1), "spread": drops.std(axis=1)})


def _sorted(names: Sequence[str], columns: dict[str, Floats]) -> dict[str, Any]:
    """Sort features by the first column, the largest value first."""
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
    """Compute how much worse a metric becomes when the values of a column are shuffled.

    Parameters
    ----------
    model : Model
        A trained model.
    X : table or Dataset
        Rows; best are rows that the model was not trained on.
    y : array of shape (n_rows,) or str, default=None
        Target of the rows, or the name of its column in X.
    metric : str or callable, default=None
        A metric, or a scorer of scikit-learn. None uses the first metric of the training.
    n_repeats : int, default=5
        How often each column is shuffled.
    random_state : int, default=0
        Seed of the permutations.
    sample_weight, qid, group : array, default=None
        Weights and queries of the rows.
    n_jobs : int, default=None
        Number of threads. None and -1 use all cores that the process may use.

    Returns
    -------
    array of shape (n_features, n_repeats)
        By how much the metric becomes worse; large values mean important features.

    Raises
    ------
    InvalidParameterError
        If the metric or an option is invalid.

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
    """Return the mean absolute SHAP value of each feature, summed over outputs.

    ``how`` are arguments of ``explain``.

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
        raise InvalidInputError("The mean of SHAP values needs at least one row in `X`. Got none.")
    if values.ndim == 3:
        values = values.sum(axis=2)
    means: Floats = values.mean(axis=0)
    return means


def _one_metric(model: Model, wished: Any) -> Metric:
    metrics = model.metrics_of(wished)
    if wished is not None and len(metrics) > 1:
        raise InvalidParameterError(
            f"Permutation importances use one metric. Got {len(metrics)}. Give one of them."
        )
    return metrics[0]


def _split_columns(model: Model) -> list[int]:
    """Return the columns of the table that the trees read."""
    sources = model.schema.engine_sources
    return sorted({j for place in Trees.of(model.forest).features_read() for j in sources[place]})


def _ordered(column: ColumnValues, order: NDArray[np.int64]) -> ColumnValues:
    return column.ordered(order) if isinstance(column, SparseColumn) else column[order]

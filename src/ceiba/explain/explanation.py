"""The result of ``explain``: SHAP values with their base values, rows and names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.frames import make_frame
from ceiba.explain.to_shap import import_shap

__all__ = ["Explanation", "Method"]

Floats = NDArray[np.float64]
Method = Literal["path-dependent", "interventional"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Explanation:
    """SHAP values of rows.

    ``base_values[i] + values[i].sum()`` is the raw score of row i.

    Attributes
    ----------
    values : array of shape (n_rows, n_columns) or (n_rows, n_columns, n_outputs)
        SHAP values. Interaction values have a second axis of columns: the interaction of columns j
        and k is split equally between ``[j, k]`` and ``[k, j]``, the main effect is ``[j, j]``, and
        row j sums to the SHAP value of column j.
    base_values : array of shape (n_rows,) or (n_rows, n_outputs)
        The expected raw score, the same for all rows.
    data : array of shape (n_rows, n_columns)
        The explained rows. If there are categorical columns, an array of objects with their levels.
    feature_names : list of str
        Names of the columns.
    output_names : list
        Classes or quantile levels; empty if there is one output.
    scales : list of str
        Unit of the values of each output, such as "log-odds of class yes".
    kinds : list of str
        Kind of each column: "numeric", "category", "date" or "duration" (both in days).
    method : {"path-dependent", "interventional"}
        Whether absent columns take the distribution of the training rows or of a background.
    interactions : bool
        Whether the values are interaction values.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> explanation = model.explain(X)
    >>> explanation.values.shape
    (200, 3)
    >>> total = explanation.base_values + explanation.values.sum(axis=1)
    >>> bool(np.allclose(total, model.predict(X)))
    True
    """

    values: Floats
    base_values: Floats
    data: NDArray[Any]
    feature_names: list[str]
    output_names: list[Any] = field(default_factory=list)
    method: Method = "path-dependent"
    interactions: bool = False
    scales: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        what = "interactions" if self.interactions else "values"
        outputs = f", {len(self.output_names)} outputs" if self.output_names else ""
        return (
            f"<ceiba.explain.Explanation: {self.method} SHAP {what}, {len(self)} rows, "
            f"{len(self.feature_names)} columns{outputs}; values, to_frame(), to_shap()>"
        )

    def to_frame(self) -> Any:
        """Return the values as a table with one column per feature.

        With several outputs there is one row per explained row and output, named in the columns
        ``row`` and ``output``. With interactions there is one row per first column of a pair, named
        in ``feature``. The table is a pandas DataFrame; without pandas one of polars, otherwise a
        dictionary of arrays.
        """
        return make_frame(self.to_columns())

    def to_columns(self, first_row: int = 0) -> dict[str, NDArray[Any]]:
        """Return the columns of :meth:`to_frame`. ``first_row`` is the number of the first row."""
        values = self.values if self.output_names else self.values[..., None]
        n_columns = len(self.feature_names)
        values = np.moveaxis(values, -1, 1)  # [row, output, column(, column)]
        n_rows, n_outputs = values.shape[:2]
        per_row = values[0, 0].size // n_columns if n_rows else 1
        columns: dict[str, NDArray[Any]] = {}
        if self.output_names or self.interactions:
            columns["row"] = np.repeat(first_row + np.arange(n_rows), n_outputs * per_row)
        if self.output_names:
            columns["output"] = np.tile(np.repeat(self.output_names, per_row), n_rows)
        if self.interactions:
            columns["feature"] = np.array(self.feature_names * (n_rows * n_outputs))
        flat = values.reshape(-1, n_columns)
        columns |= {name: flat[:, j] for j, name in enumerate(self.feature_names)}
        return columns

    def to_shap(self) -> Any:
        """Return a ``shap.Explanation`` for the plots of shap. Needs shap."""
        shap = import_shap("Explanation.to_shap")
        return shap.Explanation(
            values=self.values,
            base_values=self.base_values,
            data=self.data,
            feature_names=self.feature_names,
            output_names=[str(name) for name in self.output_names] or None,
        )

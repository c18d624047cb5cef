"""Lazy imports of ``explain`` and ``plot``, so that ``model`` does not depend on them.

:class:`LazyMethods` holds the methods of :class:`ceiba.Model` that those packages implement.
"""

from __future__ import annotations

import importlib
from typing import Any, Literal

__all__ = ["LazyMethods", "lazy_module"]


def lazy_module(name: str) -> Any:
    """Import a module by its name below ceiba, such as ``explain.row_importances``."""
    return importlib.import_module(f"ceiba.{name}")


class LazyMethods:
    """Methods of a model that ``explain`` and ``plot`` implement."""

    def explain(
        self,
        X: Any,
        *,
        background: Any = None,
        interactions: bool = False,
        iteration_range: tuple[int, int] | None = None,
        output: Literal["raw", "probability"] = "raw",
        n_jobs: int | None = None,
    ) -> Any:
        """Explain predictions: what every column adds to the raw score of every row (SHAP).

        Values are exact. They are those of the raw score (:meth:`predict_raw`), before calibration
        and before quantiles are sorted, and ``base_values + values.sum(axis=1)`` is that score.

        Parameters
        ----------
        X : table
            Rows, as ``predict`` takes them.
        background : table, optional
            Rows whose values stand for those of absent columns ("interventional"); a hundred to a
            few thousand rows are usual. Without, the training rows on the paths of the trees
            do ("path-dependent"), by their numbers in the nodes. Where trees read combinations of
            categories, their values are shared equally by their columns without a background;
            with one, columns are the players and values exact.
        interactions : bool, default=False
            Also share out what columns add in pairs: ``values[i, j, k]`` of the columns j and k of
            row i.
        iteration_range : (begin, end), optional
            Explain the trees of these iterations only.
        output : "raw" or "probability", default="raw"
            The probability of class 1 of two classes can be explained with a background: the values
            of each of its rows are rescaled to the difference of the probabilities. That is
            an approximation; raw scores are exact.
        n_jobs : int, optional
            Threads.

        Returns
        -------
        ceiba.explain.Explanation
            ``values`` [rows, columns(, outputs)], ``base_values``, ``data``, ``feature_names``,
            ``to_frame()``, and ``to_shap()`` for the plots of shap.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> explanation = model.explain(X)
        >>> explanation.values.shape
        (100, 2)
        >>> total = explanation.base_values + explanation.values.sum(axis=1)
        >>> bool(np.allclose(total, model.predict_raw(X)))
        True
        """
        return lazy_module("explain").explain(
            self,
            X,
            background=background,
            interactions=interactions,
            iteration_range=iteration_range,
            output=output,
            n_jobs=n_jobs,
        )

    def to_shap(self) -> dict[str, Any]:
        """Return the trees in the form that ``shap.TreeExplainer`` takes.

        Models that split by sets of levels have no such form; :meth:`explain` takes them all.
        """
        trees: dict[str, Any] = lazy_module("explain").to_shap(self)
        return trees

    def partial_dependence(self, X: Any, columns: Any = None, **how: Any) -> Any:
        """Return what the model predicts as one column, or two, take other values.

        Parameters
        ----------
        X : table
            Rows, as ``predict`` takes them.
        columns : str, int, pair of them, or list of such, optional
            A column; two columns, as a tuple; or a list of questions, which are answered in one
            pass. By default every column.
        **how
            individual, method, output, n_points, percentiles, grid, sample_weight, iteration_range
            and n_jobs, see :func:`ceiba.explain.partial_dependence`.

        Returns
        -------
        Dependence, or list of Dependence
            ``grid``, ``average`` and, where asked for, ``individual``.
        """
        return lazy_module("explain").partial_dependence(self, X, columns, **how)

    @property
    def plot(self) -> Any:
        """Pictures of the model, as :mod:`ceiba.plot` has them: ``model.plot.importances()``.

        Needs matplotlib: ``pip install 'ceiba[plot]'``.
        """
        return lazy_module("plot").ModelPlots(self)

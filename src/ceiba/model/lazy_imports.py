"""Lazy imports of ``explain``, ``export`` and ``plot``, so that ``model`` does not depend on them.

:class:`LazyMethods` holds the methods of :class:`ceiba.Model` that those packages implement.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import os

__all__ = ["LazyMethods", "lazy_module"]


def lazy_module(name: str) -> Any:
    """Import a module of ceiba by its name, such as ``explain.row_importances``."""
    return importlib.import_module(f"ceiba.{name}")


class LazyMethods:
    """Methods of a model that other packages implement. See :class:`ceiba.Model`."""

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
        """Explain predictions by exact SHAP values.

        They split the raw score of each row (:meth:`predict_raw`, before calibration and before
        quantiles are sorted) into a base value and one part per column.

        Parameters
        ----------
        X : table or Dataset
            Rows, as ``predict`` takes them.
        background : table, default=None
            Rows that provide the values of absent columns ("interventional" SHAP values); 100 to
            some thousand rows are usual. None uses the row counts in the nodes of the trees
            ("path-dependent"). If trees read combinations of categories, SHAP values are exact only
            with a background; without one, the value of a combination is shared equally by its
            columns.
        interactions : bool, default=False
            Whether to return SHAP interaction values: ``values[i, j, k]`` of columns j and k.
        iteration_range : tuple (begin, end), default=None
            Explain only the trees of these iterations. None explains all.
        output : {"raw", "probability"}, default="raw"
            "probability" explains the probability of class 1 of two classes and needs a background.
            It rescales the exact values of each background row to the difference of the
            probabilities, which is an approximation.
        n_jobs : int, default=None
            Number of threads. None and -1 use all cores that the process may use.

        Returns
        -------
        ceiba.explain.Explanation
            ``values`` [n_rows, n_features(, n_outputs)], ``base_values``, ``data`` and
            ``feature_names``; ``to_frame()``, and ``to_shap()`` for the plots of shap.

        Raises
        ------
        InvalidParameterError
            If the model does not support the requested output.

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
        """Convert the model for ``shap.TreeExplainer``.

        :meth:`explain` supports all models and is faster.

        Returns
        -------
        dict
            The argument of ``shap.TreeExplainer``.

        Raises
        ------
        InvalidInputError
            If the model has category sets, linear leaves or target statistics.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> len(model.to_shap()["trees"])
        20
        """
        trees: dict[str, Any] = lazy_module("explain").to_shap(self)
        return trees

    def partial_dependence(self, X: Any, columns: Any = None, **how: Any) -> Any:
        """Compute the mean prediction as a function of one column or two.

        Parameters
        ----------
        X : table or Dataset
            Rows, as ``predict`` takes them.
        columns : str, int, tuple of two, or list of these, default=None
            A column, a pair of columns, or a list of both. A list is computed in one pass. None
            computes every column.
        **how
            individual, method, output, n_points, percentiles, grid, sample_weight, iteration_range
            and n_jobs of :func:`ceiba.explain.partial_dependence`.

        Returns
        -------
        Dependence, or list of Dependence
            ``grid``, ``average`` and, if requested, ``individual``.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> found = model.partial_dependence(X, 0, n_points=5)
        >>> found.average.shape
        (5,)
        """
        return lazy_module("explain").partial_dependence(self, X, columns, **how)

    def export(
        self,
        path: str | os.PathLike[str],
        format: Literal["onnx", "lightgbm", "c", "python"],
        *,
        inputs: Literal["columns", "matrix"] | None = None,
        dtype: Literal["float64", "float32"] | None = None,
        name: str | None = None,
    ) -> Any:
        """Write the model in the format of another program, and check the file.

        The check predicts rows that reach both sides of every threshold, with missing values,
        unseen categories and extreme numbers. It uses the engine of the format (onnxruntime,
        lightgbm, a C compiler, Python), or an interpreter of the format if the engine is not
        installed.

        Parameters
        ----------
        path : str or path
            The file. An existing file is replaced in one step.
        format : {"onnx", "lightgbm", "c", "python"}
            "onnx" writes an ONNX graph and needs ``pip install 'ceiba[onnx]'``; "lightgbm" a text
            file that ``lightgbm.Booster`` loads; "c" one C99 file; "python" one Python file that
            needs only the standard library.
        inputs : {"columns", "matrix"}, default="columns"
            Inputs of an ONNX graph: one for each column, or one matrix of all columns.
        dtype : {"float64", "float32"}, default="float64"
            Type of numbers in the rows of an ONNX graph or C file. Thresholds move to 32-bit floats
            that separate the same 32-bit rows.
        name : str, default="model"
            Prefix of the functions in a C file.

        Returns
        -------
        ceiba.export.ExportCheck
            ``difference`` is the largest absolute difference between the predictions of the file
            and of the model; ``engine`` and ``n_rows`` say how it was measured.

        Raises
        ------
        ExportError
            If the format cannot express a part of the model. The message says which.
        MissingDependencyError
            If ``format="onnx"`` and onnx is not installed.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 5}, Dataset(X, X[:, 0]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     check = model.export(Path(folder, "model.py"), format="python")
        >>> check.difference
        0.0
        """
        options = {"inputs": inputs, "dtype": dtype, "name": name}
        return lazy_module("export.formats").export(self, path, format, options)

    @property
    def plot(self) -> Any:
        """Plots of the model, for example ``model.plot.importances()``.

        Needs matplotlib: ``pip install 'ceiba[plot]'``. The plots are those of :mod:`ceiba.plot`.
        """
        return lazy_module("plot").ModelPlots(self)

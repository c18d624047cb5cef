"""Inspection methods of ``Model``: feature names, importances, trees, the table of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.frames import make_frame
from ceiba.errors import InvalidParameterError
from ceiba.model.importances import column_names, find_kind, library_of, tree_importances
from ceiba.model.lazy_imports import lazy_module
from ceiba.model.nodes import node_columns
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from ceiba import _core
    from ceiba.data.schema import Schema
    from ceiba.model.decisions import Decisions
    from ceiba.model.tree_weights import TreeWeights

__all__ = ["Inspection"]

Floats = NDArray[np.float64]


class Inspection:
    """Methods of a model that describe its columns and trees. See :class:`ceiba.Model`."""

    if TYPE_CHECKING:
        schema: Schema
        parameters: Mapping[str, Any]
        forest: _core.Forest
        tree_weights: TreeWeights
        n_iterations: int
        counts_once: bool
        recorded_decisions: Decisions

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns, in the order of the training."""
        return list(self.schema.names)

    @property
    def categorical(self) -> dict[str, str]:
        """Encoding of each categorical column: "onehot", "subset" or "target"."""
        words = self.parameters.get("categorical")
        return dict(words) if isinstance(words, dict) else {}

    def decisions(self) -> Decisions:
        """Return what recipe auto chose, against what, by how much, and at what cost.

        Returns
        -------
        Decisions
            A sequence of decisions, which prints as one line each. ``to_frame()`` returns a table.
            Empty for models of other recipes.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(400.0).reshape(200, 2)
        >>> model = train({"quality": "fast"}, Dataset(X, X[:, 0]))
        >>> print(model.decisions())
        Trainings: one, because quality='fast' trains once.
        """
        return self.recorded_decisions

    @property
    def n_trees(self) -> int:
        """Number of trees: one per iteration and output, or one per iteration with vector leaves.

        Forests with ``num_parallel_tree`` have so many times more.
        """
        return self.forest.n_trees

    def feature_importances(self, kind: str = "gain") -> Floats:
        """Return the importance of each feature, computed from the trees.

        Parameters
        ----------
        kind : str, default="gain"
            - "gain", "cover": sum of the gains or hessians over the splits of a feature
            - "split" or "weight": number of splits
            - "mean_gain", "mean_cover", "mean_rows": mean over the splits
            - "mdi" or "impurity": scikit-learn's mean decrease in impurity
            - "prediction_values_change": CatBoost's importance, for symmetric trees

            With recipe ``xgboost``, "gain" and "cover" are means as in XGBoost, and "total_gain"
            and "total_cover" are the sums.

        Returns
        -------
        array of shape (n_features,)
            Importances, in the order of ``feature_names``.

        Raises
        ------
        InvalidParameterError
            If the kind is unknown, or not defined for the trees of the model.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.random.default_rng(0).normal(size=(100, 2))
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 1]))
        >>> int(model.feature_importances("split").argmax())
        1
        """
        kind = find_kind(kind, library_of(self.parameters))
        averaged = self.parameters.get("boosting") == "forest"
        return tree_importances(self.trees(), kind, self.schema.engine_sources, averaged=averaged)

    def importances(self, kind: str = "gain", X: Any = None, y: Any = None, **how: Any) -> Any:
        """Return a table of feature importances, the most important feature first.

        Parameters
        ----------
        kind : str, default="gain"
            Importance to sort by: a kind of :meth:`feature_importances`, or one that needs rows:

            - "permutation": how much worse a metric becomes when the column is shuffled
            - "shap": mean of the absolute SHAP values
        X : table or Dataset, default=None
            Rows, for "permutation" and "shap". Rows that the model was not trained on are best.
        y : array or str, default=None
            Target of the rows or the name of its column, for "permutation".
        **how
            For "permutation": metric, n_repeats, random_state, sample_weight, qid, group and
            n_jobs of :func:`ceiba.explain.permutation_importances`. For "shap": the arguments of
            :meth:`explain`.

        Returns
        -------
        table
            Column ``feature`` and one column per kind that the trees provide; or the columns
            ``permutation`` and ``spread``, the standard deviation over repeats; or the column
            ``shap``. A pandas DataFrame; without pandas one of polars, otherwise a dictionary of
            arrays.

        Raises
        ------
        InvalidParameterError
            If the kind is unknown, or rows are given to a kind that does not use them.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.random.default_rng(0).normal(size=(100, 2))
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 1]))
        >>> model.importances()["feature"][0]
        'f1'
        >>> model.importances("permutation", X, X[:, 1])["feature"][0]
        'f1'
        """
        if isinstance(kind, str) and kind in ("permutation", "shap"):
            rows = lazy_module("explain.row_importances")
            return make_frame(rows.row_importances(self, kind, X, y, **how))
        find_kind(kind, library_of(self.parameters))  # an unknown kind is reported first
        if X is not None or y is not None or how:
            raise InvalidParameterError(
                f"Importances of kind {kind!r} are computed from the trees and take no rows. Leave "
                "out `X`, `y` and their options, or use kind='permutation' or 'shap'."
            )
        order = np.argsort(-self.feature_importances(kind), kind="stable")
        names = np.array(self.schema.names, dtype=object)[order].tolist()
        columns: dict[str, Any] = {"feature": names}
        for name in column_names(library_of(self.parameters)).values():
            columns[name] = self.feature_importances(name)[order]
        return make_frame(columns)

    def trees_to_frame(self) -> Any:
        """Return a table with one row per node of every tree.

        Returns
        -------
        table
            A pandas DataFrame; without pandas one of polars, otherwise a dictionary of arrays.
            Columns: tree, iteration, output, node, depth, feature, threshold, missing (default
            direction), left, right, gain, cover, count, value. Leaves have no feature, threshold
            and children. ``levels`` holds the categories that go left, if nodes split by
            categories. Leaves with several outputs have the columns ``value_0``, ``value_1``, … in
            place of ``output`` and ``value``. ``line`` holds the terms of linear leaves.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 2, "max_depth": 1}, Dataset(X, X[:, 0]))
        >>> frame = model.trees_to_frame()
        >>> list(frame["tree"])
        [0, 0, 0, 1, 1, 1]
        """
        return make_frame(node_columns(self.trees().weighted(), self.schema))

    def trees(self, n_iterations: int | None = None, begin: int = 0) -> Trees:
        """Return the trees as arrays, with their weights.

        Parameters
        ----------
        n_iterations : int, default=None
            Return the weights that trees have after this number of iterations. None means all.
        begin : int, default=0
            First iteration of the range to predict. Forests average over the range.

        Returns
        -------
        ceiba.model.trees.Trees
            Read-only arrays with one entry per node.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> trees = model.trees().weighted()
        >>> trees.n_trees, trees.value.shape == (trees.n_nodes, 1)
        (20, True)
        """
        end = self.n_iterations if n_iterations is None else n_iterations
        return Trees.of(self.forest, self.tree_weights.of_trees(self.forest, end, begin))

    def weighted_forest(self, n_iterations: int | None = None, begin: int = 0) -> _core.Forest:
        """Return the forest of the C++ core with the tree weights multiplied into the leaves.

        Parameters
        ----------
        n_iterations : int, default=None
            Use the weights that trees have after this number of iterations. None means all.
        begin : int, default=0
            First iteration of the range to predict. Forests average over the range.

        Returns
        -------
        Forest
            The forest itself if all weights are 1.
        """
        if self.counts_once:
            return self.forest
        end = self.n_iterations if n_iterations is None else n_iterations
        return self.tree_weights.applied(self.forest, end, begin)

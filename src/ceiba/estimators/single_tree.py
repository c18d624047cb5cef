"""Base class of CeibaTreeClassifier and CeibaTreeRegressor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import Bunch

from ceiba.errors import InvalidParameterError
from ceiba.estimators.base import table_to_learn
from ceiba.estimators.criteria import check_directions, gain_in_impurity, node_columns
from ceiba.estimators.explicit import ExplicitParameters
from ceiba.estimators.pruning_path import pruning_path
from ceiba.model.tree_text import tree_rules
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.continuation.continued import Earlier
    from ceiba.estimators.rows import Rows
    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["SingleTree"]

_SPLITTERS = ("best", "random")


class SingleTree(ExplicitParameters):
    """A single tree with scikit-learn's parameters and inspection methods."""

    #: Objective parameters of each criterion.
    _criteria: ClassVar[Mapping[str, Mapping[str, Any]]]

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            numpy array, pandas, polars or arrow table, scipy sparse matrix, list of rows, or a
            Dataset, which brings its target with it. NaN means missing; columns of strings and of
            categories are taken as they are.
        y : array of shape (n_rows,) or (n_rows, n_outputs), or name of a column of X
            Target: labels of a classifier, numbers of a regressor, which may have several columns.
        sample_weight : array of shape (n_rows,), optional
            Weights; a row of weight 0 counts as none.
        """
        fitted: Self = super().fit(X, y, sample_weight)
        return fitted

    def _given(self) -> dict[str, Any]:
        """Translate the constructor parameters to those of the recipe."""
        own = {name: vars(self)[name] for name in self._get_param_names() if name in vars(self)}
        criterion, splitter = own.pop("criterion"), own.pop("splitter")
        if not isinstance(criterion, str) or criterion not in self._criteria:
            raise InvalidParameterError(
                f"criterion must be {' or '.join(map(repr, self._criteria))}. Got {criterion!r}."
            )
        if splitter not in _SPLITTERS:
            raise InvalidParameterError(f"splitter must be 'best' or 'random'. Got {splitter!r}.")
        limited = own["max_leaf_nodes"] is not None
        given = {
            **own,
            **self._criteria[criterion],
            "recipe": "tree",
            "max_features": node_columns(own["max_features"]),
            "grow_policy": "leafwise" if limited else "depthwise",
            "max_depth": 0 if own["max_depth"] is None else own["max_depth"],
            "max_leaf_nodes": own["max_leaf_nodes"] if limited else 0,
        }
        if own["monotonic_cst"] is not None:  # _train refuses several outputs
            given["multi_strategy"] = "one_tree_per_output"
        if splitter == "random":
            given["extra_trees"] = True
            if given["split_method"] is None:
                given["split_method"] = "hist"
        if given["split_method"] == "hist" and not limited:
            given["grow_policy"] = "depthfirst"  # sorts small nodes instead of using histograms
        return {name: value for name, value in given.items() if value is not None}

    def _train(
        self,
        parameters: Parameters,
        rows: Rows,
        eval_set: Any,
        callbacks: Any,
        classes: NDArray[Any] | None = None,
        *,
        earlier: Earlier,
        **held_out: Any,
    ) -> Self:
        n_outputs = rows.target.shape[1] if rows.target.ndim == 2 else 1
        n_classes = 0 if classes is None else len(classes)
        check_directions(vars(self)["monotonic_cst"], n_classes, n_outputs)
        unit = gain_in_impurity(vars(self)["criterion"], n_classes, n_outputs)
        parameters = parameters.replace(
            min_impurity_decrease=parameters.min_impurity_decrease / unit,
            ccp_alpha=parameters.ccp_alpha / unit,
        )
        if n_outputs == 1 and n_classes in (0, 2):
            parameters = parameters.replace(multi_strategy="one_tree_per_output")
        trained: Self = super()._train(
            parameters, rows, eval_set, callbacks, classes, earlier=earlier, **held_out
        )
        return trained

    def _root_impurity(self, rows: Rows) -> float:
        """Return the impurity of the root."""
        raise NotImplementedError

    def _fit_rows(self, X: Any, y: Any, sample_weight: Any) -> Rows:
        """Fit the tree and return the rows that were read."""
        of_fit = ("init_score", "eval_set", "callbacks", "init_model", "resume_from")
        given = {"y": y, "sample_weight": sample_weight, **dict.fromkeys(of_fit)}
        read, parameters, earlier = self._translate_fit(X, given, {})
        table = table_to_learn(read["X"], parameters)
        rows, classes = self._read_rows(table, read["y"], read["sample_weight"], earlier)
        rows = rows.given_as(X)
        self._train(parameters, rows, None, None, classes, earlier=earlier)
        kept: Rows = rows
        return kept

    # ---- the tree --------------------------------------------------------------------------------

    def _tree(self) -> Trees:
        model: Model = self._fitted()
        return Trees.of(model.forest)

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return int(np.count_nonzero(~self._tree().is_split))

    def get_depth(self) -> int:
        """Return the number of splits on the longest way to a leaf."""
        return int(self._tree().depths().max())

    def apply(self, X: Any, **other_names: Any) -> NDArray[np.int32]:
        """Return the leaf, as a node number, that each row reaches."""
        leaves: NDArray[np.int32] = super().apply(X, **other_names)
        return leaves[:, 0]

    def decision_path(self, X: Any) -> Any:
        """Return which nodes each row comes by: a sparse matrix of shape (n_rows, n_nodes)."""
        leaves, parent = self.apply(X), self._tree().parents()
        ways: dict[int, list[int]] = {}
        for leaf in np.unique(leaves).tolist():
            way = [leaf]
            while parent[way[-1]] >= 0:
                way.append(int(parent[way[-1]]))
            ways[leaf] = way[::-1]
        visited = [ways[leaf] for leaf in leaves.tolist()]
        ends = np.cumsum([0, *map(len, visited)])
        nodes = np.concatenate([np.zeros(0, np.int64), *visited]).astype(np.int64)
        ones = np.ones(len(nodes), dtype=np.int64)
        return sparse.csr_matrix((ones, nodes, ends), shape=(len(leaves), len(parent)))

    @property
    def feature_importances_(self) -> Floats:
        """Decrease in impurity by the splits of each column, adding up to 1."""
        values: Floats = self._fitted().feature_importances("mdi")
        return values

    def export_text(
        self,
        *,
        max_depth: int = 10,
        spacing: int = 3,
        decimals: int = 2,
        show_missing: bool = False,
        X: Any = None,
    ) -> str:
        """Return the tree as rules, in the names of columns and levels.

        Parameters
        ----------
        max_depth : int, default=10
            Splits on a way that are shown.
        spacing : int, default=3
            Characters between the bars.
        decimals : int, default=2
            Digits of values and probabilities after the point. Thresholds always have the digits
            that decide where a row goes.
        show_missing : bool, default=False
            Whether rules say which way missing values go.
        X : table, optional
            Training rows. Thresholds then have only the digits that divide these rows.
        """
        return tree_rules(
            self._fitted(),
            max_depth=max_depth,
            spacing=spacing,
            decimals=decimals,
            show_missing=show_missing,
            X=X,
        )

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Return the prices of a leaf at which branches of the tree of these rows are cut.

        Parameters
        ----------
        X, y, sample_weight
            As in ``fit``; this estimator stays as it is.

        Returns
        -------
        Bunch
            ``ccp_alphas``: values of ``ccp_alpha``, from 0 to that of the root alone;
            ``impurities``: the impurity of the leaves of the tree that each of them leaves.
        """
        whole = clone(self).set_params(ccp_alpha=0.0)
        rows = whole._fit_rows(X, y, sample_weight)
        tree = whole._tree()
        n_outputs = rows.target.shape[1] if rows.target.ndim == 2 else 1
        unit = gain_in_impurity(
            vars(whole)["criterion"], len(vars(whole).get("classes_", ())), n_outputs
        )
        decrease = tree.gain * (unit / tree.cover[0])
        alphas, impurities = pruning_path(
            tree.left, tree.right, decrease, whole._root_impurity(rows)
        )
        return Bunch(ccp_alphas=alphas, impurities=impurities)

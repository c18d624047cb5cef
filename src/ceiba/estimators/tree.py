"""CeibaTreeClassifier and CeibaTreeRegressor: single decision trees (CART).

A tree uses recipe ``tree``: one round of forest mode without shrinkage or penalty, so that a leaf
holds the mean, or the class frequencies, of its rows. Constructors have the names and defaults of
scikit-learn's DecisionTree; ``single_tree.py`` translates them. ``base.py`` describes the life of
an estimator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.estimators.classifier import CeibaClassifier
from ceiba.estimators.criteria import OF_CLASSES, OF_NUMBERS
from ceiba.estimators.regressor import CeibaRegressor
from ceiba.estimators.single_tree import SingleTree
from ceiba.model.output import probabilities

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.estimators.rows import Rows
    from ceiba.parameters.resolving import Parameters

__all__ = ["CeibaTreeClassifier", "CeibaTreeRegressor"]


class CeibaTreeClassifier(SingleTree, CeibaClassifier):  # type: ignore[misc]
    """Decision tree classifier (CART).

    Parameters
    ----------
    criterion : {'gini', 'entropy', 'log_loss'}, default='gini'
        Impurity that splits reduce: Gini impurity, or entropy ('log_loss' is the same).
    splitter : {'best', 'random'}, default='best'
        Whether to try all thresholds of a column, or one that is drawn at random among its bins.
    max_depth : int, optional
        Maximum depth of the tree. Unlimited by default.
    min_samples_split : int or float, default=2
        Minimum number of rows of a node to be split; a number below 1 is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf; a number below 1 is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum fraction of the total weight in a leaf.
    max_features : int, float, 'sqrt' or 'log2', optional
        Number or fraction of columns to consider at each node. All by default.
    random_state : int or RandomState, optional
        Seed. None means 0: every fit gives the same tree.
    max_leaf_nodes : int, optional
        Maximum number of leaves. The tree is then grown best-first. Unlimited by default.
    min_impurity_decrease : float, default=0.0
        Minimum decrease of impurity of a split, weighted by the fraction of rows in its node.
    class_weight : dict or 'balanced', optional
        Class weights. 'balanced' gives all classes the same total weight.
    ccp_alpha : float, default=0.0
        Complexity parameter of minimal cost-complexity pruning.
    monotonic_cst : list of -1, 0 and 1 or dict, optional
        Columns along which the probability of the second of two classes must not decrease (1) or
        must not increase (-1). Needs criterion='gini'.
    split_method : {'exact', 'hist'}, optional
        Search thresholds between all distinct values ('exact', the default) or between bins
        ('hist').
    max_bins : int, optional
        Maximum number of bins of a column, with split_method='hist'.
    categorical_features : list, optional
        Further categorical columns. Columns of strings and of category dtypes always are.
    unseen_category : {'error', 'missing'}, optional
        How predict treats categories that ``fit`` did not see.
    n_jobs : int, optional
        Number of threads. The tree does not depend on it.

    Attributes
    ----------
    model_ : Model
        The trained model: one tree.
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Names of the columns, if the table had names.
    feature_importances_ : array of shape (n_features,)
        Decrease in impurity by each column, normalized to sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaTreeClassifier
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> tree = CeibaTreeClassifier().fit(X, np.where(X[:, 0] > 99, "late", "early"))
    >>> print(tree.export_text(decimals=1), end="")
    |--- f0 <= 99
    |   |--- class: early  (early 1.0, late 0.0; 50 rows)
    |--- f0 > 99
    |   |--- class: late  (early 0.0, late 1.0; 50 rows)
    """

    _criteria = OF_CLASSES

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: str | Mapping[Any, float] | None = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Sequence[int] | Mapping[str, int] | None = None,
        split_method: str | None = None,
        max_bins: int | None = None,
        categorical_features: Any = None,
        unseen_category: str | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.split_method = split_method
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.unseen_category = unseen_category
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags

    def _with_objective(self, parameters: Parameters, classes: NDArray[Any] | None) -> Parameters:
        if classes is None:
            raise InvalidInputError(
                "CeibaTreeClassifier predicts one column of classes. Got y with several columns. "
                "Give them one at a time."
            )
        return super()._with_objective(parameters, classes)

    def _root_impurity(self, rows: Rows) -> float:
        root = self._tree().value[:1]  # value of an inner node as if it were a leaf
        shares = probabilities(self.model_.objective.predict(root))[0]
        shares = shares[shares > 0]
        if self.criterion == "gini":
            return 1.0 - float((shares * shares).sum())
        return -float((shares * np.log2(shares)).sum())


class CeibaTreeRegressor(SingleTree, CeibaRegressor):  # type: ignore[misc]
    """Decision tree regressor (CART).

    Parameters
    ----------
    criterion : {'squared_error', 'friedman_mse'}, default='squared_error'
        Impurity that splits reduce. Both give the same tree: Friedman's gain equals the decrease
        in squared error.
    splitter : {'best', 'random'}, default='best'
        Whether to try all thresholds of a column, or one that is drawn at random among its bins.
    max_depth : int, optional
        Maximum depth of the tree. Unlimited by default.
    min_samples_split : int or float, default=2
        Minimum number of rows of a node to be split; a number below 1 is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf; a number below 1 is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum fraction of the total weight in a leaf.
    max_features : int, float, 'sqrt' or 'log2', optional
        Number or fraction of columns to consider at each node. All by default.
    random_state : int or RandomState, optional
        Seed. None means 0: every fit gives the same tree.
    max_leaf_nodes : int, optional
        Maximum number of leaves. The tree is then grown best-first. Unlimited by default.
    min_impurity_decrease : float, default=0.0
        Minimum decrease of impurity of a split, weighted by the fraction of rows in its node.
    ccp_alpha : float, default=0.0
        Complexity parameter of minimal cost-complexity pruning.
    monotonic_cst : list of -1, 0 and 1 or dict, optional
        Columns along which the prediction must not decrease (1) or must not increase (-1). Needs
        a single target.
    split_method : {'exact', 'hist'}, optional
        Search thresholds between all distinct values ('exact', the default) or between bins
        ('hist').
    max_bins : int, optional
        Maximum number of bins of a column, with split_method='hist'.
    categorical_features : list, optional
        Further categorical columns. Columns of strings and of category dtypes always are.
    unseen_category : {'error', 'missing'}, optional
        How predict treats categories that ``fit`` did not see.
    n_jobs : int, optional
        Number of threads. The tree does not depend on it.

    Attributes
    ----------
    model_ : Model
        The trained model: one tree, whose leaf values are added to the mean of the target.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Names of the columns, if the table had names.
    feature_importances_ : array of shape (n_features,)
        Decrease in impurity by each column, normalized to sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import CeibaTreeRegressor
    >>> X = np.arange(100.0).reshape(50, 2)
    >>> tree = CeibaTreeRegressor(max_depth=1).fit(X, X[:, 0] ** 2)
    >>> print(tree.export_text(), end="")
    |--- f0 <= 63
    |   |--- value: 1302.00  (32 rows)
    |--- f0 > 63
    |   |--- value: 6668.67  (18 rows)
    """

    _criteria = OF_NUMBERS

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        monotonic_cst: Sequence[int] | Mapping[str, int] | None = None,
        split_method: str | None = None,
        max_bins: int | None = None,
        categorical_features: Any = None,
        unseen_category: str | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.split_method = split_method
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.unseen_category = unseen_category
        self.n_jobs = n_jobs

    def _root_impurity(self, rows: Rows) -> float:
        target, weights = rows.target, rows.weights
        columns = target if target.ndim == 2 else target[:, None]
        total = float(len(target)) if weights is None else _core.exact_sum(weights)
        impurity = 0.0
        for column in columns.T:
            own = np.ascontiguousarray(column)
            mean = _core.exact_sum(own, weights) / total
            impurity += _core.exact_sum((own - mean) ** 2, weights) / total
        return impurity / int(columns.shape[1])

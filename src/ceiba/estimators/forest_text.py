"""Docstrings of the forests: scikit-learn's parameters and a few of ceiba."""

from __future__ import annotations

__all__ = ["document_forest"]

_TEXT = """

    Uses recipe ``forest``, with the parameter names and defaults of scikit-learn's
    {peer}. Splits are searched among ``max_bins`` bins of each column.
    Missing values and categories need no encoding. The forest depends on the rows, the parameters
    and the seed, but not on the number of threads.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {criteria}
        {criterion}
    max_depth : int, optional
        Maximum depth of a tree. Unlimited by default.
    min_samples_split : int or float, default=2
        Minimum number of rows of a node to be split; a number below 1 is a fraction of all rows.
        A row that the bootstrap draws several times counts once.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf, counted in the same way.
    min_weight_fraction_leaf : float, default=0.0
        Minimum fraction of the total weight in a leaf.
    max_features : {{'sqrt', 'log2'}}, int, float or None, default={features}
        Number of columns to consider at each node: a number, a fraction, or a function of the
        number of columns. None means all. If none of the drawn columns has a split, more columns
        are drawn until one has.
    max_leaf_nodes : int, optional
        Maximum number of leaves. The tree is then grown best-first.
    min_impurity_decrease : float, default=0.0
        Minimum decrease of impurity of a split, weighted by the fraction of rows in its node.
    bootstrap : bool, default=True
        Whether to draw the rows of each tree with replacement. Otherwise trees use all rows, or
        a subset (max_samples).
    oob_score : bool or function of (y, prediction), default=False
        Whether to score each row with the trees that did not use it.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, RandomState or None, default=None
        Seed. None means 0: every fit gives the same forest.
    verbose : int, default=0
        1 shows progress.
    warm_start : bool, default=False
        Whether the next fit keeps the existing trees and adds trees up to n_estimators.
{class_weight}    ccp_alpha : float, default=0.0
        Complexity parameter of minimal cost-complexity pruning.
    max_samples : int or float, optional
        Number or fraction of rows to draw for each tree; by default as many as there are. With
        bootstrap=False, they are drawn without replacement.
    monotonic_cst : array or dict, optional
        Columns along which the prediction must not decrease (1) or must not increase (-1).
    extra_trees : bool, default=False
        Whether a node tries one random threshold per column instead of all.
    max_bins : int, optional
        Maximum number of bins of a column, 256 by default.
    categorical_features : list, optional
        Further categorical columns. Columns of strings and of category dtypes always are.
    unseen_category : str, optional
        How predict treats categories that ``fit`` did not see: 'error' or 'missing'.

    Attributes
    ----------
    model_ : Model
        The trained model.
    feature_importances_ : array of shape (n_features,)
        Mean decrease in impurity of each column.
    oob_score_ : float
        {score} of the out-of-bag predictions. Only with oob_score.
    {oob}
    n_features_in_, feature_names_in_
        Number of columns, and their names if the table had names.

    Examples
    --------
{example}
"""

_CLASS_WEIGHT = """    class_weight : dict, 'balanced', 'balanced_subsample' or None, default=None
        Class weights. 'balanced' gives all classes the same total weight; 'balanced_subsample'
        does so among the rows drawn for each tree.
"""

_CLASSIFIER = """
    >>> import numpy as np
    >>> from ceiba import CeibaForestClassifier
    >>> X = np.arange(400.0).reshape(200, 2) % 37
    >>> y = np.where(X[:, 0] > 18, "late", "early")
    >>> forest = CeibaForestClassifier(n_estimators=20, oob_score=True, random_state=1).fit(X, y)
    >>> forest.predict(X[:3]).tolist()
    ['early', 'early', 'early']
    >>> forest.oob_score_ > 0.9
    True
"""

_REGRESSOR = """
    >>> import numpy as np
    >>> from ceiba import CeibaForestRegressor
    >>> X = np.arange(400.0).reshape(200, 2)
    >>> forest = CeibaForestRegressor(n_estimators=20, oob_score=True).fit(X, X[:, 0])
    >>> forest.predict(X[:2]).shape
    (2,)
    >>> forest.oob_score_ > 0.9
    True
"""


def document_forest(classifier: type, regressor: type) -> None:
    """Set the docstrings of both forests."""
    classifier.__doc__ = f"{classifier.__doc__}" + _TEXT.format(
        peer="RandomForestClassifier",
        criteria="'gini', default='gini'",
        criterion="Gini impurity.",
        features="'sqrt'",
        class_weight=_CLASS_WEIGHT,
        score="Accuracy, or the result of the given function,",
        oob="oob_decision_function_ : array of shape (n_rows, n_classes)\n"
        "        Their class probabilities; NaN for rows that every tree used.\n"
        "    classes_ : array of shape (n_classes,)\n"
        "        The labels, sorted.",
        example=_CLASSIFIER.strip("\n"),
    )
    regressor.__doc__ = f"{regressor.__doc__}" + _TEXT.format(
        peer="RandomForestRegressor",
        criteria="'squared_error', default='squared_error'",
        criterion="Variance; leaves are means.",
        features="1.0",
        class_weight="",
        score="R², or the result of the given function,",
        oob="oob_prediction_ : array of shape (n_rows,) or (n_rows, n_outputs)\n"
        "        Their predictions; NaN for rows that every tree used.",
        example=_REGRESSOR.strip("\n"),
    )

"""Docstrings of the forests: scikit-learn's parameters and a few of ceiba."""

from __future__ import annotations

__all__ = ["document_forest"]

_TEXT = """

    Names and defaults are those of scikit-learn's {peer}; the trees are
    those of recipe ``forest``. Splits are looked for among ``max_bins`` bins of each column,
    missing values and categories are taken as they are, and the same rows, parameters and seed give
    the same forest whatever the number of threads.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {criteria}
        {criterion}
    max_depth : int, optional
        Most splits on the way to a leaf; unlimited by default.
    min_samples_split : int or float, default=2
        Fewest rows of a node that may be split; a number below 1 is a share of all rows. A row that
        is drawn several times is one row.
    min_samples_leaf : int or float, default=1
        Fewest rows of a leaf, counted in the same way.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of the weights of the tree that a leaf holds.
    max_features : {{'sqrt', 'log2'}}, int, float or None, default={features}
        Columns that a node looks at: a number, a share, or a function of the number of all; None
        means all. Where none of them has a split, further ones are drawn until one has.
    max_leaf_nodes : int, optional
        Most leaves of a tree, which is then grown best node first.
    min_impurity_decrease : float, default=0.0
        Smallest decrease of impurity of a split, weighted by its share of the rows.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement; otherwise a tree is grown on all of them, or on
        a subset (max_samples).
    oob_score : bool or function of (y, prediction), default=False
        Whether to score every row by the trees that do not know it.
    n_jobs : int, optional
        Threads; all cores by default.
    random_state : int, RandomState or None, default=None
        Seed. None is 0: a fit is the same every time.
    verbose : int, default=0
        1 shows progress.
    warm_start : bool, default=False
        Whether another fit adds trees to those that are there, up to n_estimators.
{class_weight}    ccp_alpha : float, default=0.0
        Cost of a leaf in cost-complexity pruning.
    max_samples : int or float, optional
        Rows that are drawn for a tree: a number or a share; as many as there are by default. With
        bootstrap=False a subset of that size, without repeats.
    monotonic_cst : array or dict, optional
        Columns with which the prediction may only rise (1) or only fall (-1).
    extra_trees : bool, default=False
        Whether a node tries one random threshold of each column, instead of all.
    max_bins : int, optional
        Bins of a column, 256 by default.
    categorical_features : list, optional
        Columns that hold categories; those of strings and of category types do anyway.
    unseen_category : str, optional
        What to do with a category that was not seen in ``fit``.

    Attributes
    ----------
    model_ : Model
        The trained model.
    feature_importances_ : array of shape (n_features,)
        Mean decrease in impurity of each column.
    oob_score_ : float
        {score} of the out-of-bag predictions, with oob_score.
    {oob}
    n_features_in_, feature_names_in_
        Number and, where the table had them, names of the columns.

    Examples
    --------
{example}
"""

_CLASS_WEIGHT = """    class_weight : dict, 'balanced', 'balanced_subsample' or None, default=None
        Weights of the classes. 'balanced' gives all of them the same total, 'balanced_subsample'
        does so in the rows drawn for each tree.
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
        score="Accuracy, or what the given function says,",
        oob="oob_decision_function_ : array of shape (n_rows, n_classes)\n"
        "        Their class probabilities; NaN for rows that every tree knows.\n"
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
        score="R², or what the given function says,",
        oob="oob_prediction_ : array of shape (n_rows,) or (n_rows, n_outputs)\n"
        "        Their predictions; NaN for rows that every tree knows.",
        example=_REGRESSOR.strip("\n"),
    )

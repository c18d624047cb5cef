"""LinearTreeRegressor and LinearTreeClassifier: trees with a linear model in each leaf.

The score of a split is the loss of the linear models of both sides, computed from moments
(``split_search.py``). ``base.py`` describes the life of a hybrid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.frames import make_frame
from ceiba.data.schema import Schema
from ceiba.hybrids.base import (
    LEAF_ROWS,
    BaseHybrid,
    HybridClassifier,
    HybridRegressor,
    columns_of,
    min_leaf_weight,
)
from ceiba.hybrids.design_matrix import DesignMatrix
from ceiba.hybrids.file import Stored
from ceiba.hybrids.formulas import formula, term_columns
from ceiba.hybrids.linear_models import Linear, PenaltyName
from ceiba.hybrids.rows import TrainingRows
from ceiba.hybrids.rules import Rule, rule_from_json
from ceiba.hybrids.split_search import Binned
from ceiba.hybrids.tree_growth import Grower, Leaf, class_probabilities
from ceiba.model.predict import count_threads
from ceiba.parameters.constraints import Constraint, Integer, Real

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["LinearTreeClassifier", "LinearTreeRegressor"]

Floats = NDArray[np.float64]
_MOST_TERMS = 8


@dataclass(frozen=True, eq=False)
class LinearTreeModel:
    """A fitted tree: rule, linear model and training statistics of each leaf."""

    schema: Schema
    design: DesignMatrix
    classes: NDArray[Any] | None
    rules: tuple[Rule, ...]
    linear: tuple[Linear, ...]
    #: Weight and loss of the training rows of each leaf, [leaves].
    weights: Floats
    losses: Floats
    #: Classes that occur in the training rows of each leaf, [leaves, classes].
    present: NDArray[np.bool_]

    @classmethod
    def of(
        cls, design: DesignMatrix, classes: NDArray[Any] | None, leaves: list[Leaf]
    ) -> LinearTreeModel:
        """Return the model with the given leaves."""
        return cls(
            design.schema,
            design,
            classes,
            tuple(leaf.rule for leaf in leaves),
            tuple(leaf.model for leaf in leaves),
            np.array([leaf.weight for leaf in leaves]),
            np.array([leaf.loss for leaf in leaves]),
            np.stack([leaf.present for leaf in leaves]),
        )

    def leaves_of(self, values: Floats) -> NDArray[np.int64]:
        """Return the leaf of each row."""
        leaves = np.full(len(values), -1, dtype=np.int64)
        for k, rule in enumerate(self.rules):
            leaves[rule.met(values)] = k
        return leaves

    def scores(self, values: Floats) -> Floats:
        """Return the predictions of rows."""
        columns, leaves = self.design.columns(values), self.leaves_of(values)
        width = 1 if self.classes is None else len(self.classes)
        scores = np.zeros((len(values), width))
        for k, model in enumerate(self.linear):
            here = np.flatnonzero(leaves == k)
            if not len(here):
                continue
            own = model.scores(columns[here])
            if self.classes is not None:
                own = class_probabilities(own, self.present[k], float(self.weights[k]))
            scores[here] = own
        return scores[:, 0] if self.classes is None else scores

    def models(self) -> Mapping[str, Model]:
        """Return an empty mapping: it contains no ceiba model."""
        return {}

    def stored(self) -> Stored:
        """Return the content of the model file."""
        arrays = {
            **self.design.to_arrays(),
            "coefficients": np.stack([model.coefficients for model in self.linear]),
            "centers": np.stack([model.centers for model in self.linear]),
            "weights": self.weights,
            "losses": self.losses,
            "present": self.present.astype(np.uint8),
        }
        values = {"rules": [rule.to_json() for rule in self.rules]}
        return Stored(self.schema, self.classes, values, arrays)

    @classmethod
    def restored(cls, stored: Stored) -> LinearTreeModel:
        """Restore the model of a file; raise ValueError if it is damaged."""
        design = DesignMatrix.from_arrays(stored.schema, stored.arrays)
        rules = tuple(rule_from_json(one, stored.schema) for one in stored.listed("rules"))
        n_leaves, n_classes = len(rules), 0 if stored.classes is None else len(stored.classes)
        n_outputs = n_classes if n_classes > 2 else 1
        coefficients = stored.numbers("coefficients", n_leaves, n_outputs, design.n_columns)
        centers = stored.numbers("centers", n_leaves, n_outputs)
        weights = stored.numbers("weights", n_leaves)
        present = stored.arrays["present"].astype(bool)
        if not n_leaves or not (weights > 0).all() or n_classes == 1:
            raise ValueError("the leaves have no rows")
        if present.shape != (n_leaves, max(1, n_classes)) or not present.any(axis=1).all():
            raise ValueError("the leaves have no classes")
        linear = tuple(map(Linear, coefficients, centers))
        losses = stored.numbers("losses", n_leaves)
        return cls(stored.schema, design, stored.classes, rules, linear, weights, losses, present)


class _LinearTree(BaseHybrid):
    """Base class of the linear trees."""

    _options: ClassVar[Mapping[str, Constraint]] = {
        "max_depth": Integer(0, 64),
        "min_samples_leaf": LEAF_ROWS,
        "max_bins": Integer(3, 65535),
        "min_gain": Real(0.0, 1.0),
    }
    _model_class = LinearTreeModel

    def _learn(
        self, rows: TrainingRows, classes: NDArray[Any] | None, options: Mapping[str, Any]
    ) -> LinearTreeModel:
        linear = columns_of(self.linear_features, rows.schema, "linear_features")
        splits = columns_of(self.split_features, rows.schema, "split_features")
        design = DesignMatrix.of(rows, linear)
        n_threads = count_threads(options["n_jobs"])
        grower = Grower(
            rows=rows,
            design=design,
            penalty=self._penalty(options),
            n_classes=0 if classes is None else len(classes),
            binned=Binned.of(rows, splits, options["max_bins"], n_threads),
            max_depth=options["max_depth"],
            min_weight=min_leaf_weight(options["min_samples_leaf"], rows.weights),
            min_gain=options["min_gain"],
            n_threads=n_threads,
        )
        return LinearTreeModel.of(design, classes, grower.grow())

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf index of each row, as numbered in ``leaves_``."""
        model, values = self._checked_rows(X)
        leaves: NDArray[np.int64] = model.leaves_of(values)
        return leaves

    @property
    def n_leaves_(self) -> int:
        """Return the number of leaves."""
        return len(self._fitted().rules)

    @property
    def leaves_(self) -> Any:
        """Return a table of the leaves: rule, row weight, mean loss and formula."""
        model: LinearTreeModel = self._fitted()
        return make_frame(
            {
                "leaf": np.arange(len(model.rules)),
                "rule": [rule.text(model.schema) for rule in model.rules],
                "rows": model.weights,
                "loss": model.losses / model.weights,
                "formula": [_formulas(model, k, most=0) for k in range(len(model.rules))],
            }
        )

    @property
    def coefficients_(self) -> Any:
        """Return a table of all coefficients: leaf, class (classifiers only), column and value.

        The row ``(intercept)`` is the score at 0 in every column.
        """
        model: LinearTreeModel = self._fitted()
        return make_frame(term_columns(model.design, model.linear, model.classes, key="leaf"))

    def summary(self) -> str:
        """Return the leaves as text: rule, rows, loss and formula of each.

        Formulas show only the largest terms; ``leaves_`` has all of them.
        """
        model: LinearTreeModel = self._fitted()
        word = "mean squared error" if model.classes is None else "mean log loss"
        lines = []
        for k, rule in enumerate(model.rules):
            loss = model.losses[k] / model.weights[k]
            lines += [
                f"leaf {k}: {rule.text(model.schema)}",
                f"    rows {model.weights[k]:g}, {word} {loss:.6g}",
                f"    {_formulas(model, k, most=_MOST_TERMS)}",
            ]
        return "\n".join(lines)


def _formulas(model: LinearTreeModel, leaf: int, most: int) -> str:
    linear, present = model.linear[leaf], model.present[leaf]
    if model.classes is not None and present.sum() < 2:
        return f"always {model.classes[int(np.flatnonzero(present)[0])]}"
    return formula(model.design, linear, model.classes, most=most)


class LinearTreeRegressor(HybridRegressor, _LinearTree):
    """Regression tree with a linear model in each leaf.

    The score of a split is the loss of the linear models of both sides. The tree therefore also
    splits where only slopes change. Predictions are linear within a leaf and extrapolate linearly
    beyond the training range.

    Parameters
    ----------
    penalty : {"ridge", "none", "lasso", "elasticnet"}, default="ridge"
        Penalty on the coefficients.
    alpha : float, default=1.0
        Penalty strength, as in scikit-learn's ``Ridge``, ``Lasso`` and ``ElasticNet``.
    l1_ratio : float, default=0.5
        Weight of the L1 penalty with ``penalty="elasticnet"``.
    standardize : bool, default=True
        Whether to penalize columns in units of their standard deviation.
    max_depth : int, default=3
        Maximum depth of the tree. 0 fits one linear model to all rows.
    min_samples_leaf : int or float, default=0.1
        Minimum weight of the rows in a leaf, or their minimum fraction of all rows.
    max_bins : int, default=25
        Maximum number of bins per column, including the bin of missing values. The search tries
        the bin edges, then every threshold between the values around the best edge.
    min_gain : float, default=0.0
        Minimum relative decrease of a node's loss by its split.
    split_features, linear_features : list of columns, optional
        Columns (by name or position) for splits and for the linear models.
    categorical_features : "auto", "none" or list of columns, default="auto"
        Categorical columns. ``"auto"`` treats text columns as categorical; listed columns are
        categorical besides them.
    linear_max_iter : int, default=10000
        Maximum number of iterations of lasso and elastic net.
    n_jobs : int, optional
        Number of threads. The model does not depend on it.

    Attributes
    ----------
    leaves_ : table
        Rule, rows, loss and formula of each leaf.
    coefficients_ : table
        All coefficients by name.
    n_leaves_ : int
        Number of leaves.

    Notes
    -----
    A linear model reads a categorical column as one 0/1 column per category, and replaces a missing
    value by the mean of its column over the training rows. Splits send missing values to the side
    with the smaller loss. A categorical split separates one category from all others.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import LinearTreeRegressor
    >>> X = np.arange(400.0)[:, None]
    >>> y = np.abs(X[:, 0] - 199.5)
    >>> tree = LinearTreeRegressor(penalty="none", max_depth=1).fit(X, y)
    >>> print(tree.leaves_.rule.tolist())
    ['f0 <= 199.5 or f0 is missing', 'f0 > 199.5']
    >>> print(tree.predict([[600.0]]).round(6))
    [400.5]
    """

    def __init__(
        self,
        *,
        penalty: PenaltyName = "ridge",
        alpha: float = 1.0,
        l1_ratio: float = 0.5,
        standardize: bool = True,
        max_depth: int = 3,
        min_samples_leaf: float = 0.1,
        max_bins: int = 25,
        min_gain: float = 0.0,
        split_features: Sequence[str | int] | None = None,
        linear_features: Sequence[str | int] | None = None,
        categorical_features: Literal["auto", "none"] | Sequence[str | int] = "auto",
        linear_max_iter: int = 10_000,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.standardize = standardize
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_bins = max_bins
        self.min_gain = min_gain
        self.split_features = split_features
        self.linear_features = linear_features
        self.categorical_features = categorical_features
        self.linear_max_iter = linear_max_iter
        self.n_jobs = n_jobs


class LinearTreeClassifier(HybridClassifier, _LinearTree):
    """Classification tree with a logistic model in each leaf.

    The score of a split is the loss of both sides after one Newton step of their logistic models,
    one-vs-rest with more than two classes. The models of the chosen sides are then fitted to
    convergence. A class without rows in a leaf counts as one row there.

    Parameters
    ----------
    penalty : {"ridge", "none", "lasso", "elasticnet"}, default="ridge"
        Penalty on the coefficients.
    C : float, default=1.0
        Inverse penalty strength, as in scikit-learn's ``LogisticRegression``.
    l1_ratio, standardize, max_depth, min_samples_leaf, max_bins, min_gain
        As in :class:`LinearTreeRegressor`.
    split_features, linear_features, categorical_features, linear_max_iter, n_jobs
        As in :class:`LinearTreeRegressor`.
    class_weight : "balanced" or mapping from label to weight, optional
        Weights of the classes.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    leaves_, coefficients_, n_leaves_
        As in :class:`LinearTreeRegressor`.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import LinearTreeClassifier
    >>> x = np.linspace(-3.0, 3.0, 400)
    >>> y = np.where(np.abs(x) > 1.5, "far", "near")
    >>> tree = LinearTreeClassifier(max_depth=1).fit(x[:, None], y)
    >>> print(tree.predict([[-2.5], [0.3], [2.5]]))
    ['far' 'near' 'far']
    """

    def __init__(
        self,
        *,
        penalty: PenaltyName = "ridge",
        C: float = 1.0,
        l1_ratio: float = 0.5,
        standardize: bool = True,
        max_depth: int = 3,
        min_samples_leaf: float = 0.1,
        max_bins: int = 25,
        min_gain: float = 0.0,
        split_features: Sequence[str | int] | None = None,
        linear_features: Sequence[str | int] | None = None,
        categorical_features: Literal["auto", "none"] | Sequence[str | int] = "auto",
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        linear_max_iter: int = 10_000,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.standardize = standardize
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_bins = max_bins
        self.min_gain = min_gain
        self.split_features = split_features
        self.linear_features = linear_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.linear_max_iter = linear_max_iter
        self.n_jobs = n_jobs

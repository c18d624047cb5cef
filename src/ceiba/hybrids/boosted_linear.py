"""BoostedLinearRegressor and BoostedLinearClassifier: linear models with learned rules (EBLR).

``rule_boosting.py`` has the training steps; ``base.py`` describes the life of a hybrid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.frames import make_frame
from ceiba.hybrids.base import (
    LEAF_ROWS,
    BaseHybrid,
    HybridClassifier,
    HybridRegressor,
    columns_of,
)
from ceiba.hybrids.design_matrix import DesignMatrix
from ceiba.hybrids.formulas import formula, output_labels, rounding_error, term_columns
from ceiba.hybrids.linear_models import PenaltyName
from ceiba.hybrids.row_losses import CLASS_LOSSES, NUMBER_LOSSES, check_target
from ceiba.hybrids.rows import TrainingRows
from ceiba.hybrids.rule_boosting import BoostedLinearModel, RuleBoosting
from ceiba.parameters.constraints import Constraint, Integer, OneOf

__all__ = ["BoostedLinearClassifier", "BoostedLinearRegressor"]

Floats = NDArray[np.float64]
_MOST_TERMS = 20


class _BoostedLinear(BaseHybrid):
    """Base class of the boosted linear models."""

    _options: ClassVar[Mapping[str, Constraint]] = {
        "n_estimators": Integer(0),
        "max_depth": Integer(1, 64),
        "min_samples_leaf": LEAF_ROWS,
        "max_bins": Integer(3, 65535),
    }
    _model_class = BoostedLinearModel

    def _learn(
        self, rows: TrainingRows, classes: NDArray[Any] | None, options: Mapping[str, Any]
    ) -> BoostedLinearModel:
        check_target(options["loss"], rows.target)
        sources = columns_of(self.linear_features, rows.schema, "linear_features")
        design = DesignMatrix.of(rows, sources)
        columns = design.columns(rows.values)
        penalty = self._penalty(options)
        return RuleBoosting(rows, design, columns, penalty, classes, options).learn()

    @property
    def rules_(self) -> Any:
        """Return a table of the rules: text, coefficient, weight of matching rows, mean error.

        The mean error is that of the matching rows when the rule was found. With more than two
        classes, the table has one coefficient column per class.
        """
        model: BoostedLinearModel = self._fitted()
        labels = output_labels(len(model.linear.centers), model.classes)
        names = ["coefficient"]
        if len(labels) > 1:
            names = [f"coefficient {label}" for label in labels]
        coefficients = dict(zip(names, model.rule_coefficients, strict=True))
        return make_frame(
            {
                "rule": [rule.text(model.schema) for rule in model.rules],
                **coefficients,
                "rows": model.rule_weights,
                "mean_error": model.rule_errors,
            }
        )

    @property
    def coefficients_(self) -> Any:
        """Return a table of the column coefficients by name. ``rules_`` has those of the rules."""
        model: BoostedLinearModel = self._fitted()
        return make_frame(term_columns(model.design, [model.linear], model.classes))

    @property
    def coef_(self) -> Floats:
        """Return the coefficients, columns before rules: [terms] or [scores, terms]."""
        model: BoostedLinearModel = self._fitted()
        both = np.concatenate([model.linear.coefficients, model.rule_coefficients], axis=1)
        return both[0] if model.classes is None else both

    @property
    def intercept_(self) -> Any:
        """Return the score of a row with 0 in every column that matches no rule."""
        model: BoostedLinearModel = self._fitted()
        intercepts = model.linear.intercepts(model.design.means)
        return float(intercepts[0]) if model.classes is None else intercepts

    def summary(self) -> str:
        """Return the model as text: its formula, then one line per rule."""
        model: BoostedLinearModel = self._fitted()
        lines = [formula(model.design, model.linear, model.classes, most=_MOST_TERMS)]
        sizes = model.linear.coefficients * model.design.scales
        smallest = rounding_error(*model.linear.centers, *sizes.flat, *model.rule_coefficients.flat)
        for k, rule in enumerate(model.rules):
            values = [one if abs(one) > smallest else 0.0 for one in model.rule_coefficients[:, k]]
            shown = ", ".join(f"{value:+.6g}" for value in values)
            lines.append(
                f"    {shown} if {rule.text(model.schema)} ({model.rule_weights[k]:g} rows)"
            )
        return "\n".join(lines)


class BoostedLinearRegressor(HybridRegressor, _BoostedLinear):
    """Linear model with rules learned from the rows with the largest errors (EBLR).

    Each step grows a small tree on the errors of the linear model. The leaf with the largest mean
    error becomes a 0/1 column, and the linear model is refitted. Every term of the final model is
    readable.

    Parameters
    ----------
    penalty : {"ridge", "none", "lasso", "elasticnet"}, default="ridge"
        Penalty on the coefficients.
    alpha : float, default=1.0
        Penalty strength, as in scikit-learn's ``Ridge``, ``Lasso`` and ``ElasticNet``.
    l1_ratio : float, default=0.5
        Weight of the L1 penalty with ``penalty="elasticnet"``.
    standardize : bool, default=True
        Whether to penalize columns in units of their standard deviation. Rules stay 0 and 1.
    loss : {"linear", "squared", "exponential", "poisson"}, default="linear"
        Error that the trees predict: y - p, (y - p)², 1 - exp(-|y - p|), or p - y log p.
    n_estimators : int, default=10
        Maximum number of rules.
    max_depth : int, default=3
        Maximum number of conditions in a rule.
    min_samples_leaf : int or float, default=20
        Minimum weight of the rows that match a rule, or their minimum fraction of all rows.
    max_bins : int, default=255
        Maximum number of bins per column, including the bin of missing values. Thresholds are bin
        edges.
    linear_features : list of columns, optional
        Columns (by name or position) of the linear model. Rules may use all columns.
    categorical_features : "auto", "none" or list of columns, default="auto"
        Categorical columns. ``"auto"`` treats text columns as categorical; listed columns are
        categorical besides them.
    linear_max_iter : int, default=10000
        Maximum number of iterations of lasso and elastic net.
    n_jobs : int, optional
        Number of threads. The model does not depend on it.

    Attributes
    ----------
    rules_ : table
        Text, coefficient, matching rows and mean error of every rule.
    coefficients_ : table
        Coefficients of the columns by name. ``coef_`` and ``intercept_`` hold arrays.

    Notes
    -----
    The linear model reads a categorical column as one 0/1 column per category, and replaces a
    missing value by the mean of its column over the training rows. Trees use the original columns.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import BoostedLinearRegressor
    >>> X = np.column_stack([np.arange(400.0), np.arange(400.0) % 7])
    >>> y = X[:, 0] + 900.0 * (X[:, 1] > 4)
    >>> model = BoostedLinearRegressor(penalty="none", n_estimators=1, max_depth=1).fit(X, y)
    >>> print(model.rules_.rule[0])
    f1 > 4.5
    """

    _options: ClassVar[Mapping[str, Constraint]] = {
        **_BoostedLinear._options,
        "loss": OneOf(NUMBER_LOSSES, {"square": "squared", "squared_error": "squared"}),
    }

    def __init__(
        self,
        *,
        penalty: PenaltyName = "ridge",
        alpha: float = 1.0,
        l1_ratio: float = 0.5,
        standardize: bool = True,
        loss: Literal["linear", "squared", "exponential", "poisson"] = "linear",
        n_estimators: int = 10,
        max_depth: int = 3,
        min_samples_leaf: float = 20,
        max_bins: int = 255,
        linear_features: Sequence[str | int] | None = None,
        categorical_features: Literal["auto", "none"] | Sequence[str | int] = "auto",
        linear_max_iter: int = 10_000,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.standardize = standardize
        self.loss = loss
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_bins = max_bins
        self.linear_features = linear_features
        self.categorical_features = categorical_features
        self.linear_max_iter = linear_max_iter
        self.n_jobs = n_jobs


class BoostedLinearClassifier(HybridClassifier, _BoostedLinear):
    """Logistic model with rules learned from the rows with the largest errors (EBLR).

    Parameters
    ----------
    penalty : {"ridge", "none", "lasso", "elasticnet"}, default="ridge"
        Penalty on the coefficients.
    C : float, default=1.0
        Inverse penalty strength, as in scikit-learn's ``LogisticRegression``.
    loss : {"error", "log_loss"}, default="error"
        Error that the trees predict: 1 for a misclassified row (else 0), or the negative log
        probability of the true class.
    l1_ratio, standardize, n_estimators, max_depth, min_samples_leaf, max_bins
        As in :class:`BoostedLinearRegressor`.
    linear_features, categorical_features, linear_max_iter, n_jobs
        As in :class:`BoostedLinearRegressor`.
    class_weight : "balanced" or mapping from label to weight, optional
        Weights of the classes.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    rules_, coefficients_, coef_, intercept_
        As in :class:`BoostedLinearRegressor`.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import BoostedLinearClassifier
    >>> x = np.linspace(-3.0, 3.0, 400)
    >>> y = np.where(np.abs(x) > 1.5, "far", "near")
    >>> model = BoostedLinearClassifier(n_estimators=3).fit(x[:, None], y)
    >>> print(model.predict([[-2.5], [0.3], [2.5]]))
    ['far' 'near' 'far']
    """

    _options: ClassVar[Mapping[str, Constraint]] = {
        **_BoostedLinear._options,
        "loss": OneOf(CLASS_LOSSES, {"hamming": "error", "entropy": "log_loss"}),
    }

    def __init__(
        self,
        *,
        penalty: PenaltyName = "ridge",
        C: float = 1.0,
        l1_ratio: float = 0.5,
        standardize: bool = True,
        loss: Literal["error", "log_loss"] = "error",
        n_estimators: int = 10,
        max_depth: int = 3,
        min_samples_leaf: float = 20,
        max_bins: int = 255,
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
        self.loss = loss
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_bins = max_bins
        self.linear_features = linear_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.linear_max_iter = linear_max_iter
        self.n_jobs = n_jobs

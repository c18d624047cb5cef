"""EnhancedForestRegressor and EnhancedForestClassifier: a linear model plus a residual forest.

Regression-enhanced random forest (RERF): fit a linear or logistic model, fit a forest to its
residuals, predict the sum of both. The linear part extrapolates outside the training range.
``base.py`` describes the life of a hybrid; ``forest_choice.py`` selects settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.frames import make_frame
from ceiba.data.schema import Schema
from ceiba.hybrids.base import BaseHybrid, HybridClassifier, HybridRegressor, columns_of
from ceiba.hybrids.design_matrix import DesignMatrix
from ceiba.hybrids.engine_trees import grow_forest
from ceiba.hybrids.file import Stored, model_bytes
from ceiba.hybrids.forest_choice import CHOSEN, Chosen, choose, given_settings
from ceiba.hybrids.formulas import formula, term_columns
from ceiba.hybrids.linear_models import Linear, PenaltyName, fit_logistic, fit_regression
from ceiba.hybrids.row_sums import row_sums
from ceiba.hybrids.rows import TrainingRows, table_of
from ceiba.hybrids.softmax import softmax
from ceiba.parameters.constraints import Constraint, Integer
from ceiba.random import seed_of

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["EnhancedForestClassifier", "EnhancedForestRegressor"]

Floats = NDArray[np.float64]
_MOST_TERMS = 20


@dataclass(frozen=True, eq=False)
class EnhancedForestModel:
    """A linear model and the forest of its residuals."""

    schema: Schema
    design: DesignMatrix
    classes: NDArray[Any] | None
    linear: Linear
    forest: Model

    @classmethod
    def fitted(
        cls,
        rows: TrainingRows,
        classes: NDArray[Any] | None,
        design: DesignMatrix,
        linear: Linear,
        options: Mapping[str, Any],
    ) -> EnhancedForestModel:
        """Fit the forest to the residuals of ``linear`` and return the combined model."""
        columns = design.columns(rows.values)
        if classes is None:
            residuals = rows.target - linear.scores(columns)[:, 0]
        else:
            shares = softmax(linear.scores(columns))
            hits = rows.target[:, None] == np.arange(shares.shape[1])
            residuals = hits - shares
            if shares.shape[1] == 2:
                residuals = residuals[:, 1]
        forest = grow_forest(rows, np.ascontiguousarray(residuals), options)
        return cls(rows.schema, design, classes, linear, forest)

    def scores(self, values: Floats) -> Floats:
        """Return the predictions of rows."""
        linear = self.linear.scores(self.design.columns(values))
        added = self.forest.predict(table_of(values, self.schema))
        if self.classes is None:
            total: Floats = linear[:, 0] + added
            return total
        shares = softmax(linear)
        if added.ndim == 1:
            added = np.column_stack([-added, added])
        clipped = np.clip(shares + added, 0.0, 1.0)
        sums = row_sums(clipped)[:, None]
        # If the forest cancels all probabilities, use those of the logistic model.
        return np.where(sums > 0, clipped / np.where(sums > 0, sums, 1.0), shares)

    def models(self) -> Mapping[str, Model]:
        """Return the forest."""
        return {"forest": self.forest}

    def stored(self) -> Stored:
        """Return the content of the model file."""
        arrays = {
            **self.design.to_arrays(),
            "coefficients": self.linear.coefficients,
            "centers": self.linear.centers,
            "forest": model_bytes(self.forest),
        }
        return Stored(self.schema, self.classes, {}, arrays)

    @classmethod
    def restored(cls, stored: Stored) -> EnhancedForestModel:
        """Restore the model of a file; raise ValueError if it is damaged."""
        design = DesignMatrix.from_arrays(stored.schema, stored.arrays)
        n_classes = 0 if stored.classes is None else len(stored.classes)
        n_outputs = n_classes if n_classes > 2 else 1
        linear = Linear(
            stored.numbers("coefficients", n_outputs, design.n_columns),
            stored.numbers("centers", n_outputs),
        )
        forest = stored.model("forest")
        if forest.n_outputs != n_outputs or n_classes == 1 or forest.classes is not None:
            raise ValueError("its forest has the wrong number of outputs")
        return cls(stored.schema, design, stored.classes, linear, forest)


class _EnhancedForest(BaseHybrid):
    """Base class of the enhanced forests."""

    _options: ClassVar[Mapping[str, Constraint]] = {
        **CHOSEN,
        "n_folds": Integer(2),
    }
    _model_class = EnhancedForestModel

    def _learn(
        self, rows: TrainingRows, classes: NDArray[Any] | None, options: Mapping[str, Any]
    ) -> EnhancedForestModel:
        sources = columns_of(self.linear_features, rows.schema, "linear_features")
        options = {**options, "random_state": seed_of(options["random_state"])}
        settings = given_settings(options)

        def linear_of(some: TrainingRows, own: Mapping[str, Any]) -> tuple[DesignMatrix, Linear]:
            design, penalty = DesignMatrix.of(some, sources), self._penalty({**options, **own})
            columns = design.columns(some.values)
            fit = fit_regression if classes is None else fit_logistic
            linear = fit(columns, some.target, some.weights, penalty, design.scales)
            return design, linear

        def learn(
            some: TrainingRows, linear: tuple[DesignMatrix, Linear], own: Mapping[str, Any]
        ) -> EnhancedForestModel:
            return EnhancedForestModel.fitted(some, classes, *linear, {**options, **own})

        chosen = Chosen(settings[0], {})
        if len(settings) > 1:
            n_folds = options["n_folds"]
            chosen = choose(
                rows, settings, n_folds, options["random_state"], linear_of, learn,
                n_classes=0 if classes is None else len(classes),
            )  # fmt: skip
        self.best_params_: dict[str, Any] = dict(chosen.settings)
        self.cv_results_: Any = make_frame(chosen.results) if chosen.results else None
        return learn(rows, linear_of(rows, chosen.settings), chosen.settings)

    @property
    def coefficients_(self) -> Any:
        """Return a table of the coefficients of the linear part by name."""
        model: EnhancedForestModel = self._fitted()
        return make_frame(term_columns(model.design, [model.linear], model.classes))

    @property
    def coef_(self) -> Floats:
        """Return the coefficients of the linear part: [columns], or [scores, columns]."""
        model: EnhancedForestModel = self._fitted()
        coefficients = model.linear.coefficients.copy()
        return coefficients[0] if model.classes is None else coefficients

    @property
    def intercept_(self) -> Any:
        """Return the linear score of a row with 0 in every column."""
        model: EnhancedForestModel = self._fitted()
        intercepts = model.linear.intercepts(model.design.means)
        return float(intercepts[0]) if model.classes is None else intercepts

    @property
    def forest_(self) -> Model:
        """Return the forest of the residuals."""
        forest: Model = self._fitted().forest
        return forest

    @property
    def feature_importances_(self) -> Floats:
        """Return the forest importance of each column, normalized to sum to 1."""
        values: Floats = self.forest_.feature_importances("gain")
        total = float(values.sum())
        return values / total if total > 0 else values

    def summary(self) -> str:
        """Return the formula of the linear part and the most important columns of the forest."""
        model: EnhancedForestModel = self._fitted()
        importances = self.feature_importances_
        order = np.argsort(-importances, kind="stable")[:5]
        leans = ", ".join(
            f"{model.schema.names[j]} ({importances[j]:.0%})" for j in order if importances[j] > 0
        )
        linear = formula(model.design, model.linear, model.classes, most=_MOST_TERMS)
        n_trees = model.forest.n_trees
        return (
            f"linear part: {linear}\n"
            f"forest of its residuals: {n_trees} trees, mostly by {leans or 'nothing'}"
        )


class EnhancedForestRegressor(HybridRegressor, _EnhancedForest):
    """Linear model plus a random forest on its residuals (RERF).

    The prediction is the sum of both. Outside the training range it follows the linear model.

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
    n_estimators : int, default=100
        Number of trees.
    max_depth : int, optional
        Maximum depth of a tree; unlimited by default.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf, or their minimum fraction of all rows.
    max_features : float, int, "sqrt" or "log2", default=1.0
        Columns considered at each node: a fraction or a number.
    n_folds : int, default=5
        Number of cross-validation folds. Every parameter above except ``standardize`` accepts a
        list of values. Cross-validation then selects the best combination.
    linear_features : list of columns, optional
        Columns (by name or position) of the linear model. The forest uses all columns.
    categorical_features : "auto", "none" or list of columns, default="auto"
        Categorical columns. ``"auto"`` treats text columns as categorical; listed columns are
        categorical besides them.
    linear_max_iter : int, default=10000
        Maximum number of iterations of lasso and elastic net.
    random_state : int, optional
        Seed of the bootstrap samples and the folds.
    n_jobs : int, optional
        Number of threads. The model does not depend on it.

    Attributes
    ----------
    coefficients_ : table
        Coefficients of the linear part by name. ``coef_`` and ``intercept_`` hold arrays.
    forest_ : Model
        The forest.
    best_params_ : dict
        The combination that cross-validation selected.
    cv_results_ : table or None
        Cross-validation loss of every combination.

    Notes
    -----
    The linear model reads a categorical column as one 0/1 column per category, and replaces a
    missing value by the mean of its column over the training rows. The forest uses the original
    columns.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import EnhancedForestRegressor
    >>> X = np.linspace(0.0, 10.0, 300)[:, None]
    >>> y = 3.0 * X[:, 0] + np.sin(3.0 * X[:, 0])
    >>> model = EnhancedForestRegressor(n_estimators=20).fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 60.0) < 2.0)
    True
    """

    def __init__(
        self,
        *,
        penalty: PenaltyName | Sequence[PenaltyName] = "ridge",
        alpha: float | Sequence[float] = 1.0,
        l1_ratio: float | Sequence[float] = 0.5,
        standardize: bool = True,
        n_estimators: int | Sequence[int] = 100,
        max_depth: int | Sequence[int] | None = None,
        min_samples_leaf: float | Sequence[float] = 1,
        max_features: float | str | Sequence[float | str] = 1.0,
        n_folds: int = 5,
        linear_features: Sequence[str | int] | None = None,
        categorical_features: Literal["auto", "none"] | Sequence[str | int] = "auto",
        linear_max_iter: int = 10_000,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.standardize = standardize
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.n_folds = n_folds
        self.linear_features = linear_features
        self.categorical_features = categorical_features
        self.linear_max_iter = linear_max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs


class EnhancedForestClassifier(HybridClassifier, _EnhancedForest):
    """Logistic model plus a random forest on its residuals (RERF).

    The forest predicts the residuals of the probabilities. The sum of both parts is clipped to
    [0, 1] and normalized, so that the probabilities of a row sum to 1.

    Parameters
    ----------
    penalty : {"ridge", "none", "lasso", "elasticnet"}, default="ridge"
        Penalty on the coefficients.
    C : float, default=1.0
        Inverse penalty strength, as in scikit-learn's ``LogisticRegression``.
    l1_ratio, standardize, n_estimators, max_depth, min_samples_leaf, max_features, n_folds
        As in :class:`EnhancedForestRegressor`. Cross-validation compares log losses.
    linear_features, categorical_features, linear_max_iter, random_state, n_jobs
        As in :class:`EnhancedForestRegressor`.
    class_weight : "balanced" or mapping from label to weight, optional
        Weights of the classes.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    coefficients_, coef_, intercept_, forest_, best_params_, cv_results_
        As in :class:`EnhancedForestRegressor`.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import EnhancedForestClassifier
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> y = (X[:, 0] + (X[:, 1] > 0.5) > 0.3).astype(int)
    >>> model = EnhancedForestClassifier(n_estimators=20).fit(X, y)
    >>> model.predict_proba(X[:2]).shape
    (2, 2)
    """

    def __init__(
        self,
        *,
        penalty: PenaltyName | Sequence[PenaltyName] = "ridge",
        C: float | Sequence[float] = 1.0,
        l1_ratio: float | Sequence[float] = 0.5,
        standardize: bool = True,
        n_estimators: int | Sequence[int] = 100,
        max_depth: int | Sequence[int] | None = None,
        min_samples_leaf: float | Sequence[float] = 1,
        max_features: float | str | Sequence[float | str] = 1.0,
        n_folds: int = 5,
        linear_features: Sequence[str | int] | None = None,
        categorical_features: Literal["auto", "none"] | Sequence[str | int] = "auto",
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        linear_max_iter: int = 10_000,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.standardize = standardize
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.n_folds = n_folds
        self.linear_features = linear_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.linear_max_iter = linear_max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

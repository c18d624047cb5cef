"""EnhancedForestRegressor and EnhancedForestClassifier: a forest on what a linear model leaves.

Regression-enhanced random forests (RERF): a linear or logistic model is fitted first, a forest then
learns its residuals, and predictions are the sum of both. The line goes on where the forest has
seen no rows. ``base.py`` opens with the life of a hybrid; ``forest_choice.py`` chooses settings.
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
from ceiba.hybrids.linear_models import Linear, PenaltyName, fit_classes, fit_numbers
from ceiba.hybrids.row_sums import row_sums
from ceiba.hybrids.rows import LearnedRows, table_of
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
        rows: LearnedRows,
        classes: NDArray[Any] | None,
        design: DesignMatrix,
        linear: Linear,
        options: Mapping[str, Any],
    ) -> EnhancedForestModel:
        """Return the model whose forest is grown on what ``linear`` leaves."""
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
        # Where the forest takes all away, the logistic model has the word.
        return np.where(sums > 0, clipped / np.where(sums > 0, sums, 1.0), shares)

    def models(self) -> Mapping[str, Model]:
        """Return the forest."""
        return {"forest": self.forest}

    def stored(self) -> Stored:
        """Return everything that a file must hold."""
        arrays = {
            **self.design.to_arrays(),
            "coefficients": self.linear.coefficients,
            "centers": self.linear.centers,
            "forest": model_bytes(self.forest),
        }
        return Stored(self.schema, self.classes, {}, arrays)

    @classmethod
    def restored(cls, stored: Stored) -> EnhancedForestModel:
        """Return the model of a file; raise ValueError if it cannot be one."""
        design = DesignMatrix.from_arrays(stored.schema, stored.arrays)
        n_classes = 0 if stored.classes is None else len(stored.classes)
        n_outputs = n_classes if n_classes > 2 else 1
        linear = Linear(
            stored.numbers("coefficients", n_outputs, design.n_columns),
            stored.numbers("centers", n_outputs),
        )
        forest = stored.model("forest")
        if forest.n_outputs != n_outputs or n_classes == 1 or forest.classes is not None:
            raise ValueError("its forest has another number of outputs")
        return cls(stored.schema, design, stored.classes, linear, forest)


class _EnhancedForest(BaseHybrid):
    """What both enhanced forests share."""

    _options: ClassVar[Mapping[str, Constraint]] = {
        **CHOSEN,
        "n_folds": Integer(2),
    }
    _model_class = EnhancedForestModel

    def _learn(
        self, rows: LearnedRows, classes: NDArray[Any] | None, options: Mapping[str, Any]
    ) -> EnhancedForestModel:
        sources = columns_of(self.linear_features, rows.schema, "linear_features")
        options = {**options, "random_state": seed_of(options["random_state"])}
        settings = given_settings(options)

        def linear_of(some: LearnedRows, own: Mapping[str, Any]) -> tuple[DesignMatrix, Linear]:
            design, penalty = DesignMatrix.of(some, sources), self._penalty({**options, **own})
            columns = design.columns(some.values)
            fit = fit_numbers if classes is None else fit_classes
            linear = fit(columns, some.target, some.weights, penalty, design.scales)
            return design, linear

        def learn(
            some: LearnedRows, linear: tuple[DesignMatrix, Linear], own: Mapping[str, Any]
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
        """Return a table of the coefficients of the linear part, by name."""
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
        """Return what the linear part says where every column is 0."""
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
        """Return the importance of each column in the forest, adding up to 1."""
        values: Floats = self.forest_.feature_importances("gain")
        total = float(values.sum())
        return values / total if total > 0 else values

    def summary(self) -> str:
        """Return the linear part as a formula, and what the forest leans on most."""
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

    Predictions are the sum of both, so that they go on along the line where there were no rows.

    Parameters
    ----------
    penalty : {"ridge", "none", "lasso", "elasticnet"}, default="ridge"
        What holds coefficients back.
    alpha : float, default=1.0
        How strongly, as ``Ridge``, ``Lasso`` and ``ElasticNet`` of scikit-learn have it.
    l1_ratio : float, default=0.5
        Share of the lasso in an elastic net.
    standardize : bool, default=True
        Whether the penalty sees columns in units of their standard deviation.
    n_estimators : int, default=100
        Trees of the forest.
    max_depth : int, optional
        Most splits on the way to a leaf; unlimited by default.
    min_samples_leaf : int or float, default=1
        Rows that a leaf must have, or their share of all rows.
    max_features : float, int, "sqrt" or "log2", default=1.0
        Columns that a node may use: their share, or their number.
    n_folds : int, default=5
        Folds of the cross-validation. Every parameter above but ``standardize`` may be a list; then
        cross-validation chooses penalty and forest together.
    linear_features : list of columns, optional
        Columns (by name or position) of the linear model; the forest sees all.
    categorical_features : "auto", "none" or list of columns, default="auto"
        Columns that are categories: those of text, or the listed ones besides.
    linear_max_iter : int, default=10000
        Most iterations of lasso and elastic net.
    random_state : int, optional
        Seed of the samples and the folds.
    n_jobs : int, optional
        Threads. The model does not depend on them.

    Attributes
    ----------
    coefficients_ : table
        Coefficients of the linear part, by name; ``coef_`` and ``intercept_`` as arrays.
    forest_ : Model
        The forest.
    best_params_ : dict
        Settings that cross-validation chose among lists.
    cv_results_ : table or None
        Loss of every combination.

    Notes
    -----
    For the linear model a category is a column of 0 and 1 for each level, and a missing value takes
    the mean of its column over the training rows. The forest sees both as they are.

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

    The forest learns what probabilities lack. Their sum is clipped to [0, 1], and the probabilities
    of a row are made to add up to 1.

    Parameters
    ----------
    penalty : {"ridge", "none", "lasso", "elasticnet"}, default="ridge"
        What holds coefficients back.
    C : float, default=1.0
        How little, as ``LogisticRegression`` of scikit-learn has it.
    l1_ratio, standardize, n_estimators, max_depth, min_samples_leaf, max_features, n_folds
        As :class:`EnhancedForestRegressor` has them; folds compare log losses.
    linear_features, categorical_features, linear_max_iter, random_state, n_jobs
        As :class:`EnhancedForestRegressor` has them.
    class_weight : "balanced" or mapping from label to weight, optional
        Weights of the classes.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    coefficients_, coef_, intercept_, forest_, best_params_, cv_results_
        As :class:`EnhancedForestRegressor` has them.

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

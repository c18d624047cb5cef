"""CeibaForestClassifier and CeibaForestRegressor: random forests.

A forest uses recipe ``forest``: unlimited trees on bootstrap samples, whose mean is the prediction.
Constructors have the names and defaults of scikit-learn's RandomForest; ``_given`` translates them.
``base.py`` describes the life of an estimator, ``out_of_bag.py`` that of out-of-bag predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from ceiba.data.frames import make_frame
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.estimators.classifier import CeibaClassifier
from ceiba.estimators.criteria import (
    OF_CLASSES,
    OF_NUMBERS,
    check_directions,
    gain_in_impurity,
    node_columns,
)
from ceiba.estimators.explicit import ExplicitParameters
from ceiba.estimators.forest_text import document_forest
from ceiba.estimators.out_of_bag import OutOfBag, shuffled_drops
from ceiba.estimators.regressor import CeibaRegressor
from ceiba.explain.row_importances import permutation_columns
from ceiba.messages import warn
from ceiba.model.output import predicted_classes, probabilities
from ceiba.model.predict import count_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.continuation.continued import Earlier
    from ceiba.estimators.rows import Rows
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]
    #: Scores out-of-bag predictions: called with target and prediction.
    Scorer = Callable[[NDArray[Any], NDArray[Any]], float]

__all__ = ["CeibaForestClassifier", "CeibaForestRegressor"]


class _Forest(ExplicitParameters):
    """Base class of the forests."""

    #: Objective parameters of each criterion.
    _criteria: ClassVar[Mapping[str, Mapping[str, Any]]]

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            numpy array, pandas, polars or arrow table, scipy sparse matrix, list of rows, or a
            Dataset, which brings its target with it. NaN means missing; columns of strings and of
            categories are taken as they are.
        y : array of shape (n_rows,) or (n_rows, n_outputs), or name of a column of X
            Target: labels of a classifier, numbers of a regressor, which may have several columns.
        sample_weight : array of shape (n_rows,), optional
            Weights. They count besides how often a row is drawn.
        """
        fitted: Self = super().fit(X, y, sample_weight)
        return fitted

    def _given(self) -> dict[str, Any]:
        """Translate the constructor parameters to those of the recipe."""
        own = {name: vars(self)[name] for name in self._get_param_names() if name in vars(self)}
        criterion, bootstrap = own.pop("criterion"), own.pop("bootstrap")
        max_samples, max_features = own.pop("max_samples"), own.pop("max_features")
        own.pop("oob_score")
        if not isinstance(criterion, str) or criterion not in self._criteria:
            raise InvalidParameterError(
                f"criterion must be {' or '.join(map(repr, self._criteria))}. Got {criterion!r}."
            )
        if bootstrap not in (True, False):
            raise InvalidParameterError(f"bootstrap must be True or False. Got {bootstrap!r}.")
        sampling = "bootstrap" if bootstrap else "none" if max_samples is None else "uniform"
        limited = own["max_leaf_nodes"] is not None
        given = {
            **own,
            **self._criteria[criterion],
            "recipe": "forest",
            "sampling": sampling,
            "max_features": node_columns(max_features),
            "grow_policy": "leafwise" if limited else "depthfirst",
        }
        if sampling == "uniform":
            given["subsample"] = 0.5  # _train replaces it once the number of rows is known
        if not limited:
            given["max_leaf_nodes"] = 0
        if given["max_depth"] is None:
            given["max_depth"] = 0
        # The default minimum sizes mean the same whether repeated rows count once or by weight;
        # counting by weight makes the packed sums smaller.
        if (own["min_samples_leaf"], own["min_samples_split"]) == (1, 2):
            given["weighted_counts"] = True
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
        vars_of_bags = ("oob_score_", "oob_prediction_", "oob_decision_function_")
        for name in vars_of_bags:
            self.__dict__.pop(name, None)
        n_classes = 0 if classes is None else len(classes)
        several = rows.target.ndim == 2 or n_classes > 2
        n_outputs = rows.target.shape[1] if rows.target.ndim == 2 else 1
        check_directions(vars(self)["monotonic_cst"], n_classes, n_outputs)
        unit = gain_in_impurity(vars(self)["criterion"], n_classes, n_outputs)
        parameters = parameters.replace(
            min_impurity_decrease=parameters.min_impurity_decrease / unit,
            ccp_alpha=parameters.ccp_alpha / unit,
        )
        if several:
            parameters = parameters.replace(multi_strategy="vector_leaf")
        learned = None if rows.weights is None else rows.weights > 0
        n_rows = len(rows.target) if learned is None else int(np.count_nonzero(learned))
        share = _share(vars(self)["max_samples"], n_rows)
        parameters = parameters.replace(subsample=share)
        wished = vars(self)["oob_score"]
        if wished and parameters.sampling == "none":
            raise InvalidParameterError(
                "oob_score needs trees that are not trained on all rows. Got bootstrap=False "
                "without max_samples. Remove oob_score, or set bootstrap=True or max_samples."
            )
        super()._train(parameters, rows, eval_set, callbacks, classes, earlier=earlier, **held_out)
        self._bags = OutOfBag(
            parameters, len(rows.target), learned, count_threads(parameters.n_jobs)
        )
        if wished:
            raw = self._bags.raw(self.model_, rows.table)
            self._store_out_of_bag(raw, rows.target, wished)
        return self

    def _store_out_of_bag(self, raw: Floats, target: Floats, wished: Any) -> None:
        raise NotImplementedError

    def _score_of(self, raw: Floats, target: Floats, scorer: Any) -> float:
        """Return the score of raw scores without missing predictions."""
        raise NotImplementedError

    def _checked_score(self, raw: Floats, target: Floats, wished: Any) -> float:
        """Return the score of the rows that have an out-of-bag prediction."""
        known = ~np.isnan(raw[:, 0])
        if not known.all():
            warn(
                f"{np.count_nonzero(~known)} rows are in the sample of every tree and have no "
                "out-of-bag prediction. Increase n_estimators, or reduce max_samples."
            )
        if not known.any():
            return float("nan")
        return self._score_of(raw[known], target[known], wished)

    @property
    def feature_importances_(self) -> Floats:
        """Mean decrease in impurity of each column, adding up to 1, as in scikit-learn."""
        values: Floats = self._fitted().feature_importances("mdi")
        total = float(values.sum())
        return values / total if total > 0 else values

    def oob_importances(
        self,
        X: Any,
        y: Any = None,
        *,
        scorer: Scorer | None = None,
        n_repeats: int = 5,
        random_state: int = 0,
    ) -> Any:
        """Return the permutation importance of each column on out-of-bag rows.

        Parameters
        ----------
        X, y : table and target
            Those of ``fit``, row by row.
        scorer : function of (y, prediction), optional
            Higher is better. By default accuracy, or R².
        n_repeats : int, default=5
            How often each column is shuffled.
        random_state : int, default=0
            Seed of the orders of the rows.

        Returns
        -------
        table
            Columns ``feature``, ``permutation`` (score before minus score after, the mean over
            repeats) and ``spread`` (its standard deviation), the most important feature first, as
            ``importances("permutation", X, y)`` has them for other rows.
        """
        model = self._fitted()
        bags: OutOfBag | None = vars(self).get("_bags")
        if bags is None or bags.parameters.sampling == "none":
            raise InvalidInputError(
                "oob_importances needs a forest fitted by this estimator on samples of the rows. "
                "Fit it with bootstrap=True or max_samples, or use "
                "model_.importances('permutation', X, y) with rows outside the training data."
            )
        rows = self._known_rows(X, y, None)
        if len(rows.target) != bags.n_rows:
            raise InvalidInputError(
                f"X must be the table of fit with {bags.n_rows} rows. Got {len(rows.target)} rows."
            )

        def score(raw: Floats) -> float:
            known = ~np.isnan(raw[:, 0])
            return self._score_of(raw[known], rows.target[known], scorer)

        drops = shuffled_drops(model, bags, rows.table, score, n_repeats, random_state)
        return make_frame(permutation_columns(model.feature_names, drops))


class CeibaForestClassifier(_Forest, CeibaClassifier):  # type: ignore[misc]
    """Random forest classifier."""

    _criteria = OF_CLASSES

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: bool | Scorer = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: str | Mapping[Any, float] | None = None,
        ccp_alpha: float = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Sequence[int] | Mapping[str, int] | None = None,
        extra_trees: bool = False,
        max_bins: int | None = None,
        categorical_features: Any = None,
        unseen_category: str | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.extra_trees = extra_trees
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.unseen_category = unseen_category

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags

    def _with_objective(self, parameters: Parameters, classes: NDArray[Any] | None) -> Parameters:
        if classes is None:
            raise InvalidInputError(
                "CeibaForestClassifier predicts one column of classes. Got y with several columns. "
                "Give them one at a time."
            )
        return super()._with_objective(parameters, classes)

    def _store_out_of_bag(self, raw: Floats, target: Floats, wished: Any) -> None:
        known = ~np.isnan(raw[:, 0])
        shares = np.full((len(raw), len(self.classes_)), np.nan)
        shares[known] = probabilities(self.model_.objective.predict(raw[known]))
        self.oob_decision_function_: Floats = shares
        self.oob_score_: float = self._checked_score(raw, target, wished)

    def _score_of(self, raw: Floats, target: Floats, scorer: Any) -> float:
        shares = probabilities(self.model_.objective.predict(raw))
        # Ties go to the first class, as in predict.
        found = predicted_classes(shares)
        if callable(scorer):
            labels = self.classes_.take(target.astype(np.intp))
            return float(scorer(labels, self.classes_.take(found)))
        return float(np.count_nonzero(found == target) / len(target))


class CeibaForestRegressor(_Forest, CeibaRegressor):  # type: ignore[misc]
    """Random forest regressor."""

    _criteria = OF_NUMBERS

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: bool | Scorer = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Sequence[int] | Mapping[str, int] | None = None,
        extra_trees: bool = False,
        max_bins: int | None = None,
        categorical_features: Any = None,
        unseen_category: str | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.extra_trees = extra_trees
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.unseen_category = unseen_category

    def _store_out_of_bag(self, raw: Floats, target: Floats, wished: Any) -> None:
        self.oob_prediction_: Floats = raw if target.ndim == 2 else raw[:, 0]
        self.oob_score_: float = self._checked_score(raw, target, wished)

    def _score_of(self, raw: Floats, target: Floats, scorer: Any) -> float:
        found = raw if target.ndim == 2 else raw[:, 0]
        if callable(scorer):
            return float(scorer(target, found))
        left = ((target - found) ** 2).sum(axis=0)
        spread = ((target - target.mean(axis=0)) ** 2).sum(axis=0)
        # R² of a constant target is 1 for perfect predictions and 0 otherwise.
        scores = np.where(spread > 0, 1.0 - left / np.where(spread > 0, spread, 1.0), left == 0.0)
        return float(np.mean(scores))


def _share(max_samples: Any, n_rows: int) -> float:
    """Return the fraction of the rows that a tree is trained on."""
    if max_samples is None:
        return 1.0
    whole = isinstance(max_samples, (int, np.integer)) and not isinstance(max_samples, bool)
    if whole and 1 <= max_samples <= n_rows:
        return min(1.0, (int(max_samples) + 0.5) / n_rows)  # rounds to max_samples rows
    if isinstance(max_samples, (float, np.floating)) and 0.0 < max_samples <= 1.0:
        return float(max_samples)
    raise InvalidParameterError(
        "max_samples must be None (as many rows as there are), a fraction in (0.0, 1.0], or an "
        f"integer from 1 to {n_rows}. Got {max_samples!r}."
    )


document_forest(CeibaForestClassifier, CeibaForestRegressor)

"""Calibrate quantiles on left-out folds, so that they cover new rows too.

Trees overfit: with 1,000 rows and 100 trees, 20 % of new rows lie below a predicted 5 % quantile.
With 20,000 rows hardly more than 5 % do. So for few rows:

1. A hash of row contents assigns rows to folds; row order and repeated rows do not matter.
2. For each fold, a model is trained on the other folds and scores the fold.
3. The model stores a shift for each level (``model/correction.py``), so that the right share of
   left-out rows lies below the shifted scores.

This is cross-conformal prediction with one shift for all rows. Trees and raw scores are those of a
training without calibration, so that it can be continued. Each round has its own shift, from as
many rounds on the folds. So a shift does not depend on ``n_estimators``, metrics of eval sets are
those of the model that ends with the round, and a truncated model is a model of fewer rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from ceiba import _core
from ceiba.boosting.row_splits import row_hashes
from ceiba.boosting.sample import count_rows
from ceiba.model.correction import NO_CORRECTION, Correction
from ceiba.model.predict import count_threads, staged_raw_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.data.schema import Schema
    from ceiba.model.model import Model
    from ceiba.model.tree_weights import TreeWeights
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["Calibration", "ScoringTrees", "calibrated", "count_folds"]

#: What calibration_folds="auto" means, and the number of rows up to which it calibrates.
AUTO_FOLDS = 5
AUTO_ROWS = 10_000


class ScoringTrees(NamedTuple):
    """The trees of a fold, with all that is needed to score rows."""

    forest: _core.Forest
    schema: Schema
    start_scores: Floats
    weights: TreeWeights

    @classmethod
    def of(cls, model: Model) -> ScoringTrees:
        """Return the trees of a model."""
        return cls(model.forest, model.schema, model.start_scores, model.tree_weights)


Train = Callable[["Parameters", "Dataset"], ScoringTrees]


class Calibrated(Protocol):
    """What calibration reads of a training or a refit."""

    @property
    def parameters(self) -> Parameters: ...

    @property
    def dataset(self) -> Dataset: ...

    @property
    def objective(self) -> Objective: ...

    @property
    def n_outputs(self) -> int: ...

    @property
    def n_rounds(self) -> int: ...

    @property
    def n_folds(self) -> int:
        """Return the folds of the calibration, 0 for none (:func:`count_folds`)."""


@dataclass(frozen=True, slots=True)
class _Fold:
    """Left-out rows, and their scores [n, K] after each round of the model of the other folds."""

    rows: NDArray[np.bool_]
    stages: Iterator[Floats]


@dataclass
class Calibration:
    """The shifts of scores after any number of rounds, from left-out rows."""

    dataset: Dataset
    levels: tuple[float, ...]
    folds: list[_Fold] = field(default_factory=list)
    #: Shifts of the rounds requested so far.
    correction: Correction = NO_CORRECTION

    def after(self, n_rounds: int) -> Correction:
        """Return the correction of a model of ``n_rounds`` rounds."""
        while self.folds and len(self.correction.shifts) < n_rounds:
            self.correction = self.correction.followed_by(self._next_shift())
        return self.correction.after(n_rounds)

    def _next_shift(self) -> list[float]:
        """Return, for each level, the quantile of left-out residuals after the next round."""
        dataset = self.dataset
        assert dataset.target is not None
        scores = np.empty((len(self.levels), dataset.n_rows))
        for fold in self.folds:
            scores[:, fold.rows] = next(fold.stages).T
        if dataset.init_score is not None:
            scores += dataset.init_score.T
        pairs = zip(dataset.target - scores, self.levels, strict=True)
        return [_core.weighted_quantile(own, dataset.weight, level) for own, level in pairs]


def calibrated(train: Train, what: Calibrated, schema: Schema | None = None) -> Calibration:
    """Train the models of the folds, unless there is nothing to calibrate.

    ``train`` grows trees from parameters and rows. ``schema`` has the column order where it differs
    from that of the dataset.
    """
    parameters, dataset = what.parameters, what.dataset
    calibration = Calibration(dataset, what.objective.levels)
    if what.n_folds == 0 or dataset.target is None:
        return calibration
    numbers = row_hashes(dataset, schema) % np.uint64(what.n_folds)
    with_rows = np.unique(numbers)
    if len(with_rows) < 2:
        return calibration  # too few distinct rows
    plain = parameters.replace(
        calibration_folds=0,
        early_stopping_rounds=0,
        verbose=0,
        eval_metric=None,
        n_estimators=what.n_rounds,
        unseen_category="missing",  # a fold may lack rows of a level
    )
    folds = []
    try:
        for number in with_rows:
            left_out = numbers == number
            trees = train(plain, dataset.take(dataset.row_numbers[~left_out]))
            stages = staged_raw_scores(
                *trees,
                dataset.table.take(left_out),
                (0, trees.forest.n_iterations),
                count_threads(parameters.n_jobs),
            )
            folds.append(_Fold(left_out, stages))
    except KeyboardInterrupt:
        raise KeyboardInterrupt from None  # without the model of a fold
    calibration.folds = folds
    return calibration


def count_folds(parameters: Parameters, objective: Objective, dataset: Dataset) -> int:
    """Return the folds that ``calibration_folds`` means for these rows, 0 for no calibration."""
    if not objective.has_levels:
        return 0
    if parameters.calibration_folds != "auto":
        return int(parameters.calibration_folds)
    n_rows = count_rows(dataset.n_rows, dataset.weight)
    few = n_rows <= AUTO_ROWS and parameters.early_stopping_rounds == 0
    return AUTO_FOLDS if few else 0

"""Quantiles that hold for new rows.

Trees find what is there in their rows and a little that is not. A level that 5 % of the training
rows lie below is then undershot by more than 5 % of new rows: by 20 % with a thousand rows and a
hundred trees, by hardly any with twenty thousand. So where there are few rows:

1. the rows are parted into folds, by a hash of their values, so that neither their order nor
   repeating them matters;
2. for each fold a model is trained on the other folds and scores it;
3. from those scores the model learns what to add to its own when it predicts
   (``model/correction.py``): the shift that gives them the right share of rows below them.

This is cross-conformal prediction with one shift for all rows. Trees and raw scores are those of a
training without it, so that one may go on from them. Every round has the shift of as many rounds on
the folds, and the model keeps those of all rounds. So a shift does not depend on how many
rounds were meant to follow; metrics of eval sets, which look at predictions, are those of the model
that would end with the round; and a model that is cut is the model of fewer rounds.
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

#: What calibration_folds="auto" stands for, and the most rows for which it holds.
AUTO_FOLDS = 5
AUTO_ROWS = 10_000


class ScoringTrees(NamedTuple):
    """The trees of a fold: what scores rows."""

    forest: _core.Forest
    schema: Schema
    start_scores: Floats
    weights: TreeWeights

    @classmethod
    def of(cls, model: Model) -> ScoringTrees:
        """Return those of a model."""
        return cls(model.forest, model.schema, model.start_scores, model.tree_weights)


Train = Callable[["Parameters", "Dataset"], ScoringTrees]


class Calibrated(Protocol):
    """What is asked of a training, or of a refit, that is calibrated."""

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
    """Rows that were left out, and their scores [n, K] by the model of the others in each round."""

    rows: NDArray[np.bool_]
    stages: Iterator[Floats]


@dataclass
class Calibration:
    """What left-out rows want to be added to scores, after any number of rounds."""

    dataset: Dataset
    levels: tuple[float, ...]
    folds: list[_Fold] = field(default_factory=list)
    #: For the rounds that were asked for so far.
    correction: Correction = NO_CORRECTION

    def after(self, n_rounds: int) -> Correction:
        """Return the correction of a model of so many rounds."""
        while self.folds and len(self.correction.shifts) < n_rounds:
            self.correction = self.correction.followed_by(self._next_shift())
        return self.correction.after(n_rounds)

    def _next_shift(self) -> list[float]:
        """Return, for each level, the quantile of what the next round leaves of left-out rows."""
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
    """Train the models of the folds; none where nothing is to be calibrated.

    ``train`` makes trees of parameters and rows. ``schema`` has the order of the columns where it
    is not that of the dataset.
    """
    parameters, dataset = what.parameters, what.dataset
    calibration = Calibration(dataset, what.objective.levels)
    if what.n_folds == 0 or dataset.target is None:
        return calibration
    numbers = row_hashes(dataset, schema) % np.uint64(what.n_folds)
    with_rows = np.unique(numbers)
    if len(with_rows) < 2:
        return calibration  # so few different rows that there is nothing to learn from
    plain = parameters.replace(
        calibration_folds=0,
        early_stopping_rounds=0,
        verbose=0,
        eval_metric=None,
        n_estimators=what.n_rounds,
        unseen_category="missing",  # a fold need not have a row of every level
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

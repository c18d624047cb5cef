"""What the benchmarks ask of a library."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.settings import Settings

Array = NDArray[Any]


class Library(ABC):
    """A library seen by the benchmarks.

    The life of an adapter, in a process of its own:

    1. `prepare` imports the library (never timed with training).
    2. `fit` goes from numpy arrays to a trained model, binning included: this is timed.
    3. `predict` gives probabilities or values for the quality figure; `count_leaves` counts.
    4. `predict_batch` gives raw scores of many rows with a fitted model: timed.
    5. `estimator` makes the library's scikit-learn estimator, for rows one at a time.
    """

    name: ClassVar[str]
    module: ClassVar[str]
    estimator_name: ClassVar[str]  # what a user imports: `from module import estimator_name`
    ours: ClassVar[bool] = False

    @abstractmethod
    def prepare(self) -> None:
        """Import the library and everything that training and prediction will import."""

    @abstractmethod
    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        """Train from plain arrays."""

    @abstractmethod
    def predict(self, model: Any, x: Array, settings: Settings) -> Array:
        """Values, the probability of class 1, or probabilities [n, classes]."""

    @abstractmethod
    def predict_batch(self, model: Any, x: Array, settings: Settings) -> Array:
        """Raw scores by the library's quickest public call on a numpy array."""

    @abstractmethod
    def count_leaves(self, model: Any) -> int:
        """Leaves of all trees together."""

    @abstractmethod
    def estimator(self, settings: Settings) -> Any:
        """The scikit-learn classifier of the library, not fitted."""


def class_one(probabilities: Array, settings: Settings) -> Array:
    """Probability of class 1 of a binary model; all columns of any other."""
    return probabilities[:, 1] if settings.objective == "binary" else np.asarray(probabilities)

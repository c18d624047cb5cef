"""Interface of the library adapters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.settings import Settings

Array = NDArray[Any]


class Library(ABC):
    """Adapter of a library.

    The life of an adapter, in a separate process:

    1. `prepare` imports the library (not timed).
    2. `fit` trains a model from numpy arrays, including binning (timed).
    3. `predict` returns probabilities or values for the quality metric; `count_leaves` counts.
    4. `predict_batch` returns raw scores of many rows (timed).
    5. `estimator` creates the library's scikit-learn estimator for single rows.
    """

    name: ClassVar[str]
    module: ClassVar[str]
    estimator_name: ClassVar[str]  # public name: `from module import estimator_name`
    ours: ClassVar[bool] = False

    @abstractmethod
    def prepare(self) -> None:
        """Import everything that training and prediction need."""

    @abstractmethod
    def fit(self, x: Array, y: Array, settings: Settings) -> Any:
        """Train from plain arrays."""

    @abstractmethod
    def predict(self, model: Any, x: Array, settings: Settings) -> Array:
        """Return values, the probability of class 1, or probabilities [n, classes]."""

    @abstractmethod
    def predict_batch(self, model: Any, x: Array, settings: Settings) -> Array:
        """Return raw scores by the library's fastest public call on a numpy array."""

    @abstractmethod
    def count_leaves(self, model: Any) -> int:
        """Return the number of leaves of all trees."""

    @abstractmethod
    def estimator(self, settings: Settings) -> Any:
        """Return the library's unfitted scikit-learn classifier."""


def class_one(probabilities: Array, settings: Settings) -> Array:
    """Return the probability of class 1 of a binary model; all columns of any other."""
    return probabilities[:, 1] if settings.objective == "binary" else np.asarray(probabilities)

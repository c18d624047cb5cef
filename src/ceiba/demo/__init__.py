"""Small public data sets bundled with the package."""

import csv
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Records", "load_heart_failure"]


class Records(NamedTuple):
    """A data set: features (one row per case), target and feature names.

    >>> from ceiba.demo import load_heart_failure
    >>> features, target, feature_names = load_heart_failure()
    >>> feature_names[:2]
    ['age', 'anaemia']
    """

    features: NDArray[np.float64]
    target: NDArray[np.int64]
    feature_names: list[str]


def load_heart_failure() -> Records:
    """Return the 299 heart failure records of the UCI repository (CC BY 4.0).

    The target is 1 if the patient died during the follow-up. Source, license and the meaning of
    the columns are in ``heart_failure.txt`` beside this file.

    Returns
    -------
    Records
        ``features`` of shape (299, 12), ``target`` and ``feature_names``.

    Examples
    --------
    >>> from ceiba.demo import load_heart_failure
    >>> load_heart_failure().features.shape
    (299, 12)
    """
    file = resources.files(__name__) / "heart_failure.csv"
    with file.open(encoding="utf-8") as lines:
        header, *rows = csv.reader(lines)
    table = np.array(rows, dtype=np.float64)
    return Records(table[:, :-1].copy(), table[:, -1].astype(np.int64), header[:-1])

"""What the tables of bad input share: rows, quick ways to use them, and what an error must be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import CeibaClassifier, CeibaRegressor, Dataset, train
from ceiba.errors import CeibaError

#: What is wrong, a call, the kind of its error, and words of the message.
BadCall = tuple[str, Callable[[], Any], type[Exception], str]

_RANDOM = np.random.default_rng(0)
X = _RANDOM.normal(size=(60, 3))
Y = X[:, 0] + _RANDOM.normal(size=60)
LABELS = np.where(Y > 0, "yes", "no")
FRAME = pd.DataFrame(X, columns=["age", "height", "weight"])
ONES = np.ones(60)


def regressor(**given: Any) -> CeibaRegressor:
    return CeibaRegressor(**{"n_estimators": 5, "n_jobs": 1, **given})


def classifier(**given: Any) -> CeibaClassifier:
    return CeibaClassifier(**{"n_estimators": 5, "n_jobs": 1, **given})


def model(**given: Any) -> Any:
    return train({"n_estimators": 5, "n_jobs": 1, **given}, Dataset(FRAME, Y))


def each_of(bad_calls: Sequence[BadCall]) -> pytest.MarkDecorator:
    """Call a test with the call, kind and message of each."""
    return pytest.mark.parametrize(
        ("call", "kind", "message"),
        [entry[1:] for entry in bad_calls],
        ids=[entry[0] for entry in bad_calls],
    )


def check_error(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        call()
    assert isinstance(caught.value, CeibaError), "every error of ours is a CeibaError"
    assert str(caught.value).strip()

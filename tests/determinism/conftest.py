"""Problems to train on: ten public tables, and some that need no file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ceiba

Reals = NDArray[np.float64]

#: name -> (file, target, objective)
PUBLIC = {
    "breast_cancer": ("breast_cancer/train.parquet", "diagnosis", "logistic"),
    "superconductivity": ("superconductivity/train.parquet", "critical_temp", "squared_error"),
    "adult": ("adult/train.parquet", "income", "logistic"),
    "covertype": ("covertype.parquet", "Cover_Type", "softmax"),
    "california_housing": ("california_housing.parquet", "median_house_value", "squared_error"),
    "diamonds": ("diamonds.parquet", "price", "squared_error"),
    "letter": ("letter.parquet", "lettr", "softmax"),
    "higgs_7k": ("higgs_7k/train.parquet", "label", "logistic"),
    "titanic": ("titanic.parquet", "Survived", "logistic"),
    "house_prices_raw": ("house_prices_raw.parquet", "SalePrice", "squared_error"),
}
SYNTHETIC = ("friedman", "heavy tail", "two classes", "five classes")
MOST_ROWS = 1200


@dataclass(frozen=True)
class Problem:
    """A table of values that float32 holds, a target, and what to learn."""

    X: Reals
    y: Reals
    objective: str
    weight: Reals | None = None

    def with_weights(self, kind: str) -> Problem:
        random = np.random.default_rng(7)
        n = len(self.y)
        if kind == "real":
            return replace(self, weight=np.exp(random.normal(size=n)))
        largest = {"whole": 5, "large whole": 60}[kind]
        return replace(self, weight=random.integers(1, largest + 1, size=n).astype(np.float64))

    def with_missing(self) -> Problem:
        random = np.random.default_rng(8)
        X = self.X.copy()
        share = random.choice([0.0, 0.05, 0.4], size=X.shape[1])
        X[random.random(X.shape) < share] = np.nan
        return replace(self, X=X)

    def permuted(self, seed: int = 9) -> Problem:
        order = np.random.default_rng(seed).permutation(len(self.y))
        weight = None if self.weight is None else self.weight[order]
        return replace(self, X=self.X[order], y=self.y[order], weight=weight)

    def blocks(self, n_blocks: int) -> Iterable[tuple[Any, ...]]:
        for rows in np.array_split(np.arange(len(self.y)), n_blocks):
            yield self.X[rows], self.y[rows], None if self.weight is None else self.weight[rows]

    def dataset(self, *, n_blocks: int = 1, dtype: type = np.float64, order: Any = "C") -> Any:
        if n_blocks > 1:
            return ceiba.Dataset.from_blocks(self.blocks(n_blocks))
        X = np.array(self.X, dtype=dtype, order=order)
        return ceiba.Dataset(X, self.y, weight=self.weight)

    def train(self, params: dict[str, Any], **how: Any) -> ceiba.Model:
        given = {"n_estimators": 3, "min_samples_leaf": 5, "n_jobs": 1, **params}
        return ceiba.train({"objective": self.objective, **given}, self.dataset(**how))


def _read(file: Path, target: str, objective: str) -> Problem:
    pd = pytest.importorskip("pandas")
    frame = pd.read_parquet(file)
    frame = frame.sample(n=min(len(frame), MOST_ROWS), random_state=0).reset_index(drop=True)
    y = frame.pop(target)
    for name in frame.columns[
        frame.dtypes.map(lambda kind: not pd.api.types.is_numeric_dtype(kind))
    ]:
        codes = frame[name].astype("category").cat.codes
        frame[name] = codes.where(codes >= 0).astype(np.float64)
    X = frame.to_numpy(dtype=np.float64, na_value=np.nan).astype(np.float32).astype(np.float64)
    if objective != "squared_error":
        return Problem(X, np.unique(y.astype(str), return_inverse=True)[1] * 1.0, objective)
    return Problem(X, y.to_numpy(dtype=np.float64), objective)


def synthetic(name: str, n_rows: int = MOST_ROWS, n_features: int = 8) -> Problem:
    random = np.random.default_rng(len(name))
    X = random.normal(size=(n_rows, n_features)).astype(np.float32).astype(np.float64)
    X[:, 1] = np.round(X[:, 1])
    signal = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] - 0.5 * X[:, 3]
    match name:
        case "heavy tail":
            return Problem(X, signal + random.standard_cauchy(size=n_rows) ** 3, "squared_error")
        case "two classes":
            noisy = signal + random.normal(size=n_rows)
            return Problem(X, (noisy > 0).astype(np.float64), "logistic")
        case "five classes":
            edges = np.quantile(signal, [0.2, 0.5, 0.7, 0.95])
            return Problem(X, np.searchsorted(edges, signal).astype(np.float64), "softmax")
        case _:
            return Problem(X, signal + random.normal(size=n_rows), "squared_error")


@cache
def _problem(name: str, folder: Path | None) -> Problem:
    if folder is None:
        return synthetic(name)
    file, target, objective = PUBLIC[name]
    return _read(folder / file, target, objective)


@pytest.fixture(params=[*PUBLIC, *SYNTHETIC])
def problem(request: pytest.FixtureRequest) -> Problem:
    """Return each problem in turn."""
    name = request.param
    return _problem(name, request.getfixturevalue("data_folder") if name in PUBLIC else None)


@pytest.fixture
def make_problem() -> Callable[..., Problem]:
    """Return the maker of problems that need no file."""
    return synthetic

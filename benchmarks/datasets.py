"""Data of the benchmarks: generated once from a fixed seed, saved, loaded by each measurement."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

Array = NDArray[np.generic]

# Folder of parquet files: this environment variable, else shared/data next to the repository.
DATA_FOLDER_VARIABLE = "CEIBA_BENCH_DATA"


class DatasetUnavailableError(Exception):
    """A data set is not on this machine; the case is skipped with this message."""


@dataclass(frozen=True)
class Split:
    """Training and test rows."""

    train_x: Any  # an array, or a sparse matrix
    train_y: Array
    test_x: Any
    test_y: Array

    def save(self, folder: Path) -> None:
        """Write the four arrays, one file each."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("train_x", "train_y", "test_x", "test_y"):
            values: Any = getattr(self, name)
            if isinstance(values, np.ndarray):
                np.save(folder / f"{name}.npy", values)
            elif scipy.sparse.issparse(values):
                scipy.sparse.save_npz(folder / f"{name}.npz", values, compressed=False)
            else:
                values.to_pickle(folder / f"{name}.pickle")


def load(folder: Path, name: str) -> Any:
    """Load an array, sparse matrix or pandas frame of a saved split."""
    sparse, frame = folder / f"{name}.npz", folder / f"{name}.pickle"
    if sparse.exists():
        return scipy.sparse.load_npz(sparse)
    if frame.exists():
        import pandas as pd

        return pd.read_pickle(frame)
    array: Array = np.load(folder / f"{name}.npy")
    return array


def _split(x: Any, y: Array, n_train: int) -> Split:
    # Copies, so that each half is a C-ordered array.
    return Split(x[:n_train].copy(), y[:n_train].copy(), x[n_train:].copy(), y[n_train:].copy())


def make_dense(scale: float) -> Split:
    """1M x 28 binary, similar to HIGGS: momenta, angles, tags; noisy and nonlinear."""
    n_train, n_test = int(1_000_000 * scale), int(100_000 * min(1.0, 2 * scale))
    n = n_train + n_test
    random = np.random.default_rng(20240601)
    x = np.empty((n, 28), dtype=np.float32)
    x[:, 0:8] = random.gamma(2.0, 0.5, size=(n, 8))  # momenta: positive, a long right tail
    x[:, 8:16] = random.normal(size=(n, 8))  # pseudo-rapidities
    x[:, 16:20] = random.uniform(-np.pi, np.pi, size=(n, 4))  # angles
    x[:, 20:24] = random.choice([0.0, 1.0, 2.0], p=[0.5, 0.3, 0.2], size=(n, 4))  # tags
    # Masses: noisy products of the simple quantities.
    for j in range(4):
        opening = np.cosh(np.clip(x[:, 8 + j] - x[:, 9 + j], -3, 3)) - np.cos(x[:, 16 + j])
        mass = np.sqrt(np.maximum(x[:, j] * x[:, j + 1] * opening, 0.0))
        x[:, 24 + j] = mass * random.lognormal(0.0, 0.2, size=n)
    momentum, rapidity, angle, tag, mass = (
        x[:, 0:8],
        x[:, 8:16],
        x[:, 16:20],
        x[:, 20:24],
        x[:, 24:28],
    )
    # No term is a pure product of centered parts. A greedy tree finds such a term only by chance,
    # and the quality of equal algorithms would differ by chance.
    logit = (
        1.1 * np.exp(-((mass[:, 0] - 1.2) ** 2) / 0.18)
        - 0.7 * np.exp(-((mass[:, 1] - 1.0) ** 2) / 0.30)
        + 0.5 * np.tanh(mass[:, 2] - mass[:, 3])
        + 0.60 * np.sin(angle[:, 0]) * (rapidity[:, 0] > 0.0)
        + 0.50 * np.cos(angle[:, 1]) * (angle[:, 2] > -1.0)
        + 0.30 * tag[:, 0] * momentum[:, 0]
        + 0.50 * (tag[:, 1] == 2.0) * (tag[:, 2] > 0.0)
        - 0.30 * np.abs(rapidity[:, 1] - rapidity[:, 2])
        + 0.35 * np.log1p(momentum[:, 1] * momentum[:, 2])
        - 0.25 * momentum[:, 3]
        + 0.30 * rapidity[:, 3] * (momentum[:, 4] > 0.8)
        + 0.20 * rapidity[:, 4]
    )
    logit -= np.median(logit)
    y = (random.random(n) < 1.0 / (1.0 + np.exp(-1.6 * logit))).astype(np.int64)
    return _split(x, y, n_train)


def make_dense_100k(scale: float) -> Split:
    """The first tenth of the dense table, for methods that use every value."""
    return make_dense(0.1 * scale)


def make_wide(scale: float) -> Split:
    """40k x 500 regression: 40 columns matter, in sums, steps and maxima."""
    n_train, n_test = int(40_000 * scale), int(20_000 * scale)
    n = n_train + n_test
    random = np.random.default_rng(20240602)
    x = random.normal(size=(n, 500)).astype(np.float32)
    used = random.permutation(500)[:40]
    weights = random.normal(size=40)
    z = x[:, used].astype(np.float64)
    y = z[:, :20] @ weights[:20]
    y += np.where(z[:, 20:30] > 0.3, 1.0, -0.5) @ (2.0 * weights[20:30])
    y += np.maximum(z[:, 30:35], z[:, 35:40]) @ (2.0 * weights[30:35])
    y += random.normal(scale=2.0, size=n)
    return _split(x, y, n_train)


def make_seven_classes(scale: float) -> Split:
    """80k x 54, seven overlapping classes of unequal size."""
    n_train, n_test = int(80_000 * scale), int(40_000 * scale)
    n = n_train + n_test
    random = np.random.default_rng(20240603)
    x = random.normal(size=(n, 54)).astype(np.float32)
    x[:, 40:] = np.floor(4.0 * x[:, 40:])  # columns with few distinct values
    z = x[:, :24].astype(np.float64)
    scores = 0.5 * np.tanh(z) @ random.normal(size=(24, 7))
    scores += 0.7 * np.maximum(z[:, :12], z[:, 12:]) @ random.normal(size=(12, 7))
    scores += 0.1 * x[:, 40:].astype(np.float64) @ random.normal(size=(14, 7))
    scores += np.linspace(1.0, -1.0, 7)
    y = np.argmax(scores + random.gumbel(scale=1.0, size=scores.shape), axis=1).astype(np.int64)
    return _split(x, y, n_train)


def data_folder() -> Path:
    """Return the folder of parquet files."""
    beside = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    return Path(os.environ.get(DATA_FOLDER_VARIABLE, beside))


def make_categories(scale: float) -> Split:
    """240k rows of eight categories, of 5 to 5,000 levels of text, and two numbers, binary."""
    import pandas as pd

    n_train, n_test = int(240_000 * scale), int(60_000 * scale)
    n = n_train + n_test
    random = np.random.default_rng(20240605)
    columns: dict[str, Any] = {}
    logit = random.normal(scale=0.5, size=n)
    for j, n_levels in enumerate((5, 12, 30, 80, 200, 600, 1700, 5000)):
        # A few levels hold most of the rows, as for cities and products.
        shares = 1.0 / np.arange(1, n_levels + 1) ** 0.7
        codes = random.choice(n_levels, size=n, p=shares / shares.sum())
        logit += random.normal(scale=0.6, size=n_levels)[codes]
        levels = [f"level {k:04d} of {j}" for k in random.permutation(n_levels)]
        columns[f"category {j}"] = pd.Categorical.from_codes(codes, levels)
    x = random.normal(size=(n, 2))
    logit += np.sin(2.0 * x[:, 0]) + 0.5 * x[:, 1] * (np.asarray(columns["category 0"].codes) == 1)
    columns |= {"number 0": x[:, 0], "number 1": x[:, 1]}
    frame = pd.DataFrame(columns).rename(columns=lambda name: name.replace(" ", "_"))
    y = (random.random(n) < 1.0 / (1.0 + np.exp(-logit))).astype(np.int64)
    train, test = frame[:n_train].reset_index(drop=True), frame[n_train:].reset_index(drop=True)
    return Split(train, y[:n_train].copy(), test, y[n_train:].copy())  # type: ignore[arg-type]


def read_parquet(name: str) -> Any:
    """Read a table of the data folder with pyarrow."""
    path = data_folder() / name
    if not path.exists():
        raise DatasetUnavailableError(
            f"{name} was not found in ../shared/data beside the repository. "
            f"Put it there, or name its folder in {DATA_FOLDER_VARIABLE}."
        )
    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise DatasetUnavailableError(
            f"Reading {name} needs pyarrow. Run `pip install pyarrow`."
        ) from error
    return parquet.read_table(path)


def make_covertype(scale: float) -> Split:
    """Forest cover type, 581,012 x 54, 7 classes; a fifth is held out."""
    table = read_parquet("covertype.parquet")
    names = [name for name in table.column_names if name != "Cover_Type"]
    x = np.column_stack([table[name].to_numpy() for name in names]).astype(np.float32)
    y = table["Cover_Type"].to_numpy().astype(np.int64) - 1
    order = np.random.default_rng(20240604).permutation(len(y))[: int(len(y) * scale)]
    return _split(x[order], y[order], len(order) - len(order) // 5)


def make_small(_scale: float) -> Split:
    """Breast cancer, 569 x 30: all rows are trained on, quality comes from cross-validation."""
    from sklearn.datasets import load_breast_cancer

    x, y = load_breast_cancer(return_X_y=True)
    x = np.ascontiguousarray(x, dtype=np.float64)
    y = y.astype(np.int64)
    return Split(x, y, x, y)


def make_one_hot(scale: float) -> Split:
    """80k x 10,000 binary as CSR: 50 groups of 200 levels; half of the groups are informative."""
    random = np.random.default_rng(20240605)
    n, n_train = int(100_000 * scale), int(80_000 * scale)
    effects = random.normal(size=(50, 200)) * (np.arange(50) % 2)[:, None]
    levels = random.integers(0, 200, (n, 50))
    score = effects[np.arange(50), levels].sum(axis=1) / 3
    columns = (levels + 200 * np.arange(50)).astype(np.int32).ravel()
    rows = scipy.sparse.csr_matrix(
        (np.ones(50 * n), columns, np.arange(0, 50 * n + 1, 50)), shape=(n, 10_000)
    )
    y = (score + 0.5 * random.logistic(size=n) > 0).astype(np.int64)
    return _split(rows, y, n_train)


def make_one_hot_rare(scale: float) -> Split:
    """80k x 10,000 binary as CSR: 50 groups of 200 levels with a long tail of rare levels."""
    random = np.random.default_rng(20240607)
    n, n_train = int(100_000 * scale), int(80_000 * scale)
    effects = random.normal(size=(50, 200)) * (np.arange(50) % 5 == 0)[:, None]
    levels = (200 * random.random((n, 50)) ** 1.5).astype(np.int64)
    score = effects[np.arange(50), levels].sum(axis=1)
    columns = (levels + 200 * np.arange(50)).astype(np.int32).ravel()
    rows = scipy.sparse.csr_matrix(
        (np.ones(50 * n, dtype=np.float32), columns, np.arange(0, 50 * n + 1, 50)),
        shape=(n, 10_000),
    )
    y = (score + random.normal(size=n) > 0).astype(np.int64)
    return _split(rows, y, n_train)


def make_words(scale: float) -> Split:
    """20k x 50,000 binary as CSR with 0.2 % nonzero entries at uniformly random places."""
    random = np.random.default_rng(20240606)
    n, n_train = int(25_000 * scale), int(20_000 * scale)
    rows = scipy.sparse.random(n, 50_000, 0.002, format="csr", random_state=random)
    effects = np.zeros(50_000)
    effects[:2000] = random.normal(size=2000)
    score = rows @ effects
    y = (score / score.std() + 0.5 * random.logistic(size=n) > 0).astype(np.int64)
    return _split(rows, y, n_train)


DATASETS: dict[str, Callable[[float], Split]] = {
    "dense": make_dense,
    "dense_100k": make_dense_100k,
    "wide": make_wide,
    "seven_classes": make_seven_classes,
    "covertype": make_covertype,
    "small": make_small,
    "one_hot": make_one_hot,
    "one_hot_rare": make_one_hot_rare,
    "words": make_words,
    "categories": make_categories,
}

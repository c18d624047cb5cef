"""Run one measurement of one build: `python -m benchmarks.builds.worker TASK RESULT`.

Measures the build that ``import ceiba`` finds; the caller puts the ``src`` of a source tree first
on PYTHONPATH. Uses only functions that every build has: ``train``, ``Dataset``, ``predict``,
``save`` and ``fingerprint``.
"""

from __future__ import annotations

import gc
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import datasets
from benchmarks.libraries.with_ceiba import Ceiba, parameters
from benchmarks.settings import Settings
from benchmarks.worker import BATCH_ROWS, BATCH_TRAINING_ROWS, SINGLE_ROWS, _best_time

LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]
QUANTILE_ROWS = 100_000

Array = datasets.Array
Result = dict[str, Any]
CEIBA = Ceiba()


@dataclass(frozen=True)
class Task:
    """A task; every field is plain JSON."""

    kind: str
    settings: dict[str, Any]
    folder: str


class Rows:
    """Arrays of a task, loaded on first use."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def training(self, last: int | None = None) -> tuple[Array, Array]:
        x, y = datasets.load(self._folder, "train_x"), datasets.load(self._folder, "train_y")
        return (x, y) if last is None else (x[-last:], y[-last:])

    def many(self) -> Array:
        """Return the test rows, repeated to the size of a batch."""
        test = datasets.load(self._folder, "test_x")
        return np.ascontiguousarray(test[np.resize(np.arange(len(test)), BATCH_ROWS)])


def train(rows: Rows, settings: Settings) -> Result:
    """Measure training from arrays."""
    x, y = rows.training()
    model, seconds, cpu = _best_time(lambda: CEIBA.fit(x, y, settings))
    return {"seconds": seconds, "cpu_seconds": cpu, "same": model.fingerprint()}


def memory(rows: Rows, settings: Settings) -> Result:
    """Measure the peak memory of training above the loaded arrays."""
    from benchmarks.memory import peak_above_start

    x, y = rows.training()
    warm(settings)
    gc.collect()
    model, peak = peak_above_start(lambda: CEIBA.fit(x, y, settings))
    return {"megabytes": peak, "same": model.fingerprint()}


def batch(rows: Rows, settings: Settings) -> Result:
    """Measure raw scores of many rows."""
    model, many = CEIBA.fit(*rows.training(BATCH_TRAINING_ROWS), settings), rows.many()
    CEIBA.predict_batch(model, many, settings)  # the first call starts threads
    scores, seconds, cpu = _best_time(lambda: CEIBA.predict_batch(model, many, settings))
    return {"seconds": seconds, "cpu_seconds": cpu, "same": digest(scores)}


def single_row(rows: Rows, settings: Settings) -> Result:
    """Measure one ``estimator.predict(row)``."""
    x, y = rows.training(BATCH_TRAINING_ROWS)
    estimator = CEIBA.estimator(replace(settings, threads=1)).fit(x, y)
    single = [x[i : i + 1] for i in range(SINGLE_ROWS)]

    def work() -> list[Any]:
        return [estimator.predict(row) for row in single]

    found, seconds, cpu = _best_time(work)
    same = digest(np.concatenate(found))
    return {"seconds": seconds / SINGLE_ROWS, "cpu_seconds": cpu / SINGLE_ROWS, "same": same}


def quantiles(rows: Rows, settings: Settings) -> Result:
    """Measure one model with five quantiles: training, prediction and file size."""
    import ceiba

    x, _ = rows.training(QUANTILE_ROWS)
    features, target = np.ascontiguousarray(x[:, :24]), x[:, 24].astype(np.float64)
    given = {**parameters(settings), "objective": "quantile", "quantile": LEVELS}
    given["calibration_folds"] = 0
    model, training, training_cpu = _best_time(
        lambda: ceiba.train(given, ceiba.Dataset(features, target))
    )
    many = np.ascontiguousarray(rows.many()[:, :24])
    model.predict(many, n_jobs=settings.threads)
    found, seconds, cpu = _best_time(lambda: model.predict(many, n_jobs=settings.threads))
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model.ceiba")
        size = (Path(folder) / "model.ceiba").stat().st_size
    return {
        "seconds": seconds,
        "cpu_seconds": cpu,
        "training_seconds": training,
        "training_cpu_seconds": training_cpu,
        "bytes": size,
        "same": digest(found),
    }


def count(rows: Rows, settings: Settings) -> Result:
    """Work that callgrind counts: a tiny training, then the given number of trees."""
    x, y = rows.training()
    warm(settings)
    if not settings.n_estimators:
        return {"same": ""}
    return {"same": CEIBA.fit(x, y, settings).fingerprint()}


def warm(settings: Settings) -> None:
    """Import and start everything that the first training needs."""
    x = np.arange(400.0).reshape(100, 4) % 7
    y = np.arange(100) % (settings.n_classes if settings.objective == "multiclass" else 2)
    CEIBA.fit(x, y.astype(np.float64), replace(settings, n_estimators=1)).fingerprint()


def digest(values: Array) -> str:
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()


KINDS: dict[str, Callable[[Rows, Settings], Result]] = {
    "train": train,
    "memory": memory,
    "batch": batch,
    "single_row": single_row,
    "quantiles": quantiles,
    "count": count,
}


def main() -> None:
    """Read the task, measure, and write the result and the folder of the build."""
    task = Task(**json.loads(Path(sys.argv[1]).read_text()))
    if task.kind == "single_row":  # only this task needs the slow import of the estimators
        CEIBA.prepare()
    import ceiba
    from ceiba import _core

    result = KINDS[task.kind](Rows(task.folder), Settings(**task.settings))
    result |= {"found": [str(ceiba.__file__), str(_core.__file__)], "avx2": _core.uses_avx2()}
    Path(sys.argv[2]).write_text(json.dumps(result))


if __name__ == "__main__":
    main()

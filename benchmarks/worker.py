"""One measurement of one library in a fresh process: `python -m benchmarks.worker TASK RESULT`.

The life of a measurement:
1. the runner starts this process with the thread variables and a task;
2. it imports the library and loads the arrays;
3. it does the work and measures the time, then computes quality and number of leaves;
4. it writes the result as JSON and exits.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.libraries import Library
    from benchmarks.settings import Settings

# A job shorter than this is repeated, and the best time counts: a first call of a few milliseconds
# measures page faults and thread start, not the work.
ENOUGH_SECONDS = 1.0
MOST_REPEATS = 30
BATCH_TRAINING_ROWS = 200_000
BATCH_ROWS = 200_000
SINGLE_ROWS = 1_000
FOLD_SEEDS = (0, 1, 2)

Result = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """A task from the runner; every field is plain JSON."""

    kind: str
    library: str
    settings: dict[str, Any]
    folder: str | None = None
    folds: bool = False


def _best_time(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return result, best wall time and its CPU time; short jobs are repeated."""
    best, best_cpu, spent = float("inf"), 0.0, 0.0
    result = None
    for _ in range(MOST_REPEATS):
        result = None  # free the last model before creating the next one
        gc.collect()
        cpu, start = time.process_time(), time.perf_counter()
        result = work()
        seconds = time.perf_counter() - start
        cpu = time.process_time() - cpu
        if seconds < best:
            best, best_cpu = seconds, cpu
        spent += seconds
        if spent >= ENOUGH_SECONDS:
            break
    return result, best, best_cpu


def _folds_quality(library: Library, x: Any, y: Any, settings: Settings) -> float:
    import numpy as np
    from sklearn.model_selection import StratifiedKFold

    from benchmarks.quality import METRICS

    figures = []
    for seed in FOLD_SEEDS:
        prediction = np.zeros(len(y))
        for rows, held_out in StratifiedKFold(5, shuffle=True, random_state=seed).split(x, y):
            model = library.fit(x[rows], y[rows], settings)
            prediction[held_out] = library.predict(model, x[held_out], settings)
        figures.append(METRICS[settings.objective].compute(y, prediction))
    return float(np.mean(figures))


def train(library: Library, task: Task, settings: Settings) -> Result:
    """Measure training from arrays, quality on held-out rows and the share of leaves grown."""
    from benchmarks import datasets
    from benchmarks.quality import METRICS

    assert task.folder is not None
    folder = Path(task.folder)
    x, y = datasets.load(folder, "train_x"), datasets.load(folder, "train_y")
    model, seconds, cpu_seconds = _best_time(lambda: library.fit(x, y, settings))
    if task.folds:
        quality = _folds_quality(library, x, y, settings)
    else:
        test_x, test_y = datasets.load(folder, "test_x"), datasets.load(folder, "test_y")
        prediction = library.predict(model, test_x, settings)
        quality = METRICS[settings.objective].compute(test_y, prediction)
    leaves = library.count_leaves(model)
    return {
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "quality": quality,
        "leaves": leaves,
        "leaf_share": leaves / settings.allowed_leaves,
    }


def memory(library: Library, task: Task, settings: Settings) -> Result:
    """Measure the peak memory of training above the loaded arrays, after all imports."""
    from benchmarks import datasets
    from benchmarks.memory import peak_above_start

    assert task.folder is not None
    folder = Path(task.folder)
    x, y = datasets.load(folder, "train_x"), datasets.load(folder, "train_y")
    gc.collect()
    model, peak_mb = peak_above_start(lambda: library.fit(x, y, settings))
    leaves = library.count_leaves(model)
    return {"peak_mb": peak_mb, "leaf_share": leaves / settings.allowed_leaves}


def batch(library: Library, task: Task, settings: Settings) -> Result:
    """Measure raw scores of many rows; training the model is not timed."""
    import numpy as np

    from benchmarks import datasets
    from benchmarks.quality import METRICS

    assert task.folder is not None
    folder = Path(task.folder)
    x, y = datasets.load(folder, "train_x"), datasets.load(folder, "train_y")
    x, y = x[-BATCH_TRAINING_ROWS:], y[-BATCH_TRAINING_ROWS:]
    model = library.fit(x, y, settings)
    test_x, test_y = datasets.load(folder, "test_x"), datasets.load(folder, "test_y")
    rows = np.resize(np.arange(test_x.shape[0]), BATCH_ROWS)
    # Rows of a frame keep its dictionaries.
    many: Any = test_x.iloc[rows] if settings.categories else test_x[rows]
    if isinstance(many, np.ndarray):
        many = np.ascontiguousarray(many)
    library.predict_batch(model, many, settings)  # the first call starts threads
    scores, seconds, cpu_seconds = _best_time(lambda: library.predict_batch(model, many, settings))
    leaves = library.count_leaves(model)
    return {
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "quality": METRICS[settings.objective].compute(test_y[rows], np.ravel(scores)),
        "leaf_share": leaves / settings.allowed_leaves,
    }


def single_row(library: Library, task: Task, settings: Settings) -> Result:
    """Measure `estimator.predict(row)`, the faster of one thread and all."""
    from benchmarks import datasets

    assert task.folder is not None
    folder = Path(task.folder)
    x, y = datasets.load(folder, "train_x"), datasets.load(folder, "train_y")
    x, y = x[-BATCH_TRAINING_ROWS:], y[-BATCH_TRAINING_ROWS:]
    rows = [x[i : i + 1] for i in range(SINGLE_ROWS)]
    best, best_threads = float("inf"), 0
    for threads in sorted({1, settings.threads}):
        estimator = library.estimator(replace(settings, threads=threads)).fit(x, y)

        def work(predict: Callable[[Any], Any] = estimator.predict) -> None:
            for row in rows:
                predict(row)

        work()
        _, seconds, _ = _best_time(work)
        if seconds / SINGLE_ROWS < best:
            best, best_threads = seconds / SINGLE_ROWS, threads
    return {"seconds": best, "threads": best_threads}


KINDS: dict[str, Callable[[Library, Task, Settings], Result]] = {
    "train": train,
    "memory": memory,
    "batch": batch,
    "single_row": single_row,
}


def main() -> None:
    """Read the task, measure, write the result."""
    task = Task(**json.loads(Path(sys.argv[1]).read_text()))
    from benchmarks.libraries import LIBRARIES
    from benchmarks.settings import Settings

    library = LIBRARIES[task.library]
    library.prepare()
    # Import before measuring, so that no library pays for imports of the benchmark.
    import sklearn.metrics
    import sklearn.model_selection  # noqa: F401

    result = KINDS[task.kind](library, task, Settings(**task.settings))
    Path(sys.argv[2]).write_text(json.dumps(result))


if __name__ == "__main__":
    main()

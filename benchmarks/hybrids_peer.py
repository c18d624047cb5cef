"""Measure the linear-tree package on saved arrays, for ``benchmarks.hybrids``.

Runs in a separate interpreter, because the package needs an older scikit-learn. Prints one line of
JSON: time, CPU time and the error on the test rows.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np


def main(folder: Path, max_depth: int, every: int) -> None:
    """Fit the training rows and print the result."""
    from lineartree import LinearTreeRegressor
    from sklearn.linear_model import Ridge

    arrays = {name: np.load(folder / f"{name}.npy") for name in ("train_x", "train_y")}
    begin, begin_cpu = time.perf_counter(), time.process_time()
    splits = list(range(0, arrays["train_x"].shape[1], every))
    model = LinearTreeRegressor(Ridge(), max_depth=max_depth, split_features=splits)
    model.fit(arrays["train_x"], arrays["train_y"])
    seconds, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    errors = model.predict(np.load(folder / "test_x.npy")) - np.load(folder / "test_y.npy")
    rmse = float(np.sqrt(np.mean(errors**2)))
    print(json.dumps({"seconds": seconds, "cpu_seconds": cpu, "rmse": rmse}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

"""Speed of exported models: C against LightGBM, and onnxruntime on our ONNX against onnxmltools'.

Run it with ``python -m benchmarks.exports``. It needs a C compiler, lightgbm, onnxruntime, and
``pip install onnxmltools``. All opponents predict the same trees: a model is trained once and
exported to C, ONNX and LightGBM text; onnxmltools converts the LightGBM model. One thread each,
rows of 32-bit floats. Times are the best of several runs.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import onnxruntime

import ceiba
from ceiba.export.c_run import find_compiler

N_ROWS = 200_000
N_TRAIN, N_COLUMNS = 50_000, 28
OPTIONS = ("-std=c99", "-O3", "-shared", "-fPIC")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=N_ROWS)
    parser.add_argument("--folder", help="keep the files here; a second run only measures")
    parser.add_argument("--only", default="", help="part of the name of a model")
    given = parser.parse_args()
    names = [name for name in MODELS if given.only in name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(given.folder or temporary)
        for name in names:
            own = folder / name.split(",")[0]
            if not own.exists():
                prepare(MODELS[name], own)
        print("| model | rows | LightGBM | C | ratio | onnxmltools | our ONNX | ratio |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
        for name in names:
            measure(name, given.rows, folder / name.split(",")[0])


MODELS: dict[str, dict[str, Any]] = {
    "regression, 100 trees of 31 leaves": {"n_estimators": 100},
    "two classes, 500 trees of 31 leaves": {"objective": "logistic", "n_estimators": 500},
    "five classes, 500 trees of 31 leaves": {"objective": "softmax", "n_estimators": 100},
}


def table(n_rows: int) -> np.ndarray:
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, N_COLUMNS)).astype(np.float32)
    X[random.random(X.shape) < 0.02] = np.nan
    return X


def prepare(parameters: dict[str, Any], folder: Path) -> None:
    """Train a model and write all its files."""
    X = table(N_TRAIN)
    known = np.nan_to_num(X[:, :6])
    score = known[:, 0] * known[:, 1] + np.sin(3 * known[:, 2]) + np.abs(known[:, 3]) + known[:, 4]
    target = score + np.random.default_rng(1).normal(size=N_TRAIN)
    if "objective" in parameters:
        n_classes = 2 if parameters["objective"] == "logistic" else 5
        shares = np.arange(1, n_classes) / n_classes
        target = np.digitize(target, np.quantile(target, shares)).astype(float)
    every = {"recipe": "lightgbm", "n_jobs": 1, **parameters}
    model = ceiba.train(every, ceiba.Dataset(X, target))
    unfinished = folder.with_suffix(".partial")
    unfinished.mkdir(parents=True, exist_ok=True)
    model.export(unfinished / "model.c", "c", dtype="float32")
    model.export(unfinished / "model.onnx", "onnx", dtype="float32", inputs="matrix")
    model.export(unfinished / "model.txt", "lightgbm")
    booster = lightgbm.Booster(model_file=unfinished / "model.txt")
    (unfinished / "onnxmltools.onnx").write_bytes(converted(booster))
    command = [find_compiler() or "cc", *OPTIONS, "-o", "model.so", "model.c"]
    subprocess.run(command, cwd=unfinished, check=True)
    unfinished.rename(folder)


def measure(name: str, n_rows: int, folder: Path) -> None:
    """Print the times of one model."""
    X = table(n_rows)
    booster = lightgbm.Booster(model_file=folder / "model.txt")
    n_outputs = booster.num_model_per_iteration()
    peer = session(folder / "onnxmltools.onnx")
    own = session(folder / "model.onnx")
    c_one, c_many = c_functions(folder / "model.so", n_outputs)
    for rows, by_lightgbm, by_c in (
        (1, lightgbm_one(booster, n_outputs), c_one),
        (n_rows, partial(booster.predict, num_threads=1), c_many),
    ):
        x = np.ascontiguousarray(X[:rows])
        feed = {"X": x}
        agree(booster, by_c, own, x)
        calls = [
            partial(by_lightgbm, x),
            partial(by_c, x),
            partial(peer.run, None, feed),
            partial(own.run, None, feed),
        ]
        times = best_times(2000 if rows == 1 else 2, calls)
        shown = [f"{one * 1e6:.1f} µs" if rows == 1 else f"{one:.3f} s" for one in times]
        ratios = [f"{times[0] / times[1]:.2f}", f"{times[2] / times[3]:.2f}"]
        cells = [name, f"{rows:,}", *shown[:2], ratios[0], *shown[2:], ratios[1]]
        print("| " + " | ".join(cells) + " |", flush=True)
    names = ("model.c", "model.so", "model.onnx", "model.txt", "onnxmltools.onnx")
    sizes = ", ".join(f"{file} {(folder / file).stat().st_size:,}" for file in names)
    print(f"<!-- bytes: {sizes} -->")


def best_times(repeats: int, calls: list[Callable[[], Any]]) -> list[float]:
    """Return the shortest time of each call; calls take turns."""
    best = [np.inf] * len(calls)
    for _ in range(repeats):
        for k, call in enumerate(calls):
            begin = time.perf_counter()
            call()
            best[k] = min(best[k], time.perf_counter() - begin)
    return best


def agree(booster: Any, c_predict: Callable[[Any], Any], own: Any, x: np.ndarray) -> None:
    expected = booster.predict(x).reshape(len(x), -1)
    assert np.abs(c_predict(x).reshape(expected.shape) - expected).max() < 1e-9
    assert np.abs(own.run(None, {"X": x})[-1][:, -expected.shape[1] :] - expected).max() < 1e-3


def session(file: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def converted(booster: lightgbm.Booster) -> bytes:
    """Return the ONNX file of onnxmltools."""
    import onnxmltools
    from onnxmltools.convert.common.data_types import FloatTensorType

    inputs = [("X", FloatTensorType([None, N_COLUMNS]))]
    model = onnxmltools.convert_lightgbm(booster, initial_types=inputs, zipmap=False)
    content: bytes = model.SerializeToString()
    return content


def c_functions(library: Path, n_outputs: int) -> tuple[Callable[[Any], Any], ...]:
    """Return the compiled functions for one row and for many."""
    functions = ctypes.CDLL(str(library))
    one, many = functions.model_predict, functions.model_predict_many
    one.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    many.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    one.restype = many.restype = None
    single = np.empty((1, n_outputs))
    address = single.ctypes.data

    def predict_one(x: np.ndarray) -> np.ndarray:
        one(x.ctypes.data, address)
        return single

    def predict_many(x: np.ndarray) -> np.ndarray:
        out = np.empty((len(x), n_outputs))
        many(x.ctypes.data, len(x), out.ctypes.data)
        return out

    return predict_one, predict_many


def lightgbm_one(booster: lightgbm.Booster, n_outputs: int) -> Callable[[Any], Any]:
    """Return LightGBM's fastest prediction of one row: its C function, called as ours is."""
    library = lightgbm.basic._LIB
    config = ctypes.c_void_p()
    code = library.LGBM_BoosterPredictForMatSingleRowFastInit(
        booster._handle, 0, 0, -1, 0, N_COLUMNS, b"num_threads=1", ctypes.byref(config)
    )
    assert code == 0
    call = library.LGBM_BoosterPredictForMatSingleRowFast
    call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    length = ctypes.c_int64()
    out = np.empty((1, n_outputs))
    address, at_length = out.ctypes.data, ctypes.addressof(length)

    def predict(x: np.ndarray) -> np.ndarray:
        call(config, x.ctypes.data, at_length, address)
        return out

    return predict


if __name__ == "__main__":
    main()

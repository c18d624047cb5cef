"""
Export a model to C
===================

`export` with `format="c"` writes a model as one C99 file without dependencies. It predicts the same
bits as the model. This example compiles the file and measures one prediction.
"""

import ctypes
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from ceiba import CeibaClassifier

X, y = load_breast_cancer(return_X_y=True)
classifier = CeibaClassifier(n_estimators=200).fit(X, y)

folder = Path(tempfile.mkdtemp())
check = classifier.export(folder / "model.c", format="c")
print(f"largest difference {check.difference}, measured with {check.engine}")
print("\n".join((folder / "model.c").read_text().splitlines()[:12]))

# %%
# The file has two functions. `model_predict` predicts one row, `model_predict_many` a table. Here a
# shared library is called from Python; a C program would call them directly.

compiler = shutil.which("cc") or shutil.which("gcc")
library = folder / "model.so"
subprocess.run(
    [compiler, "-std=c99", "-O2", "-shared", "-fPIC", "-o", library, folder / "model.c"], check=True
)
predict = ctypes.CDLL(str(library)).model_predict
predict.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
predict.restype = None

rows, out = np.ascontiguousarray(X), np.empty((len(X), 1))
for row, prediction in zip(rows, out, strict=True):
    predict(row.ctypes.data, prediction.ctypes.data)
print("equal bits:", bool((out[:, 0] == classifier.predict_proba(X)[:, 1]).all()))

# %%
# The time of one prediction, with the overhead of the call from Python:

model, single, address = classifier.model_, rows[:1], out[0].ctypes.data


def fastest(call, repeats=500):
    """Return the shortest time of a call in microseconds."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return 1e6 * min(times)


times = {
    "C": fastest(lambda: predict(single.ctypes.data, address)),
    "Model.predict": fastest(lambda: model.predict(single)),
    "CeibaClassifier.predict": fastest(lambda: classifier.predict(single)),
}
figure, ax = plt.subplots(figsize=(8, 2.5), layout="constrained")
bars = ax.barh(list(times), list(times.values()), color=["C1", "C0", "C0"])
ax.bar_label(bars, fmt="%.0f µs", padding=4)
ax.set(xlabel="time of one prediction, in microseconds", title="200 trees, one row")
ax.invert_yaxis()
plt.show()
